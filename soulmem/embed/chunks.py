"""Long texts in pieces: a model reads only so much at once, so the pieces are embedded and their mean taken."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.texts import is_blank, plain_text, spread, unit_rows

#: Where to cut, the best place first: after a sentence or a line, after a clause, after a word.
_CUTS = (re.compile(r"[。！？!?…\n]+[”’」』）)\"']*|\.(?=\s)"), re.compile(r"[，、；：,;:—]+"), re.compile(r"\s+"))


def chunks(text: str, size: int) -> list[str]:
    """``text`` in pieces of like length, at most ``size`` characters each, cut after sentences, clauses or words where there is
    such a place, else anywhere. Joined they are ``text`` again."""
    pieces: list[str] = []
    start = 0
    while (left := len(text) - start) > size:
        end = _cut(text, start, start + math.ceil(left / math.ceil(left / size)), start + size)
        pieces.append(text[start:end])
        start = end
    return [*pieces, text[start:]]


def _cut(text: str, start: int, wanted: int, limit: int) -> int:
    """The best place of the best kind: nearest to ``wanted``, not after ``limit``, and not in the first half."""
    for places in _CUTS:
        ends = [match.end() for match in places.finditer(text, (start + wanted) // 2, limit)]
        if ends:
            return min(ends, key=lambda end: abs(end - wanted))
    return wanted


def embed_in_chunks(
    texts: Sequence[str], size: int, dimension: int, encode: Callable[[list[str]], NDArray[np.floating]]
) -> NDArray[np.float32]:
    """Unit rows for ``texts``: the mean of the unit rows of their chunks; zero for a blank text.

    ``encode(pieces)`` gives one row for each piece, shape (len(pieces), dimension).
    """
    blank = [is_blank(text) for text in texts]
    cut = [_readable(plain_text(text), size) for text, empty in zip(texts, blank, strict=True) if not empty]
    if not cut:
        return np.zeros((len(texts), dimension), dtype=np.float32)
    rows = unit_rows(encode([piece for parts in cut for piece in parts]))
    starts = [0, *accumulate(len(parts) for parts in cut[:-1])]
    return spread(unit_rows(np.add.reduceat(rows, starts, axis=0)), blank, dimension)


def _readable(text: str, size: int) -> list[str]:
    """The chunks with something in them, without the white space at their ends."""
    return [chunk.strip() for chunk in chunks(text, size) if not is_blank(chunk)]
