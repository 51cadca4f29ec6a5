"""Which lines of a conversation hold the answer: turn-level evidence, over arrays.

Words and vectors each know half; the rest is context. A line's neighbours speak of the same thing, a session that was about
the question holds more than one line of it, and who said it counts. All parts are standardised scores, so that no channel drowns
the others whatever its scale. From the best lines a walk of two steps leads on, over the rarer words they share with others: so a
line is found that has no word of the question.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceWeights:
    """How much each part counts, in standard deviations. ``lexical`` is the share of words against vectors, 0..1; the walk sets
    out from the ``walk_from`` best lines."""

    lexical: float = 0.4
    neighbour: float = 0.4
    second_neighbour: float = 0.2
    answer: float = 0.4
    session: float = 0.5
    session_best: int = 3
    speaker: float = 1.0
    time: float = 2.0
    walk: float = 0.3
    walk_from: int = 15

    def scattered(self) -> EvidenceWeights:
        """For a question whose answer stands in many places: what is beside one of them tells nothing of the others."""
        return replace(self, neighbour=0.0, second_neighbour=0.0, answer=0.0, session=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """The lines that compete, in the order of their chats. All arrays have the same length n.

    ``bm25`` ≥ 0 and ``cosine`` (NaN where there is no vector) are the channels; ``chat`` and ``session`` number the chat and the
    session within all lines; ``index`` is the number within the chat; ``named`` marks lines of the speaker the question names,
    ``in_time`` (0..1) those of the time it names; ``asks`` marks lines that ask something.
    """

    bm25: Floats
    cosine: Floats
    chat: Ints
    session: Ints
    index: Ints
    named: Floats
    in_time: Floats
    asks: Floats


def standard(values: Floats) -> Floats:
    """Mean 0 and deviation 1; all equal: zeros."""
    deviation = values.std() if len(values) else 0.0
    return np.asarray((values - values.mean()) / deviation) if deviation > 1e-12 else np.zeros_like(values)


def channel_score(lines: Lines, weights: EvidenceWeights) -> Floats:
    """Words and vectors, standardised and mixed; the one there is where the other is silent everywhere."""
    words = standard(lines.bm25)
    if np.isnan(lines.cosine).all():
        return words
    low = np.nanmin(lines.cosine)
    dense = standard(np.where(np.isnan(lines.cosine), low, lines.cosine))
    if not lines.bm25.any():
        return dense
    return standard(weights.lexical * words + (1.0 - weights.lexical) * dense)


def _follows(lines: Lines, distance: int) -> NDArray[np.bool_]:
    """For every line from number ``distance`` on: whether the line ``distance`` places before it is so far before it in the
    same session of the same chat."""
    together = (lines.session[distance:] == lines.session[:-distance]) & (lines.chat[distance:] == lines.chat[:-distance])
    return np.asarray(together & (lines.index[distance:] - lines.index[:-distance] == distance))


def neighbour_score(base: Floats, lines: Lines, distance: int = 1) -> Floats:
    """What the lines ``distance`` before and after say, within the same session."""
    total = np.zeros_like(base)
    follows = _follows(lines, distance)
    total[distance:] += np.where(follows, base[:-distance], 0.0)
    total[:-distance] += np.where(follows, base[distance:], 0.0)
    return total


def answer_score(base: Floats, lines: Lines) -> Floats:
    """What the line just before asks: a line that follows a question is likely to be about what was asked."""
    total = np.zeros_like(base)
    total[1:] = np.where(_follows(lines, 1), base[:-1] * lines.asks[:-1], 0.0)
    return total


def session_score(base: Floats, session: Ints, best: int) -> Floats:
    """Mean of the ``best`` highest lines of each line's session, standardised over sessions."""
    numbers, position = np.unique(session, return_inverse=True)
    means = np.empty(len(numbers))
    for number in range(len(numbers)):
        members = np.sort(base[position == number])[::-1]
        means[number] = members[:best].mean()
    return standard(means)[position]


def evidence_scores(lines: Lines, weights: EvidenceWeights) -> dict[str, Floats]:
    """Score of every line, by part and as ``total``. Higher is better; only the order within one question means anything."""
    base = channel_score(lines, weights)
    parts = {
        "channels": base,
        "neighbours": weights.neighbour * neighbour_score(base, lines)
        + weights.second_neighbour * neighbour_score(base, lines, distance=2),
        "answer": weights.answer * answer_score(base, lines),
        "session": weights.session * session_score(base, lines.session, weights.session_best),
    }
    total = parts["channels"] + parts["neighbours"] + parts["answer"] + parts["session"]
    spread = total.std() if len(total) else 0.0
    parts["speaker"] = weights.speaker * spread * lines.named
    parts["time"] = weights.time * spread * lines.in_time
    return {**parts, "total": total + parts["speaker"] + parts["time"]}


#: In a walk over words: what its neighbours in time count in the degree of a line, in bits of inverse document frequency.
_NEIGHBOURS_DEGREE = 6.0
#: The least mass of a line that a walk sets out from, in units of score above the last of them.
_LEAST_MASS = 0.1


def walk_seeds(total: Floats, number: int) -> dict[int, float]:
    """The ``number`` best lines (places) and the mass with which a walk sets out from each; sum 1."""
    best = np.lexsort((np.arange(len(total)), -np.round(total, 9)))[:number]
    masses = total[best] - total[best].min(initial=np.inf) + _LEAST_MASS
    return dict(zip(best.tolist(), (masses / masses.sum()).tolist(), strict=True)) if len(best) else {}


def term_masses(seeds: Mapping[str, float], rows: Iterable[tuple[str, str, int]], lines: int) -> dict[str, float]:
    """The mass that each line receives from each word: two steps of a walk, from the lines to
    their words and from each word to its lines.

    ``seeds``: line → mass. ``rows``: (line, term, in how many lines the term occurs) of the seeds. ``lines``: how many lines
    there are. A line passes its mass to its words by their inverse document frequency, a word to its lines in equal parts.
    """
    weights: dict[str, dict[str, float]] = {}
    frequencies: dict[str, int] = {}
    for line, term, frequency in rows:
        frequencies[term] = frequency
        weights.setdefault(line, {})[term] = math.log(1.0 + (lines - frequency + 0.5) / (frequency + 0.5))
    masses: dict[str, float] = {}
    for line, mine in sorted(weights.items()):
        degree = sum(mine.values()) + _NEIGHBOURS_DEGREE
        for term, weight in mine.items():
            masses[term] = masses.get(term, 0.0) + seeds[line] * weight / degree / frequencies[term]
    return masses


def with_walk(parts: Mapping[str, Floats], arrived: Floats, weights: EvidenceWeights) -> dict[str, Floats]:
    """``parts`` of :func:`evidence_scores` with the mass that ``arrived`` at every line."""
    spread = parts["total"].std() if len(arrived) else 0.0
    walk = weights.walk * spread * standard(arrived)
    return {**parts, "walk": walk, "total": parts["total"] + walk}
