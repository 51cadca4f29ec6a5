"""An embedder whose vectors are handed over while they are made: who is interrupted in a long run need not begin anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.cache import Side, cache_id
from soulmem.embed.contract import Embedder
from soulmem.embed.texts import checked_rows, unit_rows
from soulmem.model.changes import Vector

#: ``keep(vectors)``: cache id → vector, of passages that were embedded since the last call.
Keep = Callable[[Mapping[str, Vector]], None]


class KeptEmbedder:
    """``embedder``, with ``keep`` told every ``seconds`` (of ``clock``) what was embedded since. What is left at the end is the
    caller's: all but what is :attr:`kept`."""

    def __init__(self, embedder: Embedder, keep: Keep, *, seconds: float, clock: Callable[[], float]) -> None:
        self._embedder = embedder
        self._keep = keep
        self._seconds = seconds
        self._clock = clock
        #: Cache ids of the vectors that ``keep`` was told of.
        self.kept: set[str] = set()
        self._last = clock()
        self._new: dict[str, Vector] = {}

    @property
    def name(self) -> str:
        """Of the embedder that is asked."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Of its vectors."""
        return self._embedder.dimension

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of ``texts``, shape (number of texts, dimension)."""
        rows = self._embedder.passages(texts)
        vectors = unit_rows(checked_rows(rows, len(texts), self.dimension, self.name))
        self._new |= {cache_id(self.name, Side.PASSAGE, text): vector for text, vector in zip(texts, vectors, strict=True)}
        if self._clock() - self._last >= self._seconds:
            self._keep(self._new)
            self.kept |= self._new.keys()
            self._new = {}
            self._last = self._clock()
        return rows

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of ``texts``, shape (number of texts, dimension)."""
        return self._embedder.queries(texts)
