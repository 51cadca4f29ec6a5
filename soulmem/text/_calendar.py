"""Calendar arithmetic behind time expressions: spans of wall-clock time relative to a moment. Weeks begin on Monday.

All datetimes here are naive: the time zone is taken off before and put back after. A date that does not exist raises
:class:`ValueError` or :class:`OverflowError`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)
HOUR = timedelta(hours=1)

#: Feb 29 may be eight years away (1896 to 1904).
_LONGEST_SEARCH = 9


@dataclass(frozen=True, slots=True)
class Span:
    """From ``start`` to ``stop``, exclusive."""

    start: datetime
    stop: datetime

    @property
    def is_day(self) -> bool:
        return self.start == midnight(self.start) and self.stop - self.start == DAY


#: The span something has in a given year: a month, a season, a holiday.
Yearly = Callable[[int], Span]


#: A pattern, and what span a match of it means at a moment.
Rule = tuple[re.Pattern[str], Callable[[re.Match[str], datetime], Span]]


def midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def day(now: datetime, offset: int = 0) -> Span:
    start = midnight(now) + offset * DAY
    return Span(start, start + DAY)


def days(now: datetime, first: int, last: int) -> Span:
    """From day ``first`` to day ``last``, inclusive; 0 is today."""
    return Span(day(now, first).start, day(now, last).stop)


def week(now: datetime, offset: int = 0) -> Span:
    start = day(now, -now.weekday()).start + offset * WEEK
    return Span(start, start + WEEK)


def weekend(now: datetime, offset: int = 0) -> Span:
    monday = week(now, offset).start
    return Span(monday + 5 * DAY, monday + WEEK)


def weekday_of_week(now: datetime, weekday: int, offset: int) -> Span:
    """The ``weekday`` (Monday is 0) of the calendar week ``offset`` weeks from now."""
    return day(week(now, offset).start, weekday)


def weekday_before(now: datetime, weekday: int, *, today_counts: bool) -> Span:
    back = (now.weekday() - weekday) % 7
    return day(now, -(back if back or today_counts else 7))


def weekday_after(now: datetime, weekday: int) -> Span:
    return day(now, (weekday - now.weekday() - 1) % 7 + 1)


def month(year: int, number: int) -> Span:
    """``number`` 1..12; outside of it, months of the years before or after."""
    return Span(_first_of_month(year, number), _first_of_month(year, number + 1))


def _first_of_month(year: int, number: int) -> datetime:
    return datetime(year + (number - 1) // 12, (number - 1) % 12 + 1, 1)


def month_from(now: datetime, offset: int) -> Span:
    return month(now.year, now.month + offset)


def year(number: int) -> Span:
    return Span(datetime(number, 1, 1), datetime(number + 1, 1, 1))


def date(year_number: int, month_number: int, day_number: int) -> Span:
    return day(datetime(year_number, month_number, day_number))


def season(year_number: int, number: int) -> Span:
    """0 spring (March to May), 1 summer, 2 autumn, 3 winter (December to February, named after the year it begins in)."""
    return Span(_first_of_month(year_number, 3 + 3 * number), _first_of_month(year_number, 6 + 3 * number))


def nth_weekday(year_number: int, month_number: int, weekday: int, nth: int) -> Span:
    first = datetime(year_number, month_number, 1)
    return day(first, (weekday - first.weekday()) % 7 + 7 * (nth - 1))


def third(span: Span, number: int) -> Span:
    """The first (0), middle (1) or last (2) third: of a month by days (1–10, 11–20, 21–), of longer spans by four months."""
    if span.stop - span.start > 100 * DAY:
        return Span(_first_of_month(span.start.year, 1 + 4 * number), _first_of_month(span.start.year, 5 + 4 * number))
    return Span(span.start + 10 * number * DAY, span.stop if number == 2 else span.start + 10 * (number + 1) * DAY)


def around(moment: datetime, width: timedelta) -> Span:
    return Span(moment - width / 2, moment + width / 2)


def ago(now: datetime, unit: str, most: int, least: int | None = None) -> Span:
    """``least`` to ``most`` units before now (negative: after).

    A span as wide as the unit: the day; seven days about it for weeks; the calendar month; the calendar year.
    """
    near = most if least is None else least
    one, other = _one_ago(now, unit, most), _one_ago(now, unit, near)
    return Span(min(one.start, other.start), max(one.stop, other.stop))


def _one_ago(now: datetime, unit: str, number: int) -> Span:
    match unit:
        case "minute":
            return around(now - number * HOUR / 60, HOUR / 60)
        case "hour":
            return around(now - number * HOUR, HOUR)
        case "day":
            return day(now, -number)
        case "week":
            return days(now, -7 * number - 3, -7 * number + 3)
        case "weekend":
            return weekend(now, -number)
        case "month":
            return month_from(now, -number)
        case "year":
            return year(now.year - number)
        case _:
            return Span(datetime(now.year - 10 * number - 5, 1, 1), datetime(now.year - 10 * number + 6, 1, 1))


def stretch(now: datetime, unit: str, number: int) -> Span:
    """The last ``number`` units up to and with today (negative: the next ones, from today)."""
    far = {
        "hour": lambda: now - number * HOUR,
        "month": lambda: _same_day(now, -number),
        "year": lambda: _same_day(now, -12 * number),
    }
    width = {"day": DAY, "week": WEEK}
    other = midnight(now) - number * width[unit] if unit in width else far[unit]()
    today = day(now)
    return Span(other, today.stop) if number > 0 else Span(today.start, other + DAY)


def _same_day(now: datetime, months: int) -> datetime:
    span = month_from(now, months)
    return min(span.start + (now.day - 1) * DAY, span.stop - DAY)


def most_recent(make: Yearly, now: datetime) -> Span:
    """The latest that has begun."""
    return _search(make, now.year, -1, lambda span: span.start <= now)


def last_over(make: Yearly, now: datetime) -> Span:
    """The latest that is over."""
    return _search(make, now.year, -1, lambda span: span.stop <= now)


def next_coming(make: Yearly, now: datetime) -> Span:
    """The first that has not begun."""
    return _search(make, now.year, 1, lambda span: span.start > now)


def _search(make: Yearly, first: int, step: int, fits: Callable[[Span], bool]) -> Span:
    for number in range(first, first + _LONGEST_SEARCH * step, step):
        try:
            span = make(number)
        except ValueError:
            if not 1 < number < 9999:
                raise
            continue
        if fits(span):
            return span
    raise ValueError("no such date in reach")


def part_of_day(span: Span, first_hour: float, stop_hour: float) -> Span:
    """Hours of the day that ``span`` is; 24 and more are of the next day."""
    return Span(span.start + first_hour * HOUR, span.start + stop_hour * HOUR)


def clock(span: Span, hour: int, minute: int | None) -> Span:
    """A time of the day that ``span`` is. Without minutes it lasts an hour, with minutes half an hour."""
    start = span.start + hour * HOUR + (minute or 0) * HOUR / 60
    return Span(start, start + (HOUR if minute is None else HOUR / 2))
