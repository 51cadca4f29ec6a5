"""Nodes that are written as soulmem writes them are read by a shorter way: it must not be seen but in the time it takes."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from soulmem.ingest import read
from soulmem.ingest.graph_export import graph_json
from soulmem.ingest.graph_nodes import read_node
from soulmem.ingest.graph_plain_nodes import plain_note
from soulmem.ingest.graph_scan import MisfitError, RawNode
from soulmem.ingest.plan_graph import KnownGraph, plan_graph
from soulmem.model.notes import Note

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"
TIME = "2026-01-01T00:00:00Z"

SEMANTIC = {"content": "Wren", "aliases": ["the smith"], "concept_type": "Entity", "description": "She works iron."}
CONTEXT = {
    "location": {"name": "forge", "coordinates": ""},
    "participants": [{"name": "Wren", "role": "smith"}],
    "emotions": [{"name": "joy", "intensity": 0.5}],
    "sensory_data": [{"name": "smoke", "intensity": 1.0}],
    "environment": {"atmosphere": "warm", "tone": ""},
    "event": [{"action": "forging", "action_intensity": 0.7, "initiator": "Wren", "target": "blade"}],
}
SPECIFIC = {"narrative": "She forged a blade.", "time_span": {"start": TIME, "end": TIME}, "context": CONTEXT}
ENVELOPE = {
    "uuid": UUID,
    "created_at": TIME,
    "decayed_at": "2026-02-01T00:00:00Z",
    "last_accessed_at": "2026-02-01T00:00:00Z",
    "due_at": "2026-03-01T00:00:00Z",
    "retrieval_count": 3,
    "strength": 0.5,
    "pinned": True,
    "core": True,
    "active": False,
    "category": "preference",
    "sources": ["m1", "m2"],
}
BODIES: list[dict[str, Any]] = [
    {"Semantic": SEMANTIC},
    {"Situation": {"SpecificSituation": SPECIFIC}},
    {"Situation": {"AbstractSituation": {"Location": CONTEXT["location"]}}},
    {"Situation": {"AbstractSituation": {"Participant": {"name": "Wren", "role": "smith"}}}},
    {"Situation": {"AbstractSituation": {"Environment": CONTEXT["environment"]}}},
    {"Situation": {"AbstractSituation": {"Event": CONTEXT["event"][0]}}},  # type: ignore[index]
    {"Procedure": {"action": {"content": "Temper it.", "action_type": {"Skill": {}}}}},
    {"Procedure": {"action": {"content": "Say so.", "action_type": "Speak"}}},
]
ODD: list[Any] = [
    None,
    "",
    " ",
    "x",
    0,
    1,
    1.0,
    -1,
    2.0,
    float("nan"),
    True,
    [],
    ["x"],
    [None],
    {},
    {"x": 1},
    "public",
    TIME,
    UUID,
]
ODD += [UUID.upper(), "2026-06-01", "entity", "Event", "skill", {"Skill": {"x": 1}}, {"Speak": {}}, [{"name": "x"}], 2**60]


def node(body: dict[str, Any]) -> dict[str, Any]:
    return copy.deepcopy({"id": "n", "tags": ["t"], "mem_type": body, "mem_links": [], "soulmem": ENVELOPE})


def longer_way(value: Any) -> tuple[Note, list[str]] | None:
    try:
        return read_node(RawNode(1, 1, value), AT)
    except MisfitError:
        return None


def changed(value: Any) -> Iterator[Any]:
    """``value`` with each of its parts in turn replaced by something odd, left out, or joined by another."""
    yield from ODD
    if isinstance(value, dict):
        yield {**value, "more": 1}
        yield {**value, "scope": "public"}
        for name in value:
            yield {other: part for other, part in value.items() if other != name}
            yield from ({**value, name: part} for part in changed(value[name]))
    if isinstance(value, list):
        for place, part in enumerate(value):
            yield from ([*value[:place], other, *value[place + 1 :]] for other in changed(part))


@pytest.mark.parametrize("body", BODIES)
def test_what_is_plain_is_read_as_by_the_longer_way(body: dict[str, Any]) -> None:
    value = node(body)
    note = plain_note(RawNode(1, 1, value), AT)
    assert note is not None
    assert (note, []) == longer_way(value)


@pytest.mark.parametrize("body", BODIES)
def test_whatever_deviates_is_read_as_by_the_longer_way_or_left_to_it(body: dict[str, Any]) -> None:
    left = taken = 0
    for value in changed(node(body)):
        note = plain_note(RawNode(1, 1, value), AT)
        if note is None:
            left += 1
        else:
            taken += 1
            assert (note, []) == longer_way(value), json.dumps(value)
    assert left > 300
    assert taken > 20


def test_a_name_that_stands_there_twice_is_not_plain() -> None:
    value = node(BODIES[0])
    assert plain_note(RawNode(1, 1, value, twice=["tags"]), AT) is None


@pytest.mark.parametrize("name", sorted(path.name for path in FIXTURES.iterdir() if (path / "graph.json").exists()))
def test_every_node_that_is_exported_is_plain(name: str) -> None:
    document = read((FIXTURES / name / "graph.json").read_bytes(), AT)
    plan = plan_graph(document, KnownGraph(notes={}), file=name)
    for value in json.loads(graph_json(plan.notes, plan.links)):
        note = plain_note(RawNode(1, 1, value), AT)
        assert (note, []) == longer_way(value)
