"""Times of chat messages: whatever stands there is a moment in UTC, or no time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from soulmem.ingest.times import message_time

EDGES = st.sampled_from([10**place * sign * digit for place in range(22) for sign in (1, -1) for digit in (1, 6, 9)])
NUMBERS = EDGES | st.integers() | st.floats() | EDGES.map(float)
TEXTS = st.text("0123456789-/.:@hms TZ+apmJune,年", max_size=30) | NUMBERS.map(str)


@given(NUMBERS | TEXTS | st.none() | st.booleans() | st.lists(st.integers(), max_size=2))
@example(-90_000_000_000)
@example("-90000000000")
@example("9999-12-31T23:59:59-23:59")
def test_whatever_is_stated_is_a_moment_in_utc_or_no_time(stated: object) -> None:
    try:
        moment = message_time(stated)
    except ValueError:
        return
    assert moment.tzinfo is UTC


@pytest.mark.parametrize("unit", [1, 10**3, 10**6, 10**9])
def test_a_number_is_in_the_unit_that_its_size_tells(unit: int) -> None:
    assert message_time(1_714_651_200 * unit) == datetime(2024, 5, 2, 12, tzinfo=UTC)


@pytest.mark.parametrize("number", [-62_135_596_801, -90_000_000_000, 10**30, float("nan"), float("inf")])
def test_beyond_the_years_1_to_9999_there_is_no_time(number: float) -> None:
    with pytest.raises(ValueError, match=r"year|unit"):
        message_time(number)
