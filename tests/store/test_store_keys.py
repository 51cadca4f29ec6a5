"""Keys of words: each word has one of its own, and the engine tells it from others by more than its first byte."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from soulmem.store.keys import term_key

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
