"""By what names a character is known in chats."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.ingest.called import also_called, is_shared, own_speakers, said_by_self, short_forms
from soulmem.ingest.contract import Document, SaidLine
from soulmem.model.messages import Role
from soulmem.model.notes import SELF_KEY, Note, Semantic
from soulmem.text.names import normal_name

AT = datetime(2026, 11, 1, tzinfo=UTC)


def chat(*speakers: str | tuple[str, Role]) -> Document:
    named = [one if isinstance(one, tuple) else (one, Role.USER) for one in speakers]
    lines = (
        SaidLine(index=number, line=number + 1, speaker=name, role=role, text="Hm.") for number, (name, role) in enumerate(named)
    )
    return Document(format="script", read=len(named), messages=tuple(lines))


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Ruben Castell", {"ruben", "castell"}),
        ("Ana María de la Cruz", {"ana", "cruz"}),
        ("Dr. Ruben Castell", {"ruben", "castell"}),
        ("Madame Lebeau", {"lebeau"}),
        ("Ruben", set()),
        ("凉宫春日", {"凉宫", "春日"}),
        ("林小红", {"小红"}),
        ("小红", set()),
        ("涼宮ハルヒ", {"涼宮", "ハルヒ"}),
        ("艾达·奎尔", {"艾达", "奎尔"}),
        ("", set()),
    ],
)
def test_what_somebody_may_be_called_for_short(name: str, short: set[str]) -> None:
    assert short_forms(name) == {normal_name(one) for one in short}


@given(st.text(max_size=30))
def test_a_short_form_is_a_part_of_the_name_and_not_the_name(name: str) -> None:
    assert all(form in normal_name(name) and form != normal_name(name) for form in short_forms(name))


OWN = ("Ruben Castell", "Rue")


@pytest.mark.parametrize(
    ("document", "others", "own"),
    [
        (chat("Ruben Castell", "Ann"), (), ("Ruben Castell",)),
        (chat("Ruben", "Ann"), (), ("Ruben",)),
        (chat("castell", "Ann"), (), ("castell",)),
        (chat("Rue", "Ann"), (), ("Rue",)),
        (chat("Ruben", "Ruben Mills"), (), ()),
        (chat("Ruben", "Castell"), (), ()),
        (chat("Ruben", "Ruben Castell"), (), ("Ruben Castell",)),
        (chat("Ruben", "Ann"), ("ruben mills",), ()),
        (chat("Ruben", "Ann"), ("ruben",), ()),
        (chat(("Ruben", Role.USER), ("Ann", Role.CHARACTER)), (), ()),
        (chat(("Ruben", Role.CHARACTER), ("Ann", Role.USER)), (), ("Ruben",)),
        (chat(("Ruben", Role.NARRATOR), "Ann"), (), ()),
        (chat("Ann", "Bo"), (), ()),
    ],
)
def test_who_of_the_speakers_is_the_character(document: Document, others: tuple[str, ...], own: tuple[str, ...]) -> None:
    assert own_speakers(document, OWN, others) == own


def test_a_chinese_name() -> None:
    assert own_speakers(chat("春日", "阿虚"), ["凉宫春日"], ["阿虚"]) == ("春日",)
    assert own_speakers(chat("春日", "阿虚"), ["凉宫春日"], ["上条春日"]) == ()


def test_the_lines_of_the_character_are_its_own() -> None:
    said = said_by_self(chat("Ruben", "Ann", "Ruben"), ("Ruben",))
    assert [line.role for line in said.messages] == [Role.CHARACTER, Role.USER, Role.CHARACTER]
    assert said_by_self(said, ("Ruben",)) is said


def test_more_names() -> None:
    mine = Note(id="s", key=SELF_KEY, body=Semantic("Ruben Castell", ("Rue",)), created_at=AT, decayed_at=AT)
    more = also_called(mine, ["ruben castell", "Ruben", "RUBEN"])
    assert more is not None and isinstance(more.body, Semantic) and more.body.aliases[0] == "Rue" and len(more.body.aliases) == 2
    assert also_called(more, ["Ruben", "rue"]) is None


def test_whether_a_name_is_somebody_elses_too() -> None:
    assert is_shared("Ruben", ["Ann", "Ruben Mills"]) and is_shared("春日", ["上条春日"])
    assert not is_shared("Ruben", ["Rubens", "Ann"])
