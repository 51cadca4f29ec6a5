"""What is asked for by its kind is spoken of by its name, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.text.kinds import as_stated, kinds_of
from soulmem.text.tokens import is_stop, search_terms


def things(question: str) -> set[str]:
    return {thing for kind in kinds_of(question) for thing in kind.things}


@pytest.mark.parametrize(
    ("question", "word", "some"),
    [
        ("我有几只动物？", "动物", {"猫", "鹦鹉"}),
        ("她会哪些乐器？", "乐器", {"二胡"}),
        ("What PETS do I have?", "PETS", {"cat", "tortoise"}),
        ("Which instruments does he play?", "instruments", {"cello"}),
    ],
)
def test_a_kind_brings_its_things(question: str, word: str, some: set[str]) -> None:
    assert [kind.word for kind in kinds_of(question)] == [word]
    assert some <= things(question)


@pytest.mark.parametrize("question", ["", "What did she promise?", "She petted the carpet.", "我答应过什么？"])
def test_what_names_no_kind_brings_nothing(question: str) -> None:
    assert kinds_of(question) == ()


@given(st.text())
def test_a_kind_is_told_with_the_word_that_names_it(text: str) -> None:
    assert all(kind.word in text and kind.things for kind in kinds_of(text))


def test_every_thing_is_a_word_that_is_looked_for() -> None:
    all_kinds = (
        "宠物 乐器 运动 水果 饮料 家人 兄弟 孩子 外语 pets instruments sports fruit drinks family siblings children languages"
    )
    assert len(kinds_of(all_kinds)) == len(all_kinds.split())
    for thing in things(all_kinds):
        first = search_terms(thing)[0]
        assert not is_stop(first) and (first == thing or thing.startswith(first[:3])), thing


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("你多大了？", "年龄"),
        ("她今年多大", "年龄"),
        ("你做什么工作？", "职业"),
        ("他是干什么的？", "职业"),
        ("你的生日是哪天？", "生日"),
    ],
)
def test_a_question_for_an_attribute_gains_its_name(question: str, named: str) -> None:
    assert named in search_terms(as_stated(question))


@pytest.mark.parametrize(
    "text", ["", "你的房子多大？", "雨下得多大啊", "你在做什么？", "她今年28岁", "How old are you?", "他有多大的力气"]
)
def test_what_asks_for_no_attribute_is_left_as_it_is(text: str) -> None:
    assert as_stated(text) == text
