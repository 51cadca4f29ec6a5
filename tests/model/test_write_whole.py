"""A file is written whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from soulmem.errors import InputError
from soulmem.files import write_whole


def test_text_is_written_as_it_is(tmp_path: Path) -> None:
    target = tmp_path / "a.json"
    write_whole(target, "你好\r\nworld\n")
    assert target.read_bytes() == "你好\r\nworld\n".encode()
    assert list(tmp_path.iterdir()) == [target]


def test_an_old_file_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "a.json"
    target.write_text("old and long", encoding="utf-8")
    write_whole(target, "new")
    assert target.read_text(encoding="utf-8") == "new"


def test_what_cannot_be_encoded_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a.json"
    target.write_text("old", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        write_whole(target, "x" * 100_000 + "\ud800")
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_in_the_place_of_the_file_is_refused_and_nothing_left_behind(tmp_path: Path) -> None:
    target = tmp_path / "a.json"
    target.mkdir()
    with pytest.raises(InputError, match=r"cannot write .*a\.json"):
        write_whole(target, "new")
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        write_whole(tmp_path / "gone" / "a.json", "new")
    assert list(tmp_path.iterdir()) == []
