"""Whatever a file holds, a reader gives a document or says why not; it never fails in any other way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from chat_files import NEVER
from damage import VALUES, damaged, replaced, wrapped
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import NAMES, check_again, outcome
from seeds import CHAT, GRAPH, SEEDS, TALK, WRAPPED

from soulmem.ingest import FORMATS

FORMAT_NAMES = [format_.name for format_ in FORMATS]
#: What fuzzing has found, each file the shortest of its kind, in a folder for each target.
CORPUS = sorted(path for path in Path(__file__).with_name("corpus").rglob("*") if path.is_file())


def test_there_is_a_good_file_of_every_format() -> None:
    assert SEEDS.keys() == set(FORMAT_NAMES)


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_good_files_are_read_whole_detected_and_read_again_alike(name: str) -> None:
    for data in SEEDS[name]:
        document = outcome(data, None)
        assert document is not None and document.format == name and document.read
        assert not [problem for problem in document.problems if problem.skipped]
        check_again(data, name)


@given(st.binary(max_size=200), st.sampled_from(NAMES))
@settings(max_examples=300)
def test_any_bytes(data: bytes, name: str | None) -> None:
    outcome(data, name)


@given(st.text(st.characters(codec=None), max_size=200), st.sampled_from(NAMES))
@settings(max_examples=300)
def test_any_text(text: str, name: str | None) -> None:
    outcome(text.encode("utf-8", "surrogatepass"), name)


@given(damaged())
@settings(max_examples=300)
def test_a_good_file_damaged_anywhere(file: tuple[str, bytes]) -> None:
    name, data = file
    outcome(data, name)
    outcome(data, None)


@given(VALUES, st.sampled_from(NAMES), st.sampled_from([None, 1]))
@settings(max_examples=200)
def test_any_json(value: Any, name: str | None, indent: int | None) -> None:
    outcome(wrapped(value, name, indent), name)


@given(replaced())
@settings(max_examples=400)
def test_one_value_of_a_good_file_replaced_by_another(file: tuple[str, Any]) -> None:
    name, document = file
    outcome(wrapped(document, name), name)
    if name == "sillytavern" and isinstance(document, list):
        outcome("\n".join(map(json.dumps, document)).encode(), name)


# What was shown, and which branch is the live one, stands at the end of these.
BY_ITS_END = {"byaf", "ooba", "chatgpt", "claude", "open-webui"}


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_a_good_file_of_any_format_cut_anywhere(name: str) -> None:
    for whole in SEEDS[name]:
        for end in range(0, len(whole), max(1, len(whole) // 100)):
            cut = outcome(whole[:end], name)
            if cut is not None and name not in BY_ITS_END:
                assert NEVER not in "".join(line.text for _, part in cut.parts for line in part.messages)


@pytest.mark.parametrize("name", FORMAT_NAMES)
@pytest.mark.parametrize("opening", ["[", '{"messages":', '{"data":[', '[{"mapping":{"a":', '{"histories":{"histories":['])
def test_ten_thousand_levels_are_refused_in_every_format(name: str, opening: str) -> None:
    data = (opening * 10_000).encode()
    assert outcome(WRAPPED[name](data) if name in WRAPPED else data, name) is None


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_fuzzing_found_is_read_or_refused(path: Path) -> None:
    data = path.read_bytes()
    target = path.parent.name
    outcome(data, None)
    if target in FORMAT_NAMES:
        outcome(data, target)
        check_again(data, target)


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
