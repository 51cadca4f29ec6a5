"""All notes of a mind as columns: what a recall asks of each before it is chosen. A note's *place* is its row, by id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.graph.decay import half_life_hours, retentions
from soulmem.model.notes import ActionType, Category, NoteType
from soulmem.recall.scoring import Floats
from soulmem.settings import Settings
from soulmem.store.contract import Store

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECONDS_AN_HOUR = 3600e3
_MILLISECOND = timedelta(milliseconds=1)
_TYPES = tuple(NoteType)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NoteTable:
    """Columns of one length, by id. ``types``: numbers of :class:`NoteType` in its order; ``decayed_at``: milliseconds since
    1970; ``lengths``: words."""

    ids: tuple[str, ...]
    places: Mapping[str, int]
    keys: Sequence[str]
    types: Ints
    categories: Sequence[str | None]
    action_types: Sequence[str | None]
    pinned: Sequence[bool]
    counts: Ints
    strengths: Floats
    decayed_at: Ints
    lengths: Floats
    core: Bools
    active: Bools

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
        lives = [
            half_life_hours(self.type(place), self._category(place), count, self.pinned[place], settings)
            for place, count in zip(places.tolist(), self.counts[places].tolist(), strict=True)
        ]
        return retentions(self.strengths[places], hours, lives)

    def _category(self, place: int) -> Category | None:
        category = self.categories[place]
        return Category(category) if category else None

    def places_of(self, ids: Iterable[str]) -> Ints:
        """The places of these notes; -1 for one that is not there."""
        return np.array([self.places.get(note, -1) for note in ids], dtype=np.int64)

    def with_rows(self, rows: Iterable[Mapping[str, Any]]) -> NoteTable:
        """The table after these rows of ``recall.envelopes`` have changed."""
        counts, strengths, decayed_at, active = (
            self.counts.copy(),
            self.strengths.copy(),
            self.decayed_at.copy(),
            self.active.copy(),
        )
        for row in rows:
            place = self.places[row["id"]]
            counts[place], strengths[place], active[place] = row["retrieval_count"], row["strength"], row["active"]
            decayed_at[place] = milliseconds(row["decayed_at"])
        return replace(self, counts=counts, strengths=strengths, decayed_at=decayed_at, active=active)


def milliseconds(moment: datetime) -> int:
    """Since 1970; ``moment`` is timezone-aware."""
    return (moment - EPOCH) // _MILLISECOND


def read_table(store: Store) -> NoteTable:
    """The table of all notes of ``store``."""
    columns: dict[str, Any] = dict(store.columns("recall.all_envelopes"))
    numbers = {kind.value: number for number, kind in enumerate(_TYPES)}
    ids = tuple(columns["id"])
    return NoteTable(
        ids=ids,
        places={note: place for place, note in enumerate(ids)},
        keys=columns["key"],
        types=np.array([numbers[kind] for kind in columns["type"]], dtype=np.int64),
        categories=columns["category"],
        action_types=columns["action_type"],
        pinned=columns["pinned"],
        counts=columns["retrieval_count"],
        strengths=columns["strength"],
        decayed_at=columns["decayed_at"],
        lengths=np.asarray(columns["length"], dtype=np.float64),
        core=np.asarray(columns["core"], dtype=np.bool_),
        active=np.asarray(columns["active"], dtype=np.bool_),
    )
