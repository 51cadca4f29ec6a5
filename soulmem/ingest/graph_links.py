"""The links of Graph JSON nodes → keyed links, or the reason why not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from soulmem.ingest.contract import KeyedLink, Problem
from soulmem.ingest.graph_models import (
    MAX_INTENSITY,
    Chance,
    LinkEnvelope,
    LinkFrame,
    MisfitError,
    Relation,
    fitted,
    loosely_fitted,
)
from soulmem.ingest.graph_plain import plain_link
from soulmem.ingest.graph_scan import LINKS, RawNode
from soulmem.ingest.json_places import preview
from soulmem.model.links import LinkType, Payload, Sem, SituationLink, TrigToAction, is_legal, situation_variant
from soulmem.model.notes import Note, NoteType

_VARIANTS = ("AbstractToSpecific", "SpecificToAbstract", "SpecificToSpecific", "AbstractToAbstract")
_TYPES: dict[type, LinkType] = {Sem: LinkType.SEM, TrigToAction: LinkType.PROC, SituationLink: LinkType.SITUATION}
_KNOWN = {"from", "to", "intensity", "link_type", "soulmem"}


class LinkReader:
    """Reads the links of one file. ``notes``: all its notes by key, to judge a link by the types of its ends."""

    def __init__(self, notes: Mapping[str, Note], at: datetime) -> None:
        self.links: list[KeyedLink] = []
        self.problems: list[Problem] = []
        self._types = {key: note.type for key, note in notes.items()}
        self._at = at
        self._seen: set[tuple[str, str, LinkType, str]] = set()
        self._ids: set[str] = set()

    def read_links(self, raw: RawNode) -> None:
        """Adds the links that stand under ``raw``, a node that became a note."""
        stated = raw.value.get(LINKS)
        if stated is None:
            return
        if not isinstance(stated, list):
            what = f"{raw.label}: {LINKS} is {preview(stated)}, but a list is expected; its links were skipped"
            self.problems.append(Problem(raw.line, what))
            return
        for place, (value, line) in enumerate(zip(stated, raw.link_lines, strict=True)):
            self._read_link(raw, f"{LINKS}[{place}]", value, line)

    def _read_link(self, raw: RawNode, path: str, value: Any, line: int) -> None:
        mends: list[str] = []
        try:
            link = plain_link(value, raw.value["id"], self._types, self._at, line)
            link = link or self._link(raw.value["id"], path, value, line, mends)
            self._check_new(link, path)
        except MisfitError as misfit:
            self.problems.append(Problem(line, f"{raw.label}, {misfit}; the link was skipped"))
            return
        self.links.append(link)
        self.problems += [Problem(line, f"{raw.label}, {mend}", skipped=False) for mend in mends]

    def _link(self, holder: str, path: str, value: Any, line: int, mends: list[str]) -> KeyedLink:
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

    def _check_new(self, link: KeyedLink, path: str) -> None:
        verb = link.payload.verb if isinstance(link.payload, Sem) else ""
        same = (link.source_key, link.target_key, _TYPES[type(link.payload)], verb)
        if same in self._seen:
            raise MisfitError(f"{path}: duplicate of an earlier {same[2]} link to {preview(link.target_key)}")
        if link.id is not None and link.id in self._ids:
            raise MisfitError(f"{path}: duplicate soulmem.uuid {link.id}")
        self._seen.add(same)
        if link.id is not None:
            self._ids.add(link.id)


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
