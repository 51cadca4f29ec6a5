"""Another version of a card or a lorebook: what it says no longer goes, what talk knows stays, and all of it can be undone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from new_minds import created

from soulmem.ingest.report import FileReport
from soulmem.model.notes import SELF_KEY, Note, Semantic, display_text
from soulmem.soul import Soul

AT = datetime(2026, 11, 1, tzinfo=UTC)
ROCK = {"keys": ["Gull Rock", "the rock"], "content": "A rock in the sea.", "enabled": True}
LAMP = {"keys": ["Lamp"], "content": "It was lit in 1811.", "enabled": True}
CARD: dict[str, Any] = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": {
        "name": "Ada Quill",
        "nickname": "Addie",
        "description": "Age: 28\nHome: a lighthouse\nAda Quill keeps three goats behind the house.",
        "scenario": "A shore at night.",
        "first_mes": "You are alive, then.",
        "tags": ["sea"],
        "extensions": {},
        "character_book": {"name": "Sea", "entries": [ROCK, LAMP]},
    },
}
CHAT = (
    '{"user_name":"Kim","character_name":"Ada Quill","chat_metadata":{}}\n'
    '{"name":"Kim","is_user":true,"mes":"I swam to Gull Rock today. Gull Rock is cold."}\n'
    '{"name":"Ada Quill","is_user":false,"mes":"Nobody swims to Gull Rock."}\n'
)


@pytest.fixture(scope="module")
def card_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("card") / "a.mind"
    with created(path, AT) as soul:
        ingest(soul, CARD)
    return path


@pytest.fixture(scope="module")
def talk_file(card_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("talk") / "a.mind"
    shutil.copy(card_file, path)
    with Soul.open(path, clock=lambda: AT) as soul:
        ingest(soul, CHAT, "chat.jsonl")
    return path


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Soul]:
    with created(tmp_path / "c.mind", AT) as soul:
        yield soul


@pytest.fixture
def soul(card_file: Path, tmp_path: Path) -> Iterator[Soul]:
    """A mind of the card."""
    with Soul.open(shutil.copy(card_file, tmp_path / "a.mind"), clock=lambda: AT) as soul:
        yield soul


@pytest.fixture
def talked(talk_file: Path, tmp_path: Path) -> Iterator[Soul]:
    """A mind of the card and a talk."""
    with Soul.open(shutil.copy(talk_file, tmp_path / "b.mind"), clock=lambda: AT) as soul:
        yield soul


def card(**fields: Any) -> dict[str, Any]:
    return {**CARD, "data": {**CARD["data"], **fields}}


def ingest(soul: Soul, value: Any, name: str = "ada.json") -> FileReport:
    return soul.ingest_bytes((value if isinstance(value, str) else json.dumps(value)).encode(), name=name)


def notes(soul: Soul) -> list[Note]:
    return soul.store.notes([row["id"] for row in soul.store.query("look.all_notes")])


def texts(soul: Soul) -> list[str]:
    return sorted(display_text(note.body) for note in notes(soul))


def test_a_changed_statement_takes_the_place_of_the_old_one(soul: Soul) -> None:
    before = soul.export_graph()
    report = ingest(soul, card(description=CARD["data"]["description"].replace("28", "29")))
    assert (report.refused, report.new, report.replaced, report.removed) == (None, 3, 1, 0), "age, its link, and sem_self"
    said = "\n".join(texts(soul))
    assert "29" in said and "28" not in said
    assert soul.check() == ()
    soul.undo()
    assert soul.export_graph() == before
    soul.redo()
    assert "\n".join(texts(soul)) == said
    assert ingest(soul, card(description=CARD["data"]["description"].replace("28", "29"))).new == 0


EXAMPLES = "<START>\n{{user}}: Can you mend it?\n{{char}}: Anything can be mended, in time.\n"


@pytest.mark.parametrize("named", [{"nickname": "Quill"}, {"nickname": "Quill", "name": "Quill"}])
def test_what_the_card_shows_is_told_once_by_whatever_name(soul: Soul, named: Any) -> None:
    ingest(soul, card(mes_example=EXAMPLES))
    before = texts(soul)
    for _ in range(2):
        report = ingest(soul, card(mes_example=EXAMPLES, **named))
        assert (report.refused, report.skipped) == (None, 0)
    assert len(texts(soul)) == len(before)
    ingest(soul, card(mes_example=EXAMPLES, scenario="A shore at dawn.", **named))
    scenes = [note for note in notes(soul) if note.key.startswith("sit_scenario")]
    assert [display_text(scene.body) for scene in scenes] == ["A shore at dawn."]
    assert len(texts(soul)) == len(before)
    assert soul.check() == ()


def test_what_description_and_personality_say_alike_is_one_statement(empty: Soul) -> None:
    said = "Personality: patient, dry\nShe hates being hurried.\nLikes: tea"
    ingest(empty, card(description=said, personality="She hates being hurried. She sings at night.\nHates: tea"))
    keys = [note.key.rsplit("_", 1)[0] for note in notes(empty) if note.key.startswith("sem_") and note.key != SELF_KEY]
    assert sorted(keys) == ["sem_hates", "sem_likes", "sem_personality", "sem_personality", "sem_she_hates_being_hurried"]
    assert sum("hurried" in text for text in texts(empty)) == 2, "the statement, and sem_self"
    (me,) = (note.body for note in notes(empty) if note.key == SELF_KEY)
    assert isinstance(me, Semantic) and me.description.count("hurried") == 1
    ingest(empty, card(description=said, personality="patient, dry"))
    assert sum("patient" in text for text in texts(empty)) == 2


def test_what_is_said_no_longer_goes_and_is_told(soul: Soul) -> None:
    report = ingest(soul, card(description="Age: 28"))
    assert (report.replaced, report.removed) == (0, 2)
    assert not any("goats" in text or "lighthouse" in text for text in texts(soul))


def test_what_stays_keeps_its_uses_and_what_hangs_on_it(soul: Soul) -> None:
    found = soul.recall("How old is Ada, and what of the three goats?", at=AT)
    soul.commit(found)
    kept = {note.key: note for note in notes(soul)}
    ingest(soul, card(description=CARD["data"]["description"].replace("28", "29").replace("three goats", "three white goats")))
    after = {note.key: note for note in notes(soul)}
    assert all(after[key] == note for key, note in kept.items() if key in after and key != SELF_KEY)
    old, new = ({display_text(note.body): note for note in some.values()} for some in (kept, after))
    goats = next(note for text, note in old.items() if "goats" in text and note.key != SELF_KEY)
    white = next(note for text, note in new.items() if "white goats" in text and note.key != SELF_KEY)
    assert (white.retrieval_count, white.last_accessed_at) == (goats.retrieval_count, goats.last_accessed_at) != (0, None)
    uses = [row["note"] for row in soul.store.query("store.all_recalls")]
    assert white.id in uses and goats.id not in uses


def test_the_character_is_what_the_new_card_says(soul: Soul) -> None:
    ingest(soul, card(name="Ada Marsh", nickname="Addy", tags=["coast"]))
    own = soul.note(SELF_KEY)
    assert isinstance(own.body, Semantic)
    assert (own.body.content, own.body.aliases, own.tags) == ("Ada Marsh", ("Ada Quill", "Addy"), ("coast",))


def test_a_changed_entry_keeps_what_talk_knows_of_it(talked: Soul) -> None:
    rock = next(note for note in notes(talked) if note.key.startswith("lore_gull_rock"))
    assert rock.sources, "talk names it"
    at_rock = {link.source for link in talked.store.links() if link.target == rock.id and link.source not in {rock.id}}
    report = ingest(talked, card(character_book={"name": "Sea", "entries": [{**ROCK, "content": "A white rock."}, LAMP]}))
    assert (report.replaced, report.removed) == (1, 0)
    new = next(note for note in notes(talked) if note.key.startswith("lore_gull_rock"))
    assert (new.id != rock.id, new.sources) == (True, rock.sources)
    assert {link.source for link in talked.store.links() if link.target == new.id} == at_rock
    assert talked.check() == ()


@pytest.mark.parametrize("entry", [{**ROCK, "enabled": False}, None])
def test_an_entry_that_is_off_or_gone_goes_but_for_the_name_that_talk_knows(talked: Soul, entry: Any) -> None:
    report = ingest(talked, card(character_book={"name": "Sea", "entries": [*([entry] if entry else []), LAMP]}))
    assert (report.replaced, report.removed) == (0, 1)
    named = talked.note("sem_gull_rock")
    assert isinstance(named.body, Semantic)
    assert (named.body.content, named.body.description, named.body.category) == ("Gull Rock", "", None)
    assert named.sources and talked.check() == ()
    talked.undo()
    assert any(note.key.startswith("lore_gull_rock") for note in notes(talked))


@pytest.mark.parametrize("name", ["Lore", None])
def test_another_version_of_a_lorebook(empty: Soul, name: str | None) -> None:
    book = {
        "entries": {
            "0": {"uid": 0, "key": ["Gull Rock"], "content": "A rock."},
            "1": {"uid": 1, "key": ["Lamp"], "content": "Lit."},
        }
    }
    book |= {"name": name} if name else {}
    ingest(empty, book, "book.json")
    changed = json.loads(json.dumps(book))
    changed["entries"]["0"]["content"] = "A white rock."
    changed["entries"]["1"]["disable"] = True
    report = ingest(empty, changed, "book.json")
    assert report.replaced >= 1 and report.removed >= 1
    said = "\n".join(texts(empty))
    assert "white" in said and "Lit." not in said and "A rock." not in said
    assert sum(row["name"].startswith("lorebook:") for row in empty.store.query("store.meta_names")) == 1
    assert ingest(empty, changed, "book.json").new == 0
    changed["entries"]["0"]["disable"] = True
    assert (ingest(empty, changed, "book.json").removed > 0) is bool(name), "of a book without a name and entries nothing tells"


def test_another_book_and_what_was_changed_by_hand_are_not_touched(soul: Soul) -> None:
    ingest(soul, {"name": "Other", "entries": [{"keys": ["Tern"], "content": "A bird.", "enabled": True}]}, "other.json")
    home = next(note for note in notes(soul) if "lighthouse" in display_text(note.body) and note.key != SELF_KEY)
    soul.cypher("MATCH (n:Semantic {id: $id}) SET n.content = 'Her home: a cottage'", {"id": home.id}, write=True)
    report = ingest(soul, card(description="Age: 28"))
    assert report.removed == 1, "the goats"
    said = "\n".join(texts(soul))
    assert "cottage" in said and "A bird." in said


def test_an_edit_is_foreseen_by_a_dry_run(soul: Soul) -> None:
    before = soul.export_graph()
    data = json.dumps(card(description="Age: 31")).encode()
    planned = soul.ingest_bytes(data, name="ada.json", dry_run=True)
    assert soul.export_graph() == before
    assert planned == soul.ingest_bytes(data, name="ada.json") and planned.replaced == 1


def test_a_card_of_another_one_of_this_name_takes_nothing_and_changes_nothing(tmp_path: Path) -> None:
    one, other = (
        {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Ada", "creator": maker, "description": told}}
        for maker, told in (("Pim", "Ada keeps the lighthouse on Gull Rock."), ("Joss", "Ada mends clocks in a cellar in Delft."))
    )
    chat = b'{"name": "Ada", "is_user": false, "mes": "%s"}\n{"name": "Kim", "is_user": true, "mes": "So it is."}'
    files = {
        "characters/Ada.json": json.dumps(one).encode(),
        "characters/Ada1.json": json.dumps(other).encode(),
        "chats/Ada/a.jsonl": chat % b"The lamp is lit.",
        "chats/Ada1/a.jsonl": chat % b"The clock is slow.",
    }
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    with created(tmp_path / "a.mind", AT) as soul:
        reports = soul.ingest(tmp_path / "characters", tmp_path / "chats").files
        assert [report.format is not None for report in reports] == [True, False, True, False]
        assert "another Ada, made by Joss" in reports[1].problems[0].what
        assert "another character who is called Ada" in reports[3].problems[0].what
        before = (soul.export_graph(), soul.store.meta("card"))
        report = soul.ingest_bytes(files["characters/Ada1.json"], name="Ada1.json")
        assert report.refused is not None and "another Ada, made by Joss" in report.refused and "soulmem init" in report.refused
        assert (soul.export_graph(), soul.store.meta("card")) == before
        forked = json.loads(files["characters/Ada1.json"])
        forked["data"]["description"] += " Ada keeps the lighthouse on Gull Rock."
        assert soul.ingest_bytes(json.dumps(forked).encode(), name="fork.json").refused is None
