"""``soulmem undo``."""

from __future__ import annotations

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.options import MOST, common, json_option
from soulmem_cli.terminal import one_line, out, say


@click.command(short_help="Take back what an operation wrote.")
@click.argument("number", metavar="[N]", required=False, type=click.IntRange(1, MOST))
@json_option
@common
def command(number: int | None, as_json: bool) -> None:
    """Take back what operation N of the log wrote, by default the last one that is not undone.

    What later operations changed, or build upon, is not taken from under them: then it is said which one to undo first. Pure
    bookkeeping (where a talk stands, vectors of its lines) is never meant by itself, and goes with what it belongs to.

    \b
    Examples:
      soulmem undo
      soulmem undo 12
    """
    with opened() as soul:
        last = soul.log(1)
        operation = soul.undo(number)
        books = operation.number - 1 - (last[0].number if last else 0)
    if as_json:
        print_json(operation)
    else:
        out(f"undone: {one_line(operation.what)}")
    if books:
        say(f"With it went {books} {'entry' if books == 1 else 'entries'} of bookkeeping that followed it.")
