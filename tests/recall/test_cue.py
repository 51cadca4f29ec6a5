"""What of a question is looked for as words, and what as a time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.recall.cue import without_passing
from soulmem.text.times import find_times

AT = datetime(2026, 8, 20, 12, tzinfo=UTC)


def words(text: str, at: datetime = AT) -> str:
    return without_passing(text, find_times(text, at), at)


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("上周三我们吃了什么？", "我们吃了什么？"),
        ("三天前谁来过", "谁来过"),
        ("What did we eat last Wednesday?", "What did we eat ?"),
        ("What did she say yesterday about the boat?", "What did she say about the boat?"),
    ],
)
def test_a_time_that_means_another_day_every_day_is_no_word(question: str, kept: str) -> None:
    assert words(question).split() == kept.split()


@pytest.mark.parametrize(
    "question", ["5月6号发生了什么？", "What happened in May 2023?", "2023年5月6日谁来过", "On 5 June we met.", "红茶"]
)
def test_a_time_that_stays_the_same_stays_a_word(question: str) -> None:
    assert words(question) == question


@given(st.text(max_size=60), st.datetimes(datetime(2000, 1, 1), datetime(2050, 1, 1), timezones=st.just(UTC)))
def test_only_times_are_taken_out(text: str, at: datetime) -> None:
    kept = iter(words(text, at).replace(" ", ""))
    left = text.replace(" ", "")
    assert all(character in iter_ for iter_ in [iter(left)] for character in kept)
