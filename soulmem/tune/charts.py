"""Charts as SVG, made by hand: they stand in a page without anything from elsewhere. All text is escaped here."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

#: Characters that a page may not hold, or that would turn its writing around: shown as escapes.
_STEERING = {*range(0x20), 0x7F, *range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xD800, 0xE000)}
_ESCAPES = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in _STEERING - {9, 10}}

_WIDTH, _HEIGHT = 640, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 132, 14, 40


def safe(text: object) -> str:
    """``text`` as it may stand in a page, also within quotes."""
    return escape(str(text).translate(_ESCAPES), quote=True)


def lines(series: Mapping[str, Sequence[tuple[float, float]]], x_name: str, title: str, mark: float | None = None) -> str:
    """Lines over a common x axis; y is a share, and its axis ends at 1. ``series``: name → (x, y) by x, at least one point;
    ``mark``: an x to be pointed out."""
    xs = [x for points in series.values() for x, _ in points]
    lowest = min(y for points in series.values() for _, y in points)
    scale = _Scale(min(xs), max(xs), min(max(math.floor((lowest - 0.05) * 10) / 10, 0.0), 0.9))
    body = [_grid(scale), *(_tick(scale, x) for x in _some(sorted(set(xs)), 9)), _axis_name(x_name)]
    if mark is not None:
        at = scale.x(mark)
        body.append(f'<line class="mark" x1="{at:.1f}" x2="{at:.1f}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"/>')
    ends = _apart([scale.y(points[-1][1]) for points in series.values()])
    for number, ((name, points), end) in enumerate(zip(series.items(), ends, strict=True)):
        body.append(_line(points, scale, number % 6, name, end))
    return _svg(body, title, _WIDTH, _HEIGHT)


def bars(values: Sequence[tuple[str, float, str]], title: str) -> str:
    """Horizontal bars of shares: (name, value 0..1, note)."""
    height = 24 * len(values) + 6
    body = []
    for number, (name, value, note) in enumerate(values):
        y = 24 * number + 4
        long = 300 * min(max(value, 0.0), 1.0)
        body.append(
            f'<text class="name" x="186" y="{y + 13}">{safe(name)}</text>'
            f'<rect class="track" x="196" y="{y}" width="300" height="17" rx="3"/>'
            f'<rect class="bar" x="196" y="{y}" width="{long:.1f}" height="17" rx="3"/>'
            f'<text class="value" x="506" y="{y + 13}">{value:.3f}</text>'
            f'<text class="note" x="556" y="{y + 13}">{safe(note)}</text>'
        )
    return _svg(body, title, _WIDTH, height)


def columns(values: Sequence[tuple[str, int]], x_name: str, title: str) -> str:
    """Vertical bars of counts: (name, count)."""
    most = max((count for _, count in values), default=0) or 1
    wide = (_WIDTH - _LEFT - 20) / max(len(values), 1)
    bottom = _HEIGHT - _BOTTOM
    body = [_axis_name(x_name)]
    for number, (name, count) in enumerate(values):
        x = _LEFT + wide * number
        high = (bottom - _TOP - 14) * count / most
        middle = x + wide / 2
        body.append(
            f'<rect class="bar" x="{x + 3:.1f}" y="{bottom - high:.1f}" width="{wide - 6:.1f}" height="{high:.1f}" rx="3"/>'
            f'<text class="middle" x="{middle:.1f}" y="{bottom - high - 5:.1f}">{count}</text>'
            f'<text class="middle note" x="{middle:.1f}" y="{bottom + 16}">{safe(name)}</text>'
        )
    return _svg(body, title, _WIDTH, _HEIGHT)


def heat(
    rows: Sequence[float], across: Sequence[float], values: Mapping[tuple[float, float], float], names: tuple[str, str]
) -> str:
    """A table whose cells are coloured by value: ``values[row, column]`` where there is one; ``names`` of row and column."""
    found = list(values.values())
    low, high = min(found), max(found)
    head = "".join(f"<th>{column:g}</th>" for column in across)
    body = "".join(
        f"<tr><th>{row:g}</th>{''.join(_heat_cell(values.get((row, column)), low, high) for column in across)}</tr>"
        for row in rows
    )
    corner = f"{safe(names[0])} ↓ {safe(names[1])} →"
    return f'<table class="heat"><thead><tr><th>{corner}</th>{head}</tr></thead><tbody>{body}</tbody></table>'


def _heat_cell(value: float | None, low: float, high: float) -> str:
    if value is None:
        return "<td></td>"
    share = (value - low) / (high - low) if high > low else 1.0
    return f'<td style="--heat:{round(10 + 70 * share)}%">{value:.3f}</td>'


class _Scale:
    """Where a value of x, and one of y (``least`` to 1), stands."""

    def __init__(self, low: float, high: float, least: float) -> None:
        self._low, self._span = low, (high - low) or 1.0
        self.least = least

    def x(self, value: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (value - self._low) / self._span

    def y(self, value: float) -> float:
        share = (min(max(value, self.least), 1.0) - self.least) / (1.0 - self.least)
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share


def _line(points: Sequence[tuple[float, float]], scale: _Scale, colour: int, name: str, end: float) -> str:
    places = [(scale.x(x), scale.y(y)) for x, y in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{safe(name)} {value:.4f} at {at:g}</title></circle>'
        for (x, y), (at, value) in zip(places, points, strict=True)
    )
    label = f'<text x="{_WIDTH - _RIGHT + 10}" y="{end + 4:.1f}">{safe(name)}</text>'
    return f'<g class="line c{colour}"><polyline points="{path}"/>{dots}{label}</g>'


def _apart(places: Sequence[float]) -> list[float]:
    """Places of labels, moved so that none stands on another."""
    moved = [0.0] * len(places)
    last = -math.inf
    for number in sorted(range(len(places)), key=places.__getitem__):
        last = moved[number] = max(places[number], last + 15)
    return moved


def _grid(scale: _Scale) -> str:
    levels = [scale.least + (1.0 - scale.least) * part / 4 for part in range(5)]
    return "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{scale.y(level):.1f}" y2="{scale.y(level):.1f}"/>'
        f'<text class="left note" x="{_LEFT - 8}" y="{scale.y(level) + 4:.1f}">{level:.3g}</text>'
        for level in levels
    )


def _tick(scale: _Scale, value: float) -> str:
    return f'<text class="middle note" x="{scale.x(value):.1f}" y="{_HEIGHT - _BOTTOM + 16}">{value:g}</text>'


def _some(values: Sequence[float], most: int) -> list[float]:
    step = math.ceil(len(values) / most)
    return list(values[::step])


def _axis_name(name: str) -> str:
    return f'<text class="middle" x="{(_WIDTH - _RIGHT + _LEFT) / 2}" y="{_HEIGHT - 4}">{safe(name)}</text>'


def _svg(body: Sequence[str], title: str, width: int, height: int) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{safe(title)}" xmlns="http://www.w3.org/2000/svg">'
        f"{''.join(body)}</svg>"
    )
