"""All notes of a mind as columns: what a recall asks of each before it is chosen. A note's *place* is its row, by id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from soulmem.graph.decay import base_hours, half_lives, retentions
from soulmem.model.notes import ActionType, Category, NoteType
from soulmem.recall.scoring import Floats
from soulmem.settings import Settings
from soulmem.store.contract import Store

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
T = TypeVar("T", bound=str | None)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECONDS_AN_HOUR = 3600e3
_MILLISECOND = timedelta(milliseconds=1)
_TYPES = tuple(NoteType)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NoteTable:
    """Columns of one length, by id. ``types``: numbers of :class:`NoteType` in its order; ``decayed_at``: milliseconds since
    1970; ``lengths``: words; ``valid_from``, ``valid_until``: as ``decayed_at``, NaN where nothing begins or ends it."""

    ids: tuple[str, ...]
    places: Mapping[str, int]
    keys: Sequence[str]
    types: Ints
    categories: Sequence[str | None]
    action_types: Sequence[str | None]
    pinned: Bools
    counts: Ints
    strengths: Floats
    decayed_at: Ints
    lengths: Floats
    core: Bools
    active: Bools
    asleep: Bools
    valid_from: Floats
    valid_until: Floats

    def __len__(self) -> int:
        return len(self.ids)

    def type(self, place: int) -> NoteType:
        return _TYPES[int(self.types[place])]

    def action_type(self, place: int) -> ActionType:
        """Of a procedure."""
        return ActionType(self.action_types[place] or "")

    def are(self, kind: NoteType) -> Bools:
        """Which notes are of this type."""
        return np.asarray(self.types == _TYPES.index(kind))

    def retentions(self, places: Ints, at: datetime, settings: Settings) -> Floats:
        """What is left at ``at`` of the notes at ``places``, 0..1."""
        hours = (milliseconds(at) - self.decayed_at[places]) / MILLISECONDS_AN_HOUR
        kinds = [(int(self.types[place]), self.categories[place]) for place in places.tolist()]
        base = {kind: base_hours(_TYPES[kind[0]], Category(kind[1]) if kind[1] else None, settings) for kind in set(kinds)}
        lives = half_lives([base[kind] for kind in kinds], self.counts[places], self.lasting[places], settings)
        return retentions(self.strengths[places], hours, lives)

    @property
    def lasting(self) -> Bools:
        """Which notes hardly fade and never fall asleep: see :attr:`soulmem.graph.decay.Envelope.is_lasting`."""
        return np.asarray(self.pinned | self.core)

    def ended(self, at: datetime) -> Bools:
        """Which facts hold no longer at ``at``."""
        return np.asarray(self.valid_until <= milliseconds(at))

    def held_back(self, at: datetime, asked: tuple[datetime, datetime] | None) -> Bools:
        """Which facts do not hold at the time a question is about: at ``at``, or, where it names a time, from when to when
        (exclusive) that is (``asked``). What was said wrong (it ceased as it began) never held."""
        if asked is None:
            held = self.ended(at) | (self.valid_from > milliseconds(at))
        else:
            start, stop = (milliseconds(moment) for moment in asked)
            held = (self.ended(at) & ~(start < self.valid_until)) | (self.valid_from >= stop)
        return np.asarray(held | (self.valid_from >= self.valid_until))

    def validity(self, place: int) -> tuple[datetime | None, datetime | None]:
        """Since and until when a fact holds."""
        since, until = (_moment(float(column[place])) for column in (self.valid_from, self.valid_until))
        return since, until

    def places_of(self, ids: Iterable[str]) -> Ints:
        """The places of these notes; -1 for one that is not there."""
        return np.array([self.places.get(note, -1) for note in ids], dtype=np.int64)

    def after(self, rows: Sequence[Mapping[str, Any]]) -> NoteTable:
        """The table with these rows of ``recall.envelopes``, of notes that have changed or are new."""
        columns = {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
        if not columns:
            return self
        columns["decayed_at"] = [milliseconds(moment) for moment in columns["decayed_at"]]
        for name in ("valid_from", "valid_until"):
            columns[name] = [np.nan if moment is None else milliseconds(moment) for moment in columns[name]]
        more = _table(columns)
        known = self.places_of(more.ids)
        fresh = np.flatnonzero(known < 0)
        ids = np.array([*self.ids, *(more.ids[row] for row in fresh.tolist())], dtype=object)
        order = np.argsort(ids, kind="stable") if len(fresh) else np.arange(len(ids))
        # Of a note that has changed the new row is taken in place of the old one.
        rows_of = np.concatenate((np.arange(len(self)), len(self) + fresh))
        rows_of[known[known >= 0]] = len(self) + np.flatnonzero(known >= 0)
        places = self.places if not len(fresh) else {note: place for place, note in enumerate(ids[order].tolist())}
        return NoteTable(ids=tuple(places), places=places, **_chosen(self, more, rows_of[order]))


def _chosen(first: NoteTable, second: NoteTable, rows: Ints) -> dict[str, Any]:
    """The columns of two tables, one below the other, in this order of rows; lists stay lists."""
    return {name: _rows_of(getattr(first, name), getattr(second, name), rows) for name in _COLUMNS}


def _rows_of(first: Any, second: Any, rows: Ints) -> Any:
    if isinstance(first, np.ndarray):
        return np.concatenate((first, second))[rows]
    both = [*first, *second]
    return [both[row] for row in rows.tolist()]


_COLUMNS = tuple(field.name for field in fields(NoteTable) if field.name not in {"ids", "places"})


def milliseconds(moment: datetime) -> int:
    """Since 1970; ``moment`` is timezone-aware."""
    return (moment - EPOCH) // _MILLISECOND


def _moment(since_1970: float) -> datetime | None:
    return None if np.isnan(since_1970) else EPOCH + since_1970 * _MILLISECOND


def each_once(texts: Iterable[T]) -> list[T]:
    """The same texts, equal ones as one object: columns of a mind repeat few texts many times."""
    once: dict[T, T] = {}
    return [once.setdefault(text, text) for text in texts]


def read_table(store: Store) -> NoteTable:
    """The table of all notes of ``store``."""
    return _table(dict(store.columns("recall.all_envelopes")))


def _table(columns: Mapping[str, Any]) -> NoteTable:
    numbers = {kind.value: number for number, kind in enumerate(_TYPES)}
    ids = tuple(columns["id"])
    return NoteTable(
        ids=ids,
        places={note: place for place, note in enumerate(ids)},
        keys=columns["key"],
        types=np.array([numbers[kind] for kind in columns["type"]], dtype=np.int64),
        categories=columns["category"],
        action_types=columns["action_type"],
        pinned=np.asarray(columns["pinned"], dtype=np.bool_),
        counts=np.asarray(columns["retrieval_count"], dtype=np.int64),
        strengths=np.asarray(columns["strength"], dtype=np.float64),
        decayed_at=np.asarray(columns["decayed_at"], dtype=np.int64),
        lengths=np.asarray(columns["length"], dtype=np.float64),
        core=np.asarray(columns["core"], dtype=np.bool_),
        active=np.asarray(columns["active"], dtype=np.bool_),
        asleep=np.asarray(columns["asleep"], dtype=np.bool_),
        valid_from=np.asarray(columns["valid_from"], dtype=np.float64),
        valid_until=np.asarray(columns["valid_until"], dtype=np.float64),
    )
