"""``soulmem doctor``."""

from __future__ import annotations

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import chosen_mind
from soulmem_cli.options import common, json_option
from soulmem_cli.terminal import out


@click.command()
@json_option
@common
def command(as_json: bool) -> None:
    """Look whether the mind is whole. Exit code 1 if something is wrong.

    Links that wait for a note that was not read in yet are told, and are not wrong.

    \b
    Example:
      soulmem doctor
    """
    mind = chosen_mind()
    from soulmem.examination import examined
    from soulmem.store import mind_path

    found = examined(mind_path(mind))
    if as_json:
        print_json({"findings": found.findings, "waiting": found.waiting})
    else:
        out("\n".join((*(found.findings or ("The mind is whole.",)), *found.waiting)))
    if found.findings:
        raise click.exceptions.Exit(1)
