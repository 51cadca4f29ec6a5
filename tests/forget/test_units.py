"""The units of texts, found by rule: what is left of names, times and numbers when their wording is gone, and what is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from soulmem.forget.masks import Anchor, masked
from soulmem.forget.units import Concept, concept_of, units_of
from soulmem.settings import Settings

CONSTANTS = Settings()


def gists(text: str, **names: Concept) -> dict[str, str]:
    return {text[unit.begin : unit.end]: unit.gist for unit in units_of(text, names, CONSTANTS)}


def anchors(text: str, **names: Concept) -> dict[str, Anchor | None]:
    return {text[unit.begin : unit.end]: unit.anchor for unit in units_of(text, names, CONSTANTS)}


@pytest.mark.parametrize(
    ("text", "mention", "gist"),
    [
        ("It rained last May.", "last May", "spring"),
        ("It was on 5 June 2023.", "on 5 June 2023", "one day in June"),
        ("We met yesterday.", "yesterday", "one day"),
        ("We met in 2019.", "in 2019", "the 2010s"),
        ("She came at 9 pm yesterday", "at 9 pm yesterday", "the evening"),
        ("去年五月下了雨", "去年五月", "春天的时候"),
        ("我们六月五号见过", "六月五号", "六月的一天"),
        ("昨天见过他", "昨天", "有一天"),
        ("我2019年去的", "2019年", "2010年代"),
        ("晚上八点才回家", "晚上八点", "晚上"),
        ("不急，我下个月十号结婚。", "下个月十号", "有一天"),
        ("他下个月回来。", "下个月", "有段时间"),
        ("She comes back next month.", "next month", "some month"),
    ],
)
def test_a_time_becomes_a_coarser_one(text: str, mention: str, gist: str) -> None:
    found = gists(text)
    # What the finder of times takes along before it (on, in) is its own affair.
    assert [told for said, told in found.items() if said in mention or mention in said] == [gist]


@pytest.mark.parametrize(
    ("text", "mention", "gist"),
    [
        ("He bought 3 tins", "3", "a few"),
        ("He bought twelve tins", "twelve", "about ten"),
        ("There were 1,250 people", "1,250", "thousands"),
        ("It has 512 pages", "512", "hundreds"),
        ("买了三斤小龙虾", "三斤", "几斤"),
        ("花了180块", "180块", "几百块"),
        ("来了十二个人", "十二个", "十来个"),
        ("攒了3万块", "3万块", "好几万块"),
    ],
)
def test_a_number_becomes_about_so_many(text: str, mention: str, gist: str) -> None:
    assert gists(text)[mention] == gist


@pytest.mark.parametrize("text", ["one of us", "一个人", "10:30", "version 1.2.3", "a1b2c3d4"])
def test_what_is_no_quantity_has_no_gist(text: str) -> None:
    assert gists(text) == {}


def test_codes_are_learned_on_purpose() -> None:
    assert anchors("Call me: 0171 555 1234!") == {"0171 555 1234": Anchor.FORCED}
    assert anchors("电话是13812345678") == {"13812345678": Anchor.FORCED}


def test_people_feelings_and_promises_are_kept() -> None:
    jon = Concept(is_person=True)
    assert anchors("I promised Jon; he cried.", jon=jon) == {
        "I promised": Anchor.SPONTANEOUS,
        "Jon": Anchor.SPONTANEOUS,
        "cried": Anchor.SPONTANEOUS,
    }
    assert anchors("我答应了小雨，她哭了", 小雨=jon) == {
        "我答应": Anchor.SPONTANEOUS,
        "小雨": Anchor.SPONTANEOUS,
        "哭了": Anchor.SPONTANEOUS,
    }


def test_a_name_becomes_what_is_known_of_it_or_its_kind() -> None:
    assert gists("We saw Gasket.", gasket=Concept(description="My cat: grey, one ear and a half"))["Gasket"] == "My cat"
    assert gists("We saw Mara.", mara=Concept(description="Personality: caring", is_person=True))["Mara"] == "somebody"
    assert gists("小白睡了", 小白=Concept(description="会哈气的动物，三岁"))["小白"] == "会哈气的动物"
    assert gists("We saw Gasket.", gasket=Concept(tags=("cat",)))["Gasket"] == "an animal"
    assert gists("We saw Ann.", ann=Concept(is_person=True))["Ann"] == "somebody"
    assert gists("We saw Skerrow.", skerrow=Concept(tags=("place",)))["Skerrow"] == "some place"
    assert gists("We saw Zed.", zed=Concept())["Zed"] == ""


def test_a_description_that_is_no_gist_is_none() -> None:
    giving_away = Concept(description="Bo lives in Bergen", is_person=True)
    assert gists("Bo came.", bo=giving_away)["Bo"] == "somebody"
    other = Concept(description="the friend of Mia", is_person=True)
    assert gists("Bo and Mia came.", bo=other, mia=Concept())["Bo"] == "somebody"
    foreign = Concept(description="我捡来的猫", tags=("cat",))
    assert gists("Bo came.", bo=foreign)["Bo"] == "an animal"
    assert gists("Bo came.", bo=Concept(description="a man with " + "very " * 20 + "long hair"))["Bo"] == ""


def test_tags_tell_people_from_animals() -> None:
    assert concept_of("", ("家人", "母亲")).is_person
    assert concept_of("", ("speaker",)).is_person
    assert not concept_of("", ("猫", "家人")).is_person
    assert not concept_of("", ("place",)).is_person


def test_everyday_things_have_their_kind() -> None:
    assert gists("the cat ate an apple") == {"cat": "an animal", "apple": "a fruit"}
    assert gists("猫吃了苹果") == {"猫": "一种动物", "苹果": "一种水果"}


def test_names_are_found_where_signs_change_their_length() -> None:
    text = "……小白ﬁne ½ 小白"
    units = units_of(text, {"小白": Concept(description="猫")}, CONSTANTS)
    assert [text[unit.begin : unit.end] for unit in units if unit.gist == "猫"] == ["小白", "小白"]


@given(st.text(alphabet="小白Jon 3斤5月去年May.…½ﬁ\u0301😂,，", max_size=40), st.floats(0.0, 1.0))
@hypothesis_settings(max_examples=60, deadline=None)
def test_units_of_any_text_are_within_it(text: str, missing: float) -> None:
    names = {"小白": Concept(description="会哈气的动物"), "jon": Concept(is_person=True)}
    units = units_of(text, names, CONSTANTS)
    assert masked(text, missing, CONSTANTS, units).original == text
