"""How well recall finds what must be found: structured questions and evidence, of the shipped characters or of any folder.

usage: quality.py [FOLDER…] [--json]      a FOLDER holds a query file and its graph, or chats with their evidence files

The same as ``soulmem tune run retrieve/full FOLDER --batch --fresh`` and ``evidence``, file by file, at a fixed time; and once
more without the walks (over links from note to note, over rarer words from line to line): what is lost is what the graph adds.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from soulmem.errors import InputError
from soulmem.soul import Soul
from soulmem.tune.questions import QuestionFile, Suite, found_files, read_questions
from soulmem.tune.report import Report, report_of
from soulmem.tune.run import evaluate
from soulmem.tune.weights import Point

FIXTURES = Path(__file__).parents[1] / "fixtures"
AT = datetime(2026, 11, 1, tzinfo=UTC)


#: How each file is asked: the weights that differ from those of the mind.
WAYS: dict[str, Point] = {"all": {}, "without walks": {"damping": 0.0, "lines_walk": 0.0}}


def report(questions: QuestionFile, suite: Suite, folder: Path, embedder: str = "e5") -> dict[str, Report]:
    """Judge the questions of a file, asked in all ``WAYS`` of a mind made in ``folder`` of what they are about."""
    mind = folder / f"{len(list(folder.iterdir()))}.mind"
    with Soul.create(mind, embedder=embedder, clock=lambda: AT) as soul:
        soul.ingest(questions.source)
    asking = partial(evaluate, questions, suite, partial(Soul.open, mind, read_only=True), at=AT)
    return {way: report_of([asking(points=[weights])]) for way, weights in WAYS.items()}


def reports(folders: Sequence[Path]) -> Iterator[tuple[Path, str, Report]]:
    """(file, way, report) of all files of questions in ``folders``."""
    for suite in (Suite.FULL, Suite.EVIDENCE):
        try:
            found = found_files(folders, suite)
        except InputError:
            continue  # a folder may well have questions of one sort only
        for file in found:
            with tempfile.TemporaryDirectory() as folder:
                for way, judged in report(read_questions(file, suite), suite, Path(folder)).items():
                    yield file, way, judged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[FIXTURES])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--failed", action="store_true", help="print what each case missed")
    args = parser.parse_args()
    for file, way, found in reports(args.folders):
        if args.json:
            told = {"file": str(file), "way": way, "metrics": found.metrics, "by_kind": found.by_kind}
            print(json.dumps(told, ensure_ascii=False))
            continue
        print(f"{file}, {way}: {found.passed} of {found.cases} passed")
        for metric, value in found.metrics.items():
            kinds = "  ".join(f"{kind} {means[metric]:.3f}" for kind, means in found.by_kind.items() if metric in means)
            print(f"  {metric:<24} {value:.3f}  n={found.counts[metric]}  {kinds}")
        for result in found.results if args.failed else ():
            if not result.passed:
                print(f"    {result.name}: {', '.join(result.missing or result.ranking[:3])}")


if __name__ == "__main__":
    main()
