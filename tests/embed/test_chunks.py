"""Long texts in pieces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from soulmem.embed.chunks import chunks, embed_in_chunks

TEXT = st.text(alphabet=st.sampled_from("ab. ，。猫\n!\x00"), max_size=120)


@given(TEXT, st.integers(1, 40))
@settings(deadline=None, max_examples=300)
def test_pieces_are_the_text_and_fit(text: str, size: int) -> None:
    pieces = chunks(text, size)
    assert "".join(pieces) == text
    assert max(map(len, pieces)) <= size
    assert all(pieces) or pieces == [""]


@given(TEXT, st.integers(2, 40))
@settings(deadline=None, max_examples=300)
def test_there_are_not_many_more_pieces_than_needed(text: str, size: int) -> None:
    assert len(chunks(text, size)) <= 2 * -(-len(text) // size) + 1


@pytest.mark.parametrize(
    ("text", "size", "pieces"),
    [
        ("她走了。他没有说话，只是看着窗外。", 12, ["她走了。他没有说话，", "只是看着窗外。"]),
        ("他没有说话。她走了，也没有回头看他。", 12, ["他没有说话。", "她走了，也没有回头看他。"]),
        ("One is short. The other is longer.", 25, ["One is short.", " The other is longer."]),
        ("no signs in here at all", 15, ["no signs in ", "here at all"]),
        ("version 3.11 is out now", 14, ["version 3.11 ", "is out now"]),
        ("abcdefghij", 4, ["abcd", "efg", "hij"]),
        ("她说：“走吧。”他点头。", 9, ["她说：“走吧。”", "他点头。"]),
    ],
)
def test_cuts_are_after_sentences_then_clauses_then_words(text: str, size: int, pieces: list[str]) -> None:
    assert chunks(text, size) == pieces


def vowels(pieces: list[str]) -> NDArray[np.float64]:
    """How many of a, b and anything else a piece has."""
    return np.array(
        [[piece.count("a"), piece.count("b"), len(piece) - piece.count("a") - piece.count("b")] for piece in pieces], float
    )


@given(st.lists(TEXT, max_size=6), st.integers(1, 30))
@settings(deadline=None, max_examples=200)
def test_a_text_is_the_mean_of_its_pieces(texts: list[str], size: int) -> None:
    rows = embed_in_chunks(texts, size, 3, vowels)
    assert rows.shape == (len(texts), 3)
    for text, row in zip(texts, rows, strict=True):
        pieces = [piece.strip() for piece in chunks(text.replace("\x00", " "), size) if piece.strip()]
        if not pieces:
            assert not row.any()
            continue
        each = [counts / np.linalg.norm(counts) for counts in vowels(pieces)]
        mean = np.mean(each, axis=0)
        assert row == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_a_megabyte_without_a_place_to_cut() -> None:
    pieces = chunks("喵" * 2**20, 200)
    assert len(pieces) == -(-(2**20) // 200)
    assert set(map(len, pieces)) <= {199, 200}
