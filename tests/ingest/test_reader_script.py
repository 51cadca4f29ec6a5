"""Plain scripts in both languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.ingest import Document, detect, read
from soulmem.model.messages import Role

AT = datetime(2026, 1, 1, tzinfo=UTC)


def read_text(text: str) -> Document:
    return read(text.encode(), AT, "script")


def spoken(text: str) -> list[tuple[str, str]]:
    return [(line.speaker, line.text) for line in read_text(text).messages]


@pytest.mark.parametrize(
    ("line", "speaker", "text"),
    [
        ("胡桃：「走吧」", "胡桃", "走吧"),
        ("阿虚:「走吧」", "阿虚", "走吧"),
        ("胡桃： “走吧”", "胡桃", "走吧"),
        ("Ada: Hello.", "Ada", "Hello."),
        ('Ada: "Hello."', "Ada", "Hello."),
        ("Aunt Mary: Come in.", "Aunt Mary", "Come in."),
        ("Guard 2: Halt!", "Guard 2", "Halt!"),
        ("春日:「那里」(春日指向窗外)", "春日", "「那里」(春日指向窗外)"),
        ("甲：「一」和「二」", "甲", "「一」和「二」"),
        ("甲：他说：好", "甲", "他说：好"),
        ("甲：", "甲", ""),
        ("Ada: see http://example.org: it works", "Ada", "see http://example.org: it works"),
        ("　　甲：缩进", "甲", "缩进"),
    ],
)
def test_a_speech(line: str, speaker: str, text: str) -> None:
    document = read_text(f"乙：在\n{line}\n丙：也在")
    if text:
        assert (document.messages[1].speaker, document.messages[1].text) == (speaker, text)
        assert (document.messages[1].index, document.messages[1].line) == (1, 2)
        assert document.problems == ()
    else:
        assert [line.index for line in document.messages] == [0, 2]
        assert [(problem.line, problem.skipped) for problem in document.problems] == [(2, True)]


@pytest.mark.parametrize(
    "line",
    [
        "http://example.org is it",
        "https://example.org",
        "10:30 we met",
        "We met at 10:30 again",
        "I told him: no",
        "and then: nothing",
        "她想了想，回答：不",
        "他说：不",
        "a clause of far more than twenty characters: no name",
        "“quoted”: no name",
        "no colon at all",
    ],
)
def test_a_line_without_a_name_goes_on_with_what_was_said(line: str) -> None:
    assert spoken(f"Ada: First.\n\n{line}\nBo: Second.") == [("Ada", f"First.\n{line}"), ("Bo", "Second.")]


def test_narrators_and_directions() -> None:
    text = "第一幕\n旁白：天黑了。\n（下楼看到老邢）\n阿虚：早\nNarrator: Night.\n(A bell rings.)\n【转场】\n春日：晚"
    document = read_text(text)
    assert [(line.speaker, line.role) for line in document.messages] == [
        ("旁白", Role.NARRATOR),
        ("旁白", Role.NARRATOR),
        ("旁白", Role.NARRATOR),
        ("阿虚", Role.USER),
        ("Narrator", Role.NARRATOR),
        ("Narrator", Role.NARRATOR),
        ("旁白", Role.NARRATOR),
        ("春日", Role.USER),
    ]
    assert document.messages[0].text == "第一幕"
    assert document.messages[2].text == "（下楼看到老邢）"
    assert document.read == 8


@pytest.mark.parametrize("stamp", ["[2024-05-01 10:20] ", "[2024-05-01T10:20:00]", "2024/5/1 10:20 ", "[2024-05-01  10:20]  "])
def test_times_before_the_name(stamp: str) -> None:
    document = read_text(f"{stamp}Ada: Hello.\nBo: Hi.")
    assert [line.sent_at for line in document.messages] == [datetime(2024, 5, 1, 10, 20, tzinfo=UTC), None]
    assert document.messages[0].speaker == "Ada"


def test_an_impossible_time() -> None:
    document = read_text("[2024-02-31 10:20] Ada: Hello.")
    assert document.messages[0].sent_at is None
    assert [(problem.line, problem.skipped) for problem in document.problems] == [(1, False)]


@pytest.mark.parametrize(
    ("names", "user", "character"),
    [
        (("Ada", "Bo"), None, None),
        (("User", "Ada"), "User", "Ada"),
        (("Ada", "我"), "我", "Ada"),
        (("AI", "Kim"), "Kim", "AI"),
        (("User", "Ada", "Bo"), "User", None),
        (("user", "assistant"), "user", "assistant"),
    ],
)
def test_sides(names: tuple[str, ...], user: str | None, character: str | None) -> None:
    document = read_text("\n".join(f"{name}: hi" for name in names))
    assert (document.user_name, document.character_name) == (user, character)
    assert {line.speaker for line in document.messages if line.role is Role.CHARACTER} == ({character} if character else set())


def test_five_speakers_stay_five() -> None:
    names = ["甲", "乙", "丙", "丁", "戊"]
    assert [speaker for speaker, _ in spoken("\n".join(f"{name}：在" for name in names * 2))] == names * 2


def test_encodings_and_line_ends() -> None:
    text = "胡桃：「走吧」\r\n\r\n钟离：嗯\r\n"
    expected = [("胡桃", "走吧"), ("钟离", "嗯")]
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "gb18030"):
        document = read(text.encode(encoding), AT, "script")
        assert [(line.speaker, line.text) for line in document.messages] == expected
        assert [line.line for line in document.messages] == [1, 3]


@pytest.mark.parametrize("text", ["", "\n \n", "only prose", "（下楼）\n（上楼）", "旁白：夜。", "http://a.b\nhttp://c.d"])
def test_what_nobody_speaks_in_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        read_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "She said: come in.",
        "Note: it rains.",
        "The plan is simple: run.",
        "title: A book",
        "https://a.b",
        "at 10:30",
        "他想：太晚了。",
        "注意：下雨了。",
        "这是我的看法：他不对。",
        "孔子曰：学而时习之。",
        "结果是这样：他赢了。\n大家都很高兴。",
        "It was late. Nobody spoke.\nShe looked out.\nHe said: go.\nAnd she went.",
        "def f():\n    return 1\nclass A:\n    pass\n",
        "name: x\nkind: y\nsize: z\ncolour: w",
        "- one\n- two\n- three",
        "a,b,c\n1,2,3\n4,5,6",
    ],
)
def test_what_is_no_script_is_not_taken_for_one(text: str) -> None:
    with pytest.raises(FormatError):
        detect(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "小红：你好",
        "小红：「你好」\n",
        "（下楼）\n小红：你好",
        "我：今天好累",
        "Ada: Hello.",
        "Mary Ann: hi there",
        "[2024-05-01 10:20] Ada: Hello.",
        "Ada: hi\nBo: hello",
        "小红：" + "今天好热，" * 20_000,
    ],
)
def test_one_speech_is_a_script(text: str) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert detect(text.encode(encoding)).name == "script"


names = st.sampled_from(["Ada", "Bo", "胡桃", "Aunt Mary"])
speeches = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20)


@given(
    st.lists(st.tuples(names, speeches, st.sampled_from(["：", ": ", ":"])), min_size=2, max_size=8),
    st.sampled_from(["\n", "\r\n", "\n\n"]),
)
@settings(deadline=None, max_examples=100)
def test_what_is_written_is_read(lines: list[tuple[str, str, str]], ending: str) -> None:
    text = ending.join(f"{name}{colon}{speech}" for name, speech, colon in lines)
    assert spoken(text) == [(name, speech) for name, speech, _ in lines]


@pytest.mark.parametrize(
    ("line", "speaker", "text"),
    [
        ("乙 (whispering): I am pregnant.", "乙", "(whispering) I am pregnant."),
        ("丙（小声）：我怀孕了。", "丙", "（小声）我怀孕了。"),
        ("丙说：“我不知道。”", "丙", "我不知道。"),
        ('乙 said: "I do."', "乙", "I do."),
        ("**丙**: bold", "丙", "bold"),
        ("**丙:** bold", "丙", "bold"),
        ("*丙: waves*", "丙", "*waves*"),
    ],
)
def test_how_something_is_said_leaves_it_with_who_says_it(line: str, speaker: str, text: str) -> None:
    assert spoken(f"乙：在\n丙：也在\n乙：好\n{line}")[-1] == (speaker, text)


@pytest.mark.parametrize(
    "line",
    ["Dear Tomas: I love you.", "亲爱的丁：我爱你。", "注意：下雨", "Note: bring it", "*Jon: waves*", "丁说：“我不知道。”"],
)
def test_what_names_nobody_goes_on_with_what_was_said(line: str) -> None:
    assert spoken(f"乙：在\n丙：也在\n{line}\n乙：好") == [("乙", "在"), ("丙", f"也在\n{line}"), ("乙", "好")]


@pytest.mark.parametrize("line", ["时间：三天后", "地点：家", "Place: the harbour", "Scene: a pier"])
def test_a_scene_is_set_by_nobody(line: str) -> None:
    document = read_text(f"乙：在\n{line}\n丙：也在")
    assert [(one.role, one.text) for one in document.messages][1] == (Role.NARRATOR, line)
    assert {one.speaker for one in document.messages if one.role is Role.USER} == {"乙", "丙"}


def test_a_user_who_names_a_tag_is_not_cut_off_and_what_is_left_out_is_told() -> None:
    document = read_text("甲：How do I close a <head> tag? I am allergic.\n乙：<think>hm</think>Yes.")
    assert [line.text for line in document.messages] == ["How do I close a <head> tag? I am allergic.", "Yes."]
    assert [(one.line, one.skipped) for one in document.problems] == [(2, False)]
