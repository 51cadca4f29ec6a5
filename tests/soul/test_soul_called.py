"""A character's card and the chats of other programs, in either order: one person, one note."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from soulmem.model.messages import Role
from soulmem.model.notes import SELF_KEY, Semantic
from soulmem.recall.speakers import only_one, told_by_name
from soulmem.soul import Soul

AT = datetime(2026, 11, 1, tzinfo=UTC)
FILES = {
    "en": (
        {"name": "Ruben Castell", "description": "Age: 40\nRuben Castell mends clocks.", "first_mes": "Come in."},
        "Ruben: I found the brass key in the attic.\nAnn: Where is Ruben's brass key now?\nRuben: I gave it to Bo.\n",
    ),
    "zh": (
        {"name": "凉宫春日", "description": "年龄：16\n凉宫春日是SOS团的团长。", "first_mes": "来了啊。"},
        "春日：我在阁楼找到了铜钥匙。\n阿虚：春日的铜钥匙现在在哪里？\n春日：我给了有希。\n",
    ),
}


@pytest.fixture(params=[("en", "card"), ("en", "chat"), ("zh", "card"), ("zh", "chat")], ids="-".join)
def soul(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Soul]:
    """A mind that read both, the one that is named first."""
    language, first = request.param
    card, chat = FILES[language]
    files = {"card": ("card.json", json.dumps(card)), "chat": ("chat.txt", chat)}
    with Soul.create(tmp_path / "a.mind", embedder="hashing", clock=lambda: AT) as soul:
        for one in (first, *files.keys() - {first}):
            name, text = files[one]
            report = soul.ingest_bytes(text.encode(), name=name)
            assert report.refused is None
        for name, text in files.values():
            assert soul.ingest_bytes(text.encode(), name=name).new == 0, "the same again is nothing new"
        yield soul


def test_one_person_is_one_note(soul: Soul) -> None:
    own = soul.note(SELF_KEY)
    short = {"ruben", "春日"}
    assert isinstance(own.body, Semantic)
    assert {alias.casefold() for alias in own.body.aliases} & short
    named = {row["id"] for row in soul.store.query("recall.names", names=sorted(short))}
    assert named == {own.id}
    situations = {link.source for link in soul.store.links() if link.target == own.id}
    told = [note for note in soul.store.notes(sorted(situations)) if note.key.startswith("sit_chat")]
    assert told and own.sources
    assert soul.check() == ()


def test_it_is_asked_for_as_you(tmp_path: Path) -> None:
    card, chat = FILES["en"]
    with Soul.create(tmp_path / "d.mind", embedder="hashing", clock=lambda: AT) as soul:
        soul.ingest_bytes(json.dumps(card).encode(), name="card.json")
        soul.ingest_bytes(chat.encode(), name="chat.txt")
        assert {(row["speaker"], row["role"]) for row in soul.store.query("recall.speakers")} == {
            ("Ruben", Role.CHARACTER),
            ("Ann", Role.USER),
        }
        found = soul.recall("Where did you find the brass key?", messages=1)
        assert "I found the brass key" in found.messages[0].text


def test_two_of_one_first_name_stay_two(tmp_path: Path) -> None:
    with Soul.create(tmp_path / "b.mind", embedder="hashing", clock=lambda: AT) as soul:
        soul.ingest_bytes(json.dumps(FILES["en"][0]).encode(), name="card.json")
        soul.ingest_bytes(b"Ruben: Hello.\nRuben Mills: Hello yourself, Ruben.\nRuben: Sit down.\n", name="chat.txt")
        own = soul.note(SELF_KEY).body
        assert isinstance(own, Semantic) and own.aliases == ()
        assert soul.note("sem_ruben").id != soul.note("sem_ruben_mills").id


def test_joining_is_told_and_taken_back(tmp_path: Path) -> None:
    card, chat = FILES["en"]
    with Soul.create(tmp_path / "c.mind", embedder="hashing", clock=lambda: AT) as soul:
        soul.ingest_bytes(chat.encode(), name="chat.txt")
        before = soul.export_graph()
        report = soul.ingest_bytes(json.dumps(card).encode(), name="card.json")
        assert any("Ruben, who speaks in chats, is the character" in problem.what for problem in report.problems)
        soul.undo()
        assert soul.export_graph() == before


def test_one_who_speaks_by_two_names_is_still_i_or_you(tmp_path: Path) -> None:
    """Other programs call the character, or the user, by the first name or by the whole one; strangers stay apart."""
    told = "{}: I keep the tin whistle in the {}.\n{}: I left my umbrella on the {}.\n"
    with Soul.create(tmp_path / "e.mind", embedder="hashing", clock=lambda: AT) as soul:
        soul.ingest_bytes(json.dumps(FILES["en"][0]).encode(), name="card.json")
        for number, (name, place) in enumerate((("Ruben", "drawer"), ("Ruben Castell", "boathouse"))):
            soul.ingest_bytes(told.format(name, place, "Ann", "ferry").encode(), name=f"{number}.txt")
        own = only_one(
            [row["speaker"] for row in soul.store.query("recall.speakers") if row["role"] == Role.CHARACTER], soul.store
        )
        assert own == {"Ruben", "Ruben Castell"}
        assert only_one(["Ruben", "Ann"], soul.store) is None
        assert only_one([], soul.store) is None and only_one(["Nobody"], soul.store) == {"Nobody"}
        by_name = told_by_name("Where did you leave my umbrella?", soul.store)
        assert by_name is not None and by_name.question == "Where did Ruben Castell leave Ann's umbrella?"
        found = soul.recall("Where do you keep the tin whistle?", messages=2)
        assert {line.speaker for line in found.messages} == {"Ruben", "Ruben Castell"}


def test_the_character_is_meant_by_its_name_whatever_else_has_it(tmp_path):
    book = {"name": "B", "entries": [{"keys": ["Wren"], "content": "Wren is a bird.", "enabled": True}]}
    data = {"name": "Wren", "description": "Wren is a baker.", "character_book": book}
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}
    with Soul.create(tmp_path / "w.mind", embedder="hashing", clock=lambda: AT, name="Wren") as soul:
        soul.ingest_bytes(json.dumps(card).encode(), name="card.json")
        soul.ingest_bytes(b"Ann: hi\nWren: hello\n", name="t.txt")
        (situation,) = (note for note in soul.store.notes([row["id"] for row in soul.store.query("store.all_specific")]))
        keys = {note.id: note.key for note in soul.store.notes([link.target for link in soul.store.links()])}
        assert {keys[link.target] for link in soul.store.links() if link.source == situation.id} == {"sem_ann", "sem_self"}


def test_talk_leads_to_what_a_lorebook_tells_of_somebody_whose_name_no_dictionary_has(tmp_path):
    entry = {"uid": 0, "key": ["陆景行"], "comment": "陆景行", "content": "隔壁咖啡馆的老板，左撇子。", "disable": False}
    with Soul.create(tmp_path / "z.mind", embedder="hashing", clock=lambda: AT, name="沈知微") as soul:
        soul.ingest_bytes(json.dumps({"entries": {"0": entry}, "name": "书"}).encode(), name="book.json")
        soul.ingest_bytes("林远：昨天陆景行送了我一把铜钥匙。\n沈知微：好漂亮。\n".encode(), name="c.txt")
        (owner,) = (
            note
            for note in soul.store.notes([row["id"] for row in soul.store.query("store.all_semantic")])
            if note.key.startswith("lore_")
        )
        assert [said.file for said in soul.store.messages(owner.sources)] == ["c.txt"]
        assert "陆景行" not in [
            note.body.content
            for note in soul.store.notes([row["id"] for row in soul.store.query("store.all_semantic")])
            if note.id != owner.id
        ]
