"""Cards and lorebooks in a mind: whose they are, read again, beside chats, and taken back."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from new_minds import created

from soulmem.model.notes import SELF_KEY, Note, NoteType, Semantic, display_text
from soulmem.quality import remarks
from soulmem.soul import Soul

AT = datetime(2026, 11, 1, tzinfo=UTC)
GREETING = "You are alive, then."
CARD: dict[str, Any] = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": {
        "name": "Ada Quill",
        "nickname": "Addie",
        "description": "{{char}} keeps the lighthouse. Likes: tea",
        "scenario": "A shore at night.",
        "first_mes": GREETING,
        "mes_example": "<START>\n{{user}}: Are you alone?\n{{char}}: Never.",
        "tags": ["sea"],
        "extensions": {"somebody/else": [1, {"deep": None}]},
        "character_book": {"entries": [{"keys": ["the Lamp"], "content": "It was lit in 1811.", "enabled": True}]},
    },
}
CHAT = (
    '{"user_name":"Kim","character_name":"Addie","chat_metadata":{}}\n'
    '{"name":"Addie","is_user":false,"mes":"You are alive, then."}\n'
    '{"name":"Kim","is_user":true,"mes":"Barely. Is this the Lamp?"}\n'
)


@pytest.fixture
def soul(tmp_path: Path) -> Iterator[Soul]:
    with created(tmp_path / "a.mind", AT) as soul:
        yield soul


@pytest.fixture(scope="module")
def card_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("card") / "a.mind"
    with created(path, AT) as soul:
        assert ingest(soul, CARD, "ada.json").refused is None
    return path


@pytest.fixture
def carded(card_file: Path, tmp_path: Path) -> Iterator[Soul]:
    """A mind of the card."""
    with Soul.open(shutil.copy(card_file, tmp_path / "carded.mind"), clock=lambda: AT) as soul:
        yield soul


def ingest(soul: Soul, value: Any, name: str) -> Any:
    return soul.ingest_bytes(value.encode() if isinstance(value, str) else json.dumps(value).encode(), name=name)


def notes(soul: Soul) -> list[Note]:
    return soul.store.notes([row["id"] for row in soul.store.query("store.all_keys")])


def identity(soul: Soul) -> Semantic:
    body = soul.note(SELF_KEY).body
    assert isinstance(body, Semantic)
    return body


def said(soul: Soul) -> list[str]:
    return [
        message.text
        for message in soul.store.messages([row["id"] for row in soul.store.query("store.all_messages")])
        if not message.hidden
    ]


def whole(soul: Soul) -> Any:
    return (soul.export_graph(), soul.export_messages(), soul.store.meta("card"))


def test_a_card_into_an_empty_mind_and_again(soul: Soul) -> None:
    report = ingest(soul, CARD, "ada.json")
    assert (report.format, report.refused) == ("card-json", None)
    assert report.read == report.new > 0
    assert (identity(soul).content, identity(soul).aliases) == ("Ada Quill", ("Addie",))
    assert soul.store.meta("card")["card"] == CARD
    assert [(row["format"], row["messages"]) for row in soul.store.query("store.chats")] == [("card-json", 3)]
    before = whole(soul)
    report = ingest(soul, CARD, "ada.json")
    assert (report.new, report.existing) == (0, report.read)
    assert whole(soul) == before
    assert [message.hidden for message in soul.store.messages([row["id"] for row in soul.store.query("store.all_messages")])] == [
        True
    ] * 3


def test_the_mind_gains_by_a_card_and_loses_nothing(soul: Soul) -> None:
    graph = [
        {
            "id": SELF_KEY,
            "tags": ["keeper"],
            "mem_type": {
                "Semantic": {"content": "Ada", "aliases": ["A."], "concept_type": "Entity", "description": "I keep the light."}
            },
            "mem_links": [],
        }
    ]
    ingest(soul, graph, "graph.json")
    report = ingest(soul, CARD, "ada.json")
    assert report.refused is None
    body, note = identity(soul), soul.note(SELF_KEY)
    assert (body.content, body.description) == ("Ada", "I keep the light.")
    assert body.aliases == ("A.", "Ada Quill", "Addie")
    assert note.tags == ("keeper", "sea")
    assert any("description that the mind has was kept" in problem.what for problem in report.problems)
    before = whole(soul)
    assert ingest(soul, CARD, "ada.json").new == 0
    assert whole(soul) == before


def test_the_card_of_somebody_else_is_refused(tmp_path: Path, carded: Soul) -> None:
    before = whole(carded)
    other = {"name": "Bo", "description": "Bo is another.", "first_mes": "Hi."}
    report = ingest(carded, other, "bo.json")
    assert "the card of Bo, and the mind is that of Ada Quill" in report.refused
    assert whole(carded) == before


def test_a_mind_that_knows_only_another_name_takes_the_card(tmp_path: Path) -> None:
    with created(tmp_path / "b.mind", AT, "The keeper") as soul:
        report = ingest(soul, CARD, "ada.json")
        assert report.refused is None
        assert any("another name of the same" in problem.what for problem in report.problems)
        assert identity(soul).content == "The keeper"
        assert "Ada Quill" in identity(soul).aliases


@pytest.mark.parametrize("first", ["card", "chat"])
def test_a_greeting_is_said_once_in_the_chat_that_begins_with_it(soul: Soul, first: str) -> None:
    files = {"card": CARD, "chat": CHAT}
    for name in (first, *files.keys() - {first}):
        assert ingest(soul, files[name], f"{name}.json").refused is None
    assert said(soul).count(GREETING) == 1
    situations = [
        note
        for note in soul.store.notes([row["id"] for row in soul.store.query("look.all_notes")])
        if note.key.startswith("sit_")
    ]
    assert sum(GREETING in display_text(note.body) for note in situations) == 1
    assert ingest(soul, CHAT, "chat.json").new == 0
    assert ingest(soul, CARD, "card.json").new == 0


def test_examples_are_no_memory_of_something_that_happened(carded: Soul) -> None:
    found = carded.recall("Never. Are you alone?", messages=5)
    assert not found.messages
    assert not any("Never" in memory.text and memory.type is NoteType.SPECIFIC for memory in found.memories)
    assert carded.consolidate() is not None
    assert said(carded) == []


def test_a_card_without_a_name_is_that_of_the_mind(tmp_path: Path) -> None:
    nameless = {**CARD, "data": {**CARD["data"], "name": "", "nickname": ""}}
    with created(tmp_path / "c.mind", AT, "Wren") as soul:
        assert ingest(soul, nameless, "x.json").refused is None
        texts = "\n".join(
            display_text(note.body) for note in soul.store.notes([row["id"] for row in soul.store.query("look.all_notes")])
        )
        assert "Wren keeps the lighthouse" in texts
        assert "{{" not in texts
        assert {
            message.speaker for message in soul.store.messages([row["id"] for row in soul.store.query("store.all_messages")])
        } == {"Wren", "User"}


@pytest.mark.parametrize("book_first", [True, False])
def test_card_and_lorebook_in_either_order(soul: Soul, book_first: bool) -> None:
    book = {"name": "Lore", "entries": {"0": {"key": ["gulls"], "content": "{{char}} feeds them.", "constant": True}}}
    files = [("book.json", book), ("card.json", CARD)] if book_first else [("card.json", CARD), ("book.json", book)]
    for name, value in files:
        report = ingest(soul, value, name)
        assert report.refused is None
        assert report.read == report.new + report.existing + report.skipped
    assert not soul.store.pending()
    assert "gulls" in [memory.text.split("（")[0] for memory in soul.recall("What of the gulls?").memories]


def test_a_card_can_be_taken_back(soul: Soul) -> None:
    before = whole(soul)
    ingest(soul, CARD, "ada.json")
    soul.undo()
    assert whole(soul) == before
    soul.redo()
    assert soul.store.meta("card")["card"] == CARD
    assert soul.stats()["messages"] == 3


def test_dry_run_and_strict_write_nothing(soul: Soul) -> None:
    before = whole(soul)
    assert soul.ingest_bytes(json.dumps(CARD).encode(), name="ada.json", dry_run=True).new > 0
    off = {**CARD, "data": {**CARD["data"], "character_book": {"entries": [{"keys": ["x"], "content": "", "enabled": True}]}}}
    report = soul.ingest_bytes(json.dumps(off).encode(), name="ada.json", strict=True)
    assert report.refused is not None
    assert whole(soul) == before


def test_what_a_card_says_is_asked_for(carded: Soul) -> None:
    found = carded.recall("When was the Lamp lit?")
    assert any("1811" in memory.text for memory in found.memories)


def test_a_mind_of_a_card_is_well_made(carded: Soul) -> None:
    notes = carded.store.notes([row["id"] for row in carded.store.query("look.all_notes")])
    assert remarks(notes, carded.store.links()) == []
    assert carded.check() == ()
    assert all(note.pinned for note in notes if note.key != SELF_KEY and not note.key.startswith("lore"))


def test_graph_and_messages_bring_the_kept_card_back(tmp_path: Path, carded: Soul) -> None:
    carded.export(tmp_path / "ada.json", messages=True)
    assert '"kept"' not in carded.export_messages(heard_in="public")
    with created(tmp_path / "b.mind", AT) as other:
        planned = other.ingest(tmp_path / "ada.json", tmp_path / "ada.messages.jsonl", dry_run=True)
        assert other.stats()["notes"] == {} or not sum(other.stats()["notes"].values())
        report = other.ingest(tmp_path / "ada.json", tmp_path / "ada.messages.jsonl")
        assert report == planned and not any(file.refused or file.problems for file in report.files)
        assert other.store.meta("card") == carded.store.meta("card") is not None
        assert other.export_messages() == carded.export_messages() and other.export_graph() == carded.export_graph()


def test_a_dry_run_over_a_folder_counts_what_the_run_would(tmp_path: Path, soul: Soul) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for name, text in {
        "a.jsonl": CHAT,
        "z.json": json.dumps(CARD),
        "rules.json": '[{"for": "x", "json": {"messages": [1], "role": 1}}]',
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    before = soul.export_graph()
    planned = soul.ingest(folder, dry_run=True)
    assert soul.export_graph() == before
    assert [file.path.rsplit("/", 1)[-1] for file in planned.files] == ["z.json", "a.jsonl", "rules.json"]
    assert not any(file.refused for file in planned.files)
    assert soul.ingest(folder) == planned


def test_short_forms_of_its_name_are_the_character_unless_somebody_else_has_them(soul: Soul) -> None:
    assert soul.short_names() == {}
    ingest(soul, CARD, "ada.json")
    assert soul.short_names() == {"ada": "Ada Quill", "quill": "Ada Quill"}
    ingest(soul, "Quill: Hello, Kim.\nKim: Hello, Quill.\nQuill: Good to see you.\n", "uncle.txt")
    assert soul.short_names() == {"ada": "Ada Quill"}


# Where a note comes from.


def test_every_note_of_a_card_says_which_field_of_which_file_it_was_read_in(carded: Soul) -> None:
    origins = {display_text(note.body): note.origins for note in notes(carded)}
    assert origins["Addie keeps the lighthouse. Likes: tea"] == ("ada.json: description",)
    assert origins["A shore at night."] == ("ada.json: scenario",)
    assert origins[GREETING] == ("ada.json: first_mes",)
    assert origins["Never."] == ("ada.json: mes_example",)
    assert origins["the Lamp（It was lit in 1811.）"] == ("ada.json: lorebook, entry 1 (the Lamp)",)
    assert all(note.origins or note.sources for note in notes(carded))


def test_what_is_recalled_says_where_it_was_read_and_the_export_keeps_it(carded: Soul, tmp_path: Path) -> None:
    graph = '[{"id": "sem_oil", "tags": [], "mem_links": [],\n "mem_type": {"Semantic": {"content": "whale oil"}}},\n'
    graph += ' {"id": "sem_wick", "tags": [], "mem_links": [], "mem_type": {"Semantic": {"content": "wick"}}}]'
    ingest(carded, graph, "lamp.json")
    assert carded.note("sem_wick").origins == ("lamp.json:3",)
    found = {memory.key: memory.origins for memory in carded.recall("When was the Lamp lit, and with whale oil?").memories}
    assert found["sem_oil"] == ("lamp.json:1",)
    assert ("ada.json: lorebook, entry 1 (the Lamp)",) in found.values()
    with created(tmp_path / "b.mind", AT) as other:
        carded.export(tmp_path / "again.json")
        other.ingest(tmp_path / "again.json")
        assert {note.key: note.origins for note in notes(other)} == {note.key: note.origins for note in notes(carded)}


def test_the_character_knows_every_file_that_told_it_who_it_is(carded: Soul) -> None:
    again = json.loads(json.dumps(CARD))
    again["data"]["tags"] = ["sea", "night"]
    ingest(carded, again, "ada-2.json")
    assert carded.note(SELF_KEY).origins == ("ada.json", "ada-2.json")


def test_forgetting_what_came_since_leaves_who_the_character_is(carded: Soul) -> None:
    """The lines of its card were said at no time."""
    before = {row.key for row in carded.list(limit=999)}
    plan = carded.forget(since=datetime(2020, 1, 1, tzinfo=UTC), dry_run=True)
    gone = {note.key for note in plan.gone_notes}
    assert plan.messages == 0 and "sem_self" not in gone
    assert {key for key in before if key.startswith(("sem_self", "proc_", "sem_personality"))}.isdisjoint(gone)
