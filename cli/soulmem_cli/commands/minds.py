"""``soulmem minds``."""

from __future__ import annotations

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.options import json_option, without_mind
from soulmem_cli.tables import print_table
from soulmem_cli.terminal import say


@click.command(short_help="List the minds in the data folder.")
@json_option
@without_mind("All minds are listed.")
def command(as_json: bool) -> None:
    """List the minds in the data folder, which --mind knows by name.

    The folder is SOULMEM_HOME, or the place of this system for such data.

    \b
    Example:
      soulmem minds
    """
    from soulmem.store import list_minds, mind_path

    minds = [{"name": name, "path": str(mind_path(name))} for name in list_minds()]
    if as_json:
        print_json(minds)
    elif minds:
        print_table(("name", "path"), [tuple(mind.values()) for mind in minds])
    else:
        say("There is no mind yet. Make one with: soulmem init NAME")
