"""Recall with the default embedder finds what must be found: the shipped characters' own questions, and four notes.

Slow for a test (about a minute of one core): every text of two characters is embedded once.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from soul_minds import FIXTURES, PATIENT, Json, concept, episode, graph, sem, way

from soulmem.model.notes import SpecificSituation
from soulmem.model.results import Stage
from soulmem.soul import Soul
from soulmem.tune.questions import QuestionFile, Suite, read_questions
from soulmem.tune.report import Report, report_of
from soulmem.tune.run import evaluate

AT = datetime(2026, 11, 1, tzinfo=UTC)


def made(folder: Path, graph_file: Path) -> Path:
    """A mind of this graph."""
    mind = folder / "a.mind"
    with Soul.create(mind, embedder="e5", clock=lambda: AT) as soul:
        soul.ingest(graph_file)
    return mind


def judged(questions: QuestionFile, mind: Path) -> Report:
    return report_of([evaluate(questions, Suite.FULL, partial(Soul.open, mind, read_only=True), at=AT)])


@pytest.fixture(scope="module", params=["wren", "xiaohong"])
def questions(request: pytest.FixtureRequest) -> QuestionFile:
    return read_questions(FIXTURES / str(request.param) / "queries.json", Suite.FULL)


@pytest.fixture(scope="module")
def character(questions: QuestionFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("e5"), questions.source)


@pytest.fixture(scope="module")
def report(character: Path, questions: QuestionFile) -> Report:
    return judged(questions, character)


#: What is measured, how many cases there must be for it to mean something, and the mean it must reach.
MUST = {
    "must_hit": (50, 0.97),
    "action_hit": (10, 0.85),
    "abstract_detected": (7, 0.90),
    "association_only": (10, 0.90),
    "negatives_empty": (4, 1.0),
}


@pytest.mark.parametrize("measure", MUST)
def test_questions_of_the_characters(report: Report, measure: str) -> None:
    cases, least = MUST[measure]
    assert report.counts[measure] >= cases
    assert report.metrics[measure] >= least


def test_what_only_association_reaches_is_reached(report: Report) -> None:
    found = [result for result in report.results if result.kind in ("association", "联想")]
    assert len(found) >= 10
    assert sum(result.scores["must_hit"] for result in found) / len(found) >= 0.9


def test_nonsense_brings_nothing_to_mind(character: Path) -> None:
    with Soul.open(character, read_only=True, settings=PATIENT) as soul:
        for text in ("qzx vbnm plrf", "?!…。。。", "0x7f3a9c", "lorem ipsum dolor sit amet"):
            found = soul.recall(text, at=AT)
            assert [memory.key for memory in found.memories if memory.stage is not Stage.CORE] == [], text


# Four notes, in the shape of older files: the time of a situation is a bare text.

NOTES = (
    concept("rust", "Rust", [("day", sem("learnt on"))], aliases=["Rust language"], description="A language for systems."),
    concept("kyoto", "Kyoto", description="An old city in Japan with many temples.", tags=["city", "travel"]),
    episode(
        "day",
        "I spent a rainy day at home writing my first parser and it finally compiled at midnight.",
        [("rust", sem("in"))],
        time_span="2024-03-15",
        context={"environment": {"atmosphere": "rainy, quiet", "tone": "content"}},
        tags=["coding"],
    ),
    way("explain", "Explain things with small examples."),
)


def case(name: str, expected: list[str], *sub_queries: Json) -> Json:
    nothing: Json = {"expected_per_query": [], "expected_actions": []}
    return {"name": name, "sub_queries": list(sub_queries), "expected_combined_ranking": expected} | nothing


def asks(variant: Json, *tags: str, priority: int = 5) -> Json:
    return {"priority": priority, "tag": list(tags), "variant": variant}


LANGUAGE = asks({"Semantic": [{"concept_identifier": "programming language", "description": "for systems programming"}]}, "code")
CITY = asks({"Semantic": [{"concept_identifier": "old Japanese city"}]}, "travel", priority=8)
CODING = asks({"Situation": [{"narrative": "a day of writing code at home while it rained"}]}, "coding")
SPACE = asks({"Semantic": [{"concept_identifier": "volcanoes of Jupiter's moon", "description": "sulphur plumes"}]}, "astronomy")

SUITE = {
    "name": "smoke",
    "description": "",
    "graph_path": "graph.json",
    "config": {"similarity_threshold": 0.35, "max_results": 4, "test_k_values": [1, 3]},
    "test_cases": [
        case("two sub-queries", ["rust", "kyoto"], LANGUAGE, CITY),
        case("mixed", ["rust", "day"], LANGUAGE, CODING),
        case("negative", [], SPACE),
    ],
}


def test_four_notes_in_the_shape_of_older_files(tmp_path: Path) -> None:
    (tmp_path / "graph.json").write_bytes(graph(*NOTES))
    (tmp_path / "queries.json").write_text(json.dumps(SUITE))
    mind = made(tmp_path, tmp_path / "graph.json")
    found = judged(read_questions(tmp_path / "queries.json", Suite.FULL), mind)
    assert found.metrics["must_hit"] == found.metrics["negatives_empty"] == 1.0
    assert found.counts["must_hit"] == 2 and found.counts["negatives_empty"] == 1
    with Soul.open(mind, read_only=True, settings=PATIENT) as soul:
        day = soul.note("day").body
        assert isinstance(day, SpecificSituation) and day.time_start == datetime(2024, 3, 15, tzinfo=UTC)
        ranking = soul.recall("the programming language Rust", messages=3).memories
        assert ranking[0].key == "rust"
