"""No text is embedded twice: what was asked before is taken from where the caller keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from soulmem.embed.contract import Embedder
from soulmem.embed.texts import batches, checked_rows, is_blank, unit_rows, units_of
from soulmem.model.changes import Vector

_BATCH_CHARACTERS = 16_384

#: ``known(ids)``: the vectors that are already there, by cache id; ids it does not know are left out.
Known = Callable[[Sequence[str]], Mapping[str, Vector]]

#: ``progress(done, total)``: texts embedded so far, of those that had to be embedded.
Progress = Callable[[int, int], None]


class Side(StrEnum):
    """A *query* looks for *passages*."""

    QUERY = "query"
    PASSAGE = "passage"


class Embedded(NamedTuple):
    """``vectors``: text → unit vector (zero for a blank text). ``new``: cache id → vector, for those that had to be embedded.
    ``ids``: text → its cache id."""

    vectors: dict[str, Vector]
    new: dict[str, Vector]
    ids: dict[str, str]


def nothing_known(ids: Sequence[str]) -> Mapping[str, Vector]:
    """A cache that is empty."""
    return {}


def cache_id(embedder_name: str, side: Side | str, text: str) -> str:
    """``<embedder>/<side>/<sha256 of the text>``: the id of a text's vector in the mind."""
    return f"{embedder_name}/{Side(side)}/{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def embed_texts(
    embedder: Embedder,
    texts: Iterable[str],
    side: Side | str,
    known: Known = nothing_known,
    *,
    progress: Progress | None = None,
    batch_size: int = 64,
) -> Embedded:
    """Vectors of ``texts``, each different text embedded at most once and only if ``known`` does not have it.

    The shorter texts come first, so that a batch holds texts of like length; the order, and with it every batch, depends on
    the texts alone. Blank texts get the zero vector without being asked for; a kept vector that is zero, or has another length,
    was damaged (Kùzu 0.11.3 may lose lists of mostly the same number), and is made anew. Raises :class:`EmbedderError`.
    """
    side = Side(side)
    ids = {text: cache_id(embedder.name, side, text) for text in texts}
    asked = {text: id_ for text, id_ in ids.items() if not is_blank(text)}
    kept = known(list(asked.values())) if asked else {}
    cached = _sound(kept, embedder.dimension)
    missing = sorted((text for text, id_ in asked.items() if id_ not in cached), key=lambda text: (len(text), text))
    fresh = _embed_missing(embedder, missing, side, progress, batch_size)
    new = {ids[text]: vector for text, vector in fresh.items()}
    found = {**cached, **new}
    blank = np.zeros(embedder.dimension, dtype=np.float32)
    return Embedded({text: found.get(id_, blank) for text, id_ in ids.items()}, new, ids)


def _embed_missing(
    embedder: Embedder, texts: Sequence[str], side: Side, progress: Progress | None, batch_size: int
) -> dict[str, Vector]:
    encode = embedder.queries if side is Side.QUERY else embedder.passages
    vectors: dict[str, Vector] = {}
    for batch in batches(texts, count=batch_size, characters=_BATCH_CHARACTERS):
        rows = checked_rows(encode(batch), len(batch), embedder.dimension, embedder.name)
        vectors.update(zip(batch, unit_rows(rows), strict=True))
        if progress is not None:
            progress(len(vectors), len(texts))
    return vectors


def _sound(kept: Mapping[str, Vector], dimension: int) -> dict[str, Vector]:
    """The kept vectors that are vectors of this dimension, of length 1."""
    of_length = {id_: vector for id_, vector in kept.items() if vector.shape == (dimension,)}
    units = zip(of_length, units_of(of_length.values()), strict=True)
    return {id_: unit for id_, unit in units if unit is not None}
