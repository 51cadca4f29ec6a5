"""``soulmem ingest``."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from soulmem.text.counts import counted
from soulmem_cli.as_json import print_json
from soulmem_cli.interrupts import telling_interrupts
from soulmem_cli.minds import opened
from soulmem_cli.options import at_option, common, encoding_named, format_named, json_option
from soulmem_cli.terminal import one_line, out, progress_bar, say, shortened
from soulmem_cli.working import present_option, scope_option

if TYPE_CHECKING:
    from soulmem.ingest.report import FileReport, IngestReport
    from soulmem.soul import Soul


#: What becomes notes and links, several of each.
_BECOME_NOTES = {"answers", "entries", "fields", "personas"}
_ONE = {"entries": "entry"}


class _Reading(click.Command):
    """Tells at the end of its help what can be read, which takes loading the readers."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from soulmem.ingest.formats import FORMATS

        with formatter.section("What can be read, by the name that --format takes"):
            formatter.write_dl([(known.name, known.description) for known in FORMATS])


@click.command(cls=_Reading, short_help="Read chats and graphs into the mind.")
@click.argument("paths", metavar="PATH…", nargs=-1, required=True)
@click.option(
    "--format", metavar="NAME", callback=format_named, help="Read every file as this format, without looking which it is."
)
@click.option(
    "--encoding",
    metavar="NAME",
    callback=encoding_named,
    help="The encoding of texts that are not UTF-8 (big5, shift_jis, windows-1251 …), if it is guessed wrong.",
)
@click.option("--strict", is_flag=True, help="Refuse a file whole if anything in it is wrong.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--aged", is_flag=True, help="What is read has faded since it happened, instead of beginning to fade now.")
@scope_option
@present_option
@at_option
@json_option
@common
def command(
    paths: tuple[str, ...],
    format: str | None,
    encoding: str | None,
    strict: bool,
    dry_run: bool,
    aged: bool,
    scope: str,
    present: tuple[str, ...],
    at: datetime | None,
    as_json: bool,
) -> None:
    """Read files, folders and zips into the mind: chats of many programs, and graphs of memories.

    An old chat is not born forgotten: what is read begins to fade now. With --aged it has faded since it happened.

    Everybody may hear of a chat that is read, but for what is confided in it; --scope says who else alone. What a graph or an
    export tells of scopes stands.

    What is there already is not read twice, so the same file can be given again when it has grown. "-" is standard input. Exit
    code 1 if a file was refused.

    \b
    Examples:
      soulmem ingest chats/ old-chats.zip
      soulmem ingest graph.json chat.jsonl --dry-run
      soulmem ingest tea.jsonl --scope group:tea --present Kai
      zcat old.jsonl.gz | soulmem ingest -
    """
    if paths.count("-") > 1:
        raise click.UsageError("Standard input (-) can be read only once.")
    with opened(read_only=dry_run) as soul:
        how = {"format": format, "encoding": encoding, "strict": strict, "dry_run": dry_run, "aged": aged, "at": at}
        with telling_interrupts(lambda: "" if dry_run else _interrupted()):
            report = _read(soul, paths, scope=scope, present=present, **how)
    if as_json:
        print_json(report)
    else:
        _print(report, dry_run)
    if any(file.refused is not None for file in report.files):
        raise click.exceptions.Exit(1)


def _interrupted() -> str:
    from soulmem.ingest.in_parts import MOST_MESSAGES

    return (
        "Interrupted: nothing of the file that was being read is in the mind, but for whole parts of one with more than "
        f"{MOST_MESSAGES:,} messages; what was read before it is.\nTo go on, give the same files again."
    )


def _read(soul: Soul, paths: tuple[str, ...], **options: Any) -> IngestReport:
    from soulmem.ingest.report import IngestReport

    files = [path for path in paths if path != "-"]
    with progress_bar() as progress:
        report = soul.ingest(*files, progress=progress, **options)
        if "-" not in paths:
            return report
        piped = soul.ingest_bytes(sys.stdin.buffer.read(), name="-", progress=progress, **options)
    return IngestReport(files=(*report.files, piped))


def _print(report: IngestReport, dry_run: bool) -> None:
    for file in report.files:
        out("\n".join(_lines(file)))
    if not report.files:
        say("Nothing to read was found there.")
    if dry_run:
        say("A dry run: nothing was written.")


def _lines(file: FileReport) -> list[str]:
    path = one_line(file.path)
    if file.refused is not None:
        why, *advice = file.refused.split("\n")
        return [f"{path}: refused: {one_line(why)}", *(f"  {one_line(line)}" for line in advice), *_problem_lines(file)]
    if file.format is None:
        return [f"{path}: skipped: {'; '.join(one_line(problem.what) for problem in file.problems)}"]
    drawn = f", {counted(file.derived, 'note')} drawn from it" if file.derived else ""
    edited = _edited(file)
    return [f"{path} ({file.format}): {_counts(file)}{drawn}{edited}", *_problem_lines(file)]


def _counts(file: FileReport) -> str:
    """What was read in the words of the file, and what the mind gained by it. One message, node or link is one there too; an
    entry or a field becomes many."""
    read = " and ".join(counted(number, _ONE.get(name, name.removesuffix("s")), name) for name, number in file.items.items())
    gained = f"{file.new} new, {file.existing} already there"
    if file.items.keys() & _BECOME_NOTES:
        return f"{read} read, {file.skipped} skipped; notes and links made of that: {gained}"
    return f"{read} read, {gained}, {file.skipped} skipped"


def _edited(file: FileReport) -> str:
    if not file.replaced and not file.removed:
        return ""
    return f"; another version of what was read: {counted(file.replaced, 'note')} replaced, {file.removed} removed"


def _problem_lines(file: FileReport) -> list[str]:
    path = one_line(file.path)
    lines = [
        f"{path}{f':{problem.line}' if problem.line is not None else ''}: {one_line(problem.what)}" for problem in file.problems
    ]
    return [f"  {line}" for line in shortened(lines)]
