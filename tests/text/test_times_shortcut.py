"""Texts in which no English time expression can stand are not searched for one: that never loses any."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.text._numerals import EN_NUMBERS
from soulmem.text._times_en import RULES
from soulmem.text.times import _MAY_BE_ENGLISH

#: All words that stand in the rules, and signs.
WORDS = sorted(
    {word for pattern, _ in RULES for word in re.findall(r"(?<![\\a-z])[a-z']{2,}", pattern.pattern)} | set(EN_NUMBERS)
)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from([*WORDS, "a", "the", "of", "3", "2022", "17:30", "o'clock", ",", "Mar", "MAY"]), max_size=7))
def test_what_a_rule_finds_is_searched_for(words: list[str]) -> None:
    text = " ".join(words)
    if any(pattern.search(text) for pattern, _ in RULES):
        assert _MAY_BE_ENGLISH.search(text)


@pytest.mark.parametrize(
    "text",
    ["the other day", "tomorrow", "at noon", "around midnight", "half a decade ago", "a couple of hours ago", "the past week",
     "last spring", "this fall", "Halloween", "Hallowe'en", "xmas", "at Easter", "on Valentine's", "Thanksgiving", "next Tues",
     "Sept 5", "the Friday before last", "a few minutes back", "tonight", "this evening", "new year's eve", "fourth of July"],
)  # fmt: skip
def test_every_kind_of_expression_is_searched_for(text: str) -> None:
    assert any(pattern.search(text) for pattern, _ in RULES) and _MAY_BE_ENGLISH.search(text)


@pytest.mark.parametrize("text", ["what did she promise?", "Who helped Tom with the violin?", ""])
def test_most_texts_are_not(text: str) -> None:
    assert not _MAY_BE_ENGLISH.search(text)
