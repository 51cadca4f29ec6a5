"""Undo and redo: taken back, the mind is as it was; what later operations build upon stays; what cannot be is told."""

from __future__ import annotations

import json
import random
import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soul_author import Author
from soul_dump import dump
from soul_minds import AT, PATIENT, TEA, Json, chat, concept, graph, now, opened, said, sem, took

from soulmem.ageing import with_due
from soulmem.errors import NotFoundError, StoreError, UndoError
from soulmem.indexing import indexed, kept_vectors, vectors_of
from soulmem.model.changes import Change, NoteUpdate, Superseding
from soulmem.model.notes import Note, Semantic, derived_id
from soulmem.settings import Settings
from soulmem.soul import Soul
from soulmem.store.queries import Library
from soulmem.store.rows import embedding_text

SMALL = Settings(bulk_size=20, max_db_bytes=2**32)


@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), bulk=st.booleans())
def test_undone_from_the_last_to_the_first_every_operation_leaves_what_was_before_it(minds, seed, bulk):
    """And redone from the first to the last, what was after it."""
    soul = minds(settings=SMALL if bulk else PATIENT)
    author = Author(soul, seed)
    states = [dump(soul.store)]
    while len(states) < 6:
        before = len(soul.log(1000))
        author.write()
        if len(soul.log(1000)) > before:
            states.append(dump(soul.store))
    numbers = [one.number for one in soul.log(1000)][: len(states) - 1]
    for number, state in zip(numbers, states[-2::-1], strict=True):
        assert soul.undo().undoes == number
        assert dump(soul.store) == state
    assert soul.check() == ()
    for state in states[1:]:
        soul.redo()
        assert dump(soul.store) == state
    assert soul.check() == ()
    with pytest.raises(UndoError, match="nothing to redo"):
        soul.redo()


def test_an_operation_in_the_middle_is_undone_without_what_came_after(tea):
    took(tea, graph(concept("sem_rain", "rain", [("sem_tea", sem("with"))])), "rain.json")
    took(tea, graph(concept("sem_snow", "snow")), "snow.json")
    undone = tea.undo(2)
    keys = {row["key"] for row in tea.store.query("store.all_keys")}
    assert "sem_rain" not in keys and {"sem_tea", "sem_snow"} <= keys
    assert (undone.number, undone.undoes, undone.command) == (4, 2, "undo")
    assert [one.undone_by for one in tea.log()] == [None, None, 4, None]
    assert tea.recall("rain").memories == () or all(memory.key != "sem_rain" for memory in tea.recall("rain").memories)


def test_what_something_later_builds_upon_is_not_undone_and_it_is_said_what(tea):
    took(tea, graph(concept("sem_rain", "rain", [("sem_tea", sem("with"))])), "rain.json")
    with pytest.raises(
        UndoError, match=r"operation 1 cannot be undone: operation 2 \(ingest: rain.json.*touched the note sem_tea"
    ):
        tea.undo(1)
    tea.undo(2)
    tea.undo(1)
    assert tea.store.query("store.all_keys") == []


def test_a_value_changed_again_later_is_not_undone_but_another_is(tea):
    note = tea.note("sem_tea")

    def update(**values):
        change = Change(command="test", what="x", at=AT, updates=(NoteUpdate(note=note.id, values=values),))
        return tea.store.apply(indexed(change, tea.embedder, present=tea.store.notes)).number

    first, second, third = update(strength=0.5), update(strength=0.25), update(description="bitter")
    with pytest.raises(
        UndoError, match=f"operation {second} .* touched the note sem_tea after it\n.*Undo operation {second} first"
    ):
        tea.undo(first)
    tea.undo(third)
    assert tea.note("sem_tea").strength == 0.25 and tea.note("sem_tea").body.description == "hot"
    tea.undo(second)
    tea.undo(first)
    assert tea.note("sem_tea") == note


def test_what_cannot_be_undone_is_refused_with_the_reason(minds, tmp_path):
    path = tmp_path / "named.mind"
    with Soul.create(path, embedder="hashing", name="Lin", clock=lambda: AT) as soul:
        with pytest.raises(UndoError, match="it made the mind"):
            soul.undo(1)
        soul.cypher("CREATE (:Name {text: 'x'})", write=True)
        with pytest.raises(UndoError, match="a statement of your own"):
            soul.undo()
        with pytest.raises(NotFoundError, match="no operation 7"):
            soul.undo(7)
        took(soul, graph(*TEA[1:]), "tea.json")
        soul.undo()
        with pytest.raises(UndoError, match="operation 4 has undone it already"):
            soul.undo(3)
        soul.cypher("MATCH (n:Name {text: 'x'}) DELETE n", write=True)
        with pytest.raises(UndoError, match="not known what it touched"):
            soul.redo()


def test_after_what_is_never_undone_the_last_that_can_be_is_named_and_not_taken_for_it(tea):
    took(tea, graph(concept("sem_rain", "rain")), "rain.json")
    tea.forget(notes=["sem_rain"])
    left = dump(tea.store)
    with pytest.raises(UndoError, match="gone for good") as caught:
        tea.undo()
    assert caught.value.advice == "The last before it that can be undone: soulmem undo 1" and dump(tea.store) == left
    assert tea.undo(1).undoes == 1
    with pytest.raises(UndoError, match="gone for good") as caught:
        tea.undo()
    assert caught.value.advice == "Nothing before it can be undone."


def test_an_entry_of_an_older_soulmem_is_not_undone(tea):
    tea.store.cypher("MATCH (o:Operation {number: 1}) SET o.before = '{}'", {}, limit=None, write=True, at=AT)
    with pytest.raises(UndoError, match="did not keep what was there before"):
        tea.undo(1)


def test_nothing_to_undo_is_said(mind):
    with pytest.raises(UndoError, match="nothing to undo"):
        mind.undo()


def test_a_recall_that_was_used_is_undone(tea):
    before = dump(tea.store)
    tea.commit(tea.recall("green tea"))
    tea.undo()
    assert dump(tea.store) == before


def test_texts_that_are_updated_are_found_by_their_new_words_and_not_by_the_old(tea):
    note = tea.note("sem_pot")
    values = {"aliases": ["the kettle"], "description": "whistles loudly"}
    change = Change(command="test", what="x", at=AT, updates=(NoteUpdate(note=note.id, values=values),))
    tea.store.apply(indexed(change, tea.embedder, kept_vectors(tea.store), present=tea.store.notes))
    assert tea.recall("who whistles?").memories[0].key == "sem_pot"
    assert "name" in {m.key: m for m in tea.recall("the kettle").memories}["sem_pot"].channels
    tea.undo()
    assert "sem_pot" not in {memory.key for memory in tea.recall("who whistles?").memories}
    assert tea.check() == ()


def test_new_vectors_of_old_notes_and_new_notes_keep_each_its_own(minds):
    """The engine gives them to each other where both are written before one checkpoint."""
    soul = minds()
    for number in range(12):
        parts = {"notes": (_fact(f"n{number}", f"fact {number}"),)}
        if number:
            values = {"description": f"word{number} of {number}"}
            parts["updates"] = (NoteUpdate(note=derived_id("test", f"n{number - 1}"), values=values),)
        change = Change(command="test", what="x", at=AT, **parts)
        soul.store.apply(indexed(change, soul.embedder, kept_vectors(soul.store), present=soul.store.notes))
    soul.store._engine.checkpoint()
    notes = soul.store.notes([derived_id("test", f"n{number}") for number in range(12)])
    expected = vectors_of(notes, (), soul.embedder, kept_vectors(soul.store), None).columns
    for note in notes:
        row = soul.store.cypher("MATCH (n:Semantic {id: $id}) RETURN n", {"id": note.id}, limit=None).rows[0][0]
        found = {name: value for name, value in row.items() if name.startswith("v_") and value is not None}
        assert found.keys() == expected[note.id].keys()
        assert all(np.allclose(found[name], vector) for name, vector in expected[note.id].items())


def _fact(key: str, content: str, **body) -> Note:
    return Note(id=derived_id("test", key), key=key, body=Semantic(content, **body), created_at=AT, decayed_at=AT)


def test_a_crash_before_the_late_vectors_are_set_is_made_good_when_the_mind_is_opened(minds, tmp_path):
    soul = minds()
    soul.store.apply(indexed(Change(command="test", what="x", at=AT, notes=(_fact("a", "cat"),)), soul.embedder))
    note = soul.note("a")
    vector = np.eye(1, soul.record.dimension, dtype=np.float32)[0]
    with soul.store._engine.transaction() as transaction:
        waiting = {"name": f"late/Semantic/v_content/{note.id}", "value": json.dumps(embedding_text(vector))}
        transaction.run(Library()["store.create_meta"].text, waiting)
    copy = tmp_path / "crashed.mind"
    shutil.copy(soul.store.path, copy)
    shutil.copy(f"{soul.store.path}.wal", f"{copy}.wal")
    with opened(copy) as again:
        ((found,),) = again.cypher("MATCH (n:Semantic) RETURN n.v_content").rows
        assert np.array_equal(found, vector) and again.store.query("store.late_vectors") == []


# -- facts that hold no longer --------------------------------------------------------------------------------------------------

MOVED = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def moved(mind: Soul) -> Soul:
    """She lived in Paris, and has lived in Rome since May; the same in Chinese."""
    facts = (
        _fact("old", "Anna lives in Paris"),
        _fact("new", "Anna lives in Rome"),
        _fact("旧", "小红住在北京"),
        _fact("新", "小红住在上海"),
    )
    change = with_due(Change(command="test", what="facts", at=AT, notes=facts), mind.settings)
    mind.store.apply(indexed(change, mind.embedder))
    pairs = (("new", "old"), ("新", "旧"))
    ids = {note.key: note.id for note in facts}
    supersedes = tuple(Superseding(new=ids[new], old=ids[old], at=MOVED, reason="moved") for new, old in pairs)
    mind.store.apply(Change(command="test", what="moved", at=AT, supersedes=supersedes))
    return mind


def _keys(soul: Soul, text: str, **how) -> dict[str, str]:
    return {memory.key: memory.text for memory in soul.recall(text, **how).memories}


@pytest.mark.parametrize(
    ("now", "then", "old", "new", "shown"),
    [
        ("Where does Anna live?", "Where did Anna live last March?", "old", "new", "Anna lives in Paris (until 2026-05-01)"),
        ("小红住在哪里？", "今年三月小红住在哪里？", "旧", "新", "小红住在北京（至 2026-05-01）"),
    ],
)
def test_a_superseded_fact_is_held_back_unless_the_question_is_about_its_time(moved, now, then, old, new, shown):
    assert new in _keys(moved, now) and old not in _keys(moved, now)
    assert moved.recall(now).withheld["superseded"] >= 1
    assert _keys(moved, then)[old] == shown
    explanation = moved.why(old, now)
    assert explanation.verdict == "superseded" and f"superseded by {new} since 2026-05-01" in explanation.text
    assert moved.why(old, then).verdict == "recalled"
    assert old in _keys(moved, now, at=MOVED - timedelta(days=1))


def test_show_says_what_superseded_a_fact_and_what_it_supersedes(moved):
    old, new = moved.show("old"), moved.show("new")
    assert [(view.key, view.at, view.reason) for view in old.superseded_by] == [("new", MOVED, "moved")]
    assert [view.key for view in new.supersedes] == ["old"] and old.supersedes == new.superseded_by == ()
    assert (old.note.body.valid_until, new.note.body.valid_from) == (MOVED, MOVED)


def test_a_superseding_that_is_undone_leaves_the_old_fact_as_it_was(moved):
    moved.undo()
    assert moved.note("old").body.valid_until is None and moved.note("new").body.valid_from is None
    assert {"old", "new"} <= _keys(moved, "Where does Anna live?").keys()
    moved.redo()
    assert "old" not in _keys(moved, "Where does Anna live?")
    assert moved.check() == ()


def test_superseded_facts_come_back_from_an_export_as_they_were(moved, minds):
    text = moved.export_graph()
    other = minds()
    assert took(other, text.encode(), "graph.json").problems == ()
    assert other.export_graph() == text
    assert took(other, text.encode(), "graph.json").new == 0


@pytest.mark.parametrize(
    "stated",
    [7, [{"id": "nowhere", "at": "2026-05-01T00:00:00Z"}], [{"id": "b", "at": "soon"}], [{"at": "2026-05-01T00:00:00Z"}], ["b"]],
)
def test_a_file_that_supersedes_nonsense_is_read_without_that(mind, stated):
    node = concept("a", "one", soulmem={"supersedes": stated})
    report = took(mind, graph(node, concept("b", "two")), "graph.json")
    assert report.new == 2 and len(report.problems) == 1
    assert mind.store.query("store.all_supersedes") == []


@pytest.mark.parametrize(("new", "old"), [("old", "old"), ("old", "new"), ("new", "nowhere")])
def test_what_cannot_supersede_is_refused(moved, new, old):
    """Itself; what holds no longer itself; what is not there."""
    ids = {key: moved.note(key).id for key in ("old", "new")} | {"nowhere": "nowhere"}
    one = Superseding(new=ids[new], old=ids[old], at=MOVED + timedelta(days=1))
    before = dump(moved.store)
    with pytest.raises(StoreError):
        moved.store.apply(Change(command="test", what="x", at=AT, supersedes=(one,)))
    assert dump(moved.store) == before


# -- lines that are taken back --------------------------------------------------------------------------------------------------


def test_what_was_drawn_from_a_line_alone_goes_with_it_when_it_is_taken_back_and_comes_back_with_it(mind: Soul) -> None:
    for text in ("I live in Halden.", "My cat is called Plum.", "I live in Zanzibar now."):
        mind.observe(text, speaker="Bo", at=AT)
    mind.consolidate(AT + timedelta(hours=1))
    mind.commit(mind.recall("Where does Bo live? Zanzibar", at=AT + timedelta(hours=2)))
    there = dump(mind.store)
    assert any("Zanzibar" in row for row in there["Semantic"]) and any("Zanzibar" in row for row in there["SpecificSituation"])
    held = {note.key for note in _facts(mind) if note.body.valid_until is None and "Halden" in note.body.content}
    mind.retract(at=AT + timedelta(hours=3))
    after = dump(mind.store)
    assert not any("Zanzibar" in row for table in ("Semantic", "SpecificSituation", "Term", "Name") for row in after[table])
    now = {note.key for note in _facts(mind) if note.body.valid_until is None and "Halden" in note.body.content}
    assert now and not held, "what the line had superseded holds again"
    assert any("Plum" in row for row in after["SpecificSituation"]) and mind.check() == ()
    mind.undo()
    assert dump(mind.store) == there and mind.check() == ()
    mind.redo()
    assert dump(mind.store) == after


def _facts(soul: Soul) -> list[Note]:
    notes = soul.store.notes([row["id"] for row in soul.store.query("look.all_notes")])
    return [note for note in notes if isinstance(note.body, Semantic) and note.body.category is not None]


def test_bookkeeping_is_not_what_undo_means(mind: Soul) -> None:
    mind.observe("I live in Halden.", speaker="Bo", at=AT)
    before = dump(mind.store)
    said = mind.observe("And I work in Leeds.", speaker="Bo", at=AT).message
    line = mind.log(1)[0].number
    mind.observer.idle(AT + timedelta(hours=1))
    mind.end_talk(at=AT + timedelta(hours=2))
    full = dump(mind.store)
    assert mind.undo().undoes == line, "not the end of the talk, nor the vectors"
    assert mind.store.messages([said.id]) == [] and mind.redo().what.startswith(f"operation {line} (observe: ")
    assert dump(mind.store) == full and before != full
    assert mind.check() == ()


def test_what_superseded_at_one_time_in_a_chain_is_done_again(mind: Soul) -> None:
    notes = tuple(_fact(key, f"Anna lives in {key}") for key in ("a", "b", "c"))
    ids = {note.key: note.id for note in notes}
    pairs = (("b", "a"), ("c", "b"))
    supersedes = tuple(Superseding(new=ids[new], old=ids[old], at=MOVED) for new, old in pairs)
    mind.store.apply(indexed(Change(command="test", what="x", at=AT, notes=notes, supersedes=supersedes), mind.embedder))
    there = dump(mind.store)
    mind.undo()
    mind.redo()
    assert dump(mind.store) == there


def test_what_cannot_be_done_again_is_told_so(mind: Soul) -> None:
    took(mind, graph(concept("sem_tea", "green tea")))
    number = mind.pin("sem_tea", True, AT)
    assert number is not None
    mind.undo()
    mind.pin("sem_tea", True, AT)
    with pytest.raises(UndoError, match=rf"operation {number.number} cannot be done again: operation \d+ \(pin") as caught:
        mind.redo()
    mind.undo(int(str(caught.value.advice).split()[2]))
    assert mind.redo().undoes is not None


def test_a_line_taken_back_after_a_plan_that_nobody_wanted_leaves_room_for_the_next(mind: Soul) -> None:
    line = mind.observe("I live in Leeds.", speaker="Bo", at=AT)
    mind.consolidate(AT, accept=())
    refused = mind.log(1)[0].number
    assert mind.undo(at=AT).undoes == refused, "who refuses a plan means that by undo, not the line"
    mind.redo(at=AT)
    mind.undo(next(one.number for one in mind.log(99) if one.what.endswith("1 message")), at=AT)
    assert mind.store.messages([line.message.id]) == []
    mind.observe("I live in Hull.", speaker="Bo", at=AT)
    assert mind.consolidate(AT).messages == 1
    assert "Hull" in str([row.text for row in mind.list(limit=99)])


def test_many_words_taken_back_take_no_word_of_others_along(tmp_path: Path) -> None:
    """The engine's checkpoint lost links of words where tens of thousands went: the mind is copied before there is one."""
    drawn = random.Random(4)
    lines: list[Json] = [{"user_name": "Bo", "character_name": "Wren"}]
    for number in range(4000):
        words = " ".join(f"v{drawn.randrange(60_000)}" for _ in range(12))
        lines.append({"name": ("Bo", "Wren")[number % 2], "is_user": number % 2 == 0, "mes": f"line {number} {words}"})
    with Soul.create(tmp_path / "wren.mind", embedder="hashing", name="Wren", clock=now) as soul:
        assert soul.ingest_bytes("\n".join(map(json.dumps, lines)).encode(), format="sillytavern").new == 4000
        soul.undo()
        assert soul.check() == ()


# -- one of several chats -------------------------------------------------------------------------------------------------------

TALKS = (
    ("I live in Leeds.", "It rains in Leeds."),
    ("My sister Greta bakes bread.", "Rye bread is best."),
    ("The harbour was closed today.", "Boats again."),
)


def _hear(soul: Soul, *talks: int) -> list[int]:
    """The operations that read these talks."""
    for number in talks:
        lines = [said(name, text, minute) for minute, (name, text) in enumerate(zip(("Bo", "Ann"), TALKS[number], strict=True))]
        took(soul, chat(*lines), f"{number}.jsonl")
    return sorted(one.number for one in soul.log(len(talks)))


def _held(soul: Soul) -> dict[str, list[str]]:
    """The whole mind, but for the numbers that keep the sources of a note in order: one that comes back is the last."""
    found = dump(soul.store)
    return found | {"SOURCE": sorted(re.sub(r'"place": \d+', "", row) for row in found["SOURCE"])}


def test_one_of_several_chats_is_taken_back_as_if_it_had_not_been_read(minds) -> None:
    soul, other = minds(), minds()
    _, second, _ = _hear(soul, 0, 1, 2)
    full = _held(soul)
    soul.undo(second)
    _hear(other, 0, 2)
    assert _held(soul) == _held(other) and soul.check() == ()
    soul.redo()
    assert _held(soul) == full and soul.check() == ()


def test_a_chat_is_taken_back_in_a_mind_that_is_consolidated(minds) -> None:
    soul = minds()
    _hear(soul, 0)
    soul.consolidate(AT)
    second, third = _hear(soul, 1, 2)
    soul.undo(second)
    assert "Greta" not in str(dump(soul.store)) and soul.check() == ()
    soul.undo(third)
    soul.redo()
    soul.redo()
    assert "Greta" in str(dump(soul.store)) and soul.check() == ()


def test_a_chat_that_brought_a_note_of_later_ones_is_named_with_it(minds) -> None:
    soul = minds()
    first, second, _ = _hear(soul, 0, 1, 2)
    with pytest.raises(UndoError, match=rf"operation {second} \(.*\) touched the note sem_(ann|bo) after it"):
        soul.undo(first)


def test_a_link_that_a_later_chat_found_is_not_taken_from_under_it(tea) -> None:
    joined = sem("stands by")
    nodes = [concept("sem_pot", "the blue pot", [("sem_mei", joined)])]
    took(tea, graph(*nodes), "one.json")
    took(tea, graph(*nodes, concept("sem_rain", "rain", [("sem_pot", sem("on")), ("sem_mei", sem("on"))])), "two.json")
    number = next(one.number for one in tea.log(9) if "one.json" in one.what)
    with pytest.raises(UndoError, match="links the note sem_pot and the note sem_mei, which it linked, after it"):
        tea.undo(number)


def test_a_line_that_was_touched_is_named_by_its_place(mind: Soul) -> None:
    line = mind.observe("I live in Leeds.", speaker="Bo", at=AT)
    number = mind.log(1)[0].number
    note = indexed(Change(command="test", what="x", at=AT, notes=(_fact("f", "Bo lives"),)), mind.embedder)
    body = note.notes[0]
    mind.store.apply(replace(note, notes=(replace(body, sources=(line.message.id,)),)))
    with pytest.raises(UndoError, match=rf"touched the message {line.message.file}:{line.message.line} after it"):
        mind.undo(number)
