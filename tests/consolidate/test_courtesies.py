"""What is said to somebody, and of nothing, is no part of a fact: thanks, asides, requests, names that are called."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from talk import facts, texts

from soulmem.consolidate.courtesies import without_asides, without_courtesies
from soulmem.text.language import Language

FACTS_EN = {
    "I'm allergic to nuts": "Bo is allergic to nuts",
    "I live in Leeds": "Bo lives in Leeds",
    "I work as a nurse": "Bo works as a nurse",
    "I love green tea": "Bo loves green tea",
    "I don't like fish": "Bo doesn't like fish",
    "My favourite film is Paprika": "Bo's favourite film is Paprika",
    "My sister lives in York": "Bo's sister lives in York",
    "I have a cat called Miso": "Bo's cat is Miso",
}
TAILS_EN = [
    ", thank you.", ", thank you very much.", ", thank you so much!", ", thanks.", ", thanks a lot.", ", no thanks.",
    " thank you",
    ", so no, thank you, no cake for me.", ", thank you for asking.", " and thank you for asking.", ", so thanks but no thanks.",
    "; thanks for asking.", ", thank God.", ", please.", ", so please don't bring any.", ", please remember.", ", cheers, mate.",
    ", as you know.", ", as you all know.", " as you know.", ", you know.", ", you see.", ", as I said.", ", like I told you.",
    ", as I said before.", ", I think.", ", I guess.", ", I'm afraid.", ", by the way.", " btw", ", of course.", ", actually.",
    " actually.", ", honestly.", ", to be honest.", ", to tell you the truth.", ", haha.", " haha", ", okay?", ", ok?",
    ", you know?",
    ", so no.", ", sorry.", ", mate.", ", Ann.", ", thank you, Ann.", ", if you ask me.", ", just so you know.",
]  # fmt: skip
HEADS_EN = [
    "Thanks, ", "Thank you, ", "Thanks so much, ", "Thank you for asking, ", "No, thank you, ", "Please, ", "As you know, ",
    "As you know ", "As I said, ", "You know, ", "By the way, ", "btw ", "Of course, ", "Actually, ", "Honestly, ", "Frankly, ",
    "To be honest, ", "To tell you the truth, ", "Haha, ", "Okay, ", "Ann, ",
]  # fmt: skip
FACTS_ZH = {
    "我对坚果过敏": "小波对坚果过敏",
    "我住在杭州": "小波住在杭州",
    "我讨厌香菜": "小波讨厌香菜",
    "我妹妹住在苏州": "小波的妹妹住在苏州",
    "我昨天领养了一只猫": "小波2026-03-07领养了一只猫",
}
TAILS_ZH = [
    "，谢谢。", "，谢谢你。", "谢谢", "，多谢啦。", "，谢谢关心。", "，谢谢你的关心。", "，哈哈，谢谢大家。", "，你知道的。",
    "，你懂的。",
    "你知道的", "，你也知道。", "，对吧。", "，哈哈。", "哈哈", "，说实话。", "，顺便说一下。", "，我说过的。", "，当然了。",
    "，不好意思。",
    "，拜托了。", "，知道吗？",
]  # fmt: skip
HEADS_ZH = [
    "谢谢，", "谢谢你，", "你知道的，", "哈哈，", "说实话，", "说实话", "老实说，", "不瞒你说，", "顺便说一下，", "顺便一提，",
    "如我所说，",
    "当然，",
]  # fmt: skip


@pytest.mark.parametrize("said", FACTS_EN)
def test_english_facts_are_told_without_what_belongs_to_the_talk(said: str) -> None:
    wrong = {whole: texts(whole) for tail in TAILS_EN if texts(whole := f"{said}{tail}") != [FACTS_EN[said]]}
    wrong |= {whole: texts(whole) for head in HEADS_EN if texts(whole := f"{head}{said}.") != [FACTS_EN[said]]}
    assert wrong == {}


@pytest.mark.parametrize("said", FACTS_ZH)
def test_chinese_facts_are_told_without_what_belongs_to_the_talk(said: str) -> None:
    wrong = {whole: texts(whole) for tail in TAILS_ZH if texts(whole := f"{said}{tail}") != [FACTS_ZH[said]]}
    wrong |= {whole: texts(whole) for head in HEADS_ZH if texts(whole := f"{head}{said}。") != [FACTS_ZH[said]]}
    assert wrong == {}


def test_nobody_is_linked_to_a_fact_because_they_are_thanked_or_called() -> None:
    for said in ("I'm allergic to nuts, thank you.", "I live in Leeds, Ann.", "I like tea, thank you, Ann."):
        (fact,) = facts(said)
        assert "Ann" not in fact.names


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I, by the way, live in Leeds.", "Bo lives in Leeds"),
        ("I have, of course, a dog.", "Bo has a dog"),
        ("My sister, thank God, lives in York.", "Bo's sister lives in York"),
        ("I live in York, dear Ann.", "Bo lives in York"),
        ("I'm allergic to nuts, just so you know, and I hate tea.", "Bo is allergic to nuts"),
        ("I like tea, you know, and coffee.", "Bo likes tea and coffee"),
        ("I'll bring you the book tomorrow, thank you.", "Bo will bring Ann the book 2026-03-09"),
        ("I moved to York last week, thank you.", "Bo moved to York 2026-02-23/2026-03-01 and lives there"),
        ("我住在杭州，顺便说一句，我是护士。", "小波是护士"),
        ("我不抽烟，谢谢，戒了。", "小波不抽烟"),
    ],
)
def test_what_stands_between_is_passed_over(said: str, told: str) -> None:
    assert told in texts(said)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I got the job, thanks to my sister.", "Bo got the job, thanks to Bo's sister"),
        ("I love to please.", "Bo loves to please"),
        ("I live with my sister, Ann.", "Bo lives with Bo's sister, Ann"),
        ("Yesterday I invited Tom, Cleo, Ann.", "2026-03-07 Bo invited Tom, Cleo, Ann"),
        ("I'm afraid of dogs.", "Bo is afraid of dogs"),
        ("我昨天去谢谢老师了。", "小波2026-03-07去谢谢老师了"),
    ],
)
def test_what_only_looks_like_it_stays(said: str, told: str) -> None:
    assert texts(said) == [told]


@pytest.mark.parametrize(
    "said",
    ["Thank you.", "Thanks!", "Thank you so much, Ann.", "As you know.", "I want to thank you.",
     "I live in Leeds, right?",
     "I gave my sister a thank you card yesterday.", "I'll take the last one, okay?", "谢谢你。", "哈哈哈",
     "你知道的。", "我住在杭州，对吧？"],
)  # fmt: skip
def test_courtesies_alone_and_questions_tell_nothing(said: str) -> None:
    assert texts(said) == []


def test_an_answer_is_taken_without_its_thanks() -> None:
    assert texts(("Ann", "What's your favourite drink?"), "Tea, thank you.") == ["Bo's favourite drink is Tea"]
    assert texts(("安娜", "你住在哪里？"), "苏州，谢谢。") == ["小波住在苏州"]


@given(st.text(alphabet="I you thanks,.;—please as know 谢谢你，哈", max_size=60), st.sampled_from((Language.EN, Language.ZH)))
@example(",谢", Language.ZH)
def test_of_any_text_something_stays_and_nothing_is_added(text: str, tongue: Language) -> None:
    put = without_courtesies(text, tongue)
    assert len(put) <= len(text)
    assert any(map(str.isalnum, put)) == any(map(str.isalnum, text))
    assert without_asides(put, tongue) == without_asides(without_asides(put, tongue), tongue)
