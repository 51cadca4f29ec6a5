"""Links that are written as soulmem itself writes them, read without a model for each part.

Whatever deviates in any way is not plain: it is read by :mod:`~soulmem.ingest.graph_links`, with a word about each deviation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from soulmem.ingest.contract import KeyedLink
from soulmem.ingest.graph_models import COUNT_LIMIT, MAX_INTENSITY
from soulmem.ingest.times import iso
from soulmem.model.links import LinkType, Payload, Sem, SituationLink, TrigToAction, legal_ends, situation_variant
from soulmem.model.notes import NoteType

_FRAMES = ({"from", "to", "intensity", "link_type"}, {"from", "to", "intensity", "link_type", "soulmem"})
_ENVELOPE = {"uuid", "created_at", "last_fired_at", "fired_count"}
_UUID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

#: The ends each payload may join, and what is said of a link between situations.
_LEGAL = {
    Sem: dict.fromkeys(legal_ends(LinkType.SEM), ""),
    TrigToAction: dict.fromkeys(legal_ends(LinkType.PROC), ""),
    SituationLink: {ends: situation_variant(*ends) for ends in legal_ends(LinkType.SITUATION)},
}

#: Id, and when it was made and last fired, and how often.
_Stated = tuple[str | None, datetime | None, datetime | None, int]


def plain_link(value: Any, holder: str, types: Mapping[str, NoteType], at: datetime, line: int) -> KeyedLink | None:
    """The link that ``value`` states under the node ``holder``, if it is plain and joins notes of ``types`` (by key)."""
    if not isinstance(value, dict) or value.keys() not in _FRAMES or value["from"] != holder:
        return None
    target, intensity = value["to"], value["intensity"]
    if not isinstance(target, str) or not target.strip() or target == holder or target not in types or holder not in types:
        return None
    if type(intensity) is not float or not 0 <= intensity <= MAX_INTENSITY:
        return None
    payload = _payload(value["link_type"], (types[holder], types[target]))
    stated = _envelope(value.get("soulmem", {}))
    if payload is None or stated is None:
        return None
    uuid, created, fired, count = stated
    return KeyedLink(
        source_key=holder,
        target_key=target,
        payload=payload,
        intensity=intensity,
        created_at=created or at,
        line=line,
        id=uuid,
        last_fired_at=fired,
        fired_count=count,
    )


def _payload(kind: Any, ends: tuple[NoteType, NoteType]) -> Payload | None:
    """The payload, if it may join such ends; of a link between situations, if it is said to be what it must be."""
    if not isinstance(kind, dict) or len(kind) != 1:
        return None
    payload, said = _stated_payload(kind)
    return payload if payload is not None and _LEGAL[type(payload)].get(ends) == said else None


def _stated_payload(kind: Mapping[str, Any]) -> tuple[Payload | None, str]:
    match kind:
        case {"Sem": {"verb": str(verb), "confidence": float(share), **rest}} if not rest and 0 <= share <= 1:
            return Sem(verb, share), ""
        case {"Proc": {"TrigToAction": {"prob": float(share), **rest}, **more}} if not rest and not more and 0 <= share <= 1:
            return TrigToAction(share), ""
        case {"Situation": dict(variant)} if len(variant) == 1:
            return SituationLink(), str(next(iter(variant)))
    return None, ""


def _envelope(value: Any) -> _Stated | None:
    if not isinstance(value, dict) or not value.keys() <= _ENVELOPE:
        return None
    uuid, count = value.get("uuid"), value.get("fired_count", 0)
    if "uuid" in value and (not isinstance(uuid, str) or not _UUID.fullmatch(uuid)):
        return None
    if type(count) is not int or not 0 <= count <= COUNT_LIMIT:
        return None
    times = [value[name] for name in ("created_at", "last_fired_at") if name in value]
    if not all(isinstance(time, str) for time in times):
        return None
    try:
        created, fired = (_moment(value[name]) if name in value else None for name in ("created_at", "last_fired_at"))
    except ValueError:
        return None
    return uuid, created, fired, count


@lru_cache(maxsize=4096)
def _moment(text: str) -> datetime:
    """The links of a file were mostly made together."""
    return iso(text)
