"""A stand-in that needs no model: texts that share search terms are near each other.

Feature hashing (Weinberger et al., 2009, https://arxiv.org/abs/0902.2206): every feature of a text is hashed to a place and a
sign. It knows nothing of meaning, but it is exact, the same on every machine, and needs numpy only: for tests, for demos, and
for machines where no model can run.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.texts import plain_text, unit_rows
from soulmem.text.tokens import is_stop, search_terms

_DIMENSION = 256


class HashingEmbedder:
    """Signed feature hashing of the search terms (:mod:`soulmem.text.tokens`). Both sides are the same."""

    @property
    def name(self) -> str:
        return "hashing"

    @property
    def dimension(self) -> int:
        return _DIMENSION

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), 256), rows of length 1; blank texts give zero rows."""
        rows = np.zeros((len(texts), _DIMENSION))
        for row, text in zip(rows, texts, strict=True):
            _add_features(row, text)
        return unit_rows(rows)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same as :meth:`queries`."""
        return self.queries(texts)


def _add_features(row: NDArray[np.float64], text: str) -> None:
    """Each feature counts 1 + ln(how often it occurs). Where they cancel each other out, the first stands for all."""
    features = Counter(_features(plain_text(text)))
    for feature, count in features.items():
        place, sign = _slot(feature)
        row[place] += sign * (1 + math.log(count))
    if features and not row.any():
        place, sign = _slot(next(iter(features)))
        row[place] = sign


def _features(text: str) -> list[str]:
    """The search terms that are not stop words, or what there is: stop words, or signs in a text of signs only."""
    terms = search_terms(text)
    return [term for term in terms if not is_stop(term)] or terms or text.split()


@lru_cache(maxsize=2**16)
def _slot(feature: str) -> tuple[int, float]:
    number = int.from_bytes(blake2b(feature.encode(), digest_size=8).digest(), "big")
    return number % _DIMENSION, 1.0 if number >> 63 else -1.0
