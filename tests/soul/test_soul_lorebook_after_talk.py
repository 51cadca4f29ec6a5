"""A lorebook and the chats that name what it tells of, in either order: one note for each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from soul_minds import Minds

from soulmem.edit import Edit
from soulmem.ingest.report import FileReport
from soulmem.model.notes import Note, Semantic
from soulmem.soul import Soul


def book(**entries: tuple[Sequence[str], str]) -> bytes:
    made = {
        name: {"uid": int(name[1:]), "key": list(keys), "comment": keys[0], "content": text, "disable": False}
        for name, (keys, text) in entries.items()
    }
    return json.dumps({"entries": made}).encode()


def chat(*said: tuple[str, str]) -> bytes:
    lines = ({"name": name, "is_user": name == "Kim", "is_system": False, "mes": text} for name, text in said)
    return "\n".join(json.dumps(line) for line in ({"user_name": "Kim", "character_name": "Ada"}, *lines)).encode()


BOOK = book(e0=(["Falk Jessen", "Falk"], "He keeps the lighthouse on Amrum."), e1=(["Brass Lamp"], "It burns whale oil."))
CHAT = chat(
    ("Kim", "I met Falk Jessen on the ferry. He is tall."),
    ("Ada", "Falk wrote to me about that."),
    ("Kim", "And Falk said hello."),
    ("Ada", "I like Falk very much."),
)
FILES = {"book.json": BOOK, "chat.jsonl": CHAT}


def read(mind: Soul, *names: str) -> list[FileReport]:
    reports = [mind.ingest_bytes(FILES[name], name=name) for name in names]
    assert not [report.refused for report in reports if report.refused]
    return reports


def notes(mind: Soul) -> list[Note]:
    return mind.store.notes([row["id"] for row in mind.store.query("store.all_keys")])


def told(mind: Soul) -> tuple[Any, ...]:
    keys = {note.id: note.key for note in notes(mind)}
    links = sorted((keys[one.source], keys[one.target], repr(one.payload)) for one in mind.store.links())
    return sorted((note.key, repr(note.body), sorted(note.sources)) for note in notes(mind)), links


def test_in_either_order_it_is_the_same_mind(minds: Minds) -> None:
    one, other = minds(), minds()
    read(one, "book.json", "chat.jsonl")
    report = read(other, "chat.jsonl", "book.json")[1]
    assert told(one) == told(other)
    assert (report.replaced, report.removed) == (0, 0), "nothing of an earlier version"
    assert [problem.what for problem in report.problems] == ["Falk Jessen: named in talk before; one note of both"]
    assert other.check() == ()
    again = read(other, "chat.jsonl", "book.json")
    assert [(report.new, report.problems) for report in again] == [(0, ()), (0, ())]
    found = [mind.recall("Who keeps the lighthouse?", top=3) for mind in (one, other)]
    assert found[0].memories == found[1].memories
    assert "Falk Jessen on the ferry" in repr(found[1])


def test_how_often_it_was_recalled_goes_over_and_is_taken_back(minds: Minds) -> None:
    mind = minds()
    read(mind, "chat.jsonl")
    mind.commit(mind.recall("Falk Jessen, Falk"))
    before = mind.export_graph()
    recalled = mind.note("sem_falk_jessen").retrieval_count
    read(mind, "book.json")
    (entry,) = [note for note in notes(mind) if note.key.startswith("lore_falk")]
    assert recalled > 0 and entry.retrieval_count == recalled
    assert [row["note"] for row in mind.store.query("store.all_recalls")].count(entry.id) == 1
    mind.undo()
    assert mind.export_graph() == before
    mind.redo()
    assert mind.note(entry.key).sources == entry.sources


def test_the_book_of_a_card_too(minds: Minds) -> None:
    mind = minds()
    read(mind, "chat.jsonl")
    entries = [{"keys": ["Falk Jessen", "Falk"], "content": "He keeps the lighthouse.", "enabled": True}]
    card = {"name": "Ada", "description": "Ada mends nets.", "first_mes": "Hm.", "character_book": {"entries": entries}}
    mind.ingest_bytes(json.dumps({"spec": "chara_card_v2", "data": card}).encode(), name="ada.json")
    assert [note.key.split("_")[0] for note in notes(mind) if "falk" in note.key] == ["lore"]
    assert "sem_ada" not in {note.key for note in notes(mind)}
    assert mind.check() == ()


@pytest.mark.parametrize("scope", ["direct:kim", "group:tea"])
def test_what_was_said_in_private_stays_apart(minds: Minds, scope: str) -> None:
    mind = minds()
    mind.ingest_bytes(CHAT, name="chat.jsonl", scope=scope)
    drawn = {note.key for note in notes(mind) if note.key.startswith("sem_falk")}
    (report,) = read(mind, "book.json")
    assert report.problems == ()
    assert drawn and drawn <= {note.key for note in notes(mind)}


def test_what_was_changed_by_hand_stays(minds: Minds) -> None:
    mind = minds()
    read(mind, "chat.jsonl")
    mind.edit("sem_falk_jessen", Edit(text="A friend."))
    read(mind, "book.json")
    kept = mind.note("sem_falk_jessen").body
    assert isinstance(kept, Semantic) and kept.description == "A friend."
