"""Whose words a text about a character quotes."""

from __future__ import annotations

from itertools import product

import pytest

from soulmem.ingest.answers import Answers, document
from soulmem.ingest.genders import is_somebody_beside
from soulmem.ingest.prose import read_prose
from soulmem.model.notes import Procedure, Semantic, display_text
from tests.ingest.test_prose import AT

NAMES = ("Oda Brandt", "阿岚")
OWN_EN = ("Oda {}", "Oda Brandt always {}", "Oda quietly {}", "Oda smiled and {}")
VERBS_EN = ('says "{}"', 'said: "{}"', 'answered him, "{}"', 'whispers to the cat, "{}"')
OTHERS_EN = (
    "Oda's friend {}",
    "Oda's husband Piet always {}",
    "Oda never {}",
    "Oda has never {}",
    "Oda married a man who {}",
    "Oda, whose sister {},",
    "Oda hates it when Piet {}",
    "Oda heard that Piet {}",
    "The neighbour {}",
    "Nobody {}",
    "Oda denies that she {}",
)
OWN_ZH = ("阿岚{}", "阿岚总是{}", "阿岚笑着{}", "阿岚对小明{}")
VERBS_ZH = ("说：“{}”", "说道“{}”", "喊：“{}”")
OTHERS_ZH = (
    "阿岚的朋友{}",
    "阿岚的丈夫常{}",
    "阿岚从不{}",
    "阿岚没有{}",
    "阿岚听见邻居{}",
    "阿岚讨厌丈夫{}",
    "阿岚认识一个人，他总{}",
    "邻居老王对阿岚{}",
    "阿岚最讨厌的人常{}",
)


def sayings(text: str) -> list[str]:
    return [one.saying for one in read_prose(text, NAMES) if one.saying]


@pytest.mark.parametrize(
    ("subjects", "verbs", "said"),
    [(OWN_EN, VERBS_EN, "I live in Oslo."), (OWN_ZH, VERBS_ZH, "我住在北京。")],
    ids=["en", "zh"],
)
def test_what_the_character_says_is_its_own(subjects, verbs, said):
    for subject, verb in product(subjects, verbs):
        assert sayings(subject.format(verb.format(said))) == [said], (subject, verb)


@pytest.mark.parametrize(
    ("subjects", "verbs", "said"),
    [(OTHERS_EN, VERBS_EN, "I live in Oslo."), (OTHERS_ZH, VERBS_ZH, "我住在北京。")],
    ids=["en", "zh"],
)
def test_what_others_say_and_what_it_does_not_say_is_no_saying_of_it(subjects, verbs, said):
    for subject, verb in product(subjects, verbs):
        text = subject.format(verb.format(said))
        found = document(Answers(name=NAMES["阿" in text], text=text), AT, (), "")
        assert not any(said in display_text(note.body) for note in found.notes if isinstance(note.body, Procedure)), text
        assert any(said in display_text(note.body) for note in found.notes if isinstance(note.body, Semantic)), text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('Oda was told "Go home."', []),
        ('Oda is called "the mouse".', []),
        ('Oda said that Piet shouts "Go home."', []),
        ('"Not today," Oda said.', ["Not today"]),
        ('"Oda must go," Oda\'s mother said.', []),
        ('When Piet says "Hello there", Oda says "Good night."', ["Good night."]),
        ('Oda\'s motto is "Salt first."', ["Salt first."]),
        ('Oda\'s motto is not "Salt first."', []),
        ("Oda's friend's motto is \"Salt first.\"", []),
        ('Oda is a baker. She often says "Salt first."', ["Salt first."]),
        ('Oda lives in Halden. She often says "Salt first."', ["Salt first."]),
        ('Oda lives with her husband Piet. She often says "Salt first."', ["Salt first."]),
        ('Oda lives with her husband. He often says "Salt first."', []),
        ('Oda met Greta. She often says "Salt first."', []),
        ("Oda is a baker. Her father sews. She often says “Salt first.”", ["Salt first."]),
        ("Oda is a baker. Her mother sews. She often says “Salt first.”", []),
        ("Oda left her husband for Greta. She often says “Salt first.”", []),
        ("阿岚是茶师。他的妈妈在码头卖鱼。他的口头禅是“先喝茶再说”。", ["先喝茶再说"]),
        ("阿岚是茶师。她的妈妈在码头卖鱼。她的口头禅是“先喝茶再说”。", []),
        ("阿岚被告知“快回家”。", []),
        ("阿岚把“先听再碰”挂在嘴边。", ["先听再碰"]),
        ("“先听再碰，”阿岚说。", ["先听再碰"]),
        ("阿岚的朋友的口头禅是“先听再碰”。", []),
        ("阿岚和丈夫住在北港。她常说“先听再碰”。", ["先听再碰"]),
        ("阿岚和姐姐住在北港。她常说“先听再碰”。", []),
    ],
)
def test_who_says_it_is_told_by_the_sentence(text, said):
    assert sayings(text) == said


def test_a_pronoun_may_be_whoever_else_is_spoken_of():
    assert is_somebody_beside("Oda has a brother.", "he") and not is_somebody_beside("Oda has a brother.", "she")
    assert is_somebody_beside("Oda knows Greta.", "she") and not is_somebody_beside("Oda Brandt was in Oslo.", "she", NAMES)


def test_a_quotation_of_another_is_no_attribute_of_the_character():
    found = document(Answers(name="阿岚", text="阿岚是修琴师。她的丈夫常说：“我讨厌医院。”"), AT, (), "")
    told = [display_text(note.body) for note in found.notes]
    assert "她的丈夫常说：“我讨厌医院。”（阿岚）" in told
