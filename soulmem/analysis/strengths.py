"""How strong notes were, change by change, as the journal tells it. Pure: entries in, events out.

The journal has old and new values of what was changed, but of a note that is new only its id; so it is read backwards, from how
notes are now. What was there before a change is not known any more where it told of something that was forgotten for good.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from soulmem.model.notes import Category, Note, NoteType, Semantic
from soulmem.store.journal import by_rows, timed, unpacked


class Cause(StrEnum):
    """Why a strength is another. ``SWEEP``: it was written down how far the note had faded; ``UNDO``: something was taken back,
    or a taking back was; ``CHANGED``: anything else, such as another category."""

    BORN = "born"
    RECALL = "recall"
    SWEEP = "sweep"
    CHANGED = "changed"
    GONE = "gone"
    UNDO = "undo"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a note's retention depends on; ``None``: not known any more (of ``category`` also: it has none)."""

    strength: float | None
    decayed_at: datetime | None
    retrieval_count: int | None
    pinned: bool | None
    core: bool | None
    category: Category | None

    @property
    def is_lasting(self) -> bool | None:
        """Whether it hardly fades, whatever its kind."""
        return None if self.pinned is None else bool(self.pinned or self.core)

    @classmethod
    def of_note(cls, note: Note) -> Self:
        """As the note is."""
        return cls(
            strength=note.strength,
            decayed_at=note.decayed_at,
            retrieval_count=note.retrieval_count,
            pinned=note.pinned,
            core=note.core,
            category=note.body.category if isinstance(note.body, Semantic) else None,
        )

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Self:
        """As a row of the note's table says."""
        return cls(**_values(row))

    def with_row(self, row: Mapping[str, Any]) -> State:
        """With those values of ``row`` that belong here."""
        return replace(self, **{name: value for name, value in _values(row).items() if name in row})


TRACKED = frozenset(field.name for field in fields(State))


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Which note it is."""

    note: str
    key: str
    type: NoteType


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthEvent:
    """One change. ``before`` is ``None`` where the note was not there, ``after`` where it is gone."""

    of: Named
    operation: int
    at: datetime
    command: str
    cause: Cause
    before: State | None
    after: State | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry of the journal, read."""

    number: int
    at: datetime
    command: str
    is_undoing: bool
    born: tuple[str, ...]
    before: Mapping[str, Mapping[str, Any]]
    after: Mapping[str, Mapping[str, Any]]
    gone: tuple[tuple[NoteType, Mapping[str, Any]], ...]


def entry_of(row: Mapping[str, Any]) -> Entry:
    """The entry in a row of ``frames.entries``."""
    before, after = unpacked(row["before"]), json.loads(row["after"])
    removed = before.get("removed", {}).get("notes", {})
    return Entry(
        number=row["number"],
        at=row["at"],
        command=row["command"],
        is_undoing=row["undoes"] is not None,
        born=tuple(after.get("notes", ())),
        before=before.get("updated", {}),
        after={note: values for note, values in after.get("updated", {}).items() if TRACKED & values.keys()},
        gone=tuple((NoteType(kind), timed(one)) for kind, rows in removed.items() for one in by_rows(rows)),
    )


def strength_events(entries: Iterable[Entry], notes: Sequence[Note]) -> list[StrengthEvent]:
    """All changes of strength, in the order of the journal. ``entries``: the newest first; ``notes``: as they are now."""
    reader = _Backwards(notes)
    found = [event for entry in entries for event in reader.events(entry)]
    return found[::-1]


class _Backwards:
    """Goes from entry to entry; ``_states`` is how notes were after the entry that comes next."""

    def __init__(self, notes: Sequence[Note]) -> None:
        self._named = {note.id: Named(note=note.id, key=note.key, type=note.type) for note in notes}
        self._states = {note.id: State.of_note(note) for note in notes}

    def events(self, entry: Entry) -> list[StrengthEvent]:
        """What ``entry`` did, backwards."""
        return [*self._gone(entry), *self._changed(entry), *self._born(entry)]

    def _gone(self, entry: Entry) -> Iterable[StrengthEvent]:
        for kind, row in entry.gone:
            named = self._named[row["id"]] = Named(note=row["id"], key=row["key"], type=kind)
            state = self._states[row["id"]] = State.of_row(row)
            yield _event(entry, named, Cause.GONE, state, None)

    def _changed(self, entry: Entry) -> Iterable[StrengthEvent]:
        for note, values in entry.after.items():
            now = self._states.get(note)
            if now is None:
                continue
            unknown = dict.fromkeys(TRACKED & values.keys())
            then = now.with_row(unknown | dict(timed(entry.before.get(note, {}))))
            self._states[note] = then
            if then != now:
                yield _event(entry, self._named[note], _cause(then, now), then, now)

    def _born(self, entry: Entry) -> Iterable[StrengthEvent]:
        for note in entry.born:
            state = self._states.pop(note, None)
            if state is not None:
                yield _event(entry, self._named[note], Cause.BORN, None, state)


def _event(entry: Entry, named: Named, cause: Cause, before: State | None, after: State | None) -> StrengthEvent:
    return StrengthEvent(
        of=named,
        operation=entry.number,
        at=entry.at,
        command=entry.command,
        cause=Cause.UNDO if entry.is_undoing else cause,
        before=before,
        after=after,
    )


def _cause(before: State, after: State) -> Cause:
    if _rises(before.retrieval_count, after.retrieval_count):
        return Cause.RECALL
    if before.retrieval_count == after.retrieval_count and _rises(before.decayed_at, after.decayed_at):
        has_faded = before.strength is not None and after.strength is not None and after.strength <= before.strength
        return Cause.SWEEP if has_faded else Cause.CHANGED
    return Cause.CHANGED


def _rises(before: Any, after: Any) -> bool:
    return before is not None and after is not None and after > before


def _values(row: Mapping[str, Any]) -> dict[str, Any]:
    category = row.get("category")
    return {name: row.get(name) for name in TRACKED} | {"category": Category(category) if category else None}
