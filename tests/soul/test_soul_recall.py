"""Recall at the level of a mind: deterministic, reading only, explained truly; and what using it writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from soul_minds import (
    AT,
    PATIENT,
    SITUATION,
    TALK,
    Json,
    Minds,
    chat,
    concept,
    episode,
    graph,
    pattern,
    proc,
    said,
    sem,
    shown,
    took,
    way,
    whole,
)

from soulmem.model.notes import ActionType, Location, NoteType, Participant
from soulmem.model.queries import SemanticUnit, SituationUnit, SubQuery, TimeSpan
from soulmem.model.results import Stage
from soulmem.soul import Soul

QUESTIONS = ("What did she promise Edda?", "the ferry in the storm last winter", "Tomas", "who feeds Gasket?")


# Laws.

_ASKING = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from soul_minds import AT, opened, shown
with opened(Path(sys.argv[2]), read_only=True) as soul:
    for question in sys.argv[3:]:
        print(shown(soul.recall(question, messages=5, at=AT)))
"""


def test_two_processes_recall_the_same(minds: Minds, wren_file: Path) -> None:
    answers = []
    for seed in ("1", "2"):
        command = [sys.executable, "-c", _ASKING, str(Path(__file__).parent), str(wren_file), *QUESTIONS]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONHASHSEED": seed}, check=True)
        answers.append(done.stdout.splitlines())
    soul = minds(wren_file)
    assert answers[0] == answers[1] == [shown(soul.recall(question, messages=5, at=AT)) for question in QUESTIONS]
    assert all(json.loads(answer)["memories"] and json.loads(answer)["messages"] for answer in answers[0])


def test_asking_again_and_in_another_order_gives_the_same(minds: Minds, wren_file: Path) -> None:
    soul = minds(wren_file)
    first = {question: shown(soul.recall(question, messages=3)) for question in QUESTIONS}
    for question in reversed(QUESTIONS):
        assert shown(soul.recall(question, messages=3)) == first[question]


def test_recall_and_why_only_read(minds: Minds, wren_file: Path) -> None:
    soul = minds(wren_file)
    before, stats = whole(soul), soul.stats()
    for question in QUESTIONS:
        soul.recall(question, messages=5)
        soul.why("sem_self", question)
    soul.recall_queries([SubQuery(tags=("ferry",))])
    assert whole(soul) == before
    assert soul.stats() == stats


@pytest.mark.parametrize("top", [0, 1, 2, 3, 5, 10, 50])
def test_limits_are_kept_and_scores_are_in_order(minds: Minds, wren_file: Path, top: int) -> None:
    soul = minds(wren_file)
    for question in QUESTIONS:
        found = soul.recall(question, top=top, messages=top)
        assert len(found.messages) <= top
        assert sum(memory.stage is not Stage.CORE for memory in found.memories) <= top
        assert len({memory.id for memory in found.memories}) == len(found.memories)
        scores = [memory.score for memory in found.memories]
        assert all(0.0 <= later <= earlier <= 1.0 for earlier, later in pairwise(scores))
        assert all(earlier.score >= later.score for earlier, later in pairwise(found.messages))
        assert not any(memory.type is NoteType.PROCEDURE for memory in found.memories)


def test_a_smaller_top_never_brings_what_a_larger_one_does_not(minds: Minds, wren_file: Path) -> None:
    soul = minds(wren_file)
    for question in QUESTIONS:
        found = [{memory.key for memory in soul.recall(question, top=top).memories} for top in range(1, 13)]
        assert all(fewer <= more for fewer, more in pairwise(found))


def test_core_notes_are_always_in_and_come_last_when_nothing_led_to_them(tea: Soul) -> None:
    for question in ("zzzz qqqq", "", "the north wall"):
        keys = [memory.key for memory in tea.recall(question).memories]
        assert keys[-1] == "sem_self"
    nothing = tea.recall("zzzz qqqq")
    assert [(memory.key, memory.stage, memory.score) for memory in nothing.memories] == [("sem_self", Stage.CORE, 0.0)]
    assert nothing.actions == nothing.self_knowledge == nothing.messages == ()


def test_similarity_association_and_their_paths(tea: Soul) -> None:
    found = {memory.key: memory for memory in tea.recall("green tea").memories}
    assert (found["sem_tea"].stage, found["sem_tea"].path) == (Stage.SIMILARITY, ())
    carried = {key: memory for key, memory in found.items() if memory.stage is Stage.ASSOCIATION}
    assert {"sem_pot", "sit_pot", "sit_after"} <= carried.keys()
    for key, memory in carried.items():
        assert memory.path[0].source == "sem_tea" and memory.path[-1].target == key
        assert all(one.target == two.source for one, two in pairwise(memory.path))
        assert all(0 < step.weight <= 1 for step in memory.path)
        assert memory.score <= found["sem_tea"].score


def test_associations_keep_seats_when_direct_hits_would_fill_all(mind: Soul) -> None:
    apples = [concept(f"sem_apple{n}", "apple", [("sem_worm", sem())], description=f"number {n}") for n in range(4)]
    took(mind, graph(*apples, concept("sem_worm", "a pale thing", [("sem_hole", sem())]), concept("sem_hole", "a gap")))
    for top in (3, 4, 5):
        stages = [memory.stage for memory in mind.recall("apple", top=top).memories]
        assert Stage.ASSOCIATION in stages and Stage.SIMILARITY in stages
        assert len(stages) == top


def test_actions_fire_from_situations_only_and_have_their_own_channel(tea: Soul) -> None:
    found = tea.recall("Mei dropped the lid", top=1)
    assert "say_sorry" in [action.key for action in found.actions]
    by_type = {kind: [action.score for action in found.actions if action.action_type is kind] for kind in ActionType}
    assert all(scores == sorted(scores, reverse=True) and len(scores) <= 3 for scores in by_type.values())
    assert {action.key for action in found.actions}.isdisjoint({memory.key for memory in found.memories})
    known = tea.recall("little Mei")
    assert "hum" in [action.key for action in (*known.self_knowledge, *known.actions)]


def test_knowledge_of_a_way_of_acting_does_not_make_it_fire(mind: Soul) -> None:
    took(mind, graph(concept("sem_mei", "Mei", [("hum", sem("taught me to"))]), way("hum", "Sing under the breath.", "Skill")))
    found = mind.recall("Mei")
    assert found.actions == ()
    assert [action.key for action in found.self_knowledge] == ["hum"]
    assert mind.why("hum", "Mei").verdict == "self_knowledge"


def test_the_past_and_the_far_future(tea: Soul) -> None:
    for at, retained in ((AT - timedelta(days=5000), 1.0), (AT, 1.0), (AT + timedelta(days=365 * 50), 0.0)):
        found = tea.recall("Mei dropped the lid", at=at)
        memory = next(memory for memory in found.memories if memory.key == "sit_pot")
        assert memory.retention == pytest.approx(retained, abs=1e-9)
        assert found.at == at
    day = tea.recall("Mei dropped the lid", at=AT + timedelta(days=1))
    assert next(memory for memory in day.memories if memory.key == "sit_pot").retention == pytest.approx(0.5)


def test_forgetting_lowers_the_score_but_never_below_the_floor_of_retention(tea: Soul) -> None:
    scores = []
    for days in (0, 1, 2, 5, 5000):
        trace = tea.traced("Mei dropped the lid and laughed.", at=AT + timedelta(days=days))[1]
        scores.append(next(one.score for one in trace.candidates.values() if one.key == "sit_pot"))
    assert all(later < earlier for earlier, later in pairwise(scores))
    assert scores[-1] == pytest.approx(0.35 * scores[0])


# Using what was recalled.


def half_life(note: Json) -> float | None:
    """Hours, by SPEC §8, of the notes of TEA: no categories, nothing pinned."""
    count = note.get("soulmem", {}).get("retrieval_count", 0)
    base = 24.0 if "SpecificSituation" in note["mem_type"].get("Situation", {}) else 21 * 24.0
    lasting = "Procedure" in note["mem_type"] or "AbstractSituation" in note["mem_type"].get("Situation", {})
    return None if lasting else base * (1 + 0.1 * min(count, 50))


def nodes(soul: Soul) -> dict[str, Json]:
    return {one["id"]: one for one in json.loads(soul.export_graph())}


def test_commit_reinforces_by_the_formulas_and_writes_one_operation_and_one_recall(tea: Soul) -> None:
    for number, hours in enumerate((0, 24, 30, 500), start=1):
        at = AT + timedelta(hours=hours)
        before, stats, old = nodes(tea), tea.stats(), whole(tea)[1]
        found = tea.recall("green tea with Mei", at=at)
        operation = tea.commit(found)
        assert operation is not None and (operation.command, operation.number, operation.at) == ("ask", number + 1, at)
        used = {memory.key for memory in found.memories if memory.stage is not Stage.CORE}
        for key, after in nodes(tea).items():
            envelope, was = after["soulmem"], before[key]["soulmem"]
            if key not in used:
                assert after == before[key]
                continue
            life = half_life(before[key])
            passed = (at - datetime.fromisoformat(was["decayed_at"])) / timedelta(hours=1)
            left = was.get("strength", 1.0) * (1.0 if life is None else 2 ** (-passed / life))
            assert envelope.get("strength", 1.0) == pytest.approx(left + 0.35 * (1 - left), abs=1e-9)
            assert envelope["retrieval_count"] == was.get("retrieval_count", 0) + 1
            assert datetime.fromisoformat(envelope["last_accessed_at"]) == at == datetime.fromisoformat(envelope["decayed_at"])
            assert (after["mem_type"], after["mem_links"]) == (before[key]["mem_type"], before[key]["mem_links"])
        now = tea.stats()
        assert (now["operations"], now["recalls"]) == (stats["operations"] + 1, stats["recalls"] + 1)
        assert whole(tea)[1] == old
    rows = tea.cypher("MATCH (r:Recall)-[u:RECALLED]->(n) RETURN r.query, n.key, u.stage, u.score ORDER BY r.at DESC, n.key").rows
    assert {(row[1], row[2], row[3]) for row in rows if row[0] == "green tea with Mei"} >= {
        (memory.key, memory.stage.value, memory.score) for memory in found.memories if memory.stage is not Stage.CORE
    }


def test_due_at_is_when_retention_reaches_the_threshold_of_sleep(tea: Soul) -> None:
    tea.commit(tea.recall("Mei dropped the lid"))
    due = tea.note("sit_pot").due_at
    assert due is not None
    for shift, relation in ((-1, True), (1, False)):
        row = tea.show("sit_pot", at=due + timedelta(seconds=shift))
        assert (row.retention >= 0.1) is relation


def test_only_what_was_used_is_reinforced(tea: Soul) -> None:
    found = tea.recall("green tea")
    before = nodes(tea)
    one = next(memory for memory in found.memories if memory.key == "sem_tea")
    tea.commit(found, [one, one])
    after = nodes(tea)
    assert {key for key in after if after[key] != before[key]} == {"sem_tea"}
    assert after["sem_tea"]["soulmem"]["retrieval_count"] == 1
    assert tea.commit(found, []) is None
    assert tea.commit(replace(found, memories=())) is None
    assert nodes(tea) == after


def test_a_recall_in_the_past_never_turns_the_clock_back(tea: Soul) -> None:
    tea.commit(tea.recall("green tea", at=AT))
    tea.commit(tea.recall("green tea", at=AT - timedelta(days=400)))
    note = tea.note("sem_tea")
    assert (note.retrieval_count, note.decayed_at) == (2, AT)
    assert 0 <= note.strength <= 1


def test_use_keeps_a_memory_longer_than_its_unused_twin(mind: Soul) -> None:
    took(mind, graph(episode("sit_a", "a red kite over the bay"), episode("sit_b", "a grey heron on the pier")))
    for day in range(1, 6):
        found = mind.recall("red kite", at=AT + timedelta(days=day))
        mind.commit(found, [memory for memory in found.memories if memory.key == "sit_a"])
    late = AT + timedelta(days=8)
    assert mind.show("sit_a", at=late).retention > 10 * mind.show("sit_b", at=late).retention


# Why.


def verdict(soul: Soul, key: str, question: str, **how: int) -> str:
    """The verdict, held against what recall returns."""
    explanation = soul.why(key, question, **how)
    found = soul.recall(question, **how)
    assert (explanation.verdict == "recalled") == (key in [memory.key for memory in found.memories])
    assert (explanation.verdict == "action") == (key in [action.key for action in found.actions])
    assert explanation.key == key and key in explanation.text
    return explanation.verdict


LONG = "once somebody ate an apple here, and then it rained all day long on boats, nets, gulls, ropes, tar and wet dogs"


def test_why_tells_the_truth(mind: Soul) -> None:
    apples = [concept(f"sem_apple{n}", "apple", description="ripe") for n in range(6)]
    likely = concept("sem_mention", "harbour wall", description=LONG)
    took(
        mind,
        graph(
            *apples,
            likely,
            concept("sem_far", "moon"),
            concept("sem_start", "rope", [("sem_end", sem())]),
            concept("sem_end", "knot"),
        ),
    )
    verdicts = {key: verdict(mind, key, "apple") for key in (*(f"sem_apple{n}" for n in range(6)), "sem_mention", "sem_far")}
    assert [verdicts[f"sem_apple{n}"] for n in range(6)] == ["recalled"] * 4 + ["cut"] * 2
    assert verdicts["sem_mention"] == "below_floor"
    assert verdicts["sem_far"] == "not_reached"
    assert verdict(mind, "sem_apple3", "apple", top=2) == "no_seat"
    assert verdict(mind, "sem_end", "rope") == "recalled"
    assert mind.why("sem_end", "rope").fields["stage"] == "association"


def test_why_tells_scores_that_decide(mind: Soul) -> None:
    took(mind, graph(concept("sem_mention", "harbour wall", description="an apple core lay here among many other things")))
    for floor, expected in ((0.01, "recalled"), (0.99, "below_floor")):
        mind.settings = PATIENT.with_values(similarity_floor=floor)
        explanation = mind.why("sem_mention", "apple")
        assert explanation.verdict == expected
        assert (explanation.fields["similarity"] >= floor) == (expected == "recalled")


def test_why_of_every_note_agrees_with_recall(minds: Minds, wren_file: Path) -> None:
    soul = minds(wren_file)
    for row in soul.list(limit=400)[::40]:
        for top in (2, 10):
            verdict(soul, row.key, QUESTIONS[0], top=top)


# Structured questions.


def keys(soul: Soul, *queries: SubQuery) -> list[str]:
    return [memory.key for memory in soul.recall_queries(queries).memories if memory.stage is not Stage.CORE]


def test_tags_alone(tea: Soul) -> None:
    assert keys(tea, SubQuery(tags=("drink",)))[0] == "sem_tea"
    assert keys(tea, SubQuery(tags=("drink",), of="Situation")) == []
    assert keys(tea, SubQuery(tags=("nothing of the kind",))) == []


def test_an_empty_question_brings_nothing(tea: Soul) -> None:
    assert keys(tea, SubQuery()) == keys(tea, SubQuery(units=(SituationUnit(),))) == []
    assert keys(tea, SubQuery(units=(SemanticUnit(concept_identifier=""),))) == []
    assert keys(tea) == []


def test_the_type_asked_for_is_the_type_found_directly(tea: Soul) -> None:
    as_concept = tea.recall_queries([SubQuery(units=(SemanticUnit(concept_identifier="Mei"),))])
    as_situation = tea.recall_queries([SubQuery(units=(SituationUnit(participants=(Participant("Mei", "guest"),)),))])
    direct = [
        {memory.key for memory in found.memories if memory.stage in (Stage.SIMILARITY, Stage.BOTH)}
        for found in (as_concept, as_situation)
    ]
    assert direct == [{"sem_mei"}, {"sit_pot"}]


def test_queries_are_merged_by_priority(tea: Soul) -> None:
    wall, mei = (SubQuery(units=(SemanticUnit(concept_identifier=name),), priority=1.0) for name in ("the north wall", "Mei"))
    assert {"sem_wall", "sem_mei"} <= set(keys(tea, wall, mei))
    other = (SemanticUnit(concept_identifier="north wall"),)
    both = tea.recall_queries([wall, replace(wall, priority=3.0, units=other)])
    single = [tea.recall_queries([query]) for query in (wall, replace(wall, units=other))]
    scores = [next(m.score for m in found.memories if m.key == "sem_wall") for found in (both, *single)]
    assert scores[0] == pytest.approx((scores[1] + 3 * scores[2]) / 4, abs=2e-6)


def test_times_and_places(mind: Soul) -> None:
    def trip(key: str, year: int, place: str) -> Json:
        span = {"start": f"{year}-05-01T00:00:00Z", "end": f"{year}-05-02T00:00:00Z"}
        return episode(key, f"a trip numbered {key}", time_span=span, context={"location": {"name": place, "coordinates": ""}})

    took(mind, graph(trip("sit_a", 2020, "Halden"), trip("sit_b", 2021, "Bergen"), trip("sit_c", 2022, "Oslo")))
    year = TimeSpan(start=AT.replace(year=2021, month=1, day=1), end=AT.replace(year=2022, month=1, day=1))
    assert keys(mind, SubQuery(units=(SituationUnit(time_spans=(year,)),), of="Situation")) == ["sit_b"]
    assert keys(mind, SubQuery(units=(SituationUnit(locations=(Location("Oslo"),)),), of="Situation")) == ["sit_c"]


def test_a_pattern_is_found_by_its_own_kind(mind: Soul) -> None:
    took(
        mind,
        graph(pattern("pat", "Location", {"name": "harbour", "coordinates": ""}, [("sit", SITUATION)]), episode("sit", "fog")),
    )
    assert "pat" in keys(mind, SubQuery(units=(SituationUnit(locations=(Location("harbour"),)),), of="Situation"))


# Supporting lines.


def test_supporting_lines_are_lines_of_the_file(mind: Soul) -> None:
    data = chat(*TALK)
    took(mind, data, "talk.jsonl")
    found = mind.recall("Who took the lighthouse key to Halden?", messages=3)
    lines = data.decode().splitlines()
    for message in found.messages:
        assert json.loads(lines[message.line - 1])["mes"] == message.text == TALK[message.index]["mes"]
        assert message.file == "talk.jsonl"
    assert {0, 1} <= {message.index for message in found.messages}
    memory = next(memory for memory in found.memories if memory.sources)
    assert all(lines[source.line - 1] for source in memory.sources)
    assert mind.recall("Who took the key?", messages=0).messages == ()


def test_a_line_without_a_word_of_the_question_is_led_to_over_a_word_it_shares_with_the_answer(mind: Soul) -> None:
    """Question → line → rare word → line, far from it in time."""
    fill = [said("Ann" if n % 2 else "Bob", f"Number {n} and nothing more about number {n * 7}.") for n in range(40)]
    answer, led = said("Ann", "I keep the lantern in the zephyrhouse."), said("Bob", "Gone is that old zephyrhouse now.")
    took(mind, chat(*fill[:5], answer, *fill[5:35], led, *fill[35:]), "chat.jsonl")
    lines = mind.recall("Where is the lantern?", messages=6).messages
    assert lines[0].text == answer["mes"]
    found = next(line for line in lines if line.text == led["mes"])
    assert found.channels["walk"] > 0 and "zephyrhouse" in found.text


def test_a_question_about_a_speaker_finds_what_they_said_of_themselves(mind: Soul) -> None:
    told = [said("Ann", "I paint seals."), said("Bob", "Ann, what a fine day."), said("Bob", "I paint boats, Ann.")]
    took(mind, chat(*told, *(said("Bob", f"Ann, it is day {n}.") for n in range(20))), "chat.jsonl")
    first = mind.recall("What does Ann paint?", messages=3).messages[0]
    assert (first.speaker, first.text) == ("Ann", "I paint seals.")


@pytest.mark.parametrize(
    ("question", "speaker"),
    [("Which boat do I have?", "Bo"), ("Which boat do you have?", "Ann"), ("Do you remember which boat I have?", "Bo")],
)
def test_i_and_you_are_the_speakers_of_the_chat(mind: Soul, question: str, speaker: str) -> None:
    """Who asks is the person who talks with the character; who is asked is the character."""
    told = [said("Ann", "I have a green boat."), said("Bo", "I have a green boat.")]
    took(mind, chat(*told, *(said("Bo" if n % 2 else "Ann", f"It is day {n}.") for n in range(20))), "chat.jsonl")
    assert mind.recall(question, messages=3).messages[0].speaker == speaker


def test_actions_of_a_seed_and_of_what_it_leads_to(mind: Soul) -> None:
    took(
        mind,
        graph(
            episode("sit_storm", "the storm broke the mast", [("shout", proc(0.9)), ("sit_calm", SITUATION)]),
            episode("sit_calm", "quiet water later", [("rest", proc(0.3))]),
            way("shout", "Shout orders."),
            way("rest", "Sit down."),
        ),
    )
    assert [action.key for action in mind.recall("the storm broke the mast").actions] == ["shout", "rest"]
    assert verdict(mind, "shout", "the storm broke the mast") == "action"
