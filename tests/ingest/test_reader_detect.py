"""Which reader gets a file: by what is in it, never by its name."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from card_files import CARD, encoded, png, text_chunk, webp, zipped
from chat_files import FORMAT_OF, chat_bytes

from soulmem.errors import FormatError
from soulmem.ingest import FORMATS, detect, formats, read

AT = datetime(2026, 1, 1, tzinfo=UTC)
SEMANTIC = {"Semantic": {"content": "the moon"}}

SAMPLES = {
    "graph-json": [
        json.dumps([{"id": "a", "tags": [], "mem_type": SEMANTIC, "mem_links": []}]),
        json.dumps([{"mem_type": SEMANTIC, "id": "a"}], indent=4),
        json.dumps([{"id": "a", "tags": [], "mem_links": []}]),
        "[]",
        " [\n]\n",
        '[{"id": "a", "mem_type": {"Sem',
    ],
    "sillytavern": [
        '{"user_name":"You","character_name":"Ada","create_date":1674559900991}',
        '{"chat_metadata":{},"user_name":"unused","character_name":"unused"}\n{"name":"Ada","mes":"hi"}',
        '{"name":"Ada","is_user":false,"mes":"hi"}',
        '[{"name":"Ada","mes":"hi"}]',
        '[\n  {\n    "name": "Ada",\n    "mes": "\\"mem_type\\": {}"\n  }\n]',
        'broken {\n{"name":"Ada","mes":"hi"}',
        '{"name":"Ada","is_user":false,"swipes":["' + "x" * 70_000 + '"],"mes":"hi"}',
        '{"user_name":"You","character_names":["A","B"]}\n',
    ],
    "openai": [
        '[{"role":"user","content":"hi"}]',
        '{"messages":[{"role":"user","content":"hi"}]}',
        '{"messages":[{"role":"user","content":"hi"}]}\n{"messages":[{"role":"user","content":"ho"}]}',
        '{"role":"user","content":"hi"}\n{"role":"assistant","content":"ho"}',
        '{\n "model": "x",\n "messages": [\n  {"role": "user", "content": "hi"}\n ]\n}',
    ],
    "card-json": [
        '{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"Ada"}}',
        '{"data":{"name":"Ada","first_mes":"hi","description":"' + "x" * 70_000 + '"},"spec":"chara_card_v2"}',
        '{"name":"Ada","description":"","personality":"","scenario":"","first_mes":"hi","mes_example":""}',
        '{"char_name":"Ada","char_persona":"dry","char_greeting":"hi"}',
        '{"spec":"tavern_ai","name":"Ada"}',
        '{"kind":"character","name":"Ada","persona":{"kind":"text","attributes":{}},"greeting":"hi","sampleChat":""}',
    ],
    "card-yaml": [
        "name: Ada\ngreeting: Hello.\ncontext: A keeper.",
        "name: Ada\ncontext: |\n  Ada: dry\n  Bo: wet\ngreeting: hi\n",
    ],
    "lorebook": [
        '{"entries":{"0":{"key":["a"],"content":"b","role":null}}}',
        '{"name":"World","description":"' + "x" * 20_000 + '","entries":[{"keys":["a"],"content":"b","enabled":true}]}',
        '{"spec":"lorebook_v3","data":{"entries":[]}}',
        '{"lorebookVersion":5,"entries":[{"text":"a","keys":["b"]}]}',
        '{"kind":"memory","name":"x","entries":[{"name":"a","entry":"b","keywords":["c"]}]}',
        '{"type":"risu","ver":1,"data":[{"key":"a","content":"b"}]}',
    ],
    "interview": ['{"soulmem": "interview", "version": 1, "name": "Ada"}', '{\n  "soulmem": "interview",\n  "name": "Ada"\n}\n'],
    "personas": ['{"personas":{"1.png":"Kim"},"persona_descriptions":{"1.png":{"description":"x"}},"default_persona":"1.png"}'],
    "soulmem-messages": ['{"soulmem": "messages", "version": 1}\n{"chat": {}}'],
    "script": [
        "胡桃：「你好」\n钟离：嗯。",
        "Ada: Hello.\nBo: Hi!\nAda: How are you?",
        "[2024-05-01 10:20] Ada: Hello.\n[2024-05-01 10:21] Bo: Hi!",
        "（下楼）\n阿虚:「早」\n春日:「晚了」",
        "\n\nAda: Hello.\nand more\nBo: Hi!\nAda: Bye.",
    ],
}


for _file, _format in FORMAT_OF.items():
    SAMPLES.setdefault(_format, []).append(chat_bytes(_file).decode())


IMAGES = {
    "card-png": png(after=[text_chunk(b"chara", encoded(CARD))]),
    "card-webp": webp(b"ASCII\0\0\0" + json.dumps(CARD).encode()),
    "card-zip": zipped({"card.json": json.dumps(CARD).encode()}),
}


@pytest.mark.parametrize("name", IMAGES)
def test_images_and_zips_go_to_their_reader(name: str) -> None:
    assert detect(IMAGES[name]).name == name


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in SAMPLES.items() for text in texts])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_samples_go_to_their_reader(name: str, text: str, encoding: str) -> None:
    assert detect(text.encode(encoding)).name == name
    assert detect(text.replace("\n", "\r\n").encode(encoding)).name == name


def test_every_format_has_a_name_of_its_own_a_description_and_samples() -> None:
    names = [format_.name for format_ in FORMATS]
    assert len(set(names)) == len(names)
    assert set(names) == set(SAMPLES) | set(IMAGES)
    assert all(format_.description for format_ in FORMATS)


@pytest.mark.parametrize(
    ("data", "appearance"),
    [
        (b"", "empty file"),
        (b"\xef\xbb\xbf \n", "empty file"),
        (b"\x89PNG\r\n\x1a\n0000", "PNG"),
        (b"PK\x03\x04abc", "ZIP"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "binary"),
        (b'{"name":"x","description":"y","graph_path":"g","test_cases":[]}', "evaluation file"),
        (b'{"conversation":[{"role":"a","content":"b"}]}', "dialogue"),
        (b"[1,2,3]", "JSON"),
        (b'{"id":"1","name":"G","members":["a.png"],"activation_strategy":0,"chats":["x"]}', "a SillyTavern group"),
        (b"<html><body>hi</body></html>", "HTML"),
        (b"The night was dark.\nShe said: come in.\nNobody came, and the rain went on.", "plain text"),
        ("她推开门。\n他想：太晚了。\n雨还在下。".encode(), "plain text"),
        (b"title: A book\nauthor: Somebody\nyear: long ago\npublisher: none", "plain text"),
        (b"[" * 10_000, "JSON"),
    ],
)
def test_what_is_not_known_is_refused_in_words(data: bytes, appearance: str) -> None:
    with pytest.raises(FormatError) as caught:
        detect(data)
    assert appearance in caught.value.what
    assert caught.value.advice == "What can be read is listed by: soulmem ingest --help."


def test_what_is_not_known_is_told_from_what_is() -> None:
    assert formats.unrecognised(b'{"test_cases":[]}') == "an evaluation file, an object with test_cases"
    assert formats.unrecognised(b"") == "an empty file"
    for texts in SAMPLES.values():
        assert [formats.unrecognised(text.encode()) for text in texts] == [None] * len(texts)


def test_read_takes_the_format_by_name() -> None:
    assert read(b"Ada: hi", AT, "script").messages[0].speaker == "Ada"
    with pytest.raises(FormatError, match="no format named 'word'"):
        read(b"Ada: hi", AT, "word")


def test_files_beyond_the_limit_are_refused() -> None:
    class Huge(bytes):
        def __len__(self) -> int:
            return formats.MAX_FILE_BYTES + 1

    for attempt in (lambda: detect(Huge()), lambda: read(Huge(), AT), lambda: read(Huge(), AT, "script")):
        with pytest.raises(FormatError, match="more than the 500 MB"):
            attempt()
