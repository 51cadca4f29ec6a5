"""What a sentence must have before its requests are looked for: whatever one of the patterns matches has it."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from soulmem.text import _confidences_en as en
from soulmem.text import _confidences_zh as zh
from soulmem.text import confidences

#: Looking around makes strings hard to draw, and what stands around a match is no part of it.
_LOOKING = re.compile(r"\(\?<?[!=](?:[^()]|\([^()]*\))*\)")
_PATTERNS = [pattern for one in (en, zh) for pattern in (*one.KEPT, *one.SECRET, *one.TOLD, *one.OPEN)]
_FORBIDDEN = [(one, pattern) for one in (en, zh) for pattern in (*one.KEPT, *one.SECRET) if pattern.startswith(one.FORBIDDEN)]
_QUICK = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))


def _drawn(data: st.DataObject, pattern: str) -> str:
    text = data.draw(st.from_regex(re.compile(_LOOKING.sub("", pattern), re.IGNORECASE), fullmatch=True))
    assume(re.search(pattern, text, re.IGNORECASE))
    return text


@pytest.mark.parametrize("pattern", _PATTERNS)
@_QUICK
@given(st.data())
def test_what_a_pattern_matches_has_a_hint(pattern: str, data: st.DataObject) -> None:
    text = _drawn(data, pattern)
    assert confidences._HINT.search(text.lower()), text


@pytest.mark.parametrize(("language", "pattern"), _FORBIDDEN)
@_QUICK
@given(st.data())
def test_what_forbids_has_a_word_that_does(language: object, pattern: str, data: st.DataObject) -> None:
    assert language.FORBIDDING.search(_drawn(data, pattern))  # type: ignore[attr-defined]
