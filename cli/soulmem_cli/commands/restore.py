"""``soulmem restore``."""

from __future__ import annotations

from pathlib import Path

import click

from soulmem.text.counts import counted
from soulmem_cli.as_json import plain, print_json
from soulmem_cli.options import common, json_option, one_mind
from soulmem_cli.terminal import one_line, out, say


@click.command(short_help="Make a mind of a backup.")
@click.argument("file", metavar="FILE")
@click.option("--as", "name", metavar="NAME_OR_PATH", help="The mind to make, as --mind names it. [default: the name it had]")
@click.option("--force", is_flag=True, help="Replace a mind that is there; it is backed up first, a damaged one as it is.")
@json_option
@common
def command(file: str, name: str | None, force: bool, as_json: bool) -> None:
    """Make a mind of a backup: under the name it had, or another.

    What the backup holds is verified before anything is written in its place. A mind that is there is never lost: it stays, or
    with --force is backed up first.

    \b
    Examples:
      soulmem restore ~/backups/wren.zip
      soulmem restore ~/backups/wren.zip --as wren-in-may
    """
    from soulmem.backup import forgotten_since, read_backup, restore
    from soulmem.soul import utc_now
    from soulmem.store import mind_path

    name = one_mind(name)
    source = Path(file)
    backup = read_backup(source)
    target = mind_path(name or backup.mind)
    times = max(forgotten_since(mind, backup) for mind in {target, mind_path(backup.mind)})
    done, kept = restore(source, target, utc_now(), replaces=force)
    if times:
        say(f"Since this backup was made, {counted(times, 'time')} something was forgotten for good: what it was is here again.")
    if as_json:
        print_json({"mind": str(target), "backup": plain(done), "kept": None if kept is None else str(kept)})
        return
    held = ", ".join(counted(number, what) for number, what in ((done.notes, "note"), (done.messages, "message")))
    out(f"{one_line(str(target))}: {held}, as of {done.made_at:%Y-%m-%d %H:%M} UTC")
    if kept is not None:
        out(f"What was there before: {one_line(str(kept))}")
