"""``soulmem forget``."""

from __future__ import annotations

from datetime import datetime

import click

from soulmem_cli.forget_for_good import ForGood, for_good_options, forget_for_good
from soulmem_cli.options import common, json_option


@click.command(short_help="Forget something for good.")
@for_good_options
@click.option("--dry-run", is_flag=True, help="Show what would go, and leave it there.")
@json_option
@common
def command(
    about: tuple[str, ...],
    notes: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Forget for good what is named: notes, the lines they come from, and all that was drawn from these alone.

    What goes is shown first, and asked about. It cannot be undone. Several --about, --note and one --since are forgotten
    together. Exports, backups of your own and the files that were read in stay as they are.

    \b
    Examples:
      soulmem forget --about "quince marmalade" --dry-run
      soulmem forget --note fact_greta_lives --note sem_halden -y
      soulmem forget --since 2026-05-31T20:00:00Z
    """
    asked = ForGood(about=about, notes=notes, since=since, until=until, yes=yes)
    if not asked.is_asked:
        raise click.UsageError("What should be forgotten? Name it with --about, --note or --since.")
    forget_for_good(asked, dry_run=dry_run, as_json=as_json)
