"""Two reports against each other: case by case, and how sure the difference of their means is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from soulmem.errors import InputError
from soulmem.tune.metrics import bootstrap_interval
from soulmem.tune.report import Report, Result


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricDifference:
    """A measure over the ``cases`` that have it in both reports: the means ``before`` and ``after``, their ``difference``, and
    the interval (``low``, ``high``) of that by paired bootstrap. ``sure``: the interval does not hold 0."""

    metric: str
    cases: int
    before: float
    after: float
    difference: float
    low: float
    high: float

    @property
    def sure(self) -> bool:
        return self.low > 0.0 or self.high < 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseDifference:
    """A case that came out differently. ``metric``: the measure that tells; ``before`` and ``after`` are ``None`` where the case
    does not have it. ``gained`` and ``lost``: keys that only one of the rankings has."""

    file: str
    name: str
    passed_before: bool
    passed_after: bool
    metric: str
    before: float | None
    after: float | None
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Report ``a`` against report ``b``, each with its best weights. ``common``: cases that both have; ``only_a`` and ``only_b``:
    names of those that one has; ``metrics``: all measures; ``cases``: those that differ, in the order of ``a``."""

    suite_a: str
    suite_b: str
    common: int
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    confidence: float
    samples: int
    seed: int
    metrics: tuple[MetricDifference, ...]
    cases: tuple[CaseDifference, ...]


def compare(a: Report, b: Report, *, seed: int = 0, samples: int = 10_000, confidence: float = 0.95) -> Comparison:
    """Compare the reports ``a`` (before) and ``b`` (after), each with its best weights.

    Cases are matched by name within files of the same name; where names come again, by their order. Raises
    :class:`InputError` where the reports have no case in common.
    """
    first, second = _by_case(a), _by_case(b)
    common = [case for case in first if case in second]
    if not common:
        raise InputError("the two reports have no case in common", advice="Compare reports about the same files.")
    pairs = [(first[case], second[case]) for case in common]
    return Comparison(
        suite_a=a.suite,
        suite_b=b.suite,
        common=len(common),
        only_a=tuple(result.name for case, result in first.items() if case not in second),
        only_b=tuple(result.name for case, result in second.items() if case not in first),
        confidence=confidence,
        samples=samples,
        seed=seed,
        metrics=_metrics(pairs, seed, samples, confidence),
        cases=tuple(_case(before, after, a.objective) for before, after in pairs if _differs(before, after)),
    )


def _by_case(report: Report) -> dict[tuple[str, str, int], Result]:
    found: dict[tuple[str, str, int], Result] = {}
    # Folders differ from machine to machine; the last two parts of a path say which file it is.
    for result in report.of_best():
        file = "/".join(result.file.replace("\\", "/").split("/")[-2:])
        again = 0
        while (file, result.name, again) in found:
            again += 1
        found[file, result.name, again] = result
    return found


Pairs = Sequence[tuple[Result, Result]]


def _metrics(pairs: Pairs, seed: int, samples: int, confidence: float) -> tuple[MetricDifference, ...]:
    names = dict.fromkeys(name for before, after in pairs for name in before.scores if name in after.scores)
    differences = [_metric(name, pairs, seed, samples, confidence) for name in names]
    passed = [(float(before.passed), float(after.passed)) for before, after in pairs]
    return (_difference("passed", passed, seed, samples, confidence), *differences)


def _metric(name: str, pairs: Pairs, seed: int, samples: int, confidence: float) -> MetricDifference:
    values = [
        (before.scores[name], after.scores[name]) for before, after in pairs if name in before.scores and name in after.scores
    ]
    return _difference(name, values, seed, samples, confidence)


def _difference(name: str, values: Sequence[tuple[float, float]], seed: int, samples: int, confidence: float) -> MetricDifference:
    differences = [after - before for before, after in values]
    low, high = bootstrap_interval(differences, seed=seed, samples=samples, confidence=confidence)
    return MetricDifference(
        metric=name,
        cases=len(values),
        before=sum(before for before, _ in values) / len(values),
        after=sum(after for _, after in values) / len(values),
        difference=sum(differences) / len(values),
        low=low,
        high=high,
    )


def _differs(before: Result, after: Result) -> bool:
    """Measures that only one of them has say nothing."""
    if (before.passed, before.ranking, before.actions) != (after.passed, after.ranking, after.actions):
        return True
    return any(value != after.scores.get(name, value) for name, value in before.scores.items())


def _case(before: Result, after: Result, metric: str) -> CaseDifference:
    keys_before, keys_after = (*before.ranking, *before.actions), (*after.ranking, *after.actions)
    return CaseDifference(
        file=before.file,
        name=before.name,
        passed_before=before.passed,
        passed_after=after.passed,
        metric=metric,
        before=before.scores.get(metric),
        after=after.scores.get(metric),
        gained=tuple(key for key in keys_after if key not in keys_before),
        lost=tuple(key for key in keys_before if key not in keys_after),
    )
