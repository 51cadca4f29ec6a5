"""What is asked for by its kind is spoken of by its name, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.text.kinds import things_of
from soulmem.text.tokens import is_stop, search_terms


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("我有几只动物？", {"猫", "鹦鹉"}),
        ("她会哪些乐器？", {"二胡"}),
        ("What PETS do I have?", {"cat", "tortoise"}),
        ("Which instruments and sports does he like?", {"cello", "rowing"}),
    ],
)
def test_a_kind_brings_its_things(question: str, things: set[str]) -> None:
    assert things <= set(things_of(question))


@pytest.mark.parametrize("question", ["", "What did she promise?", "She petted the carpet.", "我答应过什么？"])
def test_what_names_no_kind_brings_nothing(question: str) -> None:
    assert things_of(question) == ()


@given(st.text())
def test_things_are_told_once(text: str) -> None:
    found = things_of(text)
    assert len(found) == len(set(found))


def test_every_thing_is_a_word_that_is_looked_for() -> None:
    all_kinds = (
        "宠物 乐器 运动 水果 饮料 家人 兄弟 孩子 外语 pets instruments sports fruit drinks family siblings children languages"
    )
    for thing in things_of(all_kinds):
        first = search_terms(thing)[0]
        assert not is_stop(first) and (first == thing or thing.startswith(first[:3])), thing
