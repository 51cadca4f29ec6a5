"""What the engine is spared: words whose keys it would take for one another, and loads for which it has no room."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from store_minds import NOW, message

from soulmem.model.changes import Change
from soulmem.store.apply import GROUP_ROWS, TEXT_ROOM, bulk_bytes
from soulmem.store.keys import term_key
from soulmem.store.rows import embedding_bytes, embedding_text

WORDS = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=12)


@given(st.lists(WORDS, unique=True))
def test_words_have_keys_of_their_own(words):
    assert len({term_key(word) for word in words}) == len(words)


@given(WORDS)
def test_a_key_is_the_word_filled_up(word):
    assert term_key(word).rstrip(" ") == word


@given(WORDS)
def test_what_is_not_ascii_is_hashed_by_eight_bytes_or_more(word):
    assert word.isascii() or len(term_key(word).encode()) >= 8


@given(st.integers(1, 2000))
def test_a_kept_vector_is_as_long_as_is_reckoned_with(dimension):
    assert len(embedding_text(np.ones(dimension, np.float32))) == embedding_bytes(dimension)


def test_more_room_is_asked_for_where_more_rows_are_there():
    kept = {f"e{n}": np.ones(4, np.float32) for n in range(400)}
    change = Change(command="t", what="t", at=NOW, embeddings=kept)
    needs = [bulk_bytes(change, 4, 1000, there) for there in (0, 1000, GROUP_ROWS, 10 * GROUP_ROWS)]
    assert needs[0] < needs[1] < needs[2] == needs[3]
    assert bulk_bytes(Change(command="t", what="t", at=NOW), 4, 1000, GROUP_ROWS) == 0


def test_long_texts_need_more_memory():
    """For a chat of 70 MB with a hundred lines the engine had not enough."""
    needs = []
    for text in ("a", "a" * 10**5, "茶" * 10**5):
        said = tuple(replace(message(number), text=text) for number in range(100))
        needs.append(bulk_bytes(Change(command="t", what="t", at=NOW, messages=said), 4, 100))
    short, long, wide = needs
    assert long - short == TEXT_ROOM * 100 * (10**5 - 1)
    assert wide - short == TEXT_ROOM * 100 * (3 * 10**5 - 1)
