"""A mind as tidy Polars frames. Reading alone; each frame is read when it is asked for, in an order of its own that is always the
same. What the columns are: :mod:`soulmem.analysis.columns`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
import polars as pl

from soulmem.analysis.columns import framed, schema
from soulmem.analysis.strengths import Entry, State, StrengthEvent, entry_of, strength_events
from soulmem.errors import InputError
from soulmem.graph.decay import base_hours, elapsed_hours, half_life_hours, link_intensities, retentions
from soulmem.model.links import Link, LinkType, Sem, TrigToAction
from soulmem.model.notes import Category, Note, NoteType, display_text
from soulmem.settings import Settings
from soulmem.store.contract import Store

#: So many entries of the journal are read at once.
_PAGE = 200

#: What a note has no category for.
EPISODE, PATTERN, PROCEDURE = "episode", "pattern", "procedure"
_KINDS = {NoteType.SPECIFIC: EPISODE, NoteType.ABSTRACT: PATTERN, NoteType.PROCEDURE: PROCEDURE}

#: Columns of ``notes`` that a note has itself, by what they are made of.
_OF_NOTE: Mapping[str, Callable[[Note], Any]] = {
    "note": lambda note: note.id,
    "key": lambda note: note.key,
    "type": lambda note: note.type.value,
    "kind": lambda note: kind_of(note.type, _category(note)),
    "category": lambda note: _of_body(note, "category"),
    "text": lambda note: display_text(note.body),
    "tags": lambda note: list(note.tags),
    "scope": lambda note: note.scope,
    "strength": lambda note: note.strength,
    "decayed_at": lambda note: note.decayed_at,
    "retrieval_count": lambda note: note.retrieval_count,
    "last_accessed_at": lambda note: note.last_accessed_at,
    "due_at": lambda note: note.due_at,
    "pinned": lambda note: note.pinned,
    "core": lambda note: note.core,
    "active": lambda note: note.active,
    "valid_from": lambda note: _of_body(note, "valid_from"),
    "valid_until": lambda note: _of_body(note, "valid_until"),
    "time_start": lambda note: _of_body(note, "time_start"),
    "time_end": lambda note: _of_body(note, "time_end"),
    "action_type": lambda note: _of_body(note, "action_type"),
    "created_at": lambda note: note.created_at,
    "sources": lambda note: len(note.sources),
    "origins": lambda note: list(note.origins),
}

#: Columns of ``operations`` that count, by the parts of an entry they count.
_COUNTS = {
    "notes_added": "notes",
    "notes_changed": "updated",
    "links_added": "links",
    "links_changed": "link_updates",
    "links_removed": "links_removed",
    "facts_superseded": "supersedes",
    "messages_added": "messages",
    "recalls_added": "recalls",
}


def kind_of(note_type: NoteType, category: Category | None) -> str:
    """What sets a note's half-life: its category (without one: event), ``episode``, ``pattern`` or ``procedure``."""
    return _KINDS.get(note_type) or (category or Category.EVENT).value


def configured_hours(kind: str, settings: Settings) -> float:
    """The half-life in hours that ``settings`` give a kind before its first recall; infinite where it does not decay."""
    note_type = {name: of for of, name in _KINDS.items()}.get(kind, NoteType.SEMANTIC)
    return base_hours(note_type, Category(kind) if note_type is NoteType.SEMANTIC else None, settings)


@dataclass(frozen=True, slots=True)
class Frames:
    """The frames of a mind (:meth:`soulmem.Soul.frames`). ``at``: the time for which retention and intensities are computed; the
    rest is as it is in the mind now. Raises :class:`InputError` for an ``at`` without time zone."""

    store: Store
    settings: Settings
    at: datetime

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise InputError(f"{self.at.isoformat()} has no time zone")

    def notes(self) -> pl.DataFrame:
        """All notes, by key."""
        notes = self._notes()
        values: dict[str, Any] = {name: [of(note) for note in notes] for name, of in _OF_NOTE.items()}
        lives = [self._half_life(note.type, State.of_note(note)) for note in notes]
        left = retentions(values["strength"], [elapsed_hours(note.decayed_at, self.at) for note in notes], np.array(lives))
        born = self._born()
        return framed(
            "notes",
            values
            | {
                "half_life_hours": lives,
                "retention": left,
                "missing_degree": 1.0 - left,
                "born_at": [born[note.id][1] if note.id in born else None for note in notes],
                "born_operation": [born[note.id][0] if note.id in born else None for note in notes],
            },
        )

    def links(self) -> pl.DataFrame:
        """All links between notes, by the keys of their ends."""
        keys = self._keys()
        links = sorted(self.store.links(), key=lambda link: (keys[link.source], keys[link.target], link.id))
        hours = [elapsed_hours(link.last_fired_at or link.created_at, self.at) for link in links]
        intensities = np.array([link.intensity for link in links], dtype=np.float64)
        return framed(
            "links",
            {
                "link": [link.id for link in links],
                "type": [_link_type(link) for link in links],
                "source": [link.source for link in links],
                "source_key": [keys[link.source] for link in links],
                "target": [link.target for link in links],
                "target_key": [keys[link.target] for link in links],
                "verb": [link.payload.verb if isinstance(link.payload, Sem) else None for link in links],
                "confidence": [float(link.payload.confidence) if isinstance(link.payload, Sem) else None for link in links],
                "prob": [float(link.payload.prob) if isinstance(link.payload, TrigToAction) else None for link in links],
                "intensity": intensities,
                "effective_intensity": link_intensities(intensities, hours, self.settings),
                "created_at": [link.created_at for link in links],
                "last_fired_at": [link.last_fired_at for link in links],
                "fired_count": [link.fired_count for link in links],
            },
        )

    def messages(self) -> pl.DataFrame:
        """All messages, chat by chat in their order."""
        return _of_rows("messages", self.store.query("store.all_messages"), message="id", words="length")

    def sources(self) -> pl.DataFrame:
        """Which notes were drawn from which messages, by note, then as they were said."""
        return _of_rows("sources", self.store.query("store.all_sources"))

    def recalls(self) -> pl.DataFrame:
        """All recalls and feedback, a row for each note used, in the order of time."""
        keys = self._keys()
        rows = [row | {"key": keys.get(row["note"])} for row in self.store.query("store.all_recalls")]
        return _of_rows("recalls", rows, recall="id")

    def operations(self) -> pl.DataFrame:
        """The journal, the oldest entry first."""
        from soulmem.store.undo import undoings

        undone = undoings(self.store).undone
        rows = self.store.query("frames.journal")
        afters = [json.loads(row["after"]) for row in rows]
        counts = {name: [len(after.get(part, ())) for after in afters] for name, part in _COUNTS.items()}
        removed = [len(after.get("removed", {}).get("notes", ())) for after in afters]
        undone_by = [undone.get(row["number"]) for row in rows]
        return _of_rows("operations", rows, operation="number", undone_by=undone_by, notes_removed=removed, **counts)

    def supersedings(self) -> pl.DataFrame:
        """Which facts hold no longer, and what holds instead, in the order of time."""
        keys = self._keys()
        rows = sorted(self.store.query("store.all_supersedes"), key=lambda row: (row["at"], row["old"], row["new"]))
        old, new = ([keys[row[end]] for row in rows] for end in ("old", "new"))
        return _of_rows("supersedings", rows, old_key=old, new_key=new)

    def strength_events(self) -> pl.DataFrame:
        """Every change of a note's strength, as the journal tells it, in its order; within one operation by key.

        Causes: ``born``; ``recall``, the note was used; ``sweep``, it was written down how far it had faded; ``changed``,
        anything else; ``gone``; ``undo``, any of that by an undo or a redo. What was written past soulmem is not told.
        """
        events = strength_events(self._entries(), self._notes())
        events.sort(key=lambda event: (event.operation, event.of.key))  # stable: one note's events stay in their order
        return framed("strength_events", _named_values(events) | self._states("before", events) | self._states("after", events))

    def decay(self, hours: Sequence[float]) -> pl.DataFrame:
        """What will be left of every note so many hours from ``at`` on, if it is not used before; see :func:`decay`."""
        return decay(self.notes(), hours, self.at)

    def _states(self, side: str, events: Sequence[StrengthEvent]) -> dict[str, list[Any]]:
        states: list[State | None] = [getattr(event, side) for event in events]
        kinds = [event.of.type for event in events]
        lives = [self._half_life(kind, state) if state else None for kind, state in zip(kinds, states, strict=True)]
        columns = ("strength", "decayed_at", "retrieval_count")
        return {f"{name}_{side}": [getattr(state, name, None) for state in states] for name in columns} | {
            f"half_life_{side}": lives
        }

    def _half_life(self, note_type: NoteType, state: State) -> float | None:
        if state.retrieval_count is None or state.is_lasting is None:
            return None
        return half_life_hours(note_type, state.category, state.retrieval_count, state.is_lasting, self.settings)

    def _notes(self) -> list[Note]:
        return self.store.notes([row["id"] for row in self.store.query("store.all_keys")])

    def _keys(self) -> dict[str, str]:
        return {row["id"]: row["key"] for row in self.store.query("store.all_keys")}

    def _born(self) -> dict[str, tuple[int, datetime]]:
        """Which operation wrote each note, and when; that which wrote it last, where it was gone in between."""
        rows = self.store.query("frames.journal")
        return {note: (row["number"], row["at"]) for row in rows for note in json.loads(row["after"]).get("notes", ())}

    def _entries(self) -> Iterator[Entry]:
        last = self.store.query("store.last_operation")[0]["number"] or 0
        for end in range(last, 0, -_PAGE):
            rows = self.store.query("frames.entries", first=max(end - _PAGE + 1, 1), last=end)
            yield from map(entry_of, rows)


def decay(notes: pl.DataFrame, hours: Sequence[float], at: datetime) -> pl.DataFrame:
    """The frame ``decay`` of a frame ``notes``, note by note: retention at ``at`` + each of ``hours`` without any use."""
    grid = pl.DataFrame({"hours": pl.Series(list(hours), dtype=pl.Float64)})
    long = notes.select("note", "key", "kind", "strength", "decayed_at", "half_life_hours").join(
        grid, how="cross", maintain_order="left_right"
    )
    since = (pl.lit(at) - pl.col("decayed_at")).dt.total_microseconds() / 3.6e9 + pl.col("hours")
    left = pl.col("strength") * (-since.clip(lower_bound=0.0) / pl.col("half_life_hours") * float(np.log(2.0))).exp()
    long = long.with_columns(retention=left)
    return framed("decay", {name: long[name] for name in ("note", "key", "kind", "hours", "retention")})


def _named_values(events: Sequence[StrengthEvent]) -> dict[str, list[Any]]:
    return {
        "note": [event.of.note for event in events],
        "key": [event.of.key for event in events],
        "type": [event.of.type.value for event in events],
        "kind": [kind_of(event.of.type, _last_category(event)) for event in events],
        "operation": [event.operation for event in events],
        "at": [event.at for event in events],
        "command": [event.command for event in events],
        "cause": [event.cause.value for event in events],
    }


def _last_category(event: StrengthEvent) -> Category | None:
    state = event.after or event.before
    return state.category if state else None


def _of_rows(name: str, rows: Sequence[Mapping[str, Any]], **more: Any) -> pl.DataFrame:
    """The frame of rows; ``more``: columns as lists, or as the name they have in the rows."""
    values = {
        column: of if isinstance(of := more.get(column, column), list) else [row[of] for row in rows] for column in schema(name)
    }
    return framed(name, values)


def _category(note: Note) -> Category | None:
    category: Category | None = getattr(note.body, "category", None)
    return category


def _of_body(note: Note, name: str) -> Any:
    return getattr(note.body, name, None)


def _link_type(link: Link) -> str:
    if isinstance(link.payload, Sem):
        return LinkType.SEM.value
    return LinkType.PROC.value if isinstance(link.payload, TrigToAction) else LinkType.SITUATION.value
