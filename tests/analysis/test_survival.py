"""Lifetimes, survival and fitted half-lives, against definitions of their own."""

from __future__ import annotations

import math
from datetime import timedelta
from itertools import pairwise

import polars as pl
import pytest
from events_of import BEGIN, LAWS, STEPS, History, lived
from hypothesis import given
from hypothesis import strategies as st

from soulmem.analysis.columns import TIME, framed, schema
from soulmem.analysis.frames import decay
from soulmem.analysis.strengths import Cause
from soulmem.analysis.survival import course, fitted, implied, lifetimes, survival
from soulmem.graph.decay import retention
from soulmem.model.notes import Category
from soulmem.settings import Settings

SETTINGS = Settings()


def hours_awake(history: History, note: str, until: float) -> tuple[float, bool]:
    """By the definition: from birth on, stretch by stretch, until retention is below the threshold."""
    mine = [event for event in history.events if event.of.note == note]
    origin = mine[0].after.decayed_at
    ends = [*((event.at - origin) / timedelta(hours=1) for event in mine[1:]), until - (origin - BEGIN) / timedelta(hours=1)]
    for event, end in zip(mine, ends, strict=True):
        begin = (event.at - origin) / timedelta(hours=1)
        if event.after is None:
            last = begin
            continue
        last = end
        life = history._life(event.after)
        halvings = math.log2(event.after.strength / SETTINGS.sleep_below)
        asleep = max((event.after.decayed_at - origin) / timedelta(hours=1) + max(halvings, 0.0) * life, begin)
        if asleep < end:
            return asleep, True
    return last, False


@LAWS
@given(STEPS, st.floats(0.0, 5000.0))
def test_lifetimes_are_those_of_the_definition(steps, later) -> None:
    history = lived([step for step in steps if step[0] != "gone" or step[1] == "b"][:20])
    if not history.events:
        return
    until = (history.events[-1].at - BEGIN) / timedelta(hours=1) + later
    found = lifetimes(history.frame(), history.at(until), SETTINGS)
    assert found.schema == schema("lifetimes")
    assert found["note"].n_unique() == found.height == len({event.of.note for event in history.events})
    for row in found.iter_rows(named=True):
        hours, asleep = hours_awake(history, row["note"], until)
        assert row["fell_asleep"] is asleep
        assert row["hours"] == pytest.approx(hours, abs=1e-5)


def test_an_unused_note_falls_asleep_after_its_half_lives_and_a_used_one_later() -> None:
    history = History()
    for note in ("used", "left"):
        history.born(note, 0.0, Category.STATE)
    history.recall("used", 12.0)
    rows = {row["note"]: row for row in lifetimes(history.frame(), history.at(1000), SETTINGS).iter_rows(named=True)}
    assert rows["left"]["hours"] == pytest.approx(12.0 * math.log2(10))
    assert rows["used"]["hours"] == pytest.approx(12.0 + 13.2 * math.log2(0.675 / 0.1), rel=1e-6)
    assert (rows["left"]["recalls"], rows["used"]["recalls"]) == (0, 1)


TIMES = st.lists(st.tuples(st.sampled_from("xy"), st.integers(0, 6), st.booleans()), min_size=1, max_size=30)


@LAWS
@given(TIMES)
def test_survival_is_the_product_over_those_at_risk(times) -> None:
    empty = {"note": [""] * len(times), "key": [""] * len(times), "born_at": [BEGIN] * len(times), "recalls": [0] * len(times)}
    group, hours, fell = zip(*times, strict=True)
    lives = framed("lifetimes", empty | {"kind": list(group), "hours": [float(h) for h in hours], "fell_asleep": list(fell)})
    found = survival(lives)
    for kind in set(group):
        mine = [(h, f) for k, h, f in times if k == kind]
        rows = found.filter(pl.col("group") == kind)
        assert (rows["hours"][0], rows["survival"][0], rows["at_risk"][0]) == (0.0, 1.0, len(mine))
        assert rows["survival"].is_sorted(descending=True) and rows["hours"].is_sorted()
        share = 1.0
        for row, when in zip(rows.iter_rows(named=True), [None, *sorted({h for h, _ in mine})], strict=True):
            at_risk = sum(when is None or h >= when for h, _ in mine)
            share *= 1.0 - sum(h == when and f for h, f in mine) / at_risk
            assert (row["at_risk"], row["survival"]) == (at_risk, pytest.approx(share))


@pytest.mark.parametrize("factor", [1.0, 1.25])
def test_what_was_lived_under_other_settings_fits_those(factor) -> None:
    """The half-life that fits is the one that ruled, whatever is set now."""
    ruled = SETTINGS.with_values(half_life_state_hours=12.0 * factor, half_life_event_hours=504.0 * factor)
    history = History(settings=ruled)
    for number, category in enumerate((Category.STATE, Category.EVENT, None, Category.KNOWLEDGE) * 3):
        note = f"{number}"
        history.born(note, number, category)
        for step, hours in enumerate((5.0, 9.0, 30.0, 31.5)):
            (history.recall if (step + number) % 2 else history.sweep)(note, number + hours)
    found = {row["kind"]: row for row in fitted(implied(history.frame(), SETTINGS)).iter_rows(named=True)}
    assert set(found) == {"state", "event"}
    for kind, base in (("state", 12.0), ("event", 504.0)):
        assert found[kind]["least_squares"] == pytest.approx(base * factor, rel=1e-6)
        assert found[kind]["median"] == pytest.approx(base * factor, rel=1e-6)
        assert found[kind]["configured"] == base
    assert found["state"]["events"] == 12


def test_what_is_pinned_or_tells_nothing_is_left_out() -> None:
    history = History()
    history.born("pinned", 0.0)
    history.pin("pinned", 1.0)
    history.sweep("pinned", 500.0)
    history.born("at once", 500.0)
    history.recall("at once", 500.0)
    history.born("long gone", 500.0, Category.STATE)
    history.recall("long gone", 5000.0)
    assert implied(history.frame(), SETTINGS).is_empty()
    assert fitted(implied(history.frame(), SETTINGS)).schema == schema("fitted")


@LAWS
@given(STEPS)
def test_the_course_of_a_note_is_its_strength_after_each_change_and_falls_between(steps) -> None:
    history = lived([("born", "a", 1.0), *(step for step in steps if step[1] == "a" and step[0] in ("recall", "sweep"))])
    frame = history.frame()
    times = [history.at(0.0), *(event.at for event in history.events), history.at(1e6)]
    found = course(frame, times)
    assert found.height == len(times) - 1, "before its birth there is nothing"
    assert found["retention"].to_list()[:-1] == pytest.approx(frame["strength_after"].to_list())
    assert (found["retention"] >= found["never_used"] - 1e-9).all(), "a use never weakens"
    for (before, after), event in zip(pairwise(found["retention"]), history.events[1:], strict=False):
        assert event.cause is Cause.RECALL or after <= before


STARTS = st.lists(st.tuples(st.floats(0, 1), st.floats(-50, 50), st.sampled_from([12.0, 24.0, 504.0, math.inf])), max_size=6)


@LAWS
@given(STARTS, st.lists(st.floats(0, 2000), max_size=4))
def test_decay_is_the_curve_of_the_model(starts, hours) -> None:
    notes = pl.DataFrame(
        {
            "note": pl.Series([str(n) for n in range(len(starts))], dtype=pl.String),
            "key": pl.Series([f"k{n}" for n in range(len(starts))], dtype=pl.String),
            "kind": pl.Series(["event"] * len(starts), dtype=pl.String),
            "strength": pl.Series([s for s, _, _ in starts], dtype=pl.Float64),
            "decayed_at": pl.Series([BEGIN - timedelta(hours=h) for _, h, _ in starts], dtype=TIME),
            "half_life_hours": pl.Series([life for _, _, life in starts], dtype=pl.Float64),
        }
    )
    found = decay(notes, hours, BEGIN)
    assert found.schema == schema("decay")
    expected = [
        retention(strength, BEGIN - timedelta(hours=since), BEGIN + timedelta(hours=hour), life)
        for strength, since, life in starts
        for hour in hours
    ]
    assert found["retention"].to_list() == pytest.approx(expected, abs=1e-9)
