"""Cards made of a mind: every field other programs ask for, what a card had before, and a picture it can be read from again."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.export.card import Exported, card_of
from soulmem.export.png import SIGNATURE, png_of
from soulmem.ingest.cards.words import EN
from soulmem.ingest.lorebooks.entry import book_of
from soulmem.ingest.lorebooks.notes import book_notes
from soulmem.model.links import Link, Sem, TrigToAction
from soulmem.model.notes import (
    AbstractSituation,
    ActionType,
    Body,
    Category,
    Context,
    Environment,
    Location,
    Note,
    Participant,
    Procedure,
    Semantic,
    SpecificSituation,
)

AT = datetime(2026, 11, 1, tzinfo=UTC)
#: What the specification asks of an entry.
FIELDS = {
    "keys": list,
    "content": str,
    "extensions": dict,
    "enabled": bool,
    "insertion_order": int,
    "use_regex": bool,
    "constant": bool,
}


def note(key: str, body: Body, *sources: str, core: bool = False) -> Note:
    return Note(id=f"id-{key}", key=key, body=body, created_at=AT, decayed_at=AT, sources=sources, core=core)


def link(source: str, target: str, payload: Sem | TrigToAction) -> Link:
    return Link(id=f"{source}-{target}", source=f"id-{source}", target=f"id-{target}", payload=payload, created_at=AT)


PLACE = Context(location=Location("the slipway"), participants=(Participant("Pike"), Participant("me")))
NOTES = (
    note("sem_self", Semantic("Wren Calloway", aliases=("Wren",), description="I keep the engines."), core=True),
    note("sem_cat", Semantic("Gasket", aliases=("my cat",), description="Grey, one ear and a half."), core=True),
    note("sem_home", Semantic("Tomas lives in Ghent", category=Category.IDENTITY)),
    note("sem_tomas", Semantic("Tomas")),
    note("sem_old", Semantic("Tomas lives in York", category=Category.IDENTITY, valid_until=datetime(2026, 5, 1, tzinfo=UTC))),
    note("sit_pike", SpecificSituation("He gave me the spanner.", time_start=datetime(2022, 1, 1, tzinfo=UTC), context=PLACE)),
    note("sit_chat", SpecificSituation("Tomas: Hello?"), "m1"),
    note("abs_fog", AbstractSituation(Environment("thick fog, every sound muffled", "dread"))),
    note("proc_count", Procedure("Count rivets.", ActionType.THINK)),
)
LINKS = (link("sem_home", "sem_tomas", Sem("is about")), link("abs_fog", "proc_count", TrigToAction(0.9)))


def made(kept: dict[str, Any] | None = None) -> Exported:
    return card_of(NOTES, LINKS, name="wren", at=AT, kept=kept)


def entries(exported: Exported) -> dict[str, dict[str, Any]]:
    return {entry["extensions"]["soulmem"]["key"]: entry for entry in exported.card["data"]["character_book"]["entries"]}


def test_what_the_character_is_knows_and_does() -> None:
    exported = made()
    data, book = exported.card["data"], entries(exported)
    assert (data["name"], data["nickname"], data["description"]) == ("Wren Calloway", "Wren", "I keep the engines.")
    assert book.keys() == {"sem_cat", "sem_home", "sit_pike", "abs_fog"}
    assert book["sem_cat"]["keys"] == ["Gasket", "my cat"] and book["sem_cat"]["constant"]
    assert (book["sem_cat"]["name"], book["sem_home"]["name"]) == ("Gasket", "")
    assert book["sem_home"]["keys"] == ["Tomas"] and not book["sem_home"]["constant"]
    assert book["sit_pike"]["keys"] == ["Pike", "the slipway"]
    assert book["sit_pike"]["content"] == "(2022-01-01) He gave me the spanner."
    assert book["abs_fog"]["keys"] == ["thick", "sound", "muffled", "dread"]
    assert book["abs_fog"]["content"].endswith("{{char}}:\n- Count rivets.")
    assert (exported.entries, exported.left_out) == (4, 1)


def test_every_entry_has_what_the_specification_asks_for() -> None:
    found = list(entries(made()).values())
    assert all(isinstance(entry[name], kind) for entry in found for name, kind in FIELDS.items())
    assert len({entry["id"] for entry in found}) == len({entry["insertion_order"] for entry in found}) == len(found)


def test_what_the_card_had_is_kept() -> None:
    old = {"keys": ["a"], "content": "Old.", "id": 7, "insertion_order": 50, "extensions": {"x": 1}, "name": "mine", "odd": None}
    kept = {
        "name": "W.",
        "first_mes": "Hi.",
        "tags": ["t"],
        "extensions": {"depth_prompt": {"depth": 4}},
        "unknown": [1, {"b": None}],
        "character_book": {"name": "B", "scan_depth": 3, "entries": [old]},
    }
    data = made(kept).card["data"]
    assert {name: data[name] for name in kept if name != "character_book"} == {
        n: v for n, v in kept.items() if n != "character_book"
    }
    book = data["character_book"]
    assert (book["name"], book["scan_depth"], book["entries"][0]) == ("B", 3, old)
    assert [entry["id"] for entry in book["entries"][1:]] == [8, 9, 10, 11]
    assert data["description"] == "I keep the engines."
    again = card_of(NOTES, LINKS, name="wren", at=AT + timedelta(days=9), kept=dict(data)).card["data"]
    assert again == data, "made again of itself, it is the same, and was not modified"


def test_an_entry_of_a_lorebook_that_the_card_has_too_goes_out_once() -> None:
    here = {"keys": ["glade", "wood"], "content": "The glade is safe.\r\nIt is warm.", "enabled": True, "id": 7}
    off = {"keys": ["fang"], "content": "It has fangs.", "enabled": False}
    kept = {"name": "W.", "character_book": {"entries": [here, here, off]}}

    def out(*lore: dict[str, Any]) -> list[dict[str, Any]]:
        exported = card_of((), (), name="w", at=AT, kept=kept, lore=lore)
        found: list[dict[str, Any]] = exported.card["data"]["character_book"]["entries"]
        assert found[:3] == [here, here, off] and exported.entries == len(found)
        return [{name: value for name, value in entry.items() if name not in ("id", "insertion_order")} for entry in found[3:]]

    there = {"keys": ["wood", "glade"], "content": "The glade is safe.\nIt is warm. ", "enabled": True, "comment": "Glade"}
    other_keys = {**there, "keys": ["glade"]}
    other_text = {**there, "content": "The glade is not safe."}
    assert out(there, {**there, "enabled": False}) == []
    assert out(other_keys, there, other_text, other_keys) == [other_keys, other_text]
    assert out({**off, "enabled": True}, off) == [{**off, "enabled": True}], "what is off stands in for nothing that is on"
    assert "modification_date" not in card_of((), (), name="w", at=AT, kept=kept, lore=[there]).card["data"]


def test_keys_of_whom_an_entry_is_about_are_no_names_of_it() -> None:
    kin = (note("sem_father", Semantic("Jonas's father is Henrik", category=Category.RELATION)), note("sem_j", Semantic("Jonas")))
    is_about = (*LINKS, link("sem_father", "sem_j", Sem("is about")))
    data = card_of((*NOTES, *kin), is_about, name="wren", at=AT).card["data"]
    father, cat = (
        next(one for one in data["character_book"]["entries"] if one["extensions"]["soulmem"]["key"] == key)
        for key in ("sem_father", "sem_cat")
    )
    assert father["keys"] == ["Jonas"], "as other programs need them"
    assert (father["extensions"]["soulmem"]["names"], cat["extensions"]["soulmem"]["names"]) == ([], ["Gasket", "my cat"])
    cat["keys"].append("paws")

    def called(*entries: dict[str, Any]) -> list[tuple[str, ...]]:
        book = book_of({"name": "B", "entries": list(entries)})
        assert book is not None
        bodies = [one.body for one in book_notes(book, character="Wren", words=EN, at=AT).notes[:-1]]
        return [(body.content, *body.aliases) for body in bodies if isinstance(body, Semantic)]

    assert called(father, cat) == [("Jonas's father is Henrik",), ("Gasket", "my cat")]
    for stated in ({}, {"names": "Jonas"}, {"names": None}):
        assert called({**father, "extensions": {"soulmem": {"key": "sem_father", **stated}}}) == [("Jonas",)]
    assert called({**father, "extensions": {"soulmem": {"names": [3, ["x"], "JONAS", "Kim"]}}}) == [("Jonas",)]


def chunks(picture: bytes) -> list[tuple[bytes, bytes]]:
    """Read by another way than the one it was written by, with every checksum looked at."""
    found, place = [], 8
    while place < len(picture):
        length, kind = struct.unpack(">I4s", picture[place : place + 8])
        data = picture[place + 8 : place + 8 + length]
        assert struct.unpack(">I", picture[place + 8 + length : place + 12 + length])[0] == zlib.crc32(kind + data)
        found.append((kind, data))
        place += 12 + length
    return found


def test_the_card_is_read_from_the_picture_again() -> None:
    card = made().card
    picture = png_of(card)
    found = chunks(picture)
    texts = {
        data.split(b"\0", 1)[0]: json.loads(base64.b64decode(data.split(b"\0", 1)[1])) for kind, data in found if kind == b"tEXt"
    }
    assert texts[b"ccv3"] == card
    assert texts[b"chara"] == {**card, "spec": "chara_card_v2", "spec_version": "2.0"}
    assert [kind for kind, _ in found] == [b"IHDR", b"IDAT", b"tEXt", b"tEXt", b"IEND"]
    assert png_of(card, picture) == picture, "the old card goes out, the picture stays"


@settings(deadline=None)
@given(st.binary(max_size=60), st.integers(0, 200))
def test_any_picture_is_one_or_is_refused(junk: bytes, cut: int) -> None:
    whole = png_of({"spec": "x"})
    for picture in (junk, SIGNATURE + junk, whole[:cut]):
        with pytest.raises(FormatError):
            png_of({}, picture)


@given(
    st.text("abAB :.,甲", min_size=1, max_size=8),
    st.text("abAB :.,甲", min_size=1, max_size=20),
    st.lists(st.text("ab,甲", min_size=2, max_size=5), max_size=8, unique=True),
)
def test_an_entry_that_was_told_reads_as_what_it_tells(name: str, description: str, aliases: list[str]) -> None:
    """Of a concept its name, its description and its other names come back as they were, however often it goes round."""
    name, description = " ".join(name.split()), description.strip()
    told = note("sem_a", Semantic(f"N{name}", tuple(f"a{one}" for one in aliases), description=f"D{description}."))
    for _ in range(2):
        book = book_of(card_of([told], [], name="wren", at=AT).card["data"]["character_book"])
        assert book is not None
        again = book_notes(book, character="wren", words=EN, at=AT).notes[0]
        assert isinstance(again.body, Semantic) and isinstance(told.body, Semantic)
        assert (again.body.content, again.body.description) == (told.body.content, told.body.description)
        assert {one.casefold() for one in again.body.aliases} == {one.casefold() for one in told.body.aliases}
        told = again
