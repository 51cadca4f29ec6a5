"""What a model answers is not trusted."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talk import AT, facts, talk

from soulmem.consolidate.answers import links_of, split_of
from soulmem.consolidate.contract import Known, LinkQuestion, SplitQuestion
from soulmem.consolidate.entries import fact_note
from soulmem.model.links import TrigToAction
from soulmem.model.notes import ActionType, Note, Procedure, SpecificSituation

LINES = tuple(talk("I live in Bergen.", "I moved to Oslo."))
ASKED = SplitQuestion(messages=LINES, known=(Known(id="old", person="Bo", text="Bo lives in Bergen"),))
GOOD = {"content": "Bo lives in Oslo", "subject": "Bo", "category": "identity", "sources": [2], "slot": "lives", "value": "Oslo"}


def test_a_good_answer_gives_facts():
    found = split_of({"notes": [{**GOOD, "supersedes": "old", "aliases": ["B", "unknown"]}]}, ASKED)
    (fact,) = found.facts
    assert (fact.subject, fact.sources, fact.aliases, found.over) == ("Bo", (LINES[1].id,), ("B",), ((0, "old"),))


@pytest.mark.parametrize(
    "wrong",
    [
        {"sources": []}, {"sources": [9]}, {"sources": ["nobody"]}, {"sources": None}, {"content": ""}, {"content": "unknown"},
        {"content": "不详"}, {"subject": "N/A"}, {"category": "gossip"}, {"content": "x" * 500}, {"content": 3},
    ],
)  # fmt: skip
def test_a_note_that_is_wrong_is_left_out_and_told(wrong):
    found = split_of([{**GOOD, **wrong}], ASKED)
    assert not found.facts and found.problems


def test_only_what_was_shown_may_be_superseded():
    found = split_of([{**GOOD, "supersedes": "secret"}], ASKED)
    assert found.facts and not found.over and found.problems


def test_hidden_lines_are_no_sources():
    hidden = SplitQuestion(messages=tuple(talk("I live in Bergen.", hidden=True)))
    assert not split_of([{**GOOD, "sources": [1]}], hidden).facts


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["notes", "links", *GOOD, "from", "to"]), inner, max_size=6)
    ),
    max_leaves=20,
)


@given(anything)
def test_any_answer_is_borne(answer):
    json.dumps(answer)
    found = split_of(answer, ASKED)
    assert all(fact.sources for fact in found.facts)
    assert links_of(answer, LinkQuestion(new=(), old=()))[0] == ()


NEW = [fact_note(fact, AT) for fact in facts("I live in Bergen.", "I love old maps.")]
WAY = Note(id="way", key="way", body=Procedure(content="hum", action_type=ActionType.SPEAK), created_at=AT, decayed_at=AT)
PAST = [
    Note(id=f"past{n}", key=f"past{n}", body=SpecificSituation(narrative="x"), created_at=AT, decayed_at=AT) for n in range(3)
]


def test_links_are_legal_and_between_known_notes():
    question = LinkQuestion(new=(NEW[0], WAY), old=(NEW[1], *PAST))
    asked = [
        {"from": NEW[0].id, "to": NEW[1].id, "verb": "with"},
        {"from": NEW[0].id, "to": NEW[0].id},
        {"from": NEW[0].id, "to": "nowhere"},
        {"from": NEW[1].id, "to": PAST[0].id},
        {"from": "way", "to": "past0"},
        {"from": "past0", "to": "way", "prob": 0.2},
        {"from": "past1", "to": "way", "prob": 0.9},
        {"from": "past2", "to": "way", "prob": 0.0},
    ]
    found, problems = links_of({"links": asked}, question)
    assert [(link.source, link.target) for link in found] == [
        (NEW[0].id, NEW[1].id), ("past0", "way"), ("past1", "way"), ("past2", "way"),
    ]  # fmt: skip
    assert len(problems) == 4
    assert [link.payload.prob for link in found if isinstance(link.payload, TrigToAction)] == [0.5, 0.3, 0.1]


def test_there_are_no_more_links_than_may_be():
    old = [Note(id=f"o{n}", key=f"o{n}", body=NEW[0].body, created_at=AT, decayed_at=AT) for n in range(50)]
    asked = [{"from": NEW[0].id, "to": note.id} for note in old]
    assert len(links_of(asked, LinkQuestion(new=(NEW[0],), old=tuple(old)))[0]) == 32
