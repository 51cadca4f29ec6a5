"""Why a note is in a recollection, or is not: each verdict from a trace made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from soulmem.graph.walk import Association, Neighbourhood, Pulled, associate
from soulmem.model.links import LinkType
from soulmem.model.notes import ActionType, NoteType
from soulmem.model.results import Action, Memory, Recollection, Stage, Step
from soulmem.recall.explain import Explanation, explain, path_lines
from soulmem.recall.merge import association_scores
from soulmem.recall.recollect import Trace
from soulmem.recall.similarity import Candidate
from soulmem.settings import Settings

DEFAULTS = Settings()
AT = datetime(2024, 5, 6, tzinfo=UTC)
LINKS = {"tea": ["rain", "cat"], "rain": ["river"]}
CHANNELS = {"dense": 0.5, "words": 0.25}


def candidate(name: str, score: float) -> Candidate:
    return Candidate(
        id=name, key=f"sem_{name}", type=NoteType.SEMANTIC, relevance=score, score=score, retention=0.9, channels=CHANNELS
    )


def walk() -> Association:
    def pull(ids: Sequence[str]) -> Neighbourhood:
        pairs = [(source, target) for source in ids for target in LINKS.get(source, [])]
        return Neighbourhood([s for s, _ in pairs], [t for _, t in pairs], [1.0] * len(pairs))

    return associate({"tea": 0.8}, Pulled(pull), DEFAULTS, lambda: 0.0)


def memory(name: str, stage: Stage, path: tuple[Step, ...] = ()) -> Memory:
    return Memory(id=name, key=f"sem_{name}", type=NoteType.SEMANTIC, text=name, score=0.8, stage=stage, path=path)


def trace(**changes: Any) -> Trace:
    association = walk()
    seeds = {"tea": 0.8}
    values: dict[str, Any] = {
        "candidates": {one.id: one for one in (candidate("tea", 0.8), candidate("milk", 0.5), candidate("dust", 0.1))},
        "seeds": seeds,
        "association": association,
        "carried": association_scores(association, seeds, frozenset(), DEFAULTS),
        "settings": DEFAULTS,
    }
    return Trace(**(values | changes))


def explained(note: str, memories: tuple[Memory, ...] = (), **changes: Any) -> Explanation:
    return explain(note, f"sem_{note}", Recollection(query="q", at=AT, memories=memories), trace(**changes))


@pytest.mark.parametrize("stage", list(Stage))
def test_what_was_recalled_says_how_it_came_in(stage: Stage) -> None:
    found = explained("tea", (memory("tea", stage),))
    assert found.verdict == "recalled" and found.key == "sem_tea"
    assert found.text.startswith("sem_tea was recalled: ")
    assert found.fields["stage"] == stage.value
    assert found.fields["final_score"] == 0.8
    assert found.fields["similarity"] == 0.8
    assert "dense 0.500, words 0.250" in found.text
    assert "retention: 0.900" in found.text


def test_the_stages_are_told_apart_in_words() -> None:
    texts = {explained("tea", (memory("tea", stage),)).text for stage in Stage}
    assert len(texts) == len(Stage)


def test_the_path_is_told_step_by_step() -> None:
    steps = (
        Step(source="sem_tea", target="sem_rain", type=LinkType.SEM, verb="goes with", weight=0.5),
        Step(source="sem_rain", target="sit_river", type=LinkType.SITUATION, verb="", weight=1.0),
    )
    assert path_lines(steps) == ["  sem_tea —goes with (0.500)→ sem_rain", "  sem_rain —Situation (1.000)→ sit_river"]
    assert path_lines(steps)[0] in explained("river", (memory("river", Stage.ASSOCIATION, steps),)).text


@pytest.mark.parametrize(
    ("note", "verdict", "words"),
    [
        ("milk", "cut", "4 others are nearer"),
        ("dust", "below_floor", "0.100 is below the floor 0.35"),
        ("moon", "not_reached", "no channel found it"),
        ("rain", "no_seat", "better ones took the places"),
        ("tea", "no_seat", "better ones took the places"),
    ],
)
def test_what_was_not_recalled_says_why(note: str, verdict: str, words: str) -> None:
    found = explained(note)
    assert found.verdict == verdict
    assert found.text.startswith(f"sem_{note} was not recalled: ")
    assert words in found.text


def test_a_score_at_the_floor_is_not_below_it() -> None:
    at_floor = {"milk": candidate("milk", DEFAULTS.similarity_floor)}
    assert explained("milk", candidates=at_floor).verdict == "cut"


def test_a_walk_that_brought_too_little_is_told_in_numbers() -> None:
    association = walk()
    found = explained("river", carried={"rain": 0.4, "cat": 0.4})
    assert found.verdict == "not_reached"
    assert found.fields["association"] == pytest.approx(association.scores["river"])
    assert found.fields["least_association"] == pytest.approx(min(association.scores["rain"], association.scores["cat"]))
    assert "the walk reached it with" in found.text


def test_without_a_walk_there_are_no_numbers_of_one() -> None:
    found = explained("moon", association=None, seeds={}, carried={}, candidates={})
    assert found.fields["association"] == found.fields["least_association"] == 0.0
    assert found.fields["similarity"] is None
    assert "no link that the walk followed leads to it" in found.text
    assert "channels" not in found.text


def test_ways_of_acting_fire_or_are_known_of_rather_than_missing() -> None:
    greet = Action(id="greet", key="proc_greet", action_type=ActionType.SPEAK, text="greet", score=0.75)
    brew = Action(id="brew", key="proc_brew", action_type=ActionType.SKILL, text="brew", score=0.0)
    recollection = Recollection(query="q", at=AT, actions=(greet,), self_knowledge=(brew,))
    assert explain("greet", "proc_greet", recollection, trace()).verdict == "action"
    assert "0.750" in explain("greet", "proc_greet", recollection, trace()).text
    assert explain("brew", "proc_brew", recollection, trace()).verdict == "self_knowledge"
    assert explain("hide", "proc_hide", recollection, trace()).verdict == "not_reached"
