"""The course of one memory: fading, being recalled, falling asleep and waking (SPEC §8)."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.ageing import aged_from, ageing_from, envelope, happens_at, with_due, with_due_anew, written
from soulmem.errors import InputError
from soulmem.forget.present import fading_of
from soulmem.forget.presets import HALF_LIVES, PRESETS, preset_of, preset_values
from soulmem.forget.sweep import Fate, forecast, is_same_curve, plan_sweep, settled_updates
from soulmem.graph.decay import Envelope
from soulmem.model.changes import Change
from soulmem.model.notes import AbstractSituation, Category, Event, Note, NoteType, Semantic, SpecificSituation
from soulmem.model.results import Fading
from soulmem.settings import Settings

LAWS = settings(deadline=None, max_examples=60)
DEFAULT = Settings()
THEN = datetime(2026, 3, 1, 7, 30, tzinfo=UTC)

#: What happens to a memory: (hours passed since the last, whether it is recalled or swept).
HISTORIES = st.lists(st.tuples(st.floats(0.0, 500.0), st.sampled_from(("recall", "sweep"))), max_size=12)


def after(hours: float) -> datetime:
    return THEN + timedelta(hours=hours)


def episode(count: int = 0, **values) -> Envelope:
    return Envelope(type=NoteType.SPECIFIC, retrieval_count=count, decayed_at=THEN, **values)


def row(memory: Envelope, key: str = "a", **values) -> dict:
    names = ("strength", "created_at", "decayed_at", "due_at", "retrieval_count", "pinned", "core", "asleep")
    category = memory.category.value if memory.category else None
    own = {name: getattr(memory, name) for name in names}
    return (
        {"id": f"id-{key}", "key": key, "type": memory.type.value, "category": category, "text": "雪", "active": True}
        | own
        | values
    )


@pytest.mark.parametrize(
    ("hours", "count", "missing"),
    [
        (24, 0, 0.5),
        (48, 0, 0.75),
        (48, 20, 0.37),
        (48, 50, 0.2063),
        (48, 200, 0.2063),
        (72, 0, 0.875),
        (72, 1, 0.849),
        (72, 3, 0.798),
        (72, 10, 0.646),
        (72, 30, 0.405),
        (72, 50, 0.293),
        (72, 100, 0.293),
    ],
)
def test_check_values(hours: float, count: int, missing: float) -> None:
    digits = len(str(missing).partition(".")[2])
    assert round(1.0 - episode(count).retention(after(hours), DEFAULT), digits) == missing


def test_hours_are_fractional() -> None:
    assert episode().retention(THEN + timedelta(minutes=90), DEFAULT) == pytest.approx(2 ** (-1.5 / 24))
    assert episode().retention(THEN + timedelta(seconds=1), DEFAULT) == pytest.approx(2 ** (-1 / 3600 / 24))


@LAWS
@given(st.floats(0.0, 1.0), HISTORIES, st.floats(0.0, 500.0))
def test_sweeping_in_between_changes_neither_what_is_left_nor_whether_it_sleeps(strength, history, last) -> None:
    """Once, a thousand times or never: after every recall and at the end all is the same."""
    plain = swept = episode(strength=strength).with_due(DEFAULT)
    now = THEN
    for hours, what in history:
        now += timedelta(hours=hours)
        swept = swept.settled(now, DEFAULT).judged(DEFAULT)
        if what == "recall":
            plain, swept = plain.settled(now, DEFAULT).judged(DEFAULT).reinforced(now, DEFAULT), swept.reinforced(now, DEFAULT)
        assert 0.0 <= swept.strength <= 1.0
    now += timedelta(hours=last)
    assert swept.retention(now, DEFAULT) == pytest.approx(plain.retention(now, DEFAULT), rel=1e-9, abs=1e-12)
    once, twice = (plain.settled(now, DEFAULT).judged(DEFAULT), swept.settled(now, DEFAULT).judged(DEFAULT))
    assert twice.judged(DEFAULT) == twice
    if abs(once.strength - 0.1) > 1e-9 and abs(once.strength - 0.15) > 1e-9:
        assert once.asleep == twice.asleep


@LAWS
@given(st.floats(0.0, 1.0), st.floats(0.0, 5000.0), st.integers(0, 200))
def test_a_recall_leaves_more_and_never_more_than_all(strength: float, hours: float, count: int) -> None:
    memory = episode(count, strength=strength)
    recalled = memory.reinforced(after(hours), DEFAULT)
    assert memory.retention(after(hours), DEFAULT) <= recalled.strength <= 1.0
    assert recalled.half_life_hours(DEFAULT) >= memory.half_life_hours(DEFAULT)
    assert not recalled.asleep and recalled.strength >= 0.35


@LAWS
@given(st.floats(0.1001, 1.0), st.integers(0, 60), st.floats(0.001, 0.999), st.floats(0.0, 5000.0))
def test_it_sleeps_from_when_it_is_due_and_not_before(strength: float, count: int, part: float, later: float) -> None:
    memory = episode(count, strength=strength).with_due(DEFAULT)
    assert memory.due_at is not None
    before = THEN + (memory.due_at - THEN) * part
    assert memory.retention(before, DEFAULT) > 0.1
    assert not memory.settled(before, DEFAULT).judged(DEFAULT).asleep
    asleep = memory.settled(memory.due_at + timedelta(hours=later), DEFAULT).judged(DEFAULT)
    assert asleep.asleep and asleep.due_at == memory.due_at  # since when is kept


def test_between_the_thresholds_it_stays_as_it_was() -> None:
    for asleep in (False, True):
        assert episode(strength=0.12, asleep=asleep).judged(DEFAULT).asleep is asleep
    assert episode(strength=0.1).judged(DEFAULT).asleep and not episode(strength=0.1501, asleep=True).judged(DEFAULT).asleep
    weak = DEFAULT.with_values(recall_boost=0.01)
    assert episode(strength=0.12, asleep=True, due_at=THEN).reinforced(THEN, weak).asleep  # not enough to wake


def test_where_nothing_is_little_enough_nothing_sleeps() -> None:
    mind = DEFAULT.with_values(sleep_below=0.0)
    assert episode().with_due(mind).due_at is None and not episode(strength=1e-300).judged(mind).asleep


@pytest.mark.parametrize("lasting", [{"pinned": True}, {"core": True}])
def test_what_is_pinned_or_core_hardly_fades_and_never_sleeps(lasting: dict) -> None:
    memory = episode(**lasting).with_due(DEFAULT)
    assert memory.due_at is None and memory.half_life_hours(DEFAULT) == DEFAULT.half_life_pinned_hours
    assert memory.retention(after(24 * 365), DEFAULT) > 0.99
    assert not episode(strength=0.01, asleep=True, **lasting).judged(DEFAULT).asleep


# -- where ageing begins ------------------------------------------------------------------------------------------------------


def note(body, **values) -> Note:
    return Note(id="n", key="n", body=body, **{"created_at": THEN, "decayed_at": THEN, **values})


AHEAD, PAST = after(240), after(-2400)


def test_what_is_to_come_fades_from_its_time_on() -> None:
    appointment = Semantic("the ferry inspection", category=Category.EVENT, valid_from=AHEAD)
    assert ageing_from(appointment, THEN) == AHEAD and ageing_from(SpecificSituation("a visit", AHEAD), THEN) == AHEAD
    assert ageing_from(SpecificSituation("a visit", None, AHEAD), THEN) == AHEAD
    assert ageing_from(Semantic("a promise", category=Category.EVENT), THEN, AHEAD) == AHEAD
    memory = envelope(note(appointment, decayed_at=AHEAD))
    assert memory.retention(after(239), DEFAULT) == 1.0
    assert memory.reinforced(after(1), DEFAULT).decayed_at == AHEAD and memory.settled(after(1), DEFAULT) == memory


def test_what_has_been_or_holds_for_some_time_fades_at_once() -> None:
    for body in (
        SpecificSituation("a visit", PAST),
        Semantic("lives in Rome", category=Category.RELATION, valid_from=AHEAD),
        Semantic("lives in Rome"),
        AbstractSituation(Event("talk")),
    ):
        assert ageing_from(body, THEN, PAST) == THEN
    assert ageing_from(Semantic("lives in Rome", category=Category.STATE), THEN, AHEAD) == THEN
    assert happens_at(Semantic("x", category=Category.STATE, valid_from=AHEAD)) is None


def test_aged_from_the_end_of_what_happened_or_the_last_that_was_said() -> None:
    said = {"m1": after(-50), "m2": after(-40), "m3": None}
    assert aged_from(note(SpecificSituation("x", PAST, after(-7))), said) == after(-7)
    assert aged_from(note(Semantic("x"), sources=("m1", "m2", "m3")), said) == after(-40)
    assert aged_from(note(Semantic("x"), last_accessed_at=after(5)), said) == after(5)
    assert aged_from(note(Semantic("x")), said) == THEN
    appointment = Semantic("x", category=Category.DATE, valid_from=AHEAD)
    assert aged_from(note(appointment, sources=("m1",)), said) == AHEAD


def test_every_new_note_gets_its_due_time_and_keeps_one_it_states() -> None:
    notes = (note(SpecificSituation("x")), replace(note(Semantic("y")), due_at=AHEAD), note(AbstractSituation(Event("z"))))
    change = with_due(Change(command="t", what="t", at=THEN, notes=notes), DEFAULT)
    assert [one.due_at for one in change.notes] == [envelope(notes[0]).with_due(DEFAULT).due_at, AHEAD, None]
    anew = with_due_anew(change, lambda ids: (), DEFAULT)
    assert anew.notes[1].due_at == envelope(notes[1]).with_due(DEFAULT).due_at != AHEAD
    assert with_due(Change(command="t", what="t", at=THEN), DEFAULT).notes == ()


# -- sweeping, foreseeing, another memory -------------------------------------------------------------------------------------


def test_a_sweep_tells_every_number() -> None:
    memory = episode(2, strength=0.8).with_due(DEFAULT)
    now = memory.due_at + timedelta(hours=5)
    (swept,), change = plan_sweep([row(memory, "night")], now, DEFAULT)
    left = 0.8 * 2 ** (-((now - THEN) / timedelta(hours=1)) / 28.8)
    assert (swept.key, swept.fate, swept.retention_before, swept.half_life_hours) == (
        "night",
        Fate.SLEEPS,
        0.8,
        pytest.approx(28.8),
    )
    assert swept.retention_after == pytest.approx(left) and "0.800 on 2026-03-01 07:30, halved every 28.8 h" in swept.why
    (update,) = change.updates
    assert update.values == {"strength": swept.retention_after, "decayed_at": now, "asleep": True}
    assert change.command == "sweep" and change.what == "1 note fell asleep"


def test_what_is_not_due_after_all_only_gets_its_new_time() -> None:
    stale = episode(due_at=after(1))
    (swept,), change = plan_sweep([row(stale)], after(2), DEFAULT)
    assert swept.fate is Fate.WRITTEN and swept.retention_after == pytest.approx(1.0)
    assert change.updates[0].values == {"due_at": stale.with_due(DEFAULT).due_at}
    assert plan_sweep([], after(2), DEFAULT) == ((), None)


def test_a_forecast_tells_who_loses_most_first() -> None:
    rows = [
        row(episode(), "night"),
        row(Envelope(type=NoteType.SEMANTIC, category=Category.RELATION, decayed_at=THEN), "sister"),
        row(Envelope(type=NoteType.SEMANTIC, category=Category.KNOWLEDGE, decayed_at=THEN), "tides"),
        row(Envelope(type=NoteType.SEMANTIC, category=Category.EVENT, decayed_at=AHEAD), "visit"),
        row(episode(), "archived", active=False),
    ]
    found = forecast(rows, THEN, after(72), DEFAULT)
    assert [one.key for one in found.notes] == ["night", "sister"] and found.notes_in_all == 4
    night = found.notes[0]
    assert (night.retention_now, night.retention_then, night.missing_then) == (1.0, 0.125, 0.875)
    assert night.fading_then is Fading.REVISED and not night.asleep_then
    assert night.falls_asleep_at == episode().with_due(DEFAULT).due_at
    assert forecast(rows, THEN, night.falls_asleep_at, DEFAULT).notes[0].asleep_then


def test_the_stages_of_a_text() -> None:
    stages = [fading_of(missing, DEFAULT).value for missing in (0.0, 0.0499, 0.05, 0.1499, 0.15, 1.0)]
    assert stages == ["NoAction", "NoAction", "MaskOnly", "MaskOnly", "Revised", "Revised"]


def test_presets_are_half_lives_that_go_together() -> None:
    for preset, factor in PRESETS.items():
        values = {name: value for name, value in preset_values(preset).items() if value is not None}
        mind = DEFAULT.with_values(**values)
        assert preset_of(mind) == preset
        assert all(getattr(mind, name) == getattr(DEFAULT, name) * factor for name in HALF_LIVES)
        assert mind.half_life_pinned_hours == DEFAULT.half_life_pinned_hours
        assert is_same_curve(mind, DEFAULT) is (preset == "human")
    assert preset_of(DEFAULT.with_values(half_life_state_hours=13.0)) is None
    with pytest.raises(InputError, match="no preset 'sloth'"):
        preset_values("sloth")


@LAWS
@given(st.floats(0.0, 1.0), st.floats(0.0, 400.0), st.sampled_from(("elephant", "goldfish")))
def test_another_memory_changes_nothing_of_what_is_left_now(strength: float, hours: float, preset: str) -> None:
    other = DEFAULT.with_values(**preset_values(preset))
    now = after(hours)
    memory = episode(strength=strength).with_due(DEFAULT)
    updates = list(settled_updates([row(memory)], now, DEFAULT, other))
    changed = replace(memory, **(dict(updates[0].values) if updates else {}))
    assert changed.retention(now, other) == pytest.approx(memory.retention(now, DEFAULT), rel=1e-9, abs=1e-12)
    assert changed.asleep or changed.due_at == changed.with_due(other).due_at
    assert written(memory, memory) == {}
    knowledge = Envelope(type=NoteType.SEMANTIC, category=Category.KNOWLEDGE, decayed_at=THEN)
    assert list(settled_updates([row(knowledge)], now, DEFAULT, other)) == []
    assert math.isinf(knowledge.half_life_hours(other))
