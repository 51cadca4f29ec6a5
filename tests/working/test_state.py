"""Working and idle, what waits, records of use, and short-term activation."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.settings import Settings
from soulmem.working.activation import Activation
from soulmem.working.records import FEEDBACK, NoteRecord, hot, records_of
from soulmem.working.state import State, Task, Waiting, due, idle_at, state_at

AT = datetime(2026, 5, 1, 12, tzinfo=UTC)
SETTINGS = Settings()
seconds = st.floats(-1e6, 1e6)


@given(seconds)
def test_there_is_talk_until_it_has_been_quiet_long_enough(passed: float) -> None:
    at = AT + timedelta(seconds=passed)
    assert (state_at(AT, at, SETTINGS) is State.IDLE) == (at >= AT + timedelta(seconds=120))
    assert idle_at(AT, SETTINGS) == AT + timedelta(seconds=120)


def test_a_mind_in_which_nothing_was_said_is_idle() -> None:
    assert state_at(None, AT, SETTINGS) is State.IDLE and idle_at(None, SETTINGS) is None


def test_work_is_done_in_quiet_or_when_forced() -> None:
    waiting = Waiting(summaries=1, vectors=3)
    assert due(waiting, State.WORKING) == ()
    assert due(waiting, State.WORKING, forced=True) == due(waiting, State.IDLE) == (Task.SUMMARY, Task.VECTORS)
    assert due(Waiting(vectors=1), State.IDLE) == (Task.VECTORS,)
    assert due(Waiting(), State.IDLE, forced=True) == ()


def row(note: str, hours: float, stage: str = "similarity", score: float = 0.5) -> dict[str, object]:
    return {"note": note, "at": AT + timedelta(hours=hours), "stage": stage, "score": score, "asleep": False}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 1000)), max_size=30))
def test_frequency_is_how_often_over_how_long(used: list[tuple[str, float]]) -> None:
    records = {record.note: record for record in records_of(row(note, hours) for note, hours in used)}
    assert records.keys() == {note for note, _ in used}
    for note, record in records.items():
        times = [(AT + timedelta(hours=hours)) for other, hours in used if other == note]
        span = (max(times) - min(times)) / timedelta(hours=1)
        assert record.frequency == pytest.approx(len(times) / span if span else 0.0)


def test_feedback_is_summed_and_is_no_recall() -> None:
    said = [row("a", 0), row("a", 2), row("a", 3, FEEDBACK, 1.0), row("a", 4, FEEDBACK, -1.0), row("b", 1, FEEDBACK, -1.0)]
    a, b = records_of(said)
    assert (len(a.times), a.feedback, a.frequency) == (2, 0, 1.0)
    assert (b.times, b.feedback, b.frequency) == ((), -1, 0.0)
    assert hot([a, b], 5) == (a,)


def test_hot_notes_are_the_most_recalled_the_later_first() -> None:
    records = records_of([row("a", 1), row("b", 2), row("c", 0), row("c", 1), row("d", 2)])
    assert [record.note for record in hot(records, 3)] == ["c", "b", "d"]
    assert hot(records, 0) == () and isinstance(hot(records, 9)[0], NoteRecord)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=5), st.floats(0, 100))
def test_activation_falls_by_e_in_ten_minutes_from_the_last_use(uses: list[float], later: float) -> None:
    activation = Activation(SETTINGS)
    for minutes in uses:
        activation.used(["a"], AT + timedelta(minutes=minutes))
    last = max(uses)
    factor = activation.at(AT + timedelta(minutes=last + later)).get("a", 1.0)
    assert factor == pytest.approx(1 + 0.5 * math.exp(-later / 10), abs=1e-3)


def test_nothing_is_active_that_was_not_used_or_long_ago() -> None:
    activation = Activation(SETTINGS)
    assert activation.at(AT) == {}
    activation.used(["a"], AT)
    assert activation.at(AT + timedelta(hours=3)) == {}
    activation.clear()
    assert activation.at(AT) == {}
