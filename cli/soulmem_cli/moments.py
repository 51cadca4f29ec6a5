"""Times to come, as a person gives them on the command line: a date, or so long from now."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import click

_HOURS = {"h": 1, "hour": 1, "小时": 1, "d": 24, "day": 24, "天": 24, "w": 168, "week": 168, "周": 168}
_HOURS |= {"month": 30 * 24, "个月": 30 * 24, "y": 365 * 24, "year": 365 * 24, "年": 365 * 24}
_AHEAD = re.compile(
    r"(?:in\s+|\+)?(\d{1,6}(?:\.\d{1,3})?)\s*(小时|天|周|个月|年|hour|day|week|month|year|h|d|w|y)s?(?:后|之后)?", re.I
)


def ahead(text: str) -> timedelta | None:
    """How long ``in 30 days``, ``+2w``, ``12h`` or ``30天后`` is; ``None``: it is none of it. A month is 30 days, a year 365."""
    match = _AHEAD.fullmatch(text.strip())
    return timedelta(hours=float(match[1]) * _HOURS[match[2].lower()]) if match else None


def at_or_ahead(ctx: click.Context, parameter: click.Parameter, value: str | None) -> datetime | timedelta | None:
    """The value of an option: a moment, or how long from now."""
    if value is None:
        return None
    span = ahead(value)
    if span is not None:
        return span
    try:
        moment = datetime.fromisoformat(value.strip())
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        what = f"{value!r} is not a time like 2026-12-24, nor one ahead like 'in 30 days' or 12h"
        raise click.BadParameter(what, ctx, parameter) from error


def moment_of(when: datetime | timedelta | None, now: datetime) -> datetime:
    """The moment meant, seen from ``now``. Raises :class:`click.UsageError` for one beyond the calendar."""
    if not isinstance(when, timedelta):
        return when or now
    try:
        return now + when
    except OverflowError as error:
        raise click.UsageError("--at is beyond the year 9999.") from error
