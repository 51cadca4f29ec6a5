"""Times as files write them. All become UTC; a time without a zone is read as UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# 1e17 µs after 1970 is the year 5138: who writes a larger number means a finer unit.
_FARTHEST = 10**17
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_HUMANISED = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m(?:\s*(\d{1,2})s)?(?:\s*(\d{1,3})ms)?", re.ASCII
)
_LONG = re.compile(
    r"([A-Za-z]{3,9})\.?\s+(\d{1,2})\s*,?\s*(\d{4})\s*,?\s*(?:at\s+)?(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AaPp])?\.?(?(7)[Mm]\.?)",
    re.ASCII,
)
_PLAIN = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?", re.ASCII)
# No form of a time has more characters.
_LONGEST = 60
_DIGITS = re.compile(r"\d{1,40}(?:\.\d{1,9})?", re.ASCII)


def utc(moment: datetime) -> datetime:
    """``moment`` in UTC; without a zone it is taken to be UTC.

    :raises ValueError: the moment is outside the years 1 to 9999 in UTC."""
    if moment.tzinfo is UTC:
        return moment
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("outside the years 1 to 9999") from error


def iso(text: str) -> datetime:
    """An RFC 3339 time, or the wider ISO 8601 forms that Python reads.

    :raises ValueError: ``text`` is none."""
    return utc(datetime.fromisoformat(text.strip()))


def rfc3339(moment: datetime) -> str:
    """The one way soulmem writes a time: UTC with ``Z``, microseconds only where there are any."""
    return moment.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def message_time(value: object) -> datetime:
    """The time of a chat message, in any of the forms that chat programs have written.

    Numbers and digits are seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their size.

    :raises ValueError: it is none of them, or names a moment that cannot be (31 February).
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _since_epoch(value)
    if not isinstance(value, str):
        raise ValueError("not a time")
    text = value.strip()
    if len(text) > _LONGEST:
        raise ValueError("too long for a time")
    if text[10:11] == "T":
        return iso(text)
    if _DIGITS.fullmatch(text):
        return _since_epoch(float(text) if "." in text else int(text))
    if match := _HUMANISED.fullmatch(text):
        year, month, day, hour, minute, second, milli = (int(part or 0) for part in match.groups())
        return datetime(year, month, day, hour, minute, second, milli * 1000, tzinfo=UTC)
    if match := _PLAIN.fullmatch(text):
        return datetime(*(int(part or 0) for part in match.groups()), tzinfo=UTC)  # type: ignore[arg-type, misc]
    if match := _LONG.fullmatch(text):
        return _long(*match.groups())
    return iso(text)


def time_span(text: str) -> tuple[datetime, datetime | None]:
    """From when to when (exclusive) something is: a year (2019), a month (2019-08), or as :func:`message_time` has it, with no
    end.

    :raises ValueError: ``text`` is no time.
    """
    parts = text.strip().replace("/", "-").split("-")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts):
        return message_time(text), None
    year, month = int(parts[0]), int(parts[1]) if len(parts) == 2 else 1
    after = (year + 1, 1) if len(parts) == 1 or month == 12 else (year, month + 1)
    return datetime(year, month, 1, tzinfo=UTC), datetime(*after, 1, tzinfo=UTC)


def _since_epoch(number: float) -> datetime:
    for microseconds in (10**6, 10**3, 1):
        if abs(number) * microseconds < _FARTHEST:
            return _after_epoch(number * microseconds)
    if not abs(number) < _FARTHEST * 1000:
        raise ValueError("too far from 1970 in any unit")
    return _after_epoch(number / 1000)


def _after_epoch(microseconds: float) -> datetime:
    try:
        return _EPOCH + timedelta(microseconds=round(microseconds))
    except OverflowError as error:  # there is less before 1970 than behind it
        raise ValueError("outside the years 1 to 9999") from error


def _long(month: str, day: str, year: str, hour: str, minute: str, second: str | None, half: str | None) -> datetime:
    hours = int(hour)
    if half:
        if not 1 <= hours <= 12:
            raise ValueError("hour must be in 1..12 with am or pm")
        hours = hours % 12 + (12 if half in "pP" else 0)
    number = _MONTHS.index(month[:3].lower()) + 1
    return datetime(int(year), number, int(day), hours, int(minute), int(second or 0), tzinfo=UTC)
