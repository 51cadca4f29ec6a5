"""What is told of the notes that are returned: their text, and the lines they were drawn from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from soulmem.model.notes import (
    AbstractSituation,
    Environment,
    Event,
    Location,
    NoteType,
    Participant,
    Semantic,
    display_text,
)
from soulmem.model.results import Source
from soulmem.recall.dense import SHORT
from soulmem.recall.table import NoteTable
from soulmem.store.contract import Store

#: So many notes are kept; those told of longest ago are let go of.
MOST_KEPT = 10_000

_PATTERNS: dict[str, Callable[..., Any]] = {kind.__name__: kind for kind in (Location, Participant, Environment, Event)}


@dataclass(frozen=True, slots=True)
class Told:
    """A note as it is given to a person or a model, with its sources in order."""

    text: str
    sources: tuple[Source, ...]


class Telling:
    """The notes told of before. Safe from any thread."""

    def __init__(self, store: Store, table: NoteTable, kept: Mapping[str, Told] = {}) -> None:
        self._store = store
        self._table = table
        self._kept = dict(kept)

    def of(self, ids: Iterable[str]) -> dict[str, Told]:
        """What is told of each of these notes."""
        wanted = list(dict.fromkeys(ids))
        known = {note: told for note in wanted if (told := self._kept.pop(note, None))}
        unknown = [note for note in wanted if note not in known]
        sources = self._sources(unknown)
        known |= {note: Told(self._text(note), sources.get(note, ())) for note in unknown}
        self._kept.update(known)
        for note in list(self._kept)[: max(len(self._kept) - MOST_KEPT, 0)]:
            self._kept.pop(note, None)
        return known

    def after(self, changed: Iterable[str]) -> Mapping[str, Told]:
        """What is kept still holds, but for these notes."""
        without = set(changed)
        return {note: told for note, told in self._kept.copy().items() if note not in without}

    def _text(self, note: str) -> str:
        kind = self._table.type(self._table.places[note])
        row = self._store.query(f"recall.told_{SHORT[kind]}", id=note)[0]
        return told_text(kind, row)

    def _sources(self, ids: Sequence[str]) -> dict[str, tuple[Source, ...]]:
        found: dict[str, list[Source]] = {}
        for row in self._store.query("recall.sources", ids=list(ids)) if ids else []:
            source = Source(file=row["file"], line=row["line"], speaker=row["speaker"], time=row["sent_at"])
            found.setdefault(row["note"], []).append(source)
        return {note: tuple(sources) for note, sources in found.items()}


def told_text(kind: NoteType, row: Mapping[str, Any]) -> str:
    """The note in one line, from a row of ``recall.told_…``."""
    match kind:
        case NoteType.SEMANTIC:
            return display_text(Semantic(row["content"], description=row["description"]))
        case NoteType.SPECIFIC:
            return str(row["narrative"])
        case NoteType.ABSTRACT:
            return display_text(AbstractSituation(_PATTERNS[row["kind"]](**row[row["kind"].lower()])))
        case NoteType.PROCEDURE:
            return str(row["content"])
