"""Whose words a reply has."""

from __future__ import annotations

from collections.abc import Generator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.llm.answers import spoken
from soulmem.llm.contract import Reply
from soulmem.llm.heads import own_words

OWN, OTHERS = ("Odile", "小红"), ("Bo", "阿哲")

CASES = [
    ("I like tea.\nBo: I hate tea.\nOdile: Really?", "I like tea."),
    ("Odile: You live in Leeds.", "You live in Leeds."),
    ("**Odile**: Yes.\n**Odile:** And no.\n**Bo**: Why?", "Yes.\nAnd no."),
    ("小红：好。\n阿哲：真的吗？", "好。"),
    ("[Odile]: Hm.\nUser: go on", "Hm."),
    ("I told Bo: stay here.", "I told Bo: stay here."),
    ("Look,\nBob: he is not you.", "Look,\nBob: he is not you."),
    ("Bo: I hate tea.", ""),
]


@pytest.mark.parametrize(("text", "words"), CASES)
def test_a_reply_ends_where_somebody_else_speaks(text: str, words: str) -> None:
    assert own_words(text, OWN, OTHERS).strip() == words


@pytest.mark.parametrize(("text", "words"), [case for case in CASES if case[1]])
@given(cuts=st.lists(st.integers(0, 60), max_size=8))
def test_in_pieces_it_is_the_same_and_nothing_is_taken_back(text: str, words: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})

    def pieces() -> Generator[str, None, Reply]:
        yield from (text[begin:end] for begin, end in pairwise(places))
        return Reply(text=text, input_tokens=1, output_tokens=1, model="m")

    assert "".join(spoken(pieces(), OWN, OTHERS)) == words
