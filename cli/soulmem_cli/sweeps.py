"""What a sweep does, and what time will take of a mind, for a person to look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from soulmem.text.counts import counted
from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.moments import moment_of
from soulmem_cli.tables import print_table
from soulmem_cli.terminal import out, say

if TYPE_CHECKING:
    from soulmem.forget.sweep import Forecast, ForecastNote, SweepReport, SweptNote

#: Rows that a person is shown; ``--json`` has all of them.
_SHOWN = 40
#: Characters of a text in a table that goes into a pipe.
_TEXT = 60


def sweep_now(dry_run: bool, at: datetime | timedelta | None, as_json: bool) -> None:
    """Sweep the chosen mind and print what it did; with ``dry_run`` what it would, and the forecast."""
    with opened(read_only=dry_run) as soul:
        now = soul.clock()
        moment = moment_of(at, now)
        if moment > now and not dry_run:
            raise click.UsageError("A sweep happens now; what will be is shown with --dry-run.")
        report = soul.sweep(moment, dry_run=dry_run)
        foreseen = soul.forecast(moment, now) if dry_run else None
    if as_json:
        print_json({**asdict(report), "asleep": report.asleep, "forecast": foreseen})
        return
    if foreseen is not None:
        _print_forecast(foreseen)
    _print_sweep(report)


def _print_sweep(report: SweepReport) -> None:
    if not report.notes:
        say("Nothing is due." if not report.dry_run else "Nothing was written; nothing would be: no note is due.")
        return
    if not report.dry_run:
        print_table(["note", "kind", "what", "why"], [_swept(note) for note in report.notes[:_SHOWN]], cut="why")
        _more(len(report.notes))
        say(f"{counted(report.asleep, 'note')} fell asleep. Take it back with: soulmem undo {report.operation}")
    else:
        say(f"Nothing was written; a sweep would put {counted(report.asleep, 'note')} to sleep.")


def _swept(note: SweptNote) -> tuple[str, ...]:
    return note.key, _kind(note.type.value, note.category), note.fate.value, note.why


def _kind(type_: str, category: Any) -> str:
    return f"{type_}/{category.value}" if category is not None else type_


def _print_forecast(found: Forecast) -> None:
    from soulmem.model.results import Fading

    if not found.notes:
        out(f"Of {counted(found.notes_in_all, 'note')} none will have faded by {found.at:%Y-%m-%d %H:%M} UTC.")
        return
    columns = ["note", "kind", "half-life", "recalled", "left now", "left then", "shown then", "falls asleep", "text"]
    print_table(columns, list(_rows(found)), cut="text", spare=("text", "recalled"))
    _more(len(found.notes))
    stages = [f"{sum(note.fading_then is stage for note in found.notes)} {stage.value}" for stage in Fading]
    asleep = sum(note.asleep_then for note in found.notes)
    out(
        f"\nBy {found.at:%Y-%m-%d %H:%M} UTC, if nothing is recalled: {len(found.notes)} of "
        f"{counted(found.notes_in_all, 'note')} will have faded ({', '.join(stages)}), {asleep} asleep."
    )


def _rows(found: Forecast) -> Iterator[tuple[str, ...]]:
    for note in found.notes[:_SHOWN]:
        yield (
            note.key,
            _kind(note.type.value, note.category),
            _life(note),
            str(note.retrieval_count),
            f"{note.retention_now:.3f}",
            f"{note.retention_then:.3f}",
            note.fading_then.value,
            _falls(note),
            note.text[:_TEXT],
        )


def _life(note: ForecastNote) -> str:
    from soulmem.forget.sweep import hours_told

    why = " (core)" if note.core else " (pinned)" if note.pinned else ""
    return hours_told(note.half_life_hours) + why


def _falls(note: ForecastNote) -> str:
    if note.asleep:
        return "asleep"
    return f"{note.falls_asleep_at:%Y-%m-%d %H:%M}" if note.falls_asleep_at else "never"


def _more(number: int) -> None:
    if number > _SHOWN:
        say(f"The first {_SHOWN} of {number}; --json has all of them.")
