"""What the rest of soulmem asks of an embedder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into unit vectors. Two sides: a *query* looks for *passages*."""

    @property
    def name(self) -> str:
        """Identifies model and pooling: two embedders of one name give the same vectors (``e5``, ``bge:BAAI/bge-m3`` …)."""
        ...

    @property
    def dimension(self) -> int: ...

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), each row of length 1 (an empty text: a zero row)."""
        ...

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As :meth:`queries`, for the texts that are looked for."""
        ...
