"""What a model draws: it reaches the mind whole where it is right, and nobody's words become another's."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talk import AT, facts, hear, talk

from soulmem.consolidate.answers import split_of
from soulmem.consolidate.by_model import ModelSplitter
from soulmem.consolidate.contract import MOST_ASKED, MOST_KNOWN_OF_ONE, MOST_WITH_MODEL, Known, SplitQuestion
from soulmem.consolidate.entries import fact_note
from soulmem.consolidate.merge import KnownFact, merge, stand_ins
from soulmem.llm.scripted import Answer, ScriptedModel

LINES = [
    ("Ann", "Hello there, Bo."),
    ("Bo", "I live in Bergen with Mia, we call her the mouse."),
    ("Bo", "I promise to bake you a cake on Monday."),
    ("Ann", "The moon is made of rock."),
]


def fact(who: str, text: str, *messages: int, **more: object) -> dict[str, object]:
    return {"content": who, "description": text, "messages": list(messages), **more}


def model(*answers: list[dict[str, object]], **more: list[dict[str, object]]) -> ScriptedModel:
    splits = [Answer(text=json.dumps({"facts": one, **more}), purpose="split") for one in answers]
    return ScriptedModel([*splits, Answer(text='{"links": []}', purpose="link", repeat=True)])


def shown(asked: ScriptedModel, place: int = 0) -> str:
    return [prompt for prompt in asked.prompts if prompt.purpose == "split"][place].messages[-1].text


def split(answer: dict[str, object], **more: object):
    question = SplitQuestion(messages=tuple(talk(*LINES)), **more)
    said = ModelSplitter(ScriptedModel([json.dumps(answer)]), "Ann", AT).split(question)
    return split_of(said, question), said["problems"]


def test_every_category_of_the_prompt_is_taken():
    kinds = ["identity", "date", "preference", "relation", "event", "promise", "state", "knowledge"]
    found, problems = split({"facts": [fact("Bo", f"Bo has Bergen in {kind}", 2, category=kind) for kind in kinds]})
    assert [one.kind.value for one in found.facts] == kinds and not problems and not found.problems


def test_a_situation_keeps_its_time_and_its_people_and_is_nobodys_without_them():
    told = {"narrative": "Bo will bake a cake for Ann", "time_start": "2026-03-09", "messages": [3]}
    people = [{"name": "Bo"}, {"name": "Ann"}]
    found, problems = split({"situations": [{**told, "participants": people}]})
    (one,) = found.facts
    assert (one.subject, one.names, one.when and one.when[0].day) == ("Bo", ("Bo", "Ann"), 9) and not problems
    found, problems = split({"situations": [told]})
    assert not found.facts and "whom" in problems[0]


def test_an_answer_that_was_cut_off_is_taken_as_far_as_it_goes_and_told():
    text = json.dumps({"facts": [fact("Bo", "Bo lives in Bergen", 2)]})[:-1]
    question = SplitQuestion(messages=tuple(talk(*LINES)))
    said = ModelSplitter(ScriptedModel([Answer(text=text, truncated=True)]), "Ann", AT).split(question)
    assert said["notes"] and "cut off" in said["problems"][0]


def test_known_facts_go_by_short_names_and_only_those_are_superseded():
    known = (Known(id="long-id", person="Bo", text="Bo lives in Oslo"),)
    found, _ = split({"facts": [fact("Bo", "Bo lives in Bergen", 2, supersedes="k1")]}, known=known)
    assert found.over == ((0, "long-id"),)
    found, problems = split({"facts": [fact("Bo", "Bo lives in Bergen", 2, supersedes="long-id")]}, known=known)
    assert found.facts and not found.over and problems


@pytest.mark.parametrize(
    ("known", "told"),
    [
        (Known(id="x", person="Bo", text="Bo lives in Oslo", scope="direct:Bo"), "in another talk"),
        (Known(id="x", person="Bo", text="Bo lives in Oslo", said_at=AT + timedelta(days=1)), "said later"),
        (Known(id="x", person="Cy", text="Cy hates rhubarb"), "about somebody else"),
    ],
)
def test_what_cannot_be_superseded_stays(known: Known, told: str):
    found, _ = split({"facts": [fact("Bo", "Bo lives in Bergen", 2, supersedes="k1")]}, known=(known,))
    assert found.facts and not found.over and told in found.problems[0]


def test_a_note_of_two_private_talks_is_none():
    one, other = talk("I live in Bergen."), talk("So do I, in Bergen.", first=1)
    said = (replace(one[0], scope="direct:Bo"), replace(other[0], scope="direct:Cy"))
    note = {"content": "Bo lives in Bergen", "subject": "Bo", "sources": [1, 2]}
    assert not split_of([note], SplitQuestion(messages=said)).facts
    assert split_of([{**note, "sources": [1]}], SplitQuestion(messages=said)).facts[0].scope == "direct:Bo"


@given(st.lists(st.sampled_from(["I live in Bergen.", "I live in Oslo.", "I love tea.", "I live in Bergen!"]), max_size=6))
def test_every_fact_stands_for_a_note_that_will_be_there(lines):
    drawn = facts(*lines)
    old = facts("I live in Bergen.")[0]
    note = KnownFact(note=fact_note(old, AT), said_at=old.said_at, chat="c", place=-1)
    merged = merge(drawn, {old.stem: [note]}, {})
    there = {one.note_id for one in merged.new} | {note.note.id}
    became = stand_ins(drawn, merged)
    assert set(became.values()) <= there and set(became) == {one.note_id for one in drawn}


def test_who_repeats_a_known_fact_and_supersedes_it_leaves_it_as_it_is(mind):
    soul = mind()
    hear(soul, talk(*LINES))
    soul.use_model(model([fact("Bo", "Bo lives in Bergen", 2, category="identity")]))
    soul.consolidate(at=AT)
    hear(soul, talk("I still live in Bergen.", first=4))
    again = model([fact("Bo", "Bo lives in Bergen", 1, category="identity", supersedes="k1")])
    soul.use_model(again)
    report = soul.consolidate(at=AT)
    assert "k1: Bo lives in Bergen" in shown(again)
    assert not [entry for entry in report.entries if entry.kind == "superseded"]
    (note,) = [row for row in soul.list(text="lives in Bergen", limit=9) if row.key.startswith("fact_")]
    assert soul.show(note.key).superseded_by == () and len(soul.show(note.key).sources) == 2


def test_other_names_become_the_subjects_and_never_anothers(mind):
    soul = mind()
    hear(soul, talk(*LINES))
    aliases = ["the mouse", "Bo", "her", "we", "Princess"]
    soul.use_model(model([fact("Mia", "Mia lives in Bergen with Bo", 2, category="relation", aliases=aliases)]))
    soul.consolidate(at=AT)
    named = {body.content: body.aliases for body in (soul.note(row.key).body for row in soul.list(type="Semantic", limit=99))}
    assert named["Mia"] == ("the mouse",) and "Mia" not in named["Bo"]
    assert soul.recall("Where is the mouse?", at=AT).memories


def test_a_long_talk_is_asked_about_a_window_at_a_time_and_the_rest_waits(mind):
    soul, many = mind(), MOST_WITH_MODEL + 5
    hear(soul, talk(*(f"I saw {number} ships in Bergen." for number in range(many))))
    kinds = ("white", "old", "tall", "grey", "slow")[: MOST_WITH_MODEL // MOST_ASKED]
    answers = [[fact("Bo", f"Bo saw {kind} ships in Bergen", 1)] for kind in kinds]
    asked = model(*answers)
    soul.use_model(asked)
    report = soul.consolidate(at=AT)
    assert (report.messages, report.left) == (MOST_WITH_MODEL, many - MOST_WITH_MODEL)
    assert sum(prompt.purpose == "split" for prompt in asked.prompts) == MOST_WITH_MODEL // MOST_ASKED
    assert "I saw 19 ships" in shown(asked, 1).partition("<messages>")[0], "the lines before are shown too"
    assert sum(row.key.startswith("fact_") for row in soul.list(limit=500)) == len(answers)


def test_a_private_talk_is_not_shown_where_others_hear(mind):
    soul = mind()
    hear(soul, talk("I live in Bergen.", "I owe Cy ten crowns.", scope="direct:Bo"))
    soul.consolidate(at=AT)
    hear(soul, talk("I live in Oslo.", first=9, scope="group:harbour"))
    asked = model([])
    soul.use_model(asked)
    soul.consolidate(at=AT)
    assert "Bergen" not in shown(asked) and "crowns" not in shown(asked)


def test_the_facts_that_the_talk_is_about_are_shown_first(mind):
    soul = mind()
    likes = ["tea", "rhubarb", "maps", "coriander", "ferries", "snow", "accordions", "liquorice"]
    hear(soul, talk(*(f"I love {one}." for one in likes)))
    soul.consolidate(at=AT)
    hear(soul, talk("You know, coriander is no longer for me.", first=20))
    asked = model([])
    soul.use_model(asked)
    soul.consolidate(at=AT)
    known = [line for line in shown(asked).splitlines() if line.startswith("k")]
    assert known[0] == "k1: Bo loves coriander" and len(known) == MOST_KNOWN_OF_ONE
