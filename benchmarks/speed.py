"""How fast and how large: the walk, recall, cold start, ingest, memory, and how the cost grows with the mind.

usage: speed.py [--json] [--sizes 2000,20000] [--large] [--no-walk]
Prints a table in Markdown, a row for each figure that is asked for. ``--large`` adds a mind of 100,000 notes (minutes). The minds
are synthetic (:mod:`minds`), their vectors drawn; the embedder's own time is measured apart. Run it on a quiet machine: where
others work too, the processor time (CPU) says more than the wall time.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from minds import NOW, DrawnEmbedder, questions, synthetic

from soulmem.ageing import with_due
from soulmem.embed import open_embedder
from soulmem.indexing import indexed, kept_vectors
from soulmem.ingest.graph_export import graph_json
from soulmem.model.changes import Change
from soulmem.settings import Settings
from soulmem.soul import Soul

LARGE = 100_000


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. ``must``: what is asked for, empty where nothing is; ``is_met``: ``None`` there."""

    what: str
    wall: str
    cpu: str = ""
    must: str = ""
    is_met: bool | None = None


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of the same work, done several times."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]

    def told(self, times: tuple[float, ...]) -> str:
        return f"p50 {statistics.median(times):.0f} ms, p95 {p95(times):.0f} ms"


def p95(times: tuple[float, ...]) -> float:
    return sorted(times)[int(0.95 * len(times))]


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds of wall and of processor time, and the result."""
    start, cpu = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - start, time.process_time() - cpu, result


def made(folder: Path, size: int) -> Path:
    """A mind of ``size`` notes."""
    path = folder / f"{size}.mind"
    with Soul.create(path, embedder=DrawnEmbedder(), clock=lambda: NOW) as soul:
        soul.store.apply(indexed(synthetic(size), soul.embedder))
    return path


def recall_times(path: Path, number: int = 60) -> Times:
    """Warm recalls, without the embedding of the question (drawn vectors cost next to nothing)."""
    with Soul.open(path, read_only=True, embedder=DrawnEmbedder(), clock=lambda: NOW) as soul:
        asked = questions(number + 10)
        for text in asked[:10]:
            soul.recall(text)
        found = [timed(partial(soul.recall, text)) for text in asked[10:]]
    return Times(tuple(1000 * wall for wall, _, _ in found), tuple(1000 * cpu for _, cpu, _ in found))


def command(arguments: list[str], repeat: int = 5) -> tuple[float, float]:
    """Seconds of wall and processor time of the command line, medians. The first run, which fills the caches, does not count."""
    run = [sys.executable, "-m", "soulmem_cli", *arguments]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program has its bytecode
    walls, cpus = [], []
    for _ in range(repeat + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        walls.append(timed(lambda: subprocess.run(run, check=True, capture_output=True, env=environment))[0])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpus.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(walls[1:]), statistics.median(cpus[1:])


def ingest_rate(folder: Path, size: int) -> tuple[float, float]:
    """Notes of Graph JSON a second, by wall and by processor time, into a mind that has all vectors of its texts already."""
    change = synthetic(size)
    file = folder / "graph.json"
    file.write_text(graph_json(change.notes, change.links), encoding="utf-8")
    with Soul.create(folder / "ingest.mind", embedder=DrawnEmbedder(), clock=lambda: NOW) as soul:
        vectors = indexed(change, soul.embedder, kept_vectors(soul.store)).embeddings
        soul.store.apply(Change(command="benchmark", what="vectors", at=NOW, embeddings=vectors))
        wall, cpu, report = timed(lambda: soul.ingest(file))
        assert report.files[0].new == len(change.notes) + len(change.links)
    return size / wall, size / cpu


def peak_mib(path: Path) -> float:
    """Resident memory, at most, of a process that recalls from a mind, in MiB.

    On Linux by its status: what ``getrusage`` tells begins with the memory of the process that started it.
    """
    code = (
        "import sys, resource, re; sys.path[:0] = sys.argv[2:]; from pathlib import Path\n"
        "from minds import *; from soulmem.soul import Soul\n"
        "with Soul.open(Path(sys.argv[1]), read_only=True, embedder=DrawnEmbedder(), clock=lambda: NOW) as soul:\n"
        "    [soul.recall(text) for text in questions(20)]\n"
        "status = Path('/proc/self/status')\n"
        "peak = re.search(r'VmHWM:\\s*(\\d+)', status.read_text()) if status.exists() else None\n"
        "print(peak[1] if peak else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    run = [sys.executable, "-c", code, str(path), str(Path(__file__).parent), *sys.path]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    return int(done.stdout) / (1024 if sys.platform != "darwin" else 2**20)


def sweep_times(folder: Path, size: int, number: int) -> tuple[Times, tuple[float, float]]:
    """Milliseconds of finding the ``number`` notes that are due among ``size``, and planning the sweep; and seconds of the sweep
    with its transaction."""
    change = with_due(replace(synthetic(size), links=()), Settings())
    fading = [note for note in change.notes if note.due_at is not None]
    due = {note.id: replace(note, due_at=NOW, decayed_at=NOW - timedelta(days=365)) for note in fading[:number]}
    with Soul.create(folder / "sweep.mind", embedder=DrawnEmbedder(), clock=lambda: NOW) as soul:
        soul.store.apply(replace(change, notes=tuple(due.get(note.id, note) for note in change.notes)))
        found = [timed(partial(soul.sweep, dry_run=True)) for _ in range(10)]
        wall, cpu, report = timed(soul.sweep)
        assert report.asleep == number
    return Times(tuple(1000 * wall for wall, _, _ in found), tuple(1000 * cpu for _, cpu, _ in found)), (wall, cpu)


def embedding() -> tuple[float, float]:
    """Seconds of wall and processor time to open e5 and embed the first question."""
    wall, cpu, _ = timed(lambda: open_embedder("e5").queries(["what did she promise me?"]))
    return wall, cpu


def walk_rows() -> Iterator[Row]:
    """Forward push beside igraph, in this run."""
    from kernel import TARGETS, measure

    from soulmem.graph import load_kernel

    load_kernel()
    for nodes in (100, 1_000, 100_000):
        found: Any = measure(nodes, 1.0)
        told = f"{found['igraph_over_soulmem']:.1f} × igraph ({found['microseconds']['soulmem']:,.0f} µs)"
        top = "the same ten" if found["top10_same_set"] else "another ten"
        target = TARGETS.get(nodes, 1.0)
        must = f"≥ {target:g} ×, igraph's ten"
        yield Row(f"forward push, {nodes:,} nodes", f"{told}, {top}", "", must, found["reached"] and found["top10_same_set"])


def recall_rows(folder: Path, sizes: list[int]) -> Iterator[Row]:
    medians: dict[int, tuple[float, float]] = {}
    for size in sizes:
        path = made(folder, size)
        times, memory = recall_times(path), peak_mib(path)
        medians[size] = (statistics.median(times.wall), statistics.median(times.cpu))
        asked = size == 20_000
        fast = (medians[size][0] <= 30 and p95(times.wall) <= 60) if asked else None
        must = "p50 ≤ 30 ms, p95 ≤ 60 ms" if asked else ""
        yield Row(f"warm recall of free text, {size:,} notes", times.told(times.wall), times.told(times.cpu), must, fast)
        small = memory * 2**20 <= 400e6 if asked else None
        yield Row(f"memory of recall, {size:,} notes", f"{memory:.0f} MiB", "", "≤ 400 MB" if asked else "", small)
        yield Row(f"file, {size:,} notes", f"{path.stat().st_size / 2**20:.0f} MiB")
    low, high = min(sizes), max(size for size in sizes if size != LARGE)
    if low < high:
        wall, cpu = (medians[high][place] / medians[low][place] for place in (0, 1))
        yield Row(f"growth of recall, {low:,} → {high:,} notes", f"{wall:.1f} ×", f"{cpu:.1f} ×", "≤ 3 × for 10 ×", wall <= 3)


def cold_rows(folder: Path) -> Iterator[Row]:
    """A question about nothing in the mind, and one of its words, so that links are walked; both embedded by e5."""
    cold = str(made(folder, 10_000))
    known = next(word for text in questions(20) for word in text.split() if word.isascii())
    for what, question in (("nothing to find", "what did she promise?"), ("with a walk", f"what about {known}?")):
        wall, cpu = command(["ask", "--mind", cold, "--peek", "--messages", "0", question])
        yield Row(f"cold `ask`, 10,000 notes, {what}", f"{wall:.2f} s", f"{cpu:.2f} s", "≤ 1.0 s", wall <= 1.0)
    wall, cpu = embedding()
    yield Row("of which opening e5 and embedding", f"{wall:.2f} s", f"{cpu:.2f} s", "≤ 0.2 s", wall <= 0.2)
    wall, cpu = command(["--version"])
    yield Row("`soulmem --version`", f"{wall:.3f} s", f"{cpu:.3f} s", "≤ 0.15 s", wall <= 0.15)


def ingest_rows(folder: Path) -> Iterator[Row]:
    wall, cpu = ingest_rate(folder, 5000)
    must = "≥ 2,000 notes/s"
    yield Row(
        "ingest of Graph JSON, vectors known, 5,000 notes", f"{wall:,.0f} notes/s", f"{cpu:,.0f} notes/s", must, wall >= 2000
    )


def sweep_rows(folder: Path) -> Iterator[Row]:
    times, (wall, cpu) = sweep_times(folder, 20_000, 100)
    met = statistics.median(times.wall) <= 50
    told = (times.told(times.wall), times.told(times.cpu))
    yield Row("finding and planning a sweep, 20,000 notes, 100 due", *told, "≤ 50 ms", met)
    yield Row("the whole sweep, with its transaction", f"{1000 * wall:.0f} ms", f"{1000 * cpu:.0f} ms")


def in_markdown(rows: list[Row]) -> str:
    lines = ["| what | measured, wall | CPU | must be | |", "|---|---|---|---|---|"]
    told = {True: "met", False: "**not met**", None: ""}
    return "\n".join([*lines, *(f"| {row.what} | {row.wall} | {row.cpu} | {row.must} | {told[row.is_met]} |" for row in rows)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sizes", default="2000,20000", help="notes in the minds that are recalled from, comma-separated")
    parser.add_argument("--large", action="store_true", help=f"a mind of {LARGE:,} notes too")
    parser.add_argument("--no-walk", action="store_true", help="without the walk beside igraph")
    args = parser.parse_args()
    sizes = [int(size) for size in args.sizes.split(",")] + [LARGE] * args.large
    rows = [] if args.no_walk else list(walk_rows())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows += [*recall_rows(folder, sizes), *cold_rows(folder), *ingest_rows(folder), *sweep_rows(folder)]
    print(json.dumps([asdict(row) for row in rows], ensure_ascii=False) if args.json else in_markdown(rows))


if __name__ == "__main__":
    main()
