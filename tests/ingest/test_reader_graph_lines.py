"""Graph JSON as JSON Lines: the same graph, and of a broken line only that line is lost."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from soulmem.errors import FormatError
from soulmem.ingest import graph_json
from soulmem.ingest.formats import detect
from soulmem.ingest.graph_export import graph_lines

AT = datetime(2026, 11, 1, tzinfo=UTC)
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


@pytest.fixture(scope="module", params=["wren", "xiaohong"])
def graph(request: pytest.FixtureRequest) -> str:
    return (FIXTURES / request.param / "graph.json").read_text()


def test_lines_are_the_same_graph(graph: str) -> None:
    lines = graph_lines(graph)
    assert detect(lines.encode()).name == "graph-json"
    whole, parted = (graph_json.read(text.encode(), AT) for text in (graph, lines))
    assert parted.notes == whole.notes
    assert [(one.source_key, one.target_key, one.payload) for one in parted.links] == [
        (one.source_key, one.target_key, one.payload) for one in whole.links
    ]
    assert parted.problems == whole.problems


@pytest.mark.parametrize("broken", ['{"id": "x"', "prose", "[" * 100_000])
def test_a_broken_line_is_told_by_its_number_and_the_others_are_read(graph: str, broken: str) -> None:
    lines = graph_lines(graph).split("\n")
    lines[3] = broken
    found = graph_json.read("\n".join([*lines[:6], "", "  ", *lines[6:]]).encode(), AT)
    assert len(found.notes) == len(json.loads(graph)) - 1
    assert [problem.line for problem in found.problems] == [4]
    assert max(link.line or 0 for link in found.links) <= len(lines) + 1


def test_a_line_that_is_no_node_is_told_by_its_number(graph: str) -> None:
    found = graph_json.read((graph_lines(graph) + '\n{"id": 3}\n').encode(), AT)
    assert [problem.line for problem in found.problems] == [len(json.loads(graph)) + 2]


def test_nothing_but_broken_lines_is_refused() -> None:
    with pytest.raises(FormatError):
        graph_json.read(b'{"id": "a", "mem_type"', AT)
