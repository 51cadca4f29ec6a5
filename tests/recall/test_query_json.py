"""Query JSON: files as people and models write them, and what is wrong with them named by its place."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.model.notes import Environment, Event, Location, Participant
from soulmem.model.queries import QueryConfig, QuerySuite, SemanticUnit, SituationUnit, SubQuery, TimeSpan
from soulmem.recall.query_json import read_sub_queries, read_suite

LAWS = settings(deadline=None, max_examples=100)

SUITE: dict[str, Any] = {
    "name": "lighthouse",
    "description": "what the keeper remembers",
    "graph_path": "graph.json",
    "config": {"similarity_threshold": 0.0, "max_results": 10, "test_k_values": [1, 3, 5]},
    "blend_sweep": {"tag_sweep": [0.3, 0.5]},
    "test_cases": [
        {
            "name": "the storm",
            "description": "",
            "sub_queries": [
                {
                    "priority": 2,
                    "tag": ["storm", "灯塔"],
                    "variant": {"Semantic": [{"concept_identifier": "lamp", "description": "the light on the tower"}]},
                },
                {
                    "priority": 1,
                    "tag": [],
                    "variant": {
                        "Situation": [
                            {
                                "narrative": "暴风雨那晚灯灭了",
                                "location": [{"name": "lighthouse", "coordinates": "54,-3"}, {"name": "harbour"}],
                                "participants": [{"name": "Ada", "role": "keeper"}],
                                "time_span": [{"start": "2024-01-02T03:04:05Z", "end": None}],
                                "environment": {"atmosphere": "cold", "tone": "tense"},
                                "event": [
                                    {"action": "relight", "action_intensity": 0.5, "initiator": "Ada", "target": "lamp"},
                                    {"action": "shout"},
                                ],
                            },
                            {
                                "narrative": "only this",
                                "location": None,
                                "participants": None,
                                "time_span": None,
                                "environment": None,
                                "event": None,
                            },
                        ]
                    },
                },
            ],
            "expected_per_query": [
                {"q": 1, "ranking": ["sit_storm"], "bonus_ranking": ["sit_calm"]},
                {"q": 0, "ranking": []},
            ],
            "expected_combined_ranking": ["sit_storm", "sem_lamp"],
            "bonus_combined_ranking": ["sem_tower"],
            "expected_actions": ["proc_relight"],
            "has_expected_abstract": True,
            "expected_abstract": ["abs_night"],
        },
        {"name": "bare", "sub_queries": [{"variant": {"Semantic": []}, "tag": "storm"}]},
    ],
}


def suite(document: Any) -> QuerySuite:
    return read_suite(json.dumps(document, ensure_ascii=False), "q.json")


def one(document: Any) -> SubQuery:
    (query,) = read_sub_queries(json.dumps(document))
    return query


def changed(path: tuple[str | int, ...], value: Any) -> Any:
    """:data:`SUITE` with another value at ``path``."""
    document = copy.deepcopy(SUITE)
    place = document
    for step in path[:-1]:
        place = place[step]  # type: ignore[index]
    place[path[-1]] = value  # type: ignore[index]
    return document


# -- a whole file --------------------------------------------------------------------------------------------------------------


def test_a_whole_file_is_read_as_it_stands() -> None:
    found = suite(SUITE)
    assert (found.name, found.description, found.graph_path) == ("lighthouse", "what the keeper remembers", "graph.json")
    assert found.config == QueryConfig(similarity_threshold=0.0, max_results=10, test_k_values=(1, 3, 5))
    storm, bare = found.cases
    assert storm.name == "the storm"
    assert storm.sub_queries == (
        SubQuery(
            priority=2.0,
            tags=("storm", "灯塔"),
            units=(SemanticUnit(concept_identifier="lamp", description="the light on the tower"),),
            of="Semantic",
        ),
        SubQuery(
            priority=1.0,
            units=(
                SituationUnit(
                    narrative="暴风雨那晚灯灭了",
                    locations=(Location("lighthouse", "54,-3"), Location("harbour")),
                    participants=(Participant("Ada", "keeper"),),
                    time_spans=(TimeSpan(start=datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC), end=None),),
                    environment=Environment("cold", "tense"),
                    events=(Event("relight", 0.5, "Ada", "lamp"), Event("shout")),
                ),
                SituationUnit(narrative="only this"),
            ),
            of="Situation",
        ),
    )
    assert storm.expected_per_query == ((), ("sit_storm",))
    assert storm.bonus_per_query == ((), ("sit_calm",))
    assert storm.expected_combined == ("sit_storm", "sem_lamp")
    assert storm.bonus_combined == ("sem_tower",)
    assert storm.expected_actions == ("proc_relight",)
    assert storm.has_expected_abstract and storm.expected_abstract == ("abs_night",)
    assert bare.sub_queries == (SubQuery(tags=("storm",), units=(), of="Semantic"),)
    assert bare.expected_per_query == ((),) and not bare.has_expected_abstract


@pytest.mark.parametrize("config", [{}, None, {"similarity_threshold": None}])
def test_what_a_file_does_not_say_has_its_default(config: Any) -> None:
    document = {"test_cases": [], "config": config}
    found = suite(document)
    assert found.config == QueryConfig(similarity_threshold=0.35, max_results=4, test_k_values=(1, 3, 5))
    assert (found.name, found.graph_path, found.cases) == ("", "", ())


# -- one question, wrapped or not ----------------------------------------------------------------------------------------------

CONCEPT = {"concept_identifier": "lamp", "description": "light"}
SITUATION = {"narrative": "the night", "location": [{"name": "tower"}]}
CONCEPT_UNIT = SemanticUnit(concept_identifier="lamp", description="light")
SITUATION_UNIT = SituationUnit(narrative="the night", locations=(Location("tower"),))


@pytest.mark.parametrize(
    ("document", "of", "unit"),
    [
        ({"variant": {"Semantic": [CONCEPT]}}, "Semantic", CONCEPT_UNIT),
        ({"variant": {"Semantic": CONCEPT}}, "Semantic", CONCEPT_UNIT),
        ({"variant": [CONCEPT]}, "Semantic", CONCEPT_UNIT),
        ({"variant": CONCEPT}, "Semantic", CONCEPT_UNIT),
        ({"Semantic": [CONCEPT]}, "Semantic", CONCEPT_UNIT),
        (CONCEPT, "Semantic", CONCEPT_UNIT),
        ([CONCEPT], "Semantic", CONCEPT_UNIT),
        ({"sub_queries": [{"variant": {"Semantic": [CONCEPT]}}]}, "Semantic", CONCEPT_UNIT),
        ({"variant": {"Situation": [SITUATION]}}, "Situation", SITUATION_UNIT),
        ({"variant": [SITUATION]}, "Situation", SITUATION_UNIT),
        ({"variant": SITUATION}, "Situation", SITUATION_UNIT),
        ({"Situation": [SITUATION]}, "Situation", SITUATION_UNIT),
        (SITUATION, "Situation", SITUATION_UNIT),
    ],
)
def test_a_unit_is_what_it_is_whatever_wraps_it(document: Any, of: str, unit: Any) -> None:
    assert one(document) == SubQuery(units=(unit,), of=of)


@pytest.mark.parametrize("field", ["narrative", "location", "participants", "time_span", "environment", "event"])
def test_one_field_makes_a_situation_even_when_it_is_null(field: str) -> None:
    assert one({field: None}) == SubQuery(units=(SituationUnit(),), of="Situation")


@pytest.mark.parametrize("document", [CONCEPT, {"Semantic": [CONCEPT]}, {"variant": CONCEPT}])
def test_tags_and_priority_count_without_a_variant_too(document: dict[str, Any]) -> None:
    found = one({**document, "tag": ["storm"], "priority": 3})
    assert found == SubQuery(priority=3.0, tags=("storm",), units=(CONCEPT_UNIT,), of="Semantic")


def test_several_questions_at_once() -> None:
    found = read_sub_queries(json.dumps([CONCEPT, {"priority": 0.5, "variant": {"Situation": [SITUATION]}}]))
    assert [query.of for query in found] == ["Semantic", "Situation"]
    assert [query.priority for query in found] == [1.0, 0.5]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-01-02T03:04:05Z", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02T03:04:05+08:00", datetime(2024, 1, 1, 19, 4, 5, tzinfo=UTC)),
        ("2024-01-02T03:04:05", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02", datetime(2024, 1, 2, tzinfo=UTC)),
        ("", None),
        (None, None),
    ],
)
def test_times_become_utc(text: str | None, expected: datetime | None) -> None:
    (unit,) = one({"time_span": [{"start": text}]}).units
    assert isinstance(unit, SituationUnit)
    assert unit.time_spans == (TimeSpan(start=expected, end=None),)


# -- what is wrong, and where --------------------------------------------------------------------------------------------------

CASE = ("test_cases", 0)
UNIT = (*CASE, "sub_queries", 1, "variant", "Situation", 0)
WHERE = "test_cases[0].sub_queries[1].variant.Situation[0]"


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("name",), 7, "name"),
        (("config",), [], "config"),
        (("config", "max_results"), 0, "config.max_results"),
        (("config", "max_results"), 2.5, "config.max_results"),
        (("config", "max_results"), True, "config.max_results"),
        (("config", "max_results"), 10**400, "config.max_results"),
        (("config", "similarity_threshold"), "high", "config.similarity_threshold"),
        (("config", "similarity_threshold"), float("nan"), "config.similarity_threshold"),
        (("config", "similarity_threshold"), float("inf"), "config.similarity_threshold"),
        (("config", "test_k_values"), [1, -1], "config.test_k_values[1]"),
        (("test_cases",), "all", "test_cases"),
        ((*CASE,), None, "test_cases[0]"),
        ((*CASE, "sub_queries"), 3, "test_cases[0].sub_queries"),
        ((*CASE, "sub_queries", 0), [], "test_cases[0].sub_queries[0]"),
        ((*CASE, "sub_queries", 0, "priority"), 0, "test_cases[0].sub_queries[0].priority"),
        ((*CASE, "sub_queries", 0, "tag"), [1], "test_cases[0].sub_queries[0].tag[0]"),
        ((*CASE, "sub_queries", 0, "variant"), {}, "test_cases[0].sub_queries[0].variant"),
        ((*CASE, "sub_queries", 0, "variant"), None, "test_cases[0].sub_queries[0].variant"),
        ((*CASE, "sub_queries", 0, "variant"), [CONCEPT, SITUATION], "test_cases[0].sub_queries[0].variant"),
        (
            (*CASE, "sub_queries", 0, "variant"),
            {"Semantic": [CONCEPT], "Situation": [SITUATION]},
            "test_cases[0].sub_queries[0].variant",
        ),
        ((*CASE, "sub_queries", 0, "variant", "Semantic"), [SITUATION], "test_cases[0].sub_queries[0].variant.Semantic[0]"),
        (UNIT, CONCEPT, WHERE),
        (UNIT, {}, WHERE),
        ((*UNIT, "narrative"), ["x"], f"{WHERE}.narrative"),
        ((*UNIT, "location"), ["tower"], f"{WHERE}.location[0]"),
        ((*UNIT, "location", 0, "name"), {}, f"{WHERE}.location[0].name"),
        ((*UNIT, "environment"), "cold", f"{WHERE}.environment"),
        ((*UNIT, "event", 0, "action_intensity"), 1.5, f"{WHERE}.event[0].action_intensity"),
        ((*UNIT, "time_span", 0, "start"), "yesterday", f"{WHERE}.time_span[0].start"),
        ((*UNIT, "time_span", 0, "start"), 1704164645, f"{WHERE}.time_span[0].start"),
        ((*UNIT, "time_span", 0, "end"), "0001-01-01T00:00:00+14:00", f"{WHERE}.time_span[0].end"),
        ((*CASE, "expected_per_query", 0, "q"), 2, "test_cases[0].expected_per_query[0].q"),
        ((*CASE, "expected_per_query", 0, "q"), 0.5, "test_cases[0].expected_per_query[0].q"),
        ((*CASE, "expected_per_query", 0, "ranking"), [None, 1], "test_cases[0].expected_per_query[0].ranking[1]"),
        ((*CASE, "sub_queries"), [], "test_cases[0].expected_per_query[0].q"),
    ],
)
def test_a_fault_is_named_by_its_place(path: tuple[str | int, ...], value: Any, where: str) -> None:
    with pytest.raises(FormatError) as caught:
        suite(changed(path, value))
    assert caught.value.what.startswith(f"{where}: ")
    assert caught.value.place == "q.json"


@pytest.mark.parametrize(
    ("text", "place"),
    [("", "q.json:1"), ('{"name": "x",\n "test_cases": [,]}', "q.json:2"), ("{} {}", "q.json:1"), ("\ufeff{}", "q.json:1")],
)
def test_what_is_no_json_is_named_by_its_line(text: str, place: str) -> None:
    for read in (read_suite, read_sub_queries):
        with pytest.raises(FormatError, match="not JSON") as caught:
            read(text, "q.json")
        assert caught.value.place == place


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "1" * 5000, f'{{"test_cases": [], "x": {"9" * 5000}}}'])
def test_what_only_looks_like_json_does_not_break_the_reader(text: str) -> None:
    for read in (read_suite, read_sub_queries):
        with pytest.raises(FormatError):
            read(text)


@pytest.mark.parametrize("document", [[], {}, None, 3, "x", {"chat": "c.jsonl", "questions": []}, [{"id": "n", "mem_type": {}}]])
def test_another_file_is_not_taken_for_an_empty_suite(document: Any) -> None:
    with pytest.raises(FormatError):
        suite(document)


@pytest.mark.parametrize("document", [[], {}, None, 3, "x", {"sub_queries": []}, {"tag": ["storm"]}, [{"variant": "x"}]])
def test_no_question_is_a_fault(document: Any) -> None:
    with pytest.raises(FormatError):
        read_sub_queries(json.dumps(document))


def test_a_whole_file_is_not_one_question() -> None:
    two = {**SUITE, "test_cases": [SUITE["test_cases"][0]] * 2}
    with pytest.raises(FormatError, match="2 cases"):
        read_sub_queries(json.dumps(two))
    one = {**SUITE, "test_cases": SUITE["test_cases"][:1]}
    assert read_sub_queries(json.dumps(one)) == read_sub_queries(json.dumps(SUITE["test_cases"][0]))


# -- anything at all -----------------------------------------------------------------------------------------------------------

JUNK: tuple[Any, ...] = (None, True, 0, -1, 2, 0.5, 1e308, 10**30, "", "x", "2024-01-01", [], {}, [None], [[]], {"": 0}, ["x"])


def replaced(document: Any, rng: np.random.Generator) -> Any:
    """A copy with something else at a random place, or without what was there."""
    if isinstance(document, dict) and document and rng.random() < 0.85:
        name = list(document)[int(rng.integers(len(document)))]
        rest = {key: value for key, value in document.items() if key != name}
        return rest if rng.random() < 0.1 else document | {name: replaced(document[name], rng)}
    if isinstance(document, list) and document and rng.random() < 0.85:
        place = int(rng.integers(len(document)))
        return [*document[:place], replaced(document[place], rng), *document[place + 1 :]]
    return JUNK[int(rng.integers(len(JUNK)))]


def read_or_refuse(text: str) -> None:
    with suppress(FormatError):
        assert isinstance(read_suite(text), QuerySuite)
    with suppress(FormatError):
        assert read_sub_queries(text)


@LAWS
@given(st.integers(0, 2**32 - 1))
def test_a_damaged_file_is_read_or_refused_by_name(seed: int) -> None:
    rng = np.random.default_rng(seed)
    document: Any = SUITE
    for _ in range(rng.integers(1, 4)):
        document = replaced(document, rng)
    read_or_refuse(json.dumps(document))


@LAWS
@given(
    st.recursive(
        st.sampled_from(JUNK),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["Semantic", "event", "q"]), inner),
        max_leaves=8,
    )
)
@example({"test_cases": {"expected_per_query": {"q": 0}}})
def test_any_json_is_read_or_refused_by_name(document: Any) -> None:
    read_or_refuse(json.dumps(document))


@LAWS
@given(st.text(max_size=40))
def test_any_text_is_read_or_refused_by_name(text: str) -> None:
    read_or_refuse(text)
