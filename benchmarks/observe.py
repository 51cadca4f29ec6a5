"""What observing costs, message by message: ``python benchmarks/observe.py [--sizes 0,20000] [--messages 1000]``.

For each size a synthetic mind (:mod:`minds`) that observes so many messages, each written for good before the next. Prints a
table in Markdown: wall and processor milliseconds of a message among the first and the last hundred, and how they compare; the
median and the slowest twentieth; what the file grew by. Messages have four to twelve words, which are about 20 terms each.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from minds import NOW, DrawnEmbedder, questions
from speed import made, p95

from soulmem.soul import Soul

EDGE = 100


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of each message, wall and processor; ``grown``: what the file grew by, in MiB."""

    notes: int
    wall: tuple[float, ...]
    cpu: tuple[float, ...]
    grown: float

    @staticmethod
    def edges(times: Sequence[float]) -> tuple[float, float, float]:
        """Means of the first and of the last hundred, and their ratio."""
        first, last = statistics.fmean(times[:EDGE]), statistics.fmean(times[-EDGE:])
        return first, last, last / first


def cost(folder: Path, size: int, messages: int) -> Cost:
    path = made(folder, size) if size else _empty(folder)
    before = path.stat().st_size
    texts = questions(messages + 1)
    wall, cpu = [], []
    with Soul.open(path, embedder=DrawnEmbedder(), clock=lambda: NOW) as soul:
        soul.observe(texts[-1], speaker="Ann", at=NOW)  # the first one imports what it needs
        for number, text in enumerate(texts[:-1]):
            began, used = time.perf_counter(), time.process_time()
            soul.observe(text, speaker="Bo" if number % 2 else "Ann", at=NOW + timedelta(minutes=number))
            wall.append(1000 * (time.perf_counter() - began))
            cpu.append(1000 * (time.process_time() - used))
        assert soul.window(at=NOW).said == messages + 1
    found = Cost(size, tuple(wall), tuple(cpu), (path.stat().st_size - before) / 2**20)
    path.unlink()
    return found


def _empty(folder: Path) -> Path:
    path = folder / "empty.mind"
    Soul.create(path, embedder=DrawnEmbedder(), clock=lambda: NOW).close()
    return path


def in_markdown(costs: Sequence[Cost]) -> str:
    lines = [
        "| notes | messages | time | first 100 | last 100 | last / first | p50 | p95 | file grew by |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for one in costs:
        for name, times in (("wall", one.wall), ("processor", one.cpu)):
            first, last, ratio = one.edges(times)
            middle = f"{statistics.median(times):.1f} ms | {p95(times):.1f} ms"
            lines.append(
                f"| {one.notes:,} | {len(times):,} | {name} | {first:.1f} ms | {last:.1f} ms | {ratio:.2f} | {middle} |"
                f" {one.grown:.1f} MiB |"
            )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="0,20000")
    parser.add_argument("--messages", type=int, default=1000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(in_markdown([cost(Path(folder), int(size), given.messages) for size in given.sizes.split(",")]))


if __name__ == "__main__":
    main()
