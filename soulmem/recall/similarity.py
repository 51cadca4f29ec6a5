"""Similarity: what a question directly resembles, by vectors, words, names and time (SPEC §3, §4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np

from soulmem.graph.decay import half_life_hours, retention
from soulmem.model.notes import Category, NoteType
from soulmem.recall.cue import Corpus, Cue, weighted_terms
from soulmem.recall.scoring import Floats, calibrate, lexical, relevance, retained
from soulmem.settings import Settings
from soulmem.store.contract import Store
from soulmem.text.times import overlap

#: How many candidates each channel brings, per note type, for each result asked for.
POOL = 3
#: The dense score of a note whose very name stands in the question, before its own likeness is added.
NAMED = 0.7
#: What the time a question names counts against what it says.
TIME_SHARE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A note with its similarity ``score`` (0..1) and the channels it is made of."""

    id: str
    key: str
    type: NoteType
    score: float
    retention: float
    channels: Mapping[str, float] = field(default_factory=dict)


def similar_to_text(
    cue: Cue, store: Store, baseline: float, settings: Settings, at: datetime, also: Sequence[str] = ()
) -> list[Candidate]:
    """Notes that resemble a free text, best first; every one that any channel brought, also below the floor, and ``also``."""
    limit = POOL * settings.max_results * 2
    times = _in_time(cue, store, limit * 4)
    words = word_scores(cue.terms, store, settings, limit=limit)
    dense = _nearest(cue, store, limit) if cue.vector is not None else {}
    ids = sorted({*times, *words, *dense, *cue.names, *also})
    if not ids:
        return []
    cosines = (
        {row["id"]: row for row in store.query("recall.cosines_of", ids=ids, vector=cue.vector)} if cue.vector is not None else {}
    )
    words |= word_scores(cue.terms, store, settings, ids=[note for note in ids if note not in words])
    channels = {
        "dense": np.array([_best_cosine(cosines.get(note), baseline) for note in ids]),
        "words": lexical(np.array([words.get(note, 0.0) for note in ids])),
        "name": np.array([1.0 if note in cue.names else 0.0 for note in ids]),
        "time": np.array([times.get(note, 0.0) for note in ids]),
    }
    return candidates_of(ids, channels, _free_relevance(channels, bool(times), settings), store, settings, at)


def _free_relevance(channels: Mapping[str, Floats], timed: bool, settings: Settings) -> Floats:
    dense, named = channels["dense"], channels["name"]
    dense = np.where(named > 0, np.maximum(dense, NAMED + (1.0 - NAMED) * dense), dense)
    found = relevance(dense, channels["words"], settings)
    if timed:
        found = np.maximum((1.0 - TIME_SHARE) * found, (1.0 - TIME_SHARE) * found + TIME_SHARE * channels["time"])
    return np.minimum(found, 1.0)


def _best_cosine(row: Mapping[str, Any] | None, baseline: float) -> float:
    if row is None:
        return 0.0
    parts = [value for value in (row["concept"], row["description"]) if value is not None]
    return float(calibrate(np.array([max(parts)]), baseline)[0]) if parts else 0.0


def _nearest(cue: Cue, store: Store, limit: int) -> set[str]:
    names = ("recall.similar_semantic", "recall.similar_specific", "recall.similar_abstract", "recall.similar_procedure")
    return {row["id"] for name in names for row in store.query(name, vector=cue.vector, limit=limit)}


def word_scores(
    terms: Sequence[str], store: Store, settings: Settings, *, limit: int = 0, ids: Sequence[str] | None = None
) -> dict[str, float]:
    """BM25 by note id: the best ``limit`` notes, or exactly ``ids``."""
    if not terms or (ids is not None and not ids):
        return {}
    size = store.query("recall.note_lengths")[0]
    corpus = Corpus(size["number"], size["mean_length"] or 1.0)
    found = [(row["text"], row["note_df"]) for row in store.query("recall.term_frequencies", terms=sorted(set(terms)))]
    weights = weighted_terms(found, corpus)
    if not weights:
        return {}
    constants = {"terms": weights, "k1": settings.bm25_k1, "b": settings.bm25_b, "mean_length": corpus.mean_length}
    if ids is not None:
        rows = store.query("recall.words_of", ids=list(ids), **constants)
    else:
        rows = store.query("recall.note_words", limit=limit, **constants)
    return {row["id"]: row["score"] for row in rows}


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
            score=float(scores[row]),
            retention=float(retentions[row]),
            channels={name: round(float(values[row]), 6) for name, values in channels.items() if values[row] > 0},
        )
        for row, note in enumerate(ids)
    ]
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.key))


def envelope_retention(row: Mapping[str, Any], settings: Settings, at: datetime) -> float:
    """Retention now (0..1) from a row of ``recall.envelopes``."""
    category = Category(row["category"]) if row["category"] else None
    half_life = half_life_hours(NoteType(row["type"]), category, row["retrieval_count"], row["pinned"], settings)
    return retention(row["strength"], row["decayed_at"], at, half_life)
