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
from soulmem.ingest.graph_scan import COUNT_LIMIT, MAX_INTENSITY
from soulmem.ingest.times import iso
from soulmem.model.links import LinkType, Payload, Sem, SituationLink, TrigToAction, legal_ends, situation_variant
from soulmem.model.notes import NoteType

_FRAMES = ({"from", "to", "intensity", "link_type"}, {"from", "to", "intensity", "link_type", "soulmem"})
_ENVELOPE = {"uuid", "created_at", "last_fired_at", "fired_count"}
_RELATION = {"verb", "confidence"}
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
    name, inner = next(iter(kind.items()))
    payload, said = _stated_payload(name, inner) if isinstance(inner, dict) else (None, "")
    return payload if payload is not None and _LEGAL[type(payload)].get(ends) == said else None


def _stated_payload(name: str, inner: Mapping[str, Any]) -> tuple[Payload | None, str]:
    """The payload, and of a link between situations what it is said to be."""
    if name == "Sem" and inner.keys() == _RELATION and isinstance(inner["verb"], str) and _is_share(inner["confidence"]):
        return Sem(inner["verb"], inner["confidence"]), ""
    if name == "Proc" and inner.keys() == {"TrigToAction"}:
        chance = inner["TrigToAction"]
        if isinstance(chance, dict) and chance.keys() == {"prob"} and _is_share(chance["prob"]):
            return TrigToAction(chance["prob"]), ""
    if name == "Situation" and len(inner) == 1:
        return SituationLink(), str(next(iter(inner)))
    return None, ""


def _is_share(value: Any) -> bool:
    return type(value) is float and 0 <= value <= 1


def _envelope(value: Any) -> _Stated | None:
    if not isinstance(value, dict) or not value.keys() <= _ENVELOPE:
        return None
    uuid, count = value.get("uuid"), value.get("fired_count", 0)
    if "uuid" in value and not is_uuid(uuid):
        return None
    if not is_count(count):
        return None
    try:
        return uuid, stated_moment(value, "created_at"), stated_moment(value, "last_fired_at"), count
    except ValueError:
        return None


def is_uuid(value: Any) -> bool:
    """Whether ``value`` is a UUID as soulmem writes one."""
    return isinstance(value, str) and _UUID.fullmatch(value) is not None


def is_count(value: Any) -> bool:
    """Whether ``value`` is a whole number that may count something."""
    return type(value) is int and 0 <= value <= COUNT_LIMIT


def stated_moment(values: Mapping[str, Any], name: str) -> datetime | None:
    """The time under ``name``; ``None`` where there is no such name.

    :raises ValueError: something stands there that is no time."""
    if name not in values:
        return None
    text = values[name]
    if not isinstance(text, str):
        raise ValueError("not a time")
    return _moment(text)


@lru_cache(maxsize=4096)
def _moment(text: str) -> datetime:
    """The links of a file were mostly made together."""
    return iso(text)
