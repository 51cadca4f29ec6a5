"""Whose a file of a folder is."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.ingest import personas as personas_of
from soulmem.ingest import sillytavern
from soulmem.ingest.contract import Conversation, Document, SaidLine
from soulmem.ingest.files import rank
from soulmem.ingest.whose import Others, is_one, own_part
from soulmem.model.messages import Role
from soulmem.model.notes import SELF_KEY, Note, Semantic

READ_IT = "name it, or its format, to read it all the same"
AT = datetime(2026, 1, 1, tzinfo=UTC)
ADA = Note(id="1", key=SELF_KEY, body=Semantic("Ada Quill", ("the keeper",)), created_at=AT, decayed_at=AT)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ada", "ada", True),
        ("Ada", "Ada Quill", True),
        ("Dr Ada Quill", "Ada Quill", True),
        ("Tom Quill", "Ada Quill", False),
        ("Miss Fortune", "Miss Piggy", False),
        ("Ada", "Adam", False),
        ("A. Quill", "A. Reed", False),
        ("林小红", "小红", True),
        ("林小红", "林", False),
        ("林小红", "王小明", False),
        ("A", "A", True),
        ("", "", False),
    ],
)
def test_who_may_be_one(one: str, other: str, same: bool) -> None:
    assert is_one([one], [other]) is is_one([other], [one]) is same
    assert is_one(["Bo", one], [other, "Cy"]) is same


@given(st.text(max_size=20), st.text(max_size=20))
def test_it_is_symmetric(one: str, other: str) -> None:
    assert is_one([one], [other]) is is_one([other], [one])
    assert not is_one([one], [])


def talk(*speakers: str, user: str = "Kim", named: bool = True) -> tuple[SaidLine, ...]:
    return tuple(
        SaidLine(
            index=index,
            line=index + 1,
            speaker=speaker,
            role=Role.USER if speaker == user else Role.CHARACTER,
            text="Hm.",
            named=named,
        )
        for index, speaker in enumerate(speakers)
    )


def own(document: Document, folder: str = "chats") -> Document | str:
    return own_part(document, ADA, None, (folder, "talk"), Others())


@pytest.mark.parametrize("speakers", [("Ada", "Kim"), ("Bo", "Kim", "The Keeper"), ("Kim",), ("assistant", "Kim"), ("Kim", "AI")])
def test_talks_that_may_be_its_own(speakers: tuple[str, ...]) -> None:
    document = Document(format="x", read=len(speakers), messages=talk(*speakers))
    assert own(document) is document


def test_talks_of_others() -> None:
    document = Document(format="x", read=2, messages=talk("Bo", "Kim"))
    assert own(document) == "a talk of Bo, in which Ada Quill does not speak; " + READ_IT
    assert own(document, folder="Ada") is document
    assert own_part(document, None, None, ("chats", "talk"), Others()) is document
    nameless = Document(format="x", read=2, messages=talk("Character", "User", named=False))
    assert own(nameless) is nameless
    many = Document(format="x", read=5, messages=talk("Bo", "Cy", "Di", "Ed", "Flo"))
    assert own(many) == "a talk of Bo, Cy, Di and 2 more, in which Ada Quill does not speak; " + READ_IT


def test_among_people_it_is_one_of_them_and_was_there() -> None:
    people = tuple(replace(line, role=Role.USER) for line in talk("Bo", "Kim"))
    assert isinstance(own(Document(format="script", read=2, messages=people)), Document)
    assert (
        own(Document(format="whatsapp", read=2, messages=people))
        == f"a talk of Bo, Kim, in which Ada Quill does not speak; {READ_IT}"
    )
    assert isinstance(own(Document(format="whatsapp", read=2, messages=talk("Ada 🌊", "Kim"))), Document)
    assert isinstance(own(Document(format="csv", read=2, messages=talk("Kim", "User", named=False))), Document)


def lorebook(name: str = "") -> Document:
    return Document(format="lorebook", read=1, kept={"lorebook:1": {"name": name}})


def test_lorebooks_beside_files_of_others_are_read_if_something_links_with_them() -> None:
    others, far = Others(), lorebook()
    card = {"card": {"data": {"name": "Ada", "extensions": {"world": "Mill"}, "character_book": {"name": "Reeds"}}}}

    def own(document: Document, file: str = "far") -> Document | str:
        return own_part(document, ADA, card, ("worlds", file), others)

    assert own(far) is far, "nobody else is here"
    own(Document(format="x", read=2, messages=talk("Ada", "Kim")), file="talk")
    assert own(far) is far
    own(Document(format="x", read=2, messages=talk("Bo", "Kim"), worlds=("far",)), file="talk")
    assert own(far) == f"a lorebook that nothing links with Ada Quill, beside files of other characters; {READ_IT}"
    named = lorebook("reeds")
    assert own(far, file="Mill") is own(far, file="REEDS") is far and own(named) is named
    others.link(Document(format="x", read=1, worlds=("Far",)))
    assert own(far) is far


def test_chats_and_personas_say_with_which_lorebook_they_go() -> None:
    def chat(world: object) -> bytes:
        header = {"chat_metadata": {"world_info": world}}
        return "\n".join(json.dumps(line) for line in (header, {"name": "Ada", "mes": "Hm."})).encode()

    def personas(about: object) -> bytes:
        return json.dumps({"personas": {"1.png": "Kim"}, "persona_descriptions": {"1.png": about}}).encode()

    assert [sillytavern.read(chat(world), AT).worlds for world in ("Far", "", 1, None)] == [("Far",), (), (), ()]
    assert [personas_of.read(personas(about), AT).worlds for about in ({"lorebook": "Far"}, {"lorebook": 1}, "He.")] == [
        ("Far",),
        (),
        (),
    ]


def test_lorebooks_are_read_behind_cards_and_before_chats() -> None:
    book = json.dumps({"entries": {"0": {"key": ["a"], "content": "b"}}}).encode()
    card = json.dumps({"spec": "chara_card_v2", "data": {"name": "Ada", "first_mes": "Hm."}}).encode()
    files = {"a.json": book, "b.jsonl": b"{}", "c.json": card, "d.txt": b"Ada: Hm."}
    assert sorted(files, key=lambda name: rank(name, lambda: files[name])) == ["c.json", "a.json", "b.jsonl", "d.txt"]


def test_of_several_conversations_those_of_others_are_left_out() -> None:
    mine, other = (
        Conversation(name=name, read=3, messages=talk(name, "Kim"), character_name=name, user_name="Kim")
        for name in ("Ada", "Bo")
    )
    found = own(Document(format="x", read=6, conversations=(mine, other)))
    assert isinstance(found, Document)
    assert (found.conversations, found.read) == ((mine,), 3)
    assert [problem.skipped for problem in found.problems] == [False]
    assert (
        own(Document(format="x", read=3, conversations=(other,))) == "a talk of Bo, in which Ada Quill does not speak; " + READ_IT
    )
