"""Questions that ask for several things, in both languages."""

from __future__ import annotations

import pytest

from soulmem.text.lists import asks_for_several


@pytest.mark.parametrize(
    "question",
    [
        "What pets do I have?",
        "Which animals do I keep at home?",
        "List all my pets.",
        "Tell me all of her songs.",
        "What musical instruments does Mel play?",
        "What kinds of tea do you like?",
        "How many children does he have?",
        "What people did we meet?",
        "WHAT BOOKS HAVE I READ?",
        "我养了哪些宠物？",
        "把我所有的猫说一遍",
        "我有几只猫？",
        "列出我去过的城市",
        "家里都有谁？",
        "你会几门语言？",
        "她家几口人",
        "有多少宠物？",
        "你都养了什么？",
        "Who are my siblings?",
        "What do you know about Jonas's family?",
        "Tell me about James' whole family.",
        "Tell me more about your pets",
        "说说你的家人",
        "你家里都有谁？",
        "你记得小红的宠物吗",
        "Do I have any pets?",
        "Name my pets.",
        "What fruit do you like?",
        "Which boats that she owns are blue?",
    ],
)
def test_a_question_for_several_things_is_known(question: str) -> None:
    assert asks_for_several(question)


@pytest.mark.parametrize(
    "question",
    [
        "What makes her sad?",
        "What goes on?",
        "Which bus goes there?",
        "What is my cat called?",
        "What was it like?",
        "What does Ann drink?",
        "Which has he chosen?",
        "What color do you like a lot?",
        "What pass did we cross?",
        "Tell me about his house.",
        "tell me about your sister",
        "What do you know about Jonas?",
        "我家里有狗",
        "Who repairs violins?",
        "Where are my keys?",
        "What is this?",
        "我的猫叫什么？",
        "谁把茶打翻了？",
        "",
    ],
)
def test_a_question_for_one_thing_is_not(question: str) -> None:
    assert not asks_for_several(question)
