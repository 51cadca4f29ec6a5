"""``soulmem doctor``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from soulmem.text.counts import counted
from soulmem_cli.as_json import print_json
from soulmem_cli.minds import chosen_mind, opened
from soulmem_cli.options import common, json_option
from soulmem_cli.questions import read_text
from soulmem_cli.shell import own_files
from soulmem_cli.terminal import out, say

if TYPE_CHECKING:
    from soulmem.mending import Repair
    from soulmem.quality import Remark

#: So many remarks of a kind are told.
_TOLD = 10


@click.command()
@click.option(
    "--find",
    "wanted",
    metavar="TEXT",
    help="Look whether TEXT is left in any file of the mind or beside it, deleted or not; - reads it from standard input.",
)
@click.option("--fix", is_flag=True, help="Mend what can be mended without losing anything; the mind is backed up first.")
@click.option("--dry-run", is_flag=True, help="With --fix: show what it would mend in how the mind is made, and do nothing.")
@json_option
@common
def command(wanted: str | None, fix: bool, dry_run: bool, as_json: bool) -> None:
    """Look whether the mind is whole. Exit code 1 if something is wrong.

    Links that wait for a note that was not read in yet are told, and are not wrong. Nor is what could be better in how the mind
    is made: actions that nothing triggers, patterns without a situation, notes that nothing leads to, notes twice.

    With --fix, words, names and vectors are made anew from the texts, and what is counted is counted again. Where the mind is
    whole, notes that are there twice become one with the links, lines and tags of both, and the name of the character stands
    where a card had {{char}}: one operation, which soulmem undo takes back.

    With --find: whether a text is left, in any case, in the bytes of the mind, its log, copies beside it and what was left of
    interrupted work, and where the mind has it. Exit code 1 if it is, 0 if it is nowhere. The text is written nowhere.

    \b
    Examples:
      soulmem doctor
      soulmem doctor --fix --dry-run
      soulmem doctor --fix
      soulmem doctor --find "quince marmalade"
    """
    mind = chosen_mind()
    if dry_run and not fix:
        raise click.UsageError("--dry-run goes with --fix; without it doctor only looks.")
    if wanted is not None:
        if fix:
            raise click.UsageError("--find only looks; --fix is for a mind that is not whole.")
        return _find(mind, read_text("-").strip() if wanted == "-" else wanted, as_json)
    from soulmem.examination import examined
    from soulmem.store import mind_path

    path = mind_path(mind)
    found = examined(path)
    kept = None
    repairs: tuple[Repair, ...] = ()
    if fix and found.findings and not dry_run:
        kept = _fixed(path)
        found = examined(path)
    if fix and not found.findings and found.remarks:
        repairs = _mended(dry_run)
        found = found if dry_run or not repairs else examined(path)
    if as_json:
        told = {"findings": found.findings, "waiting": found.waiting, "remarks": found.remarks, "backup": kept}
        print_json({**told, "repairs": repairs})
    else:
        out("\n".join((*(found.findings or ("The mind is whole.",)), *found.waiting)))
        _print_remarks(found.remarks)
    if found.findings:
        raise click.exceptions.Exit(1)
    return None


def _fixed(path: Path) -> str:
    """Mend the mind; where it was backed up before."""
    from soulmem.backup import back_up, backup_path, free_path
    from soulmem.soul import utc_now

    now = utc_now()
    backup = back_up(path.resolve(), free_path(backup_path(path, now)), now)
    say(f"As it was: {backup.file}")
    with opened() as soul:
        soul.reembed()
    return backup.file


def _mended(dry_run: bool) -> tuple[Repair, ...]:
    """Mend how the mind is made; what was, or with ``dry_run`` would be done."""
    with opened(read_only=dry_run) as soul:
        repairs, operation = soul.mend(dry_run=dry_run)
    for repair in repairs[:_TOLD]:
        say(str(repair))
    if len(repairs) > _TOLD:
        say(f"… and {len(repairs) - _TOLD} more")
    if repairs:
        say("Nothing was written." if operation is None else f"Mended; taken back with: soulmem undo {operation.number}")
    return repairs


def _print_remarks(remarks: Sequence[Remark]) -> None:
    """What could be better: some of each kind."""
    kinds: dict[str, list[Remark]] = {}
    for remark in remarks:
        kinds.setdefault(remark.flaw, []).append(remark)
    for kind, those in kinds.items():
        out(f"Could be better: {kind}, {len(those)}")
        out("\n".join(f"  {remark}" for remark in those[:_TOLD]))
        if len(those) > _TOLD:
            out(f"  … and {len(those) - _TOLD} more")


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
            out(f"{found.file}: {counted(found.count, 'time')}{f' ({inside})' if inside else ''}")
            if found.between:
                told = (
                    "in the file's bytes, between stored texts: the end of one and the beginning of the next, which tell nothing"
                )
                out(f"  {found.between} of them {told}")
        if not search.is_left:
            out(f"It is nowhere: {counted(search.files, 'file')} looked at.")
    if search.is_left:
        raise click.exceptions.Exit(1)
