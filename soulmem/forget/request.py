"""What somebody asks to have forgotten for good, and which notes, lines and recalls of a mind that means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from soulmem.errors import InputError, NotFoundError
from soulmem.ingest.contract import is_of_self
from soulmem.model.messages import Message
from soulmem.model.notes import SELF_KEY, Note, Semantic
from soulmem.store.contract import Store, all_notes
from soulmem.text.mentions import Mentions
from soulmem.text.names import normal_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """``about``: texts, each a phrase or the name of something; ``notes``: keys or ids; ``since``, ``until`` (left out itself):
    what was said or learned in that time. Together: what any of them means. ``messages``: ids of lines."""

    about: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    messages: tuple[str, ...] = ()

    def checked(self) -> Request:
        """This request, if it asks for anything. Raises :class:`InputError`."""
        advice = "Nothing was forgotten."
        for text in self.about:
            if not any(map(str.isalnum, normal_name(text))):
                raise InputError(f"{text[:40]!r} is no text to look for", advice=advice)
        if self.until is not None and (self.since is None or self.until <= self.since):
            raise InputError("the end of the time does not come after its beginning", advice=advice)
        if not (self.about or self.notes or self.since or self.messages):
            raise InputError("nothing is named that should be forgotten", advice=advice)
        return self

    def is_within(self, moment: datetime | None) -> bool:
        """Whether ``moment`` is in the time that is asked for."""
        if moment is None or self.since is None:
            return False
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return self.since <= aware and (self.until is None or aware < self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What a :class:`Request` means in a mind. ``messages`` go, and ``notes`` (ids); ``mentioned``: notes that go unless they can
    be without what they mention; ``recalls``: ids. ``mentions``: what nothing that stays may mention."""

    messages: tuple[Message, ...]
    notes: frozenset[str] = frozenset()
    mentioned: frozenset[str] = frozenset()
    recalls: frozenset[str] = frozenset()
    mentions: Mentions = field(default_factory=lambda: Mentions(()))


def chosen(store: Store, request: Request) -> Chosen:
    """What ``request`` means. Raises :class:`InputError` for one that asks for nothing, :class:`NotFoundError` for notes and
    messages that are not there."""
    request = request.checked()
    mentions = Mentions(_phrases(store, request.about))
    everything = all_notes(store) if mentions or request.since else ()
    said = _all_messages(store) if mentions or request.since else ()
    named = _named(store, request.notes)
    mentioned = [note for note in everything if mentions.are_in(note_text(note))]
    lines = {message.id: message for message in _lines(store, request, said, mentions)}
    facts = [note for note in mentioned if _is_fact(note) and mentions.are_in(core_text(note))]
    sources = [message for note in (*named, *facts) for message in note.sources if message not in lines]
    lines |= {message.id: message for message in store.messages(sources)}
    lines |= {message.id: message for message in _asked(store, request.messages) if message.id not in lines}
    return Chosen(
        messages=tuple(lines.values()),
        notes=frozenset(note.id for note in (*named, *_learned(everything, request))),
        mentioned=frozenset(note.id for note in mentioned),
        recalls=frozenset(_recalls(store, request)),
        mentions=mentions,
    )


def _phrases(store: Store, about: Sequence[str]) -> Iterator[str]:
    """The texts, and all names of what has one of them for a name."""
    if not about:
        return
    wanted = {normal_name(text) for text in about}
    yield from wanted
    rows = store.query("recall.all_names")
    things = {row["id"] for row in rows if row["name"] in wanted}
    yield from (row["name"] for row in rows if row["id"] in things)


def _all_messages(store: Store) -> list[Message]:
    return store.messages([row["id"] for row in store.query("store.all_messages")])


def _named(store: Store, names: Sequence[str]) -> list[Note]:
    rows = store.query("store.note_ids", names=list(names)) if names else []
    ids = {row["name"]: row["id"] for row in rows}
    missing = [name for name in names if name not in ids]
    if missing:
        advice = "Nothing was forgotten. soulmem list shows what there is"
        raise NotFoundError(f"the mind has no note {missing[0]!r}", advice=advice)
    return store.notes(sorted(set(ids.values())))


def _asked(store: Store, ids: Sequence[str]) -> list[Message]:
    said = store.messages(list(dict.fromkeys(ids)))
    missing = set(ids) - {message.id for message in said}
    if missing:
        raise NotFoundError(f"the mind has no message {min(missing)!r}", advice="Nothing was forgotten.")
    return said


def _is_fact(note: Note) -> bool:
    """Whether a note says what its lines say, perhaps in other words (*he* for a name); a concept only came up in them."""
    return isinstance(note.body, Semantic) and note.body.category is not None


def _lines(store: Store, request: Request, said: Iterable[Message], mentions: Mentions) -> Iterator[Message]:
    chats = store.query("store.chats") if request.since else []
    read = {row["id"]: row["ingested_at"] for row in chats}
    shown = {row["id"] for row in chats if is_of_self(row["format"])}  # in cards: said at no time
    for message in said:
        is_then = message.chat not in shown and request.is_within(message.sent_at or read.get(message.chat))
        if is_then or mentions.are_in(f"{message.speaker}\n{message.text}"):
            yield message


def _learned(notes: Iterable[Note], request: Request) -> Iterator[Note]:
    """Notes that came into the mind in the time, and not from lines, which decide otherwise; who the character is stays."""
    for note in notes:
        if request.is_within(note.created_at) and not note.sources and note.key != SELF_KEY:
            yield note


def _recalls(store: Store, request: Request) -> set[str]:
    return {row["id"] for row in store.query("store.all_recalls") if request.is_within(row["at"])} if request.since else set()


def note_text(note: Note) -> str:
    """All that a note says, in all its fields, its key, its tags and what was guessed of it too."""
    return "\n".join((note.key, *note.tags, *_texts(note.body), *_texts(note.revision)))


def core_text(note: Note) -> str:
    """What a note cannot be without: its key, and of a concept or fact its content; else all that it says."""
    return f"{note.key}\n{note.body.content}" if isinstance(note.body, Semantic) else note_text(note)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Enum):
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item)
    elif is_dataclass(value):
        for part in fields(value):
            yield from _texts(getattr(value, part.name))
