"""What is told of the notes that are returned: their text, and the lines they were drawn from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from soulmem.model.notes import (
    REVISABLE,
    AbstractSituation,
    Environment,
    Event,
    Location,
    NoteType,
    Participant,
    concept_text,
    display_text,
)
from soulmem.model.results import Source
from soulmem.recall.asked import ASKED_OF_ENGINE, MOST_WHOLE
from soulmem.recall.dense import SHORT
from soulmem.recall.table import NoteTable, each_once
from soulmem.store.contract import Store
from soulmem.text.language import has_cjk

#: So many notes are kept; those told of longest ago are let go of.
MOST_KEPT = 10_000

_PATTERNS: dict[str, Callable[..., Any]] = {kind.__name__: kind for kind in (Location, Participant, Environment, Event)}


@dataclass(frozen=True, slots=True)
class Told:
    """A note as it is given to a person or a model, with its sources in order. ``texts``: as they are believed, those that may
    fade apart; ``originals``: as they were written; ``is_revised``: a model guessed what was forgotten of them; ``origins``:
    where it was read, if a file states it."""

    texts: tuple[str, ...]
    originals: tuple[str, ...]
    is_revised: bool
    sources: tuple[Source, ...]
    origins: tuple[str, ...] = ()

    @property
    def original(self) -> str:
        """What was written, in one line."""
        return in_one_line(self.originals)


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """What is told of all notes, by id: ``rows`` of ``recall.all_told_…``, and ``sources``, those of one note side by side from
    the first to the last of ``spans``."""

    rows: Mapping[str, Mapping[str, Any]]
    spans: Mapping[str, tuple[int, int]]
    sources: Mapping[str, Sequence[Any]]

    def sources_of(self, note: str) -> tuple[Source, ...]:
        first, last = self.spans.get(note, (0, 0))
        values = (self.sources[name][first:last] for name in ("file", "line", "speaker", "sent_at"))
        return tuple(
            Source(file=file, line=int(line), speaker=speaker, time=time)
            for file, line, speaker, time in zip(*values, strict=True)
        )

    def without(self, notes: Collection[str]) -> Book:
        """As if these notes were not in it."""
        return Book({note: row for note, row in self.rows.items() if note not in notes}, self.spans, self.sources)


class Telling:
    """What is told of notes: first of those asked for, then of all. Safe from any thread."""

    def __init__(
        self, store: Store, table: NoteTable, kept: Mapping[str, Told] = {}, book: Book | None = None, asked: int = 0
    ) -> None:
        self._store = store
        self._table = table
        self._kept = dict(kept)
        self._book = book
        self._asked = asked

    def of(self, ids: Iterable[str]) -> dict[str, Told]:
        """What is told of each of these notes."""
        wanted = list(dict.fromkeys(ids))
        known = {note: told for note in wanted if (told := self._kept.pop(note, None))}
        unknown = [note for note in wanted if note not in known]
        if unknown and (book := self._whole()):
            known |= {note: self._read_in(book, note) for note in unknown if note in book.rows}
            unknown = [note for note in unknown if note not in known]
        sources = self._sources(unknown)
        known |= {note: self._read(note, sources.get(note, ())) for note in unknown}
        self._kept.update(known)
        for note in list(self._kept)[: max(len(self._kept) - MOST_KEPT, 0)]:
            self._kept.pop(note, None)
        return known

    def after(self, table: NoteTable, changed: Collection[str]) -> Telling:
        """What is kept still holds in ``table``, but for the notes ``changed``."""
        kept = {note: told for note, told in self._kept.copy().items() if note not in changed}
        book = self._book.without(changed) if self._book and changed else self._book
        return Telling(self._store, table, kept, book, self._asked)

    def _whole(self) -> Book | None:
        """All that is told, once it was asked for often enough; ``None`` before, and of a mind that is too large."""
        self._asked += 1
        if self._book is None and self._asked > ASKED_OF_ENGINE and len(self._table) <= MOST_WHOLE:
            self._book = read_book(self._store)
        return self._book

    def _read_in(self, book: Book, note: str) -> Told:
        return self._told(note, book.rows[note], book.sources_of(note))

    def _read(self, note: str, sources: tuple[Source, ...]) -> Told:
        kind = self._table.type(self._table.places[note])
        return self._told(note, self._store.query(f"recall.told_{SHORT[kind]}", id=note)[0], sources)

    def _told(self, note: str, row: Mapping[str, Any], sources: tuple[Source, ...]) -> Told:
        kind = self._table.type(self._table.places[note])
        return Told(*told_texts(kind, row), sources, tuple(row["origins"] or ()))

    def _sources(self, ids: Sequence[str]) -> dict[str, tuple[Source, ...]]:
        found: dict[str, list[Source]] = {}
        for row in self._store.query("recall.sources", ids=list(ids)) if ids else []:
            source = Source(file=row["file"], line=row["line"], speaker=row["speaker"], time=row["sent_at"])
            found.setdefault(row["note"], []).append(source)
        return {note: tuple(sources) for note, sources in found.items()}


def read_book(store: Store) -> Book:
    """What is told of all notes of ``store``."""
    rows: dict[str, Mapping[str, Any]] = {}
    for short in SHORT.values():
        columns = store.columns(f"recall.all_told_{short}")
        names = [name for name in columns if name != "id"]
        for note, *values in zip(columns["id"], *(columns[name] for name in names), strict=True):
            rows[str(note)] = dict(zip(names, values, strict=True))
    sources: dict[str, Any] = dict(store.columns("recall.all_sources"))
    spans: dict[str, tuple[int, int]] = {}
    for place, note in enumerate(sources.pop("note")):
        spans[note] = (spans.get(note, (place, 0))[0], place + 1)
    shared = {name: each_once(sources[name]) for name in ("file", "speaker")}
    return Book(rows, spans, sources | shared)


def told_texts(kind: NoteType, row: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The texts of a note as they are believed, and as they were written, and whether any was guessed, from a row of
    ``recall.told_…``."""
    if kind is NoteType.ABSTRACT:
        pattern = (display_text(AbstractSituation(_PATTERNS[row["kind"]](**row[row["kind"].lower()]))),)
        return pattern, pattern, False
    names = REVISABLE.get(kind, ("content",))
    original = tuple(str(row[name] or "") for name in names)
    guesses = [row.get(f"revised_{name}") for name in names]
    believed = tuple(text if guess is None else guess for text, guess in zip(original, guesses, strict=True))
    return believed, original, any(guess is not None for guess in guesses)


def in_one_line(texts: Sequence[str]) -> str:
    """The texts of a note in one line: a concept with what is known of it."""
    return concept_text(*texts) if len(texts) == 2 else texts[0]


def with_validity(text: str, since: datetime | None, until: datetime | None) -> str:
    """The text of a fact that held once, with the days from which and up to which it did."""
    first, last = (f"{moment:%Y-%m-%d}" if moment else "" for moment in (since, until))
    if has_cjk(text):
        return f"{text}（{first} 至 {last}）" if first else f"{text}（至 {last}）"
    return f"{text} ({first} to {last})" if first else f"{text} (until {last})"
