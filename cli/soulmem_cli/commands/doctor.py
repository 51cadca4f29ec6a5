"""``soulmem doctor``."""

from __future__ import annotations

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import chosen_mind
from soulmem_cli.options import common, json_option
from soulmem_cli.questions import read_text
from soulmem_cli.shell import own_files
from soulmem_cli.terminal import counted, out, say


@click.command()
@click.option(
    "--find",
    "wanted",
    metavar="TEXT",
    help="Look whether TEXT is left in any file of the mind or beside it, deleted or not; - reads it from standard input.",
)
@json_option
@common
def command(wanted: str | None, as_json: bool) -> None:
    """Look whether the mind is whole. Exit code 1 if something is wrong.

    Links that wait for a note that was not read in yet are told, and are not wrong.

    With --find: whether a text is left, in any case, in the bytes of the mind, its log, copies beside it and what was left of
    interrupted work, and where the mind has it. Exit code 1 if it is, 0 if it is nowhere. The text is written nowhere.

    \b
    Examples:
      soulmem doctor
      soulmem doctor --find "quince marmalade"
    """
    mind = chosen_mind()
    if wanted is not None:
        return _find(mind, read_text("-").strip() if wanted == "-" else wanted, as_json)
    from soulmem.examination import examined
    from soulmem.store import mind_path

    found = examined(mind_path(mind))
    if as_json:
        print_json({"findings": found.findings, "waiting": found.waiting})
    else:
        out("\n".join((*(found.findings or ("The mind is whole.",)), *found.waiting)))
    if found.findings:
        raise click.exceptions.Exit(1)
    return None


def _find(mind: str, text: str, as_json: bool) -> None:
    from soulmem.forget.finding import searched
    from soulmem.store import mind_path

    search = searched(mind_path(mind).resolve(), text, also=own_files())
    if search.trouble:
        say(f"Only the bytes were looked at, not what the engine makes of them: {search.trouble}.")
    if as_json:
        print_json(search)
    else:
        for found in search.found:
            inside = ", ".join(f"{place} {number}" for place, number in found.inside)
            out(f"{found.file}: {found.count} {'time' if found.count == 1 else 'times'}{f' ({inside})' if inside else ''}")
        if not search.found:
            out(f"It is nowhere: {counted(search.files, 'file')} looked at.")
    if search.found:
        raise click.exceptions.Exit(1)
