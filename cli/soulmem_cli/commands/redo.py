"""``soulmem redo``."""

from __future__ import annotations

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.options import common, json_option
from soulmem_cli.terminal import one_line, out


@click.command(short_help="Do again what was undone last.")
@json_option
@common
def command(as_json: bool) -> None:
    """Do again what was undone last.

    \b
    Example:
      soulmem redo
    """
    with opened() as soul:
        operation = soul.redo()
    if as_json:
        print_json(operation)
    else:
        out(f"done again: {one_line(operation.what)}")
