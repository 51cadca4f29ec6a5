"""Similarity: what a question directly resembles, by vectors, words, names and time (SPEC §3, §4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np

from soulmem.graph.decay import half_life_hours, retention
from soulmem.model.notes import Category, Note, NoteType, Semantic
from soulmem.recall.cue import MOST_OCCURRENCES, Corpus, Cue, SoughtTerms, sought_terms
from soulmem.recall.scoring import Floats, calibrate, lexical, relevance, retained
from soulmem.settings import Settings
from soulmem.store.contract import Store
from soulmem.text.times import overlap

#: How many candidates each channel brings, per note type, for each result asked for.
POOL = 3
#: So many notes with a word of the question are looked up at once; where there are no more, all are known.
MOST_WORD_ROWS = MOST_OCCURRENCES
#: The dense score of a note whose very name stands in the question, before its own likeness is added.
NAMED = 0.7
#: What the time a question names counts against what it says.
TIME_SHARE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A note with its ``relevance`` (0..1), what forgetting leaves of it (``score``, by which notes are ranked), and the channels
    the relevance is made of."""

    id: str
    key: str
    type: NoteType
    relevance: float
    score: float
    retention: float
    channels: Mapping[str, float] = field(default_factory=dict)


def similar_to_text(
    cue: Cue, store: Store, baseline: float, settings: Settings, at: datetime, also: Sequence[str] = ()
) -> list[Candidate]:
    """Notes that resemble a free text, best first; every one that any channel brought, also below the floor, and ``also``."""
    limit = POOL * settings.max_results * 4
    times = _in_time(cue, store, limit)
    words = word_scores(cue.terms, store, settings, limit=limit)
    cosines = _nearest(cue, store, limit)
    ids = sorted({*times, *words.best, *cosines, *cue.names, *also})
    if not ids:
        return []
    cosines |= _cosines(cue, store, [note for note in ids if note not in cosines])
    channels = {
        "dense": np.array([_best_cosine(cosines.get(note), baseline) for note in ids]),
        "words": words.of(ids),
        "name": np.array([1.0 if note in cue.names else 0.0 for note in ids]),
        "time": np.array([times.get(note, 0.0) for note in ids]),
    }
    return candidates_of(ids, channels, _free_relevance(channels, cue, settings), store, settings, at)


def _free_relevance(channels: Mapping[str, Floats], cue: Cue, settings: Settings) -> Floats:
    """Names raise the dense channel, time raises what both give; without a vector the words stand alone."""
    dense, named, words = channels["dense"], channels["name"], channels["words"]
    dense = np.where(named > 0, np.maximum(dense, NAMED + (1.0 - NAMED) * dense), dense)
    found = relevance(dense, words, settings) if cue.vector is not None else np.maximum(dense, words)
    return np.minimum(np.maximum(found, (1.0 - TIME_SHARE) * found + TIME_SHARE * channels["time"]), 1.0)


def _best_cosine(row: Mapping[str, Any] | None, baseline: float) -> float:
    if row is None:
        return 0.0
    parts = [value for value in (row["concept"], row.get("description")) if value is not None]
    return float(calibrate(np.array([max(parts)]), baseline)[0]) if parts else 0.0


#: Short names of the note types, as the queries of each are called.
_SHORT = {
    NoteType.SEMANTIC: "semantic",
    NoteType.SPECIFIC: "specific",
    NoteType.ABSTRACT: "abstract",
    NoteType.PROCEDURE: "procedure",
}


def _nearest(cue: Cue, store: Store, limit: int) -> dict[str, Mapping[str, Any]]:
    """The nearest notes of each type. One query for each: together they would take the engine ten times as long."""
    if cue.vector is None:
        return {}
    rows = (store.query(f"recall.similar_{short}", vector=cue.vector, limit=limit) for short in _SHORT.values())
    return {row["id"]: row for some in rows for row in some}


def _cosines(cue: Cue, store: Store, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """The cosines of notes that the vectors did not bring."""
    if cue.vector is None or not ids:
        return {}
    by_type: dict[NoteType, list[str]] = {}
    for row in store.query("recall.types_of", ids=list(ids)):
        by_type.setdefault(NoteType(row["type"]), []).append(row["id"])
    rows = (
        store.query(f"recall.cosines_of_{_SHORT[kind]}", ids=some, vector=cue.vector) for kind, some in sorted(by_type.items())
    )
    return {row["id"]: row for some in rows for row in some}


def bm25_constants(corpus: Corpus, settings: Settings) -> dict[str, float]:
    """The parameters that all BM25 queries take."""
    return {
        "number": float(corpus.number),
        "k1": settings.bm25_k1,
        "b": settings.bm25_b,
        "mean_length": corpus.mean_length,
    }


class WordScores:
    """The lexical channel of one question: BM25 and coverage, looked up once for the best notes and for others as needed."""

    def __init__(self, terms: SoughtTerms, corpus: Corpus, store: Store, settings: Settings) -> None:
        self._terms = terms
        self._store = store
        self._constants = bm25_constants(corpus, settings)
        self._rows: dict[str, tuple[float, float]] = {}
        self._complete = not terms.terms
        self.best: tuple[str, ...] = ()

    def find(self, limit: int) -> None:
        """Look up the best notes; ``best`` are the first ``limit`` of them."""
        if self._complete:
            return
        found = self._store.columns("recall.note_words", terms=list(self._terms.terms), limit=MOST_WORD_ROWS, **self._constants)
        ids = list(found["id"])
        self._take(ids, np.asarray(found["score"]), np.asarray(found["matched"]))
        self._complete = len(ids) < MOST_WORD_ROWS
        self.best = tuple(ids[:limit])

    def of(self, ids: Sequence[str]) -> Floats:
        """The lexical score (0..1) of each of these notes."""
        missing = [] if self._complete else [note for note in ids if note not in self._rows]
        if missing:
            rows = self._store.query("recall.words_of", ids=missing, terms=list(self._terms.terms), **self._constants)
            scores = (np.array([row[name] for row in rows]) for name in ("score", "matched"))
            self._take([row["id"] for row in rows], *scores)
        pairs = np.array([self._rows.get(note, (0.0, 0.0)) for note in ids], dtype=np.float64).reshape(len(ids), 2)
        return lexical(pairs[:, 0], pairs[:, 1])

    def _take(self, ids: Sequence[str], scores: Floats, matched: Floats) -> None:
        coverage = np.minimum(matched / (self._terms.total or 1.0), 1.0)
        self._rows.update(zip(ids, zip(scores.tolist(), coverage.tolist(), strict=True), strict=True))


def word_scores(terms: Sequence[str], store: Store, settings: Settings, *, limit: int = 0) -> WordScores:
    """The lexical channel for ``terms``, with the best ``limit`` notes looked up."""
    size = store.query("store.note_corpus")[0]
    corpus = Corpus(size["count"], size["mean_length"] or 1.0)
    wanted = sorted(set(terms))
    rows = store.query("recall.term_frequencies", terms=wanted) if wanted else []
    scores = WordScores(sought_terms(wanted, {row["text"]: row["note_df"] for row in rows}, corpus), corpus, store, settings)
    if limit:
        scores.find(limit)
    return scores


def _in_time(cue: Cue, store: Store, limit: int) -> dict[str, float]:
    """Overlap (0..1) of situations with the times the question names."""
    found: dict[str, float] = {}
    for mention in cue.times:
        for row in store.query("recall.during", start=mention.start, stop=mention.stop, limit=limit):
            share = overlap(row["time_start"], row["time_end"], mention.start, mention.stop)
            found[row["id"]] = max(found.get(row["id"], 0.0), share)
    return found


def candidates_of(
    ids: Sequence[str], channels: Mapping[str, Floats], relevances: Floats, store: Store, settings: Settings, at: datetime
) -> list[Candidate]:
    """Put retention to the relevances and sort: best first, ties by key."""
    envelopes = {row["id"]: row for row in store.query("recall.envelopes", ids=list(ids))}
    retentions = np.array([envelope_retention(envelopes[note], settings, at) for note in ids])
    scores = retained(relevances, retentions, settings)
    candidates = [
        Candidate(
            id=note,
            key=envelopes[note]["key"],
            type=NoteType(envelopes[note]["type"]),
            relevance=float(relevances[row]),
            score=float(scores[row]),
            retention=float(retentions[row]),
            channels={name: round(float(values[row]), 6) for name, values in channels.items() if values[row] > 0},
        )
        for row, note in enumerate(ids)
    ]
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.key))


def note_retention(note: Note, settings: Settings, at: datetime) -> float:
    """Retention of a note at ``at`` (0..1)."""
    category = note.body.category if isinstance(note.body, Semantic) else None
    half_life = half_life_hours(note.type, category, note.retrieval_count, note.pinned, settings)
    return retention(note.strength, note.decayed_at, at, half_life)


def envelope_retention(row: Mapping[str, Any], settings: Settings, at: datetime) -> float:
    """Retention now (0..1) from a row of ``recall.envelopes``."""
    category = Category(row["category"]) if row["category"] else None
    half_life = half_life_hours(NoteType(row["type"]), category, row["retrieval_count"], row["pinned"], settings)
    return retention(row["strength"], row["decayed_at"], at, half_life)
