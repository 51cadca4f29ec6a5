"""One node of Graph JSON → one note, or the reason why not."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from soulmem.ingest.graph_models import (
    Action,
    Concept,
    Episode,
    Felt,
    Frame,
    Guess,
    Happening,
    Instead,
    NoteEnvelope,
    Person,
    Place,
    Setting,
    Surroundings,
    fitted,
    loosely_fitted,
)
from soulmem.ingest.graph_scan import LINKS, MisfitError, RawNode
from soulmem.ingest.json_places import preview
from soulmem.ingest.times import iso
from soulmem.model.notes import (
    REVISABLE,
    SELF_KEY,
    AbstractSituation,
    ActionType,
    Body,
    Category,
    ConceptType,
    Context,
    Environment,
    Event,
    Feeling,
    Location,
    Note,
    Participant,
    Procedure,
    Revision,
    Semantic,
    SpecificSituation,
    derived_id,
)

#: Envelope fields that older files state beside the node itself.
_BESIDE = ("created_at", "last_accessed_at", "retrieval_count")
_KNOWN = {"id", "tags", "mem_type", LINKS, "soulmem", *_BESIDE}

E = TypeVar("E", bound=StrEnum)


def read_node(raw: RawNode, at: datetime) -> tuple[Note, list[str]]:
    """The note that ``raw`` states, and a sentence for everything that was mended.

    :raises MisfitError: it states none; says why."""
    node = raw.value
    if not isinstance(node, dict):
        raise MisfitError(f"{preview(node)} is not an object")
    mends = [f"{name} stands there twice; the last one was taken" for name in raw.twice]
    mends += [f"{name} is unknown and was ignored" for name in node if name not in _KNOWN]
    frame = fitted(Frame, node, "")
    if not frame.id.strip():
        raise MisfitError("id is empty")
    envelope = _envelope(node, mends)
    body = _valid(_body(node, envelope.category, mends), envelope, mends)
    note = _note(frame, body, envelope, at, is_authored="soulmem" not in node)
    return replace(note, revision=_revision(note, envelope.revision, mends)), mends


def _revision(note: Note, stated: Any, mends: list[str]) -> Revision | None:
    """What a model guessed of the note's texts; what does not fit is left out."""
    if stated is None:
        return None
    try:
        guess = fitted(Guess, stated, "soulmem.revision")
    except MisfitError as misfit:
        mends.append(f"{misfit}; it was ignored")
        return None
    texts = {name: text for name in REVISABLE.get(note.type, ()) if (text := getattr(guess, name))}
    if not texts:
        mends.append("soulmem.revision says nothing of a text that this note has; it was ignored")
        return None
    return Revision(missing=guess.missing, **texts)


def _valid(body: Body, envelope: NoteEnvelope, mends: list[str]) -> Body:
    """The fact with the time in which it holds."""
    since, until = envelope.valid_from, envelope.valid_until
    if since is None and until is None:
        return body
    if not isinstance(body, Semantic):
        mends.append("soulmem.valid_from and valid_until belong to Semantic notes alone; they were ignored")
        return body
    if since and until and until < since:
        mends.append("soulmem.valid_until is before valid_from; both were ignored")
        return body
    return replace(body, valid_from=since, valid_until=until)


def read_supersedes(stated: Any, mends: list[str]) -> list[tuple[str, datetime, str]]:
    """(key, since when, reason) of the facts that a note says it holds instead of; what does not fit is left out."""
    found: list[tuple[str, datetime, str]] = []
    if not isinstance(stated, list):
        mends.append(f"soulmem.supersedes is {preview(stated)}, but a list is expected; it was ignored")
        return found
    for place, value in enumerate(stated):
        try:
            one = fitted(Instead, value, f"soulmem.supersedes[{place}]")
        except MisfitError as misfit:
            mends.append(f"{misfit}; it was ignored")
            continue
        if one.at is None or not one.id.strip():
            mends.append(f"soulmem.supersedes[{place}] names no note or no time; it was ignored")
        else:
            found.append((one.id, one.at, one.reason))
    return found


def _note(frame: Frame, body: Body, envelope: NoteEnvelope, at: datetime, *, is_authored: bool) -> Note:
    """A note without times of its own is born at the import; and unless it says since when it fades, it does so from then on.
    What an author wrote, of which nothing is said how well it is remembered, is who the character is: it is pinned."""
    accessed = envelope.last_accessed_at
    created = envelope.created_at or (min(at, accessed) if accessed else at)
    if accessed is not None and accessed < created:
        raise MisfitError(f"last_accessed_at {accessed.isoformat()} is before created_at {created.isoformat()}")
    return Note(
        id=envelope.uuid or derived_id("note", frame.id),
        key=frame.id,
        body=body,
        created_at=created,
        tags=tuple(frame.tags),
        retrieval_count=envelope.retrieval_count,
        last_accessed_at=accessed,
        strength=envelope.strength,
        decayed_at=envelope.decayed_at or at,
        due_at=envelope.due_at,
        pinned=envelope.pinned or is_authored,
        core=frame.id == SELF_KEY if envelope.core is None else envelope.core,
        active=envelope.active,
        asleep=envelope.asleep,
        scope=envelope.scope,
        kept_from=tuple(envelope.kept_from),
        origins=tuple(envelope.origins),
        sources=tuple(envelope.sources),
    )


def _envelope(node: Mapping[str, Any], mends: list[str]) -> NoteEnvelope:
    stated = node.get("soulmem")
    if stated is not None and not isinstance(stated, dict):
        mends.append(f"soulmem is {preview(stated)}, but an object is expected; it was ignored")
        stated = None
    values = {name: node[name] for name in _BESIDE if node.get(name) is not None}
    values |= {name: value for name, value in (stated or {}).items() if value is not None}
    mends += [f"soulmem.{name} is unknown and was ignored" for name in values if name not in NoteEnvelope.model_fields]
    for name in ("scope", "kept_from"):
        if name in values:
            fitted(NoteEnvelope, {name: values[name]}, "soulmem")  # ignoring it would show the note to everyone
    return loosely_fitted(NoteEnvelope, values, "soulmem", mends)


# Bodies.


def _body(node: Mapping[str, Any], category: str | None, mends: list[str]) -> Body:
    kind, value = _only_member(node.get("mem_type"), "mem_type", ("Semantic", "Situation", "Procedure"))
    match kind:
        case "Semantic":
            return _semantic(value, category, mends)
        case "Procedure":
            _, action = _only_member(value, "mem_type.Procedure", ("action",))
            return _procedure(action, mends)
    path = "mem_type.Situation"
    kind, value = _only_member(value, path, ("SpecificSituation", "AbstractSituation"))
    if kind == "SpecificSituation":
        return _specific(value, f"{path}.{kind}", mends)
    kind, value = _only_member(value, f"{path}.{kind}", tuple(_PATTERNS))
    return _PATTERNS[kind](value, f"{path}.AbstractSituation.{kind}", mends)


def _only_member(value: Any, path: str, allowed: tuple[str, ...]) -> tuple[str, Any]:
    expected = " or ".join(allowed)
    if value is None:
        raise MisfitError(f"{path} is missing")
    if not isinstance(value, dict) or len(value) != 1:
        raise MisfitError(f"{path} is {preview(value)}, but an object with exactly one of {expected} is expected")
    name, inner = next(iter(value.items()))
    if name not in allowed:
        raise MisfitError(f"unknown {path} {preview(name)} (known: {', '.join(allowed)})")
    return name, inner


def _semantic(value: Any, category: str | None, mends: list[str]) -> Semantic:
    path = "mem_type.Semantic"
    concept = fitted(Concept, value, path)
    _note_unknown(value, Concept, path, mends)
    stated = concept.category or category
    return Semantic(
        content=_filled(concept.content, f"{path}.content"),
        aliases=tuple(concept.aliases),
        concept_type=_one_of(ConceptType, concept.concept_type, f"{path}.concept_type") or ConceptType.ENTITY,
        description=concept.description or "",
        category=_one_of(Category, stated, "category"),
    )


def _procedure(value: Any, mends: list[str]) -> Procedure:
    path = "mem_type.Procedure.action"
    action = fitted(Action, value, path)
    _note_unknown(value, Action, path, mends)
    stated = action.action_type
    if isinstance(stated, dict) and len(stated) == 1:
        stated, details = next(iter(stated.items()))
        if details:
            mends.append(f"{path}.action_type.{stated} holds {preview(details)}, for which there is no place; it was ignored")
    if not isinstance(stated, str):
        raise MisfitError(f"{path}.action_type is {preview(stated)}, but Speak, Think or Skill is expected")
    kind = _one_of(ActionType, stated, f"{path}.action_type")
    if kind is None:
        raise MisfitError(f"{path}.action_type is empty")
    return Procedure(_filled(action.content, f"{path}.content"), kind)


def _specific(value: Any, path: str, mends: list[str]) -> SpecificSituation:
    episode = fitted(Episode, value, path)
    _note_unknown(value, Episode, path, mends)
    start, end = _time_span(episode.time_span, f"{path}.time_span", mends)
    context = _context(episode.context, f"{path}.context", mends) if episode.context else Context()
    return SpecificSituation(_filled(episode.narrative, f"{path}.narrative"), start, end, context)


def _time_span(span: Any, path: str, mends: list[str]) -> tuple[datetime | None, datetime | None]:
    if span is None:
        return None, None
    if isinstance(span, str):
        moment = _moment(span, path, mends)
        return moment, moment
    if not isinstance(span, dict):
        raise MisfitError(f"{path} is {preview(span)}, but a time, an object with start and end, or null is expected")
    _note_unknown(span, ("start", "end"), path, mends)
    start, end = (_moment(span.get(name), f"{path}.{name}", mends) for name in ("start", "end"))
    if start and end and end < start:
        mends.append(f"{path} ends before it starts; the two were exchanged")
        return end, start
    return start, end


def _moment(value: Any, path: str, mends: list[str]) -> datetime | None:
    if value is None:
        return None
    try:
        return iso(value)
    except (ValueError, TypeError, AttributeError):
        mends.append(f"{path}: {preview(value)} is not a time (expected e.g. 2026-06-01T08:00:00Z); the note is without it")
        return None


def _context(setting: Setting, path: str, mends: list[str]) -> Context:
    return Context(
        location=_location(setting.location) if setting.location else None,
        participants=tuple(
            _participant(person) for person in _named(setting.participants, "name", f"{path}.participants", mends)
        ),
        emotions=_feelings(setting.emotions, f"{path}.emotions", mends),
        sensory_data=_feelings(setting.sensory_data, f"{path}.sensory_data", mends),
        environment=_environment(setting.environment) if setting.environment else None,
        event=tuple(_event(event, f"{path}.event", mends) for event in _named(setting.event, "action", f"{path}.event", mends)),
    )


T = TypeVar("T", Person, Felt, Happening)


def _named(items: list[T], name: str, path: str, mends: list[str]) -> list[T]:
    """The items whose ``name`` is not empty; the others say nothing."""
    full = [item for item in items if getattr(item, name).strip()]
    if len(full) < len(items):
        mends.append(f"{path}: {len(items) - len(full)} without {name} were left out")
    return full


def _feelings(items: list[Felt], path: str, mends: list[str]) -> tuple[Feeling, ...]:
    return tuple(Feeling(item.name, _share(item.intensity, path, mends)) for item in _named(items, "name", path, mends))


def _location(place: Place) -> Location | None:
    return Location(place.name, place.coordinates or "") if place.name or place.coordinates else None


def _participant(person: Person) -> Participant:
    return Participant(person.name, person.role or "")


def _environment(surroundings: Surroundings) -> Environment | None:
    found = Environment(surroundings.atmosphere or "", surroundings.tone or "")
    return found if found != Environment() else None


def _event(event: Happening, path: str, mends: list[str]) -> Event:
    share = _share(event.action_intensity, f"{path} {preview(event.action)}", mends)
    return Event(event.action, share, event.initiator or "", event.target or "")


def _share(value: float | None, path: str, mends: list[str]) -> float:
    """An intensity of a feeling or an action: 1 where none is given, held within 0..1."""
    if value is None:
        return 1.0
    if math.isnan(value):
        mends.append(f"{path}: the intensity is not a number; it was taken as 1")
        return 1.0
    if not 0 <= value <= 1:
        mends.append(f"{path}: the intensity {value:g} is not within 0..1; it was taken as {min(max(value, 0.0), 1.0):g}")
    return float(min(max(value, 0.0), 1.0))


# Patterns.


def _location_pattern(value: Any, path: str, mends: list[str]) -> AbstractSituation:
    place = fitted(Place, value, path)
    _note_unknown(value, Place, path, mends)
    return AbstractSituation(Location(_filled(place.name, f"{path}.name"), place.coordinates or ""))


def _participant_pattern(value: Any, path: str, mends: list[str]) -> AbstractSituation:
    person = fitted(Person, value, path)
    _note_unknown(value, Person, path, mends)
    _filled(person.name + (person.role or ""), f"{path}.name")
    return AbstractSituation(_participant(person))


def _environment_pattern(value: Any, path: str, mends: list[str]) -> AbstractSituation:
    surroundings = fitted(Surroundings, value, path)
    _note_unknown(value, Surroundings, path, mends)
    atmosphere, tone = surroundings.atmosphere or "", surroundings.tone or ""
    _filled(atmosphere + tone, f"{path}.atmosphere")
    return AbstractSituation(Environment(atmosphere, tone))


def _event_pattern(value: Any, path: str, mends: list[str]) -> AbstractSituation:
    event = fitted(Happening, value, path)
    _note_unknown(value, Happening, path, mends)
    _filled(event.action, f"{path}.action")
    return AbstractSituation(_event(event, path, mends))


_PATTERNS: Mapping[str, Callable[[Any, str, list[str]], AbstractSituation]] = {
    "Location": _location_pattern,
    "Participant": _participant_pattern,
    "Environment": _environment_pattern,
    "Event": _event_pattern,
}


# Checks.


def _filled(text: str, path: str) -> str:
    if not text.strip():
        raise MisfitError(f"{path} is empty")
    return text


def _one_of(names: type[E], value: str | None, path: str) -> E | None:
    """The member that ``value`` names, in whatever case; ``None`` where there is no value."""
    if not value:
        return None
    for name in names:
        if name.value.casefold() == value.casefold():
            return name
    raise MisfitError(f"unknown {path} {preview(value)} (known: {', '.join(names)})")


def _note_unknown(value: Any, known: Any, path: str, mends: list[str]) -> None:
    names = known if isinstance(known, tuple) else known.model_fields
    mends += [f"{path}.{name} is unknown and was ignored" for name in value if name not in names]
