"""What real chat files do that no specification says, one test each; and names and wrappings of single programs."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from chat_files import FORMAT_OF, NEVER, chat_bytes

from soulmem.errors import FormatError
from soulmem.ingest import Document, SaidLine, read
from soulmem.model.messages import Role

AT = datetime(2026, 1, 1, tzinfo=UTC)
HEADER = {"user_name": "Jon", "character_name": "Mira", "create_date": 1674559900991}


def said(mes: Any, name: str = "Mira", **more: Any) -> dict[str, Any]:
    return {"name": name, "is_user": name == "Jon", "is_system": False, "mes": mes} | more


def lines(*values: Any, ending: str = "\n") -> bytes:
    return ending.join(json.dumps(value, ensure_ascii=False) for value in values).encode()


def all_lines(document: Document) -> list[SaidLine]:
    return [line for _, part in document.parts for line in part.messages]


def texts(document: Document) -> list[str]:
    return [line.text for line in all_lines(document)]


def names(document: Document) -> list[str]:
    return [line.speaker for line in all_lines(document)]


def test_1_a_byte_order_mark_before_the_header() -> None:
    document = read(b"\xef\xbb\xbf" + lines(HEADER, said("hi")), AT)
    assert (document.character_name, texts(document), document.problems) == ("Mira", ["hi"], ())


@pytest.mark.parametrize("file", FORMAT_OF)
def test_2_line_ends_of_windows_change_nothing(file: str) -> None:
    data = chat_bytes(file)
    crlf = read(data.replace(b"\n", b"\r\n"), AT)
    assert [(line.line, line.text) for line in all_lines(crlf)] == [(line.line, line.text) for line in all_lines(read(data, AT))]


def test_2_line_ends_of_windows_within_a_message() -> None:
    assert texts(read(lines(said("one\r\ntwo")), AT)) == ["one\ntwo"]


@pytest.mark.parametrize("end", [b"\n", b"\n\n\n", b"\r\n \r\n"])
def test_3_blank_lines_at_the_end(end: bytes) -> None:
    document = read(lines(HEADER, said("hi")) + end, AT)
    assert (document.read, document.problems) == (1, ())


def test_4_a_jsonl_that_is_one_array() -> None:
    document = read(json.dumps([HEADER, said("hi"), said("ho")]).encode(), AT)
    assert (texts(document), document.character_name) == (["hi", "ho"], "Mira")


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(
    "head", ['{"messages": [', '{"model": "x", "messages":\n[', '{"messages": [{"role": "user", "content": "first"},']
)
def test_4_a_line_of_its_own_for_every_message_of_one_object(head: str, number: int) -> None:
    messages = [json.dumps({"role": "user", "content": f"{place}"}) for place in range(number)]
    data = (head + "\n" + ",\n".join(messages) + "\n]}\n").encode()
    document = read(data, AT)
    assert texts(document)[-number:] == [f"{place}" for place in range(number)] and not document.problems
    assert document.read == number + ("first" in head)


@pytest.mark.parametrize(
    "cut", ['{"role": "user", "content":', '{"role": "user", "content": "x", "parts": [', '{"role": "user", "content": "x']
)
def test_4_a_first_line_that_was_cut_off_costs_itself(cut: str) -> None:
    whole = lines({"role": "user", "content": "a"}, {"role": "assistant", "content": "b"})
    document = read(cut.encode() + b"\n" + whole, AT)
    assert texts(document) == ["a", "b"]
    assert [problem.line for problem in document.problems] == [1]


def test_5_lines_that_are_arrays() -> None:
    document = read(lines([said("one"), said("two")], [said("three")]), AT)
    assert [(line.text, line.line) for line in document.messages] == [("one", 1), ("two", 1), ("three", 2)]


def test_6_an_empty_message_is_told_and_keeps_its_number() -> None:
    document = read(lines(HEADER, said("a"), said(""), said("b")), AT)
    assert [(line.index, line.text) for line in document.messages] == [(0, "a"), (2, "b")]
    assert [(problem.line, problem.skipped) for problem in document.problems] == [(3, True)]


def test_7_a_message_without_a_date() -> None:
    document = read(lines(HEADER, said("a"), said("b", send_date=1714651200)), AT)
    assert [line.sent_at is None for line in document.messages] == [True, False]
    assert document.problems == ()


def test_8_generations_mixed_in_one_file() -> None:
    mixed = [
        1674559900991,
        "2023-4-21 @20h 02m 47s 124ms",
        "June 19, 2023 2:20pm",
        "2025-10-03T09:12:44.120Z",
        "2024-7-12@01h31m37s",
    ]
    document = read(lines(HEADER, *(said(f"m{place}", send_date=date) for place, date in enumerate(mixed))), AT)
    assert [line.sent_at.year for line in document.messages if line.sent_at] == [2023, 2023, 2023, 2025, 2024]
    assert texts(document) == [f"m{place}" for place in range(5)], "file order is the truth about order"


def test_9_seconds_and_milliseconds() -> None:
    document = read(lines(HEADER, said("s", send_date=1714651200), said("ms", send_date="1714651200000")), AT)
    assert len({line.sent_at for line in document.messages}) == 1


def test_10_a_header_without_names() -> None:
    header = {"chat_metadata": {"integrity": "x"}, "user_name": "unused", "character_name": "unused"}
    document = read(lines(header, said("hi {{user}}"), said("ho", "Jon")), AT)
    assert (document.user_name, document.character_name) == ("Jon", "Mira")
    assert texts(document) == ["hi Jon", "ho"]


def test_11_the_header_is_gone() -> None:
    document = read(lines(said("hi"), said("ho", "Jon")), AT)
    assert [(line.index, line.line) for line in document.messages] == [(0, 1), (1, 2)]


def test_12_a_chat_of_metadata_alone() -> None:
    header = {"chat_metadata": {"integrity": "x" * 40}, "user_name": "unused", "character_name": "unused"}
    document = read(lines(header), AT)
    assert (document.format, document.read, document.parts) == ("sillytavern", 0, ())


def test_13_fifty_swipes_of_which_one_was_taken() -> None:
    swipes = [f"{NEVER} {number} " * 2000 for number in range(50)]
    document = read(lines(HEADER, said("taken", swipes=swipes, swipe_id=7)), AT)
    assert texts(document) == ["taken"]


def test_14_hidden_lines_narrators_and_comments() -> None:
    document = read(chat_bytes("sillytavern.jsonl"), AT)
    assert [(line.role, line.hidden) for line in document.messages] == [
        (Role.CHARACTER, False),
        (Role.USER, False),
        (Role.CHARACTER, False),
        (Role.NARRATOR, False),
        (Role.USER, True),
        (Role.SYSTEM, True),
    ]


@pytest.mark.parametrize("file", FORMAT_OF)
def test_15_thoughts_other_versions_and_notes_are_nowhere(file: str) -> None:
    data = chat_bytes(file)
    document = read(data, AT)
    assert all_lines(document)
    assert NEVER not in repr([(part.messages, part.user_name) for _, part in document.parts])


@pytest.mark.parametrize(
    ("mes", "text"),
    [
        ("yes\n<UpdateVariable>_.set('a', 1)</UpdateVariable>", "yes"),
        ("<StatusBlock>HP 3/10</StatusBlock>\nyes", "yes"),
        ('<div style="color:red">yes</div>', "yes"),
        ("*nods* yes", "*nods* yes"),
        ("yes ![](data:image/png;base64,iVBORw0KGgo=)", "yes"),
        ('<details type="reasoning" done="true">\n<summary>x</summary>\nhm\n</details>\nyes', "yes"),
        ("<details><summary>A letter</summary>Dear Jon</details>", "A letterDear Jon"),
        ("![](https://example.org/a.png) yes", "![](https://example.org/a.png) yes"),
    ],
)
def test_16_wrappings(mes: str, text: str) -> None:
    assert texts(read(lines(HEADER, said(mes)), AT)) == [text]


def test_17_macros() -> None:
    mes = "{{user}}, <USER>, {{char}}, {{random::a,b}}, {{original}}"
    assert texts(read(lines(HEADER, said(mes)), AT)) == ["Jon, Jon, Mira, {{random::a,b}}, {{original}}"]


@pytest.mark.parametrize("name", ["小红", "Dr. A: the 2nd", "a/b\\c", "👩‍👩‍👧", "Åsa\u3000Ny", "שרה"])
def test_18_names_of_all_kinds(name: str) -> None:
    for data in (
        lines(HEADER, said("hi", name)),
        json.dumps([{"role": "assistant", "name": name, "content": "hi"}]).encode(),
        json.dumps({"messages": [{"msg": "hi", "handle": name}]}).encode(),
    ):
        assert names(read(data, AT)) == [name]


def test_19_two_characters_of_one_name() -> None:
    group = read(chat_bytes("sillytavern-group.jsonl"), AT)
    assert names(group) == ["Ada", "Ada (Ada1)", "Jon"]
    other_way = read(lines(said("x", "Ada", original_avatar="Ada1.png"), said("y", "Ada", original_avatar="Ada.png")), AT)
    assert names(other_way) == ["Ada (Ada1)", "Ada"], "who has the name as a picture has it bare, whoever speaks first"
    alone = read(lines(said("x", "Ada", original_avatar="Ada1.png"), said("y", "Ada")), AT)
    assert names(alone) == ["Ada", "Ada"]
    forced = "/thumbnail?type=avatar&file="
    old = read(lines(said("x", "Bo", force_avatar=forced + "Bo.png"), said("y", "Bo", force_avatar=forced + "B%20o.png")), AT)
    assert names(old) == ["Bo", "Bo (B o)"]
    users = read(
        lines(said("x", "Jon", force_avatar="User Avatars/1.png"), said("y", "Jon", force_avatar="User Avatars/2.png")), AT
    )
    assert names(users) == ["Jon", "Jon"], "one person may change the picture"


def test_30_branches_share_their_prints() -> None:
    trunk = [said(f"line {number}", send_date=1714651200 + number) for number in range(4)]
    one, two = read(lines(HEADER, *trunk), AT), read(lines(HEADER, *trunk[:2], said("else", send_date=1714651300)), AT)
    assert [line.text for line in one.messages[:2]] == [line.text for line in two.messages[:2]]
    assert [line.sent_at for line in one.messages[:2]] == [line.sent_at for line in two.messages[:2]]


def test_31_a_greeting_that_is_not_in_the_file_is_not_made_up() -> None:
    document = read(chat_bytes("risuai.json"), AT)
    assert document.messages[0].role is Role.USER
    assert document.messages[0].index == 0


def test_32_the_newest_first() -> None:
    document = read(chat_bytes("character-ai-turns.json"), AT)
    assert texts(document) == ["The cat is back.", "Which cat?", "A grey one, with a white paw."]
    times = [line.sent_at for line in document.messages]
    assert times == sorted(times, key=lambda when: when or AT)
    turns = json.loads(chat_bytes("character-ai-turns.json"))
    for turn in turns["turns"]:
        del turn["create_time"]
    assert texts(read(json.dumps(turns).encode(), AT)) == texts(document), "without times the file runs backwards as ever"
    assert texts(read(json.dumps(json.loads(chat_bytes("character-ai-turns.json"))["turns"][::-1]).encode(), AT)) == texts(
        document
    )


def test_33_a_tree_with_abandoned_branches() -> None:
    document = read(chat_bytes("chatgpt.json"), AT)
    assert [line.text for line in document.conversations[0].messages] == ["Name my boat.", "Call it Swallow.", "Swallow it is."]
    tree = json.loads(chat_bytes("chatgpt.json"))[0]
    tree["current_node"] = "gone"
    assert texts(read(json.dumps(tree).encode(), AT)) == ["Name my boat.", "Call it Swallow.", "Swallow it is."]
    tree["mapping"]["a"]["parent"] = "e"
    assert len(read(json.dumps(tree).encode(), AT).conversations[0].messages) == 3, "a circle ends"


@pytest.mark.parametrize("file", ["sillytavern.jsonl", "sharegpt.jsonl", "qq.json", "risuai.json", "agnai.json"])
def test_34_a_last_line_that_was_cut_off(file: str) -> None:
    data = chat_bytes(file).rstrip()
    whole, cut = read(data, AT), read(data[:-40], AT)
    assert 0 < len(all_lines(cut)) <= len(all_lines(whole))
    assert [problem.skipped for problem in cut.problems] == [True]


def test_36_flags_in_both_spellings() -> None:
    document = read(lines({"name": "Jon", "isUser": True, "mes": "a", "sendDate": 1714651200}, said("b")), AT)
    assert [line.role for line in document.messages] == [Role.USER, Role.CHARACTER]
    assert document.messages[0].sent_at is not None


# Of single programs.


def history(*messages: Any, **more: Any) -> bytes:
    return json.dumps({"histories": [{"external_id": "h", "msgs": list(messages)}], **more}, indent=1).encode()


def test_rejected_answers_of_a_history_of_character_ai_are_nowhere() -> None:
    mira, jon = {"name": "Mira", "is_human": False}, {"name": "Jon", "is_human": True}
    document = read(
        history(
            {"text": "Who is there?", "src": mira, "is_alternative": False},
            {"text": "Me.", "src": jon},
            {"text": NEVER, "src": mira, "is_alternative": True},
            {"text": NEVER, "src__name": "Mira", "src__is_human": False, "is_alternative": True},
            {"text": "Come in.", "src": mira, "is_alternative": None},
        ),
        AT,
    )
    said = [(line.index, line.speaker, line.text, line.line) for line in all_lines(document)]
    assert said == [(0, "Mira", "Who is there?", 6), (1, "Jon", "Me.", 14), (2, "Mira", "Come in.", 35)]
    assert (document.read, document.problems) == (3, ())
    only = read(history({"text": "Me.", "src": jon}, {"text": NEVER, "src": mira, "is_alternative": True}), AT)
    assert texts(only) == ["Me."]


def test_sources_of_character_ai_as_members_of_the_message() -> None:
    document = read(
        history(
            {"text": "a", "src__name": "Mira", "src__is_human": False, "src__user__username": "mira"},
            {"text": "b", "src__is_human": True, "src__user__username": "jon"},
            {"text": "c", "src__user__username": "nobody"},
        ),
        AT,
    )
    assert [(line.speaker, line.role, line.text) for line in all_lines(document)] == [
        ("Mira", Role.CHARACTER, "a"),
        ("jon", Role.USER, "b"),
    ]
    assert [problem.skipped for problem in document.problems] == [True]


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (["", "hi"], [("Character", "hi")]),
        (["<|BEGIN-VISIBLE-CHAT|>", "hi"], [("Character", "hi")]),
        (["a &lt; b", "c &gt; d"], [("User", "a < b"), ("Character", "c > d")]),
    ],
)
def test_ooba_pairs(pair: list[str], expected: list[tuple[str, str]]) -> None:
    document = read(json.dumps({"data": [], "data_visible": [pair]}).encode(), AT)
    assert [(line.speaker, line.text) for line in document.messages] == expected


def test_a_chat_that_is_an_exported_page() -> None:
    data = json.dumps({"type": "risuChat", "ver": 2, "data": {"message": [{"role": "char", "data": "Since dusk."}]}})
    page = f'<!DOCTYPE html>\n<html><body>\n<div class="idat">{data}</div></body></html>'
    document = read(page.encode(), AT)
    assert [(line.text, line.line) for line in document.messages] == [("Since dusk.", 3)]


@pytest.mark.parametrize("last", range(4))
def test_what_a_risuai_chat_hides_with_all_before_is_hidden(last: int) -> None:
    message: list[dict[str, Any]] = [{"role": "char", "data": f"{number}"} for number in range(4)]
    message[last]["disabled"] = "allBefore"
    message[0]["data"] = None
    document = read(json.dumps({"type": "risuChat", "ver": 2, "data": {"message": message}}).encode(), AT)
    assert [line.hidden for line in document.messages] == [number <= last for number in range(1, 4)]


def test_titles_of_conversations_are_told_apart() -> None:
    def conversation(title: Any, **more: Any) -> dict[str, Any]:
        message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["hi"]}}
        return {"title": title, "mapping": {"a": {"message": message, "parent": None}}, **more}

    three = [conversation("x", id="11111111-1"), conversation("x", id="22222222-2"), conversation(None), conversation("y\n" * 99)]
    document = read(json.dumps(three).encode(), AT)
    assert [name for name, _ in document.parts] == ["x 11111111", "x 22222222", "untitled", ("y " * 99)[:80]]
    same = [
        conversation(title, id=ident) for title, ident in (("x 1", "1"), ("x", "1"), ("x", "1"), ("x 1", "1"), ("x 1 1", "1"))
    ]
    assert len({name for name, _ in read(json.dumps(same).encode(), AT).parts}) == 5


@pytest.mark.parametrize(
    ("header", "name", "number"),
    [
        ("2023-05-01 9:20:31 小林", "小林", None),
        ("2023-05-01 9:20:31 【群主】小林(1001001)", "小林", "1001001"),
        ("2023-05-01 09:20:31 小林<lin@example.org>", "小林", "lin@example.org"),
        ("2023-05-01 09:20:31 【活跃】【猫】(1001001)", "【猫】", "1001001"),
        ("2023-05-01 09:20:31 小林(在线)(1001001)", "小林(在线)", "1001001"),
    ],
)
def test_headers_of_qq(header: str, name: str, number: str | None) -> None:
    document = read(f"消息对象:渡口\n\n{header}\n好\n\n2023-05-01 10:00:00 {name}(1009999)\n不好\n".encode(), AT)
    first, second = document.messages
    assert first.speaker == name
    assert second.speaker == (f"{name} (1009999)" if number else name)


def test_text_of_wechat_has_the_name_on_either_side_of_the_time() -> None:
    time, other = "2024-03-12 10:15:03", "2024-03-12 10:16:03"
    first = read(f"{time} 小林\n灯塔修好了吗？\n\n{other} 阿渡\n修好了。小林 {time}\n".encode(), AT)
    after = read(f"小林 {time}\n灯塔修好了吗？\n\n阿渡 {other}\n修好了。\n{time} 小林\n".encode(), AT)
    assert first.format == after.format == "qq-text"
    assert names(first) == names(after) == ["小林", "阿渡"]
    assert [line.sent_at for line in all_lines(first)] == [line.sent_at for line in all_lines(after)]


BY_DAYS = """{0}


小敏  10:02

明天几点见？
到时 9:30 好吗

车站  9:40 开车

阿岚  下午 3:05

2025年6月2日

{1}

小敏  08:15

[图片]
"""


@pytest.mark.parametrize("format", [None, "qq-text"])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("—————  2025-06-01  —————", "—————  2025-06-03  —————"),
        ("————— 2025年6月1日 星期日 —————", "————— 2025年6月3日 —————"),
        ("2025年6月1日", "2025年6月3日"),
        ("微信聊天记录\n\n2025/6/1", "2025/6/3"),
    ],
)
def test_wechat_by_mail_has_the_day_above_and_the_time_beside_the_name(first: str, second: str, format: str | None) -> None:
    document = read(BY_DAYS.replace("车站  9", "车站 9").format(first, second).encode(), AT, format)
    told = all_lines(document)
    assert document.format == "qq-text" and [line.speaker for line in told] == ["小敏", "阿岚", "小敏"]
    assert [line.text for line in told] == ["明天几点见？\n到时 9:30 好吗\n\n车站 9:40 开车", "2025年6月2日", "[图片]"]
    assert [f"{line.sent_at:%m-%d %H:%M}" for line in told if line.sent_at] == ["06-01 10:02", "06-01 15:05", "06-03 08:15"]
    assert [line.hidden for line in told] == [False, False, True] and not document.problems


def test_no_header_where_no_day_stands_above() -> None:
    for text in ("小敏  10:02\n\n好\n", "2025年6月1日\n\n今天出门。\n\n小敏  10:02\n\n好\n", "a  10:02\n2025-06-01\nb\n"):
        with pytest.raises(FormatError):
            read(text.encode(), AT)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
@pytest.mark.parametrize("file", ["qq.txt", "script.txt", "qq.json"])
def test_chats_in_encodings_of_their_programs(file: str, encoding: str) -> None:
    data = chat_bytes(file).decode().encode(encoding)
    assert [(line.speaker, line.text) for line in all_lines(read(data, AT))] == [
        (line.speaker, line.text) for line in all_lines(read(chat_bytes(file), AT))
    ]


def test_a_character_the_file_does_not_name_is_told_from_one_it_names() -> None:
    assert [line.named for line in all_lines(read(chat_bytes("ooba.json"), AT))] == [False, False, False]
    assert {line.named for line in all_lines(read(chat_bytes("openai.json"), AT))} == {True}
    assert {line.named for line in all_lines(read(chat_bytes("kobold.json"), AT))} == {True}


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"mapping": {}}', b'[{"conversations": []}]', b'{"messages": []}'])
@pytest.mark.parametrize("name", sorted(set(FORMAT_OF.values()) - {"openai"}))
def test_what_holds_no_message_is_refused(data: bytes, name: str) -> None:
    with pytest.raises(FormatError):
        read(data, AT, name)
