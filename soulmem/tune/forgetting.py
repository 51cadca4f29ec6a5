"""The suite ``forget``: cases T1 to T5 of files, and the excitation test E1 to E6; on the functions by which a mind fades."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np

from soulmem.embed.contract import Embedder
from soulmem.forget.masks import masked
from soulmem.forget.present import fading_of
from soulmem.graph.decay import Envelope
from soulmem.model.notes import NoteType
from soulmem.model.results import Fading
from soulmem.settings import Settings
from soulmem.tune.excitation import excite
from soulmem.tune.forget_cases import Activation, Branch, Case, Curve, Effect, ForgetFile, Magnitude, TimeMonotonic

_START = datetime(2026, 1, 1, tzinfo=UTC)
#: Two numbers that are computed alike differ by less.
_EXACT = 1e-12
_STAGES = tuple(Fading)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetResult:
    """One case, or one condition of the excitation test. ``kind``: T1 … E6; ``expected`` and ``got``: in words."""

    file: str
    name: str
    kind: str
    passed: bool
    expected: str
    got: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetCurve:
    """A curve of the report: ``points`` are (hour, missing degree)."""

    chart: str
    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetSuiteReport:
    """The suite over several files. ``metrics``: ``passed``, and of each kind that is there, the share that passed, 0..1."""

    suite: str
    cases: int
    passed: int
    embedder: str
    metrics: Mapping[str, float]
    files: tuple[str, ...]
    results: tuple[ForgetResult, ...]
    curves: tuple[ForgetCurve, ...]


@dataclass(frozen=True, slots=True)
class _Judged:
    passed: bool
    expected: str
    got: str


def run_forget(files: Sequence[ForgetFile], embedder: Embedder, settings: Settings) -> ForgetSuiteReport:
    """Judge the cases of all files, and the excitation test with each of their curves.

    ``embedder``: tells how far a masked text is from what it was; ``settings``: all that the files do not set.
    """
    results: list[ForgetResult] = []
    curves: list[ForgetCurve] = []
    for file in files:
        own = _with_curve(settings, file.curve)
        results += [_result(file, case, own, embedder) for case in file.cases]
    for file in _once(files):
        courses, findings = excite(_with_curve(settings, file.curve))
        results += [
            ForgetResult(
                file=str(file.path), name=one.name, kind=one.id, passed=one.passed, expected=_CONDITIONS[one.id], got=one.got
            )
            for one in findings
        ]
        curves += [
            ForgetCurve(chart=f"{file.curve.base_half_life_hours:g} h, {one.schedule}", name=f"{one.dose}", points=one.points)
            for one in courses
        ]
    passed = sum(result.passed for result in results)
    kinds = sorted({result.kind for result in results}, key=lambda kind: ("TE".index(kind[0]), kind))
    shares = {kind: _share([result for result in results if result.kind == kind]) for kind in kinds}
    return ForgetSuiteReport(
        suite="forget",
        cases=len(results),
        passed=passed,
        embedder=embedder.name,
        metrics={"passed": passed / len(results), **shares},
        files=tuple(str(file.path) for file in files),
        results=tuple(results),
        curves=tuple(curves),
    )


_CONDITIONS = {
    "E1": "differs by more than 0.001",
    "E2": "off by less than 0.0001",
    "E3": "never rises, one half-life from the cap on",
    "E4": "within 0 and 1",
    "E5": "differs by nothing",
    "E6": "all the same",
}


def _once(files: Sequence[ForgetFile]) -> Iterator[ForgetFile]:
    """The first file of every curve."""
    seen: set[Curve] = set()
    for file in files:
        if file.curve not in seen:
            seen.add(file.curve)
            yield file


def _share(results: Sequence[ForgetResult]) -> float:
    return sum(result.passed for result in results) / len(results)


def _with_curve(settings: Settings, curve: Curve) -> Settings:
    """The settings by which notes fade in a file. A fact without a category is as an event."""
    base = curve.base_half_life_hours
    return settings.with_values(
        half_life_episode_hours=base,
        half_life_event_hours=base,
        recall_count_factor=curve.active_factor,
        recall_count_cap=curve.max_activation_cap,
    )


def _result(file: ForgetFile, case: Case, settings: Settings, embedder: Embedder) -> ForgetResult:
    match case:
        case TimeMonotonic():
            kind, judged = "T1", _over_time(case, settings)
        case Activation():
            kind, judged = "T2", _over_recalls(case, settings)
        case Magnitude():
            kind, judged = "T3", _magnitude(case, settings)
        case Branch():
            kind, judged = "T4", _branches(case, settings)
        case Effect():
            kind, judged = "T5", _effect(case, settings, embedder)
    return ForgetResult(
        file=str(file.path), name=case.name, kind=kind, passed=judged.passed, expected=judged.expected, got=judged.got
    )


def _missing(case: Case, hours: float, count: int, settings: Settings) -> float:
    """What is missing of the note of a case, 0..1, so many hours after it was written, retrieved ``count`` times."""
    note = Envelope(
        type=NoteType.SPECIFIC if case.mem_kind == "situation" else NoteType.SEMANTIC,
        category=case.category if case.mem_kind == "semantic" else None,
        retrieval_count=count,
        decayed_at=_START,
    )
    return 1.0 - note.retention(_START + timedelta(hours=hours), settings)


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.4g}" for value in values)


def _over_time(case: TimeMonotonic, settings: Settings) -> _Judged:
    values = [_missing(case, hours, case.activation_count, settings) for hours in sorted(case.time_offsets_hours)]
    rises = all(later >= earlier - _EXACT for earlier, later in pairwise(values))
    return _Judged(rises and all(0.0 <= value <= 1.0 for value in values), "never falls", _listed(values))


def _over_recalls(case: Activation, settings: Settings) -> _Judged:
    counts = sorted(case.activation_counts)
    values = [_missing(case, case.time_offset_hours, count, settings) for count in counts]
    falls = all(more <= fewer + _EXACT for fewer, more in pairwise(values))
    capped = [value for count, value in zip(counts, values, strict=True) if count >= settings.recall_count_cap]
    flat = max(capped, default=0.0) - min(capped, default=0.0) <= _EXACT
    return _Judged(falls and flat, f"never rises, one value from {settings.recall_count_cap} on", _listed(values))


def _magnitude(case: Magnitude, settings: Settings) -> _Judged:
    value = _missing(case, case.time_offset_hours, case.activation_count, settings)
    right = abs(value - case.expected_missing_degree) <= case.tolerance + _EXACT
    return _Judged(right, f"{case.expected_missing_degree:g} ± {case.tolerance:g}", f"{value:.6f}")


def _branches(case: Branch, settings: Settings) -> _Judged:
    found = [fading_of(_missing(case, hours, case.activation_count, settings), settings) for hours in case.time_offsets_hours]
    return _Judged(found == case.expected_branches, ", ".join(case.expected_branches), ", ".join(found))


def _effect(case: Effect, settings: Settings, embedder: Embedder) -> _Judged:
    missing = _missing(case, case.time_offset_hours, case.activation_count, settings)
    stage = fading_of(missing, settings)
    shown = masked(case.text, missing, settings).text if stage is not Fading.NO_ACTION else case.text
    alike = 1.0 if shown == case.text else _likeness(shown, case.text, embedder)
    forgets = shown != case.text and alike < 1.0 - 1e-6
    enough = _STAGES.index(stage) >= _STAGES.index(case.expected.min_action)
    expected = "is forgotten" if case.expected.should_forget else "stays as it is"
    return _Judged(
        forgets == case.expected.should_forget and enough,
        f"{expected}, {case.expected.min_action.value} at least",
        f"{stage.value}, likeness {alike:.3f}: {shown[:120]}",
    )


def _likeness(one: str, other: str, embedder: Embedder) -> float:
    """The cosine of two texts."""
    vectors = embedder.passages([one, other])
    return float(np.dot(vectors[0], vectors[1]))
