"""Undo and redo: taken back, the mind is as it was; what later operations build upon stays; what cannot be is told."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soul_dump import dump
from soul_minds import AT, PATIENT, TEA, concept, graph, opened, sem, took

from soulmem.ageing import with_due
from soulmem.errors import NotFoundError, StoreError, UndoError
from soulmem.indexing import indexed, kept_vectors, vectors_of
from soulmem.model.changes import Change, LinkUpdate, NoteUpdate, PendingLink, RecallRecord, Superseding, Use
from soulmem.model.links import Link, LinkType, Sem, SituationLink, TrigToAction
from soulmem.model.messages import Chat, Message, Role
from soulmem.model.notes import ActionType, Note, NoteType, Procedure, Semantic, SpecificSituation, derived_id
from soulmem.settings import Settings
from soulmem.soul import Soul
from soulmem.store.queries import Library
from soulmem.store.rows import embedding_text

WORDS = ("tea", "茶", "pot", "雨", "shelf", "猫", "north", "海边", "green", "小红")


class Author:
    """Writes changes of every kind to a mind, at random."""

    def __init__(self, soul: Soul, seed: int) -> None:
        self.soul = soul
        self.random = random.Random(seed)
        self.number = 0
        self.at = AT

    def write(self) -> None:
        self.at += timedelta(hours=1)
        self.number += 1
        kinds: list[Callable[[], dict | None]] = [
            self.notes,
            self.notes,
            self.texts,
            self.states,
            self.links,
            self.relink,
            self.cut,
            self.chat,
            self.sources,
            self.recalled,
            self.wait,
            self.connect,
            self.supersede,
            self.meta,
        ]
        parts = self.random.choice(kinds)()
        if parts is not None:
            change = Change(command="test", what=f"{self.number}", at=self.at, **parts)
            kept = kept_vectors(self.soul.store)
            self.soul.store.apply(indexed(change, self.soul.embedder, kept, present=self.soul.store.notes))

    def text(self) -> str:
        return " ".join(self.random.choices(WORDS, k=self.random.randint(1, 4)))

    def all_notes(self) -> list[Note]:
        return self.soul.store.notes([row["id"] for row in self.soul.store.query("store.all_keys")])

    def some(self, *types: NoteType) -> Note | None:
        found = [note for note in self.all_notes() if not types or note.type in types]
        return self.random.choice(found) if found else None

    def new_note(self) -> Note:
        self.number += 1
        bodies = (
            Semantic(self.text(), aliases=(self.text(),), description=self.random.choice(("", self.text()))),
            SpecificSituation(self.text(), AT),
            Procedure(self.text(), ActionType.SPEAK),
        )
        messages = [row["id"] for row in self.soul.store.query("store.all_messages")]
        key = f"note_{self.number}"
        return Note(
            id=derived_id("test", key),
            key=key,
            body=self.random.choice(bodies),
            tags=tuple(self.random.sample(WORDS, self.random.randint(0, 2))),
            created_at=self.at,
            decayed_at=self.at,
            sources=tuple(self.random.sample(messages, min(len(messages), 2))),
        )

    def notes(self) -> dict:
        return {"notes": tuple(self.new_note() for _ in range(self.random.randint(1, 3)))}

    def texts(self) -> dict | None:
        note = self.some()
        if note is None:
            return None
        values: dict = {"tags": self.random.sample(WORDS, 2)}
        if note.type is NoteType.SEMANTIC:
            values |= {"aliases": [self.text()], "description": self.random.choice(("", self.text()))}
        if note.type is NoteType.SPECIFIC:
            values |= {"narrative": self.text()}
        return {"updates": (NoteUpdate(note=note.id, values=values),)}

    def states(self) -> dict | None:
        note = self.some()
        values = {"strength": self.random.random(), "due_at": self.at, "active": self.random.random() < 0.5}
        return note and {"updates": (NoteUpdate(note=note.id, values=values),)}

    def link(self, source: Note, target: Note) -> Link:
        self.number += 1
        if source.type is NoteType.SPECIFIC and target.type is NoteType.PROCEDURE:
            payload = TrigToAction(self.random.random())
        elif source.type.is_situation and target.type.is_situation:
            payload = SituationLink()
        else:
            payload = Sem(self.text(), self.random.random())
        return Link(id=derived_id("link", self.number), source=source.id, target=target.id, payload=payload, created_at=self.at)

    def links(self) -> dict | None:
        source, target = self.some(NoteType.SEMANTIC, NoteType.SPECIFIC), self.some()
        if source is None or target is None:
            return None
        if source.type is NoteType.SPECIFIC and target.type is NoteType.SEMANTIC and self.random.random() < 0.3:
            return None
        return {"links": (self.link(source, target),)}

    def some_links(self) -> list[Link]:
        found = self.soul.store.links()
        return self.random.sample(found, min(len(found), self.random.choice((1, 2, 30))))

    def relink(self) -> dict | None:
        links = self.some_links()
        updates = []
        for link in links:
            values = {"intensity": self.random.random(), "last_fired_at": self.at, "fired_count": link.fired_count + 1}
            values |= {"confidence": self.random.random()} if link.type is LinkType.SEM else {}
            updates.append(LinkUpdate(link=link.id, values=values))
        hints = {link.id: link.source for link in links} if self.random.random() < 0.5 else {}
        return {"link_updates": tuple(updates), "link_sources": hints} if links else None

    def cut(self) -> dict | None:
        links = self.some_links()
        return {"links_removed": tuple(link.id for link in links)} if links else None

    def chat(self) -> dict:
        there = len(self.soul.store.query("store.all_messages"))
        new = tuple(self.message(there + place) for place in range(2))
        chat = Chat(id="chat", file="c.jsonl", format="script", sha256=str(there), messages=there + 2, ingested_at=self.at)
        return {"messages": new, "chats": (chat,)}

    def message(self, index: int) -> Message:
        return Message(
            id=f"m{index}-{self.number}",
            chat="chat",
            index=index,
            file="c.jsonl",
            line=index + 1,
            speaker="小红",
            role=Role.USER,
            text=self.text(),
            sent_at=self.at,
            hidden=self.random.random() < 0.2,
        )

    def sources(self) -> dict | None:
        note, messages = self.some(), [row["id"] for row in self.soul.store.query("store.all_messages")]
        return {"sources_added": ((note.id, self.random.choice(messages)),)} if note and messages else None

    def recalled(self) -> dict | None:
        notes = {note.id: note for note in (self.some(), self.some()) if note}
        uses = tuple(Use(note=note, stage="similarity", score=self.random.random()) for note in notes)
        updates = tuple(NoteUpdate(note=note, values={"retrieval_count": self.number}) for note in notes)
        record = RecallRecord(id=f"r{self.number}", at=self.at, query=self.text(), uses=uses)
        return {"recalls": (record,), "updates": updates} if notes else None

    def wait(self) -> dict:
        link = PendingLink(
            id=derived_id("waits", self.number),
            source_key=f"note_{self.random.randint(1, 40)}",
            target_key=f"later_{self.number}",
            payload=Sem("is", 0.25),
            created_at=self.at,
            place="a.json:3",
        )
        return {"pending": (link,)}

    def connect(self) -> dict | None:
        waiting, source, target = self.soul.store.pending(), self.some(NoteType.SEMANTIC), self.some()
        if not waiting or source is None or target is None:
            return None
        link = replace(self.link(source, target), id=waiting[0].id, payload=waiting[0].payload)
        return {"links": (link,), "connected": (waiting[0].id,)}

    def supersede(self) -> dict | None:
        old = self.some(NoteType.SEMANTIC)
        new = replace(self.new_note(), body=Semantic(self.text()))
        if old is None or (old.body.valid_from and old.body.valid_from > self.at):
            return None
        return {"notes": (new,), "supersedes": (Superseding(new=new.id, old=old.id, at=self.at, reason="moved"),)}

    def meta(self) -> dict:
        return {"meta": {self.random.choice(("cursor", "summary")): self.random.choice((None, self.number, {"a": "摘要"}))}}


SMALL = Settings(bulk_size=20, max_db_bytes=2**32)


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), bulk=st.booleans())
def test_undone_from_the_last_to_the_first_every_operation_leaves_what_was_before_it(minds, seed, bulk):
    """And redone from the first to the last, what was after it."""
    soul = minds(settings=SMALL if bulk else PATIENT)
    author = Author(soul, seed)
    states = [dump(soul.store)]
    while len(states) < 9:
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


def test_an_operation_in_the_middle_is_undone_without_what_came_after(mind):
    took(mind, graph(*TEA), "tea.json")
    took(mind, graph(concept("sem_rain", "rain", [("sem_tea", sem("with"))])), "rain.json")
    took(mind, graph(concept("sem_snow", "snow")), "snow.json")
    undone = mind.undo(2)
    keys = {row["key"] for row in mind.store.query("store.all_keys")}
    assert "sem_rain" not in keys and {"sem_tea", "sem_snow"} <= keys
    assert (undone.number, undone.undoes, undone.command) == (4, 2, "undo")
    assert [one.undone_by for one in mind.log()] == [None, None, 4, None]
    assert mind.recall("rain").memories == () or all(memory.key != "sem_rain" for memory in mind.recall("rain").memories)


def test_what_something_later_builds_upon_is_not_undone_and_it_is_said_what(mind):
    took(mind, graph(*TEA), "tea.json")
    took(mind, graph(concept("sem_rain", "rain", [("sem_tea", sem("with"))])), "rain.json")
    with pytest.raises(
        UndoError, match=r"operation 1 cannot be undone: operation 2 \(ingest: rain.json.*touched the note sem_tea"
    ):
        mind.undo(1)
    mind.undo(2)
    mind.undo(1)
    assert mind.store.query("store.all_keys") == []


def test_a_value_changed_again_later_is_not_undone_but_another_is(mind):
    took(mind, graph(*TEA), "tea.json")
    note = mind.note("sem_tea")

    def update(**values):
        change = Change(command="test", what="x", at=AT, updates=(NoteUpdate(note=note.id, values=values),))
        return mind.store.apply(indexed(change, mind.embedder, present=mind.store.notes)).number

    first, second, third = update(strength=0.5), update(strength=0.25), update(description="bitter")
    with pytest.raises(
        UndoError, match=f"operation {second} .* touched the note sem_tea after it\n.*Undo operation {second} first"
    ):
        mind.undo(first)
    mind.undo(third)
    assert mind.note("sem_tea").strength == 0.25 and mind.note("sem_tea").body.description == "hot"
    mind.undo(second)
    mind.undo(first)
    assert mind.note("sem_tea") == note


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


def test_an_entry_of_an_older_soulmem_is_not_undone(mind):
    took(mind, graph(*TEA), "tea.json")
    mind.store.cypher("MATCH (o:Operation {number: 1}) SET o.before = '{}'", {}, limit=None, write=True, at=AT)
    with pytest.raises(UndoError, match="did not keep what was there before"):
        mind.undo(1)


def test_nothing_to_undo_is_said(mind):
    with pytest.raises(UndoError, match="nothing to undo"):
        mind.undo()


def test_a_recall_that_was_used_is_undone(mind):
    took(mind, graph(*TEA), "tea.json")
    before = dump(mind.store)
    mind.commit(mind.recall("green tea"))
    mind.undo()
    assert dump(mind.store) == before


def test_texts_that_are_updated_are_found_by_their_new_words_and_not_by_the_old(mind):
    took(mind, graph(*TEA), "tea.json")
    note = mind.note("sem_pot")
    values = {"aliases": ["the kettle"], "description": "whistles loudly"}
    change = Change(command="test", what="x", at=AT, updates=(NoteUpdate(note=note.id, values=values),))
    mind.store.apply(indexed(change, mind.embedder, kept_vectors(mind.store), present=mind.store.notes))
    assert mind.recall("who whistles?").memories[0].key == "sem_pot"
    assert "name" in {m.key: m for m in mind.recall("the kettle").memories}["sem_pot"].channels
    mind.undo()
    assert "sem_pot" not in {memory.key for memory in mind.recall("who whistles?").memories}
    assert mind.check() == ()


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
    expected = vectors_of(notes, (), soul.embedder, kept_vectors(soul.store), None)[0]
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
