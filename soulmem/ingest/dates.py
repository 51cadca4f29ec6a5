"""Dates as people's own devices write them, ``3/12/24, 10:15 PM``: whether the day or the month comes first is told by all of
them together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from soulmem.ingest.times import message_time

_HALF = r"[AaPp]\.?\s?[Mm]\.?|上午|凌晨|清晨|早上|中午|下午|傍晚|晚上"
#: A date and a time of day as devices write them.
STAMP = (
    r"\d{1,4}[/.年-]\s?\d{1,2}[/.月-]\s?\d{1,4}日?[,，]?\s{1,2}"
    rf"(?:(?:{_HALF})\s?)?\d{{1,2}}[:.]\d{{2}}(?:[:.]\d{{2}})?(?:\s?(?:{_HALF}))?"
)
_WRITTEN = re.compile(
    r"(\d{1,4})[/.年-]\s?(\d{1,2})[/.月-]\s?(\d{1,4})日?"
    rf"(?:[,，]?\s{{1,2}}({_HALF})?\s?(\d{{1,2}})[:.](\d{{2}})(?:[:.](\d{{2}}))?\s?({_HALF})?)?"
)
_BEFORE_NOON = frozenset({"上午", "凌晨", "清晨", "早上"})
_MONTHS = 12


@dataclass(frozen=True, slots=True)
class Times:
    """``moments``: for each text the time it names, or the text itself where it names none. ``told``: how days and months were
    told apart, where that was not clear."""

    moments: tuple[datetime | str, ...]
    told: str = ""


def times(texts: Sequence[str]) -> Times:
    """The times that ``texts``, of one file and in its order, name."""
    written = [_WRITTEN.fullmatch(text.strip()) for text in texts]
    short = [match for match in written if match is not None and len(match[1]) < 4]
    day_first, told = _order(short)
    return Times(tuple(_moment(text, match, day_first) for text, match in zip(texts, written, strict=True)), told)


def _order(found: Sequence[re.Match[str]]) -> tuple[bool, str]:
    """Whether the day stands first, and what to tell."""
    pairs = {(int(match[1]), int(match[2])) for match in found}
    first, second = any(one > _MONTHS for one, _ in pairs), any(two > _MONTHS for _, two in pairs)
    if first and second:
        return True, "some dates have the day first and some the month: those that cannot be day and month are without a time"
    if first or second or all(one == two for one, two in pairs):
        return first or not second, ""
    falls = {day_first: _falls(found, day_first) for day_first in (True, False)}
    if falls[True] != falls[False]:
        return falls[True] < falls[False], ""
    day_first = not any(match[8] and match[8][0] in "AaPp" for match in found)
    how = "day/month" if day_first else "month/day"
    one = found[0]
    return day_first, f"whether {one[1]}/{one[2]} is day/month or month/day cannot be told from the file; it was read as {how}"


def _falls(found: Sequence[re.Match[str]], day_first: bool) -> int:
    """How often a time is earlier than the one before, if dates are read so."""
    moments = [moment for match in found if isinstance(moment := _moment("", match, day_first), datetime)]
    return sum(two < one for one, two in pairwise(moments))


def _moment(text: str, match: re.Match[str] | None, day_first: bool) -> datetime | str:
    try:
        return message_time(text) if match is None else _read(match, day_first)
    except ValueError:
        return text


def _read(match: re.Match[str], day_first: bool) -> datetime:
    one, two, three = int(match[1]), int(match[2]), int(match[3])
    if len(match[1]) == 4:
        year, month, day = one, two, three
    else:
        day, month = (one, two) if day_first else (two, one)
        year = three + 2000 * (len(match[3]) <= 2)
    return datetime(
        year,
        month,
        day,
        _hour(int(match[5] or 0), match[4] or match[8] or ""),
        int(match[6] or 0),
        int(match[7] or 0),
        tzinfo=UTC,
    )


def _hour(hour: int, half: str) -> int:
    if not half or hour > 12:
        return hour
    if half in _BEFORE_NOON or half[0] in "Aa":
        return hour % 12
    if half == "中午":
        return hour if hour > 10 else hour + 12
    return hour % 12 + 12
