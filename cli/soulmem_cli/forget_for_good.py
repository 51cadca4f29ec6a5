"""``soulmem forget --about | --note | --since``: what goes is shown, asked about, and then gone for good."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from soulmem.text.counts import counted
from soulmem_cli.as_json import print_json, rfc3339
from soulmem_cli.minds import opened
from soulmem_cli.options import moment
from soulmem_cli.questions import read_text
from soulmem_cli.terminal import one_line, out, say

if TYPE_CHECKING:
    from soulmem.forget.for_good import ForgetReport

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

#: So many of a kind are shown one by one.
_SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ForGood:
    """What the options name, and how: ``yes``: without asking; ``dry_run``: only show."""

    about: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    yes: bool = False

    @property
    def is_asked(self) -> bool:
        """Whether any of the options was given that name what goes."""
        return bool(self.about or self.notes or self.since or self.until)


def for_good_options(function: Decorated) -> Decorated:
    """The options that name what is forgotten for good: ``about``, ``notes``, ``since``, ``until``, ``yes``."""
    options = (
        click.option(
            "--about",
            multiple=True,
            metavar="TEXT",
            help="Lines and notes that mention TEXT; of a name, all names of what it names. - reads it from standard input. "
            "Repeatable.",
        ),
        click.option(
            "--note", "notes", multiple=True, metavar="KEY", help="This note, with the lines it was drawn from. Repeatable."
        ),
        click.option("--since", callback=moment, metavar="TIME", help="What was said, learned and asked from this time on."),
        click.option("--until", callback=moment, metavar="TIME", help="With --since: up to this time."),
        click.option("-y", "--yes", is_flag=True, help="Do not ask."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def forget_for_good(asked: ForGood, *, dry_run: bool, as_json: bool) -> None:
    """Show what goes, ask, and forget it. Exit code 2 where nobody can be asked and ``-y`` is not given."""
    if asked.until and not asked.since:
        raise click.UsageError("--until goes with --since.")
    if not (dry_run or asked.yes or sys.stdin.isatty()):
        raise click.UsageError("This cannot be undone, and nobody can be asked here. Look with --dry-run, then give -y.")
    about = tuple(_text(text) for text in asked.about)
    with opened(read_only=dry_run) as soul:
        named: dict[str, Any] = {"about": about, "notes": asked.notes, "since": asked.since, "until": asked.until}
        plan = soul.forget(**named, dry_run=True)
        if not as_json:
            _print(plan)
        if dry_run or _is_nothing(plan):
            if as_json:
                print_json(plan)
            return
        if not asked.yes:
            click.confirm("Forget this for good? It cannot be undone", abort=True, err=True)
        report = soul.forget(**named)
        path = soul.store.path
    if as_json:
        print_json(report)
    elif report.operation is not None:
        out(f"Forgotten for good: {report.operation.what}.")
    _warn(report, path, about)


def _text(given: str) -> str:
    return read_text("-").strip() if given == "-" else given


def _is_nothing(plan: ForgetReport) -> bool:
    told = (plan.messages, plan.notes, plan.recalls, plan.links, plan.revised, plan.entries, plan.values)
    return not any(told)


def _print(plan: ForgetReport) -> None:
    if _is_nothing(plan):
        return out("There is nothing of the kind in the mind.")
    for line in (*_notes(plan), *_lines(plan), *_revised(plan), *_others(plan)):
        out(line)
    return None


def _some(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"{title} ({len(lines)})"
        yield from (f"  {line}" for line in lines[:_SHOWN])
        if len(lines) > _SHOWN:
            yield f"  … and {len(lines) - _SHOWN} more: --dry-run --json shows all"


def _notes(plan: ForgetReport) -> Iterator[str]:
    told = [f"{note.key}: {note.text}{f'  [{_places(note.sources)}]' if note.sources else ''}" for note in plan.gone_notes]
    yield from _some("Notes that go", [one_line(line) for line in told])


def _places(sources: Sequence[str]) -> str:
    more = f", and {len(sources) - 3} more" if len(sources) > 3 else ""
    return ", ".join(sources[:3]) + more


def _lines(plan: ForgetReport) -> Iterator[str]:
    told = [
        f"{said.file}:{said.line}{f' {rfc3339(said.time)}' if said.time else ''} {said.speaker}: {said.text}"
        for said in plan.gone_messages
    ]
    yield from _some("Lines that go", [one_line(line) for line in told])


def _revised(plan: ForgetReport) -> Iterator[str]:
    told = [
        f"{note.key}: {note.before} → {note.after}"
        if note.before != note.after
        else f"{note.key}: {note.after} (loses {counted(note.sources, 'source')})"
        for note in plan.revised_notes
    ]
    yield from _some("Notes that stay, without what they had from there", [one_line(line) for line in told])
    yield from _some("Facts that hold again", list(plan.restored_notes))


def _others(plan: ForgetReport) -> Iterator[str]:
    counts = (
        (plan.links, "link"),
        (plan.summary_lines, "line of summaries"),
        (plan.recalls, "question"),
        (plan.values, "other text"),
        (plan.words, "word"),
        (plan.names, "name"),
        (plan.embeddings, "cached vector"),
    )
    plural = {"line of summaries": "lines of summaries"}
    told = [f"{number} {plural.get(what, f'{what}s') if number != 1 else what}" for number, what in counts if number]
    if told:
        yield f"With them: {', '.join(told)}."
    if plan.entries:
        yield f"{counted(plan.entries, 'operation')} that told of it cannot be undone any more."
    if plan.files:
        yield f"Who reads these in again brings their lines back: {one_line(', '.join(plan.files))}"


def _warn(report: ForgetReport, path: Path, about: Sequence[str]) -> None:
    for copy in report.copies:
        say(f"A copy of the mind may still have it; remove it if you do not need it: {copy}")
    for backup in report.backups:
        say(f"A backup of the mind may still have it, and restoring it brings it back; remove it if you do not need it: {backup}")
    from soulmem.forget.finding import searched

    for text in about:
        left = sum(found.count - found.between for found in searched(path, text).found)
        if left:
            say(f"The letters are still there {counted(left, 'time')}, in other words or names: see soulmem doctor --find.")
