"""``soulmem unpin``."""

from __future__ import annotations

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.options import common, json_option
from soulmem_cli.terminal import one_line, say


@click.command(short_help="Let a pinned note fade again.")
@click.argument("note", metavar="KEY_OR_ID")
@json_option
@common
def command(note: str, as_json: bool) -> None:
    """Let a pinned note fade again, from now on.

    \b
    Example:
      soulmem unpin sem_lighthouse
    """
    with opened() as soul:
        found = soul.note(note)
        operation = soul.pin(found.id, False)
    if as_json:
        print_json({"key": found.key, "pinned": False, "operation": operation.number if operation else None})
    else:
        key = one_line(found.key)
        say(f"{key} fades again." if operation else f"{key} was not pinned.")
