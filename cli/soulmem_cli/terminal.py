"""Text for people, made safe for a terminal in one place. Rich is imported only when something is printed with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

#: ``progress(what, done, total)``
Progress = Callable[[str, int, int], None]

#: So many lines of many are told to a person.
_TOLD = 20

# Wide enough that nothing is wrapped where no terminal sets a width.
_UNBOUNDED = 100_000

# Text comes out of chats. What would move the cursor, change colours or turn the direction of writing around is escaped (C0,
# C1, bidirectional controls), and so are halves of surrogate pairs, which no encoding has, and separators of lines.
_BIDI = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_STEERING = {*range(0x20), 0x7F, *range(0x80, 0xA0), *_BIDI, 0x2028, 0x2029, *range(0xD800, 0xE000)} - {ord("\n"), ord("\t")}
_ESCAPES = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in _STEERING}


def shown(text: str) -> str:
    """``text`` with visible escapes in place of all that a terminal would take for a command; lines and tabs stay."""
    return text.replace("\r\n", "\n").translate(_ESCAPES)


def one_line(text: str) -> str:
    """``text`` on one line, safe as by :func:`shown`."""
    return " ".join(shown(text).split())


def sized(size: int) -> str:
    """Bytes as a person reads them: ``346 KiB``, ``1.3 MiB``, ``116 MiB``."""
    if size < 2**20:
        return f"{max(size / 2**10, 1):.0f} KiB"
    return f"{size / 2**20:.1f} MiB" if size < 10 * 2**20 else f"{size / 2**20:.0f} MiB"


def shortened(lines: Sequence[str]) -> list[str]:
    """What is told to a person of many lines, of which ``--json`` tells all: the first, and how many more there are."""
    more = len(lines) - _TOLD
    return [*lines[:_TOLD], f"… and {more} more; --json has all of them"] if more > 0 else list(lines)


def out(text: str) -> None:
    """Text for a person on standard output, made safe."""
    click.echo(shown(text))


def say(text: str) -> None:
    """A word to the person, on standard error, made safe: standard output is for data."""
    click.echo(shown(text), err=True)


def styled(text: str, style: str = "") -> Text:
    """Text for rich, made safe."""
    from rich.text import Text

    return Text(shown(text), style=style)


def width() -> int | None:
    """Columns of the terminal that standard output is, or as COLUMNS says; ``None`` in a pipe."""
    return console().width if sys.stdout.isatty() or os.environ.get("COLUMNS") else None


def console(*, stderr: bool = False) -> Console:
    """Where text goes: styled on a terminal unless NO_COLOR is set, plain and never wrapped elsewhere."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    columns = None if stream.isatty() or os.environ.get("COLUMNS") else _UNBOUNDED
    # Rich's own NO_COLOR leaves bold and dim; without a colour system there are no styles at all.
    colours = None if os.environ.get("NO_COLOR") else "auto"
    return Console(
        stderr=stderr,
        width=columns,
        color_system=colours,  # type: ignore[arg-type]
        highlight=False,
        markup=False,
        emoji=False,
    )


def print_rich(*renderables: RenderableType) -> None:
    """Print to standard output, without the blanks that fill tables up to the right. What is printed is safe already."""
    to = console()
    with to.capture() as captured:
        to.print(*renderables, sep="\n")
    sys.stdout.write("\n".join(line.rstrip(" ") for line in captured.get().split("\n")))


def print_pairs(pairs: Iterable[tuple[str, str]]) -> None:
    """Names and values, one pair a line."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in pairs:
        grid.add_row(styled(name, "bold"), styled(value))
    print_rich(grid)


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """A bar on standard error, on a terminal only; elsewhere ``None``."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many a second."""

        def render(self, task: Task) -> Text:
            return Text("" if task.speed is None else f"{task.speed:,.0f}/s")

    name = TextColumn("{task.description}", markup=False)
    columns = (name, BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Bar(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        last = (0, 0)

        def progress(what: str, done: int, total: int) -> None:
            nonlocal last
            if done < last[0] or total != last[1]:  # of something else: so is its rate
                bar.reset(task)
            last = (done, total)
            bar.update(task, description=one_line(what), completed=done, total=total)

        yield progress
