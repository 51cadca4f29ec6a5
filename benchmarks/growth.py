"""How the cost of a mind grows with its notes: ``python benchmarks/growth.py [--sizes 1000,…] [--chart FILE.svg]``.

For each size a synthetic mind (:mod:`minds`): the median of warm recalls, the first recall of a process (the mind opened first),
its memory, and the file. Prints a table in Markdown; ``--chart`` draws time over the number of notes, both logarithmic.
"""

from __future__ import annotations

import argparse
import math
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from minds import NOW, DrawnEmbedder, questions
from speed import made, p95, peak_mib, recall_times, timed

from soulmem.soul import Soul

SIZES = (1_000, 2_000, 5_000, 10_000, 20_000)
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 720, 380, 70, 150, 20, 50
_COLOURS = ("#2166ac", "#b2182b", "#1b7837")


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one size: milliseconds of warm recalls and of the first one, memory and file in MiB."""

    notes: int
    warm: float
    warm_p95: float
    first: float
    memory: float
    file: float


def cost(folder: Path, size: int) -> Cost:
    path = made(folder, size)
    first = statistics.median(first_recall(path) for _ in range(3))
    times = recall_times(path, 40).wall
    found = Cost(size, statistics.median(times), p95(times), first, peak_mib(path), path.stat().st_size / 2**20)
    path.unlink()
    return found


def first_recall(path: Path) -> float:
    """Milliseconds to open a mind and ask it one question."""

    def ask() -> None:
        with Soul.open(path, read_only=True, embedder=DrawnEmbedder(), clock=lambda: NOW) as soul:
            soul.recall(questions(1)[0])

    return 1000 * timed(ask)[0]


def in_markdown(costs: Sequence[Cost]) -> str:
    lines = ["| notes | warm recall, p50 | p95 | opening and first recall | memory | file |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {one.notes:,} | {one.warm:.0f} ms | {one.warm_p95:.0f} ms | {one.first:,.0f} ms | {one.memory:.0f} MiB "
        f"| {one.file:.0f} MiB |"
        for one in costs
    ]
    return "\n".join(lines)


def chart(series: Mapping[str, Sequence[tuple[float, float]]], x_name: str, y_name: str) -> str:
    """An SVG of lines over two logarithmic axes. ``series``: name → (x, y), all above 0."""
    xs, ys = zip(*(point for points in series.values() for point in points), strict=True)
    lowest, highest = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))

    def x(value: float) -> float:
        span = math.log(max(xs) / min(xs)) or 1.0
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * math.log(value / min(xs)) / span

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (math.log10(value) - lowest) / ((highest - lowest) or 1)

    body = []
    for power in range(lowest, highest + 1):
        at = y(10.0**power)
        body.append(f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        body.append(f'<text x="{_LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{10**power:,g}</text>')
    body += [
        f'<text x="{x(value):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{value:,g}</text>'
        for value in sorted(set(xs))
    ]
    for (name, points), colour in zip(series.items(), _COLOURS, strict=False):
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
        body.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        body += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="3" fill="{colour}"/>' for a, b in points]
        body.append(f'<text x="{_WIDTH - _RIGHT + 10}" y="{y(points[-1][1]) + 4:.1f}" fill="{colour}">{name}</text>')
    body.append(f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{x_name}</text>')
    body.append(f'<text x="{_LEFT - 8}" y="{_TOP - 6}" text-anchor="end">{y_name}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>{"".join(body)}</svg>\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of notes, comma-separated, rising")
    parser.add_argument("--chart", type=Path, help="where to draw the chart, as SVG")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        costs = [cost(Path(name), int(size)) for size in arguments.sizes.split(",")]
    print(in_markdown(costs))
    if arguments.chart:
        series = {
            "warm recall": [(one.notes, one.warm) for one in costs],
            "opening, first recall": [(one.notes, one.first) for one in costs],
        }
        arguments.chart.write_text(chart(series, "notes", "ms"), encoding="utf-8")


if __name__ == "__main__":
    main()
