"""The excitation test: a memory recalled 0, 1, 3 … 100 times, early, spaced out or late, beside one that never is (SPEC §11).

It runs on the very functions by which a mind fades. E1: what was recalled differs from what was not; E2: what was not fades as
it would without the other; E3: more recalls never leave less, and beyond the cap no longer make it fade more slowly; E4: what is
missing is 0..1 throughout; E5: a recall changes nothing before it; E6: a second run gives the same, and so does one with sweeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from soulmem.graph.decay import Envelope
from soulmem.model.notes import NoteType
from soulmem.settings import Settings

DOSES = (0, 1, 3, 10, 30, 50, 100)
#: How long a memory is watched, hours, and how often.
HORIZON_HOURS, STEP_HOURS = 72.0, 1.0
#: E1: recalled and not recalled differ by more; E2: what was not recalled is off by less.
_DIFFERS, _SAME = 1e-3, 1e-4
#: Two ways to compute the same differ by less.
_EXACT = 1e-9
_START = datetime(2026, 1, 1, tzinfo=UTC)


def _early(dose: int) -> list[float]:
    return [0.0] * dose


def _spaced(dose: int) -> list[float]:
    return [HORIZON_HOURS * (number + 1) / (dose + 1) for number in range(dose)]


def _late(dose: int) -> list[float]:
    return [HORIZON_HOURS - 12.0] * dose


#: When the recalls of a dose are, hours: all at once at the beginning, evenly, or all at once half a day before the end.
SCHEDULES: Mapping[str, Callable[[int], list[float]]] = {"early": _early, "spaced": _spaced, "late": _late}


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """One memory over time. ``points``: hour → missing degree, at every full hour; ``half_life_hours`` at the end."""

    schedule: str
    dose: int
    points: tuple[tuple[float, float], ...]
    half_life_hours: float

    @property
    def missing(self) -> float:
        """What is missing at the end, 0..1."""
        return self.points[-1][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One of the conditions, on one schedule. ``got``: the number that decides, in words."""

    id: str
    name: str
    passed: bool
    got: str


def course(schedule: str, dose: int, settings: Settings, *, swept: bool = False) -> Course:
    """The course of a memory that is recalled ``dose`` times; ``swept``: with a sweep at every full hour."""
    memory = Envelope(type=NoteType.SPECIFIC, decayed_at=_START)
    recalls = SCHEDULES[schedule](dose)
    points: list[tuple[float, float]] = []
    done = 0
    for step in range(int(HORIZON_HOURS / STEP_HOURS) + 1):
        hour = step * STEP_HOURS
        while done < len(recalls) and recalls[done] <= hour:
            memory = memory.reinforced(_at(recalls[done]), settings)
            done += 1
        if swept:
            memory = memory.settled(_at(hour), settings)
        points.append((hour, 1.0 - memory.retention(_at(hour), settings)))
    return Course(schedule=schedule, dose=dose, points=tuple(points), half_life_hours=memory.half_life_hours(settings))


def _at(hour: float) -> datetime:
    return _START + timedelta(hours=hour)


def excite(settings: Settings) -> tuple[tuple[Course, ...], tuple[Finding, ...]]:
    """All courses, and what is found of them."""
    courses = {(schedule, dose): course(schedule, dose, settings) for schedule in SCHEDULES for dose in DOSES}
    findings = [one for schedule in SCHEDULES for one in _findings([courses[schedule, dose] for dose in DOSES], settings)]
    return tuple(courses.values()), tuple(findings)


def _findings(courses: Sequence[Course], settings: Settings) -> Iterator[Finding]:
    control, excited = courses[0], courses[1:]
    schedule = control.schedule

    def found(id_: str, name: str, passed: bool, got: str) -> Finding:
        return Finding(id=id_, name=f"{schedule}: {name}", passed=passed, got=got)

    least = min(control.missing - one.missing for one in excited)
    yield found("E1", "what was recalled is remembered better", least > _DIFFERS, f"by {least:.4f} at least")
    off = max(abs(value - (1.0 - 2.0 ** (-hour / control.half_life_hours))) for hour, value in control.points)
    yield found("E2", "what was not recalled fades as ever", off < _SAME, f"off by {off:.1e} at most")
    rises = max(more.missing - fewer.missing for fewer, more in pairwise(courses))
    capped = [one.half_life_hours for one in courses if one.dose >= settings.recall_count_cap]
    flat = len(set(capped)) <= 1
    yield found(
        "E3", "more recalls leave more, up to the cap", rises <= _EXACT and flat, f"rises by {max(rises, 0.0):.1e} at most"
    )
    values = [value for one in courses for _, value in one.points]
    yield found("E4", "0 to 1 is missing", min(values) >= 0.0 and max(values) <= 1.0, f"{min(values):.4f} to {max(values):.4f}")
    early = max(_difference_before(one, control) for one in excited)
    yield found("E5", "nothing changes before a recall", early <= _EXACT, f"differs by {early:.1e} at most")
    again = [course(schedule, one.dose, settings) for one in courses]
    swept = [course(schedule, one.dose, settings, swept=True) for one in courses]
    apart = max(
        abs(value - other) for one, two in zip(courses, swept, strict=True) for (_, value), (_, other) in _pairs(one, two)
    )
    same = all(one == two for one, two in zip(courses, again, strict=True))
    yield found("E6", "again, and with sweeps, the same", same and apart <= _EXACT, f"sweeps change {apart:.1e} at most")


def _pairs(one: Course, two: Course) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    return zip(one.points, two.points, strict=True)


def _difference_before(one: Course, control: Course) -> float:
    """How far a course differs from the one without recalls before its first recall."""
    first = min(SCHEDULES[one.schedule](one.dose))
    return max((abs(value - other) for (hour, value), (_, other) in _pairs(one, control) if hour < first), default=0.0)
