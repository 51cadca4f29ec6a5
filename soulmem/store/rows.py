"""Notes, links and messages as rows of the tables, and back. Pure: no engine, no vectors."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Generic, TypeVar, overload

import numpy as np

from soulmem.errors import MindDamagedError
from soulmem.model.changes import PendingLink, RecallRecord, Vector
from soulmem.model.links import Link, LinkType, Payload, Sem, SituationLink, TrigToAction, situation_variant
from soulmem.model.messages import Chat, Message, Role, fingerprint
from soulmem.model.notes import (
    REVISABLE,
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
    NoteType,
    Participant,
    Procedure,
    Revision,
    Semantic,
    SpecificSituation,
    pattern_kind,
)

Row = dict[str, Any]
_Item = TypeVar("_Item")


class MadeRows(Sequence[Row], Generic[_Item]):
    """The row of each item, made anew whenever it is asked for: all rows of a large file take more room than what they tell."""

    def __init__(self, items: Sequence[_Item], row: Callable[[_Item], Row]) -> None:
        self._items = items
        self._row = row

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        if isinstance(place, slice):
            return list(map(self._row, self._items[place]))
        return self._row(self._items[place])


#: Names of the queries for each note table.
SHORT = {
    NoteType.SEMANTIC: "semantic",
    NoteType.SPECIFIC: "specific",
    NoteType.ABSTRACT: "abstract",
    NoteType.PROCEDURE: "procedure",
}


def note_row(note: Note, length: int) -> Row:
    """The row of ``note``; ``length`` is how many words it has."""
    return {
        "id": note.id,
        "key": note.key,
        "tags": list(note.tags),
        "retrieval_count": note.retrieval_count,
        "created_at": note.created_at,
        "last_accessed_at": note.last_accessed_at,
        "strength": note.strength,
        "decayed_at": note.decayed_at,
        "due_at": note.due_at,
        "pinned": note.pinned,
        "core": note.core,
        "active": note.active,
        "asleep": note.asleep,
        "scope": note.scope,
        "kept_from": list(note.kept_from),
        "origins": list(note.origins),
        "length": length,
        **_body_row(note.body),
        **_revision_row(note),
    }


def _revision_row(note: Note) -> Row:
    """What a model guessed of a note of which it may; null where it did not."""
    names = (*REVISABLE[note.type], "missing") if note.type in REVISABLE else ()
    return {f"revised_{name}": getattr(note.revision, name, None) for name in names}


def _revision(note_type: NoteType, row: Mapping[str, Any]) -> Revision | None:
    if row.get("revised_missing") is None:
        return None
    return Revision(missing=row["revised_missing"], **{name: row[f"revised_{name}"] for name in REVISABLE[note_type]})


def _body_row(body: Body) -> Row:
    match body:
        case Semantic():
            return {
                "content": body.content,
                "aliases": list(body.aliases),
                "concept_type": body.concept_type.value,
                "description": body.description,
                "category": body.category.value if body.category else None,
                "valid_from": body.valid_from,
                "valid_until": body.valid_until,
            }
        case SpecificSituation():
            span = {"narrative": body.narrative, "time_start": body.time_start, "time_end": body.time_end}
            return span | _context_row(body.context)
        case AbstractSituation():
            return _pattern_row(body)
        case Procedure():
            return {"content": body.content, "action_type": body.action_type.value}


def _context_row(context: Context) -> Row:
    return {
        "location": _location_row(context.location) if context.location else None,
        "participants": _lists(("name", "role"), map(_participant_row, context.participants)),
        "emotions": _lists(("name", "intensity"), map(_feeling_row, context.emotions)),
        "sensory_data": _lists(("name", "intensity"), map(_feeling_row, context.sensory_data)),
        "environment": _environment_row(context.environment) if context.environment else None,
        "event": _lists(("action", "action_intensity", "initiator", "target"), map(_listed_event_row, context.event)),
    }


def _lists(names: Sequence[str], rows: Iterable[Row]) -> dict[str, list[Any]]:
    """Rows as a struct of lists (why: see the schema)."""
    kept = list(rows)
    return {name: [row[name] for row in kept] for name in names}


def _feelings(lists: Mapping[str, Sequence[Any]] | None) -> tuple[Feeling, ...]:
    return tuple(Feeling(feeling["name"], float(feeling["intensity"])) for feeling in _rows(lists))


def _rows(lists: Mapping[str, Sequence[Any]] | None) -> list[Row]:
    """The rows of a struct of lists."""
    if lists is None:
        return []
    return [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]


def _pattern_row(body: AbstractSituation) -> Row:
    row: Row = {"kind": pattern_kind(body), "location": None, "participant": None, "environment": None, "event": None}
    match body.pattern:
        case Location():
            row["location"] = _location_row(body.pattern)
        case Participant():
            row["participant"] = _participant_row(body.pattern)
        case Environment():
            row["environment"] = _environment_row(body.pattern)
        case Event():
            row["event"] = _event_row(body.pattern)
    return row


def _location_row(location: Location) -> Row:
    return {"name": location.name, "coordinates": location.coordinates}


def _participant_row(person: Participant) -> Row:
    return {"name": person.name, "role": person.role}


def _feeling_row(feeling: Feeling) -> Row:
    return {"name": feeling.name, "intensity": repr(float(feeling.intensity))}


def _environment_row(environment: Environment) -> Row:
    return {"atmosphere": environment.atmosphere, "tone": environment.tone}


def _event_row(event: Event) -> Row:
    return {
        "action": event.action,
        "action_intensity": float(event.action_intensity),
        "initiator": event.initiator,
        "target": event.target,
    }


def _listed_event_row(event: Event) -> Row:
    """In a list, where numbers are kept as text (why: see the schema)."""
    return _event_row(event) | {"action_intensity": repr(float(event.action_intensity))}


def embedding_text(vector: Vector) -> str:
    """A vector as the cache keeps it: Base64 of little-endian 32-bit floats."""
    return b64encode(vector.astype("<f4").tobytes()).decode("ascii")


def embedding_bytes(dimension: int) -> int:
    """The length of what :func:`embedding_text` makes."""
    return 4 * -(-4 * dimension // 3)


def embedding_of(text: str) -> Vector:
    """The vector of what :func:`embedding_text` made; an empty one of anything else, which somebody wrote past soulmem."""
    try:
        return np.frombuffer(b64decode(text, validate=True), dtype="<f4").astype(np.float32, copy=False)
    except ValueError:
        return np.zeros(0, dtype=np.float32)


def note_of(note_type: NoteType, row: Mapping[str, Any], sources: Sequence[str] = ()) -> Note:
    """The note of a row. Raises :class:`MindDamagedError` for one that lacks what every note has: made past soulmem."""
    try:
        return _note_of(note_type, row, sources)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        what = f"the {note_type.value} note {row['id']!r} is not whole: {error}"
        raise MindDamagedError(what, advice="Set what it lacks, or delete it, with soulmem cypher --write.") from error


def _note_of(note_type: NoteType, row: Mapping[str, Any], sources: Sequence[str]) -> Note:
    return Note(
        id=row["id"],
        key=row["key"],
        body=_BODIES[note_type](row),
        created_at=row["created_at"],
        tags=tuple(row["tags"] or ()),
        retrieval_count=row["retrieval_count"],
        last_accessed_at=row["last_accessed_at"],
        strength=row["strength"],
        decayed_at=row["decayed_at"],
        due_at=row["due_at"],
        pinned=row["pinned"],
        core=row["core"],
        active=row["active"],
        asleep=bool(row["asleep"]),
        scope=row["scope"],
        kept_from=tuple(row["kept_from"] or ()),
        origins=tuple(row["origins"] or ()),
        sources=tuple(sources),
        revision=_revision(note_type, row),
    )


def _semantic(row: Mapping[str, Any]) -> Semantic:
    return Semantic(
        content=row["content"],
        aliases=tuple(row["aliases"] or ()),
        concept_type=ConceptType(row["concept_type"]),
        description=row["description"] or "",
        category=Category(row["category"]) if row["category"] else None,
        valid_from=row["valid_from"],
        valid_until=row["valid_until"],
    )


def _specific(row: Mapping[str, Any]) -> SpecificSituation:
    context = Context(
        location=Location(**row["location"]) if row["location"] else None,
        participants=tuple(Participant(**person) for person in _rows(row["participants"])),
        emotions=_feelings(row["emotions"]),
        sensory_data=_feelings(row["sensory_data"]),
        environment=Environment(**row["environment"]) if row["environment"] else None,
        event=tuple(Event(**event | {"action_intensity": float(event["action_intensity"])}) for event in _rows(row["event"])),
    )
    return SpecificSituation(row["narrative"], row["time_start"], row["time_end"], context)


_PATTERNS: dict[str, Callable[..., Location | Participant | Environment | Event]] = {
    "Location": Location,
    "Participant": Participant,
    "Environment": Environment,
    "Event": Event,
}


def _abstract(row: Mapping[str, Any]) -> AbstractSituation:
    kind = row["kind"]
    return AbstractSituation(_PATTERNS[kind](**row[kind.lower()]))


def _procedure(row: Mapping[str, Any]) -> Procedure:
    return Procedure(row["content"], ActionType(row["action_type"]))


_BODIES: dict[NoteType, Callable[[Mapping[str, Any]], Body]] = {
    NoteType.SEMANTIC: _semantic,
    NoteType.SPECIFIC: _specific,
    NoteType.ABSTRACT: _abstract,
    NoteType.PROCEDURE: _procedure,
}


def message_row(message: Message, length: int) -> Row:
    """The row of ``message``; ``length`` is how many words it has."""
    return {
        "id": message.id,
        "chat": message.chat,
        "index": message.index,
        "file": message.file,
        "line": message.line,
        "speaker": message.speaker,
        "role": message.role.value,
        "text": message.text,
        "sent_at": message.sent_at,
        "hidden": message.hidden,
        "session": message.session,
        "scope": message.scope,
        "present": list(message.present),
        "kept_from": list(message.kept_from),
        "fingerprint": fingerprint(message.speaker, message.text, message.sent_at),
        "length": length,
    }


def message_of(row: Mapping[str, Any]) -> Message:
    """The message of a row."""
    lists: dict[str, Any] = {name: tuple(row[name] or ()) for name in ("present", "kept_from")}
    values = {name: value for name, value in row.items() if name not in ("fingerprint", "length", "role", *lists)}
    return Message(role=Role(row["role"]), **values, **lists)


def link_row(link: Link | PendingLink) -> Row:
    """What links of all types have in common."""
    return {
        "id": link.id,
        "intensity": float(link.intensity),
        "created_at": link.created_at,
        "last_fired_at": link.last_fired_at,
        "fired_count": link.fired_count,
    }


def payload_row(payload: Payload, variant: str | None) -> Row:
    """The columns of a payload; ``variant`` is that of a Situation link."""
    match payload:
        case Sem(verb, confidence):
            return {"verb": verb, "confidence": float(confidence)}
        case TrigToAction(prob):
            return {"prob": float(prob)}
        case SituationLink():
            return {"variant": variant}


def note_link_row(link: Link, source: NoteType, target: NoteType) -> Row:
    """The row of a link between notes of these types, without its ends."""
    return link_row(link) | payload_row(link.payload, _variant(link.payload, source, target))


def note_link_column(name: str, links: Sequence[Link], source: NoteType, target: NoteType) -> list[Any]:
    """A column of links of one type between notes of these types: of :func:`note_link_row` of many, or from, or to."""
    match name:
        case "from" | "to":
            return [link.source for link in links] if name == "from" else [link.target for link in links]
        case "intensity":
            return [float(link.intensity) for link in links]
        case "id" | "created_at" | "last_fired_at" | "fired_count":
            return list(map(attrgetter(name), links))
        case "variant":
            return [situation_variant(source, target)] * len(links)
    return [float(value) if name != "verb" else value for value in map(attrgetter(f"payload.{name}"), links)]


def _variant(payload: Payload, source: NoteType, target: NoteType) -> str | None:
    return situation_variant(source, target) if isinstance(payload, SituationLink) else None


#: What only links of each type have and may be changed; the variant of a Situation link follows from its ends.
PAYLOADS = {LinkType.SEM: "confidence", LinkType.PROC: "prob", LinkType.SITUATION: "variant"}


def link_of(link_type: LinkType, row: Mapping[str, Any]) -> Link:
    """The link of a row."""
    return Link(
        id=row["id"],
        source=row["source"],
        target=row["target"],
        payload=_payload(link_type, row),
        created_at=row["created_at"],
        intensity=row["intensity"],
        last_fired_at=row["last_fired_at"],
        fired_count=row["fired_count"],
    )


def _payload(link_type: LinkType, row: Mapping[str, Any]) -> Payload:
    match link_type:
        case LinkType.SEM:
            return Sem(row["verb"], row["confidence"])
        case LinkType.PROC:
            return TrigToAction(row["prob"])
        case LinkType.SITUATION:
            return SituationLink()


_PAYLOADS: dict[type, LinkType] = {Sem: LinkType.SEM, TrigToAction: LinkType.PROC, SituationLink: LinkType.SITUATION}


def pending_row(link: PendingLink) -> Row:
    """The row of a link that waits."""
    fields = {} if isinstance(link.payload, SituationLink) else payload_row(link.payload, None)
    return {
        **link_row(link),
        "source_key": link.source_key,
        "target_key": link.target_key,
        "type": _PAYLOADS[type(link.payload)].value,
        "payload": json.dumps(fields, ensure_ascii=False, separators=(",", ":")),
        "place": link.place,
    }


def pending_of(row: Mapping[str, Any]) -> PendingLink:
    """The waiting link of a row."""
    return PendingLink(
        id=row["id"],
        source_key=row["source_key"],
        target_key=row["target_key"],
        payload=_payload(LinkType(row["type"]), json.loads(row["payload"])),
        created_at=row["created_at"],
        intensity=row["intensity"],
        last_fired_at=row["last_fired_at"],
        fired_count=row["fired_count"],
        place=row["place"],
    )


def chat_row(chat: Chat) -> Row:
    """The row of a chat."""
    return {
        "id": chat.id,
        "file": chat.file,
        "format": chat.format,
        "sha256": chat.sha256,
        "messages": chat.messages,
        "ingested_at": chat.ingested_at,
    }


def chat_of(row: Mapping[str, Any]) -> Chat:
    """The chat of a row."""
    return Chat(**row)


def recall_row(recall: RecallRecord) -> Row:
    """The row of a recall, without what it used."""
    return {"id": recall.id, "at": recall.at, "query": recall.query}
