"""Judging: what counts as found, and for which measure, on recollections made by hand."""

from __future__ import annotations

import pytest
from tune_minds import action, memory, recollection

from soulmem.model.notes import ActionType, NoteType
from soulmem.model.results import Stage
from soulmem.tune.judge import judge, judge_lines, per_query_scores
from soulmem.tune.questions import Case, Suite

DEPTHS = (1, 5)


def full(case: Case, found):
    return judge(Suite.FULL, case, found, DEPTHS)


def test_all_that_must_be_found_is_found():
    found = recollection(memory("x"), memory("a"), memory("b", Stage.ASSOCIATION))
    outcome = full(Case(name="c", musts=("a", "b"), bonus=("x",)), found)
    assert outcome.passed and outcome.judged and outcome.missing == ()
    assert outcome.ranking == ("x", "a", "b")
    assert outcome.scores["mrr"] == 1.0, "a bonus before it takes no place from what must be found"
    assert outcome.scores["mrr_strict"] == 0.5 and outcome.scores["must_hit"] == 1.0
    assert outcome.scores["precision@1"] == 1.0, "a bonus is no mistake"
    assert outcome.scores["recall@1"] == 0.0, "but not what must be found"
    assert outcome.scores["association_only"] == 1.0


def test_what_is_missing_is_named():
    outcome = full(Case(name="c", musts=("a", "b"), actions=("p",), abstracts=("s",)), recollection(memory("a")))
    assert not outcome.passed and outcome.missing == ("b", "p", "s")
    assert outcome.scores["must_hit"] == 0.0 and outcome.scores["hit_rate"] == 1.0
    assert outcome.scores["association_only"] == outcome.scores["action_hit"] == outcome.scores["abstract_detected"] == 0.0


def test_core_notes_count_only_where_they_are_asked_for():
    found = recollection(memory("a"), memory("sem_self", Stage.CORE, score=0.0))
    assert full(Case(name="c", musts=("a",)), found).ranking == ("a",)
    assert full(Case(name="c", musts=("sem_self",)), found).passed
    assert full(Case(name="c", negative=True), recollection(memory("sem_self", Stage.CORE))).passed


def test_a_negative_case_passes_when_nothing_is_found():
    for suite in (Suite.FULL, Suite.SIMILARITY):
        assert judge(suite, Case(name="c", negative=True), recollection(), DEPTHS).scores == {"negatives_empty": 1.0}
        outcome = judge(suite, Case(name="c", negative=True), recollection(memory("a")), DEPTHS)
        assert not outcome.passed and outcome.scores == {"negatives_empty": 0.0}


def test_a_case_without_truth_is_no_failure_and_measures_nothing():
    for suite in (Suite.FULL, Suite.SIMILARITY, Suite.ASSOCIATION):
        outcome = judge(suite, Case(name="c"), recollection(memory("a")), DEPTHS)
        assert outcome.passed and not outcome.judged and outcome.scores == {}


def test_similarity_knows_direct_hits_only():
    found = recollection(memory("a"), memory("b", Stage.BOTH), memory("c", Stage.ASSOCIATION), memory("k", Stage.CORE, score=0.4))
    outcome = judge(Suite.SIMILARITY, Case(name="c", musts=("a", "c", "k")), found, DEPTHS)
    assert outcome.ranking == ("a", "b", "k") and outcome.missing == ("c",) and "association_only" not in outcome.scores


def test_association_is_asked_only_for_what_the_question_does_not_resemble():
    found = recollection(memory("a"), memory("y", Stage.ASSOCIATION), memory("b", Stage.ASSOCIATION))
    outcome = judge(Suite.ASSOCIATION, Case(name="c", musts=("a", "b")), found, DEPTHS)
    assert (outcome.ranking, outcome.passed, outcome.scores["mrr"]) == (("y", "b"), True, 0.5)
    outcome = judge(Suite.ASSOCIATION, Case(name="c", musts=("a", "z")), found, DEPTHS)
    assert outcome.missing == ("z",) and outcome.scores["association_only"] == 0.0
    assert not judge(Suite.ASSOCIATION, Case(name="c", musts=("a",)), found, DEPTHS).judged


def test_any_expected_action_is_a_hit_and_the_first_three_of_a_type_count():
    actions = [action(key) for key in ("p1", "p2", "p3", "p4")] + [action("t1", ActionType.THINK)]
    scores = full(Case(name="c", actions=("p4", "t1")), recollection(actions=actions)).scores
    assert scores == {"action_hit": 1.0, "action_recall@3": 0.5}
    scores = full(Case(name="c", actions=("p4",)), recollection(actions=actions)).scores
    assert scores == {"action_hit": 1.0, "action_recall@3": 0.0}


@pytest.mark.parametrize(
    ("stages", "expected"),
    [
        ({"s": Stage.SIMILARITY}, (1.0, 1.0, 0.0)),
        ({"s": Stage.ASSOCIATION}, (1.0, 0.0, 1.0)),
        ({"s": Stage.BOTH}, (1.0, 1.0, 0.0)),
        ({}, (0.0, 0.0, 0.0)),
    ],
)
def test_patterns_are_detected_directly_or_by_walking(stages, expected):
    found = recollection(*(memory(key, stage, NoteType.ABSTRACT) for key, stage in stages.items()))
    for case in (Case(name="c", abstracts=("s",)), Case(name="c", pattern=True)):
        outcome = full(case, found)
        scores = outcome.scores
        assert (scores["abstract_detected"], scores["abstract_direct"], scores["abstract_by_association"]) == expected
        assert outcome.passed is bool(expected[0])


def test_a_note_that_is_no_pattern_does_not_stand_for_one():
    assert not full(Case(name="c", abstracts=("s",)), recollection(memory("s"))).passed


def test_sub_queries_are_judged_alone_and_without_truth_not_at_all():
    case = Case(name="c", per_query=(("a", "b"), (), ("z",)))
    alone = [recollection(memory("b"), memory("a")), recollection(), recollection(memory("x"), memory("z", Stage.ASSOCIATION))]
    assert per_query_scores(case, alone) == {"per_query_recall": 0.5}
    assert per_query_scores(Case(name="c", per_query=((),)), [recollection()]) == {}


def test_lines_must_be_among_the_first_ten():
    lines = [str(number) for number in range(20)]
    outcome = judge_lines(Case(name="q", musts=("3", "12")), lines, (5, 10, 25))
    assert outcome.missing == ("12",) and not outcome.passed
    assert [outcome.scores[f"recall@{k}"] for k in (5, 10, 25)] == [0.5, 0.5, 1.0]
    assert judge_lines(Case(name="q", negative=True), [], (5,)).passed
    assert not judge_lines(Case(name="q"), lines, (5,)).judged
