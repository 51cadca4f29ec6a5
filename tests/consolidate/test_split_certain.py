"""Where the grammar is not certain, it says nothing; and what is said beside a fact does not spoil it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from talk import facts, texts

from soulmem.consolidate.growth import _is_number
from soulmem.consolidate.merge import merge
from soulmem.consolidate.people import Discourse

AT = datetime(2025, 10, 2, 12, tzinfo=UTC)


# -- whom a pronoun means -----------------------------------------------------------------------------------------------------


def test_who_was_asked_about_may_be_meant_as_well_as_the_animal_that_was_named_last():
    told = texts(
        "I have a dog, Biscuit.",
        "I live with Wilhelmina.",
        ("Ann", "Is Wilhelmina kind?"),
        "Very. Biscuit died in July, you remember, and she sat up with me three nights.",
        sent_at=AT,
    )
    assert "Biscuit died in July (2025-07)" in told
    assert not [one for one in told if "sat up" in one or "remember" in one]


@pytest.mark.parametrize(
    "lines",
    [
        ("Biscuit is my dog.", ("Ann", "How is Wilhelmina?"), "Biscuit is old. She sat up with me all night."),
        ("I have a dog called Biscuit.", "Biscuit died in July. She gave me a ring yesterday."),
        ("Wilhelmina gave me a puppy. I called him Ratchet.",),
        ("My brother bought a pony. I named him Storm.",),
        ("Wilhelmina gave me a puppy. His name is Ratchet.",),
        ("Wilhelmina gave me a puppy. He sleeps on my bed every night.",),
    ],
)
def test_a_doubtful_pronoun_gives_nothing(lines):
    assert not [
        one for one in texts(*lines, sent_at=AT) if any(word in one for word in ("sat up", "ring", "Ratchet", "Storm", "sleeps"))
    ]


@pytest.mark.parametrize(
    ("lines", "fact"),
    [
        (("I have a dog called Biscuit. She hates thunder.",), "Biscuit hates thunder"),
        (("My sister Elia is a nurse. She lives in Leeds.",), "Elia lives in Leeds"),
        ((("Ann", "How is Elia?"), "She lives in Leeds."), "Elia lives in Leeds"),
        (("My brother has a dog. He lives in Leeds.",), "Bo's brother lives in Leeds"),
        ((("Ann", "How is Tom?"), "My sister came in July, and she sat up with me."), "Bo's sister sat up with Bo"),
        (("My grandma died in May. She taught me piano.",), "Bo's grandma taught Bo piano"),
    ],
)
def test_a_pronoun_that_is_certain_is_told(lines, fact):
    assert fact in texts(*lines, sent_at=AT)


# -- asides -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("I'm allergic to bees, did I ever tell you?", "Bo is allergic to bees"),
        ("I'm allergic to bees, did I ever tell you.", "Bo is allergic to bees"),
        ("My sister lives in York, have I mentioned that?", "Bo's sister lives in York"),
        ("I live in York, did you know?", "Bo lives in York"),
        ("I live in York, you remember.", "Bo lives in York"),
        ("I live in York, in case you wondered.", "Bo lives in York"),
        ("I'm allergic to nuts, just in case.", "Bo is allergic to nuts"),
        (
            "I can't eat shellfish, by the way, in case you were going to offer me those oysters.",
            "Bo can't eat shellfish",
        ),
        ("我对蜜蜂过敏，我跟你说过吗？", "小波对蜜蜂过敏"),
        ("我不吃虾，万一你要请我吃的话。", "小波不吃虾"),
    ],
)
def test_what_is_said_in_passing_does_not_spoil_a_statement(line, fact):
    assert texts(line, sent_at=AT) == [fact]


@pytest.mark.parametrize(
    "line",
    [
        "Did I ever tell you I'm allergic to bees?",
        "Do you like tea, did I ever ask you?",
        "Is Rex ill, do you know?",
        "Where do I live, do you remember?",
        "I live in York, do you?",
        "I live in York, don't I?",
        "我住在哪里，我跟你说过吗？",
        "我住在上海，你呢？",
        "如果我住在上海，你知道吗？",
    ],
)
def test_a_question_stays_one(line):
    assert texts(line, sent_at=AT) == []


# -- times --------------------------------------------------------------------------------------------------------------------

MARCH = datetime(2025, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("My sister Elia is getting married in June to a man called Bram.", "2025-06"),
        ("My sister Elia is moving in June to the town she loved.", "2025-06"),
        ("I am starting in June at the firm that hired me.", "2025-06"),
        ("In June I'm moving to a place I loved.", "2025-06"),
        ("I'm having my hair cut in June.", "2025-06"),
        ("We will be married in June.", "2025-06"),
        ("我六月要搬到我爱过的城市。", "2025-06"),
        ("My sister Elia got married in June.", "2024-06"),
        ("I met a man called Bram in June.", "2024-06"),
        ("I'm seeing a man I met in June.", "2024-06"),
        ("I'll show you the house I bought in June.", "2024-06"),
        ("We are selling the house we bought in June.", "2024-06"),
        ("I'm wearing a coat bought in June.", "2024-06"),
        ("My brother is getting married to a girl he met in June.", "2024-06"),
        ("My sister Elia will marry the man she met in June.", "2024-06"),
        ("I'm getting Rex neutered in June.", "2025-06"),
        ("I finished the book in June and I am writing another.", "2024-06"),
        ("我六月要了一只猫。", "2024-06"),
    ],
)
def test_a_month_is_of_the_year_that_the_verb_it_belongs_to_says(line, when):
    assert f"({when})" in texts(line, sent_at=MARCH)[-1] or f"（{when}）" in texts(line, sent_at=MARCH)[-1]


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        (
            "I sailed in from Lune this morning with forty crates of lemons.",
            "Bo sailed in from Lune on the morning of 2025-10-02 with forty crates of lemons",
        ),
        ("Last night I met Tom in York.", "On the night of 2025-10-01 Bo met Tom in York"),
        ("By this morning I had lost my keys.", "By the morning of 2025-10-02 Bo had lost Bo's keys"),
        ("I met my cousin on Friday evening.", "Bo met Bo's cousin on Friday evening (2025-09-26)"),
        ("I'm flying to Rome at 5 am tomorrow.", "Bo is flying to Rome at 2025-10-03 05:00"),
        ("我今天早上去了上海。", "小波2025-10-02早上去了上海"),
        ("我明天下午三点去看牙医。", "小波2025-10-03 15:00去看牙医"),
    ],
)
def test_a_part_of_the_day_is_no_time_of_the_clock(line, fact):
    assert texts(line, sent_at=AT) == [fact]


def test_who_moved_long_ago_may_live_there_still():
    assert texts("I moved to Leeds in 2020.", sent_at=AT) == ["Bo moved to Leeds in 2020 to live there"]
    assert texts("I moved to Leeds in May.", sent_at=AT) == ["Bo moved to Leeds in May (2025-05) and lives there"]


# -- beside, by name, no more -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "line", "value"),
    [
        ("I moved to Brassmouth last week.", "I live in Tarn too, above the bakery.", "Tarn"),
        ("I moved to Brassmouth last week.", "I also live in Tarn.", "Tarn"),
        ("I moved to Brassmouth last week.", "I live in Tarn as well.", "Tarn"),
        ("I work as a nurse.", "I'm also a baker.", "baker"),
        ("我住在北京。", "我也住在上海。", "上海"),
        ("我是护士。", "我也是作家。", "作家"),
    ],
)
def test_what_is_so_too_takes_the_place_of_nothing(before, line, value):
    drawn = facts(before, line, sent_at=AT)
    assert drawn[-1].also and drawn[-1].value == value
    assert not merge(drawn, {}, {source: "c" for fact in drawn for source in fact.sources}).over


def test_a_home_that_is_no_other_takes_the_place_of_the_one_before():
    drawn = facts("I live in Brassmouth.", "I live in Tarn now.", sent_at=AT)
    assert len(merge(drawn, {}, {source: "c" for fact in drawn for source in fact.sources}).over) == 1


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("I have a dog, Biscuit, who lost a leg.", "Bo's dog is Biscuit"),
        ("I have a dog, Biscuit.", "Bo's dog is Biscuit"),
        ("I have a cat, Mog, and a dog.", "Bo's cat is Mog"),
        ("I have a dog, Ann.", "Bo has a dog"),
        ("I have a dog, England is her home.", "Bo has a dog"),
        ("I have a dog, God, I love her.", "Bo has a dog"),
        ("I have a dog, Labrador.", "Bo has a dog"),
        ("I have a cat, Siamese.", "Bo has a cat"),
        ("I have two cats, Mog and Tib.", "Bo has two cats"),
    ],
)
def test_whom_somebody_has_by_name(line, fact):
    assert texts(line, sent_at=AT) == [fact]


@pytest.mark.parametrize(
    "line",
    [
        "The doctor says I was never allergic to bees at all.",
        "I was never allergic to bees at all.",
        "It turns out I'm not allergic to bees after all.",
    ],
)
def test_what_never_was_so_at_all_ends(line):
    drawn = facts("I'm allergic to bees.", line, sent_at=AT)
    assert len(merge(drawn, {}, {source: "c" for fact in drawn for source in fact.sources}).over) == 1


@pytest.mark.parametrize(
    "line",
    ["The doctor says I'm not well.", "Tom says I was never allergic to bees at all.", "In Leeds I was never happy at all."],
)
def test_what_another_says_or_a_mood_that_was_not_ends_nothing(line):
    assert texts(line, sent_at=AT) == []


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("My cousin Bram broke his ankle.", "Bram broke his ankle"),
        ("My brother hurt his knee badly.", "Bo's brother hurt his knee badly"),
        ("My sister Elia lost her ring.", "Elia lost her ring"),
        ("I broke my ankle yesterday.", "Bo broke Bo's ankle 2025-10-01"),
    ],
)
def test_what_is_ones_own_is_said_so_where_nobody_else_stands_between(line, fact):
    assert fact in texts(line, sent_at=AT)


def test_a_number_is_nothing_to_talk_of():
    for word in ("一", "了一", "两个", "three"):
        assert _is_number(word)
    for word in ("猫", "一样东西", "biscuit", "上海"):
        assert not _is_number(word)


def test_what_is_whose_stays_where_somebody_else_stands_between():
    heard = Discourse(speakers=frozenset({"Bo"}), forms={}, genders={"Bram": "m", "Elia": "f"})
    assert heard.with_own("Bram sold Bram's boat") == "Bram sold his boat"
    for text in (
        "Bram gave Tom Bram's boat",
        "Bram told the man Bram's name",
        "Bram met Elia's dog",
        "Bram left, Bram's boat sank",
    ):
        assert heard.with_own(text) == text
