"""Recall with the default embedder finds what must be found: the shipped characters' own questions, and four notes.

Slow for a test (about a minute of one core): every text of two characters is embedded once.
"""

from __future__ import annotations

import importlib.util
import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest
from soul_minds import FIXTURES, Json, concept, episode, graph, sem, way

from soulmem.embed.e5 import E5Embedder
from soulmem.model.notes import SpecificSituation
from soulmem.model.results import Stage
from soulmem.recall.query_json import read_suite
from soulmem.soul import Soul


def _benchmark(name: str) -> ModuleType:
    file = Path(__file__).resolve().parents[2] / "benchmarks" / f"{name}.py"
    specification = importlib.util.spec_from_file_location(name, file)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


quality = _benchmark("quality")


@pytest.fixture(scope="module", params=["wren", "xiaohong"])
def suite_file(request: pytest.FixtureRequest) -> Path:
    return FIXTURES / str(request.param) / "queries.json"


@pytest.fixture(scope="module")
def character(suite_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    suite = read_suite(suite_file.read_text(encoding="utf-8"), str(suite_file))
    folder = str(tmp_path_factory.mktemp("e5"))
    with quality.soul_with(suite_file.parent / suite.graph_path, suite.config, folder, "e5") as soul:
        soul.settings = soul.settings.with_values(association_time_limit_ms=600_000.0)
        yield soul


@pytest.fixture(scope="module")
def scores(character: Soul, suite_file: Path) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for case in read_suite(suite_file.read_text(encoding="utf-8"), str(suite_file)).cases:
        quality.case_scores(character, case, found)
    return found


#: What is measured, how many cases there must be for it to mean something, and the mean it must reach.
MUST = {
    "musts all found": (50, 0.97),
    "action hit": (10, 0.85),
    "patterns detected": (7, 0.90),
    "negatives empty": (4, 1.0),
}


@pytest.mark.parametrize("measure", MUST)
def test_questions_of_the_characters(scores: dict[str, list[float]], measure: str) -> None:
    cases, least = MUST[measure]
    assert len(scores[measure]) >= cases
    assert sum(scores[measure]) / len(scores[measure]) >= least


def test_what_only_association_reaches_is_reached(scores: dict[str, list[float]]) -> None:
    values = scores["musts all found: association"] + scores["musts all found: 联想"]
    assert len(values) >= 10
    assert sum(values) / len(values) >= 0.9


def test_nonsense_brings_nothing_to_mind(character: Soul) -> None:
    for text in ("qzx vbnm plrf", "?!…。。。", "0x7f3a9c", "lorem ipsum dolor sit amet"):
        found = character.recall(text, at=quality.AT)
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
    found = quality.suite_scores(tmp_path / "queries.json", embedder="e5")
    assert quality.means(found)["musts all found"] == quality.means(found)["negatives empty"] == 1.0
    assert len(found["musts all found"]) == 2 and len(found["negatives empty"]) == 1
    with Soul.create(tmp_path / "a.mind", embedder=E5Embedder()) as soul:
        soul.ingest(tmp_path / "graph.json")
        day = soul.note("day").body
        assert isinstance(day, SpecificSituation) and day.time_start == datetime(2024, 3, 15, tzinfo=UTC)
        ranking = soul.recall("the programming language Rust", messages=3).memories
        assert ranking[0].key == "rust"
