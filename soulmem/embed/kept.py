"""An embedder whose vectors are handed over while they are made: who is interrupted in a long run need not begin anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

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
        self._new: list[tuple[Sequence[str], NDArray[np.floating]]] = []

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
        rows = checked_rows(self._embedder.passages(texts), len(texts), self.dimension, self.name)
        self._new.append((texts, rows.copy()))  # an embedder may use its array again
        if self._clock() - self._last >= self._seconds:
            new = dict(self._vectors())
            self._keep(new)
            self.kept |= new.keys()
            self._new = []
            self._last = self._clock()
        return rows

    def _vectors(self) -> Iterator[tuple[str, Vector]]:
        """What was embedded since it was handed over last, by cache id: of a run that is soon over nobody asks for it."""
        for texts, rows in self._new:
            ids = (cache_id(self.name, Side.PASSAGE, text) for text in texts)
            yield from zip(ids, unit_rows(rows), strict=True)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of ``texts``, shape (number of texts, dimension)."""
        return self._embedder.queries(texts)
