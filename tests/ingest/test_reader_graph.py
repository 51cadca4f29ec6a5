"""Graph JSON → notes and links: the deviations of real files, and every kind of fault with its line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from soulmem.errors import FormatError
from soulmem.ingest import Document, read
from soulmem.model.links import LinkType, Sem, SituationLink, TrigToAction, is_legal
from soulmem.model.notes import (
    AbstractSituation,
    ActionType,
    Category,
    ConceptType,
    Environment,
    Event,
    Feeling,
    Location,
    NoteType,
    Participant,
    Procedure,
    Semantic,
    SpecificSituation,
    derived_id,
)

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)

BODIES: Mapping[NoteType, Any] = {
    NoteType.SEMANTIC: {"Semantic": {"content": "the sea"}},
    NoteType.SPECIFIC: {"Situation": {"SpecificSituation": {"narrative": "a storm came", "time_span": None}}},
    NoteType.ABSTRACT: {"Situation": {"AbstractSituation": {"Location": {"name": "the pier"}}}},
    NoteType.PROCEDURE: {"Procedure": {"action": {"content": "whistle", "action_type": "Speak"}}},
}
LINKS: Mapping[LinkType, Any] = {
    LinkType.SEM: {"Sem": {"verb": "knows", "confidence": 0.5}},
    LinkType.PROC: {"Proc": {"TrigToAction": {"prob": 0.5}}},
    LinkType.SITUATION: {"Situation": {"SpecificToSpecific": {}}},
}


def node(key: str = "n", kind: NoteType = NoteType.SEMANTIC, **more: Any) -> dict[str, Any]:
    return {"id": key, "tags": [], "mem_type": BODIES[kind], "mem_links": []} | more


def link(source: str, target: str, kind: LinkType = LinkType.SEM, **more: Any) -> dict[str, Any]:
    return {"from": source, "to": target, "intensity": 1.0, "link_type": LINKS[kind]} | more


def read_nodes(*nodes: Any) -> Document:
    return read(json.dumps(nodes, indent=1).encode(), AT, "graph-json")


def body(mem_type: Any) -> Any:
    document = read_nodes(node(mem_type=mem_type))
    assert [problem.what for problem in document.problems] == []
    return document.notes[0].body


def only_problem(document: Document) -> str:
    assert len(document.problems) == 1, document.problems
    return document.problems[0].what


# What is read.


def test_a_node_of_every_type() -> None:
    assert body(
        {"Semantic": {"content": "c", "aliases": ["a", "b"], "concept_type": "Abstract", "description": "d"}}
    ) == Semantic("c", ("a", "b"), ConceptType.ABSTRACT, "d")
    context = {
        "location": {"name": "pier", "coordinates": "north"},
        "participants": [{"name": "Ada", "role": "friend"}],
        "emotions": [{"name": "joy", "intensity": 0.5}],
        "sensory_data": [{"name": "salt", "intensity": 1}],
        "environment": {"atmosphere": "calm", "tone": "warm"},
        "event": [{"action": "wave", "action_intensity": 0.25, "initiator": "Ada", "target": "me"}],
    }
    specific = body({"Situation": {"SpecificSituation": {"narrative": "n", "time_span": None, "context": context}}})
    assert specific.context.location == Location("pier", "north")
    assert specific.context.participants == (Participant("Ada", "friend"),)
    assert specific.context.emotions == (Feeling("joy", 0.5),)
    assert specific.context.sensory_data == (Feeling("salt", 1.0),)
    assert specific.context.environment == Environment("calm", "warm")
    assert specific.context.event == (Event("wave", 0.25, "Ada", "me"),)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ({"Location": {"name": "pier"}}, Location("pier")),
        ({"Participant": {"name": "", "role": "stranger"}}, Participant("", "stranger")),
        ({"Environment": {"tone": "tense", "atmosphere": None}}, Environment("", "tense")),
        ({"Event": {"action": "leave", "initiator": "Bo"}}, Event("leave", 1.0, "Bo")),
    ],
)
def test_patterns(pattern: Any, expected: object) -> None:
    assert body({"Situation": {"AbstractSituation": pattern}}) == AbstractSituation(expected)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("Speak", ActionType.SPEAK),
        ("Think", ActionType.THINK),
        ("Skill", ActionType.SKILL),
        ({"Skill": {}}, ActionType.SKILL),
        ({"Skill": None}, ActionType.SKILL),
        ("think", ActionType.THINK),
    ],
)
def test_action_types(stated: Any, expected: ActionType) -> None:
    assert body({"Procedure": {"action": {"content": "c", "action_type": stated}}}) == Procedure("c", expected)


EIGHT = datetime(2026, 6, 1, 8, tzinfo=UTC)
NINE = datetime(2026, 6, 1, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (None, (None, None)),
        ("2026-06-01T08:00:00Z", (EIGHT, EIGHT)),
        ({"start": "2026-06-01T08:00:00Z", "end": "2026-06-01T17:00:00+08:00"}, (EIGHT, NINE)),
        ({"start": "2026-06-01T08:00:00"}, (EIGHT, None)),
        ({"start": None, "end": "2026-06-01T09:00:00.000000000Z"}, (None, NINE)),
        ({}, (None, None)),
    ],
)
def test_time_spans(span: Any, expected: object) -> None:
    specific = body({"Situation": {"SpecificSituation": {"narrative": "n", "time_span": span}}})
    assert (specific.time_start, specific.time_end) == expected


def test_what_may_be_absent_or_null() -> None:
    specific = {"narrative": "n", "context": {"location": None, "environment": None, "participants": None, "emotions": None}}
    document = read_nodes(
        {"id": "a", "mem_type": BODIES[NoteType.SEMANTIC]},
        {"id": "b", "tags": None, "mem_links": None, "mem_type": {"Situation": {"SpecificSituation": specific}}},
        {"id": "c", "tags": "one", "mem_type": {"Semantic": {"content": "c", "aliases": "other", "description": None}}},
        {"id": "d", "mem_type": {"Situation": {"SpecificSituation": {"narrative": "n", "context": None}}}},
    )
    assert document.problems == ()
    assert document.notes[2].tags == ("one",)
    assert document.notes[2].body == Semantic("c", ("other",))
    assert document.notes[1].body == document.notes[3].body == SpecificSituation("n")


def test_an_empty_place_is_no_place() -> None:
    context = {"location": {"name": "", "coordinates": ""}, "environment": {"atmosphere": "", "tone": ""}}
    specific = body({"Situation": {"SpecificSituation": {"narrative": "n", "context": context}}})
    assert specific.context.location is None
    assert specific.context.environment is None


def test_the_envelope_without_one() -> None:
    note, self_note = read_nodes(node("n"), node("sem_self")).notes
    assert note.id == derived_id("note", "n")
    assert (note.created_at, note.decayed_at, note.last_accessed_at, note.due_at) == (AT, AT, None, None)
    assert (note.strength, note.retrieval_count, note.pinned, note.core, note.active) == (1.0, 0, True, False, True)
    assert not read_nodes(node("n", soulmem={})).notes[0].pinned, "what a mind wrote out says what is pinned"
    assert (note.scope, note.sources) == ("public", ())
    assert self_note.core


def test_the_envelope_as_stated() -> None:
    stated = {
        "uuid": "0B9E8F1C-2F0B-5D2A-9A5E-5B0A3A7D7C11",
        "retrieval_count": 3,
        "created_at": "2025-01-01T00:00:00Z",
        "last_accessed_at": "2025-02-01T00:00:00Z",
        "strength": 0.5,
        "decayed_at": "2025-03-01T00:00:00Z",
        "due_at": "2025-04-01T00:00:00Z",
        "pinned": True,
        "core": False,
        "active": False,
        "scope": "direct:Ada",
        "category": "preference",
        "sources": ["m1", "m2"],
    }
    note = read_nodes(node("sem_self", soulmem=stated)).notes[0]
    assert note.id == "0b9e8f1c-2f0b-5d2a-9a5e-5b0a3a7d7c11"
    assert (note.retrieval_count, note.strength, note.pinned, note.core, note.active) == (3, 0.5, True, False, False)
    months = [moment.month for moment in (note.created_at, note.last_accessed_at, note.decayed_at, note.due_at) if moment]
    assert months == [1, 2, 3, 4]
    assert (note.scope, note.sources) == ("direct:Ada", ("m1", "m2"))
    assert isinstance(note.body, Semantic)
    assert note.body.category is Category.PREFERENCE


def test_a_note_with_only_an_access_time_is_not_born_after_it() -> None:
    before = AT - timedelta(days=3)
    note = read_nodes(node(soulmem={"last_accessed_at": before.isoformat()})).notes[0]
    assert (note.created_at, note.last_accessed_at, note.decayed_at) == (before, before, AT)


def test_created_at_alone_is_legal_also_beside_the_node() -> None:
    document = read_nodes(node(created_at="2020-01-01T00:00:00Z"))
    assert document.problems == ()
    assert document.notes[0].created_at.year == 2020
    assert document.notes[0].decayed_at == AT  # by default ageing begins with the import


def test_links_of_every_type() -> None:
    document = read_nodes(
        node("s", mem_links=[link("s", "e", intensity=2)]),
        node("e", NoteType.SPECIFIC, mem_links=[link("e", "p", LinkType.PROC), link("e", "f", LinkType.SITUATION)]),
        node("f", NoteType.SPECIFIC, mem_links=[{"to": "p", "link_type": {"Proc": {"prob": 0.25}}}]),
        node("p", NoteType.PROCEDURE),
    )
    assert document.problems == ()
    assert [(found.source_key, found.target_key, found.intensity) for found in document.links] == [
        ("s", "e", 2.0),
        ("e", "p", 1.0),
        ("e", "f", 1.0),
        ("f", "p", 1.0),
    ]
    assert [found.payload for found in document.links] == [
        Sem("knows", 0.5),
        TrigToAction(0.5),
        SituationLink(),
        TrigToAction(0.25),
    ]
    assert {(found.created_at, found.id) for found in document.links} == {(AT, None)}


def test_lines_of_nodes_and_links() -> None:
    text = """
[
  {"id": "a", "mem_type": {"Semantic": {"content": "x"}}, "mem_links": [
    {"to": "b", "link_type": {"Sem": {"verb": "mem_links"}}},

    {"to": "c", "link_type": {"Sem": {"verb": "v"}}}, {"to": "d", "link_type": {"Nope": {}}}
  ]},
  {"id": "", "mem_type": {"Semantic": {"content": "a\\nb"}}},
  {"mem_links": [{"to": "a",
     "link_type": {"Sem": {"verb": "v"}}}],
   "id": "z", "mem_type": {"Semantic": {"content": "x"}}}
]"""
    document = read(text.encode(), AT)
    assert [found.line for found in document.links] == [4, 6, 9]
    assert [problem.line for problem in document.problems] == [6, 8]
    assert document.read == 2 + 3 + 2


def test_a_link_to_what_is_not_in_the_file_is_kept() -> None:
    document = read_nodes(node("a", NoteType.SPECIFIC, mem_links=[link("a", "elsewhere", LinkType.PROC)]))
    assert [found.target_key for found in document.links] == ["elsewhere"]
    assert document.problems == ()


@pytest.mark.parametrize("kind", list(LinkType))
@pytest.mark.parametrize("source", list(NoteType))
@pytest.mark.parametrize("target", list(NoteType))
def test_legality_is_that_of_the_model(kind: LinkType, source: NoteType, target: NoteType) -> None:
    document = read_nodes(node("a", source, mem_links=[link("a", "b", kind)]), node("b", target))
    legal = is_legal(kind, source, target)
    assert len(document.links) == legal
    if not legal:
        assert f"no {kind} link may go from {source}" in only_problem(document)


def test_a_link_that_no_other_end_could_make_legal_is_not_kept() -> None:
    nodes = node("a", mem_links=[link("a", "x", LinkType.PROC)]), node("p", NoteType.PROCEDURE, mem_links=[link("p", "x")])
    document = read_nodes(*nodes)
    assert "no Proc link may go from Semantic (a) to anything (x)" in only_problem(document)
    assert [found.source_key for found in document.links] == ["p"]


# Faults: each skips what it is in, names its place and value, and leaves the rest.

SPECIFIC: dict[str, Any] = {"narrative": "n"}


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (7, "7 is not an object"),
        ({"mem_type": BODIES[NoteType.SEMANTIC]}, "id is missing"),
        (node(""), "id is empty"),
        (node("  "), "id is empty"),
        (node(7), "id is 7, but text is expected"),  # type: ignore[arg-type]
        (node(tags=[1]), "tags[0] is 1, but text is expected"),
        (node(mem_type=None), "mem_type is missing"),
        (node(mem_type="Semantic"), 'mem_type is "Semantic"'),
        (node(mem_type={"Feeling": {}}), 'unknown mem_type "Feeling" (known: Semantic, Situation, Procedure)'),
        (node(mem_type={"Semantic": {}, "Procedure": {}}), "exactly one of"),
        (node(mem_type={"Semantic": {}}), "mem_type.Semantic.content is missing"),
        (node(mem_type={"Semantic": None}), "mem_type.Semantic is null, but an object is expected"),
        (node(mem_type={"Semantic": {"content": " "}}), "mem_type.Semantic.content is empty"),
        (node(mem_type={"Semantic": {"content": ["x"]}}), 'mem_type.Semantic.content is ["x"], but text is expected'),
        (node(mem_type={"Semantic": {"content": "x", "aliases": ["y", None]}}), "mem_type.Semantic.aliases[1] is null"),
        (
            node(mem_type={"Semantic": {"content": "x", "concept_type": "Thing"}}),
            'concept_type "Thing" (known: Entity, Abstract)',
        ),
        (node(mem_type={"Semantic": {"content": "x", "category": "mood"}}), 'unknown category "mood"'),
        (node(mem_type={"Situation": {}}), "mem_type.Situation is {}"),
        (node(mem_type={"Situation": {"Dream": {}}}), 'unknown mem_type.Situation "Dream"'),
        (node(mem_type={"Situation": {"SpecificSituation": {}}}), "narrative is missing"),
        (node(mem_type={"Situation": {"SpecificSituation": SPECIFIC | {"time_span": 5}}}), "time_span is 5"),
        (
            node(
                mem_type={
                    "Situation": {
                        "SpecificSituation": SPECIFIC | {"context": {"emotions": [{"name": "joy", "intensity": "high"}]}}
                    }
                }
            ),
            'context.emotions[0].intensity is "high", but a number is expected',
        ),
        (
            node(mem_type={"Situation": {"AbstractSituation": {"Emotion": {}}}}),
            "(known: Location, Participant, Environment, Event)",
        ),
        (node(mem_type={"Situation": {"AbstractSituation": {"Event": {"action": ""}}}}), "Event.action is empty"),
        (
            node(mem_type={"Situation": {"AbstractSituation": {"Location": {"name": ""}, "Event": {"action": "x"}}}}),
            "exactly one of",
        ),
        (node(mem_type={"Procedure": {"content": "x"}}), 'unknown mem_type.Procedure "content"'),
        (node(mem_type={"Procedure": {"action": {"content": "x"}}}), "action_type is missing"),
        (
            node(mem_type={"Procedure": {"action": {"content": "x", "action_type": "Sing"}}}),
            '"Sing" (known: Speak, Think, Skill)',
        ),
        (
            node(soulmem={"created_at": "2025-02-01T00:00:00Z", "last_accessed_at": "2025-01-01T00:00:00Z"}),
            "last_accessed_at 2025-01-01T00:00:00+00:00 is before created_at",
        ),
        (node(soulmem={"scope": "secret"}), 'soulmem.scope: "secret" is not a scope'),
        (node("good"), "duplicate id: the node at line 2 has it too"),
        (node(soulmem={"uuid": derived_id("note", "good")}), "duplicate soulmem.uuid"),
    ],
)
def test_a_bad_node_is_skipped_alone(bad: Any, words: str) -> None:
    document = read_nodes(node("good"), bad, node("also good"))
    assert [note.key for note in document.notes] == ["good", "also good"]
    assert words in only_problem(document)
    assert only_problem(document).startswith("node 2")
    assert "skipped" in only_problem(document)
    assert document.problems[0].skipped
    assert document.problems[0].line == json.dumps([node("good")], indent=1).count("\n") + 1
    assert document.read == 3


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("b", 'mem_links[1] is "b", but an object is expected'),
        ({"link_type": LINKS[LinkType.SEM]}, "mem_links[1].to is missing"),
        (link("a", ""), "mem_links[1].to is empty"),
        (link("a", "a"), 'mem_links[1] links "a" to itself'),
        (link("a", "b", link_type=None), "mem_links[1].link_type is missing"),
        (link("a", "b", link_type={"Likes": {}}), "(known: Sem, Proc, Situation)"),
        (link("a", "b", link_type="Sem"), 'unknown mem_links[1].link_type "Sem"'),
        (link("a", "b", link_type={"Sem": {"confidence": 1}}), "link_type.Sem.verb is missing"),
        (link("a", "b", link_type={"Sem": {"verb": "v", "confidence": 1.5}}), "confidence is 1.5, which is not within 0..1"),
        (
            link("a", "b", link_type={"Sem": {"verb": "v", "confidence": float("nan")}}),
            "confidence is NaN, which is not within 0..1",
        ),
        (link("a", "x", link_type={"Proc": {}}), "link_type.Proc.prob is missing"),
        (link("a", "x", link_type={"Proc": {"TrigToAction": {}}}), "link_type.Proc.TrigToAction.prob is missing"),
        (link("a", "x", link_type={"Proc": {"prob": -0.5}}), "prob is -0.5, which is not within 0..1"),
        (link("a", "x", link_type={"Situation": {"Sideways": {}}}), 'Situation {"Sideways": {}} (known: AbstractToSpecific'),
        (link("a", "b", intensity=-1), "mem_links[1].intensity is -1, but an intensity is never negative"),
        (link("a", "b", intensity=1e9), "which is too large"),
        (link("a", "b", intensity=float("inf")), "intensity is Infinity, which is not a finite number"),
        (link("a", "b", intensity=float("nan")), "intensity is NaN, which is not a finite number"),
        (link("a", "b", intensity="1"), 'intensity is "1", but a number is expected'),
        (link("a", "b", intensity=True), "intensity is true, but a number is expected"),
        (link("a", "b"), 'duplicate of an earlier Sem link to "b"'),
    ],
)
def test_a_bad_link_is_skipped_alone(bad: Any, words: str) -> None:
    nodes = node("a", mem_links=[link("a", "b"), bad, link("a", "c")]), node("b")
    document = read_nodes(*nodes)
    assert [found.target_key for found in document.links] == ["b", "c"]
    assert len(document.notes) == 2
    assert words in only_problem(document)
    assert only_problem(document).startswith("node 1 (a), ")
    assert document.problems[0].skipped
    assert document.problems[0].line is not None
    assert document.problems[0].line > (document.links[0].line or 0)


def test_links_of_a_skipped_node_are_counted() -> None:
    document = read_nodes(node("a", mem_type={}, mem_links=[link("a", "b"), link("a", "c")]))
    assert "the node and its 2 links were skipped" in only_problem(document)
    assert document.links == ()


def test_links_that_are_no_list() -> None:
    document = read_nodes(node("a", mem_links={"to": "b"}))
    assert "mem_links is" in only_problem(document)
    assert len(document.notes) == 1


# Mends: kept, but said.


def mended(document: Document) -> str:
    assert not document.problems[0].skipped
    assert len(document.notes) + len(document.links) == document.read
    return only_problem(document)


def test_feelings_are_held_within_their_range() -> None:
    for stated, kept in ((1.5, 1.0), (-2, 0.0), (float("inf"), 1.0), (float("nan"), 1.0), (10**40, 1.0)):
        context = {"emotions": [{"name": "joy", "intensity": stated}]}
        document = read_nodes(node(mem_type={"Situation": {"SpecificSituation": SPECIFIC | {"context": context}}}))
        assert "emotions: the intensity" in mended(document)
        found = document.notes[0].body
        assert isinstance(found, SpecificSituation)
        assert found.context.emotions == (Feeling("joy", kept),)


@pytest.mark.parametrize("stated", ["yesterday", "2026-02-30", 5, {"a": 1}, "0001-01-01T00:00:00+14:00", "2026-06-01T25:00:00Z"])
def test_a_bad_time_leaves_the_note_without_it(stated: Any) -> None:
    document = read_nodes(node(mem_type={"Situation": {"SpecificSituation": SPECIFIC | {"time_span": {"start": stated}}}}))
    assert "time_span.start" in mended(document)
    assert "is not a time" in mended(document)
    assert document.notes[0].body == SpecificSituation("n")


def test_a_span_that_ends_before_it_starts() -> None:
    span = {"start": NINE.isoformat(), "end": EIGHT.isoformat()}
    document = read_nodes(node(mem_type={"Situation": {"SpecificSituation": SPECIFIC | {"time_span": span}}}))
    assert "the two were exchanged" in mended(document)
    assert document.notes[0].body == SpecificSituation("n", EIGHT, NINE)


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"strength": 1.5}, "soulmem.strength is 1.5, but 1.0 or less is expected"),
        ({"strength": float("nan")}, "soulmem.strength is NaN"),
        ({"retrieval_count": -1}, "soulmem.retrieval_count is -1, but 0 or more is expected"),
        ({"retrieval_count": 1e300}, "soulmem.retrieval_count is 1e+300, but a whole number is expected"),
        ({"uuid": "not one"}, 'soulmem.uuid: "not one" is not a UUID'),
        ({"created_at": 5}, "soulmem.created_at: 5 is not a time"),
        ({"pinned": "yes"}, 'soulmem.pinned is "yes", but true or false is expected'),
        ({"colour": 1}, "soulmem.colour is unknown and was ignored"),
        ("all", 'soulmem is "all", but an object is expected; it was ignored'),
    ],
)
def test_a_bad_envelope_field_counts_as_absent(stated: Any, words: str) -> None:
    document = read_nodes(node(soulmem=stated))
    assert words in mended(document)
    assert document.notes == read_nodes(node(soulmem={})).notes


def test_unknown_members_are_not_lost_in_silence() -> None:
    assert "mem_link is unknown and was ignored" in mended(read_nodes(node(mem_link=[])))
    assert "mem_type.Semantic.nickname is unknown" in mended(
        read_nodes(node(mem_type={"Semantic": {"content": "c", "nickname": "n"}}))
    )
    assert "mem_links[0].weight is unknown" in mended(read_nodes(node("a", mem_links=[link("a", "b", weight=1)])))


def test_a_member_that_stands_twice() -> None:
    document = read(b'[{"id": "a", "id": "b", "mem_type": {"Semantic": {"content": "c"}}}]', AT)
    assert "id stands there twice" in mended(document)
    assert document.notes[0].key == "b"


def test_a_link_from_elsewhere_is_read_as_stated() -> None:
    document = read_nodes(node("a", mem_links=[link("b", "c")]), node("b"))
    assert "not the node it stands under" in mended(document)
    assert document.links[0].source_key == "b"


def test_the_ends_force_the_variant() -> None:
    wrong = link("a", "b", link_type={"Situation": {"AbstractToSpecific": {}}})
    document = read_nodes(node("a", NoteType.SPECIFIC, mem_links=[wrong]), node("b", NoteType.ABSTRACT))
    assert "AbstractToSpecific contradicts its ends; it was taken as SpecificToAbstract" in mended(document)
    assert len(document.links) == 1
    bare = link("a", "b", link_type={"Situation": "SpecificToAbstract"})
    assert read_nodes(node("a", NoteType.SPECIFIC, mem_links=[bare]), node("b", NoteType.ABSTRACT)).problems == ()


# Whole files.


def test_a_file_that_breaks_off_gives_what_stands_before() -> None:
    whole = json.dumps([node("a"), node("b"), node("c")], indent=1)
    text = whole[: whole.index('"c"') + 20]
    document = read(text.encode(), AT)
    assert [note.key for note in document.notes] == ["a", "b"]
    assert "behind node 2" in only_problem(document)
    assert document.problems[0].skipped
    assert document.problems[0].line == text.count("\n") + 1


@pytest.mark.parametrize("text", ["", "{}", "[", "[{", '[{"id": "a"', "7", "[" * 10_000, '[{"id": ' + "[" * 10_000])
def test_a_file_of_which_nothing_can_be_read_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        read(text.encode(), AT, "graph-json")


def test_deep_nesting_behind_good_nodes_is_refused_too() -> None:
    text = json.dumps([node("a")])[:-1] + ', {"id": "b", "x": ' + '{"a":' * 10_000
    with pytest.raises(FormatError, match="nested too deeply"):
        read(text.encode(), AT)


def test_text_behind_the_array() -> None:
    document = read(json.dumps([node("a")]).encode() + b"\n[]", AT)
    assert len(document.notes) == 1
    assert document.problems[0].line == 2


def test_halves_of_surrogate_pairs_and_nuls_never_reach_a_note() -> None:
    text = json.dumps([node("a", tags=["\ud83d", "x\0y"])])
    document = read(text.encode(), AT)
    assert document.notes[0].tags == ("\ufffd", "xy")
    assert [(problem.line, problem.skipped) for problem in document.problems] == [(1, False)] * 2
