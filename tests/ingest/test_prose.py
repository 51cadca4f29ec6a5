"""A character drawn from a text: whose sentences these are, what they tell, and the line each note leads back to."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.ingest.answers import Answers, document
from soulmem.ingest.contract import Document
from soulmem.ingest.headings import sentences_apart
from soulmem.ingest.prose import Doing, read_prose
from soulmem.model.links import Link, TrigToAction
from soulmem.model.notes import AbstractSituation, Procedure, Semantic, SpecificSituation, display_text
from soulmem.quality import remarks

AT = datetime(2026, 11, 1, tzinfo=UTC)
EN = """Oda Brandt is a tuner of pianos. She lives in Halden.
Her brother keeps bees. He always sings.

Oda hums when she is nervous. Whenever it rains, she closes the window.
She often says "Listen first, then touch." She never locks her door.
"Not today," Oda said. "Go home," Greta said."""
ZH = """阿岚是一名修琴师，住在北港。她喜欢喝姜茶。
阿岚的哥哥叫小满。他总是迟到。

阿岚一紧张就会哼歌。每当下雨时，她都会关上窗户。
阿岚的口头禅是“先听再碰”。她从不锁门。"""


def drawn(name: str, text: str) -> Document:
    return document(Answers(name=name, text=text), AT, (), "")


def links_of(found: Document) -> list[Link]:
    return [
        Link(id=str(number), source=link.source_key, target=link.target_key, payload=link.payload, created_at=AT)
        for number, link in enumerate(found.links)
    ]


def texts(found: Document, kind: type = Semantic) -> dict[str, set[int]]:
    lines = {said.index: said.line for said in found.messages}
    return {
        display_text(note.body): {lines[index] for index in found.drawn.get(note.key, ())}
        for note in found.notes
        if isinstance(note.body, kind)
    }


@pytest.mark.parametrize(
    ("name", "text", "doings", "sayings"),
    [
        (
            "Oda Brandt",
            EN,
            [Doing("I am nervous", "hum"), Doing("it rains", "close the window"), Doing("", "never lock her door")],
            ["Listen first, then touch.", "Not today"],
        ),
        ("阿岚", ZH, [Doing("紧张", "会哼歌"), Doing("下雨", "会关上窗户"), Doing("", "从不锁门")], ["先听再碰"]),
    ],
)
def test_habits_and_sayings_are_those_of_the_character(name: str, text: str, doings: list[Doing], sayings: list[str]) -> None:
    read = read_prose(text, (name,))
    assert [one.doing for one in read if one.doing] == doings
    assert [one.saying for one in read if one.saying] == sayings


@pytest.mark.parametrize(("name", "text"), [("Oda Brandt", EN), ("阿岚", ZH)], ids=["en", "zh"])
def test_every_note_leads_to_a_line_of_the_text_and_nothing_is_lacking(name: str, text: str) -> None:
    found = drawn(name, text)
    lines = text.split("\n")
    said = {one.index: one for one in found.messages}
    for note in found.notes:
        if note.key.startswith("sit_scenario"):
            continue  # where patterns belong, which no line says
        assert found.drawn.get(note.key), note.key
        assert all(said[index].text in lines[said[index].line - 1] for index in found.drawn[note.key]), note.key
    acts = {note.key for note in found.notes if isinstance(note.body, Procedure)}
    assert acts == {link.target_key for link in found.links if isinstance(link.payload, TrigToAction)}
    assert remarks([replace(note, id=note.key) for note in found.notes], links_of(found)) == []


def test_facts_have_the_keys_by_which_talk_corrects_them_and_are_not_told_twice() -> None:
    found = texts(drawn("Oda Brandt", EN))
    assert found["Oda Brandt lives in Halden"] == {1} and "She lives in Halden.（Oda Brandt）" not in found
    keys = [note.key for note in drawn("阿岚", ZH).notes]
    assert any(key.startswith("fact_阿岚_lives_") for key in keys)


def test_what_is_said_of_others_is_not_the_characters() -> None:
    found = texts(drawn("Oda Brandt", EN))
    assert found["Her brother keeps bees. He always sings."] == {2}
    assert "sings" not in str(list(texts(drawn("Oda Brandt", EN), Procedure))) and "Go home" not in str(
        list(texts(drawn("Oda Brandt", EN), Procedure))
    )
    assert "迟到" not in str(list(texts(drawn("阿岚", ZH), Procedure)))


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.sampled_from([*EN.split("\n"), *ZH.split("\n"), "Likes: tea", "# Life", "* 外貌：高", "\u2028", "“", "I"]), max_size=8
    )
)
def test_any_text_is_read_and_counted(lines: list[str]) -> None:
    found = drawn("Oda Brandt", "\n".join(lines))
    keys = [note.key for note in found.notes]
    assert len(keys) == len(set(keys)) and found.read == len(keys) + len(found.links) + len(found.messages)
    assert {link.source_key for link in found.links} | {link.target_key for link in found.links} <= set(keys)
    assert set(found.drawn) <= set(keys)


def test_a_fact_that_says_all_of_a_sentence_stands_for_it() -> None:
    found = texts(drawn("Oda Brandt", "Oda is a tuner. Oda likes tea and rope."))
    assert found.keys() >= {"Oda Brandt likes tea and rope"} and not any(text.startswith("Oda likes") for text in found)


def test_what_is_said_of_others_is_told_once() -> None:
    found = texts(drawn("Oda Brandt", "Nobody knows her brother. He keeps bees. He never sings."))
    assert {"Nobody knows her brother. He keeps bees.", "Nobody knows her brother. He never sings."} <= found.keys()


def test_the_summary_ends_its_sentences_once() -> None:
    for text in ("Oda is a tuner. She often says “Salt first.” She lives in Halden.", "Oda often says “Salt first.”"):
        own = next(note for note in drawn("Oda Brandt", text).notes if note.core)
        assert "”." not in display_text(own.body)


@pytest.mark.parametrize(
    "text",
    [
        "Whenever a ship sounds its horn, Oda stands up.",
        "Oda is a tuner.\n\nWhenever a ship sounds its horn, she stands up.",
        "Oda is a tuner. Whenever a ship sounds its horn, she stands up.",
    ],
)
def test_whenever_is_a_pattern_with_what_is_done(text: str) -> None:
    assert [one.doing for one in read_prose(text, ("Oda Brandt",)) if one.doing] == [Doing("a ship sounds its horn", "stand up")]


def test_a_new_paragraph_says_anew_whom_a_pronoun_means_where_it_may_be_another() -> None:
    read = read_prose("Oda lives with her sister Greta.\n\nShe always sings.", ("Oda Brandt",))
    assert [one.doing for one in read] == [None, None]


RUBEN, MARA, LAN = "Ruben is a keeper of lights.", "Mara is a cook by trade.", "小蓝是茶师。"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("Ruben", f"{RUBEN} His mother works at the harbour. She always sings.\nHe hums when he is nervous.", ["hum"]),
        ("Ruben", f"{RUBEN} His mother works at the harbour.\n\nHe never sleeps.", ["never sleep"]),
        ("Ruben", f"{RUBEN} His father works at the harbour. He never sleeps.", []),
        ("Ruben", f"{RUBEN} His assistant works at the harbour. He never sleeps.", []),
        ("Ruben", f"{RUBEN} His mother works with Piet at the harbour. He never sleeps.", []),
        ("Ruben", f"{RUBEN} His sisters write every Sunday in March. He never sleeps.", ["never sleep"]),
        ("Ruben", f"{RUBEN} His mother's clerk works at the harbour. He never sleeps.", []),
        ("Ruben", f"{RUBEN} His eyes are grey as the sea. He never sleeps.", ["never sleep"]),
        ("Ruben", f"{RUBEN} He knits. Mrs Vane runs the inn. He never sleeps.", ["never sleep"]),
        ("Ruben", f"{RUBEN} He knits. Mr Vane runs the inn. He never sleeps.", []),
        (
            "Ruben",
            f"{RUBEN} He knits. Greta paints boats. She is very old. Greta paints boats. He never sleeps.",
            ["never sleep"],
        ),
        ("Ruben", f"{RUBEN} He knits. Greta paints boats. He never sleeps.", []),
        ("Ruben", f"{RUBEN} He lives with Ada. She never sleeps.", []),
        ("Ruben", "Ruben keeps lights. In 1998 he lost his brother Emil in a storm. She always sings.", []),
        ("Ruben", "Ruben keeps lights. In 1998 he lost his brother Emil in a storm. He always sings.", ["always sing"]),
        ("Mara", f"{MARA} Her brother Emil is a fisherman. She never eats fish.", ["never eat fish"]),
        ("Mara", f"{MARA} In 1998 she lost her brother Emil in a storm. She always sings.", ["always sing"]),
        ("Mara", f"{MARA} She knits. Emil, her brother, fishes.\nEmil fishes daily.\nShe never eats fish.", ["never eat fish"]),
        ("Mara", f"{MARA} She knits. Emil is her brother.\nEmil fishes daily.\nShe never eats fish.", ["never eat fish"]),
        ("小蓝", f"{LAN}她的爸爸在码头卖鱼。 她从不锁门。", ["从不锁门"]),
        ("小蓝", f"{LAN}她的妈妈在码头卖鱼。 她从不锁门。", []),
        ("小蓝", f"{LAN}她的头发是黑的。她从不锁门。", ["从不锁门"]),
        ("小蓝", f"{LAN}他住在北港。王太太卖鱼。他从不锁门。", ["从不锁门"]),
        ("小蓝", f"{LAN}他住在北港。王先生卖鱼。他从不锁门。", []),
    ],
)
def test_a_pronoun_means_the_character_where_nobody_else_has_its_gender(name: str, text: str, told: list[str]) -> None:
    assert [one.doing.does for one in read_prose(text, (name,)) if one.doing] == told


@pytest.mark.parametrize(
    ("sentence", "doing"),
    [
        ("半夜有人敲门时，她总是先问是谁。", Doing("半夜有人敲门", "总是先问是谁")),
        ("有人敲门的时候，她都会躲起来。", Doing("有人敲门", "会躲起来")),
        ("半夜有人敲门时，小蓝就会躲起来。", Doing("半夜有人敲门", "会躲起来")),
        ("有人敲门时，她打开了门。", None),
        ("有人敲门时，邻居总是先问是谁。", None),
        ("与此同时，她总是笑。", None),
        ("当时，她总是哭。", None),
        ("1998年，她总是哭。", None),
    ],
)
def test_what_is_always_done_at_a_time_is_a_pattern(sentence: str, doing: Doing | None) -> None:
    assert read_prose(f"{LAN}她住在北港。{sentence}", ("小蓝",))[-1].doing == doing


def test_a_heading_is_a_place_and_no_part_of_what_is_said() -> None:
    text = "# Mara Quill\n\nShe is a cook.\n\n## History\n\nShe hates honey.\n\n## Likes\n- old rope\n"
    found = texts(drawn("Mara Quill", text))
    assert found["Mara Quill hates honey"] == {7} and found["Mara Quill likes: old rope"] == {10}
    assert not any("istory" in display_text(note.body) for note in drawn("Mara Quill", text).notes)
    assert sentences_apart("a\n## B\nShe hums.\n- c\n## D\nHe sings all day.", ()) == "a\nShe hums.\nHe sings all day.\n## B\n- c"
    assert "小蓝的历史" not in str(texts(drawn("小蓝", "小蓝是茶师。\n## 历史\n她讨厌蜂蜜。")))


def test_an_item_of_a_list_leads_to_its_own_line() -> None:
    found = texts(drawn("顾长庚", "顾长庚住在杭州。\n他喜欢喝绿豆汤。\n\n## 喜欢的东西\n- 象棋\n- 绿豆汤\n- 茶\n"))
    assert [found[f"顾长庚的喜欢的东西：{item}"] for item in ("象棋", "绿豆汤", "茶")] == [{5}, {6}, {7}]
    text = "Anna is a baker. She drinks tea.\n## Likes\n1. tea\n2. green tea\n## Dislikes\n- tea\n- green\n\nDrink: tea\n"
    found = texts(drawn("Anna", text))
    assert (found["Anna likes: tea"], found["Anna likes: green tea"]) == ({3}, {4})
    assert (found["Anna dislikes: tea"], found["Anna dislikes: green"], found["Anna's drink: tea"]) == ({6}, {7}, {9})


def test_a_heading_that_may_be_a_name_says_whom_a_pronoun_means() -> None:
    text = f"{RUBEN} He never rests.\n## Emil\nHe never sleeps.\n### Early life\nHe never sang.\n## History\nHe never slept."
    read = read_prose(f"{text}\n## Piet\nHe never woke.\n## Ruben\nHe never eats.", ("Ruben",))
    assert [(one.text, one.about_self) for one in read[2:]] == [
        ("Emil He never sleeps.", False), ("He never sang.", False), ("He never slept.", True), ("Piet He never woke.", False),
        ("He never eats.", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "own", "others"),
    [
        (
            "顾长庚",
            "# 顾长庚\n\n顾长庚六十八岁，住在杭州。\n\n## 顾明\n他是心外科医生，讨厌坐船。\n",
            "顾长庚六十八岁，住在杭州。",
            "他是心外科医生，讨厌坐船。",
        ),
        (
            "Anna Berg",
            "# Anna Berg\n\nAnna is a baker.\n\n## Emil\nHe is a heart surgeon.\n\n## History\nAnna hates boats.\n",
            "Anna is a baker. Anna hates boats.",
            "He is a heart surgeon.",
        ),
    ],
)
def test_what_is_said_of_somebody_else_under_a_heading_does_not_say_who_the_character_is(
    name: str, text: str, own: str, others: str
) -> None:
    notes = drawn(name, text).notes
    described = [note.body.description for note in notes if isinstance(note.body, Semantic) and note.core]
    assert described == [own]
    assert [note.key for note in notes if not note.core and others in display_text(note.body)]


def test_what_a_text_says_under_headings_alone_describes_the_character_it_is_taken_for() -> None:
    (note,) = (note for note in drawn("Anna", "## The Baker of Graz\nHe bakes all day long.\n").notes if note.core)
    assert isinstance(note.body, Semantic) and note.body.description == "He bakes all day long."


def test_under_a_heading_the_text_speaks_anew_of_the_character() -> None:
    text = f"{LAN}她的妈妈在码头卖鱼。她从不锁门。\n## 日常\n她从不喝酒。"
    assert [one.doing.does for one in read_prose(text, ("小蓝",)) if one.doing] == ["从不喝酒"]


@pytest.mark.parametrize(
    ("name", "text", "scenes"),
    [
        ("小蓝", "小蓝是茶师。她的妈妈的口头禅是“先喝茶再说”。邻居的口头禅是“快走”。", 0),
        ("Mara", f"{MARA} The neighbour has a habit of singing.", 0),
        ("Mara", f"{MARA} She never eats fish.", 1),
    ],
)
def test_a_scene_is_made_only_for_patterns(name: str, text: str, scenes: int) -> None:
    found = drawn(name, text)
    assert len([note for note in found.notes if isinstance(note.body, SpecificSituation)]) == scenes
    assert any(isinstance(note.body, AbstractSituation) for note in found.notes) == bool(scenes)
    assert remarks([replace(note, id=note.key) for note in found.notes], links_of(found)) == []


@pytest.mark.parametrize(
    ("name", "text", "is_told"),
    [
        ("R2 Castell", "Ruben Castell is a lighthouse keeper. He hums when he is nervous.", True),
        ("Ruben Castell", "Nobody knows why RUBEN hums.", False),
        ("Ruben Castell", "I keep a lighthouse.", False),
        ("小蓝", "阿岚是修琴师。", True),
        ("小蓝", "我是茶师。", False),
    ],
)
def test_a_text_that_never_names_the_character_is_told(name: str, text: str, is_told: bool) -> None:
    assert any("never stands in the text" in one.what for one in drawn(name, text).problems) == is_told


MAJA = "Tessa Holm is a vet.\nHer sister Maja is a nurse in Oslo.\nShe hates rain."
SHEN = "沈墨今年三十四岁，是苏州的评弹演员。\n他的师父三年前去世了。\n每当打雷的时候，他就躲进里屋拨三弦。\n他从不喝酒。"
SAM = "Sam Hale is an actor. His mentor, Professor Lindqvist, died three years ago."


@pytest.mark.parametrize(
    ("name", "text", "unsure", "line"),
    [
        ("Tessa Holm", MAJA, "She hates rain.", 3),
        ("沈墨", "沈墨是演员。\n他的师父顾老先生三年前去世了。 他只喝碧螺春，从不喝酒。", "他只喝碧螺春，从不喝酒。", 2),
        ("沈墨", "沈墨是演员。\n他的师父三年前去世了。\n他以前从不喝酒。", "他以前从不喝酒。", 3),
        ("Ruben", f"{RUBEN} His father works at the harbour.\nHe never sleeps.", "He never sleeps.", 2),
    ],
)
def test_what_may_be_about_somebody_else_is_used_nowhere_and_told_with_its_line(
    name: str, text: str, unsure: str, line: int
) -> None:
    found = drawn(name, text)
    assert not any(unsure.rstrip(".。") in display_text(note.body) for note in found.notes)
    assert [(one.line, one.what.endswith(f": {unsure}"), one.skipped) for one in found.problems] == [(line, True, False)]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("沈墨", SHEN, ["躲进里屋拨三弦", "从不喝酒"]),
        ("沈墨", SHEN.replace("师父", "师母"), ["躲进里屋拨三弦", "从不喝酒"]),
        ("沈墨", SHEN.replace("去世了", "搬走了"), []),
        ("沈墨", SHEN.replace("三年前去世了", "在妻子去世后离开了苏州"), []),
        (
            "沈墨",
            SHEN.replace("。\n每当", "。\n他常在他梦里出现。\n每当").replace("就躲", "总梦见他，躲").replace("从", "曾从"),
            [],
        ),
        ("Sam Hale", f"{SAM} Every time it thunders, he hides. He never drinks.", ["hide", "never drink"]),
        ("Sam Hale", f"{SAM} He never drank. He never drinks.", ["never drink"]),
        ("Sam Hale", f"{SAM} He never drank. He often appears in his dreams.", []),
        ("Sam Hale", f"{SAM} His father lives in Leeds. He never drinks.", []),
        ("Sam Hale", "Sam Hale is an actor. His father works where his brother died. He never drinks.", []),
        ("Sam Hale", "Sam Hale is an actor. His father died in the arms of Emil. He never drinks.", []),
    ],
)
def test_a_habit_of_today_is_not_that_of_the_dead(name: str, text: str, told: list[str]) -> None:
    assert [one.doing.does for one in read_prose(text, (name,)) if one.doing] == told


def test_sentences_of_which_one_is_not_about_the_other_are_not_joined() -> None:
    text = "沈墨是演员。\n他的师父住在苏州。\n每当打雷的时候，他就躲进里屋拨三弦。\n他从不喝酒。\n她总是笑。"
    assert [one.text for one in read_prose(text, ("沈墨",))[2:]] == text.split("\n")[2:]
