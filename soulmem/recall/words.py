"""The lexical channel: in which notes the words of a question occur, and BM25 over them (SPEC §4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.recall.asked import MOST_WHOLE, Kept
from soulmem.recall.cue import Corpus, idf, sought_terms
from soulmem.recall.scoring import Floats
from soulmem.recall.table import NoteTable
from soulmem.settings import Settings
from soulmem.store.contract import Store

#: So many occurrences are kept; when there would be more, all are let go of.
MOST_KEPT = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """The notes (places) a term occurs in, and how often in each."""

    places: NDArray[np.int32]
    counts: NDArray[np.int32]


class Words:
    """Of the terms asked for before: in how many notes each occurs, in which, and how often. Safe from any thread."""

    def __init__(self, store: Store, table: NoteTable) -> None:
        self._store = store
        self._table = table
        self._corpus = Corpus(len(table), (float(table.lengths.mean()) if len(table) else 0.0) or 1.0)
        self._frequencies = _frequencies(store, len(table))
        self._occurrences: dict[str, Occurrences] = {}
        self._kept = 0

    def bm25(self, terms: Sequence[str], settings: Settings) -> tuple[Floats, Floats]:
        """BM25 of every note for ``terms``, and which share (0..1) of their weight was found in it."""
        wanted = sorted(set(terms))
        frequencies = {term: found[0] for term, found in self._frequencies.of(wanted).items() if found}
        sought = sought_terms(wanted, frequencies, self._corpus)
        score, matched = np.zeros(len(self._table)), np.zeros(len(self._table))
        for term, found in self._occurrences_of(sought.terms).items():
            weight = idf(frequencies[term], self._corpus.number)
            lengths = self._table.lengths[found.places] / self._corpus.mean_length
            score[found.places] += weight * presence(found.counts, lengths, settings)
            matched[found.places] += weight
        return score, np.minimum(matched / (sought.total or 1.0), 1.0)

    def _occurrences_of(self, terms: Sequence[str]) -> dict[str, Occurrences]:
        known = {term: self._occurrences[term] for term in terms if term in self._occurrences}
        unknown = [term for term in terms if term not in known]
        if unknown:
            found = self._read(unknown)
            self._keep(sum(len(one.places) for one in found.values()))
            self._occurrences.update(found)
            known |= found
        return known

    def _read(self, terms: Sequence[str]) -> dict[str, Occurrences]:
        columns: dict[str, Any] = dict(self._store.columns("recall.occurrences", terms=list(terms)))
        places = self._table.places_of(columns["note"])
        numbers = {term: number for number, term in enumerate(terms)}
        owners = np.array([numbers[term] for term in columns["term"]], dtype=np.int64)
        return {term: _of(owners == number, places, columns["tf"]) for term, number in numbers.items()}

    def _keep(self, more: int) -> None:
        """Make room for ``more`` occurrences."""
        self._kept += more
        if self._kept > MOST_KEPT:
            self._occurrences, self._kept = {}, more


def _frequencies(store: Store, notes: int) -> Kept[int]:
    """Of terms the number of notes each occurs in."""

    def some(terms: Sequence[str]) -> list[tuple[str, int]]:
        rows = store.query("recall.term_frequencies", terms=list(terms))
        return [(row["text"], row["note_df"]) for row in rows if row["note_df"]]

    def whole() -> list[tuple[str, int]]:
        columns: dict[str, Any] = dict(store.columns("recall.all_terms"))
        return list(zip(columns["text"], np.asarray(columns["note_df"]).tolist(), strict=True))

    return Kept(some, whole if notes <= MOST_WHOLE else None)


def _of(mine: NDArray[np.bool_], places: NDArray[np.int64], counts: NDArray[np.int64]) -> Occurrences:
    kept = mine & (places >= 0)
    return Occurrences(places[kept].astype(np.int32), counts[kept].astype(np.int32))


def presence(counts: NDArray[np.int32], lengths: Floats, settings: Settings) -> Floats:
    """What of its weight a term brings to a note: ``counts`` of it in the note, ``lengths`` relative to the mean."""
    k1, b = settings.bm25_k1, settings.bm25_b
    return np.asarray(counts * (k1 + 1.0) / (counts + k1 * (1.0 - b + b * lengths)))
