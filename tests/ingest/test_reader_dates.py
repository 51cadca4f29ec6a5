"""Days and months that stand in either order: told by all dates of a file together."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.ingest.dates import times
from soulmem.ingest.times import message_time

FORMS = {
    "day": "{0.day}/{0.month}/{0.year}, {0.hour:02d}:{0.minute:02d}",
    "dots": "{0.day:02d}.{0.month:02d}.{0.year}, {0.hour:02d}:{0.minute:02d}:{0.second:02d}",
    "month": "{0.month}/{0.day}/{1:02d}, {2}:{0.minute:02d}\u202f{3}",
    "year": "{0.year}/{0.month}/{0.day} {0.hour}:{0.minute:02d}",
    "chinese": "{0.year}/{0.month}/{0.day} {4}{2}:{0.minute:02d}",
}


def written(moment: datetime, form: str) -> str:
    half = "AM" if moment.hour < 12 else "PM"
    return FORMS[form].format(moment, moment.year % 100, moment.hour % 12 or 12, half, "上午" if half == "AM" else "下午")


@given(
    st.lists(st.datetimes(datetime(2010, 1, 1), datetime(2030, 1, 1)), min_size=1, max_size=30).map(sorted),
    st.sampled_from(sorted(FORMS)),
)
def test_what_was_written_is_read_where_some_day_is_beyond_the_twelfth(moments: list[datetime], form: str) -> None:
    told = [moment.replace(second=0, microsecond=0, tzinfo=UTC) for moment in (*moments, datetime(2030, 1, 31))]
    assert times([written(moment, form) for moment in told]).moments == tuple(told)


@pytest.mark.parametrize("form", ["day", "month"])
def test_without_such_a_day_the_order_is_the_one_in_which_time_does_not_run_back(form: str) -> None:
    begin = datetime(2024, 3, 2, 10, 15, tzinfo=UTC)
    told = [begin + timedelta(days=days) for days in (0, 1, 4, 9)] + [datetime(2024, 4, 1, tzinfo=UTC)]
    found = times([written(moment, form) for moment in told])
    assert (found.moments, found.told) == (tuple(told), "")


def test_what_cannot_be_told_is_told() -> None:
    found = times(["3/4/2024, 10:15"])
    assert found.moments == (datetime(2024, 4, 3, 10, 15, tzinfo=UTC),)
    assert found.told == "whether 3/4 is day/month or month/day cannot be told from the file; it was read as day/month"
    assert times(["3/4/24, 10:15 AM"]).moments == (datetime(2024, 3, 4, 10, 15, tzinfo=UTC),)
    assert times(["4/4/2024, 10:15"]).told == ""
    mixed = times(["31/1/2024, 10:15", "1/31/2024, 10:15"])
    assert mixed.moments == (datetime(2024, 1, 31, 10, 15, tzinfo=UTC), "1/31/2024, 10:15")
    assert "without a time" in mixed.told


@pytest.mark.parametrize(
    ("text", "hour"),
    [("12:00 AM", 0), ("12:30 pm", 12), ("中午12:00", 12), ("中午1:00", 13), ("凌晨12:05", 0), ("晚上 9:00", 21)],
)
def test_hours_of_half_a_day(text: str, hour: int) -> None:
    (found,) = times([f"2024/3/12 {text}"]).moments
    assert isinstance(found, datetime)
    assert found.hour == hour


def test_all_that_is_a_time_anywhere_else_is_one_here_and_what_is_none_comes_back() -> None:
    known = ["2024-05-02T12:00:00Z", "1714651200", "2023-4-21 @20h 02m 47s 124ms", "2024-05-02 12:00:01"]
    assert times(known).moments == tuple(map(message_time, known))
    none = ("", "soon", "99/99/2024, 10:15", "2024/13/1 10:00", "1/2/2024, 25:15")
    assert times(none).moments == none
