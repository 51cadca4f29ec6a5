"""Questions about a speaker, put in the first person."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.text.persons import in_first_person

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
