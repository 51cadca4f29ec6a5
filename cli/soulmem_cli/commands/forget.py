"""``soulmem forget``: a sweep, and what it, or time, will take."""

from __future__ import annotations

from datetime import datetime, timedelta

import click

from soulmem_cli.moments import at_or_ahead
from soulmem_cli.options import common, json_option
from soulmem_cli.sweeps import sweep_now


@click.command(short_help="Put to sleep what has faded; foresee what will.")
@click.option("--dry-run", is_flag=True, help="Only show: what a sweep would do, and what will be left of each note.")
@click.option(
    "--at",
    callback=at_or_ahead,
    metavar="TIME",
    help="The time it is taken to be: a date, RFC 3339, or ahead ('in 30 days', 12h; with --dry-run). [default: now]",
)
@json_option
@common
def command(dry_run: bool, at: datetime | timedelta | None, as_json: bool) -> None:
    """Put the notes to sleep of which too little is left. Nothing is deleted: what sleeps is found by whoever asks for it, and
    wakes when it is recalled; associations pass it by. This is done by itself when nobody talks; undo takes it back.

    With --dry-run nothing is written, and every number can be looked at: what is left of each note, what will be left at a
    time to come, how its text will be shown then (NoAction: as it is; MaskOnly, Revised: with gaps), and when it will fall
    asleep.

    \b
    Examples:
      soulmem forget
      soulmem forget --dry-run --at 'in 30 days'
      soulmem forget --dry-run --json
    """
    sweep_now(dry_run, at, as_json)
