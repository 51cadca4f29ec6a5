"""Reports of ``soulmem tune`` as text for a person."""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.text.counts import counted
from soulmem.tune.compare import CaseDifference, Comparison
from soulmem.tune.profile import Profile
from soulmem.tune.replay import Replay
from soulmem.tune.report import Report
from soulmem.tune.weights import TUNABLE, told
from soulmem_cli.tables import print_table
from soulmem_cli.terminal import out, say

#: Measures of kinds and of sweeps, as far as they are there.
_CHIEF = ("must_hit", "recall@5", "recall@10", "recall@25", "mrr", "ndcg@10", "association_only", "action_hit", "negatives_empty")
#: Cases and rows that are shown; the files have all of them.
_MOST = 20


def print_report(report: Report) -> None:
    """The measures, by kind and by weights, and what failed."""
    embedder = f", embedder {report.embedder}" if report.embedder else ""
    out(f"{report.suite}: {report.passed} of {counted(report.cases, 'case')} passed{embedder}\n")
    print_table(
        ["measure", "mean", "cases"], [(name, _fixed(value), report.counts[name]) for name, value in report.metrics.items()]
    )
    if report.by_kind:
        out("")
        _print_kinds(report)
    if len(report.files) > 1:
        out("")
        print_table(["file", "passed", "cases"], [(file.file, file.passed, file.cases) for file in report.files], cut="file")
    if len(report.points) > 1:
        out("")
        _print_points(report)
    _print_failed(report)


def _fixed(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _print_kinds(report: Report) -> None:
    measures = _chief(report)
    rows = [[kind, *(_fixed(values.get(name)) for name in measures)] for kind, values in report.by_kind.items()]
    print_table(["kind", *measures], rows)


def _chief(report: Report) -> list[str]:
    return [name for name in dict.fromkeys((*_CHIEF, report.objective)) if name in report.metrics]


def _print_points(report: Report) -> None:
    measures = list(dict.fromkeys((report.objective, *_chief(report)[:5])))
    ranked = sorted(report.points, key=lambda point: (-point.metrics.get(report.objective, -1.0), -point.passed))
    rows = [
        ["best" if point.weights == report.best else "", told(point.weights), point.passed]
        + [_fixed(point.metrics.get(name)) for name in measures]
        for point in ranked[:_MOST]
    ]
    print_table(["", "weights", "passed", *measures], rows)
    if len(ranked) > _MOST:
        say(f"The best {_MOST} of {len(ranked)} combinations; --json has all of them.")


def _print_failed(report: Report) -> None:
    failed = [result for result in report.of_best() if not result.passed]
    if not failed:
        return
    out("")
    print_table(["failed", "missing"], [_failure(result.name, result.missing, result.ranking) for result in failed[:_MOST]])
    if len(failed) > _MOST:
        say(f"The first {_MOST} of {len(failed)} failed cases; --json has all of them.")


def _failure(name: str, missing: Sequence[str], ranking: Sequence[str]) -> tuple[str, str]:
    return name, ", ".join(missing) or f"nothing was to be found, but {', '.join(ranking[:3])} was"


def tell(report: Report) -> None:
    """What is wrong with the files of questions."""
    for file in report.files:
        if not file.unknown:
            continue
        what = ", ".join(
            f"{key} (in {', '.join(cases[:2])}{' …' if len(cases) > 2 else ''})" for key, cases in _first(file.unknown)
        )
        more = f" and {len(file.unknown) - 5} more" if len(file.unknown) > 5 else ""
        kinds = counted(len(file.unknown), "key")
        say(f"{file.file}: {kinds} of its truth not in the mind, left out of the measures: {what}{more}")


def _first(unknown: object) -> list[tuple[str, Sequence[str]]]:
    assert isinstance(unknown, dict)
    return list(unknown.items())[:5]


def print_profile(profile: Profile) -> None:
    """The weights of a mind's own, beside the defaults."""
    if not profile.weights:
        out("This mind has no profile: it uses the defaults.")
        return
    print_table(["weight", "value", "default"], [(name, value, TUNABLE[name]) for name, value in profile.weights.items()])
    if profile.measured:
        told_of = ", ".join(f"{name} {value}" for name, value in profile.measured.items() if value is not None)
        out(f"\nmeasured: {told_of}")


def print_comparison(found: Comparison) -> None:
    """The differences of the means with their intervals, and the cases that differ."""
    if found.suite_a != found.suite_b:
        say(f"The suites differ: {found.suite_a} and {found.suite_b}.")
    percent = f"{found.confidence:.0%}"
    rows = [
        (
            one.metric,
            one.cases,
            _fixed(one.before),
            _fixed(one.after),
            f"{one.difference:+.4f}",
            f"{one.low:+.4f} … {one.high:+.4f}",
            "*" if one.sure else "",
        )
        for one in found.metrics
    ]
    print_table(["measure", "cases", "A", "B", "B − A", f"{percent} interval", ""], rows)
    _print_case_differences(found)
    alone = [
        f"{counted(len(names), 'case')} only in {side}" for side, names in (("A", found.only_a), ("B", found.only_b)) if names
    ]
    if alone:
        say(f"Not compared: {', '.join(alone)}.")


def _print_case_differences(found: Comparison) -> None:
    out(f"\n{len(found.cases)} of {counted(found.common, 'case')} differ.")
    if not found.cases:
        return
    rows = [
        (
            case.name,
            f"{_passed(case.passed_before)} → {_passed(case.passed_after)}",
            _fixed(case.before),
            _fixed(case.after),
            ", ".join(case.gained[:4]),
            ", ".join(case.lost[:4]),
        )
        for case in sorted(found.cases, key=_weight_of_difference, reverse=True)[:_MOST]
    ]
    metric = found.cases[0].metric
    print_table(["case", "passed", f"{metric} A", f"{metric} B", "gained", "lost"], rows, cut="case", spare=("lost", "gained"))
    if len(found.cases) > _MOST:
        say(f"The {_MOST} that differ most of {len(found.cases)}; --json has all of them.")


def _weight_of_difference(case: CaseDifference) -> tuple[bool, float, int]:
    """The larger, the more it matters."""
    values = (case.before, case.after)
    by_metric = abs(values[0] - values[1]) if values[0] is not None and values[1] is not None else 0.0
    return (case.passed_before != case.passed_after, by_metric, len(case.gained) + len(case.lost))


def _passed(value: bool) -> str:
    return "yes" if value else "no"


def print_replay(found: Replay) -> None:
    """How far the recalls of the past come again."""
    out(f"{found.replayed} of {counted(found.recorded, 'recorded recall')} asked again, weights {told(found.weights)}")
    for reason, number in found.apart.items():
        if number:
            out(f"  apart: {number}, {reason}")
    names = [name for name in found.metrics if not name.endswith("_now")]
    if names:
        out("")
        rows = [
            (name, _fixed(found.metrics.get(f"{name}_now")), _fixed(found.metrics[name]), found.counts[name]) for name in names
        ]
        print_table(["agreement with then", "weights of now", "these weights", "recalls"], rows)
