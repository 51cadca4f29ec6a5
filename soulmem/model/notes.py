"""Notes: what a mind holds. Frozen values; the store gives and takes them, nothing changes one in place.

A :class:`Note` is a body (what is remembered) in an envelope (how well it is remembered, since when, from where).
All times are timezone-aware UTC. Intensities, confidences and strengths are in 0..1 unless said otherwise.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha1

#: Every id derived from content lives in this namespace, so that the same input gives the same id.
NAMESPACE = uuid.UUID("6f1c6f0e-2f0b-5d2a-9a5e-5b0a3a7d7c11")
_PREFIX = NAMESPACE.bytes
#: The digit of a hash → the same with the first two bits 1 and 0.
_VARIANT = {f"{digit:x}": f"{digit & 3 | 8:x}" for digit in range(16)}

#: The key of the character's own identity.
SELF_KEY = "sem_self"


def derived_id(*parts: object) -> str:
    """UUID (version 5) of ``parts``: the same parts always give the same id."""
    name = "\x1f".join(map(str, parts)).encode()
    # uuid.uuid5 takes four times as long, which counts where links by the hundred thousand are made.
    digits = sha1(_PREFIX + name, usedforsecurity=False).hexdigest()
    # The 5 is the version; the variant is that of RFC 9562.
    return f"{digits[:8]}-{digits[8:12]}-5{digits[13:16]}-{_VARIANT[digits[16]]}{digits[17:20]}-{digits[20:32]}"


class ConceptType(StrEnum):
    ENTITY = "Entity"
    ABSTRACT = "Abstract"


class Category(StrEnum):
    """What kind of fact a Semantic note is; sets its half-life (SPEC §8)."""

    IDENTITY = "identity"
    DATE = "date"
    PREFERENCE = "preference"
    RELATION = "relation"
    EVENT = "event"
    STATE = "state"
    KNOWLEDGE = "knowledge"


class ActionType(StrEnum):
    SPEAK = "Speak"
    THINK = "Think"
    SKILL = "Skill"


class NoteType(StrEnum):
    """The typed note tables of a mind, by their table names."""

    SEMANTIC = "Semantic"
    SPECIFIC = "SpecificSituation"
    ABSTRACT = "AbstractSituation"
    PROCEDURE = "Procedure"

    @property
    def is_situation(self) -> bool:
        return self in (NoteType.SPECIFIC, NoteType.ABSTRACT)


@dataclass(frozen=True, slots=True)
class Location:
    name: str
    coordinates: str = ""


@dataclass(frozen=True, slots=True)
class Participant:
    name: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Feeling:
    """An emotion or a sense impression; ``intensity`` 0..1."""

    name: str
    intensity: float = 1.0


@dataclass(frozen=True, slots=True)
class Environment:
    atmosphere: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """Who did what to whom; ``action_intensity`` 0..1."""

    action: str
    action_intensity: float = 1.0
    initiator: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """Where, with whom, how it felt and what happened in a specific situation."""

    location: Location | None = None
    participants: tuple[Participant, ...] = ()
    emotions: tuple[Feeling, ...] = ()
    sensory_data: tuple[Feeling, ...] = ()
    environment: Environment | None = None
    event: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Semantic:
    """What the character knows: a concept with its other names and a description. It holds from ``valid_from`` up to
    ``valid_until``; either is absent where nothing ends it: most notes have neither."""

    content: str
    aliases: tuple[str, ...] = ()
    concept_type: ConceptType = ConceptType.ENTITY
    description: str = ""
    category: Category | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class SpecificSituation:
    """What happened once. Either end of the time span may be absent."""

    narrative: str
    time_start: datetime | None = None
    time_end: datetime | None = None
    context: Context = Context()


@dataclass(frozen=True, slots=True)
class AbstractSituation:
    """A pattern drawn from many situations: exactly one typed field."""

    pattern: Location | Participant | Environment | Event


@dataclass(frozen=True, slots=True)
class Procedure:
    """How the character acts."""

    content: str
    action_type: ActionType


Body = Semantic | SpecificSituation | AbstractSituation | Procedure

_TYPES: dict[type, NoteType] = {
    Semantic: NoteType.SEMANTIC,
    SpecificSituation: NoteType.SPECIFIC,
    AbstractSituation: NoteType.ABSTRACT,
    Procedure: NoteType.PROCEDURE,
}


#: The texts that fade, and of which a model may guess what was forgotten, by type of note.
REVISABLE: dict[NoteType, tuple[str, ...]] = {
    NoteType.SEMANTIC: ("content", "description"),
    NoteType.SPECIFIC: ("narrative",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What the character believes a note to say since a model guessed its blanks, when so much of it was ``missing`` (0..1): the
    texts that stand in place of the original ones, ``None`` for those that none does."""

    missing: float
    narrative: str | None = None
    content: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A body in its envelope.

    ``key`` is a readable id, unique in the mind. ``strength`` (0..1) is the retention as of ``decayed_at``, from when on it
    fades; ``due_at`` is when retention will fall to the threshold of sleep, or fell to it, of a note that is ``asleep``: it is
    found where a question reaches it directly, and no association leads to it or on from it. ``active``: whether it can be
    recalled at all (what was merged or archived cannot). ``scope`` is ``public``, ``direct:<person>`` or ``group:<id>``: where it
    was heard; ``kept_from``: case-folded names of those who must not hear of it, ``*`` for all who did not hear it. ``sources``
    are ids of the messages the note was drawn from; ``origins``: where it was read, of what a file states (``file:line``, or
    ``file: field``).
    ``revision``: of Semantic and specific notes whose blanks were guessed.
    """

    id: str
    key: str
    body: Body
    created_at: datetime
    tags: tuple[str, ...] = ()
    retrieval_count: int = 0
    last_accessed_at: datetime | None = None
    strength: float = 1.0
    decayed_at: datetime
    due_at: datetime | None = None
    pinned: bool = False
    core: bool = False
    active: bool = True
    asleep: bool = False
    scope: str = "public"
    kept_from: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    sources: tuple[str, ...] = field(default=())
    revision: Revision | None = None

    @property
    def type(self) -> NoteType:
        return _TYPES[type(self.body)]


def pattern_kind(body: AbstractSituation) -> str:
    """``Location``, ``Participant``, ``Environment`` or ``Event``."""
    return type(body.pattern).__name__


def display_text(body: Body) -> str:
    """The note in one line, as given to a person or a model (SPEC §4.7)."""
    match body:
        case Semantic(content=content, description=description):
            return concept_text(content, description)
        case SpecificSituation(narrative=narrative):
            return narrative
        case AbstractSituation(pattern=pattern):
            return pattern_text(pattern)
        case Procedure(content=content):
            return content


def believed_texts(note: Note) -> tuple[str, ...]:
    """The texts of ``note`` that fade, as they are believed: what a model guessed in place of what was written."""
    names = REVISABLE.get(note.type, ())
    return tuple(getattr(note.revision, name, None) or getattr(note.body, name) for name in names)


def concept_text(content: str, description: str) -> str:
    """A concept with what is known of it, in one line."""
    return f"{content}（{description}）" if description else content


def pattern_text(pattern: Location | Participant | Environment | Event) -> str:
    """The representative field of a pattern."""
    parts: tuple[str, ...]
    match pattern:
        case Location(name, coordinates):
            parts = (name, coordinates)
        case Participant(name, role):
            parts = (name, role)
        case Environment(atmosphere, tone):
            parts = (atmosphere, tone)
        case Event(action, _, initiator, target):
            parts = (initiator, action, target)
    return " · ".join(part for part in parts if part)


def searched_text(note: Note) -> str:
    """All the words a note can be found by: what the lexical channel indexes."""
    body = note.body
    words: list[str] = list(note.tags)
    match body:
        case Semantic():
            words += [body.content, *body.aliases, body.description]
        case SpecificSituation(narrative=narrative, context=context):
            words.append(narrative)
            if context.location:
                words += [context.location.name, context.location.coordinates]
            words += [text for person in context.participants for text in (person.name, person.role)]
            if context.environment:
                words += [context.environment.atmosphere, context.environment.tone]
            words += [text for event in context.event for text in (event.initiator, event.action, event.target)]
        case AbstractSituation(pattern=pattern):
            words.append(pattern_text(pattern))
        case Procedure(content=content):
            words.append(content)
    return "\n".join(word for word in words if word)
