"""Notes and links → canonical Graph JSON, which :mod:`~soulmem.ingest.graph_json` reads back exactly."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from soulmem.ingest.times import rfc3339
from soulmem.model.changes import PendingLink, Superseding
from soulmem.model.links import Link, Payload, Sem, SituationLink, TrigToAction, situation_variant
from soulmem.model.notes import (
    SELF_KEY,
    AbstractSituation,
    ActionType,
    Body,
    Context,
    Environment,
    Event,
    Feeling,
    Location,
    Note,
    NoteType,
    Participant,
    Procedure,
    Semantic,
    SpecificSituation,
    pattern_kind,
)

Json = dict[str, Any]


def graph_json(
    notes: Iterable[Note],
    links: Iterable[Link],
    keys: Mapping[str, str] | None = None,
    pending: Iterable[PendingLink] = (),
    supersedes: Iterable[Superseding] = (),
) -> str:
    """The canonical text: notes in the order given, links under their source by target, type, verb and id; ends with a newline.

    ``keys``: note id → key of link ends that are not among ``notes``. A pending link whose source is not among ``notes`` stands
    under its target, or else under the first note; without any note there is no place for it. What ``supersedes`` says stands
    in the new note, where that is among ``notes``.

    :raises KeyError: an end of a link is neither among ``notes`` nor in ``keys``.
    """
    notes = tuple(notes)
    types = {note.key: note.type for note in notes}
    keyed = dict(keys or {}) | {note.id: note.key for note in notes}
    under: defaultdict[str, list[Json]] = defaultdict(list)
    for link in links:
        under[_holder(keyed[link.source], keyed[link.target], types)].append(
            _link(link, keyed[link.source], keyed[link.target], types)
        )
    for waiting in pending:
        holder = _holder(waiting.source_key, waiting.target_key, types)
        under[holder].append(_link(waiting, waiting.source_key, waiting.target_key, types))
    instead: defaultdict[str, list[Json]] = defaultdict(list)
    for one in sorted(supersedes, key=lambda one: (one.at, keyed[one.old])):
        instead[one.new].append(_superseding(one, keyed[one.old]))
    nodes = [_node(note, sorted(under[note.key], key=_rank), instead[note.id]) for note in notes]
    return json.dumps(nodes, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def graph_lines(text: str) -> str:
    """Graph JSON as JSON Lines, a node each."""
    return "".join(json.dumps(node, ensure_ascii=False, allow_nan=False) + "\n" for node in json.loads(text))


def _holder(source: str, target: str, types: Mapping[str, NoteType]) -> str:
    if source in types:
        return source
    return target if target in types else next(iter(types), "")


def _rank(link: Json) -> tuple[str, ...]:
    kind, payload = next(iter(link["link_type"].items()))
    return (link["to"], kind, str(payload.get("verb", "")), link["from"], link["soulmem"]["uuid"])


def _superseding(one: Superseding, old: str) -> Json:
    return {"id": old, "at": rfc3339(one.at), **({"reason": one.reason} if one.reason else {})}


def _node(note: Note, links: list[Json], supersedes: list[Json]) -> Json:
    return {
        "id": note.key,
        "tags": list(note.tags),
        "mem_type": _mem_type(note.body),
        "mem_links": links,
        "soulmem": _envelope(note) | ({"supersedes": supersedes} if supersedes else {}),
    }


def _envelope(note: Note) -> Json:
    """Times, id, and whatever is not as it would be without being stated."""
    found: Json = {"uuid": note.id, "created_at": rfc3339(note.created_at), "decayed_at": rfc3339(note.decayed_at)}
    if note.last_accessed_at is not None:
        found["last_accessed_at"] = rfc3339(note.last_accessed_at)
    if note.due_at is not None:
        found["due_at"] = rfc3339(note.due_at)
    usual = {
        "retrieval_count": 0,
        "strength": 1.0,
        "pinned": False,
        "core": note.key == SELF_KEY,
        "active": True,
        "asleep": False,
        "scope": "public",
        "kept_from": (),
    }
    found |= {name: getattr(note, name) for name, value in usual.items() if getattr(note, name) != value}
    if "kept_from" in found:
        found["kept_from"] = list(note.kept_from)
    if isinstance(note.body, Semantic):
        found |= _fact(note.body)
    if note.revision is not None:
        revision = {field.name: getattr(note.revision, field.name) for field in fields(note.revision)}
        found["revision"] = {name: value for name, value in revision.items() if value is not None}
    if note.origins:
        found["origins"] = list(note.origins)
    if note.sources:
        found["sources"] = list(note.sources)
    return found


def _fact(body: Semantic) -> Json:
    found: Json = {"category": body.category.value} if body.category is not None else {}
    validity = {"valid_from": body.valid_from, "valid_until": body.valid_until}
    return found | {name: rfc3339(moment) for name, moment in validity.items() if moment is not None}


def _mem_type(body: Body) -> Json:
    match body:
        case Semantic():
            return {
                "Semantic": {
                    "content": body.content,
                    "aliases": list(body.aliases),
                    "concept_type": body.concept_type.value,
                    "description": body.description,
                }
            }
        case SpecificSituation():
            specific = {"narrative": body.narrative, "time_span": _time_span(body), "context": _context(body.context)}
            return {"Situation": {"SpecificSituation": specific}}
        case AbstractSituation():
            return {"Situation": {"AbstractSituation": {pattern_kind(body): _part(body.pattern)}}}
        case Procedure():
            skill = body.action_type is ActionType.SKILL
            kind: Any = {"Skill": {}} if skill else body.action_type.value
            return {"Procedure": {"action": {"content": body.content, "action_type": kind}}}


def _time_span(body: SpecificSituation) -> Json | None:
    stated = {"start": body.time_start, "end": body.time_end}
    return {name: rfc3339(moment) for name, moment in stated.items() if moment is not None} or None


def _context(context: Context) -> Json:
    return {
        "location": _part(context.location) if context.location else None,
        "participants": [_part(person) for person in context.participants],
        "emotions": [_part(feeling) for feeling in context.emotions],
        "sensory_data": [_part(feeling) for feeling in context.sensory_data],
        "environment": _part(context.environment) if context.environment else None,
        "event": [_part(event) for event in context.event],
    }


def _part(part: Location | Participant | Feeling | Environment | Event) -> Json:
    return {name: getattr(part, name) for name in part.__dataclass_fields__}


def _link(link: Link | PendingLink, source: str, target: str, types: Mapping[str, NoteType]) -> Json:
    envelope: Json = {"uuid": link.id, "created_at": rfc3339(link.created_at)}
    if link.last_fired_at is not None:
        envelope["last_fired_at"] = rfc3339(link.last_fired_at)
    if link.fired_count:
        envelope["fired_count"] = link.fired_count
    return {
        "from": source,
        "to": target,
        "intensity": float(link.intensity),
        "link_type": _link_type(link.payload, types.get(source), types.get(target)),
        "soulmem": envelope,
    }


def _link_type(payload: Payload, source: NoteType | None, target: NoteType | None) -> Json:
    match payload:
        case Sem():
            return {"Sem": {"verb": payload.verb, "confidence": float(payload.confidence)}}
        case TrigToAction():
            return {"Proc": {"TrigToAction": {"prob": float(payload.prob)}}}
        case SituationLink():
            # An end that is not there yet has no type; the ends force the variant when they meet, so a guess does no harm.
            ends = (end if end is not None and end.is_situation else NoteType.SPECIFIC for end in (source, target))
            return {"Situation": {situation_variant(*ends): {}}}
