"""``soulmem consolidate``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

import click

from soulmem.text.counts import counted
from soulmem_cli.as_json import print_json
from soulmem_cli.interrupts import telling_interrupts
from soulmem_cli.minds import opened
from soulmem_cli.models import configured_model, no_model_option
from soulmem_cli.options import at_option, common, json_option
from soulmem_cli.terminal import one_line, out, say

if TYPE_CHECKING:
    from soulmem.consolidate.consolidate import ConsolidationReport, ReportEntry
    from soulmem.model.changes import Operation
    from soulmem.soul import Soul

#: Characters of an entry that are shown; ``--json`` has all of them.
_SHOWN = 160
#: The greatest number an entry can have.
_MOST = 1_000_000


def _numbers(ctx: click.Context, parameter: click.Parameter, value: str | None) -> frozenset[int] | None:
    """``1,3-5`` as numbers."""
    if value is None:
        return None
    found: set[int] = set()
    for part in value.split(","):
        match = re.fullmatch(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6}))?\s*", part, re.ASCII)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= _MOST:
            raise click.BadParameter(f"{part.strip()!r} is not a number or a range like 3-5", ctx, parameter)
        found.update(range(first, last + 1))
    return frozenset(found)


@click.command(short_help="Make memories of what was said, and let links grow and fade.")
@click.option("--dry-run", is_flag=True, help="Show the plan, and do nothing.")
@click.option("--accept", metavar="NUMBERS", callback=_numbers, help="Write only these entries of the plan, as in 1,3-5.")
@click.option("--reject", metavar="NUMBERS", callback=_numbers, help="Write all entries but these.")
@click.option("--from-start", is_flag=True, help="Read all chats from their first line, those that were ingested too.")
@no_model_option
@click.option("--prompts", is_flag=True, help="Show what the model would be given, ask nobody, and do nothing.")
@at_option
@json_option
@common
def command(
    dry_run: bool,
    accept: frozenset[int] | None,
    reject: frozenset[int] | None,
    from_start: bool,
    no_model: bool,
    prompts: bool,
    at: datetime | None,
    as_json: bool,
) -> None:
    """Make memories of the messages that were not consolidated yet. The language model that is configured draws and links them
    (soulmem config); without one it is done by rules. What a model answers is checked, and where it is of no use the rules do it.

    The plan is shown as a diff: + new, ~ changed, = strengthened, - superseded or cut. With --accept and --reject, whose
    numbers are those that --dry-run shows, it is written in part; what is left out is not proposed again. A model may plan
    otherwise the next time: look at what was written, and take it back with soulmem undo, or plan with --no-model.

    A chat that is ingested brings its situations and names along and counts as consolidated; --from-start draws facts from it
    too. At most 500 messages are read at once: without --from-start it then goes on from there.

    When the model cannot be reached nothing is written but that it was tried; the same lines are tried again the next time, and
    the third time without a model.

    \b
    Examples:
      soulmem consolidate --dry-run
      soulmem consolidate --reject 4,7-9
      soulmem consolidate --json
    """
    if accept is not None and reject is not None:
        raise click.UsageError("Give --accept or --reject, not both.")
    from soulmem.llm.repeating import RepeatingModel

    if prompts:
        return _show_prompts(at)
    with configured_model(no_model) as model, opened(read_only=dry_run) as soul:
        soul.use_model(model and RepeatingModel(model))
        before = soul.log(1)
        with _told_failure(dry_run), telling_interrupts(lambda: "" if dry_run else _interrupted(soul, before)):
            report = _run(soul, dry_run, accept, reject, at, from_start)
        if model and not (accept is None and reject is None):
            say("The model has made this plan anew: its numbers may not be those that --dry-run showed.")
    if as_json:
        print_json(report)
    else:
        _print(report)
    return None


@contextmanager
def _told_failure(dry_run: bool) -> Iterator[None]:
    """Say what happens next where a model fails; the error itself goes on."""
    from soulmem.errors import ModelError

    try:
        yield
    except ModelError:
        if dry_run:
            say("Nothing was changed. To plan without the model: soulmem consolidate --dry-run --no-model")
        else:
            again = "The same lines are tried again the next time, the third time without the model"
            say(f"No memory was made. {again}; to do it without now: soulmem consolidate --no-model")
        raise


def _interrupted(soul: Soul, before: tuple[Operation, ...]) -> str:
    """What of a run that was interrupted is in the mind; ``before``: its last operation when the run began."""
    last = soul.log(1)
    if last != before:
        return f"Interrupted: all of it is in the mind already, as operation {last[0].number}; soulmem undo takes it back."
    return "Interrupted: nothing of it is in the mind; the same messages are consolidated the next time."


def _show_prompts(at: datetime | None) -> None:
    """The prompts as they would be sent, up to the first: what follows depends on its answer."""
    from soulmem.errors import ModelDryRunError
    from soulmem_cli.models import dry_model

    with opened(read_only=True) as soul:
        soul.use_model(dry_model())
        try:
            soul.consolidate(at=at, dry_run=True)
        except ModelDryRunError:
            return
    say("There is nothing to consolidate: no prompt would be sent.")


def _run(
    soul: Soul,
    dry_run: bool,
    accept: frozenset[int] | None,
    reject: frozenset[int] | None,
    at: datetime | None,
    from_start: bool,
) -> ConsolidationReport:
    moment = at or soul.clock()
    if accept is None and reject is None:
        return soul.consolidate(at=moment, dry_run=dry_run, from_start=from_start)
    planned = soul.consolidate(at=moment, dry_run=True, from_start=from_start)
    numbers = frozenset(entry.number for entry in planned.entries)
    unknown = sorted((accept or reject or frozenset()) - numbers)
    if unknown:
        raise click.UsageError(
            f"The plan has no entry {unknown[0]}; it has {counted(len(numbers), 'entry').replace('entrys', 'entries')}."
        )
    chosen = accept if accept is not None else numbers - (reject or frozenset())
    return soul.consolidate(at=moment, dry_run=dry_run, accept=chosen, from_start=from_start)


def _print(report: ConsolidationReport) -> None:
    width = len(str(len(report.entries)))
    for entry in report.entries:
        out(_line(entry, width))
    say(_told(report))
    for problem in report.problems:
        say(f"The answer of the model: {problem}")


def _line(entry: ReportEntry, width: int) -> str:
    text = one_line(entry.text)
    text = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    left_out = "" if entry.accepted else "  (left out)"
    sources = f"  [{', '.join(entry.sources[:3])}{', …' if len(entry.sources) > 3 else ''}]" if entry.sources else ""
    why = one_line(entry.why)[:_SHOWN]
    return f"{entry.sign} {entry.number:>{width}}  {entry.kind}: {text}  — {why}{sources}{left_out}"


def _told(report: ConsolidationReport) -> str:
    what = f"{counted(report.messages, 'message')}, {counted(len(report.entries), 'entry', 'entries')} in the plan"
    if report.dry_run:
        return f"{what}; nothing was written."
    done = "nothing was to be written" if report.operation is None else f"written as operation {report.operation}"
    left = f"; {counted(report.left, 'message')} left, run it again" if report.left else ""
    skipped = f"; {counted(report.skipped, 'batch', 'batches')} skipped so far" if report.skipped else ""
    return f"{what}; {done}{left}{skipped}."
