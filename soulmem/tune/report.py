"""Reports: what an evaluation found, as one value, which is written and read as JSON. Field names are a contract."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from soulmem.errors import FormatError, InputError, json_fault
from soulmem.tune.judge import Outcome
from soulmem.tune.metrics import means
from soulmem.tune.questions import Case, Suite
from soulmem.tune.run import FileRun
from soulmem.tune.weights import Point

Metrics = Mapping[str, float]

#: What the best combination of weights is chosen by, where nothing else is said.
OBJECTIVES: Mapping[Suite, str] = {
    Suite.SIMILARITY: "ndcg@10",
    Suite.ASSOCIATION: "association_only",
    Suite.FULL: "ndcg@10",
    Suite.EVIDENCE: "recall@10",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One question, asked with one combination of ``weights`` (those set or swept). ``ranking`` and ``actions``: keys, best
    first; lines of a chat by their number; ``expected``: the keys that must be found. See
    :class:`soulmem.tune.judge.Outcome`."""

    file: str
    name: str
    kind: str
    weights: Point
    expected: tuple[str, ...]
    ranking: tuple[str, ...]
    actions: tuple[str, ...]
    passed: bool
    judged: bool
    missing: tuple[str, ...]
    scores: Metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Many questions. ``passed`` of ``cases``; ``metrics``: measure → mean over the ``counts`` cases that have it; ``by_kind``:
    kind → measure → mean."""

    cases: int
    passed: int
    metrics: Metrics
    counts: Mapping[str, int]
    by_kind: Mapping[str, Metrics] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointSummary:
    """All questions with one combination of weights."""

    weights: Point
    cases: int
    passed: int
    metrics: Metrics
    counts: Mapping[str, int]
    by_kind: Mapping[str, Metrics]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSummary:
    """One file, with the best combination of weights. ``unknown``: what its truth names and the mind does not have → the cases;
    ``settings``: all settings but for those set or swept."""

    file: str
    name: str
    cases: int
    passed: int
    metrics: Metrics
    unknown: Mapping[str, tuple[str, ...]]
    settings: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """An evaluation. ``cases`` … ``by_kind`` are those of the ``best`` combination of weights by ``objective``; ``points`` has
    all of them, ``results`` every question with every one."""

    suite: str
    at: str
    embedder: str
    objective: str
    best: Point
    cases: int
    passed: int
    metrics: Metrics
    counts: Mapping[str, int]
    by_kind: Mapping[str, Metrics]
    points: tuple[PointSummary, ...]
    files: tuple[FileSummary, ...]
    results: tuple[Result, ...]

    def of_best(self) -> tuple[Result, ...]:
        """The results with the best combination of weights."""
        return tuple(result for result in self.results if result.weights == self.best)


def report_of(runs: Sequence[FileRun], objective: str | None = None) -> Report:
    """The report of one or more files (not none) run with the same suite.

    ``objective``: the measure the best combination is chosen by; of equals the one that passes more cases, then the first.
    Raises :class:`InputError` where nothing has this measure.
    """
    suite = runs[0].suite
    wanted = objective or OBJECTIVES[suite]
    results = tuple(result for run in runs for result in _results(run))
    by_point: dict[tuple[tuple[str, float], ...], list[Result]] = {}
    for result in results:
        by_point.setdefault(tuple(sorted(result.weights.items())), []).append(result)
    points = tuple(_point(some) for some in by_point.values())
    measured = {measure for point in points for measure in point.metrics}
    if objective and objective not in measured:
        raise InputError(f"nothing here has the measure {objective!r}", advice=f"There are: {', '.join(sorted(measured))}.")
    best = max(points, key=lambda point: (point.metrics.get(wanted, -1.0), point.passed))
    return Report(
        suite=suite.value,
        at=_rfc3339(runs[0].at),
        embedder=runs[0].embedder,
        objective=wanted,
        best=best.weights,
        cases=best.cases,
        passed=best.passed,
        metrics=best.metrics,
        counts=best.counts,
        by_kind=best.by_kind,
        points=points,
        files=tuple(_file(run, best.weights) for run in runs),
        results=results,
    )


def _results(run: FileRun) -> Iterator[Result]:
    for weights, outcomes in zip(run.points, run.outcomes, strict=True):
        for case, outcome in zip(run.cases, outcomes, strict=True):
            yield _result(run, case, weights, outcome)


def _result(run: FileRun, case: Case, weights: Point, outcome: Outcome) -> Result:
    return Result(
        file=str(run.questions.path),
        name=case.name,
        kind=case.kind,
        weights=weights,
        expected=(*case.musts, *case.actions, *case.abstracts),
        ranking=outcome.ranking,
        actions=outcome.actions,
        passed=outcome.passed,
        judged=outcome.judged,
        missing=outcome.missing,
        scores=outcome.scores,
    )


def _point(results: Sequence[Result]) -> PointSummary:
    summary = summarised(results)
    return PointSummary(
        weights=results[0].weights,
        cases=summary.cases,
        passed=summary.passed,
        metrics=summary.metrics,
        counts=summary.counts,
        by_kind=summary.by_kind,
    )


def summarised(results: Sequence[Result]) -> Summary:
    """The means of ``results``, over all and by kind; one kind alone is not told apart."""
    metrics, counts = means([result.scores for result in results])
    kinds: dict[str, list[Mapping[str, float]]] = {}
    for result in results:
        kinds.setdefault(result.kind, []).append(result.scores)
    by_kind = {kind: means(scores)[0] for kind, scores in kinds.items() if kind} if len(kinds) > 1 else {}
    return Summary(
        cases=len(results),
        passed=sum(result.passed for result in results),
        metrics=metrics,
        counts=counts,
        by_kind=by_kind,
    )


def _file(run: FileRun, best: Point) -> FileSummary:
    chosen = next((number for number, point in enumerate(run.points) if point == best), 0)
    outcomes = run.outcomes[chosen]
    unknown: dict[str, list[str]] = {}
    for case in run.cases:
        for key in case.unknown:
            unknown.setdefault(key, []).append(case.name)
    return FileSummary(
        file=str(run.questions.path),
        name=run.questions.name,
        cases=len(outcomes),
        passed=sum(outcome.passed for outcome in outcomes),
        metrics=means([outcome.scores for outcome in outcomes])[0],
        unknown={key: tuple(cases) for key, cases in unknown.items()},
        settings={one.name: getattr(run.settings, one.name) for one in fields(run.settings)},
    )


def _rfc3339(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


# -- JSON ---------------------------------------------------------------------------------------------------------------------


def report_json(report: Report) -> str:
    """The report as JSON text."""
    text = json.dumps(asdict(report), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    # Half of a surrogate pair, which a name may hold, has no UTF-8, but an escape in JSON.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def report_csv(report: Report) -> str:
    """The results as CSV (RFC 4180) with a header: one row for each question and combination of weights. Lists are JSON."""
    weights = list(dict.fromkeys(name for result in report.results for name in result.weights))
    measures = list(dict.fromkeys(name for result in report.results for name in result.scores))
    lists = ("expected", "ranking", "actions", "missing")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(["file", "name", "kind", *weights, "passed", "judged", *lists, *measures])
    for result in report.results:
        told = [json.dumps(getattr(result, name), ensure_ascii=False) for name in lists]
        values = [result.weights.get(name, "") for name in weights]
        scores = [result.scores.get(name, "") for name in measures]
        passed = [str(value).lower() for value in (result.passed, result.judged)]
        writer.writerow([result.file, result.name, result.kind, *values, *passed, *told, *scores])
    return text.getvalue().encode("utf-8", "backslashreplace").decode("utf-8")


def read_report(path: Path) -> Report:
    """A report that was written before. Raises :class:`InputError` or :class:`FormatError`."""
    try:
        value = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {json_fault(error.msg)}", place=f"{path}:{error.lineno}") from error
    except (ValueError, RecursionError) as error:
        raise FormatError("not a report: it cannot be read as JSON", place=str(path)) from error
    try:
        return _report(value)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        advice = "Reports are written by: soulmem tune run … --json"
        raise FormatError(f"not a report of soulmem tune run: {error}", place=str(path), advice=advice) from error


def _report(value: Mapping[str, Any]) -> Report:
    results = tuple(_read_result(one) for one in value["results"])
    if not results:
        raise ValueError("it has no results")
    whole = {one.name: value[one.name] for one in fields(Report) if one.name not in {"points", "files", "results", "best"}}
    return Report(
        **whole,
        best=_numbers(value["best"]),
        points=tuple(PointSummary(**one) for one in value["points"]),
        files=tuple(FileSummary(**one) for one in value["files"]),
        results=results,
    )


def _read_result(one: Mapping[str, Any]) -> Result:
    return Result(
        file=str(one["file"]),
        name=str(one["name"]),
        kind=str(one["kind"]),
        weights=_numbers(one["weights"]),
        expected=tuple(map(str, one["expected"])),
        ranking=tuple(map(str, one["ranking"])),
        actions=tuple(map(str, one["actions"])),
        passed=bool(one["passed"]),
        judged=bool(one["judged"]),
        missing=tuple(map(str, one["missing"])),
        scores=_numbers(one["scores"]),
    )


def _numbers(value: Mapping[str, Any]) -> dict[str, float]:
    for name, number in value.items():
        if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
            raise ValueError(f"{name} is not a number")
    return dict(value)


# -- what is required ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Requirement:
    """A ``measure`` that must reach ``least``; of one ``kind`` of cases, or of all (empty)."""

    measure: str
    least: float
    kind: str = ""

    @property
    def name(self) -> str:
        return f"{self.measure}[{self.kind}]" if self.kind else self.measure


_REQUIREMENT = re.compile(r"\s*([\w@]+)(?:\[(.+)\])?\s*>=\s*(\d+(?:\.\d*)?|\.\d+)(%?)\s*", re.ASCII)


def parsed_requirement(text: str) -> Requirement:
    """``metric>=value`` or ``metric[kind]>=value``; the value as a share, or in percent with ``%``. :class:`InputError` else."""
    match = _REQUIREMENT.fullmatch(text)
    if not match:
        raise InputError(f"{text[:60]!r} is not of the form METRIC>=VALUE, as in mrr>=0.8 or recall@10[multi-hop]>=0.5")
    measure, kind, number, percent = match.groups()
    return Requirement(measure, float(number) / (100.0 if percent else 1.0), kind or "")


def missed(report: Report, requirements: Sequence[Requirement]) -> tuple[str, ...]:
    """Which requirements the best combination of weights misses, and by how much, in words.

    Raises :class:`InputError` for a measure or kind that no case has: a requirement that nothing measures is a mistake.
    """
    return tuple(told for one in requirements if (told := _missed(report, one)))


def _missed(report: Report, one: Requirement) -> str:
    of_all = {**report.metrics, "passed": report.passed / report.cases}
    metrics = report.by_kind.get(one.kind) if one.kind else of_all
    if metrics is None:
        kinds = ", ".join(report.by_kind) or "none"
        raise InputError(f"{one.name}: no cases of the kind {one.kind!r}", advice=f"There are the kinds: {kinds}.")
    if one.measure not in metrics:
        raise InputError(f"{one.name}: nothing measures it here", advice=f"There are: {', '.join(metrics)}.")
    value = metrics[one.measure]
    if value >= one.least - 1e-12:
        return ""
    return f"{one.name} is {value:.4f}, and must be at least {one.least:g}: {one.least - value:.4f} too little"
