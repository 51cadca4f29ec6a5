"""Tables: fitted to a terminal; in a pipe one line for each row, with nothing cut. And CSV."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from soulmem_cli.as_json import line, plain, rfc3339
from soulmem_cli.terminal import one_line, out, print_pairs, print_rich, styled, width

_GAP = 3
#: In a pipe a column is padded up to so many cells; what is longer pushes the rest of its row to the right. Where one column may
#: be long, that one stands last there, and the others are padded as they need.
_PADDED = 40
#: Columns narrower than this are no table any more: each row becomes a block of its own.
_NARROWEST = 8
#: Lists of more numbers with a point than this are vectors.
_NUMBERS = 16
#: The column that may be cut keeps so much, as long as there are others to leave out.
_LEAST_CUT = 24

Cells = list[list[str]]


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, cut: str | None = None, spare: Sequence[str] = ()
) -> None:
    """A table. On a terminal too narrow for it the columns ``spare`` are left out, one after the other, then ``cut`` is
    shortened; other columns are folded."""
    names = [one_line(name) for name in columns]
    cells = [[cell(value) for value in row] for row in rows]
    room = width()
    if room is None:
        if cut is not None:
            names, cells = _with_last(names, cells, cut)
        out("\n".join(_plain_lines(names, cells, None if cut else _PADDED)))
        return
    names, cells = _without_spare(names, cells, room, cut, spare)
    widths = fitted(_widths(names, cells), room - _GAP * (len(names) - 1), names.index(cut) if cut in names else None)
    if any(got < min(wanted, _NARROWEST) for got, wanted in zip(widths, _widths(names, cells), strict=True)):
        _print_blocks(names, cells)
    else:
        _print_fitted(names, cells, widths, cut)


def cell(value: Any) -> str:
    """A value in a table, on one line."""
    if value is None:
        return ""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, datetime):
        return rfc3339(value)
    if isinstance(value, float):
        return f"{value:.4g}"
    return one_line(line(_without_vectors(plain(value))))


def _without_vectors(value: Any) -> Any:
    """``value`` with its long lists of numbers counted: nobody reads them, and --json has them."""
    if isinstance(value, dict):
        return {name: _without_vectors(item) for name, item in value.items()}
    if isinstance(value, list):
        if len(value) > _NUMBERS and all(isinstance(item, float) for item in value):
            return f"{len(value)} numbers"
        return [_without_vectors(item) for item in value]
    return value


def fitted(natural: Sequence[int], room: int, cut: int | None = None) -> list[int]:
    """Widths that need no more than ``room`` together, if that can be: the widest give way first, all to the same width; before
    them the column ``cut``, down to a third of the room. None is below 1."""
    natural = list(natural)
    if cut is not None and sum(natural) > room:
        others = sum(natural) - natural[cut]
        natural[cut] = min(natural[cut], max(room - others, room // 3))
    widths = [0] * len(natural)
    for done, place in enumerate(sorted(range(len(natural)), key=natural.__getitem__)):
        widths[place] = max(1, min(natural[place], room // (len(natural) - done)))
        room -= widths[place]
    return widths


def _widths(names: Sequence[str], cells: Cells) -> list[int]:
    from rich.cells import cell_len

    return [max(1, cell_len(name), *(cell_len(row[place]) for row in cells)) for place, name in enumerate(names)]


def _without_spare(names: list[str], cells: Cells, room: int, cut: str | None, spare: Sequence[str]) -> tuple[list[str], Cells]:
    """The columns that stay: ``cut`` is to have :data:`_LEAST_CUT` cells while all others have what they want."""
    for name in spare:
        wanted = _widths(names, cells)
        if cut in names:
            wanted[names.index(cut)] = min(wanted[names.index(cut)], _LEAST_CUT)
        if sum(wanted) + _GAP * (len(names) - 1) <= room:
            break
        place = names.index(name)
        names = names[:place] + names[place + 1 :]
        cells = [row[:place] + row[place + 1 :] for row in cells]
    return names, cells


def _with_last(names: Sequence[str], cells: Cells, last: str) -> tuple[list[str], Cells]:
    """The columns with ``last`` behind all others."""
    place = names.index(last)
    return [*names[:place], *names[place + 1 :], last], [[*row[:place], *row[place + 1 :], row[place]] for row in cells]


def _plain_lines(names: Sequence[str], cells: Cells, most: int | None) -> list[str]:
    """``most``: so wide a column is padded; ``None``: as it needs, but for the last one."""
    wanted = _widths(names, cells)
    widths = [min(most or wide, wide) for wide in wanted[:-1]] + [min(_PADDED, wanted[-1])] if wanted else []
    numeric = _numeric(names, cells)
    lines = [_plain_line(names, widths, numeric), "─" * (sum(widths) + _GAP * (len(widths) - 1))]
    return lines + [_plain_line(row, widths, numeric) for row in cells]


def _plain_line(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    from rich.cells import cell_len

    padded = (
        f"{' ' * (wide - cell_len(text))}{text}" if right else f"{text}{' ' * (wide - cell_len(text))}"
        for text, wide, right in zip(row, widths, numeric, strict=True)
    )
    return (" " * _GAP).join(padded).rstrip(" ")


def _print_fitted(names: Sequence[str], cells: Cells, widths: Sequence[int], cut: str | None) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for name, wide, right in zip(names, widths, _numeric(names, cells), strict=True):
        table.add_column(
            styled(name),
            width=wide,
            justify="right" if right else "left",
            no_wrap=name == cut,
            overflow="ellipsis" if name == cut else "fold",
        )
    for row in cells:
        table.add_row(*(styled(text) for text in row))
    print_rich(table)


def _print_blocks(names: Sequence[str], cells: Cells) -> None:
    for number, row in enumerate(cells, start=1):
        out(f"── {number} ──")
        print_pairs(zip(names, row, strict=True))


def _numeric(names: Sequence[str], cells: Cells) -> list[bool]:
    return [bool(cells) and all(_is_number(row[place]) for row in cells) for place in range(len(names))]


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace("-", "", 1).isdecimal()


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """CSV of RFC 4180 with a header, UTF-8, exact: nothing is rounded, escaped or taken away. Lists and structures are JSON
    within their field."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_field(plain(value)) for value in row] for row in rows)
    sys.stdout.flush()
    # Written as text, line ends would be changed on some systems.
    sys.stdout.buffer.write(text.getvalue().encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def _field(value: Any) -> Any:
    if isinstance(value, bool | list | dict):
        return line(value)
    return "" if value is None else value
