"""``soulmem log``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.options import MOST, common, json_option
from soulmem_cli.tables import print_table

if TYPE_CHECKING:
    from soulmem.model.changes import Operation


def _what(operation: Operation) -> str:
    mark = f"(undone by {operation.undone_by}) " if operation.undone_by is not None else ""
    return mark + operation.what


@click.command()
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, MOST), metavar="N", help="At most so many.")
@json_option
@common
def command(limit: int, as_json: bool) -> None:
    """Show what was written to the mind, newest first.

    \b
    Example:
      soulmem log --limit 5
    """
    with opened(read_only=True) as soul:
        operations = soul.log(limit)
    if as_json:
        print_json(operations)
    else:
        print_table(
            ("number", "at", "command", "what"),
            [(one.number, one.at.replace(microsecond=0), one.command, _what(one)) for one in operations],
        )
