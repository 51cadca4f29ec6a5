"""What is a fact and what is none; whose it is; when it is. Sentences of our own, not of the shipped chats."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talk import facts, talk, texts

from soulmem.consolidate.facts import Kind
from soulmem.consolidate.split import name_forms, split

STATED = [
    # identity
    ("我住在杭州。", Kind.IDENTITY, "小波住在杭州"),
    ("我是护士。", Kind.IDENTITY, "小波是护士"),
    ("我今年三十一岁。", Kind.IDENTITY, "小波三十一岁（2026-03-08）"),
    ("I live in Bergen.", Kind.IDENTITY, "Bo lives in Bergen"),
    ("I'm a violin teacher.", Kind.IDENTITY, "Bo is a violin teacher"),
    ("Honestly, I can't drive.", Kind.IDENTITY, "Bo can't drive"),
    ("My birthday is the fourth of May.", Kind.DATE, "Bo's birthday is the fourth of May (05-04)"),
    ("我生日是五月四号。", Kind.DATE, "小波生日是五月四号（05-04）"),
    # preference
    ("我喜欢下雨天。", Kind.PREFERENCE, "小波喜欢下雨天"),
    ("我不吃香菜。", Kind.PREFERENCE, "小波不吃香菜"),
    ("我对虾过敏。", Kind.PREFERENCE, "小波对虾过敏"),
    ("I love old maps.", Kind.PREFERENCE, "Bo loves old maps"),
    ("I can't stand jazz.", Kind.PREFERENCE, "Bo can't stand jazz"),
    ("I'm allergic to walnuts.", Kind.PREFERENCE, "Bo is allergic to walnuts"),
    ("My favourite colour is teal.", Kind.PREFERENCE, "Bo's favourite colour is teal"),
    # relation
    ("我妹妹叫小雅。", Kind.RELATION, "小波的妹妹叫小雅"),
    ("我养了一只猫叫豆包。", Kind.RELATION, "小波的猫叫豆包"),
    ("My sister Greta lives in Oslo.", Kind.RELATION, "Bo's sister is Greta"),
    ("I have a dog named Rex.", Kind.RELATION, "Bo's dog is Rex"),
    # events, with their days
    ("我下周三要去苏州开会。", Kind.EVENT, "小波2026-03-11要去苏州开会"),
    ("昨天我去了趟医院。", Kind.EVENT, "2026-03-07小波去了趟医院"),
    ("I'm flying to Oslo on Friday.", Kind.EVENT, "Bo is flying to Oslo on Friday (2026-03-13)"),
    ("I bought a canoe yesterday.", Kind.EVENT, "Bo bought a canoe 2026-03-07"),
    # promises
    ("我答应你，明天一定去。", Kind.PROMISE, "小波答应安娜，2026-03-09一定去"),
    ("I'll bring you the book tomorrow.", Kind.PROMISE, "Bo will bring Ann the book 2026-03-09"),
    ("I promise to water the plants.", Kind.PROMISE, "Bo promises to water the plants"),
    # states
    ("今天感冒了。", Kind.STATE, "小波2026-03-08感冒了"),
    ("I'm so tired.", Kind.STATE, "Bo is so tired (2026-03-08)"),
]


@pytest.mark.parametrize(("line", "kind", "told"), STATED)
def test_what_is_stated_is_told_of_the_speaker(line, kind, told):
    found = facts(line)
    assert (kind, told) in [(fact.kind, fact.text) for fact in found]
    assert all(fact.sources == (found[0].sources[0],) for fact in found)


NOTHING = [
    # asked
    "我住在杭州吗？", "你喜欢下雨天吗？", "Do I look like I live in Bergen?", "Is your sister called Greta?",
    # supposed
    "如果我住在杭州就好了。", "要是我昨天去了医院呢。", "I would move to Bergen.", "If I lived in Bergen, I'd walk more.",
    "Maybe I'm flying to Oslo on Friday.", "也许我下周三要去苏州。", "I almost bought a canoe yesterday.",
    # quoted, reported, played
    "他说：我住在杭州。", "她说她喜欢下雨天。", "妈妈告诉他，我昨天去了医院。", "“我住在杭州。”", "「我不吃香菜」，她笑着说。",
    "Greta said she loves old maps.", "He told me I live in a dream.", "\"I live in Bergen,\" she said.", "老板：我不吃香菜。",
    "Greta: I live in Oslo.",
    # not so
    "我没去医院。", "我昨天没去苏州。", "I didn't buy a canoe yesterday.", "I've never been to Oslo on Friday.",
    # narrated
    "*我昨天去了医院*", "（我住在杭州）", "*I bought a canoe yesterday.*",
    # taken back
    "我住在月亮上，开玩笑的。", "I live in Bergen. Just kidding!",
    # said to somebody, wished, past
    "安娜，恭喜学会了街舞！", "Let's make tomorrow unforgettable.",
    # of nobody who can be told
    "她昨天去了医院。", "I hate it.", "I love that.", "He bought a canoe yesterday.", "我喜欢这个。",
]  # fmt: skip


@pytest.mark.parametrize("line", NOTHING)
def test_what_is_not_stated_of_anybody_known_is_no_fact(line):
    assert texts(line) == []


def test_a_dislike_is_one_and_no_liking():
    for line, verb in (("我不喜欢香菜。", "不喜欢"), ("I don't like coriander.", "doesn't like")):
        (fact,) = facts(line)
        assert fact.kind is Kind.PREFERENCE and verb in fact.text and fact.value == "dislikes"


def test_who_says_it_is_whose_it_is():
    found = facts(("安娜", "我是安娜，我怕黑。"), ("小波", "我怕高。"))
    assert [(fact.subject, fact.text) for fact in found] == [("安娜", "安娜怕黑"), ("小波", "小波怕高")]


def test_what_the_character_says_of_itself_is_not_the_users():
    for name in ("安娜", "小波"):
        found = facts((name, "我是小智。"), (name, "我住在杭州。"))
        assert {fact.subject for fact in found} == {name}


def test_five_speakers_stay_five():
    names = ["Ada", "Ben", "Cleo", "Dan", "Eve"]
    said = talk(
        *[(name, f"I live in {town}.") for name, town in zip(names, ["Rome", "Lund", "Cork", "Bern", "Kiel"], strict=True)]
    )
    found = split(said, name_forms(said, {}))
    assert [(fact.subject, fact.value) for fact in found] == list(
        zip(names, ["Rome", "Lund", "Cork", "Bern", "Kiel"], strict=True)
    )


def test_you_is_told_among_two_only():
    assert texts("I'll bring you the book tomorrow.") != []
    said = talk(("Ann", "Hello."), ("Cleo", "Hello."), ("Bo", "I'll bring you the book tomorrow."))
    assert split(said, name_forms(said, {})) == ()


def test_hidden_lines_say_nothing():
    assert facts("I live in Bergen.", hidden=True) == ()


def test_a_joke_takes_back_the_line_before():
    assert texts("I live in Bergen.", ("Ann", "Really?"), "Just kidding!") == []
    assert texts("我住在杭州。", "骗你的。") == []


def test_a_pronoun_is_put_as_a_name_where_only_one_fits():
    assert "Greta bought a canoe 2026-03-07" in texts(
        ("Ann", "And your sister Greta?"), "My sister Greta is well. She bought a canoe yesterday."
    )
    assert not [text for text in texts("Greta met Hanna. She bought a canoe yesterday.") if "canoe" in text]


def test_who_is_named_behind_a_relative_is_that_relative():
    told = texts(
        "My sister Inês moved from Porto to Leeds in May.", "She hates the rain.", "I'm flying over on Friday to help her paint."
    )
    assert told == [
        "Bo's sister is Inês",
        "Inês moved from Porto to Leeds in May (2025-05) and lives there",
        "Inês hates the rain",
        "Bo is flying over on Friday (2026-03-13) to help Inês paint",
    ]
    assert "小雅不喜欢冬天" in texts("我妹妹小雅搬到了大连，她不喜欢冬天。")


@pytest.mark.parametrize(
    "line",
    [
        "My sister called Hanna yesterday. She hates the rain.",
        "My sister met Hanna in Rome. She hates the rain.",
        "我妹妹叫小雅来吃饭，她不喜欢冬天。",
    ],
)
def test_between_two_nobody_is_meant(line):
    assert not [fact for fact in facts(line) if fact.kind is Kind.PREFERENCE]


def test_who_is_asked_about_a_relative_answers_of_them():
    assert "Bo's brother got fired 2026-03-07" in texts(("Ann", "How is your brother?"), "He got fired yesterday.")
    assert "小波的弟弟2026-03-07出院了" in texts(("安娜", "你弟弟怎么样？"), "他昨天出院了。")
    for answer in (("Ann", "How is your brother?"), "Moving home in June."), (("安娜", "你弟弟怎么样？"), "昨天领养了一只小猫。"):
        assert texts(*answer) == []


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (("My friend Tom has a sister.", "She lives in Rome."), "lives"),
        (("我朋友小满有个妹妹。", "她住在罗马。"), "罗马"),
        (("I met Tom yesterday.", "My brother hates him."), "Bo's brother hates Bo's brother"),
        (("My mum, Greta and Tom live in Oslo.",), "Greta"),
        (("我同桌他妈是老师。",), "老师"),
        (("大家都叫我弟阿波。",), "阿波"),
        (("Moving to Rome in June was a mistake.",), "moving"),
        (("Hate crime is rising.",), "hates"),
    ],
)
def test_what_is_of_another_is_not_told_of_whoever_is_near(lines, wrong):
    assert not [text for text in texts(*lines) if wrong in text]


def test_without_times_what_is_relative_is_left_out():
    assert texts("I bought a canoe yesterday.", sent_at=None) == []
    assert texts("I live in Bergen.", sent_at=None) == ["Bo lives in Bergen"]


def test_a_private_word_stays_private():
    assert {fact.scope for fact in facts("I live in Bergen.", scope="direct:Bo")} == {"direct:Bo"}


@given(st.text(max_size=200))
def test_any_text_is_borne(text):
    for fact in facts(text):
        assert fact.text and fact.sources


@given(st.lists(st.sampled_from([line for line, _, _ in STATED] + NOTHING), max_size=6))
def test_facts_have_no_pronouns_and_no_relative_days(lines):
    for fact in (*facts(*[line for line in lines if line.isascii()]), *facts(*[line for line in lines if not line.isascii()])):
        words = set(fact.text.replace("'", " ").replace(",", " ").split())
        assert not words & {"I", "me", "my", "you", "he", "she", "tomorrow", "yesterday"}
        assert not any(word in fact.text for word in ("我", "你", "他", "她", "明天", "昨天", "今天"))


@pytest.mark.parametrize(
    ("line", "told"),
    [("My birthday is on the 3rd of May.", "May"), ("We are getting married on the 14th of April in Rome.", "April")],
)
def test_the_day_of_a_month_is_of_that_month(line, told):
    for text in texts(line):
        assert told in text and "2026-03" not in text


@pytest.mark.parametrize("line", ["我弟弟养了只狗，叫旺财。", "我妹妹刚生了个女儿，叫糖糖。"])
def test_who_is_named_last_is_not_the_relative(line):
    assert not [text for text in texts(line) if "弟弟叫" in text or "妹妹叫" in text]


def test_of_what_mine_is_another_line_says():
    told = texts(("Ann", "My birthday is on the 2nd of June."), "Mine's the 2nd of December.")
    assert not [text for text in told if "Bo" in text]
