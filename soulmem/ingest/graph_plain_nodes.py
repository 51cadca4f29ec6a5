"""Nodes that are written as soulmem itself writes them, read without a model for each part.

Whatever deviates in any way is not plain: it is read by :mod:`~soulmem.ingest.graph_nodes`, with a word about each deviation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from soulmem.ingest.graph_plain import is_count, is_uuid, stated_moment
from soulmem.ingest.graph_scan import LINKS, RawNode
from soulmem.model.notes import (
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
    Semantic,
    SpecificSituation,
    derived_id,
)

_NODE = {"id", "tags", "mem_type", LINKS, "soulmem"}
_TIMES = ("created_at", "last_accessed_at", "decayed_at", "due_at")
_FACT = {"category", "valid_from", "valid_until"}
_STATE = {"retrieval_count", "strength", "pinned", "core", "active", "asleep"}
_ENVELOPE = {"uuid", "sources", "origins", "supersedes", *_STATE, *_FACT, *_TIMES}
_CONCEPT = {"content", "aliases", "concept_type", "description"}
_EPISODE = {"narrative", "time_span", "context"}
_SETTING = {"location", "participants", "emotions", "sensory_data", "environment", "event"}
_EVENT = {"action", "action_intensity", "initiator", "target"}

_CONCEPT_TYPES = {kind.value: kind for kind in ConceptType}
_CATEGORIES = {category.value: category for category in Category}
_ACTION_TYPES = {kind.value: kind for kind in ActionType}


def plain_note(raw: RawNode, at: datetime) -> Note | None:
    """The note that ``raw`` states, if it is plain. ``at``: the import, at which a note without times of its own is born."""
    node = raw.value
    if not isinstance(node, dict) or raw.twice or not node.keys() <= _NODE:
        return None
    try:
        return _note(node, at)
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
    ):  # what is missing, of another type or not among the names that there are
        return None


def _note(node: Mapping[str, Any], at: datetime) -> Note:
    key, tags, envelope = _full(node["id"]), _texts(node["tags"]), node.get("soulmem", {})
    if not envelope.keys() <= _ENVELOPE or None in envelope.values():
        raise ValueError("envelope")
    created, accessed, decayed, due = (stated_moment(envelope, name) for name in _TIMES)
    created = created or (min(at, accessed) if accessed else at)
    if accessed is not None and accessed < created:
        raise ValueError("times")
    return Note(
        id=_identity(envelope, key),
        key=key,
        body=_body(node["mem_type"], envelope),
        created_at=created,
        tags=tags,
        retrieval_count=_count(envelope.get("retrieval_count", 0)),
        last_accessed_at=accessed,
        strength=_share(envelope.get("strength", 1.0)),
        decayed_at=decayed or at,
        due_at=due,
        pinned=_flag(envelope.get("pinned", "soulmem" not in node)),
        core=_flag(envelope.get("core", key == SELF_KEY)),
        active=_flag(envelope.get("active", True)),
        asleep=_flag(envelope.get("asleep", False)),
        origins=_texts(envelope.get("origins", [])),
        sources=_texts(envelope.get("sources", [])),
    )


def _identity(envelope: Mapping[str, Any], key: str) -> str:
    if "uuid" not in envelope:
        return derived_id("note", key)
    if not is_uuid(envelope["uuid"]):
        raise ValueError("uuid")
    return str(envelope["uuid"])


# Bodies.


def _body(kind: Any, envelope: Mapping[str, Any]) -> Body:
    name, value = _only_member(kind)
    category = envelope.get("category")
    stated = _CATEGORIES[category] if category is not None else None
    since, until = stated_moment(envelope, "valid_from"), stated_moment(envelope, "valid_until")
    if name == "Semantic":
        return _semantic(value, stated, since, until)
    if since or until:
        raise ValueError("validity")
    match name:
        case "Procedure":
            return _procedure(_only(value, "action"))
        case "Situation":
            name, value = _only_member(value)
            return _SITUATIONS[name](value)
    raise ValueError("type")


def _semantic(value: Any, category: Category | None, since: datetime | None, until: datetime | None) -> Semantic:
    _check_members(value, _CONCEPT)
    if since and until and until < since:
        raise ValueError("validity")
    content, aliases, description = _full(value["content"]), _texts(value["aliases"]), _text(value["description"])
    return Semantic(content, aliases, _CONCEPT_TYPES[value["concept_type"]], description, category, since, until)


def _procedure(value: Any) -> Procedure:
    _check_members(value, {"content", "action_type"})
    kind = value["action_type"]
    return Procedure(_full(value["content"]), ActionType.SKILL if kind == {"Skill": {}} else _ACTION_TYPES[kind])


def _specific(value: Any) -> SpecificSituation:
    _check_members(value, _EPISODE)
    span, setting = value["time_span"], value["context"]
    span = {} if span is None else span
    if not span.keys() <= {"start", "end"}:
        raise ValueError("span")
    start, end = stated_moment(span, "start"), stated_moment(span, "end")
    if start and end and end < start:
        raise ValueError("span")
    return SpecificSituation(_full(value["narrative"]), start, end, _context(setting))


def _context(setting: Any) -> Context:
    _check_members(setting, _SETTING)
    place, surroundings = setting["location"], setting["environment"]
    return Context(
        location=_location(place) if place is not None else None,
        participants=tuple([_participant(person) for person in _list(setting["participants"])]),
        emotions=tuple([_feeling(feeling) for feeling in _list(setting["emotions"])]),
        sensory_data=tuple([_feeling(feeling) for feeling in _list(setting["sensory_data"])]),
        environment=_environment(surroundings) if surroundings is not None else None,
        event=tuple([_event(event) for event in _list(setting["event"])]),
    )


def _location(value: Any) -> Location:
    _check_members(value, {"name", "coordinates"})
    return Location(_full(value["name"]), _text(value["coordinates"]))


def _participant(value: Any) -> Participant:
    _check_members(value, {"name", "role"})
    return Participant(_full(value["name"]), _text(value["role"]))


def _feeling(value: Any) -> Feeling:
    _check_members(value, {"name", "intensity"})
    return Feeling(_full(value["name"]), _share(value["intensity"]))


def _environment(value: Any) -> Environment:
    _check_members(value, {"atmosphere", "tone"})
    found = Environment(_text(value["atmosphere"]), _text(value["tone"]))
    _full(found.atmosphere + found.tone)
    return found


def _event(value: Any) -> Event:
    _check_members(value, _EVENT)
    share = _share(value["action_intensity"])
    return Event(_full(value["action"]), share, _text(value["initiator"]), _text(value["target"]))


_PATTERNS: Mapping[str, Callable[[Any], Location | Participant | Environment | Event]] = {
    "Location": _location,
    "Participant": _participant,
    "Environment": _environment,
    "Event": _event,
}


def _abstract(value: Any) -> AbstractSituation:
    name, pattern = _only_member(value)
    return AbstractSituation(_PATTERNS[name](pattern))


_SITUATIONS: Mapping[str, Callable[[Any], Body]] = {"SpecificSituation": _specific, "AbstractSituation": _abstract}


# Checks: they raise for whatever is not plain.


def _only_member(value: Any) -> tuple[str, Any]:
    ((name, inner),) = value.items()
    return name, inner


def _only(value: Any, name: str) -> Any:
    _check_members(value, {name})
    return value[name]


def _check_members(value: Any, names: set[str]) -> None:
    if type(value) is not dict or value.keys() != names:
        raise ValueError("members")


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError("text")
    return value


def _full(value: Any) -> str:
    if not _text(value).strip():
        raise ValueError("empty")
    return str(value)


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise TypeError("list")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    return tuple([_text(text) for text in _list(value)])


def _share(value: Any) -> float:
    if type(value) is not float or not 0 <= value <= 1:
        raise ValueError("share")
    return value


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError("flag")
    return value


def _count(value: Any) -> int:
    if not is_count(value):
        raise ValueError("count")
    return int(value)
