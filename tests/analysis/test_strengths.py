"""Changes of strength read from the journal: backwards it tells what happened forwards."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from events_of import BEGIN, LAWS, STEPS, History, lived
from hypothesis import given

from soulmem.analysis.strengths import Cause, entry_of, strength_events
from soulmem.model.notes import Category
from soulmem.store.journal import packed


@LAWS
@given(STEPS)
def test_backwards_the_journal_tells_what_happened_forwards(steps) -> None:
    history = lived(steps)
    found = strength_events(history.entries[::-1], history.notes())
    assert [replace(event, cause=Cause.CHANGED) for event in found] == [
        replace(event, cause=Cause.CHANGED) for event in history.events
    ]
    assert [event.cause for event in found] == [event.cause for event in history.events]


@LAWS
@given(STEPS)
def test_the_events_of_a_note_are_a_chain(steps) -> None:
    history = lived(steps)
    states: dict[str, object] = {}
    for event in strength_events(history.entries[::-1], history.notes()):
        assert states.get(event.of.note) == event.before
        states[event.of.note] = event.after
    assert {note: state for note, state in states.items() if state} == history.states


def test_what_was_before_is_not_known_where_it_was_forgotten() -> None:
    history = History()
    history.born("a", 0.0)
    history.sweep("a", 10.0)
    history.recall("a", 20.0)
    entries = [replace(entry, before={}) if entry.number == 2 else entry for entry in history.entries]
    born, swept, recalled = strength_events(entries[::-1], history.notes())
    assert recalled.before == history.events[2].before
    assert swept.before.strength is None and swept.before.decayed_at is None and swept.before.retrieval_count == 0
    assert born.after.strength is None


def test_an_undoing_is_no_recall() -> None:
    history = History()
    history.born("a", 0.0)
    history.recall("a", 5.0)
    history.entries[1] = replace(history.entries[1], is_undoing=True)
    assert [event.cause for event in strength_events(history.entries[::-1], history.notes())] == [Cause.BORN, Cause.UNDO]


@pytest.mark.parametrize("size", [1, 60_000], ids=["short", "packed"])
def test_an_entry_is_read_from_its_text(size) -> None:
    before = {
        "updated": {"a": {"strength": 0.5, "decayed_at": BEGIN.isoformat()}},
        "removed": {"notes": {"Semantic": {"id": ["b"], "key": ["kb"], "category": ["state"], "strength": [0.25]}}},
        "terms": {"a": {"w" * size: 1} | {str(number): number for number in range(size)}},
    }
    after = {"notes": ["c"], "updated": {"a": {"strength": 1.0}, "d": {"description": "x"}}}
    row = {"number": 3, "at": BEGIN, "command": "ask", "before": packed(before), "after": json.dumps(after), "undoes": None}
    entry = entry_of(row)
    assert (entry.number, entry.born, entry.is_undoing) == (3, ("c",), False)
    assert set(entry.after) == {"a"}, "what has no strength in it is of no interest"
    assert entry.gone[0][1]["id"] == "b" and entry.gone[0][1]["category"] == Category.STATE
