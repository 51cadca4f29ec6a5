"""``soulmem backup``."""

from __future__ import annotations

from pathlib import Path

import click

from soulmem.text.counts import counted
from soulmem_cli.as_json import print_json
from soulmem_cli.minds import chosen_mind
from soulmem_cli.options import common, json_option
from soulmem_cli.outputs import check_outputs
from soulmem_cli.terminal import one_line, out, say, sized


@click.command(short_help="Keep a verified copy of the mind, even while it is in use.")
@click.argument("file", metavar="[FILE]", required=False)
@json_option
@common
def command(file: str | None, as_json: bool) -> None:
    """Keep a copy of the whole mind in one file, by default in the folder of backups, named after the mind and the time.

    The mind may be in use meanwhile. The copy is opened and examined before it counts. It holds all that the mind remembers:
    keep it as private as the mind.

    \b
    Examples:
      soulmem backup
      soulmem backup /media/stick/wren.zip
    """
    mind = chosen_mind()
    from soulmem.backup import back_up, backup_path
    from soulmem.soul import utc_now
    from soulmem.store import mind_path

    now = utc_now()
    path = mind_path(mind)
    if file is not None:
        check_outputs(Path(file), force=True)  # what is there already is refused by the backup itself
    done = back_up(path, Path(file) if file is not None else backup_path(path, now), now)
    if as_json:
        print_json(done)
    else:
        held = ", ".join(counted(number, what) for number, what in ((done.notes, "note"), (done.messages, "message")))
        out(
            f"{one_line(done.file)}: {held}, up to operation {done.operations}, {sized(Path(done.file).stat().st_size)}, verified"
        )
    for finding in done.findings:
        say(f"The mind is not quite whole, and so is the backup: {finding}")
