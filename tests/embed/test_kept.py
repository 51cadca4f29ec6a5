"""What is handed over while it is embedded is what is made in the end, to the last bit, and nothing is handed over twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from soulmem.embed.cache import Side, cache_id, embed_texts
from soulmem.embed.hashing import HashingEmbedder
from soulmem.embed.kept import KeptEmbedder
from soulmem.errors import EmbedderError
from soulmem.model.changes import Vector


class Reusing:
    """An embedder that gives the same array again and again, with vectors of all lengths."""

    name = "reusing"
    dimension = 256

    def __init__(self) -> None:
        self._rows = np.zeros((64, 256))

    def passages(self, texts: Sequence[str]) -> NDArray[np.floating]:
        rows = self._rows[: len(texts)]
        rows[:] = HashingEmbedder().passages(texts) * np.array([[1.0 + len(text)] for text in texts])
        return rows

    queries = passages


@given(st.lists(st.text("ab 猫辣", min_size=1, max_size=9), unique=True, max_size=40), st.integers(1, 7), st.integers(0, 5))
def test_what_was_handed_over_and_what_is_left_are_all_there_is(texts: list[str], batch: int, seconds: int) -> None:
    told: list[Mapping[str, Vector]] = []
    clock = iter(range(10_000))
    keeping = KeptEmbedder(Reusing(), told.append, seconds=seconds, clock=lambda: float(next(clock)))
    made = embed_texts(keeping, texts, Side.PASSAGE, batch_size=batch).new
    handed = {id_: vector for some in told for id_, vector in some.items()}
    assert sum(map(len, told)) == len(handed) and keeping.kept == handed.keys() <= made.keys()
    assert all(np.array_equal(handed[id_], made[id_]) for id_ in handed)
    assert made.keys() == {cache_id("reusing", Side.PASSAGE, text) for text in texts if text.strip()}


class Wrong(Reusing):
    def passages(self, texts: Sequence[str]) -> NDArray[np.floating]:
        return np.full((len(texts), self.dimension), np.nan)


def test_what_is_no_vector_is_handed_to_nobody() -> None:
    told: list[Mapping[str, Vector]] = []
    keeping = KeptEmbedder(Wrong(), told.append, seconds=0, clock=lambda: 0.0)
    with pytest.raises(EmbedderError, match="not finite"):
        keeping.passages(["a"])
    assert not told and not keeping.kept
