from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.text.entities import LEAST_TEXTS, TEXTS_PER_TOPIC, Mentions, entity_mentions, topic_mentions

ENGLISH = [
    "Hey Margaret! Wow, I just got back from New York with Dr. Smith.",
    "Thanks, Tobias! Was the LGBTQ parade on Saturday fun? Margaret's brother went too.",
    "It was. New York in June is lovely, and Dr. Smith's talk on pottery was great.",
    "Pottery! I love the pottery class at the Riverside Centre. Marge, you should come.",
    'Maybe in July. My pottery is done. Have you read "The Wheel of Time"?',
    "Not yet. Toby lent me a book from Sweden. Sweden is so far away.",
    "The kiln at the Riverside Centre broke. Everyone helped with the kiln.",
    "Wow! I may bring my own kiln. LGBTQ night is on Monday.",
]
CHINESE = [
    "你好，我叫周晓梅，很高兴认识你。",
    "晓梅你好！我是陈默，住在杭州。",
    "昨天我去杭州看了《流浪地球》，还吃了火锅。",
    "火锅真好吃！小梅，下次我们去北京大学旁边那家火锅店。",
    "我的猫叫豆豆，它今天打碎了花瓶。",
    "豆豆好可爱，陈默也想养猫。周末一起学摄影吧。",
    "摄影很有意思，我买了摄影课程。小王子也喜欢星星。",
    "好，上摄影课之前先吃火锅。",
]


def test_english_names() -> None:
    found = entity_mentions(ENGLISH, speakers=["Margaret", "Tobias"])
    assert found["Margaret"].texts == (0, 1)
    assert found["Tobias"].texts == (1,)
    assert found["New York"].texts == (0, 2)
    assert found["Dr. Smith"].texts == (0, 2)
    assert found["LGBTQ"].texts == (1, 7)
    assert found["Riverside Centre"].texts == (3, 6)
    assert found["Wheel of Time"].texts == (4,)
    assert found["Sweden"].texts == (5,)
    assert not {
        "Wow",
        "Thanks",
        "Hey",
        "I",
        "Maybe",
        "Not",
        "June",
        "July",
        "Saturday",
        "Monday",
        "Everyone",
        "The",
        "Pottery",
    } & set(found)


def test_short_forms_of_english_speakers() -> None:
    texts = ["I saw Mel today", "Mel, are you there?", "yes, Melanie is here", "then Rob and Robin came"]
    found = entity_mentions(texts, speakers=["Melanie", "Robert", "Roberta"])
    assert found["Melanie"] == Mentions((0, 1, 2), ("Mel",))
    assert "Robert" not in found
    assert found["Rob"].texts == (3,)


def test_first_names_of_full_names() -> None:
    found = entity_mentions(["hello Ada", "Ada Lovelace wrote it"], speakers=["Ada Lovelace", "Charles"])
    assert found["Ada Lovelace"] == Mentions((0, 1), ("Ada",))


def test_chinese_names() -> None:
    found = entity_mentions(CHINESE, speakers=["周晓梅", "陈默"])
    assert found["周晓梅"] == Mentions((0, 1, 3), ("小梅", "晓梅"))
    assert found["陈默"].texts == (1, 5)
    assert found["杭州"].texts == (1, 2)
    assert found["流浪地球"].texts == (2,)
    assert found["豆豆"].texts == (4, 5)
    assert not {"你好", "高兴", "今天", "周末", "火锅", "摄影"} & set(found)


def test_topics() -> None:
    texts = ENGLISH * 1 + ["We walked home."] * 12
    found = topic_mentions(texts, speakers=["Margaret", "Tobias"])
    assert found["pottery"].texts == (2, 3, 4)
    assert "kiln" not in found
    chinese = topic_mentions(CHINESE + ["嗯嗯"] * 12, speakers=["周晓梅", "陈默"])
    assert chinese["火锅"].texts == (2, 3, 7)
    assert chinese["摄影"].texts == (5, 6, 7)
    assert not {"杭州", "豆豆", "周晓梅", "小梅"} & set(chinese)


def test_forms_of_a_topic_are_its_aliases() -> None:
    texts = ["my painting", "two paintings of mine", "the painting", *["nothing new"] * 9]
    assert topic_mentions(texts)["painting"] == Mentions((0, 1, 2), ("paintings",))


def test_a_word_that_stands_in_one_pair_is_left_to_the_pair() -> None:
    texts = ["the pottery class", "my pottery class", "a pottery class", *["nothing new"] * 9]
    assert list(topic_mentions(texts)) == ["pottery class"]


def test_what_everyone_says_is_no_topic() -> None:
    texts = ["the pottery is here"] * 30
    assert topic_mentions(texts) == {}


LINES = st.lists(
    st.one_of(
        st.sampled_from(ENGLISH + CHINESE), st.text(max_size=30), st.text(alphabet="AbC .'\"小王《》杭州the ", max_size=30)
    ),
    max_size=25,
)


@settings(deadline=None)
@given(LINES, st.lists(st.sampled_from(["Margaret", "Tobias", "周晓梅", "", "A", "陈默", " "]), max_size=4))
def test_any_texts_give_mentions_inside_them(texts: list[str], speakers: list[str]) -> None:
    for mentions in (entity_mentions(texts, speakers=speakers), topic_mentions(texts, speakers=speakers)):
        for name, found in mentions.items():
            assert name.strip()
            assert found.texts == tuple(sorted(set(found.texts))) != ()
            assert all(0 <= place < len(texts) for place in found.texts)
            assert name not in found.aliases


@settings(deadline=None, max_examples=50)
@given(LINES)
def test_topics_are_bounded_recurring_and_deterministic(texts: list[str]) -> None:
    found = topic_mentions(texts)
    assert len(found) <= len(texts) // TEXTS_PER_TOPIC
    assert all(len(mentions.texts) >= LEAST_TEXTS for mentions in found.values())
    assert list(topic_mentions(list(texts)).items()) == list(found.items())


@settings(deadline=None, max_examples=50)
@given(LINES)
def test_more_silence_changes_no_entity(texts: list[str]) -> None:
    assert entity_mentions([*texts, "", "..."]) == entity_mentions(texts)


@pytest.mark.parametrize(
    "text", ["A " * 20_000, "Ab of the " * 10_000, "《" * 20_000, "小" * 20_000, '"A' * 10_000, "A-" * 20_000, "\0\ud800" * 9999]
)
def test_hostile_text_ends(text: str) -> None:
    assert len(entity_mentions([text])) < 100
    assert topic_mentions([text]) == {}


def test_known_names_are_found_in_chinese_where_no_word_shows_them() -> None:
    texts = ["昨天老顾送了我一把铜钥匙。", "妈妈说好漂亮。", "阿顾老早就走了。"]
    assert "老顾" not in entity_mentions(texts)
    found = entity_mentions(texts, known=["老顾", "妈妈", "顾长庚", "jonas"])
    assert found["老顾"].texts == (0,)
    assert not found.keys() & {"妈妈", "顾长庚", "jonas"}, "ordinary words, and what stands nowhere, are no names"
