"""``soulmem pin``."""

from __future__ import annotations

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.options import common, json_option
from soulmem_cli.terminal import one_line, say


@click.command(short_help="Keep a note from fading.")
@click.argument("note", metavar="KEY_OR_ID")
@json_option
@common
def command(note: str, as_json: bool) -> None:
    """Keep a note as it is now: it hardly fades any more (by half in a hundred years), and it wakes if it was asleep. What was
    lost of it before is not brought back.

    \b
    Example:
      soulmem pin sem_lighthouse
    """
    with opened() as soul:
        found = soul.note(note)
        operation = soul.pin(found.id, True)
    if as_json:
        print_json({"key": found.key, "pinned": True, "operation": operation.number if operation else None})
    else:
        key = one_line(found.key)
        say(f"{key} is pinned." if operation else f"{key} was pinned already.")
