"""Forgetting curves: the check values of the specification, and the laws that hold for all of them."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import InputError
from soulmem.graph import due_at, half_life_hours, link_intensities, link_intensity, reinforced, retention, retentions
from soulmem.graph.decay import NEVER, elapsed_hours
from soulmem.model.notes import Category, NoteType
from soulmem.settings import Settings

DEFAULT = Settings()
THEN = datetime(2024, 5, 6, 12, tzinfo=UTC)

strengths = st.floats(0.0, 1.0)
hours = st.floats(0.0, 1e6)
half_lives = st.floats(0.1, 1e6)


def after(count: float) -> datetime:
    return THEN + timedelta(hours=count)


def episode(count: int) -> float:
    return half_life_hours(NoteType.SPECIFIC, None, count, False, DEFAULT)


@pytest.mark.parametrize(
    ("passed", "count", "missing", "tolerance"),
    [(24, 0, 0.5, 1e-12)]
    + [(48, count, missing, 5e-5) for count, missing in [(0, 0.75), (50, 0.2063), (200, 0.2063)]]
    + [(48, 20, 0.37, 5e-4)]
    + [
        (72, count, missing, 6e-4)
        for count, missing in [(0, 0.875), (1, 0.849), (3, 0.798), (10, 0.646), (30, 0.405), (50, 0.293), (100, 0.293)]
    ],
)
def test_missing_degrees_of_the_specification(passed: float, count: int, missing: float, tolerance: float) -> None:
    assert 1.0 - retention(1.0, THEN, after(passed), episode(count)) == pytest.approx(missing, abs=tolerance)


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        (Category.IDENTITY, 365 * 24),
        (Category.DATE, 365 * 24),
        (Category.PREFERENCE, 90 * 24),
        (Category.RELATION, 90 * 24),
        (Category.EVENT, 21 * 24),
        (Category.STATE, 12),
        (None, 21 * 24),
        (Category.KNOWLEDGE, NEVER),
    ],
)
def test_half_lives_of_facts(category: Category | None, expected: float) -> None:
    assert half_life_hours(NoteType.SEMANTIC, category, 0, False, DEFAULT) == expected
    assert half_life_hours(NoteType.SEMANTIC, category, 10, False, DEFAULT) == expected * 2
    assert half_life_hours(NoteType.SEMANTIC, category, 50, False, DEFAULT) == expected * 6


@pytest.mark.parametrize("note_type", [NoteType.PROCEDURE, NoteType.ABSTRACT])
def test_procedures_and_patterns_do_not_decay_even_pinned(note_type: NoteType) -> None:
    for pinned in (False, True):
        assert half_life_hours(note_type, None, 3, pinned, DEFAULT) == NEVER
    assert retention(0.7, THEN, after(1e7), NEVER) == 0.7


def test_half_lives_of_episodes_and_pinned_notes() -> None:
    assert episode(0) == 24.0 and episode(1) == pytest.approx(26.4) and episode(50) == episode(51) == 144.0
    for category in (None, Category.STATE):
        assert half_life_hours(NoteType.SEMANTIC, category, 7, True, DEFAULT) == 876_000.0
    assert half_life_hours(NoteType.SPECIFIC, None, 7, True, DEFAULT) == 876_000.0


def test_constants_of_the_mind_count() -> None:
    mind = DEFAULT.with_values(half_life_episode_hours=10.0, recall_count_factor=0.5, recall_count_cap=2)
    assert half_life_hours(NoteType.SPECIFIC, None, 9, False, mind) == 20.0


def test_time_before_the_strength_was_right_takes_nothing() -> None:
    assert retention(0.6, THEN, after(-5), 24.0) == 0.6
    assert retention(0.6, THEN, THEN, 24.0) == 0.6
    assert elapsed_hours(THEN, after(-5)) == 0.0 and elapsed_hours(THEN, after(1.5)) == 1.5


@settings(deadline=None)
@given(strengths, hours, hours, half_lives)
def test_sweeping_in_between_changes_nothing(strength: float, first: float, second: float, half_life: float) -> None:
    swept = retention(strength, THEN, after(first), half_life)
    twice = retention(swept, after(first), after(first) + timedelta(hours=second), half_life)
    once = retention(strength, THEN, after(first) + timedelta(hours=second), half_life)
    assert twice == pytest.approx(once, rel=1e-6, abs=1e-300)


@settings(deadline=None)
@given(strengths, hours, half_lives)
def test_retention_is_within_bounds_falls_with_time_and_halves(strength: float, passed: float, half_life: float) -> None:
    now = retention(strength, THEN, after(passed), half_life)
    assert 0.0 <= now <= strength
    assert retention(strength, THEN, after(passed + 1), half_life) <= now
    assert retention(strength, THEN, after(passed), half_life * 2) >= now
    assert retentions(strength, half_life, half_life) == pytest.approx(strength / 2)


@settings(deadline=None)
@given(st.lists(st.tuples(strengths, st.floats(-10.0, 1e5), half_lives), min_size=1, max_size=10))
def test_many_notes_at_once_are_each_note(notes: list[tuple[float, float, float]]) -> None:
    many = retentions(*([note[part] for note in notes] for part in range(3)))
    assert many == pytest.approx([s * 2.0 ** (-max(0.0, h) / life) for s, h, life in notes], rel=1e-9, abs=1e-300)


@settings(deadline=None)
@given(strengths, hours, half_lives)
def test_a_used_recall_closes_a_part_of_what_is_missing(strength: float, passed: float, half_life: float) -> None:
    left = retention(strength, THEN, after(passed), half_life)
    better = reinforced(strength, THEN, after(passed), half_life, DEFAULT)
    assert left <= better <= 1.0
    assert 1.0 - better == pytest.approx(0.65 * (1.0 - left))


@settings(deadline=None)
@given(st.floats(0.1001, 1.0), st.floats(0.1, 1e5))
def test_a_note_is_due_when_it_crosses_the_freezing_threshold(strength: float, half_life: float) -> None:
    due = due_at(strength, THEN, half_life, DEFAULT)
    assert due is not None and due > THEN
    assert retention(strength, THEN, due, half_life) <= 0.1
    assert retention(strength, THEN, due, half_life) == pytest.approx(0.1, rel=1e-4)


def test_due_by_hand() -> None:
    # log2(10) half-lives
    due = due_at(1.0, THEN, 24.0, DEFAULT)
    assert due is not None and (due - after(24.0 * math.log2(10))) <= timedelta(microseconds=2)
    assert due_at(0.1, THEN, 24.0, DEFAULT) == THEN
    assert due_at(0.05, THEN, 24.0, DEFAULT) == THEN
    assert due_at(1.0, THEN, NEVER, DEFAULT) is None
    assert due_at(0.05, THEN, NEVER, DEFAULT) is None
    assert due_at(1.0, THEN, 1e9, DEFAULT) is None  # beyond the year 9999
    assert due_at(1.0, THEN, 1e300, DEFAULT) is None
    pinned = due_at(1.0, THEN, DEFAULT.half_life_pinned_hours, DEFAULT)
    assert pinned is not None and pinned.year == 2356


def test_links_fade_by_half_in_thirty_days() -> None:
    assert link_intensity(1.6, THEN, after(720), DEFAULT) == pytest.approx(0.8)
    assert link_intensity(1.6, THEN, after(-1), DEFAULT) == 1.6
    assert link_intensities([1.0, 2.0, 0.0], [0.0, 1440.0, 5.0], DEFAULT).tolist() == [1.0, 0.5, 0.0]
    assert link_intensities([], [], DEFAULT).shape == (0,)


def test_wrong_values_are_refused() -> None:
    for strength in (-0.1, 1.1, math.nan):
        with pytest.raises(InputError, match="strength"):
            retention(strength, THEN, THEN, 24.0)
    for half_life in (0.0, -1.0, math.nan):
        with pytest.raises(InputError, match="half-life"):
            retention(1.0, THEN, THEN, half_life)
    for intensity in (-1.0, math.nan, math.inf):
        with pytest.raises(InputError, match="intensity"):
            link_intensity(intensity, THEN, THEN, DEFAULT)
    for passed in (math.nan, math.inf):
        with pytest.raises(InputError, match="hours"):
            retentions(1.0, passed, 24.0)
    with pytest.raises(InputError, match="count"):
        half_life_hours(NoteType.SPECIFIC, None, -1, False, DEFAULT)
