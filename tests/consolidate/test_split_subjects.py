"""Who is spoken of by a name that stands nowhere else, by a relative's word alone, or by a family name; and who is not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talk import facts

from soulmem.consolidate.subjects_en import subjects
from soulmem.text.stopwords import stop_words

FRIDAY = datetime(2026, 5, 8, 12, tzinfo=UTC)
TOLD = [
    ("Rosa lives in Lisbon with her two boys.", "Rosa", "Rosa lives in Lisbon"),
    ("Henrik works for a shipping company.", "Henrik", "works for a shipping company"),
    ("Yuki got engaged on Sunday.", "Yuki", "got engaged"),
    ("Petra is allergic to nuts.", "Petra", "allergic to nuts"),
    ("Guess what! Olaf plays the trumpet.", "Olaf", "plays the trumpet"),
    ("Mum hates flying.", "Bo's mum", "hates flying"),
    ("Grandpa lives in Turin.", "Bo's grandpa", "lives in Turin"),
    ("我侄女叫甜甜。", "小波", "侄女叫甜甜"),
    ("我岳父姓刘。", "小波的岳父", "姓刘"),
    ("我姓欧阳。", "小波", "姓欧阳"),
    ("我爷爷当过五年船长。", "小波的爷爷", "当过五年船长"),
    ("我妈当过村长。", "小波的妈", "当过村长"),
]

#: What stands right behind a relative, and is no name.
OF_KIN = [
    ("我妈妈生病了", "小波的妈妈生病了（2026-03-08）"),
    ("我爸住院了", "小波的爸住院了（2026-03-08）"),
    ("我妈感冒了", "小波的妈感冒了（2026-03-08）"),
    ("我奶奶住院了，在协和医院", "小波的奶奶住院了（2026-03-08）"),
    ("我女朋友生病了", "小波的女朋友生病了（2026-03-08）"),
    ("我的猫生病了", "小波的猫生病了（2026-03-08）"),
    ("我妈今天有点头疼", "小波的妈2026-03-08有点头疼"),
    ("我妈妈喜欢花", "小波的妈妈喜欢花"),
    ("我爸不吃辣", "小波的爸不吃辣"),
    ("我奶奶不怕狗", "小波的奶奶不怕狗"),
]

NOTHING = [
    "Everybody loves pizza.",
    "Nobody works at the bakery any more.",
    "Silence hates company, and silence wins.",
    "Life is moving to Mars.",
    "Research shows that fear lives in Rome.",
    "Coffee works for me.",
    "Does Olaf work at the bakery?",
    "If Petra lived in Rome, I would visit her.",
    "Maybe Petra lives in Rome.",
    "He said Petra lives in Rome.",
    "我女儿叫我起床。",
    "我妹妹叫妈妈起床。",
    "我儿子叫个不停。",
    "我女儿叫什么好呢？",
    "他姓什么来着？",
    "假如我当过船长就好了。",
]


@pytest.mark.parametrize(("line", "subject", "holds"), TOLD)
def test_what_is_told_of_them_is_remembered(line: str, subject: str, holds: str) -> None:
    assert any((fact.subject == subject or holds in fact.text) and holds in fact.text for fact in facts(line))


@pytest.mark.parametrize(("line", "told"), OF_KIN)
def test_what_is_told_of_a_relative_is_told_once(line: str, told: str) -> None:
    assert [fact.text for fact in facts(line)] == [told]


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("我要去上海出差，周四回来。", "2026-05-14"),
        ("我去上海出差，周四回来。", "2026-05-14"),
        ("我会去参加婚礼，周四出发。", "2026-05-14"),
        ("我爸打算下周去北京，周三到。", "2026-05-13"),
        ("我周四回来的，累死了。", "2026-05-07"),
        ("我上周去了上海，周四回来。", "2026-05-07"),
    ],
)
def test_a_day_behind_a_plan_lies_ahead_and_behind_what_was_it_lies_back(line: str, day: str) -> None:
    assert any(f"（{day}）" in fact.text for fact in facts(line, sent_at=FRIDAY))


def test_a_time_alone_behind_a_plan_is_that_of_the_plan() -> None:
    (fact,) = facts("国庆聚会定在白云山南门，十月三号上午九点。", sent_at=FRIDAY)
    assert (fact.value, fact.when and fact.when[0]) == ("2026-10-03 09:00", datetime(2026, 10, 3, 9, tzinfo=UTC))
    assert fact.text.endswith("聚会定在白云山南门，2026-10-03 09:00")
    assert [fact.value for fact in facts("聚会定在南门，周六上午九点。", sent_at=FRIDAY)] == ["2026-05-09 09:00"]


@pytest.mark.parametrize("line", NOTHING)
def test_what_is_said_of_nobody_is_not(line: str) -> None:
    assert [fact.text for fact in facts(line)] == []


def test_a_day_of_every_year_is_told_though_nobody_knows_when_it_was_said() -> None:
    assert [fact.value for fact in facts("My birthday is on the 3rd of March.", sent_at=None)] == ["03-03"]
    assert [fact.value for fact in facts("我的生日是五月二十号。", sent_at=None)] == ["05-20"]
    assert [fact.when for fact in facts("My birthday is on the 3rd of March.", sent_at=None)] == [None]
    assert facts("My birthday is tomorrow.", sent_at=None) == ()


@given(st.text("abcdefghij", min_size=3, max_size=9).filter(lambda word: word not in stop_words()))
def test_a_word_that_stands_somewhere_in_lower_case_is_no_name(word: str) -> None:
    line = f"{word.capitalize()} lives in Rome."
    assert list(subjects([line, f"I like {word} a lot."])) == []
    assert set(subjects([line])) <= {word.capitalize()}
