"""Are the weights fitted to the minds they are measured on? Each mind is asked with the weights that are best for all the others.

usage: leave_one_out.py [FOLDER…] [--json]      a FOLDER holds a query file and its graph; at least two of them

For every combination of some weights (none that query files state themselves, as they do the floor) all questions of all minds
are asked. For each mind the combination is chosen by the other minds alone (share of cases passed, then mean reciprocal rank),
and what it does on the mind it has not seen is printed beside what the weights do that soulmem comes with.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import product
from pathlib import Path

from soulmem.settings import Settings
from soulmem.soul import Soul
from soulmem.tune.questions import Suite, found_files, read_questions
from soulmem.tune.report import PointSummary, report_of
from soulmem.tune.run import evaluate
from soulmem.tune.weights import Point

FIXTURES = Path(__file__).parents[1] / "fixtures"
AT = datetime(2026, 11, 1, tzinfo=UTC)
GRID: Mapping[str, tuple[float, ...]] = {
    "lexical_weight": (0.2, 0.4, 0.6),
    "damping": (0.5, 0.65, 0.8),
    "tag": (0.15, 0.3, 0.45),
}
POINTS: tuple[Point, ...] = tuple(dict(zip(GRID, values, strict=True)) for values in product(*GRID.values()))
SHIPPED: Point = {name: getattr(Settings(), name) for name in GRID}

Summaries = Mapping[tuple[float, ...], PointSummary]


@dataclass(frozen=True, kw_only=True)
class Held:
    """A mind that was held out: the weights chosen without it, what they do on it, and what the shipped ones do."""

    mind: str
    cases: int
    chosen: Point
    passed: int
    metrics: Mapping[str, float]
    shipped_passed: int
    shipped_metrics: Mapping[str, float]


def asked(file: Path, folder: Path) -> Summaries:
    """How every combination does on one mind."""
    questions = read_questions(file, Suite.FULL)
    mind = folder / f"{file.parent.name}.mind"
    with Soul.create(mind, embedder="e5", clock=lambda: AT) as soul:
        soul.ingest(questions.source)
    run = evaluate(questions, Suite.FULL, partial(Soul.open, mind, read_only=True), points=POINTS, at=AT, jobs=None)
    return {tuple(point.weights[name] for name in GRID): point for point in report_of([run]).points}


def held_out(minds: Mapping[str, Summaries]) -> list[Held]:
    """Every mind with the weights that the others choose; of equals the one nearest to the shipped ones."""
    found = []
    for mind, mine in minds.items():
        others = [summaries for name, summaries in minds.items() if name != mind]
        chosen = max(POINTS, key=lambda point: (*_worth(others, tuple(point.values())), -_distance(point)))
        one, shipped = mine[tuple(chosen.values())], mine[tuple(SHIPPED.values())]
        found.append(
            Held(
                mind=mind,
                cases=one.cases,
                chosen=chosen,
                passed=one.passed,
                metrics=one.metrics,
                shipped_passed=shipped.passed,
                shipped_metrics=shipped.metrics,
            )
        )
    return found


def _worth(minds: Sequence[Summaries], point: tuple[float, ...]) -> tuple[float, float]:
    passed = sum(summaries[point].passed / summaries[point].cases for summaries in minds)
    return round(passed, 9), round(sum(summaries[point].metrics["mrr"] for summaries in minds), 9)


def _distance(point: Point) -> float:
    return sum(abs(value - SHIPPED[name]) for name, value in point.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[FIXTURES])
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = found_files(args.folders, Suite.FULL)
        minds = {file.parent.name: asked(file, Path(folder)) for file in files}
    for held in held_out(minds):
        if args.json:
            print(json.dumps(asdict(held), ensure_ascii=False))
            continue
        print(f"{held.mind}: {held.passed} of {held.cases} passed with {held.chosen}; shipped weights {held.shipped_passed}")
        for name, value in held.metrics.items():
            print(f"  {name:<24} {value:.3f}  shipped {held.shipped_metrics[name]:.3f}")


if __name__ == "__main__":
    main()
