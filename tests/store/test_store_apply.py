"""Changes: what is written is what is read; all or nothing; the journal; words counted right."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_minds import (
    BODIES,
    BULK_SIZE,
    NOW,
    SETTINGS,
    change,
    chat,
    contents,
    empty_change,
    links_of,
    message,
    note,
    notes,
    operations,
    unit,
)

from soulmem.errors import QueryError, ReadOnlyError, StoreError
from soulmem.model.changes import NoteUpdate, PendingLink, RecallRecord, Use
from soulmem.model.links import Link, LinkType, Sem, SituationLink, TrigToAction
from soulmem.model.notes import Category, Context, Feeling, Note, Procedure, Semantic, SpecificSituation
from soulmem.store import check, open_store
from soulmem.store._kuzu import Transaction
from soulmem.store.apply import BULK_VALUES, FRESH
from soulmem.store.checks import waiting as waiting_links
from soulmem.store.queries import Library
from soulmem.store.rows import embedding_of

SMALL, BULK = 8, 18


@pytest.mark.parametrize("count", [SMALL, BULK])
def test_what_is_written_is_what_is_read(store, count):
    written = change(count)
    store.apply(written)
    assert store.notes([item.id for item in written.notes]) == list(written.notes)
    assert store.messages([item.id for item in written.messages]) == list(written.messages)
    assert sorted(store.links(), key=lambda link: link.id) == sorted(written.links, key=lambda link: link.id)
    assert {link.type for link in written.links} == set(LinkType)
    assert check(store) == []


def test_the_two_ways_of_writing_agree(store, empty_mind, tmp_path):
    """Row by row or in bulk, the mind is the same: the same notes in one change and in several."""
    whole = change(BULK)
    parts = [replace(change(6, start), links=(), chats=(chat(BULK),)) for start in range(0, BULK, 6)]
    assert len(whole.terms) * 10 + len(whole.links) > BULK_SIZE
    store.apply(whole)
    other_path = tmp_path / "other.mind"
    other_path.write_bytes(empty_mind.read_bytes())
    with open_store(other_path, settings=SETTINGS, now=NOW) as other:
        for part in parts:
            other.apply(part)
        other.apply(empty_change(links=whole.links))
        assert contents(other) == contents(store)


def test_a_mind_that_holds_less_is_loaded_in_bulk_sooner(store, monkeypatch):
    """Row by row thirty lines of talk took three times as long, and the file was three times as large."""
    copied, copy = [], Transaction.copy
    monkeypatch.setattr(Transaction, "copy", lambda self, text, given: (copied.append(text), copy(self, text, given)))
    monkeypatch.setattr("soulmem.store.apply.FRESH", FRESH)
    begun = 0
    for count, is_bulk in ((2, False), (SMALL, True), (SMALL, False), (BULK, True)):
        copied.clear()
        store.apply(change(count, begun))
        assert bool(copied) is is_bulk, (begun, count)
        begun += count
    assert len(contents(store)["notes"]) == begun and check(store) == []


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_note_comes_back_as_it_was(store, data):
    number = len(operations(store))
    written = [data.draw(notes(number * 10 + n)) for n in range(2)]
    store.apply(empty_change(notes=tuple(written)))
    assert store.notes([item.id for item in written]) == written


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_any_notes_come_back_from_bulk_as_they_were(store, data):
    number = len(operations(store))
    some = [data.draw(notes(number * 1000 + n)) for n in range(8)]
    written = [replace(some[n % 8], id=f"n{number}-{n}", key=f"{number}-{n}") for n in range(BULK_SIZE + 8)]
    store.apply(empty_change(notes=tuple(written)))
    assert store.notes([item.id for item in written]) == written


def test_progress_of_a_bulk_is_told_of_all_its_rows(store):
    told = []
    store.apply(change(BULK), lambda done, total: told.append((done, total)))
    assert len(told) > 5 and told == sorted(told)
    assert {total for _, total in told} == {told[-1][0]}
    assert told[-1][0] > BULK * 4, "notes, their keys, messages, and words of both"
    store.apply(change(SMALL, BULK), lambda *_: told.append(()))
    assert () not in told, "row by row it is soon done"


def test_order_is_kept_and_unknown_ids_are_left_out(store):
    store.apply(change(5))
    ids = ["note-00003", "no such", "note-00001", "note-00003"]
    assert [item.id for item in store.notes(ids)] == ["note-00003", "note-00001", "note-00003"]
    assert [item.id for item in store.messages(["chat-00002", "?", "chat-00000"])] == ["chat-00002", "chat-00000"]
    assert store.notes([]) == [] and store.links_among([]) == [] and store.messages([]) == []


def test_many_ids_are_answered_as_few_are(store):
    store.apply(change(700))
    ids = [f"note-{n:05d}" for n in range(700)]
    assert store.notes(ids) == [item for start in range(0, 700, 45) for item in store.notes(ids[start : start + 45])]
    few = ids[:60]
    among = {link.id for link in store.links() if link.source in few and link.target in few}
    assert {link.id for link in store.links_among(few)} == among != set()
    assert {link.id for link in store.links_among(ids)} == {link.id for link in store.links()}


# -- all or nothing ------------------------------------------------------------

REFUSED = {
    "note id twice": {"notes": (note(1), replace(note(1), key="other"))},
    "note id there": {"notes": (replace(note(0), key="other"),)},
    "note key twice": {"notes": (note(901), replace(note(902), key="key_901"))},
    "note key there": {"notes": (replace(note(903), key="key_0"),)},
    "message there": {"messages": (message(0),)},
    "link id twice": {"links": links_of([note(0), note(1)], 1) * 2},
    "link to nowhere": {"links": (Link(id="x", source="note-00000", target="?", payload=Sem("v"), created_at=NOW),)},
    "link to a message": {"links": (Link(id="x", source="note-00000", target="chat-00000", payload=Sem("v"), created_at=NOW),)},
    "illegal link": {"links": (Link(id="x", source="note-00007", target="note-00007", payload=Sem("v"), created_at=NOW),)},
    "illegal action": {
        "links": (Link(id="x", source="note-00000", target="note-00007", payload=TrigToAction(0.5), created_at=NOW),)
    },
    "illegal situation": {
        "links": (Link(id="x", source="note-00000", target="note-00001", payload=SituationLink(), created_at=NOW),)
    },
    "unknown source": {"notes": (note(904, sources=("?",)),)},
    "source for no note": {"sources_added": (("?", "chat-00000"),)},
    "vector for nobody": {"vectors": {"?": {"v_content": unit(1)}}},
    "vector of another length": {"vectors": {"note-00000": {"v_content": unit(1, 5)}}},
    "vector that is no number": {"vectors": {"note-00000": {"v_content": np.array([np.nan, 0, 0, 1], np.float32)}}},
    "no such vector": {"vectors": {"note-00000": {"v_narrative": unit(1)}}},
    "vector into a text": {"vectors": {"note-00000": {"content": unit(1)}}},
    "words of nobody": {"terms": {"?": {"a": 1}}},
    "names of a procedure": {"names": {"note-00007": ("a",)}},
    "update of nobody": {"updates": (NoteUpdate(note="?", values={"strength": 0.5}),)},
    "update of the id": {"updates": (NoteUpdate(note="note-00000", values={"id": "x"}),)},
    "update of the key": {"updates": (NoteUpdate(note="note-00000", values={"key": "x"}),)},
    "update of a vector": {"updates": (NoteUpdate(note="note-00000", values={"v_content": [0.5]}),)},
    "update of a struct": {"updates": (NoteUpdate(note="note-00001", values={"location": {"name": "x"}}),)},
    "update of no column": {"updates": (NoteUpdate(note="note-00000", values={"strength} SET n.key = 1 //": 1}),)},
    "update to nothing": {"updates": (NoteUpdate(note="note-00000", values={"content": None}),)},
    "update to another type": {"updates": (NoteUpdate(note="note-00000", values={"strength": "strong"}),)},
    "recall of nobody": {"recalls": (RecallRecord(id="r", at=NOW, query="q", uses=(Use(note="?", stage="seed", score=0.5),)),)},
    "time without a zone": {"notes": (replace(note(905), created_at=NOW.replace(tzinfo=None)),)},
    "text that is no text": {"notes": (note(906, Semantic("\ud800")),)},
}


@pytest.mark.parametrize("size", [0, BULK_SIZE])
@pytest.mark.parametrize("parts", REFUSED.values(), ids=REFUSED)
def test_a_change_that_cannot_be_written_whole_writes_nothing(refusing_store, parts, size):
    """Alone, and together with enough good notes that all would be loaded in bulk."""
    store, before = refusing_store
    good = {"notes": tuple(note(n, Procedure("p", BODIES[7].action_type)) for n in range(5000, 5000 + size))}
    joined = {**parts, "notes": good["notes"] + parts.get("notes", ())}
    with pytest.raises((StoreError, QueryError)):
        store.apply(empty_change(**joined))
    assert operations(store) == [1]
    assert (store.query("store.node_counts"), store.query("store.link_counts"), store.query("store.all_keys")) == before


@pytest.fixture(scope="module")
def refusing_store(empty_mind, tmp_path_factory):
    path = tmp_path_factory.mktemp("refusing") / "refusing.mind"
    path.write_bytes(empty_mind.read_bytes())
    with open_store(path, settings=SETTINGS, now=NOW) as store:
        store.apply(change(8))
        before = (store.query("store.node_counts"), store.query("store.link_counts"), store.query("store.all_keys"))
        yield store, before
        assert check(store) == []


def test_after_a_refused_bulk_change_all_is_as_it_was_and_writing_goes_on(store):
    """The frame of the links fails after the notes were loaded: the engine's own rollback would damage the mind."""
    store.apply(change(BULK))
    before = contents(store)
    broken = replace(change(BULK, BULK), recalls=(RecallRecord(id="r", at=NOW, query="q\ud800", uses=()),))
    with pytest.raises(StoreError):
        store.apply(broken)
    assert contents(store) == before
    store.apply(change(BULK, BULK))
    assert len(store.query("store.all_keys")) == 2 * BULK
    assert check(store) == []


def test_reading_only_means_reading_only(mind):
    with open_store(mind, read_only=True, now=NOW) as reader:
        assert reader.read_only
        with pytest.raises(ReadOnlyError):
            reader.apply(change(1))
        with pytest.raises(ReadOnlyError):
            reader.rewrite()
        with pytest.raises(ReadOnlyError):
            reader.cypher("CREATE (:Name {text: 'x'})", {}, limit=None, write=True, at=NOW)
        assert operations(reader) == []


# -- parts of a change ------------------------------------------------------------


@pytest.mark.parametrize("count", [3, BULK_VALUES + 6])
def test_updates_change_what_they_name_and_nothing_else(store, count):
    written = change(count)
    store.apply(written)
    later = NOW + timedelta(days=1)
    values = {"strength": 0.5, "retrieval_count": 3, "last_accessed_at": later, "tags": ["新"], "scope": "direct:a"}
    store.apply(empty_change(updates=tuple(NoteUpdate(note=item.id, values=values) for item in written.notes)))
    expected = [replace(item, **(values | {"tags": ("新",)})) for item in written.notes]
    assert store.notes([item.id for item in written.notes]) == expected
    assert check(store) == []


def test_an_update_may_empty_what_may_be_empty(store):
    store.apply(empty_change(notes=(note(0, Semantic("a", category=Category.DATE), last_accessed_at=NOW, due_at=NOW),)))
    values = {"category": None, "last_accessed_at": None, "due_at": None}
    store.apply(empty_change(updates=(NoteUpdate(note="note-00000", values=values),)))
    (now,) = store.notes(["note-00000"])
    assert (now.body.category, now.last_accessed_at, now.due_at) == (None, None, None)


def test_vectors_of_notes_that_are_there_can_be_set(store):
    store.apply(empty_change(notes=(note(0), note(1))))
    store.apply(empty_change(vectors={"note-00000": {"v_content": unit(1), "v_tags": unit(2)}}))
    row = store.cypher("MATCH (n:Semantic) RETURN n.v_content, n.v_tags, n.v_description", {}, limit=None).rows[0]
    assert np.allclose(row[0], unit(1)) and np.allclose(row[1], unit(2)) and row[2] is None


@pytest.mark.parametrize("start", [2, BULK_SIZE // 10])
def test_words_are_replaced_not_added(store, start):
    store.apply(change(start))
    new = {"note-00000": {"all": 3, "neu": 1}, "chat-00000": {"gone": 1}}
    text = (NoteUpdate(note="note-00000", values={"content": "neu"}),)
    store.apply(empty_change(updates=text, terms=new))
    counts = {row["text"]: (row["note_df"], row["message_df"]) for row in store.query("store.word_counts")}
    assert counts["all"] == (start, start - 1)
    assert counts["neu"] == (1, 0) and counts["gone"] == (0, 1)
    assert "only0" not in counts  # a word that occurs nowhere any more is forgotten
    assert check(store) == []
    assert store.notes(["note-00000"])[0].body.content == "neu"


def test_words_are_replaced_together_with_a_bulk_of_others(store):
    store.apply(change(BULK))
    store.apply(replace(change(BULK, BULK), terms={**change(BULK, BULK).terms, "note-00000": {"neu": 1}, "note-00001": {}}))
    assert check(store) == []
    found = store.cypher("MATCH (t:Term)-[:OCCURS]->(:Semantic {id: 'note-00000'}) RETURN t.text", {}, limit=None).rows
    assert found == (("neu",),)


def test_document_frequencies_are_those_counted_by_hand(store):
    """However notes come in: an independent count over what was written."""
    written = [change(3), change(30, 3), change(2, 33)]
    for part in written:
        store.apply(part)
    note_df: Counter[str] = Counter()
    message_df: Counter[str] = Counter()
    for part in written:
        for owner, terms in part.terms.items():
            (note_df if owner.startswith("note") else message_df).update(terms.keys())
    counts = {row["text"]: (row["note_df"], row["message_df"]) for row in store.query("store.word_counts")}
    assert counts == {word: (note_df[word], message_df[word]) for word in note_df | message_df}


def test_names_are_shared_and_replaced(store):
    store.apply(empty_change(notes=(note(0), note(8)), names={"note-00000": ("red", "小红"), "note-00008": ("red",)}))
    store.apply(empty_change(names={"note-00000": ("rot",)}))
    rows = store.cypher("MATCH (x:Name)-[:NAMES]->(n:Semantic) RETURN x.text, n.id ORDER BY x.text", {}, limit=None).rows
    assert rows == (("red", "note-00008"), ("rot", "note-00000"))


def test_sources_keep_their_order_and_come_once(store):
    messages = tuple(message(n) for n in range(4))
    ids = [item.id for item in messages]
    store.apply(empty_change(messages=messages, chats=(chat(4),), notes=(note(0, sources=(ids[2], ids[0])),)))
    store.apply(empty_change(sources_added=(("note-00000", ids[3]), ("note-00000", ids[0]), ("note-00000", ids[3]))))
    assert store.notes(["note-00000"])[0].sources == (ids[2], ids[0], ids[3])


def test_links_that_wait_are_kept_and_then_connected(store):
    payloads = (Sem("loves", 0.5), TrigToAction(0.25), SituationLink())
    waiting = tuple(
        PendingLink(id=f"w{n}", source_key="a", target_key="b", payload=payload, created_at=NOW, intensity=2.0, place="f.json:3")
        for n, payload in enumerate(payloads)
    )
    store.apply(empty_change(pending=waiting))
    assert store.pending() == list(waiting)
    assert len(waiting_links(store)) == 3 and "f.json:3" in waiting_links(store)[0] and check(store) == []
    store.apply(empty_change(connected=("w0", "w1")))
    assert store.pending() == [waiting[2]]


def test_recalls_and_chats_and_meta_are_recorded(store):
    store.apply(change(4))
    recall = RecallRecord(
        id="r",
        at=NOW,
        query="猫?",
        uses=(Use(note="note-00000", stage="seed", score=0.5), Use(note="note-00003", stage="association", score=0.25)),
    )
    store.apply(empty_change(recalls=(recall,), meta={"cursor": {"chat": 3}, "summary": "摘要"}, chats=(chat(9),)))
    rows = store.cypher(
        "MATCH (r:Recall)-[u:RECALLED]->(n) RETURN r.query, n.id, u.stage, u.score ORDER BY n.id", {}, limit=None
    ).rows
    assert rows == (("猫?", "note-00000", "seed", 0.5), ("猫?", "note-00003", "association", 0.25))
    assert store.meta("cursor") == {"chat": 3} and store.meta("summary") == "摘要" and store.meta("none") is None
    assert [row["messages"] for row in store.query("store.chats")] == [9]


@pytest.mark.parametrize("count", [3, BULK_SIZE])
def test_kept_vectors_are_kept_once(store, count):
    vectors = {f"e{n}": unit(n) for n in range(count)}
    store.apply(empty_change(embeddings=vectors))
    store.apply(empty_change(embeddings={"e0": unit(99), "new": unit(98)}))
    rows = {row["id"]: embedding_of(row["vector"]) for row in store.query("store.embeddings", ids=["e0", "new", "none"])}
    assert np.array_equal(rows["e0"], unit(0)) and np.array_equal(rows["new"], unit(98)) and len(rows) == 2


# -- the journal ------------------------------------------------------------


def test_each_change_is_one_entry_numbered_without_gaps(store):
    numbers = [store.apply(change(1, start)).number for start in range(4)]
    with pytest.raises(StoreError):
        store.apply(change(1))
    numbers.append(store.apply(empty_change()).number)
    assert numbers == operations(store) == [1, 2, 3, 4, 5]
    last = store.query("store.operations", limit=2)
    assert [row["number"] for row in last] == [5, 4]
    assert (last[1]["command"], last[1]["what"], last[1]["at"]) == ("ingest", "1 notes", NOW)


def test_the_journal_knows_what_was_there_before(store):
    store.apply(empty_change(notes=(note(0),), terms={"note-00000": {"a": 2}}, names={"note-00000": ("x",)}, meta={"m": 1}))
    waiting = PendingLink(id="w", source_key="a", target_key="b", payload=Sem("v"), created_at=NOW)
    store.apply(empty_change(pending=(waiting,), chats=(chat(1),)))
    values = {"strength": 0.25, "content": "neu", "last_accessed_at": NOW}
    store.apply(
        empty_change(
            updates=(NoteUpdate(note="note-00000", values=values),),
            terms={"note-00000": {"b": 1}},
            names={"note-00000": ("y",)},
            meta={"m": 2},
            connected=("w",),
            chats=(chat(5),),
        )
    )
    (entry,) = store.query("store.operation", number=3)
    before, after = json.loads(entry["before"]), json.loads(entry["after"])
    assert before["updated"] == {"note-00000": {"strength": 1.0, "content": "小红", "last_accessed_at": None}}
    assert after["updated"]["note-00000"]["last_accessed_at"] == NOW.isoformat()
    assert before["terms"] == {"note-00000": {"a": 2}} and before["names"] == {"note-00000": ["x"]}
    assert before["meta"] == [{"name": "m", "value": 1}] and after["meta"] == {"m": 2}
    assert before["pending"][0]["id"] == "w" and after["connected"] == ["w"]
    assert before["chats"][0]["messages"] == 1 and after["chats"] == ["chat"]


def test_the_journal_lists_the_ids_of_what_was_created(store):
    written = change(BULK)
    store.apply(written)
    after = json.loads(store.query("store.operation", number=1)[0]["after"])
    assert after["notes"] == [item.id for item in written.notes]
    assert after["messages"] == [item.id for item in written.messages]
    assert after["links"] == [item.id for item in written.links]


@pytest.mark.parametrize("kind", ["notes", "links", "messages"])
def test_what_the_journal_says_and_the_mind_lacks_is_found(store, kind):
    """As a crash would leave it, were it not taken back."""
    store.apply(change(3))
    written = {kind: ["lost"]}
    at = NOW.replace(tzinfo=None)
    entry = {
        "number": 2,
        "at": at,
        "command": "ingest",
        "what": "a.jsonl",
        "before": "{}",
        "after": json.dumps(written),
        "undoes": None,
    }
    with store._engine.transaction() as transaction:
        transaction.run(Library()["store.create_operation"].text, entry)
    assert check(store) == [f"operation 2 (ingest a.jsonl) wrote 1 {kind[:-1]}, of which 1 are not there: restore a backup"]
    store.cypher("CREATE (:Meta {name: 'by hand', value: '1'})", {}, limit=None, write=True, at=NOW)
    assert check(store) == []


def test_no_column_lists_numbers(store):
    """The engine loses some of DOUBLE[] and FLOAT[], see below. Vectors have a length: FLOAT[N]."""
    described = Library()["store.table_columns"]
    tables = [table for (table,) in store._engine.read(Library()["store.tables"].text, {}).rows]
    types = [of for table in tables for _, of in store._engine.read(described.bound({"TABLE": table}), {}).rows]
    assert len(tables) > 15 and not [of for of in types if re.search(r"(DOUBLE|FLOAT)\[\]", of)]


@pytest.mark.parametrize("bulk", [False, True], ids=["rows", "bulk"])
@pytest.mark.parametrize("usual", [0.0, 0.5, 1.0])
def test_numbers_in_lists_stay_what_they_are_beside_many_that_are_alike(mind, usual, bulk):
    """The engine's compression of such columns lost what was added to them later."""
    draw = np.random.default_rng(7)

    def felt(first: int, count: int, intensity) -> list[Note]:
        bodies = (SpecificSituation("x", None, None, Context(emotions=(Feeling("joy", intensity()),))) for _ in range(count))
        return [note(first + number, body) for number, body in enumerate(bodies)]

    def vectors(first: int, count: int) -> dict[str, np.ndarray]:
        return {
            f"e{first + n}": np.where(draw.random(60) < 0.05, draw.random(60), usual).astype(np.float32) for n in range(count)
        }

    before = felt(0, 300, lambda: usual if draw.random() < 0.97 else float(draw.random()))
    kept = vectors(0, 200)
    after, more = felt(300, 80 if bulk else 6, lambda: float(draw.random())), vectors(200, 80 if bulk else 6)
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        store.apply(empty_change(notes=tuple(before), embeddings=kept))
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        store.apply(empty_change(notes=tuple(after), embeddings=more))
    with open_store(mind, settings=SETTINGS, now=NOW) as store:
        everything = [*before, *after]
        assert store.notes([item.id for item in everything]) == everything
        found = {row["id"]: embedding_of(row["vector"]) for row in store.query("store.embeddings", ids=sorted(kept | more))}
        assert all(np.array_equal(found[name], vector) for name, vector in (kept | more).items())
