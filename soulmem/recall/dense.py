"""The dense channel: how near the vectors of all notes are to that of a question."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.model.changes import Vector
from soulmem.model.notes import NoteType
from soulmem.recall.scoring import Floats
from soulmem.recall.table import Ints, NoteTable
from soulmem.store.contract import Store

#: The vectors by which free text finds the notes of each type; the nearest of them counts.
COLUMNS: Mapping[NoteType, tuple[str, ...]] = {
    NoteType.SEMANTIC: ("content", "aliases", "description"),
    NoteType.SPECIFIC: ("narrative",),
    NoteType.ABSTRACT: ("self",),
    NoteType.PROCEDURE: ("content",),
}
#: Short names of the note types, as the queries of each are called.
SHORT = {
    NoteType.SEMANTIC: "semantic",
    NoteType.SPECIFIC: "specific",
    NoteType.ABSTRACT: "abstract",
    NoteType.PROCEDURE: "procedure",
}


#: So many bytes of vectors are kept; of a larger mind none are.
MOST_KEPT = 160 * 2**20
#: So many questions a process asks the engine before it reads the vectors: reading them takes as long as several of these.
ASKED_OF_ENGINE = 1
#: Cosines are single precision: what they differ by below this is rounding, and no reason to prefer a note.
DECIMALS = 6


class Dense:
    """Cosines of the notes of one table to any vector. Safe from any thread.

    The engine computes them for the first question, later ones are answered from vectors that are kept, unless they are too
    many. Both give the same up to rounding.
    """

    def __init__(self, store: Store, table: NoteTable, kept: Sequence[_Vectors] = (), asked: int = 0) -> None:
        self._store = store
        self._table = table
        self._guard = threading.Lock()
        self._asked = asked
        self._kept = list(kept)

    def after(self, table: NoteTable, changed: Sequence[str]) -> Dense:
        """The same vectors in ``table``, but those of the notes ``changed``, which are read anew."""
        places = table.places_of(self._table.ids)
        places[[self._table.places[note] for note in changed if note in self._table.places]] = -1
        with self._guard:
            kept, asked = [part.moved(places) for part in self._kept], self._asked
        return Dense(self._store, table, [*kept, *_read_some(self._store, table, changed)] if kept else (), asked)

    def cosines(self, vector: Vector) -> Floats:
        """Of every note the cosine of its nearest vector, NaN for one that has none."""
        nearest = np.full(len(self._table), np.nan)
        for places, cosines in self._parts(vector):
            nearest[places] = np.fmax(nearest[places], cosines)
        return np.asarray(np.round(nearest, DECIMALS))

    def _parts(self, vector: Vector) -> Iterable[tuple[Ints, Floats]]:
        kept = self._vectors(len(vector))
        return (part.cosines(vector) for part in kept) if kept else self._computed(vector)

    def _vectors(self, dimension: int) -> list[_Vectors]:
        """The vectors, read when it pays; empty before, or when they are too many."""
        with self._guard:
            self._asked += 1
            if not self._kept and self._asked > ASKED_OF_ENGINE and self._bytes(dimension) <= MOST_KEPT:
                self._kept = [self._read(kind, column) for kind, columns in COLUMNS.items() for column in columns]
            return self._kept

    def _bytes(self, dimension: int) -> int:
        return sum(int(self._table.are(kind).sum()) * len(columns) for kind, columns in COLUMNS.items()) * dimension * 4

    def _read(self, kind: NoteType, column: str) -> _Vectors:
        found: dict[str, Any] = dict(self._store.columns(f"recall.vectors_{SHORT[kind]}_{column}"))
        places, vectors = self._table.places_of(found["id"]), found["vector"]
        if (places < 0).any():
            places, vectors = places[places >= 0], vectors[places >= 0]
        return _vectors(places, vectors)

    def _computed(self, vector: Vector) -> Iterable[tuple[Ints, Floats]]:
        for kind, columns in COLUMNS.items():
            found: dict[str, Any] = dict(self._store.columns(f"recall.cosines_to_{SHORT[kind]}", vector=vector))
            places = self._table.places_of(found["id"])
            for column in columns:
                yield places[places >= 0], np.asarray(found[column], dtype=np.float64)[places >= 0]


def _read_some(store: Store, table: NoteTable, notes: Sequence[str]) -> Iterator[_Vectors]:
    for kind, columns in COLUMNS.items():
        rows = [row for row in store.query(f"recall.vectors_of_{SHORT[kind]}", ids=list(notes)) if row["id"] in table.places]
        for column in columns:
            there = [row for row in rows if row[column] is not None]
            if there:
                vectors = np.array([row[column] for row in there], dtype=np.float32)
                yield _vectors(table.places_of(row["id"] for row in there), vectors)


def _vectors(places: Ints, vectors: NDArray[np.float32]) -> _Vectors:
    return _Vectors(places, vectors, np.sqrt(np.vecdot(vectors, vectors)))


@dataclass(frozen=True, slots=True, eq=False)
class _Vectors:
    """One vector column: the places of the notes that have one, their vectors, shape (notes, dimension), and their lengths."""

    places: Ints
    vectors: NDArray[np.float32]
    norms: NDArray[np.float32]

    def moved(self, places: Ints) -> _Vectors:
        """The same vectors, where the note of place ``v`` is now at ``places[v]``; -1 for one whose vectors are let go of."""
        there = places[self.places]
        if (there >= 0).all():
            return _Vectors(there, self.vectors, self.norms)
        return _Vectors(there[there >= 0], self.vectors[there >= 0], self.norms[there >= 0])

    def cosines(self, vector: Vector) -> tuple[Ints, Floats]:
        # Not a product of matrices: that gives the same vector other cosines in other rows, and ties would not be ties.
        products = np.vecdot(self.vectors, vector)
        lengths = self.norms * np.linalg.norm(vector)
        cosines = np.divide(products, lengths, out=np.full(len(lengths), np.nan, dtype=np.float32), where=lengths > 0)
        return self.places, cosines.astype(np.float64)
