"""A file that is gone through piece by piece reads as one that is held, whatever is in it; and little of it is held."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from chat_files import FORMAT_OF, chat_bytes
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.ingest import Document, detect, mapped, read
from soulmem.ingest.chat_lines import items
from soulmem.ingest.encodings import HEAD_BYTES, Decoded, Text, decode, decode_json
from soulmem.ingest.json_places import BEHIND, BrokenJSONError, Cursor
from soulmem.ingest.placed import ANY, Made, documents, placed

AT = datetime(2026, 1, 1, tzinfo=UTC)
SIZES = st.sampled_from([1, 2, 3, 5, 7, 13, 40, 100, 300, 1000])

NODE = {"id": "a", "tags": ["t"], "mem_type": {"Semantic": {"content": "the moon"}}, "mem_links": []}
LINK = {"from": "b", "to": "a", "intensity": 1.0, "link_type": {"Sem": {"verb": "sees", "confidence": 0.5}}}
GRAPH = [NODE, {**NODE, "id": "b", "mem_links": [LINK, LINK]}]
MESSAGE = {"id": "m", "chat": "c", "index": 0, "file": "f", "line": 1, "speaker": "Ada", "role": "user", "text": "hi"}
SEEDS: list[tuple[str, bytes]] = [
    *((format_, chat_bytes(file)) for file, format_ in FORMAT_OF.items()),
    *(
        (format_, json.dumps(json.loads(chat_bytes(file))).encode())
        for file, format_ in FORMAT_OF.items()
        if file[-5:] == ".json"
    ),
    ("graph-json", json.dumps(GRAPH, indent=1).encode()),
    ("graph-json", "\n".join(map(json.dumps, GRAPH)).encode()),
    ("soulmem-messages", b'{"soulmem": "messages", "version": 1}\n' + json.dumps({"message": MESSAGE}).encode() + b"\n\n{"),
    ("openai", b'{"messages": [{"role": "user", "content": "a"}], "messages": [{"role": "user", "content": "b"}]}'),
    ("openai", b'[{"messages": [{"role": "user", "content": "a"}]}, [{"role": "user", "content": "b"}], {"role": "user"}]\n5'),
    ("sharegpt", b'[{"conversations": [{"from": "human", "value": "a"}, 5]}, {"from": "gpt", "value": "b"}, null]'),
    (
        "character-ai",
        b'[{"turn_key": {"chat_id": "c"}, "candidates": [{"raw_content": "a"}]}, {"turns": [{"candidates": []}]}, 5]',
    ),
]
# Parts of escapes, of characters, of values, and what stands between them.
ESCAPES = ("\\", "\\\\", "\\ud83d", "\\ud83d\\ude00", "\\u0000", "\\u4f60" * 5)
OTHERS = (*'"{}[],:5 \n\0\ufffd\u3000', "\r\n", "\n\n", "-1.5e", "tru", "null")
PIECES_OF_TROUBLE = [*(part.encode() for part in (*ESCAPES, *OTHERS)), b"\xff", b"\xe4\xb8"]


@contextmanager
def pieces_of(size: int) -> Iterator[None]:
    """Files are gone through in pieces of so many bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mapped, "PIECE", size)
        yield


def outcome(data: bytes, name: str | None) -> Document | str:
    try:
        return read(data, AT, name)
    except FormatError as error:
        return str(error)


@st.composite
def troubled(draw: st.DrawFn, data: bytes) -> bytes:
    """``data`` in some encoding, with something put in, cut out or cut off."""
    encoding = draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "gb18030"]))
    data = data.decode().encode(encoding, "replace")
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(data)))
        data = (
            data[:place] + draw(st.sampled_from(PIECES_OF_TROUBLE)) + data[place + draw(st.sampled_from([0, 0, 1, 30, 10**6])) :]
        )
    return data


@given(st.sampled_from(SEEDS), st.data(), SIZES)
@settings(deadline=None, max_examples=200)
def test_piece_by_piece_and_at_once_are_the_same(seed: tuple[str, bytes], data: st.DataObject, size: int) -> None:
    name, whole = seed[0], data.draw(troubled(seed[1]))
    at_once = outcome(whole, name)
    with pieces_of(size):
        assert outcome(whole, name) == at_once


@given(st.one_of(st.binary(max_size=80), st.lists(st.sampled_from(PIECES_OF_TROUBLE), max_size=20).map(b"".join)), SIZES)
@settings(deadline=None, max_examples=150)
def test_the_text_of_any_bytes(data: bytes, size: int) -> None:
    for decoded in (decode, decode_json):
        at_once = text_of(decoded, data)
        with pieces_of(size):
            assert text_of(decoded, data) == at_once


def text_of(decoded: Callable[[bytes], Decoded], data: bytes) -> Decoded | str:
    try:
        return decoded(data)
    except FormatError as error:
        return str(error)


@given(st.lists(st.sampled_from(["\\ud83d", "\\ude00", "\\\\", "\\u0000", "\\", "u", "ab", "😀", "x", "\n"]), max_size=12), SIZES)
@settings(deadline=None, max_examples=150)
def test_no_escape_is_cut_in_two(parts: list[str], size: int) -> None:
    """What is mended in all of a text is what is mended in each of its pieces."""
    data = "".join(parts).encode()
    with pieces_of(size):
        pieces = list(Text(data, json=True).pieces())
    assert "".join(pieces) == decode_json(data).text
    assert "".join(decode_json(piece.encode()).text for piece in pieces) == "".join(pieces)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.sampled_from([None, 1]), st.integers(1, 30), st.data())
@settings(deadline=None, max_examples=100)
def test_a_cursor_in_a_text_that_comes_in_pieces(value: Any, indent: int | None, size: int, data: st.DataObject) -> None:
    text = json.dumps(value, indent=indent)
    text = text[: data.draw(st.integers(0, len(text)))] + data.draw(st.sampled_from(["", "", " \n", "]", ",}", "5"]))
    cut = [text[begin : begin + size] for begin in range(0, len(text), size)]
    assert placed(Cursor(cut), 3) == placed(Cursor(text), 3)
    assert skipped(Cursor(cut)) == skipped(Cursor(text)) == is_json(text)


def skipped(cursor: Cursor) -> bool:
    try:
        cursor.skip(named=[])
    except BrokenJSONError:
        return False
    return not cursor.peek()


def is_json(text: str) -> bool:
    try:
        json.loads(text, strict=False)
    except ValueError:
        return False
    return True


def test_little_is_held_of_a_long_array() -> None:
    pieces = [f'{{"number": {number}}},' for number in range(5000)]
    cursor = Cursor(("[", *pieces, "0]"))
    held = 0
    for line in cursor.elements():
        assert line == 1
        cursor.value()
        held = max(held, len(cursor.text))
    assert held < BEHIND + 100


def test_elements_are_made_when_they_are_read() -> None:
    seen: list[int] = []
    text = '{"a": [1, 2, {"a": [3]}], "b": [4], "a": [5, {"c": 6'
    tree = placed(Cursor(text), 3, Made({("a", ANY): lambda value: seen.append(value) or f"made {value}"}))
    assert seen == [1, 2, {"a": [3]}, 5]
    assert tree.value == {"a": ["made 5"], "b": [4]}
    assert tree.broken is not None and tree.line == 1


def test_a_first_line_that_is_too_long_to_be_held() -> None:
    lines = ["", " ", json.dumps([{"role": "user", "content": str(number)} for number in range(50)]), "", '{"role": 5}', "oops"]
    data = "\n".join(lines).encode()
    at_once = list(items(Text(data, json=True), "messages"))
    with pieces_of(30):
        assert list(items(Text(data, json=True), "messages")) == at_once
        trees = [(tree.line, tree.value, tree.broken) for tree in documents(Text(data, json=True), 2)]
    assert [item.line for item in at_once] == [3] * 50 + [5, 6]
    assert [line for line, _, _ in trees] == [3, 5, 6]


class Watched(bytes):
    """Bytes that know how far they were looked at."""

    farthest = 0

    def __getitem__(self, place: Any) -> Any:
        stop = place.stop if isinstance(place, slice) else place + 1
        Watched.farthest = max(Watched.farthest, len(self) if stop is None else stop)
        return super().__getitem__(place)


@pytest.mark.parametrize("file", ["qq.json", "script.txt"])
def test_the_beginning_tells_the_format(file: str) -> None:
    Watched.farthest = 0
    data = Watched(chat_bytes(file) + b" " * 10 * HEAD_BYTES)
    assert detect(data).name == FORMAT_OF[file]
    assert Watched.farthest <= HEAD_BYTES + 1
