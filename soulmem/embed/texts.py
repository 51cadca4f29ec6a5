"""What embedders do to texts before and to vectors after: the same for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from soulmem.errors import EmbedderError

#: So many vectors are looked at together.
_BLOCK = 1024

Row = TypeVar("Row", bound=NDArray[np.floating])


def plain_text(text: str) -> str:
    """``text`` without what tokenizers choke on: NUL (ends a C string early) becomes a space, a lone surrogate U+FFFD."""
    return text.replace("\x00", " ").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def is_blank(text: str) -> bool:
    """Whether there is nothing in ``text`` to embed; its vector is zero."""
    return not text.replace("\x00", " ").strip()


def batches(texts: Sequence[str], *, count: int, characters: int) -> Iterator[Sequence[str]]:
    """``texts`` in order, in runs of at most ``count`` texts and ``characters`` characters (a longer text stands alone)."""
    start = length = 0
    for place, text in enumerate(texts):
        if place > start and (place - start == count or length + len(text) > characters):
            yield texts[start:place]
            start, length = place, 0
        length += len(text)
    if start < len(texts):
        yield texts[start:]


def unit_rows(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Each row brought to length 1, in double precision; zero rows stay zero. Shape (n, dimension)."""
    exact = np.asarray(vectors, dtype=np.float64)
    peak = np.max(np.abs(exact), axis=1, keepdims=True, initial=0.0)
    scaled = np.divide(exact, peak, out=np.zeros_like(exact), where=peak > 0)
    length = np.linalg.norm(scaled, axis=1, keepdims=True)
    rows: NDArray[np.float32] = np.divide(scaled, length, out=scaled, where=length > 0).astype(np.float32)
    return rows


def units_of(rows: Iterable[NDArray[np.floating]]) -> Iterator[NDArray[np.float32] | None]:
    """Each row brought to length 1, ``None`` for a zero row; in blocks, since they are computed in double precision."""
    for block in _blocks(rows):
        yield from full_rows(unit_rows(np.array(block)))


def full_rows(rows: Iterable[NDArray[np.float32]]) -> Iterator[NDArray[np.float32] | None]:
    """Each row, the very same one, and ``None`` for a zero row."""
    for block in _blocks(rows):
        yield from (row if some else None for row, some in zip(block, np.any(np.array(block), axis=1).tolist(), strict=True))


def _blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(rows)
    while block := list(islice(left, _BLOCK)):
        yield block


def checked_rows(vectors: NDArray[np.floating], rows: int, dimension: int, name: str) -> NDArray[np.floating]:
    """``vectors`` as they are, if they are ``rows`` finite rows of ``dimension``; else :class:`EmbedderError`."""
    if vectors.shape != (rows, dimension):
        raise EmbedderError(
            f"embedder {name} answered {rows} texts with an array of shape {vectors.shape}, expected ({rows}, {dimension})"
        )
    if not np.isfinite(vectors).all():
        row = int(np.argmin(np.isfinite(vectors).all(axis=1)))
        raise EmbedderError(
            f"embedder {name} answered text {row + 1} of {rows} with a vector that is not finite",
            advice="Nothing was stored. Try again, or use another embedder.",
        )
    return vectors


def spread(rows: NDArray[np.float32], blank: Sequence[bool], dimension: int) -> NDArray[np.float32]:
    """The rows of the texts that are not blank put back in their places, zero rows for the blank ones."""
    whole = np.zeros((len(blank), dimension), dtype=np.float32)
    whole[~np.asarray(blank, dtype=bool)] = rows
    return whole
