"""The lexical channel: in which notes the words of a question occur, and BM25 over them (SPEC §4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.graph.csr import row_pointers
from soulmem.recall.asked import ASKED_OF_ENGINE, MOST_WHOLE, Kept
from soulmem.recall.cue import THING, Corpus, idf, sought_terms
from soulmem.recall.dense import SHORT
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


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The occurrences of all terms, term by term: those of ``numbers[term]`` = *n* are ``indptr[n]`` to ``indptr[n + 1]``."""

    numbers: Mapping[str, int]
    indptr: NDArray[np.int64]
    places: NDArray[np.int32]
    counts: NDArray[np.int32]

    def of(self, term: str) -> Occurrences:
        """Those of one term, none of an unknown one."""
        number = self.numbers.get(term)
        mine = slice(0, 0) if number is None else slice(self.indptr[number], self.indptr[number + 1])
        return Occurrences(self.places[mine], self.counts[mine])


class Words:
    """In how many notes terms occur, in which, and how often: first of the terms asked for, then of all. Safe from any thread."""

    def __init__(self, store: Store, table: NoteTable) -> None:
        self._store = store
        self._table = table
        self._corpus = Corpus(len(table), (float(table.lengths.mean()) if len(table) else 0.0) or 1.0)
        self._frequencies = _frequencies(store, len(table))
        self._occurrences: dict[str, Occurrences] = {}
        self._kept = 0
        self._asked = 0
        self._all: Postings | None = None

    def bm25(self, terms: Sequence[str], settings: Settings, kinds: Mapping[str, Sequence[str]] = {}) -> tuple[Floats, Floats]:
        """BM25 of every note for ``terms``, and which share (0..1) of their weight was found in it.

        ``kinds``: terms for kinds of things with the terms of things: a note of such a thing is, in part, one of the kind.
        """
        wanted = sorted(set(terms))
        frequencies = {term: found[0] for term, found in self._frequencies.of(wanted).items() if found}
        sought = sought_terms(wanted, frequencies, self._corpus)
        score, matched = np.zeros(len(self._table)), np.zeros(len(self._table))
        for term, found in self._occurrences_of(sought.terms).items():
            weight = idf(frequencies[term], self._corpus.number)
            lengths = self._table.lengths[found.places] / self._corpus.mean_length
            score[found.places] += weight * presence(found.counts, lengths, settings)
            matched[found.places] += weight
        for kind, things in kinds.items():
            best = self._best_of(things, settings)
            score += THING * best
            matched += THING * idf(frequencies.get(kind, 0), self._corpus.number) * (best > 0)
        return score, np.minimum(matched / (sought.total or 1.0), 1.0)

    def _best_of(self, things: Sequence[str], settings: Settings) -> Floats:
        """Of every note the BM25 of the one of ``things`` that fits best."""
        frequencies = {term: found[0] for term, found in self._frequencies.of(sorted(things)).items() if found}
        best = np.zeros(len(self._table))
        for term, found in self._occurrences_of(sorted(frequencies)).items():
            lengths = self._table.lengths[found.places] / self._corpus.mean_length
            weighed = idf(frequencies[term], self._corpus.number) * presence(found.counts, lengths, settings)
            best[found.places] = np.maximum(best[found.places], weighed)
        return best

    def _occurrences_of(self, terms: Sequence[str]) -> dict[str, Occurrences]:
        """In the order of ``terms``, so that a score is the same sum whatever was asked before."""
        self._asked += 1
        if self._all is None and self._asked > ASKED_OF_ENGINE and self._can_keep_all():
            self._all = _postings(self._store, self._table)
        if self._all is not None:
            return {term: self._all.of(term) for term in terms}
        known = {term: self._occurrences[term] for term in terms if term in self._occurrences}
        unknown = [term for term in terms if term not in known]
        if unknown:
            found = self._read(unknown)
            self._keep(sum(len(one.places) for one in found.values()))
            self._occurrences.update(found)
            known |= found
        return {term: known[term] for term in terms}

    def _can_keep_all(self) -> bool:
        return len(self._table) <= MOST_WHOLE and float(self._table.lengths.sum()) <= MOST_KEPT

    def _read(self, terms: Sequence[str]) -> dict[str, Occurrences]:
        columns: dict[str, Any] = dict(self._store.columns("recall.occurrences", terms=list(terms)))
        places = self._table.places_of(columns["note"])
        numbers = {term: number for number, term in enumerate(terms)}
        owners = np.array([numbers[term] for term in columns["term"]], dtype=np.int64)
        return {term: _some_of(owners == number, places, columns["tf"]) for term, number in numbers.items()}

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


def _postings(store: Store, table: NoteTable) -> Postings:
    """Read the occurrences of all terms. By the engine's offsets: numbers are read many times as fast as texts."""
    terms: dict[str, Any] = dict(store.columns("recall.term_offsets"))
    notes: dict[str, Any] = dict(store.columns("recall.note_offsets"))
    number_of = _inverse(terms["offset"], np.arange(len(terms["offset"])))
    places, parts = table.places_of(notes["id"]), []
    for kind, short in SHORT.items():
        mine = np.array([one == kind.value for one in notes["type"]], dtype=np.bool_)
        found: dict[str, Any] = dict(store.columns(f"recall.all_occurrences_{short}"))
        place_of = _inverse(notes["offset"][mine], places[mine])
        parts.append((_of(number_of, found.pop("term")), _of(place_of, found.pop("note")), found.pop("tf").astype(np.int32)))
    owners, where, counts = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    parts.clear()
    order = np.lexsort((where, owners))
    order = order[(owners[order] >= 0) & (where[order] >= 0)]
    indptr = row_pointers(owners[order], len(terms["offset"]))
    return Postings({term: number for number, term in enumerate(terms["text"])}, indptr, where[order], counts[order])


def _inverse(offsets: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int32]:
    """An array that has ``values`` at ``offsets``, and -1 elsewhere and at its end."""
    array = np.full(int(offsets.max(initial=-1)) + 2, -1, dtype=np.int32)
    array[offsets] = values
    return array


def _of(inverse: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    return inverse[np.minimum(offsets, len(inverse) - 1)]


def _some_of(mine: NDArray[np.bool_], places: NDArray[np.int64], counts: NDArray[np.int64]) -> Occurrences:
    kept = mine & (places >= 0)
    return Occurrences(places[kept].astype(np.int32), counts[kept].astype(np.int32))


def presence(counts: NDArray[np.int32], lengths: Floats, settings: Settings) -> Floats:
    """What of its weight a term brings to a note: ``counts`` of it in the note, ``lengths`` relative to the mean."""
    k1, b = settings.bm25_k1, settings.bm25_b
    return np.asarray(counts * (k1 + 1.0) / (counts + k1 * (1.0 - b + b * lengths)))
