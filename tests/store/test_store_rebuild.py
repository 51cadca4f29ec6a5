"""Writing a mind anew: another embedder's vectors, and nothing left of what was deleted."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from store_minds import NOW, RECORD, SETTINGS, TEXT_VECTOR, change, contents, empty_change, files_of, note, operations, unit

from soulmem.errors import StoreError
from soulmem.model.changes import PendingLink, RecallRecord, Use
from soulmem.model.links import Sem
from soulmem.store import EmbedderRecord, check, open_store

OTHER = EmbedderRecord("other", 6, 0.5)


@pytest.fixture
def filled(store):
    store.apply(change(12))
    waiting = PendingLink(id="w", source_key="a", target_key="b", payload=Sem("v"), created_at=NOW)
    recall = RecallRecord(id="r", at=NOW, query="q", uses=(Use(note="note-00001", stage="seed", score=0.5),))
    store.apply(
        empty_change(pending=(waiting,), recalls=(recall,), meta={"m": {"猫": 1}}, notes=(note(99, last_accessed_at=NOW),))
    )
    return store


def vectors_for(store, dimension=6):
    notes = store.notes([row["id"] for row in store.query("store.all_keys")])
    vectors = {item.id: {TEXT_VECTOR[item.type]: unit(number, dimension)} for number, item in enumerate(notes)}
    return vectors | {row["id"]: {"v_text": unit(5, dimension)} for row in store.query("store.all_messages")}


def test_written_anew_a_mind_is_the_same(filled, mind):
    before, journal = contents(filled), filled.query("store.operations", limit=9)
    filled.rewrite()
    assert contents(filled) == before and filled.query("store.operations", limit=9) == journal
    assert "mine.mind.new" not in files_of(mind)
    filled.apply(change(2, 200))
    filled.close()
    with open_store(mind, settings=SETTINGS, now=NOW) as again:
        assert len(again.query("store.all_keys")) == 15 and operations(again) == [1, 2, 3]


def test_nothing_deleted_is_left_in_the_file(store, mind):
    secret = "unmistakable-secret-words"
    store.apply(change(3))
    store.apply(empty_change(notes=(replace(note(51), key=secret),)))
    for text in (
        "MATCH (k:NoteKey) WHERE k.key STARTS WITH 'unmistakable' DELETE k",
        "MATCH (n:AbstractSituation) WHERE n.key STARTS WITH 'unmistakable' DETACH DELETE n",
    ):
        store.cypher(text, {}, limit=None, write=True, at=NOW)
    assert any(secret.encode() in file.read_bytes() for file in mind.parent.glob("mine.mind*"))
    store.rewrite()
    store.close()
    assert all(secret.encode() not in file.read_bytes() for file in mind.parent.glob("mine.mind*"))


def test_vectors_of_another_embedder_take_the_place_of_all(filled, mind):
    before = contents(filled)
    with open_store(mind, now=NOW) as beside:
        done = filled.replace_vectors(OTHER, empty_change(vectors=vectors_for(filled), meta={"reembedded": True}))
        assert done.number == 3 and beside.embedder() == filled.embedder() == OTHER
        with pytest.raises(StoreError):
            beside.apply(empty_change(notes=(note(70),), vectors={"note-00070": {"v_content": unit(1)}}))
    after = contents(filled)
    for same in ("notes", "links", "messages", "words", "counts", "chats", "pending"):
        assert after[same] == before[same]
    assert after["vectors"] != before["vectors"] and len(after["vectors"]) >= len(before["vectors"])
    assert filled.meta("reembedded") is True
    filled.apply(change(1, 304, vectors={"note-00304": {"v_content": unit(1, 6)}}, embeddings={}))
    filled.apply(change(20, 400, vectors={}, embeddings={}))
    filled.close()
    with open_store(mind, settings=SETTINGS, now=NOW) as again:
        assert again.embedder() == OTHER
        rows = again.cypher(
            "MATCH (n:Semantic) WHERE n.v_content IS NOT NULL RETURN n.id, n.v_content ORDER BY n.id", {}, limit=1
        ).rows
        assert np.allclose(rows[0][1], unit(0, 6))


@pytest.mark.parametrize(
    "wrong",
    [
        {"vectors": {"note-00000": {"v_content": unit(1, 4)}}},
        {"vectors": {"?": {"v_content": unit(1, 6)}}},
        {"vectors": {"note-00000": {"v_nothing": unit(1, 6)}}},
        {"vectors": {}, "notes": (note(80),)},
        {"vectors": {}, "terms": {"?": {"a": 1}}},
    ],
)
def test_a_replacement_that_fails_changes_nothing(filled, mind, wrong):
    before = contents(filled)
    with pytest.raises(StoreError):
        filled.replace_vectors(OTHER, empty_change(**wrong))
    assert contents(filled) == before and filled.embedder() == RECORD
    assert "mine.mind.new" not in files_of(mind)
    filled.apply(change(1, 300))


# -- what doctor says


def test_a_whole_mind_has_no_findings(store):
    store.apply(change(12))
    assert check(store) == []


DAMAGES = {
    "claimed": ("CREATE (:NoteKey {key: 'ghost', id: 'x', type: 'Semantic'})", "the key ghost is recorded"),
    "unclaimed": ("MATCH (k:NoteKey {key: 'key_0'}) DELETE k", "the key key_0 is not recorded"),
    "twice": ("MATCH (n:Semantic {id: 'note-00008'}) SET n.key = 'key_0'", "the key key_0 belongs to 2 notes"),
    "frequency": ("MATCH (t:Term {text: 'all'}) SET t.note_df = 99", "the word all occurs in"),
    "link of a word": (
        "MATCH (:Term {text: 'all'})-[o:OCCURS]->(:Semantic {id: 'note-00000'}) DELETE o",
        "note-00000 has 3 words",
    ),
    "length": ("MATCH (m:Message {id: 'chat-00001'}) SET m.length = 7", "chat-00001 has 2 words, but 7 are recorded"),
    "journal": ("MATCH (o:Operation {number: 1}) DELETE o", "the journal has operation 2 where 1 should be"),
    "vector": ("MATCH (m:Message {id: 'chat-00001'}) SET m.v_text = NULL", "Message chat-00001 has a text but no vector"),
    "chat": ("MATCH (c:Chat) DELETE c", "belongs to the chat chat, which is not there"),
    "beyond": ("MATCH (c:Chat) SET c.messages = 3", "beyond its 3 lines"),
    "same link": ("MATCH ()-[l:Sem]->() SET l.id = 'same'", "the link same is there"),
}


@pytest.mark.parametrize(("damage", "said"), DAMAGES.values(), ids=DAMAGES)
def test_every_disagreement_is_found(store, damage, said):
    store.apply(change(9))
    store.cypher(damage, {}, limit=None, write=True, at=NOW + timedelta(hours=1))
    findings = check(store)
    assert any(said in finding for finding in findings), findings


def test_many_findings_of_a_kind_are_counted(store):
    store.apply(change(20))
    store.cypher("MATCH (c:Chat) DELETE c", {}, limit=None, write=True, at=NOW)
    findings = check(store)
    assert len(findings) == 11 and findings[-1] == "… and 10 more of this kind"
