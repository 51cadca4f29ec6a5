"""``soulmem forget``: a sweep, and what it, or time, will take; and forgetting for good what is named."""

from __future__ import annotations

from datetime import datetime, timedelta

import click

from soulmem_cli.forget_for_good import ForGood, for_good_options, forget_for_good
from soulmem_cli.moments import at_or_ahead
from soulmem_cli.options import common, json_option
from soulmem_cli.sweeps import sweep_now


@click.command(short_help="Put to sleep what has faded; foresee what will; forget for good what is named.")
@for_good_options
@click.option(
    "--dry-run", is_flag=True, help="Only show: what would go, or what a sweep would do and what will be left of each note."
)
@click.option(
    "--at",
    callback=at_or_ahead,
    metavar="TIME",
    help="Of a sweep: a date, RFC 3339, or a time ahead ('in 30 days', 12h; with --dry-run). [default: now]",
)
@json_option
@common
def command(
    about: tuple[str, ...],
    notes: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
    yes: bool,
    dry_run: bool,
    at: datetime | timedelta | None,
    as_json: bool,
) -> None:
    """Put the notes to sleep of which too little is left. Nothing is deleted: what sleeps is found by whoever asks for it, and
    wakes when it is recalled; associations pass it by. This is done by itself when nobody talks; undo takes it back.

    With --dry-run nothing is written, and every number can be looked at: what is left of each note, what will be left at a
    time to come, how its text will be shown then (NoAction: as it is; MaskOnly, Revised: with gaps), and when it will fall
    asleep.

    With --about, --note or --since, forget for good what they name: notes, the lines they come from, and all that was drawn
    from these alone. What goes is shown first, and asked about. It cannot be undone. All that is named is forgotten together.
    Exports, backups and the files that were read in stay as they are.

    \b
    Examples:
      soulmem forget --dry-run --at 'in 30 days'
      soulmem forget --about "quince marmalade" --dry-run
      soulmem forget --note fact_greta_lives --note sem_halden -y
      soulmem forget --since 2026-05-31T20:00:00Z
    """
    asked = ForGood(about=about, notes=notes, since=since, until=until, yes=yes)
    if not asked.is_asked:
        return sweep_now(dry_run, at, as_json)
    if at is not None:
        raise click.UsageError("--at is for a sweep; what is forgotten for good is forgotten now.")
    return forget_for_good(asked, dry_run=dry_run, as_json=as_json)
