"""Questions about a speaker, put in the first person."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.text.persons import Person, by_name, in_first_person, spoken_of, turned

EXAMPLES = [
    ("What did Melanie paint?", ["melanie"], "What did I paint?"),
    ("What did MELANIE say?", ["melanie"], "What did I say?"),
    ("Where is Melanie's sister, and Melanie’s dog?", ["melanie"], "Where is my sister, and my dog?"),
    ("Did Mel or Melanie sing?", ["mel", "melanie"], "Did I or I sing?"),
    ("Melanies are not Melanie", ["melanie"], "Melanies are not I"),
    ("Where does Mrs  Tulloch live?", ["mrs tulloch"], "Where does I live?"),
    ("小红给电瓶车换刹车花了多少？", ["小红"], "我给电瓶车换刹车花了多少？"),
    ("小红的妹妹叫什么？", ["小红"], "我的妹妹叫什么？"),
    ("Tom昨天去哪了？", ["tom"], "我昨天去哪了？"),
    ("What does 小红 like?", ["小红"], "What does I like?"),
    ("nobody is named", [], "nobody is named"),
    ("a+b (c) costs?", ["a+b (c)"], "I costs?"),
]


@pytest.mark.parametrize(("text", "names", "spoken"), EXAMPLES)
def test_a_name_becomes_the_first_person(text, names, spoken):
    assert in_first_person(text, names) == spoken


@given(st.text(max_size=60), st.lists(st.text(alphabet="abc 红+.(", min_size=1, max_size=4).filter(str.strip), max_size=3))
@settings(deadline=None, max_examples=200)
def test_what_is_not_a_name_stays(text, names):
    """A text in which no name stands is as it was; once put so, a text has none left to be put."""
    if not any(name.split()[0] in text.casefold() for name in names):
        assert in_first_person(text, names) == text
    once = in_first_person(text, ["zzz"])
    assert ("zzz" in text.casefold()) or once == text


ABOUT = [
    ("What do I like?", Person.FIRST),
    ("Where's my key?", Person.FIRST),
    ("Do you remember my cat's name?", Person.FIRST),
    ("Do you still remember who gave me the lamp?", Person.FIRST),
    ("Did I tell you where I live?", Person.FIRST),
    ("What did you tell me about the ferry?", Person.SECOND),
    ("Tell me where you were born", Person.SECOND),
    ("Hey, can you tell me what your sister does?", Person.SECOND),
    ("Is Ivan home? Did he win?", None),
    ("我和你提过什么书吗？", Person.FIRST),
    ("你还记得我的猫叫什么吗", Person.FIRST),
    ("你给我推荐过什么书？", Person.SECOND),
    ("你能告诉我你最喜欢的书吗", Person.SECOND),
    ("您喜欢喝什么茶", Person.SECOND),
    ("他去了哪里", None),
    ("我们去过哪里", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "person"), ABOUT)
def test_whom_a_question_is_about(text, person):
    assert spoken_of(text) is person


@pytest.mark.parametrize(
    ("text", "other"),
    [("What do you like?", "What do I like?"), ("Where is your key?", "Where is my key?"), ("你喜欢我的猫吗", "我喜欢你的猫吗")],
)
def test_the_other_of_two_says_it_the_other_way_round(text, other):
    assert turned(text) == other


@given(st.text(alphabet="你我 的猫喜欢", max_size=20))
@settings(deadline=None, max_examples=100)
def test_turned_twice_is_as_it_was(text):
    assert turned(turned(text)) == text


TWO = {Person.FIRST: "Tomas", Person.SECOND: "Wren"}
ZWEI = {Person.FIRST: "小川", Person.SECOND: "小红"}


@pytest.mark.parametrize(
    ("text", "names", "told"),
    [
        ("What did you promise me?", TWO, "What did Wren promise Tomas?"),
        ("Where does my sister live?", TWO, "Where does Tomas's sister live?"),
        ("Do you remember my birthday?", TWO, "Do you remember Tomas's birthday?"),
        ("What did you promise me?", {Person.SECOND: "Wren"}, "What did Wren promise me?"),
        ("你答应给我带什么？", ZWEI, "小红答应给小川带什么？"),
        ("你还记得我妹妹吗？", ZWEI, "你还记得小川妹妹吗？"),
        ("我们去哪儿？", ZWEI, "我们去哪儿？"),
        ("Where is the kettle?", TWO, "Where is the kettle?"),
    ],
)
def test_pronouns_become_the_names_of_those_who_talk(text: str, names: dict[Person, str], told: str) -> None:
    assert by_name(text, names) == told


@given(st.text())
def test_without_names_nothing_changes(text: str) -> None:
    assert by_name(text, {}) == text
