"""Bytes → text: encodings, damage, and the line numbers everything else relies on."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.ingest.encodings import decode, decode_json, head, line_at, recoded
from soulmem.ingest.json_places import BrokenJSONError, Cursor, parse

TEXT = "第一行 hello\r\nsecond 行\u200b零宽\n\u2028third"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "gb18030"])
def test_the_same_text_from_every_encoding(encoding: str) -> None:
    assert decode(TEXT.encode(encoding)).text == TEXT
    assert head(TEXT.encode(encoding)) == TEXT


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_known_by_its_nuls(encoding: str) -> None:
    assert decode('[{"id": "甲"}]'.encode(encoding)).text == '[{"id": "甲"}]'


def test_gb18030_is_said_and_utf8_is_not() -> None:
    assert "GB18030" in decode("胡桃：今天天气真好".encode("gb18030")).problems[0].what
    assert decode("胡桃：今天天气真好".encode()).problems == ()


def test_a_file_cut_in_the_middle_of_a_character() -> None:
    whole = "胡桃：今天天气真好\n钟离：嗯"
    decoded = decode(whole.encode()[:-1])
    assert decoded.text == whole[:-1] + "\ufffd"
    assert [(problem.line, problem.skipped) for problem in decoded.problems] == [(2, False)]
    assert decode(whole.encode("gb18030")[:-1]).text == whole[:-1]


def test_one_damaged_byte_does_not_turn_a_utf8_file_into_another_encoding() -> None:
    data = bytearray("很长的一段中文，里面只有一个字节坏了。\n第二行也是中文，没有坏。".encode())
    data[4] = 0xFF
    decoded = decode(bytes(data))
    assert "第二行也是中文，没有坏。" in decoded.text
    assert [problem.line for problem in decoded.problems] == [1]


@pytest.mark.parametrize("stray", [b"\xf0\x9f\x98", b"\x9f\x98\x80", b"\xe9", b"\xff"])
@pytest.mark.parametrize("lines", [1, 200])
def test_a_stray_byte_leaves_english_as_it_is(stray: bytes, lines: int) -> None:
    text = b"Ada: Hello there.\n" * lines
    data = text + b"Bo: It" + stray + b"s late, don't you think?\n" + text
    decoded = decode(data)
    assert decoded.text.startswith(text.decode() + "Bo: It\ufffd") and decoded.text.endswith(
        "s late, don't you think?\n" + text.decode()
    )
    assert [(one.line, one.skipped) for one in decoded.problems] == [(lines + 1, False)]
    assert head(data)[:1000] == decoded.text[: len(head(data)[:1000])]


@pytest.mark.parametrize("text", ["胡桃：今天天气真好", "Ada: Hello.\n" * 100 + "Bo: 你好\n", "钟离：" + "“嗯……”\n" * 20])
def test_chinese_of_other_encodings_is_read_as_it_is(text: str) -> None:
    assert decode(text.encode("gb18030")).text == text


def test_neither_is_refused_with_the_line_of_the_first_bad_byte() -> None:
    with pytest.raises(FormatError) as caught:
        decode(b"fine\nna\xefve \xe9 \xff\xff \x81\n")
    assert caught.value.place == "line 2"
    assert "0xef" in caught.value.what


def test_nuls_are_removed_and_reported() -> None:
    decoded = decode(b"one\ntw\0o\n\0\0\0")
    assert decoded.text == "one\ntwo\n"
    assert [(problem.line, problem.skipped) for problem in decoded.problems] == [(2, False)]


def test_replacement_characters_that_were_there_before_are_no_damage() -> None:
    assert decode("was \ufffd already".encode()).problems == ()


@pytest.mark.parametrize(
    ("escaped", "value", "problems"),
    [
        (r'"\ud83d\ude00"', "😀", 0),
        (r'"\ud83d"', "\ufffd", 1),
        (r'"\ude00\ud83d"', "\ufffd\ufffd", 1),
        (r'"\\ud83d"', "\\ud83d", 0),
        (r'"\\\ud83d"', "\\\ufffd", 1),
        (r'"a\u0000b"', "ab", 1),
        (r'"\\u0000"', "\\u0000", 0),
        (r'"\uD83D\uDE00\udc00"', "😀\ufffd", 1),
    ],
)
def test_escapes_that_no_text_can_hold(escaped: str, value: str, problems: int) -> None:
    decoded = decode_json(("\n" + escaped).encode())
    assert json.loads(decoded.text) == value
    assert [problem.line for problem in decoded.problems] == [2] * problems


@given(st.lists(st.one_of(st.text(st.characters(codec=None)), st.integers())))
@settings(deadline=None, max_examples=150)
def test_decoded_json_never_holds_surrogates_or_nuls(values: list[object]) -> None:
    decoded = decode_json(json.dumps(values).encode())
    for value, was in zip(json.loads(decoded.text), values, strict=True):
        if isinstance(was, str):
            paired = was.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
            assert value == re.sub("[\ud800-\udfff]", "\ufffd", paired).replace("\0", "")
        else:
            assert value == was


@given(st.text("ab\n\r\x0b\u2028", max_size=60), st.data())
@settings(deadline=None, max_examples=100)
def test_lines_end_at_newlines_only(text: str, data: st.DataObject) -> None:
    offsets = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    cursor = Cursor(text)
    for offset in offsets:
        expected = len(text[:offset].split("\n"))
        assert cursor.line_at(offset) == line_at(text, offset) == expected
        cursor.offset = offset
        assert cursor.line() == expected


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.lists(json_values, max_size=5), st.sampled_from([None, 1, "\t"]))
@settings(deadline=None, max_examples=80)
def test_the_cursor_reads_what_json_reads(values: list[object], indent: int | str | None) -> None:
    text = json.dumps(values, indent=indent, ensure_ascii=False)
    cursor, found = Cursor(text), []
    for line in cursor.elements():
        assert line == line_at(text, cursor.offset)
        found.append(_walked(cursor))
    assert found == values
    assert cursor.peek() == ""


def _walked(cursor: Cursor) -> object:
    if cursor.peek() == "{":
        return {name: _walked(cursor) for name in cursor.members()}
    if cursor.peek() == "[":
        return [_walked(cursor) for _ in cursor.elements()]
    return cursor.value()


@pytest.mark.parametrize("text", ["", "{", "[1", "[1 2]", '{"a" 1}', "{1: 2}", "[1}", '"open', "[" * 10_000, "nul", "[1]]"])
def test_the_cursor_says_where_it_breaks(text: str) -> None:
    with pytest.raises(BrokenJSONError) as caught:
        parse(text)
    assert 0 <= caught.value.offset <= len(text)


# Encodings of older programs: fresh words, of which each line alone tells its encoding.

OLD = {
    "gb18030": "老周：晚饭吃什么？\n阿梅：我想喝鱼汤，再炒一个青菜。\n老周：好，我去买。\n",
    "big5": "老周：晚飯吃什麼？\n阿梅：我想喝魚湯，再炒一個青菜。\n老周：好，我去買。\n",
    "shift_jis": "ケン：夕飯は何にする？\nユイ：魚のスープが飲みたい。野菜も炒めよう。\nケン：じゃあ、買ってくるよ。\n",
    "euc_jp": "ケン：夕飯は何にする？\nユイ：魚のスープが飲みたい。野菜も炒めよう。\nケン：じゃあ、買ってくるよ。\n",
    "euc_kr": "민수: 저녁에 뭐 먹을까?\n지연: 생선국이 먹고 싶어. 나물도 볶자.\n민수: 그럼 내가 사 올게.\n",
    "windows-1251": "Олег: Что будем есть на ужин?\nВера: Хочу ухи и немного овощей.\nОлег: Тогда я схожу в магазин.\n",
    "koi8-r": "Олег: Что будем есть на ужин?\nВера: Хочу ухи и немного овощей.\nОлег: Тогда я схожу в магазин.\n",
    "windows-1252": "Léa: Qu’est-ce qu’on mange ce soir ?\nÉloi: J’ai envie d’une soupe, très chaude.\nLéa: Ça marche.\n",
    "latin-1": "Günther: Was essen wir heute?\nBärbel: Ich möchte Fischsuppe, und danach grünen Salat.\nGünther: Schön.\n",
}


def as_json_lines(text: str) -> str:
    parts = [re.split("[：:] ?", line, maxsplit=1) for line in text.splitlines()]
    return "\n".join(json.dumps({"name": name, "is_user": False, "mes": said}, ensure_ascii=False) for name, said in parts)


@pytest.mark.parametrize("encoding", OLD)
@pytest.mark.parametrize("shape", ["all", "one line", "json", "json of one line", "cut"])
def test_old_encodings_are_told_apart(encoding: str, shape: str) -> None:
    text = OLD[encoding]
    texts = {
        "all": text,
        "one line": text.split("\n")[1],
        "json": as_json_lines(text),
        "json of one line": json.dumps([text, text]),
    }
    whole = texts.get(shape, text.rstrip())
    data = whole.encode(encoding)
    if shape == "cut":
        data, whole = data[:-1], whole[:-1]
    decoded = decode(data)
    assert decoded.text.startswith(whole)
    assert head(data).startswith(whole)
    if not data.isascii():
        assert "not UTF-8" in decoded.problems[0].what and "--encoding" in decoded.problems[0].what


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["gb18030", "shift_jis", "koi8-r", "windows-1252"])
def test_utf16_without_a_mark_is_known_whatever_it_begins_with(encoding: str, name: str) -> None:
    assert decode(OLD[name].encode(encoding)).text == OLD[name]


def test_apostrophes_and_dashes_of_windows_are_no_damage() -> None:
    text = "Ada: It’s late – don’t you think?\nBo: “Late…”, you said.\n" + "Ada: Hello there.\n" * 200
    decoded = decode(text.encode("cp1252"))
    assert (decoded.text, [problem.line for problem in decoded.problems]) == (text, [None])
    assert decode(b"Bo: It\x92s late.\n").text == "Bo: It’s late.\n"


def test_a_damaged_byte_leaves_an_old_encoding_as_it_is() -> None:
    data = (OLD["big5"] * 5).encode("big5").replace("鱼湯".encode("gb18030"), b"")
    place = data.index("想喝".encode("big5"))
    decoded = decode(data[:place] + b"\xff" + data[place:])
    assert decoded.text.startswith("老周：晚飯吃什麼？\n阿梅：我")
    assert decoded.text.count("\ufffd") == 1
    assert [problem.line for problem in decoded.problems] == [None, 2]


@pytest.mark.parametrize("encoding", [*OLD, "utf-16-le", "iso2022_jp"])
def test_a_named_encoding_is_taken(encoding: str) -> None:
    text = OLD.get(encoding, OLD["shift_jis"])
    assert recoded(text.encode(encoding), encoding).decode() == text


def test_what_is_utf8_or_marked_stays_so_whatever_encoding_is_named() -> None:
    for data in (OLD["big5"].encode(), OLD["big5"].encode("utf-16"), b"\xef\xbb\xbfAda: hi"):
        assert recoded(data, "big5") == data


def test_a_wrong_name_of_an_encoding_is_refused_with_a_line() -> None:
    with pytest.raises(FormatError, match="no text in big5") as caught:
        recoded(b"fine\n\xff\xff", "big5")
    assert caught.value.place == "line 2"
    of_python = ("undefined", "idna", "punycode", "unicode_escape", "raw-unicode-escape", "mbcs", "oem")
    for name in ("klingon", "base64", "", "a\0b", *of_python, *map(str.upper, of_python)):
        with pytest.raises(FormatError, match="no encoding named"):
            recoded(b"x", name)


@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        text = decode(data).text
    except FormatError as error:
        text = str(error.advice)
    assert "\0" not in text
    assert text.encode("utf-8").decode() == text
