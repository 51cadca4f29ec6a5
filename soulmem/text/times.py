"""Time expressions of Chinese and English in a text, as spans relative to a moment.

How vague ones are read (weeks begin on Monday; days end at midnight of the moment's time zone):

- *About the past.* 5月6号, "on 5 June", "in June", 周五, "on Friday", 圣诞节 mean the latest that has begun; with 明年, 下个月,
  "next", the first to come; "last May", "last summer" mean the latest that is over.
- 上周三 is the Wednesday of the calendar week before this one; "last Wednesday" the most recent Wednesday before today; "next
  Friday" the first Friday after today. 上周末 and "last weekend" are the Saturday and Sunday of the previous calendar week.
- *So long ago* is as wide as its unit: 三天前 that day; 两周前 the seven days about it; 半年前, "two months ago" the calendar
  month; "three years ago" the calendar year. A few (几, few, several) are two to five, a couple two or three.
- 最近三天, "the past week" are stretches up to the end of today.
- Spring begins in March; a winter is named after the year it begins in. 初/early, 中旬/mid, 底/late are thirds of a month or
  year.
- Night lasts from 18:00 to 4:00; a clock time lasts an hour, with minutes half an hour. "5/6/2023" is May 6, "15/6/2023" is
  June 15.

Not read: lunar dates (春节, 中秋), generic times (早上 alone, "in the morning", 每周一), seconds, single numbers (5号, "the
5th"), and in English years before 1900 and after 2099.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from soulmem.text._calendar import Rule, Span
from soulmem.text.language import has_cjk

#: How far before an expression its modifiers are looked for, in characters.
_REACH = 40

#: In every English time expression stands a digit or one of these, whatever else; most texts have neither.
_MAY_BE_ENGLISH = re.compile(
    r"\d|minute|hour|day|night|week|month|year|decade|morning|noon|evening|tomorrow|spring|summer|autumn|fall|winter"
    "|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|christmas|xmas|valentine|easter|hallow|thanksgiving",
    re.IGNORECASE,
)


#: Full-width digits and colons, one for one, so that offsets stay.
_HALF_WIDTH = str.maketrans("０１２３４５６７８９：／－", "0123456789:/-")


@dataclass(frozen=True, slots=True)
class TimeMention:
    """``text[begin:end]`` names the time from ``start`` up to, not including, ``stop`` (in the time zone of the moment given)."""

    text: str
    begin: int
    end: int
    start: datetime
    stop: datetime


@dataclass(frozen=True, slots=True)
class _Found:
    begin: int
    end: int
    span: Span


def find_times(text: str, now: datetime) -> tuple[TimeMention, ...]:
    """All time expressions in ``text``, in order, without overlaps (the longest wins). ``now`` must have a time zone.

    Raises :class:`ValueError` when it has none.
    """
    if now.tzinfo is None:
        raise ValueError("now must have a time zone")
    wall = now.replace(tzinfo=None)
    return tuple(
        TimeMention(
            text[found.begin : found.end],
            found.begin,
            found.end,
            found.span.start.replace(tzinfo=now.tzinfo),
            found.span.stop.replace(tzinfo=now.tzinfo),
        )
        for found in sorted(_longest_first(text, _all_found(text.translate(_HALF_WIDTH), wall)), key=lambda found: found.begin)
    )


def overlap(a_start: datetime | None, a_stop: datetime | None, b_start: datetime | None, b_stop: datetime | None) -> float:
    """How much two spans share, 0..1: the shared time as a part of the shorter one; 1 when one lies within the other.

    ``None`` is an open end; a span without either end says nothing about time and overlaps nothing (0). A moment (start and stop
    equal) counts as inside a span that begins at it, and as outside one that stops at it. Ends in the wrong order are swapped.
    """
    if (a_start is None and a_stop is None) or (b_start is None and b_stop is None):
        return 0.0
    first_start, first_stop = _ordered(a_start, a_stop)
    second_start, second_stop = _ordered(b_start, b_stop)
    start, stop = max(first_start, second_start), min(first_stop, second_stop)
    shortest = min(first_stop - first_start, second_stop - second_start)
    if shortest == 0.0:
        return _moment_inside((first_start, first_stop), (second_start, second_stop))
    if stop <= start:
        return 0.0
    return 1.0 if shortest == float("inf") else min(1.0, (stop - start) / shortest)


def _ordered(start: datetime | None, stop: datetime | None) -> tuple[float, float]:
    begin = float("-inf") if start is None else start.timestamp()
    end = float("inf") if stop is None else stop.timestamp()
    return min(begin, end), max(begin, end)


def _moment_inside(a: tuple[float, float], b: tuple[float, float]) -> float:
    (moment, _), (start, stop) = (a, b) if a[0] == a[1] else (b, a)
    return float(start <= moment < stop or start == moment == stop)


def _all_found(text: str, now: datetime) -> Iterator[_Found]:
    # The patterns of a language take 20 to 40 ms to compile: only where they may find something.
    if has_cjk(text):
        from soulmem.text._times_zh import RULES as CHINESE

        yield from _by_rules(text, now, CHINESE, _followed_zh)
    if _MAY_BE_ENGLISH.search(text):
        from soulmem.text._times_en import RULES as ENGLISH

        yield from _by_rules(text, now, ENGLISH, _surrounded_en)


def _by_rules(text: str, now: datetime, rules: Iterable[Rule], extend: Callable[[str, _Found], _Found]) -> Iterator[_Found]:
    for pattern, make in rules:
        for match in pattern.finditer(text):
            try:
                yield extend(text, _Found(*match.span(), make(match, now)))
            except (ValueError, OverflowError):
                # A date that does not exist (2月30日, 9999年之后) is no time expression.
                continue


def _followed_zh(text: str, found: _Found) -> _Found:
    from soulmem.text import _times_zh

    if not found.span.is_day:
        return found
    after = _times_zh.AFTER_DAY.match(text, found.end)
    return _Found(found.begin, after.end(), _times_zh.narrowed(after, found.span)) if after else found


def _surrounded_en(text: str, found: _Found) -> _Found:
    from soulmem.text import _times_en

    before = text[max(0, found.begin - _REACH) : found.begin]
    if not found.span.is_day:
        return _third_en(before, found)
    after = _times_en.AFTER_DAY.match(text, found.end)
    if after and after.group():
        return _Found(found.begin, after.end(), _times_en.narrowed(after, found.span))
    lead = _times_en.BEFORE_DAY.search(before)
    return _Found(found.begin - len(lead.group()), found.end, _times_en.narrowed(lead, found.span)) if lead else found


def _third_en(before: str, found: _Found) -> _Found:
    from soulmem.text import _times_en

    third = _times_en.THIRD_BEFORE.search(before)
    if third is None or found.span.stop - found.span.start < timedelta(days=28):
        return found
    return _Found(found.begin - len(third.group()), found.end, _times_en.third(third, found.span))


def _longest_first(text: str, found: Iterable[_Found]) -> Iterator[_Found]:
    free = bytearray(b"\x01") * len(text)
    for one in sorted(found, key=lambda one: (one.begin - one.end, one.begin)):
        if all(free[one.begin : one.end]):
            free[one.begin : one.end] = bytes(one.end - one.begin)
            yield one
