"""Large files are gone through without being held, and read the same as small ones."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import sha256
from mmap import mmap
from pathlib import Path
from typing import Any

import pytest
from chat_files import FORMAT_OF, chat_bytes
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.ingest import Document, mapped, read, sillytavern
from soulmem.ingest.chat_lines import NotLinesError

AT = datetime(2026, 1, 1, tzinfo=UTC)


def not_lines(*_: Any) -> Any:
    raise NotLinesError


def outcome(data: bytes) -> Document | str:
    try:
        return sillytavern.read(data, AT)
    except FormatError as error:
        return str(error)


LINES = st.lists(
    st.one_of(
        st.fixed_dictionaries({"name": st.just("Ada"), "mes": st.text(max_size=12)}).map(json.dumps),
        st.fixed_dictionaries({"name": st.just("小红"), "mes": st.text(max_size=12)}).map(
            lambda one: json.dumps(one, ensure_ascii=False)
        ),
        st.sampled_from(
            ["", " ", "{", "7", "[", "]", "oops", '{"user_name": "Kim", "character_name": "Ada"}', '{"mes": "\\ud800\\u0000"}']
        ),
    ),
    max_size=6,
)


@given(LINES, st.sampled_from(["\n", "\r\n", "\n\n"]), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "gb18030"]))
@settings(deadline=None, max_examples=200)
def test_line_by_line_and_at_once_are_the_same(lines: list[str], ending: str, encoding: str) -> None:
    data = ending.join(lines).encode(encoding, "replace")
    by_line = outcome(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sillytavern, "streamed", not_lines)
        at_once = outcome(data)
    assert by_line == at_once


@pytest.mark.parametrize("file", FORMAT_OF)
def test_a_file_that_is_mapped_reads_as_one_that_is_not(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / file
    path.write_bytes(chat_bytes(file))
    monkeypatch.setattr(mapped, "MAPPED", 10)
    monkeypatch.setattr(mapped, "_PIECE", 50)
    data = mapped.contents(path)
    assert isinstance(data, mmap)
    assert mapped.digest(data) == sha256(chat_bytes(file)).hexdigest()
    assert read(data, AT) == read(chat_bytes(file), AT)


@given(st.binary(max_size=200))
def test_lines_of_bytes(data: bytes) -> None:
    expected = [(number, line.strip(b" \t\r")) for number, line in enumerate(data.split(b"\n"), start=1)]
    assert list(mapped.byte_lines(data)) == [(number, line) for number, line in expected if line]
