"""Who is called by a given name in one chat and by the full name in another is one, where nobody else can be meant."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from new_minds import created

from soulmem.model.notes import Semantic
from soulmem.soul import Soul

AT = datetime(2026, 11, 1, tzinfo=UTC)
KIT = "Mara: I saw Kit at the market.\nBen: How is Kit these days?\nMara: Well, Kit has a new boat. It is blue.\n"
MARLOW = "Mara: Yesterday I met Kit Marlow there.\nBen: What did Kit Marlow buy?\nMara: A tray of buns for the crew.\n"
HARRIS = "Mara: Yesterday I met Kit Harris there.\nBen: And how is Kit? Well, Kit never told me.\n"
MAN = "阿明: 昨天我看见小满在市场。\n老陈: 小满最近怎么样?\n阿明: 小满买了一条新船。\n"
LIN = "阿明: 昨天我遇到林小满了。\n老陈: 林小满说什么?\n阿明: 她要出海了。\n"


@pytest.fixture
def soul(tmp_path: Path) -> Iterator[Soul]:
    with created(tmp_path / "a.mind", AT) as soul:
        yield soul


def read(soul: Soul, *chats: str) -> dict[str, tuple[str, ...]]:
    """Name → other names, of all that is known by name once these chats were read one after the other, as files."""
    for number, chat in enumerate(chats):
        report = soul.ingest_bytes(chat.encode(), name=f"{number}.txt")
        assert report.refused is None
    assert soul.check() == ()
    notes = soul.store.notes([row["id"] for row in soul.store.query("look.all_notes")])
    bodies = [note.body for note in notes if isinstance(note.body, Semantic) and "speaker" not in note.tags]
    return {body.content: body.aliases for body in bodies}


@pytest.mark.parametrize(
    ("chats", "name", "other"),
    [
        ((KIT, MARLOW), "Kit", "Kit Marlow"),
        ((MARLOW, KIT), "Kit Marlow", "Kit"),
        ((KIT + MARLOW,), "Kit Marlow", "Kit"),
        ((KIT, MARLOW, KIT.replace("boat", "bike")), "Kit", "Kit Marlow"),
        ((KIT, MARLOW, MARLOW.replace("buns", "cakes")), "Kit", "Kit Marlow"),
        ((MAN, LIN), "小满", "林小满"),
        ((LIN, MAN), "林小满", "小满"),
        ((LIN + MAN,), "林小满", "小满"),
    ],
)
def test_one_note_has_both_names(soul: Soul, chats: tuple[str, ...], name: str, other: str) -> None:
    assert read(soul, *chats) == {name: (other,)}


def test_all_that_is_told_is_found_by_either_name(soul: Soul) -> None:
    read(soul, KIT, MARLOW)
    rows = soul.store.query("recall.names", names=["kit", "kit marlow"])
    assert len({row["id"] for row in rows}) == 1 and len(rows) == 2
    (note,) = soul.store.notes([rows[0]["id"]])
    lines = {message.text for message in soul.store.messages(note.sources)}
    assert {"I saw Kit at the market.", "Yesterday I met Kit Marlow there."} <= lines
    before = soul.export_graph()
    soul.undo()
    assert [row["name"] for row in soul.store.query("recall.names", names=["kit", "kit marlow"])] == ["kit"]
    soul.redo()
    assert soul.export_graph() == before


@pytest.mark.parametrize(
    ("chats", "names"),
    [
        ((KIT, MARLOW.replace("Mara", "Ann").replace("Ben", "Tom")), {"Kit", "Kit Marlow"}),
        ((MARLOW.replace("met Kit Marlow", "ate a Kit Kat"), KIT), {"Kit Kat", "Kit"}),
        ((MARLOW, MARLOW.replace("Marlow", "Harris"), KIT), {"Kit Marlow", "Kit Harris", "Kit"}),
        ((MARLOW, MARLOW.replace("Kit", "Ada"), KIT.replace("Kit", "Marlow")), {"Kit Marlow", "Ada Marlow", "Marlow"}),
        ((LIN, LIN.replace("林", "王"), MAN), {"林小满", "王小满", "小满"}),
        ((LIN, "阿明: 今天是小满。\n老陈: 小满吃苦菜。\n"), {"林小满", "小满"}),
    ],
)
def test_where_another_may_be_meant_nothing_is_joined(soul: Soul, chats: tuple[str, ...], names: set[str]) -> None:
    found = read(soul, *chats)
    assert names <= found.keys()
    for name in names:
        assert not names & set(found[name])


def test_a_given_name_that_was_learned_is_nobodys_where_another_has_it_too(soul: Soul) -> None:
    assert read(soul, MARLOW, KIT, HARRIS) == {"Kit Marlow": ("Kit",), "Kit Harris": (), "Kit": ()}


def test_what_is_told_in_private_gives_others_no_name(soul: Soul) -> None:
    read(soul, MARLOW)
    soul.ingest_bytes(KIT.encode(), name="k.txt", scope="direct:Ben")
    (row,) = soul.store.query("recall.names", names=["kit marlow"])
    (note,) = soul.store.notes([row["id"]])
    assert isinstance(note.body, Semantic) and note.body.aliases == ()
