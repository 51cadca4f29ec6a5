"""How fast and how large: recall, ingest, cold start, and how the cost grows with the mind.

usage: speed.py [--json] [--sizes 2000,20000]
The minds are synthetic (:mod:`minds`), their vectors drawn; the embedder's own time is measured apart. Run it on a quiet machine.
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

from minds import NOW, DrawnEmbedder, questions, synthetic

from soulmem.embed import open_embedder
from soulmem.indexing import indexed, kept_vectors
from soulmem.ingest.graph_export import graph_json
from soulmem.model.changes import Change
from soulmem.soul import Soul

#: What, measured, what it must be.
Row = tuple[str, str, str]


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def made(folder: Path, size: int) -> Path:
    """A mind of ``size`` notes."""
    path = folder / f"{size}.mind"
    with Soul.create(path, embedder=DrawnEmbedder(), clock=lambda: NOW) as soul:
        soul.store.apply(indexed(synthetic(size), soul.embedder))
    return path


def recall_times(path: Path, number: int = 60) -> list[float]:
    """Milliseconds of warm recalls, without the embedding of the question (drawn vectors cost next to nothing)."""
    with Soul.open(path, read_only=True, embedder=DrawnEmbedder(), clock=lambda: NOW) as soul:
        asked = questions(number + 10)
        for text in asked[:10]:
            soul.recall(text)
        return [1000 * timed(lambda text=text: soul.recall(text))[0] for text in asked[10:]]


def command(arguments: list[str], repeat: int = 5) -> float:
    """Seconds of wall time of the command line, median."""
    run = [sys.executable, "-m", "soulmem_cli", *arguments]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return statistics.median(
        timed(lambda: subprocess.run(run, check=True, capture_output=True, env=environment))[0] for _ in range(repeat)
    )


def ingest_rate(folder: Path, size: int) -> float:
    """Notes a second of Graph JSON into a mind that has all vectors of its texts already."""
    change = synthetic(size)
    file = folder / "graph.json"
    file.write_text(graph_json(change.notes, change.links), encoding="utf-8")
    with Soul.create(folder / "ingest.mind", embedder=DrawnEmbedder(), clock=lambda: NOW) as soul:
        vectors = indexed(change, soul.embedder, kept_vectors(soul.store)).embeddings
        soul.store.apply(Change(command="benchmark", what="vectors", at=NOW, embeddings=vectors))
        seconds, report = timed(lambda: soul.ingest(file))
        assert report.files[0].new == len(change.notes) + len(change.links)
    return size / seconds


def peak_mib(path: Path) -> float:
    """Resident memory of a process that recalls from a mind, in MiB."""
    code = (
        "import sys, resource; sys.path[:0] = sys.argv[2:]; from pathlib import Path\n"
        "from minds import *; from soulmem.soul import Soul\n"
        "with Soul.open(Path(sys.argv[1]), read_only=True, embedder=DrawnEmbedder(), clock=lambda: NOW) as soul:\n"
        "    [soul.recall(text) for text in questions(10)]\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    run = [sys.executable, "-c", code, str(path), str(Path(__file__).parent), *sys.path]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    return int(done.stdout) / (1024 if sys.platform != "darwin" else 2**20)


def embedding_ms() -> float:
    """Milliseconds to embed a short question with e5, median."""
    embedder = open_embedder("e5")
    texts = [f"what did she promise me on day {number}?" for number in range(20)]
    return 1000 * statistics.median(timed(lambda text=text: embedder.queries([text]))[0] for text in texts)


def measured(folder: Path, sizes: list[int]) -> list[Row]:
    rows: list[Row] = []
    medians: dict[int, float] = {}
    for size in sizes:
        path = made(folder, size)
        times = sorted(recall_times(path))
        medians[size] = statistics.median(times)
        p95 = times[int(0.95 * len(times))]
        must = "p50 ≤ 30 ms, p95 ≤ 60 ms" if size == 20_000 else ""
        rows.append((f"warm recall, {size:,} notes", f"p50 {medians[size]:.0f} ms, p95 {p95:.0f} ms", must))
        rows.append((f"memory of recall, {size:,} notes", f"{peak_mib(path):.0f} MiB", "≤ 400 MB" if size == 20_000 else ""))
        rows.append((f"file, {size:,} notes", f"{path.stat().st_size / 2**20:.0f} MiB", ""))
    if len(sizes) > 1:
        low, high = min(sizes), max(sizes)
        rows.append((f"growth of recall, {low:,} → {high:,}", f"{medians[high] / medians[low]:.1f} ×", "≤ 3 × for 10 ×"))
    cold = made(folder, 10_000)
    arguments = ["ask", "--mind", str(cold), "--peek", "--messages", "0", "what did she promise?"]
    rows.append(("cold ask, 10,000 notes", f"{command(arguments):.2f} s", "≤ 1.0 s"))
    rows.append(("soulmem --version", f"{command(['--version']):.3f} s", "≤ 0.15 s"))
    rows.append(("ingest of Graph JSON, vectors known", f"{ingest_rate(folder, 5000):,.0f} notes/s", "≥ 2,000 notes/s"))
    rows.append(("embedding a question (e5)", f"{embedding_ms():.0f} ms", ""))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sizes", default="2000,20000")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(Path(folder), [int(size) for size in args.sizes.split(",")])
    rows.append(("peak memory of this run", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB", ""))
    if args.json:
        print(json.dumps([{"what": what, "measured": value, "must": must} for what, value, must in rows], ensure_ascii=False))
        return
    for what, value, must in rows:
        print(f"{what:<42} {value:<28} {must}")


if __name__ == "__main__":
    main()
