"""Similarity: what a question directly resembles, by vectors, words, names and time (SPEC §3, §4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from soulmem.model.notes import NoteType
from soulmem.recall.cue import Cue
from soulmem.recall.image import Image
from soulmem.recall.scoring import Floats, calibrate, lexical, relevance, retained
from soulmem.recall.table import Bools, Ints, NoteTable
from soulmem.settings import Settings
from soulmem.text.times import overlap

#: How many candidates each channel brings, per note type, for each result asked for.
POOL = 3
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
    cue: Cue,
    image: Image,
    baseline: float,
    settings: Settings,
    at: datetime,
    also: Sequence[str] = (),
    activation: Mapping[str, float] = {},
    held: Bools | None = None,
) -> list[Candidate]:
    """Notes that resemble a free text, best first; every one that any channel brought, also below the floor, and ``also``.

    ``activation``: see :func:`candidates_of`. Notes ``held`` back (by place) are brought beside the others, and take no place
    from them."""
    limit = POOL * settings.max_results * 4
    table = image.table
    groups = [table.active] if held is None or not held.any() else [table.active & ~held, table.active & held]
    times = _in_time(cue, image, limit)
    bm25, coverage = image.words.bm25(cue.terms, settings, cue.kinds)
    cosines = image.dense.cosines(cue.vector) if cue.vector is not None else np.full(len(table), np.nan)
    brought = set(table.places_of([*times, *cue.names, *also]).tolist())
    for group in groups:
        brought.update(_best_words(bm25, group, limit), _nearest(cosines, table, group, limit))
    places = np.array(sorted(brought), dtype=np.int64)
    if not len(places):
        return []
    ids = [table.ids[place] for place in places.tolist()]
    channels = {
        "dense": np.nan_to_num(calibrate(cosines[places], baseline)),
        "words": lexical(bm25[places], coverage[places]),
        "name": np.array([1.0 if note in cue.names else 0.0 for note in ids]),
        "time": np.array([times.get(note, 0.0) for note in ids]),
    }
    return candidates_of(places, channels, _free_relevance(channels, cue, settings), table, settings, at, activation)


def best_of(ways: Sequence[Sequence[Candidate]]) -> list[Candidate]:
    """Candidates of several ways to put one question: each as it fits best; best first, ties by key."""
    if len(ways) == 1:
        return list(ways[0])
    best: dict[str, Candidate] = {}
    for candidate in (candidate for way in ways for candidate in way):
        if candidate.id not in best or candidate.score > best[candidate.id].score:
            best[candidate.id] = candidate
    return sorted(best.values(), key=lambda candidate: (-candidate.score, candidate.key))


def _free_relevance(channels: Mapping[str, Floats], cue: Cue, settings: Settings) -> Floats:
    """Names raise the dense channel, time raises what both give; without a vector the words stand alone."""
    dense, named, words = channels["dense"], channels["name"], channels["words"]
    dense = np.where(named > 0, np.maximum(dense, NAMED + (1.0 - NAMED) * dense), dense)
    found = relevance(dense, words, settings) if cue.vector is not None else np.maximum(dense, words)
    return np.minimum(np.maximum(found, (1.0 - TIME_SHARE) * found + TIME_SHARE * channels["time"]), 1.0)


def _best_words(bm25: Floats, group: Bools, limit: int) -> list[int]:
    """The notes of a group whose words fit best."""
    return _best(bm25, np.flatnonzero((bm25 > 0) & group), limit)


def _nearest(cosines: Floats, table: NoteTable, group: Bools, limit: int) -> Iterable[int]:
    """The nearest notes of each type in a group."""
    there = group & ~np.isnan(cosines)
    for kind in NoteType:
        yield from _best(cosines, np.flatnonzero(there & table.are(kind)), limit)


def _best(values: Floats, places: Ints, limit: int) -> list[int]:
    """The ``limit`` of ``places`` with the greatest values; of equals the first."""
    if len(places) > limit:
        least = np.partition(values[places], -limit)[-limit]
        places = places[values[places] >= least]
    best: list[int] = places[np.argsort(-values[places], kind="stable")].tolist()
    return best[:limit]


def _in_time(cue: Cue, image: Image, limit: int) -> dict[str, float]:
    """Overlap (0..1) of situations with the times the question names."""
    found: dict[str, float] = {}
    for mention in cue.times:
        for row in image.store.query("recall.during", start=mention.start, stop=mention.stop, limit=limit):
            if row["id"] in image.table.places:
                share = overlap(row["time_start"], row["time_end"], mention.start, mention.stop)
                found[row["id"]] = max(found.get(row["id"], 0.0), share)
    return found


def candidates_of(
    places: Ints,
    channels: Mapping[str, Floats],
    relevances: Floats,
    table: NoteTable,
    settings: Settings,
    at: datetime,
    activation: Mapping[str, float] = {},
) -> list[Candidate]:
    """Put retention to the relevances of the notes at ``places`` and sort: best first, ties by key.

    ``activation``: by what the scores of notes used lately are multiplied; 1 at most comes of it. It is no relevance: what the
    question does not resemble stays below the floor.
    """
    retentions = table.retentions(places, at, settings)
    scores = retained(relevances, retentions, settings)
    if activation:
        factors = np.array([activation.get(table.ids[place], 1.0) for place in places.tolist()])
        scores = np.minimum(scores * factors, np.maximum(scores, 1.0))
        channels = {**channels, "activation": factors - 1.0}
    told = zip(*(np.round(values, 6).tolist() for values in channels.values()), strict=True)
    rows = zip(places.tolist(), relevances.tolist(), scores.tolist(), retentions.tolist(), told, strict=True)
    candidates = [
        Candidate(
            id=table.ids[place],
            key=table.keys[place],
            type=table.type(place),
            relevance=relevance,
            score=score,
            retention=retention,
            channels={name: value for name, value in zip(channels, values, strict=True) if value > 0},
        )
        for place, relevance, score, retention, values in rows
    ]
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.key))
