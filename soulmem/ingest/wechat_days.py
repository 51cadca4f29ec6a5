"""WeChat's chats as it sends them by mail: a day stands above its messages, and a name and a time of day above each.

::

    —————  2025-06-01  —————

    小敏  10:02

    明天几点见？
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

_DAY = r"(?P<year>\d{4})(?:[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})|年(?P<month_zh>\d{1,2})月(?P<day_zh>\d{1,2})[日号])"
_WEEKDAY = r"(?:[ \t]{0,4}(?:星期|周)[一二三四五六日天])?"
_RULED = re.compile(rf"[-—–－─━=]{{3,}}[ \t]*{_DAY}{_WEEKDAY}[ \t]*[-—–－─━=]{{3,}}", re.ASCII)
_BARE = re.compile(rf"{_DAY}{_WEEKDAY}", re.ASCII)
_HEADER = re.compile(
    r"(?P<name>\S(?:.{0,60}?\S)??)(?P<gap>[ \t]+)(?P<half>上午|下午|凌晨|早上|中午|晚上)?[ \t]?(?P<hour>\d{1,2})"
    r":(?P<minute>\d{2})(?::(?P<second>\d{2}))?",
    re.ASCII,
)
#: Before the first day stands no more than this, lines that say something.
_PREAMBLE = 10
_NOON = 12


@dataclass(frozen=True, slots=True)
class Header:
    """Who says what stands below, and when, as ``2025-06-01 10:02:00``."""

    name: str
    time: str


Row = tuple[int, str]


def is_by_days(lines: Iterable[str]) -> bool:
    """Whether the first lines are a day, and below it a name and a time of day."""
    return _gap(lines) is not None


def _gap(lines: Iterable[str]) -> str | None:
    """What stands between name and time in the first header of the file."""
    told = [line.strip() for line in islice(filter(str.strip, lines), _PREAMBLE)]
    for above, below in pairwise(told):
        header = _HEADER.fullmatch(below)
        if header is not None and (_RULED.fullmatch(above) or _BARE.fullmatch(above)):
            return header["gap"]
    return None


def by_days(first: Sequence[str], rows: Iterable[Row]) -> Iterator[tuple[int, str | Header]]:
    """The lines of a file by number, headers read; the days are none of them. ``first``: how it begins. A name and a time of day
    are a header only where an empty line stands above; a day without rules only between words and a header."""
    gap = _gap(first) or ""
    day, held, is_free, is_awaited = "", list[Row](), True, False
    for number, line in rows:
        ruled = _RULED.fullmatch(line)
        header = _HEADER.fullmatch(line) if is_free else None
        header = header if header is not None and header["gap"] == gap else None
        if ruled or header or (line and held):
            day, told = _passed(held, day, is_day=header is not None)
            yield from told
            held = []
        if ruled:
            day = _stated(ruled)
        elif header and day and (time := _time(header)):
            is_awaited = True
            yield number, Header(header["name"], f"{day} {time}")
        elif held or (is_free and not is_awaited and _BARE.fullmatch(line)):
            held.append((number, line))
        else:
            is_awaited = is_awaited and not line
            yield number, line
        is_free = not line or ruled is not None or len(held) == 1
    yield from held


def _passed(held: Sequence[Row], day: str, *, is_day: bool) -> tuple[str, Sequence[Row]]:
    """The day that holds from here on, and the lines that were held back and are no heading."""
    bare = _BARE.fullmatch(held[0][1]) if held and is_day else None
    return (_stated(bare), ()) if bare else (day, held)


def _stated(match: re.Match[str]) -> str:
    month, day = match["month"] or match["month_zh"], match["day"] or match["day_zh"]
    return f"{match['year']}-{int(month):02}-{int(day):02}"


def _time(header: re.Match[str]) -> str:
    """The time of day, nothing where there is no such."""
    hour, half = int(header["hour"]), header["half"]
    if half in ("下午", "晚上", "中午") and hour < _NOON and not (half == "中午" and hour >= _NOON - 2):
        hour += _NOON
    elif half in ("上午", "凌晨", "早上") and hour == _NOON:
        hour = 0
    is_one = hour < 24 and int(header["minute"]) < 60
    return f"{hour:02}:{header['minute']}:{header['second'] or '00'}" if is_one else ""
