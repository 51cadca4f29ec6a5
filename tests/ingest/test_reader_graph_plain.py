"""Links that are written as soulmem writes them are read by a shorter way: it must not be seen but in the time it takes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from soulmem.ingest import Document, read
from soulmem.ingest.graph_export import graph_json
from soulmem.ingest.graph_plain import plain_link
from soulmem.ingest.plan_graph import KnownGraph, plan_graph
from soulmem.model.notes import NoteType

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
TYPES = {"a": NoteType.SPECIFIC, "b": NoteType.SEMANTIC, "c": NoteType.PROCEDURE, "d": NoteType.ABSTRACT}
UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"
PLAIN: dict[str, Any] = {
    "from": "a",
    "to": "b",
    "intensity": 0.5,
    "link_type": {"Sem": {"verb": "of", "confidence": 1.0}},
    "soulmem": {"uuid": UUID, "created_at": "2026-01-01T00:00:00Z"},
}


def read_json(nodes: Any) -> Document:
    return read(json.dumps(nodes, ensure_ascii=False).encode(), AT, "graph-json")


def exported(name: str) -> list[dict[str, Any]]:
    """A shipped character as soulmem exports it."""
    document = read((FIXTURES / name / "graph.json").read_bytes(), AT)
    plan = plan_graph(document, KnownGraph(notes={}), file=name)
    nodes: list[dict[str, Any]] = json.loads(graph_json(plan.notes, plan.links))
    return nodes


@pytest.mark.parametrize("name", ["wren", "xiaohong"])
def test_both_ways_give_the_same_links(name: str) -> None:
    nodes = exported(name)
    plain = read_json(nodes)
    types = {note.key: note.type for note in plain.notes}
    links = [(node["id"], link) for node in nodes for link in node["mem_links"]]
    assert [plain_link(link, holder, types, AT, 1) for holder, link in links] == list(plain.links)
    for _, link in links:
        link["unheard of"] = 1
    item_by_item = read_json(nodes)
    assert len(item_by_item.problems) == len(links) > 80
    assert item_by_item.links == plain.links
    assert item_by_item.notes == plain.notes
    assert plain.problems == ()


def test_the_plain_link_is_plain() -> None:
    link = plain_link(PLAIN, "a", TYPES, AT, 7)
    assert link is not None
    assert (link.source_key, link.target_key, link.id, link.line, link.intensity) == ("a", "b", UUID, 7, 0.5)


@pytest.mark.parametrize(
    "deviation",
    [
        {"from": "b"}, {"from": None}, {"to": "a"}, {"to": " "}, {"to": "missing"}, {"to": 1}, {"to": "c"},
        {"intensity": 1}, {"intensity": True}, {"intensity": -0.5}, {"intensity": float("nan")}, {"intensity": 1e7}, {"more": 1},
        {"link_type": None}, {"link_type": {}}, {"link_type": {"Sem": {"verb": "of"}}}, {"link_type": {"Sem": {"verb": "of",
        "confidence": 1.5}}}, {"link_type": {"Sem": {"verb": "of", "confidence": 1.0, "more": 1}}},
        {"link_type": {"Sem": {"verb": "of", "confidence": 1.0}, "Proc": {}}}, {"link_type": {"Situation": "SpecificToSpecific"}},
        {"to": "c", "link_type": {"Proc": {"prob": 0.5}}}, {"to": "d", "link_type": {"Situation": {"SpecificToSpecific": {}}}},
        {"soulmem": None}, {"soulmem": {"uuid": UUID.upper()}}, {"soulmem": {"uuid": None}}, {"soulmem": {"created_at": "then"}},
        {"soulmem": {"created_at": 1}}, {"soulmem": {"fired_count": 1.0}}, {"soulmem": {"fired_count": -1}},
        {"soulmem": {"x": 1}},
    ],
)  # fmt: skip
def test_what_deviates_is_left_to_the_longer_way(deviation: dict[str, Any]) -> None:
    assert plain_link(PLAIN | deviation, "a", TYPES, AT, 1) is None
    assert plain_link(PLAIN, "b", TYPES, AT, 1) is None
