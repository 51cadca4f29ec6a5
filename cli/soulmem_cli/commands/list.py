"""``soulmem list``."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.options import MOST, as_of_option, common, json_option
from soulmem_cli.tables import print_table
from soulmem_cli.terminal import say

if TYPE_CHECKING:
    from soulmem.views import NoteRow

_TYPES = ("Semantic", "SpecificSituation", "AbstractSituation", "Procedure")


@click.command(short_help="List notes.")
@click.option("--type", "note_type", type=click.Choice(_TYPES, case_sensitive=False), help="Only notes of this type.")
@click.option("--tag", metavar="TAG", help="Only notes with this tag.")
@click.option("--text", metavar="TEXT", help="Only notes with this text in them.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, MOST), metavar="N", help="At most so many.")
@click.option("--offset", default=0, type=click.IntRange(0, MOST), metavar="N", help="Leave out so many of the first.")
@as_of_option
@json_option
@common
def command(
    note_type: str | None, tag: str | None, text: str | None, limit: int, offset: int, as_of: int | datetime | None, as_json: bool
) -> None:
    """List notes by their keys, with what they say and how well they are retained.

    \b
    Examples:
      soulmem list --type Procedure
      soulmem list --text 糯米 --json
    """
    with opened(read_only=True, as_of=as_of) as soul:
        # One more than is shown, to know whether there are more.
        rows = soul.list(type=note_type, tag=tag, text=text, limit=limit + 1, offset=offset)
    shown, more = rows[:limit], len(rows) > limit
    if as_json:
        print_json(shown)
    else:
        columns = ("key", "type", "text", "retention", "recalled", "tags")
        cells = [(row.key, row.type.value, _told(row), row.retention, row.retrieval_count, ", ".join(row.tags)) for row in shown]
        print_table(columns, cells, cut="text", spare=("tags", "recalled", "type", "retention"))
    if more:
        say(f"There are more than these {limit}: raise --limit, or go on with --offset {offset + limit}.")


def _told(row: NoteRow) -> str:
    """The text, with the day on which a fact ceased to hold."""
    from soulmem.recall.told import with_validity

    return with_validity(row.text, None, row.valid_until) if row.valid_until else row.text
