"""No text is embedded twice, and nobody can tell from the result which came from the cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from soulmem.embed.cache import Embedded, Side, cache_id, embed_texts
from soulmem.embed.hashing import HashingEmbedder
from soulmem.errors import EmbedderError
from soulmem.model.changes import Vector

TEXT = st.text(alphabet=st.sampled_from("ab c猫辣\x00\ud800🙂\n"), max_size=12)


class Watched:
    """The hashing embedder, with a list of what it was asked."""

    name = "hashing"
    dimension = 256

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.append(("query", list(texts)))
        return HashingEmbedder().queries(texts)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.append(("passage", list(texts)))
        return HashingEmbedder().passages(texts)


def from_store(stored: Mapping[str, Vector]) -> Callable[[Sequence[str]], Mapping[str, Vector]]:
    return lambda ids: {id_: stored[id_] for id_ in ids if id_ in stored}


@given(st.lists(TEXT, max_size=20), st.lists(TEXT, max_size=20), st.integers(1, 7))
@settings(deadline=None, max_examples=120)
def test_each_text_is_asked_for_once_ever(first: list[str], second: list[str], batch_size: int) -> None:
    watched, store = Watched(), {}
    for texts in (first, second, first + second):
        embedded = embed_texts(watched, texts, Side.PASSAGE, from_store(store), batch_size=batch_size)
        assert not store.keys() & embedded.new.keys()
        store |= embedded.new
        expected = HashingEmbedder().passages(texts)
        assert set(embedded.vectors) == set(texts)
        assert all(np.allclose(embedded.vectors[text], row, atol=1e-6) for text, row in zip(texts, expected, strict=True))
    asked = [text for _, batch in watched.asked for text in batch]
    assert len(asked) == len(set(asked))
    assert all(len(batch) <= batch_size for _, batch in watched.asked)
    assert set(asked) == {text for text in first + second if text.replace("\x00", " ").strip()}


@given(st.lists(TEXT, max_size=20), st.randoms())
@settings(deadline=None, max_examples=60)
def test_the_batches_depend_on_the_texts_alone(texts: list[str], random: Random) -> None:
    shuffled = [*texts, *texts]
    random.shuffle(shuffled)
    one, other = Watched(), Watched()
    embed_texts(one, texts, "passage", batch_size=3)
    embed_texts(other, shuffled, "passage", batch_size=3)
    assert one.asked == other.asked


def test_the_ids_are_those_of_the_schema() -> None:
    assert cache_id("bge:a/b", Side.QUERY, "辣") == f"bge:a/b/query/{sha256('辣'.encode()).hexdigest()}"
    embedded = embed_texts(Watched(), ["辣"], "passage")
    assert list(embedded.new) == [cache_id("hashing", "passage", "辣")]
    assert len({cache_id("e5", side, text) for side in Side for text in ("\ud800", "\udfff", "?", "\ufffd", "")}) == 10


def test_sides_are_kept_apart() -> None:
    watched = Watched()
    passages = embed_texts(watched, ["a"], Side.PASSAGE)
    embed_texts(watched, ["a"], Side.QUERY, from_store(passages.new))
    assert watched.asked == [("passage", ["a"]), ("query", ["a"])]
    with pytest.raises(ValueError, match="neither"):
        embed_texts(watched, ["a"], "neither")


def test_progress_counts_what_has_to_be_embedded() -> None:
    told: list[tuple[int, int]] = []
    texts = [f"text {number}" for number in range(10)]
    known = embed_texts(Watched(), texts[:3], "passage").new
    embed_texts(
        Watched(), [*texts, "", *texts], "passage", from_store(known), progress=lambda *step: told.append(step), batch_size=3
    )
    assert told == [(3, 7), (6, 7), (7, 7)]


def test_nothing_to_embed_asks_nobody() -> None:
    def nobody(ids: Sequence[str]) -> Mapping[str, Vector]:
        raise AssertionError(f"asked for {ids}")

    watched = Watched()
    assert embed_texts(watched, [], "query", nobody) == Embedded({}, {}, {})
    blank = embed_texts(watched, ["", " ", "\x00"], "query", nobody)
    assert not np.any(list(blank.vectors.values()))
    assert not blank.new
    assert not watched.asked


def test_a_known_vector_that_is_zero_was_damaged_and_is_made_anew() -> None:
    id_ = cache_id("hashing", "passage", "a")
    found = embed_texts(Watched(), ["a"], "passage", from_store({id_: np.zeros(256, dtype=np.float32)}))
    assert found.vectors["a"].any() and set(found.new) == {id_}


def test_a_known_vector_is_believed_but_not_one_of_another_length() -> None:
    id_ = cache_id("hashing", "passage", "a")
    given_vector = np.full(256, 1 / 16, dtype=np.float32)
    assert (embed_texts(Watched(), ["a"], "passage", from_store({id_: given_vector})).vectors["a"] == given_vector).all()
    for damaged in (np.ones(3), np.zeros(256), np.zeros(0)):
        made = embed_texts(Watched(), ["a"], "passage", from_store({id_: damaged.astype(np.float32)}))
        assert made.new.keys() == {id_} and (made.vectors["a"] == Watched().passages(["a"])[0]).all()


def test_a_known_vector_is_brought_to_length_one() -> None:
    id_ = cache_id("hashing", "passage", "a")
    found = embed_texts(Watched(), ["a"], "passage", from_store({id_: np.full(256, 3 / 16, dtype=np.float32)}))
    assert (found.vectors["a"] == np.full(256, 1 / 16, dtype=np.float32)).all() and not found.new


@pytest.mark.parametrize(
    ("rows", "what"), [(np.zeros((1, 256)), "shape"), (np.zeros((2, 3)), "shape"), (np.full((2, 256), np.nan), "not finite")]
)
def test_an_embedder_that_answers_nonsense_is_refused(rows: NDArray[np.float64], what: str) -> None:
    class Wrong(Watched):
        def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return rows.astype(np.float32)

    with pytest.raises(EmbedderError, match=what):
        embed_texts(Wrong(), ["a", "b"], "passage")
