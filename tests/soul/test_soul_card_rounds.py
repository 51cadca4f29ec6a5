"""A card that is made of a mind, read into a new one, and made again: nothing is lost, nothing doubled, nothing added."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from new_minds import created
from soul_minds import concept

from soulmem.edit import Edit
from soulmem.export.forms import Form
from soulmem.model.notes import SELF_KEY, Note, Semantic
from soulmem.soul import Soul

AT = datetime(2026, 11, 1, tzinfo=UTC)
CARD: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Mara Vey",
        "description": "{{char}} blows glass. [age: 34; likes: liquorice, thunder]\nShe owns a greyhound named Pilot.",
        "personality": "dry, patient",
        "scenario": "{{user}} comes to order a lamp.",
        "first_mes": "*{{char}} does not look up.* Door.",
        "mes_example": "<START>\n{{user}}: Are you afraid?\n{{char}}: Only of the day it goes out.",
        "alternate_greetings": ["You are late."],
        "tags": ["glass"],
        "extensions": {"somebody/else": [1]},
    },
}
BOOK = {
    "name": "Whitby",
    "entries": [{"keys": ["Pilot", "greyhound"], "content": "Pilot lost an eye.", "id": 3, "enabled": True}],
}
#: World Info: a key with a comma, secondary keys, a pattern, an entry that is switched off, one that is always there.
WORLD: dict[str, Any] = {
    "entries": {
        "0": {
            "uid": 0,
            "key": ["Saltmen", "guild, the"],
            "keysecondary": ["salt"],
            "comment": "Saltmen",
            "content": "The Saltmen sell sand to {{char}}. Corvin Hale leads them.",
            "selective": True,
            "selectiveLogic": 3,
            "excludeRecursion": True,
            "useProbability": True,
            "probability": 70,
            "order": 100,
            "position": 0,
            "disable": False,
        },
        "1": {"uid": 1, "key": ["Lantern Night"], "comment": "Lantern Night", "content": "Lantern Night falls in autumn."},
        "2": {"uid": 2, "key": ["plan"], "comment": "off", "content": "Switched off.", "disable": True},
        "3": {"uid": 3, "key": ["/tide(s)?/i"], "comment": "Tide", "content": "High water.", "constant": True},
    }
}
CHAT = "Kim: Hello Mara, my sister Anna lives in Leeds.\nMara: Hello Kim.\nKim: I hate olives. Anna likes tea.\n"

LEARNT = concept("sem_pier", "the old pier", description="Long, of wood.", aliases=["pier, the"])

Made = Callable[..., Soul]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """``made(*files)``: a mind of these, in this order; each is made once, and copied."""
    folder = tmp_path_factory.mktemp("rounds")
    with ExitStack() as stack:
        kept: dict[str, Path] = {}

        def of(*files: tuple[str, Any]) -> Soul:
            key = json.dumps(files)
            if key not in kept:
                kept[key] = folder / f"{len(kept)}.mind"
                with created(kept[key], AT, "Mara Vey") as soul:
                    for name, value in files:
                        data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
                        assert soul.ingest_bytes(data, name=name).refused is None
            copy = folder / f"copy-{len(list(folder.iterdir()))}.mind"
            shutil.copy(kept[key], copy)
            return stack.enter_context(Soul.open(copy, clock=lambda: AT))

        yield of


def card(soul: Soul, folder: Path) -> dict[str, Any]:
    file = folder / "out.json"
    told = soul.export(file, form=Form.CARD)
    found: dict[str, Any] = json.loads(file.read_text())
    assert told["entries"] == len(found["data"]["character_book"]["entries"])
    return found


def lore(soul: Soul) -> list[tuple[Any, ...]]:
    """What the mind knows of lorebooks, but for where it knows it from and what the books are called."""
    notes = soul.store.notes([row["id"] for row in soul.store.query("look.all_notes")])
    return sorted(_told(note) for note in notes if note.key.startswith(("lore_", "sem_")) and note.key != SELF_KEY)


def _told(note: Note) -> tuple[Any, ...]:
    body = note.body
    assert isinstance(body, Semantic)
    return (note.key, body.content, body.description, body.aliases, note.tags, note.core)


def entries(value: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {entry["content"]: entry for entry in value["data"]["character_book"]["entries"]}


WITH_BOOK = {**CARD, "data": {**CARD["data"], "character_book": BOOK}}
FILES = {
    "card": (("c.json", CARD),),
    "card with a book": (("c.json", WITH_BOOK),),
    "card and World Info": (("c.json", CARD), ("w.json", WORLD)),
    "card with a book, and World Info": (("c.json", WITH_BOOK), ("w.json", WORLD)),
    "World Info": (("w.json", WORLD),),
    "all, and a talk": (("c.json", WITH_BOOK), ("w.json", WORLD), ("t.txt", CHAT), ("g.json", [LEARNT])),
}


@pytest.mark.parametrize("files", FILES.values(), ids=FILES.keys())
def test_a_card_of_a_mind_of_a_card_is_that_card(made: Made, tmp_path: Path, files: tuple[tuple[str, Any], ...]) -> None:
    first = made(*files)
    one = card(first, tmp_path)
    second = made(("one.json", one))
    assert card(second, tmp_path) == one
    contents = [entry["content"] for entry in one["data"]["character_book"]["entries"]]
    assert len(contents) == len(set(contents))
    if len(files) < 3:
        assert lore(second) == lore(first)


def test_entries_of_world_info_keep_what_they_have(made: Made, tmp_path: Path) -> None:
    found = entries(card(made(*FILES["card and World Info"]), tmp_path))
    assert len(found) == 4
    salt = found[WORLD["entries"]["0"]["content"]]
    assert (salt["keys"], salt["secondary_keys"], salt["selective"]) == (["Saltmen", "guild, the"], ["salt"], True)
    assert (salt["comment"], salt["position"], salt["insertion_order"], salt["enabled"]) == ("Saltmen", "before_char", 100, True)
    assert salt["extensions"] == {
        "selectiveLogic": 3,
        "exclude_recursion": True,
        "useProbability": True,
        "probability": 70,
        "position": 0,
    }
    assert not found["Switched off."]["enabled"]
    assert found["High water."]["constant"] and found["High water."]["keys"] == ["/tide(s)?/i"]


def test_what_talk_taught_is_told_once(made: Made, tmp_path: Path) -> None:
    soul = made(*FILES["all, and a talk"])
    found = entries(card(soul, tmp_path))
    assert found["the old pier: Long, of wood."]["keys"] == ["the old pier", "pier, the"]
    assert len(found) == 6
    assert not any("Lorebook" in content for content in found)


def test_another_version_of_a_card_leaves_nothing_of_the_first(made: Made, tmp_path: Path) -> None:
    older = json.loads(json.dumps(CARD).replace("34", "33").replace("liquorice", "mirrors"))
    again = card(made(("c.json", older), ("w.json", WORLD), ("c.json", CARD)), tmp_path)
    assert "33" not in json.dumps(again) and "mirrors" not in json.dumps(again)
    assert again == card(made(*FILES["card and World Info"]), tmp_path)


def test_an_entry_that_was_changed_in_the_mind_is_told_as_it_is_now(made: Made, tmp_path: Path) -> None:
    soul = made(*FILES["card and World Info"])
    key = next(note[0] for note in lore(soul) if note[1] == "Saltmen")
    soul.edit(key, Edit(text="The Saltmen sell nothing any more."))
    found = entries(card(soul, tmp_path))
    assert "The Saltmen sell nothing any more." in found and len(found) == 4
    assert found["The Saltmen sell nothing any more."]["secondary_keys"] == ["salt"]
