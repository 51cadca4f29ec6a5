"""Messages as model providers take them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from soulmem.errors import FormatError
from soulmem.ingest import Document, read
from soulmem.model.messages import Role

AT = datetime(2026, 1, 1, tzinfo=UTC)


def read_json(value: Any, **options: Any) -> Document:
    return read(json.dumps(value, **options).encode(), AT, "openai")


def said(role: str, content: Any = "hi", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content} | more


TALK = [said("system", "be kind"), said("user", "hello"), said("assistant", "hey")]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (json.dumps(TALK), [1, 1, 1]),
        (json.dumps(TALK, indent=2), [2, 6, 10]),
        (json.dumps({"messages": TALK}), [1, 1, 1]),
        (json.dumps({"model": "m", "messages": TALK, "n": 1}, indent=2), [4, 8, 12]),
        ("\n".join(map(json.dumps, TALK)), [1, 2, 3]),
        ("[\n" + ",\n".join(map(json.dumps, TALK)) + "\n]\n", [2, 3, 4]),
    ],
)
def test_the_same_talk_in_every_shape(text: str, lines: list[int]) -> None:
    document = read(text.encode(), AT, "openai")
    assert [(line.index, line.text, line.line) for line in document.messages] == [
        (0, "be kind", lines[0]),
        (1, "hello", lines[1]),
        (2, "hey", lines[2]),
    ]
    assert [line.role for line in document.messages] == [Role.SYSTEM, Role.USER, Role.CHARACTER]
    assert [line.hidden for line in document.messages] == [True, False, False]
    assert [line.speaker for line in document.messages] == ["system", "user", "assistant"]
    assert (document.user_name, document.character_name) == (None, None)
    assert document.problems == ()
    assert document.read == 3


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (json.dumps({"messages": TALK[:2]}) + "\r\n" + json.dumps({"messages": TALK[2:]}), 2),
        (json.dumps([{"messages": TALK[:2]}, {"messages": TALK[2:]}]), 1),
    ],
)
def test_several_objects_are_several_conversations(text: str, line: int) -> None:
    document = read(text.encode(), AT, "openai")
    assert (document.messages, document.read, document.problems) == ((), 3, ())
    first, second = document.conversations
    assert [one.text for one in first.messages] == ["be kind", "hello"]
    assert [(one.index, one.text, one.line) for one in second.messages] == [(0, "hey", line)]
    assert first.name != second.name


@pytest.mark.parametrize("role", ["system", "developer", "tool", "function"])
def test_what_was_never_said_is_hidden(role: str) -> None:
    assert read_json([said(role)]).messages[0].hidden


def test_names_are_the_speakers() -> None:
    document = read_json([said("user", name=" Kim "), said("assistant", name="Ada"), said("User", name="Kim")])
    assert [line.speaker for line in document.messages] == ["Kim", "Ada", "Kim"]
    assert (document.user_name, document.character_name) == ("Kim", "Ada")


def test_parts() -> None:
    parts = [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "input_text", "text": "here"},
        "and there",
    ]
    document = read_json([said("user", parts)])
    assert document.messages[0].text == "look\nhere\nand there"
    assert [(problem.line, problem.skipped) for problem in document.problems] == [(1, False)]
    assert "image_url" in document.problems[0].what


def test_thoughts_are_taken_off() -> None:
    assert read_json([said("assistant", "<think>hm</think>yes")]).messages[0].text == "yes"


@pytest.mark.parametrize("content", [None, "", [], [{"type": "image_url"}], 5])
def test_a_message_without_text_keeps_its_number(content: Any) -> None:
    document = read_json([said("user", "a"), said("assistant", content), said("user", "b")], indent=0)
    assert [line.index for line in document.messages] == [0, 2]
    assert sum(problem.skipped for problem in document.problems) == 1
    assert document.read == 3


@pytest.mark.parametrize("name", ["created_at", "timestamp", "create_time"])
@pytest.mark.parametrize("stated", [1714651200, "2024-05-02T12:00:00Z", 1714651200000])
def test_times(name: str, stated: Any) -> None:
    document = read_json([said("user", **{name: stated}), said("user", **{name: "soon"})])
    assert [line.sent_at for line in document.messages] == [datetime(2024, 5, 2, 12, tzinfo=UTC), None]
    assert [problem.skipped for problem in document.problems] == [False]


@pytest.mark.parametrize("bad", [7, "hi", None, {}, {"content": "x"}, said("wizard"), {"role": 5, "content": "x"}, []])
def test_a_bad_message_is_skipped_alone(bad: Any) -> None:
    document = read_json([said("user", "a"), bad, said("user", "b")])
    assert [line.text for line in document.messages] == ["a", "b"]
    assert [problem.skipped for problem in document.problems] == [True] * len(document.problems)
    assert document.read == len(document.messages) + len(document.problems)


def test_a_truncated_list() -> None:
    text = json.dumps(TALK, indent=2)
    document = read(text[:-10].encode(), AT, "openai")
    assert [line.text for line in document.messages] == ["be kind", "hello"]
    assert [problem.skipped for problem in document.problems] == [True]


@pytest.mark.parametrize(
    "data", [b"", b"{", b"{}", b"[7]", b'{"messages": 5}', b"hello", b"[" * 10_000, b'{"messages": [' * 5_000]
)
def test_a_file_without_a_message_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        read(data, AT, "openai")
