"""How well recall finds what must be found: structured questions and evidence, of the shipped characters or of any folder.

usage: quality.py [FOLDER…] [--json]      a FOLDER holds a query file and its graph, or chats with their evidence files

The same as ``soulmem tune run retrieve/full FOLDER --batch --fresh`` and ``evidence``, file by file, at a fixed time.
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

FIXTURES = Path(__file__).parents[1] / "fixtures"
AT = datetime(2026, 11, 1, tzinfo=UTC)


def report(questions: QuestionFile, suite: Suite, folder: Path, embedder: str = "e5") -> Report:
    """Judge the questions of a file, asked of a mind made in ``folder`` of what they are about."""
    mind = folder / f"{len(list(folder.iterdir()))}.mind"
    with Soul.create(mind, embedder=embedder, clock=lambda: AT) as soul:
        soul.ingest(questions.source)
    return report_of([evaluate(questions, suite, partial(Soul.open, mind, read_only=True), at=AT)])


def reports(folders: Sequence[Path]) -> Iterator[tuple[Path, Report]]:
    """(file, report) of all files of questions in ``folders``."""
    for suite in (Suite.FULL, Suite.EVIDENCE):
        try:
            found = found_files(folders, suite)
        except InputError:
            continue  # a folder may well have questions of one sort only
        for file in found:
            with tempfile.TemporaryDirectory() as folder:
                yield file, report(read_questions(file, suite), suite, Path(folder))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, default=[FIXTURES])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--failed", action="store_true", help="print what each case missed")
    args = parser.parse_args()
    for file, found in reports(args.folders):
        if args.json:
            print(json.dumps({"file": str(file), "metrics": found.metrics, "by_kind": found.by_kind}, ensure_ascii=False))
            continue
        print(f"{file}: {found.passed} of {found.cases} passed")
        for metric, value in found.metrics.items():
            print(f"  {metric:<40} {value:.3f}  n={found.counts[metric]}")
        for result in found.results if args.failed else ():
            if not result.passed:
                print(f"    {result.name}: {', '.join(result.missing or result.ranking[:3])}")


if __name__ == "__main__":
    main()
