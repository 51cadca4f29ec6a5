"""Whatever a file holds, a reader gives a document or says why not; it never fails in any other way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from chat_files import FORMAT_OF, NEVER, chat_bytes
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.ingest import Document, read

AT = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = ("graph-json", *sorted(set(FORMAT_OF.values())))

GRAPH = [
    {
        "id": "a",
        "tags": ["t"],
        "mem_type": {"Situation": {"SpecificSituation": {"narrative": "n", "time_span": {"start": "2026-06-01T08:00:00Z"}}}},
        "mem_links": [{"from": "a", "to": "b", "intensity": 1.0, "link_type": {"Proc": {"TrigToAction": {"prob": 0.5}}}}],
        "soulmem": {"created_at": "2026-06-01T08:00:00Z", "strength": 0.5, "sources": ["m"]},
    },
    {
        "id": "b",
        "tags": [],
        "mem_type": {"Procedure": {"action": {"content": "c", "action_type": {"Skill": {}}}}},
        "mem_links": [],
    },
]
CHAT = [
    {"user_name": "Kim", "character_name": "Ada", "chat_metadata": {}},
    {"name": "Ada", "is_user": False, "send_date": 1714651200, "mes": "hi", "extra": {"type": "narrator"}},
    {"name": "Kim", "is_user": True, "send_date": "June 19, 2023 2:20pm", "mes": "hello"},
]
TALK = [{"role": "user", "content": [{"type": "text", "text": "hi"}], "name": "Kim"}, {"role": "assistant", "content": "hey"}]


def outcome(data: bytes, name: str | None) -> Document | None:
    try:
        document = read(data, AT, name)
    except FormatError:
        return None
    check(document)
    return document


def check(document: Document) -> None:
    """What every document keeps to."""
    said = [line for _, part in document.parts for line in part.messages]
    lines = [line.line for line in said] + [link.line for link in document.links]
    assert all(line is not None and line >= 1 for line in lines)
    assert all(problem.line is None or problem.line >= 1 for problem in document.problems)
    assert all(problem.what for problem in document.problems)
    for _, part in document.parts:
        indices = [line.index for line in part.messages]
        assert indices == sorted(set(indices))
        assert all(0 <= index < part.read for index in indices)
    assert len({name for name, _ in document.parts}) == len(document.parts)
    assert document.read >= len(said) + sum(problem.skipped for problem in document.problems)
    assert len(document.notes) <= document.read
    assert len({note.key for note in document.notes}) == len({note.id for note in document.notes}) == len(document.notes)
    for text in texts(document):
        assert "\0" not in text
        text.encode("utf-8")


def texts(document: Document) -> Iterator[str]:
    for line in (line for _, part in document.parts for line in part.messages):
        assert line.text
        assert line.speaker
        yield line.text
        yield line.speaker
    for note in document.notes:
        yield note.key
        yield repr(note.body)


@given(st.binary(max_size=200), st.sampled_from((None, *NAMES)))
@settings(deadline=None, max_examples=300)
def test_any_bytes(data: bytes, name: str | None) -> None:
    outcome(data, name)


@given(st.text(st.characters(codec=None), max_size=200), st.sampled_from((None, *NAMES)))
@settings(deadline=None, max_examples=300)
def test_any_text(text: str, name: str | None) -> None:
    outcome(text.encode("utf-8", "surrogatepass"), name)


def names_in(value: Any) -> Iterator[str]:
    """All names of members within ``value``."""
    for held in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from names_in(held)
    yield from value if isinstance(value, dict) else ()


JSON_CHATS = {(name, format_): json.loads(chat_bytes(name)) for name, format_ in FORMAT_OF.items() if name.endswith(".json")}
WORDS = st.sampled_from(
    sorted({name for value in (GRAPH, CHAT, TALK, *JSON_CHATS.values()) for name in names_in(value)} | {"Semantic", "to"})
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=4), inner, max_size=5),
    max_leaves=15,
)


@given(VALUES, st.sampled_from((None, *NAMES)), st.sampled_from([None, 1]))
@settings(deadline=None, max_examples=150)
def test_any_json(value: Any, name: str | None, indent: int | None) -> None:
    outcome(json.dumps(value, indent=indent).encode(), name)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key or index) within ``value``."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


@given(st.sampled_from([("graph-json", GRAPH), ("sillytavern", CHAT), ("openai", TALK)]), VALUES, st.data())
@settings(deadline=None, max_examples=200)
def test_one_value_of_a_good_file_replaced_by_another(good: tuple[str, list[Any]], value: Any, data: st.DataObject) -> None:
    name, document = good[0], json.loads(json.dumps(good[1]))
    container, key = data.draw(st.sampled_from(list(places(document))))
    container[key] = value
    outcome(json.dumps(document).encode(), name)
    if name == "sillytavern":
        outcome("\n".join(map(json.dumps, document)).encode(), name)


@given(st.sampled_from(sorted(JSON_CHATS)), VALUES, st.data())
@settings(deadline=None, max_examples=400)
def test_one_value_of_a_chat_of_any_program_replaced_by_another(good: tuple[str, str], value: Any, data: st.DataObject) -> None:
    document = json.loads(json.dumps(JSON_CHATS[good]))
    container, key = data.draw(st.sampled_from(list(places(document))))
    container[key] = value
    outcome(json.dumps(document).encode(), good[1])


# What was shown, and which branch is the live one, stands at the end of these.
BY_ITS_END = {"byaf", "ooba", "chatgpt", "claude", "open-webui"}


@pytest.mark.parametrize(("file", "name"), FORMAT_OF.items())
def test_a_chat_of_any_program_cut_anywhere(file: str, name: str) -> None:
    whole = chat_bytes(file)
    full = outcome(whole, name)
    assert full is not None
    step = max(1, len(whole) // 150)
    for end in range(0, len(whole), step):
        cut = outcome(whole[:end], name)
        if cut is not None and name not in BY_ITS_END:
            assert NEVER not in "".join(line.text for _, part in cut.parts for line in part.messages)


@pytest.mark.parametrize("name", sorted({*FORMAT_OF.values(), "graph-json"}))
@pytest.mark.parametrize("opening", ["[", '{"messages":', '{"data":[', '[{"mapping":{"a":', '{"histories":{"histories":['])
def test_ten_thousand_levels_are_refused_in_every_format(name: str, opening: str) -> None:
    assert outcome((opening * 10_000).encode(), name) is None


@pytest.mark.parametrize(("name", "document"), [("graph-json", GRAPH), ("sillytavern", CHAT), ("openai", TALK)])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_good_file_cut_anywhere(name: str, document: list[Any], indent: int | None) -> None:
    whole = json.dumps(document, indent=indent).encode()
    full = outcome(whole, name)
    assert full is not None
    assert not [problem for problem in full.problems if problem.skipped]
    for end in range(0, len(whole)):
        cut = outcome(whole[:end], name)
        if cut is not None:
            assert [problem for problem in cut.problems if problem.skipped or "header" in problem.what]
            assert cut.notes == full.notes[: len(cut.notes)]
            assert [line.text for line in cut.messages] == [line.text for line in full.messages[: len(cut.messages)]]


# Ten broken files of each format. None: refused outright; a number: what can still be read of it.

NODE = json.dumps(GRAPH[1])
BROKEN: dict[str, list[tuple[str, int | None]]] = {
    "graph-json": [
        ("", None),
        ("{}", None),
        ("[", None),
        ("[" + NODE[:-5], None),
        ("[" + NODE + ", {", 1),
        ("[" + NODE + " " + NODE + "]", 1),
        ("[" + NODE + "", 1),
        ("[" + NODE + "]]", 1),
        ("[" + NODE + ", 5, null, [], " + NODE.replace('"b"', '"c"') + "]", 2),
        ("[" + "[" * 10_000, None),
    ],
    "sillytavern": [
        ("", None),
        ("{", None),
        ("null", None),
        ('{"mes": 5}', None),
        ('{"name": "A", "mes": "x"}\n{"name": "A", "me', 1),
        ('{"name": "A"}\n{"name": "A", "mes": "x"}', 1),
        ('oops\n{"name": "A", "mes": "x"}\n\x00\x00\x00', 1),
        ('[{"name": "A", "mes": "x"}, {"name"', 1),
        ('{"name": "A", "mes": "x"}{"name": "A", "mes": "y"}\n{"name": "A", "mes": "z"}', 1),
        ('{"a":' * 10_000, None),
    ],
    "openai": [
        ("", None),
        ("{}", None),
        ("[5]", None),
        ('[{"content": "x"}]', None),
        ('[{"role": "wizard", "content": "x"}]', None),
        ('[{"role": "user", "content": "x"}, {"role"', 1),
        ('{"messages": [{"role": "user", "content": "x"}', 1),
        ('{"role": "user", "content": "x"}\noops\n{"role": "user", "content": "y"}', 2),
        ('[{"role": "user", "content": "x"}] trailing', 1),
        ('{"messages":' * 10_000, None),
    ],
    "script": [
        ("", None),
        ("\n\n\n", None),
        ("no colon", None),
        ("：没有名字", None),
        (":", None),
        ("12:30 noon", None),
        ("http://a.b/c", None),
        ("（只有动作）", None),
        ("甲：\n乙：在", 1),
        ("[2024-99-99 10:20] Ada: hi", 1),
    ],
}


@pytest.mark.parametrize(("name", "text", "whole"), [(name, *case) for name, cases in BROKEN.items() for case in cases])
def test_ten_broken_files_of_each_format(name: str, text: str, whole: int | None) -> None:
    document = outcome(text.encode(), name)
    if whole is None:
        assert document is None
    else:
        assert document is not None
        assert len(document.notes) + len(document.messages) == whole
        assert document.problems
