"""The raw lines that support an answer: gathered from the store, ranked by :mod:`soulmem.recall.evidence`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from soulmem.embed.contract import Embedder
from soulmem.model.changes import Vector
from soulmem.model.results import SaidMessage
from soulmem.recall.cue import THING, Corpus, Cue, shortened, sought_terms
from soulmem.recall.evidence import EvidenceWeights, Lines, evidence_scores, term_masses, walk_seeds, with_walk
from soulmem.recall.scoring import Floats, calibrate, lexical
from soulmem.recall.speakers import Speaker, speaker_spoken_of
from soulmem.settings import Settings
from soulmem.store.contract import Store
from soulmem.text.lists import asks_for_several
from soulmem.text.times import overlap

#: How many lines each channel brings before context decides.
POOL = 2000
#: A word leads from line to line if no more lines have it than this share of all and a few, and never more than so many; and
#: of all words of the best lines so many lead on, those that carry most.
COMMONEST_SHARE = 0.05
COMMONEST_FEW = 5
COMMONEST = 50
MOST_LEADING = 100


def supporting_lines(
    cue: Cue,
    store: Store,
    embedder: Embedder,
    baseline: float,
    settings: Settings,
    number: int,
    weights: EvidenceWeights | None = None,
) -> tuple[SaidMessage, ...]:
    """The ``number`` lines that best support an answer to ``cue``, best first. None resembles it: none."""
    size = store.query("store.message_corpus")[0]
    if number < 1 or not size["count"]:
        return ()
    corpus = Corpus(size["count"], size["mean_length"] or 1.0)
    weights = weights or EvidenceWeights(walk=settings.lines_walk)
    weights = weights.scattered() if asks_for_several(shortened(cue.text)) else weights
    speaker = speaker_spoken_of(cue, store)
    rows = _pool(cue, _spoken(cue, speaker, embedder), corpus, store, settings)
    if not _is_answered(rows.values(), cue, speaker, baseline):
        return ()
    ordered = sorted(rows.values(), key=lambda row: (row["chat"], row["index"], row["id"]))
    parts = evidence_scores(_lines(ordered, cue, speaker), weights)
    if weights.walk:
        parts = with_walk(parts, _arrived(ordered, parts["total"], corpus, store, weights), weights)
    total = parts["total"]
    best = sorted(range(len(ordered)), key=lambda place: (-round(float(total[place]), 9), place))[:number]
    messages = {message.id: message for message in store.messages([ordered[place]["id"] for place in best])}
    return tuple(
        SaidMessage(
            file=message.file,
            line=message.line,
            index=message.index,
            speaker=message.speaker,
            time=message.sent_at,
            text=message.text,
            scope=message.scope,
            kept_from=message.kept_from,
            score=round(float(total[place]), 6),
            channels={
                name: round(float(values[place]), 6) for name, values in parts.items() if name != "total" and values[place]
            },
        )
        for place in best
        if (message := messages[ordered[place]["id"]])
    )


def _spoken(cue: Cue, speaker: Speaker | None, embedder: Embedder) -> Vector | None:
    """The vector of the question, put as the speaker whom it is about would put it: of themselves people say *I*."""
    if cue.vector is None or speaker is None or speaker.question == shortened(cue.text):
        return cue.vector
    vector: Vector = embedder.queries([speaker.question])[0]
    return vector if vector.any() else cue.vector


def _arrived(rows: Sequence[Mapping[str, Any]], total: Floats, corpus: Corpus, store: Store, weights: EvidenceWeights) -> Floats:
    """What a walk from the best lines over their rarer words brings to every line."""
    seeds = {rows[place]["id"]: mass for place, mass in walk_seeds(total, weights.walk_from).items()}
    most = int(min(COMMONEST_SHARE * corpus.number + COMMONEST_FEW, COMMONEST))
    leading = [(row["line"], row["term"], row["df"]) for row in store.query("recall.line_terms", ids=sorted(seeds), most=most)]
    masses = term_masses(seeds, leading, corpus.number)
    frequencies = {term: frequency for _, term, frequency in leading}
    chosen = sorted(masses, key=lambda term: (-round(masses[term] * frequencies[term], 12), term))[:MOST_LEADING]
    places = {row["id"]: place for place, row in enumerate(rows)}
    arrived = np.zeros(len(rows))
    for row in store.query("recall.term_lines", terms=chosen) if chosen else ():
        if row["line"] in places:
            arrived[places[row["line"]]] += masses[row["term"]]
    return arrived


#: What the likest line must reach, by vector or by words, for a question that names nobody and no time: else it is nonsense here.
NEAR_ENOUGH = 0.3
SAID_ENOUGH = 0.25
#: The same for a question about one who speaks in the chats without a name, as *I* or *you*: there is much that it may be about.
NEAR_ENOUGH_OF_SPEAKER = 0.2


def _is_answered(rows: Collection[Mapping[str, Any]], cue: Cue, speaker: Speaker | None, baseline: float) -> bool:
    """Whether the lines can have anything to do with the question: nonsense is answered with nothing."""
    if not rows or cue.names or cue.times:
        return bool(rows)
    nearest = max((row["cosine"] for row in rows if row["cosine"] is not None), default=-1.0)
    said = max(row["words"] for row in rows)
    near_enough = NEAR_ENOUGH_OF_SPEAKER if speaker else NEAR_ENOUGH
    return bool(said >= SAID_ENOUGH or calibrate(np.array([nearest]), baseline)[0] >= near_enough)


def _pool(cue: Cue, vector: Vector | None, corpus: Corpus, store: Store, settings: Settings) -> dict[str, dict[str, Any]]:
    """Rows by message id with both channels: ``score`` (BM25, and as ``words`` in 0..1) and ``cosine`` (``None`` without)."""
    rows: dict[str, dict[str, Any]] = {}
    wanted = sorted(set(cue.terms))
    found = {row["text"]: row["message_df"] for row in store.query("recall.term_frequencies", terms=wanted)} if wanted else {}
    sought = sought_terms(wanted, found, corpus)
    constants = bm25_constants(corpus, settings)
    if sought.terms:
        for row in store.query("recall.message_words", terms=list(sought.terms), limit=POOL, **constants):
            words = lexical(np.array([row["score"]]), np.array([min(row["matched"] / sought.total, 1.0)]))
            rows[row["id"]] = {**row, "words": float(words[0]), "cosine": None}
    things = sorted({thing for some in cue.kinds.values() for thing in some} - set(cue.terms))
    if things:
        _add_things(rows, store.query("recall.message_words", terms=things, limit=POOL, **constants))
    if vector is not None:
        _add_cosines(rows, vector, store)
    return rows


def _add_things(rows: dict[str, dict[str, Any]], found: Sequence[Mapping[str, Any]]) -> None:
    """A line that says things of the kind asked for is likelier, but by that alone it answers nothing: ``words`` stay."""
    for row in found:
        known = rows.get(row["id"], {"score": 0.0, "words": 0.0, "cosine": None})
        rows[row["id"]] = {**row, **known, "score": known["score"] + THING * row["score"]}


def bm25_constants(corpus: Corpus, settings: Settings) -> dict[str, float]:
    """The parameters of BM25."""
    return {
        "number": float(corpus.number),
        "k1": settings.bm25_k1,
        "b": settings.bm25_b,
        "mean_length": corpus.mean_length,
    }


def _add_cosines(rows: dict[str, dict[str, Any]], vector: Vector, store: Store) -> None:
    for row in store.query("recall.message_cosines", vector=vector, limit=POOL):
        rows[row["id"]] = {"score": 0.0, "words": 0.0, **rows.get(row["id"], {}), **row}
    missing = [message for message, row in rows.items() if row["cosine"] is None]
    if missing:
        for row in store.query("recall.message_cosines_of", ids=missing, vector=vector):
            rows[row["id"]]["cosine"] = row["cosine"]


def _lines(rows: Sequence[Mapping[str, Any]], cue: Cue, speaker: Speaker | None) -> Lines:
    sittings = [(row["chat"], row["session"]) for row in rows]
    chats = {chat: number for number, chat in enumerate(sorted({chat for chat, _ in sittings}))}
    sessions = {sitting: number for number, sitting in enumerate(sorted(set(sittings)))}
    return Lines(
        bm25=np.array([row["score"] for row in rows], dtype=np.float64),
        cosine=np.array([np.nan if row["cosine"] is None else row["cosine"] for row in rows], dtype=np.float64),
        chat=np.array([chats[chat] for chat, _ in sittings], dtype=np.int64),
        session=np.array([sessions[sitting] for sitting in sittings], dtype=np.int64),
        index=np.array([row["index"] for row in rows], dtype=np.int64),
        named=np.array([float(speaker is not None and row["speaker"] in speaker.names) for row in rows], dtype=np.float64),
        asks=np.array([float(row["asks"]) for row in rows], dtype=np.float64),
        in_time=np.array([_in_time(row, cue) for row in rows], dtype=np.float64),
    )


def _in_time(row: Mapping[str, Any], cue: Cue) -> float:
    when = row["sent_at"]
    if when is None or not cue.times:
        return 0.0
    return float(max(overlap(when, when, mention.start, mention.stop) for mention in cue.times))
