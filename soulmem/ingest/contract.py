"""What a reader gives: bytes in, a :class:`Document` out. Readers are pure: no clock, no files, no store, no model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from soulmem.ingest.mapped import Data
from soulmem.model.links import Payload
from soulmem.model.messages import Chat, Message, Role
from soulmem.model.notes import Note


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was skipped or mended. ``line`` is the 1-based line of the file, where there is one; ``what`` says on one
    line, whatever it cites of the file, what is wrong, where within the line or item, and what was done about it. ``skipped``:
    whether an item was left out because of it."""

    line: int | None
    what: str
    skipped: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "what", self.what.replace("\n", " "))


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedLink:
    """A link as a file states it: ends by key. ``id`` is ``None`` when the file gives none. ``line``: where it was read."""

    source_key: str
    target_key: str
    payload: Payload
    intensity: float
    created_at: datetime
    line: int | None
    id: str | None = None
    last_fired_at: datetime | None = None
    fired_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedSuperseding:
    """A fact of a file that holds instead of another since ``at``: both by key. ``line``: where it was read."""

    new_key: str
    old_key: str
    at: datetime
    reason: str
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidLine:
    """A message as a file states it. ``index``: 0-based number among all message lines of the conversation, hidden ones included.

    ``named``: whether the file says who speaks; else ``speaker`` is only a word for the side, such as *assistant*."""

    index: int
    line: int
    speaker: str
    role: Role
    text: str
    sent_at: datetime | None = None
    hidden: bool = False
    named: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One of the conversations of a file that holds several. ``name`` tells it from the others of its file; ``read`` counts its
    message lines, those that were skipped included; the numbers of ``messages`` are its own."""

    name: str
    read: int
    messages: tuple[SaidLine, ...]
    user_name: str | None = None
    character_name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What one file holds. ``read`` counts the items looked at (nodes and their links, or message lines), good and
    bad: those taken, and one for every problem because of which one was skipped.

    ``messages`` are those of a file that is one conversation; a file that holds several has ``conversations`` instead.
    ``chats`` and ``archived`` are what a mind exported: taken as they are, nothing is derived from them.

    ``places``: key of a note → where in the file it stands: a line, or a part of it by name (``""``: the file as a
    whole); the file is no origin of other notes.
    ``drawn``: key of a note → numbers (``index``) of the message lines it was drawn from. ``about_self``: the note ``sem_self``
    adds to what the mind knows of itself, and the messages are examples that never happened. ``introduced``: keys of notes of
    somebody of whom the mind may know a name already, and gains what it does not know. ``nameless``: notes and messages may
    have a stand-in for the name of the character (:data:`soulmem.ingest.cards.macros.CHARACTER`). ``kept``: what is no memory but
    kept in the mind, by the name of its recorded value; ``pictures``: those that it tells of, id → text. ``worlds``: the
    lorebooks, by name, that it says go with it. ``items``: of a file that becomes notes, how much of it was taken, in its own
    terms: *entries*, *fields* → a number.
    """

    format: str
    read: int
    notes: tuple[Note, ...] = ()
    links: tuple[KeyedLink, ...] = ()
    supersedes: tuple[KeyedSuperseding, ...] = ()
    messages: tuple[SaidLine, ...] = ()
    problems: tuple[Problem, ...] = field(default=())
    user_name: str | None = None
    character_name: str | None = None
    conversations: tuple[Conversation, ...] = ()
    chats: tuple[Chat, ...] = ()
    archived: tuple[Message, ...] = ()
    places: Mapping[str, int | str] = field(default_factory=dict)
    drawn: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    about_self: bool = False
    introduced: tuple[str, ...] = ()
    nameless: bool = False
    kept: Mapping[str, Any] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    worlds: tuple[str, ...] = ()
    items: Mapping[str, int] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[tuple[str, Document], ...]:
        """The conversations of the file, each as the document of a file of its own, by name; without any, there is no part."""
        if self.messages:
            return (("", replace(self, read=len(self.messages)) if self.about_self else self),)
        return tuple(
            (
                one.name,
                Document(
                    format=self.format,
                    read=one.read,
                    messages=one.messages,
                    user_name=one.user_name,
                    character_name=one.character_name,
                ),
            )
            for one in self.conversations
            if one.messages
        )


#: The names of the formats of cards begin like this.
CARD = "card-"
#: That of answers that make a character.
INTERVIEW = "interview"


def is_of_self(format: str) -> bool:
    """Whether files of this format say who the character is: what is said in them are examples, and never happened."""
    return format == INTERVIEW or format.startswith(CARD)


#: ``read(data, at)``: the file's bytes and the time of import, used where the file gives no time of its own.
Reader = Callable[[bytes, datetime], Document]
#: The same of a reader that goes through a large file which is on the disk, and does not hold it.
Streaming = Callable[[Data, datetime], Document]


@dataclass(frozen=True, slots=True)
class Format:
    """A format soulmem reads. ``sniff`` looks at the first 64 KiB (whole short files) and says how sure it is, 0..1.

    ``stream``: a reader that large files need not be held for. ``whole``: what tells the format may stand anywhere in the file,
    so that ``sniff`` gets all of it, on the disk where it is large; of other files it looks at the first bytes only."""

    name: str
    description: str
    sniff: Callable[[Any], float]
    read: Reader
    stream: Streaming | None = None
    whole: bool = False
