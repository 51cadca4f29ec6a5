"""One link of Graph JSON → one keyed link, or the reason why not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from soulmem.ingest.contract import KeyedLink
from soulmem.ingest.graph_models import (
    Chance,
    LinkEnvelope,
    LinkFrame,
    Relation,
    fitted,
    loosely_fitted,
)
from soulmem.ingest.graph_scan import MAX_INTENSITY, MisfitError
from soulmem.ingest.json_places import preview
from soulmem.model.links import LinkType, Payload, Sem, SituationLink, TrigToAction, is_legal, situation_variant
from soulmem.model.notes import NoteType

_VARIANTS = ("AbstractToSpecific", "SpecificToAbstract", "SpecificToSpecific", "AbstractToAbstract")
_TYPES: dict[type, LinkType] = {Sem: LinkType.SEM, TrigToAction: LinkType.PROC, SituationLink: LinkType.SITUATION}
_KNOWN = {"from", "to", "intensity", "link_type", "soulmem"}


class LinkForm:
    """Reads one link after the other. ``types``: those of all notes of the file by key, to judge a link by its ends."""

    def __init__(self, types: Mapping[str, NoteType], at: datetime) -> None:
        self._types = types
        self._at = at

    def read(self, holder: str, path: str, value: Any, line: int, mends: list[str]) -> KeyedLink:
        """The link that ``value`` states at ``path`` under the node ``holder``; ``mends`` gets a sentence for each mend.

        :raises MisfitError: it states none; says why."""
        frame = fitted(LinkFrame, value, path)
        source = frame.from_ or holder
        if source != holder:
            mends.append(f"{path}: from is {preview(source)} and not the node it stands under; it was read as a link from there")
        variant, payload = _payload(value.get("link_type"), f"{path}.link_type")
        self._check_ends(source, frame.to, payload, variant, path, mends)
        mends += [f"{path}.{name} is unknown and was ignored" for name in value if name not in _KNOWN]
        envelope = _envelope(value.get("soulmem"), f"{path}.soulmem", mends)
        return KeyedLink(
            source_key=source,
            target_key=frame.to,
            payload=payload,
            intensity=_intensity(frame.intensity, f"{path}.intensity"),
            created_at=envelope.created_at or self._at,
            line=line,
            id=envelope.uuid,
            last_fired_at=envelope.last_fired_at,
            fired_count=envelope.fired_count,
        )

    def _check_ends(self, source: str, target: str, payload: Payload, variant: str, path: str, mends: list[str]) -> None:
        if not target.strip():
            raise MisfitError(f"{path}.to is empty")
        if source == target:
            raise MisfitError(f"{path} links {preview(source)} to itself")
        kind, sources, targets = _TYPES[type(payload)], self._types_of(source), self._types_of(target)
        if not any(is_legal(kind, start, end) for start in sources for end in targets):
            start, end = (types[0].value if len(types) == 1 else "anything" for types in (sources, targets))
            raise MisfitError(f"{path}: no {kind} link may go from {start} ({source}) to {end} ({target})")
        if kind is LinkType.SITUATION and len(sources) == len(targets) == 1:
            forced = situation_variant(sources[0], targets[0])
            if variant != forced:
                mends.append(f"{path}: {variant} contradicts its ends; it was taken as {forced}")

    def _types_of(self, key: str) -> tuple[NoteType, ...]:
        """What type the note has; any, if it is not in the file: it may be in the mind, or come later."""
        return (self._types[key],) if key in self._types else tuple(NoteType)


def _payload(value: Any, path: str) -> tuple[str, Payload]:
    """The variant as stated (of Situation links) and the payload."""
    if value is None:
        raise MisfitError(f"{path} is missing")
    kind, inner = next(iter(value.items())) if isinstance(value, dict) and len(value) == 1 else (None, None)
    match kind:
        case "Sem":
            relation = fitted(Relation, inner, f"{path}.Sem")
            confidence = 1.0 if relation.confidence is None else relation.confidence
            return "", Sem(relation.verb, _probability(confidence, f"{path}.Sem.confidence"))
        case "Proc":
            return "", _trigger(inner, f"{path}.Proc")
        case "Situation":
            return _variant(inner, f"{path}.Situation"), SituationLink()
    raise MisfitError(f"unknown {path} {preview(value)} (known: Sem, Proc, Situation)")


def _trigger(value: Any, path: str) -> TrigToAction:
    """``{"TrigToAction": {"prob": p}}``, or ``{"prob": p}`` as real files have it."""
    if isinstance(value, dict) and "TrigToAction" in value:
        value, path = value["TrigToAction"], f"{path}.TrigToAction"
    return TrigToAction(_probability(fitted(Chance, value, path).prob, f"{path}.prob"))


def _variant(value: Any, path: str) -> str:
    """``{"AbstractToSpecific": {}}``, or the bare name."""
    name = next(iter(value)) if isinstance(value, dict) and len(value) == 1 else value
    if name not in _VARIANTS:
        raise MisfitError(f"unknown {path} {preview(value)} (known: {', '.join(_VARIANTS)})")
    return str(name)


def _envelope(value: Any, path: str, mends: list[str]) -> LinkEnvelope:
    if value is None:
        return LinkEnvelope()
    if not isinstance(value, dict):
        mends.append(f"{path} is {preview(value)}, but an object is expected; it was ignored")
        return LinkEnvelope()
    mends += [f"{path}.{name} is unknown and was ignored" for name in value if name not in LinkEnvelope.model_fields]
    return loosely_fitted(LinkEnvelope, {name: item for name, item in value.items() if item is not None}, path, mends)


def _intensity(value: float | None, path: str) -> float:
    if value is None:
        return 1.0
    if not math.isfinite(value):
        raise MisfitError(f"{path} is {preview(value)}, which is not a finite number")
    if value < 0:
        raise MisfitError(f"{path} is {value:g}, but an intensity is never negative")
    if value > MAX_INTENSITY:
        raise MisfitError(f"{path} is {value:g}, which is too large (1 is ordinary, the limit is {MAX_INTENSITY:g})")
    return float(value)


def _probability(value: float, path: str) -> float:
    if not 0 <= value <= 1:  # also true of NaN
        raise MisfitError(f"{path} is {preview(value)}, which is not within 0..1")
    return float(value)
