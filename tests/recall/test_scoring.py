"""The formulas of similarity against plain Python, one note at a time; and the laws they are meant to obey."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.recall.scoring import (
    best,
    blend_string,
    calibrate,
    event_score,
    lexical,
    relevance,
    retained,
    semantic_score,
    situation_score,
    weighted,
    with_tags,
)
from soulmem.settings import Settings

DEFAULTS = Settings()
LAWS = settings(deadline=None, max_examples=50)
UNIT = st.floats(0.0, 1.0)
MAYBE = st.one_of(st.none(), UNIT)
WEIGHT = st.floats(0.05, 1.0)
SITUATION_PARTS = (
    "narrative",
    "location_name",
    "location_coordinates",
    "participant_name",
    "participant_role",
    "atmosphere",
    "tone",
    "event_action",
    "event_initiator",
    "event_target",
)

Value = float | None


def column(*values: Value) -> np.ndarray:
    return np.array([math.nan if value is None else value for value in values], dtype=np.float64)


def plain(value: float) -> Value:
    return None if math.isnan(value) else float(value)


def columns_of(rows: Sequence[Mapping[str, Value]], names: Sequence[str]) -> dict[str, np.ndarray]:
    return {name: column(*(row[name] for row in rows)) for name in names}


# -- the formulas of the specification, for one note, with None for what is not there ------------------------------------------


def reference_mean(*parts: tuple[Value, float]) -> Value:
    there = [(value, weight) for value, weight in parts if value is not None]
    return sum(value * weight for value, weight in there) / sum(weight for _, weight in there) if there else None


def reference_event(action: Value, initiator: Value, target: Value, s: Settings) -> Value:
    if initiator is not None and target is not None:
        return reference_mean((initiator, s.sit_event_initiator), (target, s.sit_event_target), (action, s.sit_event_action))
    if initiator is None and target is None:
        return action
    given_one = initiator if initiator is not None else target
    share = s.sit_event_initiator_only_action if initiator is not None else s.sit_event_target_only_action
    if action is None:
        return given_one
    assert given_one is not None
    return (1.0 - share) * given_one + share * action


def reference_situation(row: Mapping[str, Value], s: Settings) -> float:
    signals = [
        row["narrative"],
        reference_mean((row["location_name"], s.sit_location_name), (row["location_coordinates"], s.sit_location_coord)),
        reference_mean((row["participant_name"], s.sit_participant_name), (row["participant_role"], s.sit_participant_role)),
        reference_mean((row["atmosphere"], s.sit_env_atmosphere), (row["tone"], s.sit_env_tone)),
        reference_event(row["event_action"], row["event_initiator"], row["event_target"], s),
        row.get("time"),
    ]
    return max((signal for signal in signals if signal is not None), default=0.0)


def reference_semantic(row: Mapping[str, Value], described: bool, s: Settings) -> float:
    concept = max((value for value in (row["content"], row["aliases"]) if value is not None), default=None)
    parts = [(concept, s.sem_concept)] + ([(row["description"], s.sem_description)] if described else [])
    return reference_mean(*parts) or 0.0


WEIGHTS = st.builds(
    Settings,
    sem_concept=WEIGHT,
    sem_description=WEIGHT,
    sit_location_name=WEIGHT,
    sit_location_coord=WEIGHT,
    sit_participant_name=WEIGHT,
    sit_participant_role=WEIGHT,
    sit_env_atmosphere=WEIGHT,
    sit_env_tone=WEIGHT,
    sit_event_initiator=WEIGHT,
    sit_event_target=WEIGHT,
    sit_event_action=WEIGHT,
    sit_event_initiator_only_action=UNIT,
    sit_event_target_only_action=UNIT,
)


@LAWS
@given(st.lists(st.fixed_dictionaries(dict.fromkeys((*SITUATION_PARTS, "time"), MAYBE)), min_size=1, max_size=6), WEIGHTS)
def test_a_situation_is_the_best_of_its_signals(rows: list[dict[str, Value]], weights: Settings) -> None:
    cosines = columns_of(rows, (*SITUATION_PARTS, "time"))
    expected = [reference_situation(row, weights) for row in rows]
    assert situation_score(cosines, weights) == pytest.approx(expected, abs=1e-12)
    del cosines["time"]
    expected = [reference_situation({**row, "time": None}, weights) for row in rows]
    assert situation_score(cosines, weights) == pytest.approx(expected, abs=1e-12)


@LAWS
@given(
    st.lists(st.fixed_dictionaries(dict.fromkeys(("content", "aliases", "description"), MAYBE)), min_size=1, max_size=6),
    st.booleans(),
    WEIGHTS,
)
def test_a_concept_is_the_better_of_its_names_with_its_description(
    rows: list[dict[str, Value]], described: bool, weights: Settings
) -> None:
    cosines = columns_of(rows, ("content", "aliases", "description"))
    expected = [reference_semantic(row, described, weights) for row in rows]
    assert semantic_score(cosines, described=described, settings=weights) == pytest.approx(expected, abs=1e-12)


@LAWS
@given(MAYBE, MAYBE, MAYBE, WEIGHTS)
def test_an_event_takes_the_formula_of_the_parts_it_has(
    action: Value, initiator: Value, target: Value, weights: Settings
) -> None:
    found = plain(event_score(column(action), column(initiator), column(target), weights)[0])
    expected = reference_event(action, initiator, target, weights)
    assert (found is None) == (expected is None)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("action", "initiator", "target", "expected"),
    [
        (0.8, 0.4, 0.6, 0.3 * 0.4 + 0.3 * 0.6 + 0.4 * 0.8),
        (0.8, 0.4, None, 0.4 * 0.4 + 0.6 * 0.8),
        (0.8, None, 0.6, 0.4 * 0.6 + 0.6 * 0.8),
        (0.8, None, None, 0.8),
        (None, 0.4, 0.6, 0.5),
        (None, None, 0.6, 0.6),
    ],
)
def test_the_default_weights_of_an_event(action: Value, initiator: Value, target: Value, expected: float) -> None:
    assert event_score(column(action), column(initiator), column(target), DEFAULTS)[0] == pytest.approx(expected)


def test_the_default_weights_of_places_people_and_moods() -> None:
    nothing = dict.fromkeys(SITUATION_PARTS, column(None))
    place = situation_score({**nothing, "location_name": column(0.5), "location_coordinates": column(1.0)}, DEFAULTS)
    person = situation_score({**nothing, "participant_name": column(0.5), "participant_role": column(1.0)}, DEFAULTS)
    mood = situation_score({**nothing, "atmosphere": column(0.5), "tone": column(1.0)}, DEFAULTS)
    assert [place[0], person[0], mood[0]] == pytest.approx([0.7, 0.7, 0.75])
    assert situation_score(nothing, DEFAULTS)[0] == 0.0


@LAWS
@given(st.lists(st.tuples(MAYBE, WEIGHT), min_size=1, max_size=5))
def test_a_missing_part_hands_its_weight_to_the_others(parts: list[tuple[Value, float]]) -> None:
    found = plain(weighted([(column(value), weight) for value, weight in parts])[0])
    there = [(value, weight) for value, weight in parts if value is not None]
    if not there:
        assert found is None
        return
    assert found == pytest.approx(plain(weighted([(column(value), weight) for value, weight in there])[0]), abs=1e-12)
    values = [value for value, _ in there]
    assert min(values) - 1e-12 <= (found or 0.0) <= max(values) + 1e-12


@LAWS
@given(st.lists(st.tuples(UNIT, WEIGHT), min_size=1, max_size=5), st.integers(0, 4), st.floats(0.0, 1.0))
def test_a_better_part_never_lowers_the_mean(parts: list[tuple[float, float]], which: int, more: float) -> None:
    before = weighted([(column(value), weight) for value, weight in parts])[0]
    which %= len(parts)
    raised = [(min(1.0, value + more) if place == which else value, weight) for place, (value, weight) in enumerate(parts)]
    assert weighted([(column(value), weight) for value, weight in raised])[0] >= before - 1e-12


@LAWS
@given(st.lists(st.tuples(MAYBE, MAYBE), min_size=1, max_size=5))
def test_the_best_of_what_is_there(rows: list[tuple[Value, Value]]) -> None:
    found = best([column(*(row[0] for row in rows)), column(*(row[1] for row in rows))])
    assert found.tolist() == [max((value for value in row if value is not None), default=0.0) for row in rows]


# -- calibration, words, the string channel ------------------------------------------------------------------------------------


@LAWS
@given(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0), st.floats(-0.5, 0.95))
def test_calibration_is_monotone_from_nothing_to_one(cosine: float, other: float, baseline: float) -> None:
    low, high = calibrate(np.array(sorted((cosine, other))), baseline)
    assert 0.0 <= low <= high <= 1.0
    assert calibrate(np.array([baseline, 1.0]), baseline) == pytest.approx([0.0, 1.0], abs=1e-12)
    if cosine > baseline:
        assert calibrate(np.array([cosine]), baseline)[0] == pytest.approx((cosine - baseline) / (1.0 - baseline))
    else:
        assert calibrate(np.array([cosine]), baseline)[0] == 0.0


def test_calibration_keeps_what_is_not_there() -> None:
    assert np.isnan(calibrate(column(None, 0.9), 0.8)).tolist() == [True, False]


def test_a_cosine_that_rounding_raised_above_one_scores_one() -> None:
    assert calibrate(np.array([1.0 + 3e-7]), 0.8)[0] == 1.0


@LAWS
@given(st.floats(0.0, 1e6), st.floats(0.0, 1e6), UNIT, UNIT)
def test_words_are_squeezed_to_one_in_their_order(one: float, other: float, covered: float, more: float) -> None:
    low, high = lexical(np.array(sorted((one, other))), np.array(sorted((covered, more))))
    assert 0.0 <= low <= high < 1.0


def test_words_by_hand() -> None:
    assert lexical(np.array([0.0, 1.0, 3.0]), np.ones(3)).tolist() == [0.0, 0.5, 0.75]
    assert lexical(np.array([1.0, 3.0, 3.0]), np.array([0.0, 0.25, 0.64])) == pytest.approx([0.0, 0.375, 0.6])


@LAWS
@given(UNIT, UNIT, UNIT)
def test_the_string_channel_only_ever_adds(dense: float, likeness: float, alpha: float) -> None:
    found = float(blend_string(np.array([dense]), np.array([likeness]), alpha)[0])
    assert found >= dense
    assert found <= max(dense, likeness) + 1e-12
    assert found == pytest.approx(max(dense, alpha * dense + (1.0 - alpha) * likeness))


# -- fusion, forgetting, tags --------------------------------------------------------------------------------------------------


@LAWS
@given(st.lists(st.tuples(UNIT, UNIT), min_size=1, max_size=5))
def test_fusion_mixes_with_as_much_weight_for_words_as_their_best_hit_deserves(notes: list[tuple[float, float]]) -> None:
    dense, words = np.array(notes).T
    best = max(said for _, said in notes)
    for (near, said), found in zip(notes, relevance(dense, words, DEFAULTS).tolist(), strict=True):
        assert found == pytest.approx(0.4 * said + 0.6 * near + 0.4 * (1.0 - best) * near)
        assert 0.0 <= found <= 1.0 + 1e-12


@LAWS
@given(UNIT)
def test_words_found_nowhere_leave_the_vectors_alone_and_a_question_found_whole_mixes_them(dense: float) -> None:
    assert relevance(np.array([dense, 1.0]), np.zeros(2), DEFAULTS).tolist() == [dense, 1.0]
    whole, without = relevance(np.array([dense, dense]), np.array([1.0, 0.0]), DEFAULTS).tolist()
    assert whole == pytest.approx(0.4 + 0.6 * dense)
    assert without == pytest.approx(0.6 * dense)


@LAWS
@given(UNIT, UNIT, UNIT, UNIT)
def test_fusion_never_falls_when_a_channel_of_one_note_grows(dense: float, other: float, words: float, more: float) -> None:
    low_dense, high_dense = sorted((dense, other))
    low_words, high_words = sorted((words, more))
    beside = np.array([0.5]), np.array([1.0])  # a note that holds the whole question
    low = relevance(np.append(low_dense, beside[0]), np.append(low_words, beside[1]), DEFAULTS)[0]
    high = relevance(np.append(high_dense, beside[0]), np.append(high_words, beside[1]), DEFAULTS)[0]
    assert low <= high + 1e-12


def test_nothing_in_both_channels_is_nothing() -> None:
    assert relevance(np.zeros(2), np.zeros(2), DEFAULTS).tolist() == [0.0, 0.0]


@LAWS
@given(UNIT, UNIT, UNIT, st.floats(0.25, 4.0), UNIT)
def test_forgetting_lowers_but_never_lifts(relevant: float, one: float, other: float, exponent: float, floor: float) -> None:
    constants = Settings(relevance_exponent=exponent, retention_floor=floor)
    faded, fresh = retained(np.array([relevant, relevant]), np.array(sorted((one, other))), constants)
    assert 0.0 <= faded <= fresh <= 1.0
    assert retained(np.array([relevant]), np.array([1.0]), constants)[0] == pytest.approx(relevant**exponent)
    assert retained(np.array([relevant]), np.array([0.0]), constants)[0] == pytest.approx(relevant**exponent * floor)


@LAWS
@given(UNIT, UNIT, UNIT)
def test_the_more_relevant_of_two_equally_remembered_stays_ahead(one: float, other: float, retention: float) -> None:
    low, high = retained(np.array(sorted((one, other))), np.array([retention, retention]), DEFAULTS)
    assert low <= high


def test_the_default_floor_of_forgetting() -> None:
    assert retained(np.array([0.8]), np.array([0.5]), DEFAULTS)[0] == pytest.approx(0.8 * (0.35 + 0.65 * 0.5))


@LAWS
@given(UNIT, MAYBE)
def test_tags_count_only_where_both_sides_have_them(variant: float, tags: Value) -> None:
    expected = variant if tags is None else 0.3 * tags + 0.7 * variant
    assert with_tags(column(variant), column(tags), DEFAULTS)[0] == pytest.approx(expected)


def test_rows_do_not_influence_each_other() -> None:
    rng = np.random.default_rng(5)
    values = {name: np.where(rng.random(40) < 0.4, np.nan, rng.random(40)) for name in SITUATION_PARTS}
    whole = situation_score(values, DEFAULTS)
    order = rng.permutation(40)
    shuffled = situation_score({name: column_[order] for name, column_ in values.items()}, DEFAULTS)
    assert shuffled.tolist() == whole[order].tolist()
