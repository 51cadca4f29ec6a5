"""What ``soulmem tune`` asks, whom it asks, and where it writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from soulmem.errors import InputError
from soulmem.files import write_whole
from soulmem.soul import Soul, utc_now
from soulmem.tune.page import report_page
from soulmem.tune.questions import QuestionFile, Suite, found_files, read_questions
from soulmem.tune.report import Report, report_csv, report_json, report_of
from soulmem.tune.run import FileRun, evaluate
from soulmem_cli.options import Chosen
from soulmem_cli.terminal import Progress, say
from soulmem_cli.tune_suites import check_batch
from soulmem_cli.tune_weights import Sweeps

if TYPE_CHECKING:
    from soulmem.tune.contract import OpenMind
    from soulmem.tune.weights import Point


def opening(mind: str | Path) -> OpenMind:
    """Opens a mind for reading, in any process."""
    return partial(Soul.open, mind, read_only=True)


def is_mind_clear() -> bool:
    """Whether a mind is chosen, or there is one only."""
    from soulmem.store import list_minds

    return bool(click.get_current_context().ensure_object(Chosen).mind) or len(list_minds()) == 1


def write(report: Report, output: Path | None, csv_file: Path | None, html_file: Path | None) -> None:
    """Write the report to the files that are given."""
    for file, text_of in ((output, report_json), (csv_file, report_csv), (html_file, report_page)):
        if file is not None:
            write_whole(file, text_of(report))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How files are run. ``mind``: ``None`` for one made of each file's own graph or chat."""

    suite: str
    mind: str | None
    embedder: str
    at: datetime | None
    jobs: int | None
    progress: Progress | None

    def run(self, paths: Sequence[Path], batch: bool, asked: Sweeps, objective: str | None) -> Report:
        """Run the files and make the report of them."""
        suite = Suite(self.suite)
        questions = self._questions(paths, batch, suite)
        points = {file.path: asked.points(file.points) for file in questions}
        at = self.at or utc_now()
        with TemporaryDirectory(prefix="soulmem-tune-") as folder:
            runs = [self._file(file, points[file.path], Path(folder), at) for file in questions]
        return report_of(runs, objective)

    def _questions(self, paths: Sequence[Path], batch: bool, suite: Suite) -> list[QuestionFile]:
        check_batch(paths, batch)
        return [read_questions(file, suite) for file in found_files(paths, suite)]

    def _file(self, questions: QuestionFile, points: Sequence[Point], folder: Path, at: datetime) -> FileRun:
        mind = self.mind or self._made(questions, folder, at)
        return evaluate(
            questions,
            Suite(self.suite),
            opening(mind),
            points=points,
            at=at,
            jobs=self.jobs,
            progress=self.progress,
        )

    def _made(self, questions: QuestionFile, folder: Path, at: datetime) -> Path:
        """A mind of the graph or chat that these questions are about."""
        mind = folder / f"{len(list(folder.iterdir()))}.mind"
        return made_mind(mind, questions.source, questions.path, "Asking", self.embedder, at, self.progress)


def made_mind(
    mind: Path, source: Path, named_in: Path, doing: str, embedder: str, at: datetime, progress: Progress | None = None
) -> Path:
    """Make ``mind`` of the graph or chat ``source``, which the file ``named_in`` is about. ``doing``: what it is for, in a word.

    Raises :class:`InputError` where the source is not there, or is refused.
    """
    if not source.is_file():
        raise InputError(f"{named_in} is about {source}, which is not there", advice="Choose the mind to ask with --mind.")
    say(f"{doing} a mind made of {source} for this run.")
    with Soul.create(mind, embedder=embedder, clock=lambda: at) as soul:
        report = soul.ingest(source, at=at, progress=progress).files[0]
    if report.refused is not None:
        raise InputError(f"{source}: {report.refused}")
    return mind
