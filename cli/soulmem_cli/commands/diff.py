"""``soulmem diff``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.changes import shown_change
from soulmem_cli.minds import opened
from soulmem_cli.options import MOST, common, json_option
from soulmem_cli.terminal import one_line, out, say

if TYPE_CHECKING:
    from soulmem.history import Diff, Difference


@click.command(short_help="Show what is different between two operations.")
@click.argument("first", metavar="A", type=click.IntRange(0, MOST))
@click.argument("last", metavar="[B]", required=False, type=click.IntRange(0, MOST))
@json_option
@common
def command(first: int, last: int | None, as_json: bool) -> None:
    """Show what notes, links and messages are new (+), gone (-) and changed (~) after operation B of the log, compared with how
    it was after operation A. Without B: compared with now. 0 is before the first.

    \b
    Examples:
      soulmem diff 12
      soulmem diff 12 20 --json
    """
    with opened(read_only=True) as soul:
        found = soul.diff(first, last)
    if as_json:
        return print_json(found)
    lines = list(_lines(found))
    for line in lines or ["Nothing is different."]:
        out(one_line(line) if not line.startswith("  ") else f"    {one_line(line)}")
    if found.forgotten:
        numbers = ", ".join(map(str, found.forgotten))
        say(f"Some of what these operations wrote was forgotten for good since, and is not told: {numbers}.")
    return None


def _lines(found: Diff) -> Iterator[str]:
    for kind in ("notes", "links", "messages"):
        yield from _of_kind(kind, getattr(found, kind))
    for new, old in found.superseded:
        yield f"{new} holds instead of {old}"


def _of_kind(kind: str, found: Difference) -> Iterator[str]:
    what = {"notes": "note", "links": "link", "messages": "message"}[kind]
    for sign, things in (("+", found.added), ("-", found.removed), ("~", found.changed)):
        for thing in things:
            text = "" if kind == "links" else f": {thing.text}"
            yield f"{sign} {what} {thing.name}{text}"
            yield from (f"  {shown_change(change)}" for change in thing.changes)
