"""Rankings of lines that soulmem is measured beside: words, vectors, and their mixes, each written down plainly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from soulmem.recall.evidence import standard
from soulmem.text.tokens import is_stop, search_terms

Floats = NDArray[np.float64]
Terms = Callable[[str], Sequence[str]]


def terms_of(text: str) -> list[str]:
    """The words of a text (English ones as their stems), without stop words."""
    return [term for term in search_terms(text) if not is_stop(term)]


class Words:
    """BM25 over ``texts``, cut into words by ``terms``."""

    def __init__(self, texts: Sequence[str], terms: Terms, k1: float = 1.2, b: float = 0.75) -> None:
        self.terms = terms
        self.counts = [Counter(terms(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in self.counts], dtype=np.float64)
        self._k1, self._norm = k1, k1 * (1.0 - b + b * lengths / lengths.mean())
        self._having = Counter(term for count in self.counts for term in count)

    def weight(self, term: str) -> float:
        """Its inverse document frequency."""
        return math.log(1.0 + (len(self.counts) - self._having[term] + 0.5) / (self._having[term] + 0.5))

    def scores(self, question: str) -> Floats:
        """BM25 of every text."""
        scores = np.zeros(len(self.counts))
        for term in sorted(set(self.terms(question))):
            found = np.array([count[term] for count in self.counts], dtype=np.float64)
            scores += self.weight(term) * found * (self._k1 + 1.0) / (found + self._norm)
        return scores

    def walk(self, rarest: int) -> scipy.sparse.csr_matrix:
        """Transitions from line to line over the words that at most ``rarest`` lines have, by their weight."""
        kept = sorted(term for term, number in self._having.items() if number <= rarest)
        places = {term: place for place, term in enumerate(kept)}
        cells = [(line, places[term]) for line, count in enumerate(self.counts) for term in count if term in places]
        rows, columns = (np.array(part, dtype=np.int64) for part in zip(*cells, strict=True))
        weights = np.array([self.weight(kept[column]) for column in columns])
        links = scipy.sparse.csr_matrix((weights, (rows, columns)), shape=(len(self.counts), len(kept)))
        return _by_row(links) @ _by_row(links.T.tocsr())


def _by_row(links: scipy.sparse.csr_matrix) -> scipy.sparse.csr_matrix:
    totals = np.asarray(links.sum(axis=1)).ravel()
    return scipy.sparse.diags(1.0 / np.where(totals > 0, totals, 1.0)) @ links


def with_neighbours(scores: Floats, weight: float = 0.5) -> Floats:
    """What the lines just before and after say counts too."""
    return np.convolve(scores, [weight, 1.0, weight], mode="same")


@dataclass(frozen=True, kw_only=True)
class Said:
    """Lines of one chat: their session, and 1 where the speaker is the one whom the question names."""

    session: NDArray[np.int64]
    named: Floats


def rows(words: Words, walk: scipy.sparse.csr_matrix, dense: Floats, question: str, said: Said) -> dict[str, Floats]:
    """The score of every line, by the name of the peer; each adds to the one before it."""
    lexical = words.scores(question)
    mix = 0.4 * standard(lexical) + 0.6 * standard(dense)
    best = np.array([np.sort(mix[said.session == number])[::-1][:3].mean() for number in range(said.session.max() + 1)])
    context = with_neighbours(mix) + 0.5 * standard(best)[said.session]
    speaker = context + context.std() * said.named
    return {
        "dense": dense,
        "BM25": lexical,
        "0.5/0.5": standard(lexical) + standard(dense),
        "0.6/0.4, neighbours, session": context,
        "and the named speaker": speaker,
        "and a walk over rarer words": speaker + 0.3 * speaker.std() * standard(np.log(_walked(walk, speaker) + 1e-9)),
    }


def _walked(walk: scipy.sparse.csr_matrix, scores: Floats, seeds: int = 15, damping: float = 0.65) -> Floats:
    """Personalised PageRank from the best lines."""
    best = np.argsort(-scores, kind="stable")[:seeds]
    start = np.zeros(len(scores))
    start[best] = scores[best] - scores[best].min() + 0.1
    start /= start.sum()
    mass = start
    for _ in range(30):
        mass = damping * (walk.T @ mass) + (1.0 - damping) * start
    return np.asarray(mass)
