"""Chats of people: tables, WhatsApp, Telegram, Discord; and Claude's, whose branches name what they answer."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from chat_files import chat_bytes
from hypothesis import given
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.ingest import Document, SaidLine, read
from soulmem.ingest.formats import detect
from soulmem.model.messages import Role

AT = datetime(2026, 1, 1, tzinfo=UTC)


def lines(document: Document) -> list[SaidLine]:
    return [line for _, part in document.parts for line in part.messages]


def said(document: Document) -> list[tuple[str, str]]:
    return [(line.speaker, line.text) for line in lines(document) if not line.hidden]


def whats(document: Document) -> str:
    return " ".join(problem.what for problem in document.problems)


# Tables.

CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r{<"), max_size=30).filter(str.strip)


@given(
    st.lists(st.tuples(st.sampled_from(["Mira", "Jon", 'Tor "the" 2nd']), CELLS), min_size=1, max_size=8), st.sampled_from(",;\t")
)
def test_a_table_is_read_as_it_was_written(rows: list[tuple[str, str]], separator: str) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\r\n").writerows([("Name", "Message"), *rows])
    data = ("\ufeff" + text.getvalue()).encode()
    found = read(data, AT)
    assert (found.format, said(found)) == ("csv", [(name, cell.strip()) for name, cell in rows])
    assert read(text.getvalue().encode(), AT, "csv") == found


def test_a_table_knows_the_lines_of_its_rows_and_what_is_wrong_with_them() -> None:
    data = b'sep=;\nSender;Content;Date\nMira;"one\ntwo";2024-05-02 12:00\n;;\nJon\nJon;three;never\n'
    found = read(data, AT)
    assert [(line.line, line.text) for line in lines(found)] == [(3, "one\ntwo"), (7, "three")]
    assert [(problem.line, problem.skipped) for problem in found.problems] == [(6, True), (7, False)]
    assert "only 1 cells" in whats(found) and '"never" is not a time' in whats(found)


def test_cells_beyond_the_columns_are_of_the_text_or_told() -> None:
    last = read(b'Name,Message\nMira,"Yes, of course, Jon"\nMira,Yes, of course, Jon\nJon,ho,,\n', AT)
    assert said(last) == [("Mira", "Yes, of course, Jon")] * 2 + [("Jon", "ho")] and not last.problems
    within = read(b"Name;Message;Date\nMira;hi;2024-05-02 12:00\nMira;one;two;2024-05-02 12:00\nJon;ho;;;\n", AT)
    assert said(within) == [("Mira", "hi"), ("Jon", "ho")]
    assert [(problem.line, problem.skipped) for problem in within.problems] == [(3, True)] and "4 cells in 3 columns" in whats(
        within
    )


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (("01.02.2024", "13.02.2024"), (2, 1)),
        (("1/2/2024", "1/13/2024"), (1, 2)),
        (("01.02.24", "02.02.24"), (2, 1)),
        (("2024/2/1", "2024/2/13"), (2, 1)),
        (("2024年2月1日", "2024年2月2日"), (2, 1)),
    ],
)
def test_a_day_without_an_hour_is_a_time(dates: tuple[str, str], expected: tuple[int, int]) -> None:
    found = read(b"Name;Message;Date\n" + "".join(f"Mira;hi;{date}\n" for date in dates).encode(), AT)
    first = lines(found)[0].sent_at
    assert first is not None and (first.year, first.month, first.day, first.hour) == (2024, *expected, 0)
    assert not any("is not a time" in problem.what for problem in found.problems)


def test_a_replika_backup_is_turned_round_and_its_line_ends_are_mended() -> None:
    found = read(chat_bytes("replika.csv"), AT)
    assert [(line.role, line.text) for line in lines(found)] == [
        (Role.CHARACTER, "Is there tea?"),
        (Role.USER, "No, but there is honey"),
        (Role.CHARACTER, 'Then I will bring "the good one".\nAnd a spoon.'),
    ]
    assert [line.named for line in lines(found)] == [False] * 3, "Rep is the character whose mind it goes into"
    head, *rows = chat_bytes("replika.csv").decode().splitlines(keepends=True)
    assert said(read("".join((head, *rows[::-1])).encode(), AT)) == said(found)


def test_roles_and_conversations_in_columns() -> None:
    data = b"session_id,role,content\n1,user,hi\n1,assistant,ho\n2,user,again\n1,system,rules\n"
    found = read(data, AT)
    assert [(name, len(part.messages)) for name, part in found.parts] == [("1", 3), ("2", 1)]
    assert [(line.role, line.hidden) for line in lines(found)][:3] == [
        (Role.USER, False),
        (Role.CHARACTER, False),
        (Role.SYSTEM, True),
    ]
    one = read("时间,昵称,内容\n2024/3/12 10:15,小林,灯塔修好了吗？\n2024/3/12 10:16,我,修好了。\n".encode("gb18030"), AT)
    assert said(one) == [("小林", "灯塔修好了吗？"), ("我", "修好了。")]
    assert (one.user_name, one.character_name) == ("我", "小林")


@pytest.mark.parametrize("data", [b"a,b,c\n1,2,3\n", b"name,age\nMira,3\n", b"text\nhi\n", b"", b"name,message\n"])
def test_other_tables_are_none(data: bytes) -> None:
    with pytest.raises(FormatError):
        read(data, AT, "csv")


def test_a_cell_that_is_too_long_or_never_closed_costs_itself() -> None:
    found = read(b"name,text\nMira,hi\nJon," + b"x" * 200_000 + b"\nMira,ho\n", AT)
    assert said(found) == [("Mira", "hi"), ("Mira", "ho")]
    assert [problem.line for problem in found.problems] == [3]


# WhatsApp.


def test_whatsapp_hides_what_nobody_said() -> None:
    found = read(chat_bytes("whatsapp.txt"), AT)
    assert said(found) == [
        ("Mira", "Is the ferry running?"),
        ("Jon Ambrose", "Not in this wind.\nAsk again: tomorrow."),
        ("Mira", "The sea now."),
    ]
    assert [line.sent_at for line in lines(found)][1] == datetime(2024, 2, 28, 22, 1, tzinfo=UTC)
    phone = read(chat_bytes("whatsapp-iphone.txt"), AT)
    assert said(phone) == [("Mira", "Good morning."), ("Jon", "That is the hedge.")]
    assert not found.problems and not phone.problems


@pytest.mark.parametrize(
    "line",
    [
        "12/03/2024, 10:15 - Mira: hi",
        "12/03/2024 10:15 - Mira: hi",
        "2024/3/12 上午10:15 - Mira: hi",
        "[2024-03-12, 10:15:03] Mira: hi",
        "[12/03/24, 10:15:03\u202fAM] Mira: hi",
        "12.03.24, 10:15 - Mira: hi",
        "12/3/2024, 10:15 a. m. - Mira: hi",
    ],
)
def test_whatsapp_of_many_countries(line: str) -> None:
    document = read(f"{line}\n{line.replace('12', '13', 1) if '/0' in line or '.0' in line else line}\n".encode(), AT)
    assert (document.format, said(document)) == ("whatsapp", [("Mira", "hi")] * 2)
    first = document.messages[0].sent_at
    assert first is not None
    assert (first.month, first.day, first.hour) in {(3, 12, 10), (12, 3, 10)}


def whatsapp(*texts: str) -> Document:
    return read("".join(f"13/03/2024, 10:{minute} - Mira: {text}\n" for minute, text in enumerate(texts, start=10)).encode(), AT)


IN_PLACE_OF_WORDS = [
    *("This message was deleted", "This message was deleted by admin Jon", "Missed voice call", "Missed group video call"),
    *("Waiting for this message", "Waiting for this message. This may take a while.", "Kai Ambrose.vcf (file attached)", "null"),
    *("Diese Nachricht wurde gelöscht.", "Diese Nachricht wurde von Admin Jon gelöscht.", "Verpasster Sprachanruf"),
    *("2024 Plan.pdf (Datei angehängt)", "Se eliminó este mensaje.", "Eliminaste este mensaje", "Videollamada perdida"),
    *("Esperando este mensaje", "menú.pdf (archivo adjunto)", "Mensagem apagada", "Esta mensagem foi apagada pelo admin Jon"),
    *(
        "Chamada de voz perdida",
        "a.pdf (arquivo anexado)",
        "Ce message a été supprimé",
        "Ce message a été supprimé par l’admin Jon",
    ),
    *("Appel vocal manqué", "a.pdf (fichier joint)", "Questo messaggio è stato eliminato", "Chiamata vocale persa"),
    *("Dit bericht is verwijderd", "Gemiste spraakoproep", "Данное сообщение удалено", "Пропущенный аудиозвонок"),
    *("план.pdf (файл добавлен)", "Bu mesaj silindi", "Cevapsız sesli arama", "Pesan ini telah dihapus"),
    *("Panggilan suara tak terjawab", "このメッセージは削除されました", "不在着信", "삭제된 메시지입니다。", "부재중 음성 통화"),
    *("यह संदेश हटा दिया गया था", "मिस्ड वॉइस कॉल", "此消息已删除", "未接语音通话", "此訊息已刪除"),
]
WORDS = [
    *("This message was deleted by my sister", "Missed voice call from you, sorry", "Waiting for this message all day."),
    *(
        "see plan.pdf (the old one)",
        "Mensagem apagada por engano",
        "未接语音通话是你打的吗",
        "<3",
        "Llamada perdida de ayer, perdona",
    ),
]
EDITED = [
    *("This message was edited", "Se editó este mensaje.", "Diese Nachricht wurde bearbeitet.", "Mensagem editada", "已编辑"),
    *("Ce message a été modifié", "Questo messaggio è stato modificato", "Dit bericht is bewerkt", "Сообщение изменено"),
]


def test_whatsapp_says_in_many_languages_that_nobody_said_a_word() -> None:
    assert said(whatsapp(*IN_PLACE_OF_WORDS[:40], "end")) == [("Mira", "end")]
    assert said(whatsapp(*IN_PLACE_OF_WORDS[40:], "end")) == [("Mira", "end")]
    assert said(whatsapp(*WORDS)) == [("Mira", text) for text in WORDS]


def test_whatsapp_marks_what_was_edited_and_sent_with_a_file() -> None:
    assert said(whatsapp(*(f"I live here <{mark}>" for mark in EDITED))) == [("Mira", "I live here")] * len(EDITED)
    assert said(whatsapp("menú 3.pdf (archivo adjunto)\nLook: a menu.", "I like <tea>")) == [
        ("Mira", "Look: a menu."),
        ("Mira", "I like <tea>"),
    ]


@pytest.mark.parametrize("unit", ["a.b (", "missed ", "this message was deleted by admin ", "<edited", ".a", "admin "])
def test_long_lines_of_whatsapp_cost_no_more_than_their_length(unit: str) -> None:
    assert len(said(whatsapp(unit * 20_000 + "x"))) == 1


@pytest.mark.parametrize(
    "text", ["Mira: hi\nJon: ho\n", "2024-03-12 10:15:03 小林\n好\n", "[2024-03-12 10:15] Ada: hi\n[2024-03-12 10:16] Bo: no\n"]
)
def test_what_is_another_kind_of_script_is_not_whatsapp(text: str) -> None:
    assert detect(text.encode()).name in ("script", "qq-text")
    assert said(read(text.encode(), AT))


# Telegram and Discord.


def test_telegram_knows_the_sides_of_a_chat_of_two() -> None:
    found = read(chat_bytes("telegram.json"), AT)
    assert [(line.role, line.text) for line in lines(found) if not line.hidden] == [
        (Role.CHARACTER, "Look at this."),
        (Role.USER, "A heron!"),
    ]
    group = read(chat_bytes("telegram-all.json"), AT).conversations[1]
    assert [(line.speaker, line.role) for line in group.messages] == [("Jon", Role.USER), ("Jon (user7)", Role.USER)]


def test_discord_bots_are_characters() -> None:
    value: Any = json.loads(chat_bytes("discord.json"))
    for message in value["messages"]:
        message["author"]["isBot"] = message["author"]["name"] == "mira"
    found = read(json.dumps(value).encode(), AT)
    assert [(line.role, line.text) for line in lines(found) if not line.hidden] == [
        (Role.CHARACTER, "The kettle is on."),
        (Role.USER, "Coming."),
    ]
    assert (found.user_name, found.character_name) == ("Jon", "Mira")


def telegram(*messages: dict[str, Any]) -> bytes:
    about = {"type": "message", "date_unixtime": "1710238503"}
    told = [{"id": number, **about, **message} for number, message in enumerate(messages, start=1)]
    return json.dumps({"name": "Mira", "type": "personal_chat", "id": 1, "messages": told}).encode()


def discord(*messages: dict[str, Any]) -> bytes:
    author = {"id": "1", "name": "jon", "nickname": "Jon", "isBot": False}
    told = [{"id": str(number), "type": "Default", "author": author, **message} for number, message in enumerate(messages)]
    return json.dumps({"guild": {}, "channel": {}, "messages": told}).encode()


def qq(*contents: dict[str, Any]) -> bytes:
    told = [{"id": "1", "timestamp": 1714651260000, "sender": {"uin": "7", "name": "Jon"}, "content": one} for one in contents]
    return json.dumps({"chatInfo": {"name": "x"}, "messages": told}).encode()


@pytest.mark.parametrize(
    ("data", "speaker"),
    [
        (
            telegram(
                {"from": "Jon", "from_id": "user1", "text": "Hi."}, {"from": "Jon", "forwarded_from": "Olaf", "text": "I sail."}
            ),
            "Olaf",
        ),
        (
            telegram(
                {"from": "Jon", "from_id": "user1", "text": "Hi."}, {"from": "Jon", "forwarded_from": None, "text": "I sail."}
            ),
            "System",
        ),
        (discord({"content": "Hi."}, {"content": "", "forwardedMessage": {"content": "I sail."}}), "System"),
        (discord({"content": "Hi."}, {"content": "", "messageSnapshots": [{"message": {"content": "I sail."}}]}), "System"),
        (qq({"text": "Hi."}, {"text": "I sail.", "elements": [{"type": "forward", "data": {}}]}), "System"),
    ],
)
def test_what_is_forwarded_is_not_said_by_who_forwards_it(data: bytes, speaker: str) -> None:
    found = read(data, AT)
    assert said(found) == [("Jon", "Hi.")] and not found.problems
    assert [(line.speaker, line.text) for line in lines(found) if line.hidden] == [(speaker, "I sail.")]


@pytest.mark.parametrize("mark", ["[合并转发: 3条]", "[合并转发]", "[转发消息: 群聊的聊天记录]", "[聊天记录]"])
def test_merged_messages_of_qq_are_known_by_their_mark(mark: str) -> None:
    found = read(qq({"text": f"{mark}\n张三: 我对花生过敏"}, {"text": f"看 {mark}"}), AT)
    assert said(found) == [("Jon", f"看 {mark}")]


HELLO = "2024-03-12 10:15:03 林远\n你好。\n\n"
NOT_SAID = [
    "[图片]",
    "[图片: 1A2B.jpg]",
    "[图片][图片]",
    "[图片]\n[图片]",
    "[语音] 12秒",
    "[语音: 5秒]",
    '[语音]12"',
    "[文件: 报告.pdf]",
    "[文件: 报告[1].pdf]",
    "[文件] 报告 终稿.pdf",
    "[表情: 微笑]",
    "[视频]",
    "[视频: a.mp4] 0:12",
    "[动画表情]",
    "[位置]",
    "[Photo]",
    '"沈知微"撤回了一条消息',
    "“沈知微” 撤回了一条消息",
    "你撤回了一条消息",
    "沈知微 撤回了一条消息",
    "你撤回了一条消息 重新编辑",
    "林远撤回了一条消息",
    "此消息已被撤回",
    '"沈知微"邀请"阿渡"加入了群聊',
]
WORDS = [
    "[图片] 看这个",
    "看[图片]",
    "[图片]\n好看吗？",
    "我刚才撤回了一条消息。",
    "[微笑]",
    "[未完] 12秒",
    "我拍了拍他的肩",
    "12秒",
]


@pytest.mark.parametrize(("text", "hidden"), [*((text, True) for text in NOT_SAID), *((text, False) for text in WORDS)])
def test_what_qq_and_wechat_write_in_place_of_words_is_hidden(text: str, hidden: bool) -> None:
    told = read(f"{HELLO}2024-03-12 10:16:03 林远\n{text}\n".encode(), AT)
    assert [(line.text, line.hidden) for line in lines(told)] == [("你好。", False), (text, hidden)]
    (line,) = lines(read(qq({"text": text}).replace(b"Jon", "林远".encode()), AT))
    assert (line.text, line.hidden) == (text, hidden)


@pytest.mark.parametrize(
    ("kind", "text", "hidden"),
    [
        ("image", "1A2B.jpg", True),
        ("audio", "12秒", True),
        ("file", "[文件: 报告.pdf] (1.2 MB)", True),
        ("image", "[图片: 1A2B.jpg] 看这个", False),
        ("text", "1A2B.jpg", False),
    ],
)
def test_a_message_of_qq_that_is_a_picture_is_hidden_unless_it_has_words(kind: str, text: str, hidden: bool) -> None:
    told = json.loads(qq({"text": text}))
    told["messages"][0]["type"] = kind
    (line,) = lines(read(json.dumps(told).encode(), AT))
    assert (line.text, line.hidden) == (text, hidden)


def test_a_notice_of_wechat_behind_what_was_said_is_no_part_of_it() -> None:
    found = read(f"{HELLO}“沈知微”撤回了一条消息\n\n2024-03-12 10:16:03 沈知微\n你好。\n".encode(), AT)
    assert said(found) == [("林远", "你好。"), ("沈知微", "你好。")]
    assert [line.text for line in lines(found) if line.hidden] == ["“沈知微”撤回了一条消息"]


@pytest.mark.parametrize("rule", ["- - - - - - - - - - - - - - -", "-----", "————————"])
@pytest.mark.parametrize("quoted", ["「林远: 我在银行上班，我对花生过敏。」", "「林远：她说「好」\n我对花生过敏」"])
def test_what_a_reply_of_wechat_quotes_is_not_said_again(rule: str, quoted: str) -> None:
    found = read(f"{HELLO}2024-03-12 10:16:03 沈知微\n{quoted}\n{rule}\n知道了，\n记下了。\n".encode(), AT)
    assert said(found) == [("林远", "你好。"), ("沈知微", "知道了，\n记下了。")]
    kept = read(f"{HELLO}2024-03-12 10:16:03 沈知微\n{quoted}\n知道了\n".encode(), AT)
    assert said(kept)[1] == ("沈知微", f"{quoted}\n知道了")


# Claude.


def test_claude_gives_the_branch_that_was_followed() -> None:
    found = read(chat_bytes("claude.json"), AT)
    assert [line.text for line in found.conversations[0].messages] == ["Name my boat.", "Call it Swallow.", "Swallow it is."]
    assert 'files that were attached are not read: ["plan.txt"]' in whats(found)
    value: Any = json.loads(chat_bytes("claude.json"))
    value[0]["current_leaf_message_uuid"] = "m2"
    assert [line.text for line in read(json.dumps(value).encode(), AT).conversations[0].messages] == ["Name my boat.", "NEVER"]
    for message in value[0]["chat_messages"]:
        del message["parent_message_uuid"]
        message.pop("content", None)
    assert len(read(json.dumps(value).encode(), AT).conversations[0].messages) == 4


# ChatGPT, as it is now.


def chatgpt(*messages: tuple[str, dict[str, Any], dict[str, Any]]) -> Document:
    nodes = {
        str(number): {
            "parent": str(number - 1) if number else None,
            "message": {"author": {"role": role}, "content": content, **more},
        }
        for number, (role, content, more) in enumerate(messages)
    }
    return read(json.dumps([{"title": "t", "mapping": nodes, "current_node": str(len(messages) - 1)}]).encode(), AT)


def test_chatgpt_spoken_and_shown() -> None:
    spoken = {
        "content_type": "multimodal_text",
        "parts": [{"content_type": "audio_transcription", "text": "Can you hear me?"}, {"content_type": "audio_asset_pointer"}],
    }
    cited = {"content_type": "text", "parts": ["Yes \ue200cite\ue202turn0search1\ue201, clearly【12†source】."]}
    canvas = {"content_type": "code", "text": '{"name": "poem"}'}
    about = {"content_type": "user_editable_context", "user_profile": "NEVER", "user_instructions": "NEVER"}
    found = chatgpt(
        ("user", about, {"metadata": {"is_visually_hidden_from_conversation": True}}),
        ("user", spoken, {}),
        ("assistant", canvas, {"recipient": "canmore.create_textdoc"}),
        ("assistant", {"content_type": "thoughts", "thoughts": [{"content": "NEVER"}]}, {}),
        ("assistant", cited, {}),
    )
    assert said(found) == [("user", "Can you hear me?"), ("assistant", "Yes , clearly.")]
    assert "NEVER" not in repr(lines(found))


# Names that stand above what was said.


def test_kinlog_says_the_same_in_its_three_forms() -> None:
    text, page, value = (read(chat_bytes(f"kinlog.{ending}"), AT) for ending in ("txt", "html", "json"))
    assert said(text) == said(page) == said(value)
    assert said(text)[0] == ("Mira", "*waves* Tea & toast?")
    assert said(text)[2] == ("Mira", "There is jam.\n\nAnd honey.")


@pytest.mark.parametrize(
    "text",
    [
        "Roses\nare red\n\nViolets\nare blue\n\nSugar\nis sweet\n",
        "Chorus\nla la\n\nVerse 1\nlo lo\n\nChorus\nla la\n\nVerse 2\nlu lu\n",
        "A title\n\nOne paragraph.\n\nAnother one,\nof two lines.\n",
        "on('a', () => {\n  x\n\nat('b', () => {\n  y\n\non('a', () => {\n  x\n\nat('b', () => {\n  z\n",
    ],
)
def test_prose_and_songs_have_no_speakers(text: str) -> None:
    with pytest.raises(FormatError):
        detect(text.encode())


def test_gemini_answers_are_words_and_lines() -> None:
    assert said(read(chat_bytes("gemini.json"), AT)) == [
        ("user", "Name my boat."),
        ("assistant", "Two names:\n\n- Swallow\n- Heron"),
        ("user", "And a shorter one?"),
        ("assistant", "Tern & co."),
    ]
