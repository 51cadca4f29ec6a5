"""Which actions fire: by hand, against plain loops, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import InputError
from soulmem.graph import Trigger, rank_actions
from soulmem.model.notes import ActionType, NoteType
from soulmem.settings import Settings

DEFAULT = Settings()
SPEAK, THINK, SKILL = ActionType.SPEAK, ActionType.THINK, ActionType.SKILL
TYPES = {"s1": NoteType.SPECIFIC, "s2": NoteType.SPECIFIC, "p": NoteType.ABSTRACT, "sem": NoteType.SEMANTIC}


def test_two_situations_by_hand() -> None:
    # Softmax of 0.5 and 0.3, and of a pattern of 0.2 counted double.
    actions = rank_actions(
        {"s1": 0.5, "s2": 0.3, "p": 0.2},
        TYPES,
        [Trigger("s1", "purr", 0.6), Trigger("p", "purr", 0.5), Trigger("s2", "hiss", 0.9)],
        {"purr": SPEAK, "hiss": SPEAK},
        DEFAULT,
    )
    powers = {"s1": math.exp(0.5), "s2": math.exp(0.3), "p": math.exp(0.4)}
    total = sum(powers.values())
    purr, hiss = actions.ranked[SPEAK]
    assert (purr.action, hiss.action) == ("purr", "hiss")
    assert purr.score == pytest.approx((0.6 * powers["s1"] + 0.5 * powers["p"]) / total)
    assert hiss.score == pytest.approx(0.9 * powers["s2"] / total)
    assert [source for source, _ in purr.shares] == ["s1", "p"]
    assert actions.ranked[THINK] == actions.ranked[SKILL] == ()


def test_a_single_situation_gives_its_probabilities() -> None:
    actions = rank_actions({"s1": 0.01}, TYPES, [Trigger("s1", "a", 0.25)], {"a": SKILL}, DEFAULT)
    assert actions.ranked[SKILL][0].score == pytest.approx(0.25)


def test_patterns_count_double() -> None:
    triggers = [Trigger("s1", "a", 1.0), Trigger("p", "b", 1.0)]
    actions = rank_actions({"s1": 0.8, "p": 0.5}, TYPES, triggers, {"a": SPEAK, "b": SPEAK}, DEFAULT)
    assert [one.action for one in actions.ranked[SPEAK]] == ["b", "a"]


def test_only_situations_above_zero_take_part() -> None:
    scores = {"s1": 0.5, "s2": 0.0, "sem": 9.0}
    triggers = [Trigger(source, f"by_{source}", 0.5) for source in ("s1", "s2", "sem", "stranger")]
    actions = rank_actions(scores, TYPES, triggers, {"by_s1": THINK}, DEFAULT)
    assert [(one.action, one.score) for one in actions.ranked[THINK]] == [("by_s1", 0.5)]


def test_every_type_has_places_of_its_own_and_ties_go_by_id() -> None:
    kinds = {f"{kind.value}{number}": kind for kind in ActionType for number in range(5)}
    actions = rank_actions({"s1": 1.0}, TYPES, [Trigger("s1", action, 0.5) for action in reversed(kinds)], kinds, DEFAULT)
    for kind in ActionType:
        assert [one.action for one in actions.ranked[kind]] == [f"{kind.value}{number}" for number in range(3)]


def test_actions_only_known_of_do_not_fire() -> None:
    actions = rank_actions(
        {"s1": 1.0, "sem": 1.0},
        TYPES,
        [Trigger("s1", "purr", 0.5), Trigger("s1", "never", 0.0)],
        {"purr": SPEAK},
        DEFAULT,
        known_only=["sing", "purr", "dance", "sing", "never"],
    )
    assert actions.self_knowledge == ("sing", "dance", "never")
    assert [one.action for one in actions.ranked[SPEAK]] == ["purr"]


def test_without_situations_nothing_fires() -> None:
    actions = rank_actions({}, {}, [Trigger("s1", "a", 1.0)], {}, DEFAULT, known_only=["a"])
    assert all(not ranked for ranked in actions.ranked.values()) and actions.self_knowledge == ("a",)


def test_great_scores_do_not_overflow() -> None:
    actions = rank_actions({"s1": 1e4, "s2": 1.0}, TYPES, [Trigger("s1", "a", 1.0)], {"a": SPEAK}, DEFAULT)
    assert actions.ranked[SPEAK][0].score == pytest.approx(1.0)


#: None at all, or so much that a share of it is still a normal number.
PROBABILITIES = st.one_of(st.just(0.0), st.floats(1e-300, 1.0))


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from(sorted(TYPES)), st.floats(-1.0, 3.0)),
    st.lists(
        st.tuples(st.sampled_from(sorted(TYPES)), st.sampled_from("abcdef"), PROBABILITIES),
        max_size=20,
        unique_by=lambda one: one[:2],
    ),
)
def test_scores_are_the_sums_of_their_shares_and_never_above_one(scores: dict[str, float], links: list[Any]) -> None:
    kinds = {action: list(ActionType)["abcdef".index(action) % 3] for action in "abcdef"}
    triggers = [Trigger(*link) for link in links]
    actions = rank_actions(scores, TYPES, triggers, kinds, DEFAULT.with_values(action_top_k=99))
    powers = {
        note: math.exp(score * (2 if note == "p" else 1))
        for note, score in scores.items()
        if score > 0 and note in ("s1", "s2", "p")
    }
    found = {one.action: one for ranked in actions.ranked.values() for one in ranked}
    for action in kinds:
        expected = sum(
            link.probability * powers[link.source] / sum(powers.values())
            for link in triggers
            if link.action == action and link.source in powers
        )
        assert (action in found) == (expected > 0)
        if expected > 0:
            assert found[action].score == pytest.approx(expected)
            assert found[action].score == pytest.approx(sum(share for _, share in found[action].shares))
            assert found[action].score <= 1.0 + 1e-12
    # Order of the links does not matter.
    assert rank_actions(scores, TYPES, triggers[::-1], kinds, DEFAULT.with_values(action_top_k=99)) == actions


@pytest.mark.parametrize("probability", [-0.1, 1.1, math.nan, math.inf])
def test_wrong_probabilities_are_refused(probability: float) -> None:
    with pytest.raises(InputError, match="probability"):
        rank_actions({"s1": 1.0}, TYPES, [Trigger("s1", "a", probability)], {"a": SPEAK}, DEFAULT)


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_wrong_scores_are_refused(score: float) -> None:
    with pytest.raises(InputError, match="s1"):
        rank_actions({"s1": score}, TYPES, [], {}, DEFAULT)


def test_actions_and_notes_without_type_are_named() -> None:
    with pytest.raises(InputError, match="purr"):
        rank_actions({"s1": 1.0}, TYPES, [Trigger("s1", "purr", 1.0)], {}, DEFAULT)
    with pytest.raises(InputError, match="stranger"):
        rank_actions({"stranger": 1.0}, TYPES, [], {}, DEFAULT)
