"""What a used recall writes, against the formulas of forgetting written out again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.graph.decay import Envelope
from soulmem.recall.reinforce import envelope_of, reinforced_values
from soulmem.settings import Settings

LAWS = settings(deadline=None, max_examples=60)
DEFAULTS = Settings()
THEN = datetime(2024, 3, 1, 12, 0, tzinfo=UTC)


def envelope(**values: Any) -> Envelope:
    row = {
        "type": "SpecificSituation",
        "category": None,
        "strength": 1.0,
        "decayed_at": THEN,
        "retrieval_count": 0,
        "pinned": False,
        "core": False,
        "asleep": False,
        "due_at": None,
        "created_at": THEN,
    }
    return envelope_of(row | values)


@LAWS
@given(st.floats(0.0, 1.0), st.floats(0.0, 2000.0), st.integers(0, 200))
def test_a_used_recall_lifts_what_was_left(strength: float, hours: float, count: int) -> None:
    at = THEN + timedelta(hours=hours)
    values = reinforced_values(envelope(strength=strength, retrieval_count=count), at, DEFAULTS)
    half_life = 24.0 * (1.0 + 0.1 * min(count, 50))
    left = strength * 2.0 ** (-hours / half_life)
    assert values["strength"] == pytest.approx(left + 0.35 * (1.0 - left))
    assert left - 1e-12 <= values["strength"] <= 1.0
    assert values["retrieval_count"] == count + 1
    assert values["decayed_at"] == values["last_accessed_at"] == at


@LAWS
@given(st.floats(0.0, 1.0), st.floats(0.0, 2000.0), st.integers(0, 200))
def test_it_is_due_when_its_new_curve_crosses_the_threshold_of_sleep(strength: float, hours: float, count: int) -> None:
    at = THEN + timedelta(hours=hours)
    values = reinforced_values(envelope(strength=strength, retrieval_count=count), at, DEFAULTS)
    half_life = 24.0 * (1.0 + 0.1 * min(count + 1, 50))
    due_hours = (values["due_at"] - at) / timedelta(hours=1)
    assert values["strength"] * 2.0 ** (-due_hours / half_life) == pytest.approx(DEFAULTS.sleep_below, abs=1e-8)


def test_using_it_twice_at_once_counts_twice() -> None:
    first = reinforced_values(envelope(strength=0.2), THEN, DEFAULTS)
    second = reinforced_values(envelope(**{**first, "type": "SpecificSituation"}), THEN, DEFAULTS)
    assert first["strength"] == pytest.approx(0.2 + 0.35 * 0.8)
    assert second["strength"] == pytest.approx(first["strength"] + 0.35 * (1 - first["strength"]))
    assert second["retrieval_count"] == 2


def test_a_recall_dated_before_the_last_one_does_not_turn_the_clock_back() -> None:
    values = reinforced_values(envelope(strength=0.5), THEN - timedelta(days=3), DEFAULTS)
    assert values["decayed_at"] == values["last_accessed_at"] == THEN
    assert values["strength"] == pytest.approx(0.5 + 0.35 * 0.5)


@pytest.mark.parametrize(("type_", "category"), [("Procedure", None), ("AbstractSituation", None), ("Semantic", "knowledge")])
def test_what_does_not_decay_is_never_due(type_: str, category: str | None) -> None:
    values = reinforced_values(envelope(type=type_, category=category, strength=0.6), THEN + timedelta(days=900), DEFAULTS)
    assert values["due_at"] is None
    assert values["strength"] == pytest.approx(0.6 + 0.35 * 0.4)


@pytest.mark.parametrize(
    ("category", "half_life"), [("identity", 8760.0), ("preference", 2160.0), (None, 504.0), ("state", 12.0)]
)
def test_a_fact_fades_by_its_category(category: str | None, half_life: float) -> None:
    at = THEN + timedelta(hours=half_life)
    values = reinforced_values(envelope(type="Semantic", category=category), at, DEFAULTS)
    assert values["strength"] == pytest.approx(0.5 + 0.35 * 0.5)


def test_a_pinned_note_hardly_fades() -> None:
    values = reinforced_values(envelope(pinned=True), THEN + timedelta(hours=876_000), DEFAULTS)
    assert values["strength"] == pytest.approx(0.675)


def test_the_boost_is_a_setting() -> None:
    values = reinforced_values(envelope(strength=0.4), THEN, Settings(recall_boost=0.0))
    assert values["strength"] == pytest.approx(0.4)
