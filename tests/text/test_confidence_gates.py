"""What a sentence must have before its requests are looked for: whatever one of the patterns matches has it."""

from __future__ import annotations

import re
import time
from random import Random
from types import ModuleType

import pytest
from drawn import text_of
from hypothesis import given
from hypothesis import strategies as st
from surely import surely_has_one, trees_of

from soulmem.text import _confidences_en as en
from soulmem.text import _confidences_zh as zh
from soulmem.text import confidences
from soulmem.text.spoken import is_plain, plain_signs, unmarked

_OF = [(one, pattern) for one in (en, zh) for pattern in (*one.KEPT, *one.SECRET, *one.TOLD, *one.OPEN)]
_PATTERNS = [pattern for _, pattern in _OF]
_FORBIDDEN = [
    (words, pattern)
    for one in (en, zh)
    for pattern in (*one.KEPT, *one.SECRET)
    if (words := confidences._forbidding(one, pattern)) is not None
]


def _matched(pattern: str) -> list[str]:
    """Texts that are matched."""
    random = Random(1)
    drawn = [text_of(pattern, random) for _ in range(100)]
    matched = [text for text in drawn if re.search(pattern, text, re.IGNORECASE)]
    assert matched, f"no text that was drawn is matched: {drawn[:3]}"
    return matched


@pytest.mark.parametrize("pattern", _PATTERNS)
def test_what_a_pattern_matches_has_a_hint(pattern: str) -> None:
    assert [text for text in _matched(pattern) if not confidences.may_ask(text)] == []


@pytest.mark.parametrize(("language", "pattern"), _OF)
def test_a_pattern_cannot_match_without_a_hint(language: ModuleType, pattern: str) -> None:
    assert surely_has_one(trees_of(pattern), confidences._HINTS[language])


@pytest.mark.parametrize(("words", "pattern"), _FORBIDDEN)
def test_what_forbids_has_a_word_that_does(words: re.Pattern[str], pattern: str) -> None:
    assert surely_has_one(trees_of(pattern), [[words]])
    assert [text for text in _matched(pattern) if not words.search(text)] == []


@pytest.mark.parametrize("repeated", [" now", ", now", " and Ann", " you know", "\t already", " ok", ", my mum"])
def test_runs_of_spaces_cost_no_time(repeated: str) -> None:
    """Each run could be divided in as many ways as it is long: 85 characters took half a minute."""
    text = f"You can tell Bo{repeated.replace(' ', 20 * ' ') * 12} x"
    began = time.process_time()
    confidences.confidence(text)
    assert time.process_time() - began < 5


@given(st.text(alphabet="abcIZ09 ,.!?;:'\"，。！？：；、“”-\n他说别告诉小明的…_*@&", max_size=20))
def test_what_is_plain_already_is_left_as_it_is(text):
    if is_plain(text):
        assert plain_signs(text) == text
        assert unmarked(text) == text
