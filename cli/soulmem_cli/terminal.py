"""Text for people: tables and progress by rich, which is imported only when something is printed with it."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from soulmem_cli.as_json import line, plain, rfc3339

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

#: ``progress(what, done, total)``
Progress = Callable[[str, int, int], None]

# Wide enough that nothing is wrapped or cut where no terminal sets a width.
_UNBOUNDED = 100_000

# Text comes out of chats: what would move the cursor or change colours is shown as a picture of itself.
_CONTROL = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"}
_CONTROL |= {0x7F: "\u2421"} | dict.fromkeys(range(0x80, 0xA0), "\ufffd")


def shown(text: str) -> str:
    """``text`` without anything that a terminal would take for a command."""
    return text.translate(_CONTROL)


def one_line(text: str) -> str:
    """``text`` on one line."""
    return " ".join(shown(text).split())


def console(*, stderr: bool = False) -> Console:
    """Where text goes: coloured on a terminal unless NO_COLOR is set, plain and never wrapped elsewhere."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else _UNBOUNDED
    return Console(stderr=stderr, width=width, highlight=False, markup=False, emoji=False)


def print_rich(*renderables: RenderableType) -> None:
    """Print to standard output, without the blanks that fill tables up to the right."""
    out = console()
    with out.capture() as captured:
        out.print(*renderables, sep="\n")
    sys.stdout.write("\n".join(line.rstrip(" ") for line in captured.get().split("\n")))


def say(text: str) -> None:
    """A word to the person, on standard error: standard output is for data."""
    click.echo(text, err=True)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, cut: str | None = None) -> None:
    """A table. ``cut``: the column that is shortened when the terminal is too narrow."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    rows = [[cell(value) for value in row] for row in rows]
    for place, name in enumerate(columns):
        numeric = bool(rows) and all(_is_number(row[place]) for row in rows)
        table.add_column(
            Text(name),
            justify="right" if numeric else "left",
            no_wrap=name == cut or numeric,
            overflow="ellipsis" if name == cut else "fold",
        )
    for row in rows:
        table.add_row(*(Text(value) for value in row))
    print_rich(table)


def print_pairs(pairs: Iterable[tuple[str, RenderableType]]) -> None:
    """Names and values, one pair a line."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in pairs:
        grid.add_row(Text(name, style="bold"), value)
    print_rich(grid)


def cell(value: Any) -> str:
    """A value in a table."""
    if value is None:
        return ""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, datetime):
        return rfc3339(value)
    if isinstance(value, float):
        return f"{value:.4g}"
    return one_line(line(value))


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace("-", "", 1).isdecimal()


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """CSV with a header. Lists and structures are JSON within their field; nothing is rounded."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_field(plain(value)) for value in row] for row in rows)
    click.echo(text.getvalue(), nl=False)


def _field(value: Any) -> Any:
    if isinstance(value, bool | list | dict):
        return line(value)
    return "" if value is None else value


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """A bar on standard error, on a terminal only; elsewhere ``None``."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def progress(what: str, done: int, total: int) -> None:
            bar.update(task, description=one_line(what), completed=done, total=total)

        yield progress
