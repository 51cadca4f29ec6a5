"""A file is written whole, or not at all."""

from __future__ import annotations

import os
import stat
import threading
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


def test_where_a_link_leads_is_written_and_the_link_stays(tmp_path: Path) -> None:
    target, link = tmp_path / "a.json", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink() and target.read_text() == "new"


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(InputError, match="cannot write"):
        write_whole(tmp_path / "a", "new")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "new")
    reader.join(10)
    assert read == ["new"] and stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_permissions_are_the_usual_ones_those_of_the_old_file_or_what_is_said(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("")
    write_whole(tmp_path / "new", "x")
    assert (tmp_path / "new").stat().st_mode == plain.stat().st_mode
    plain.chmod(0o640)
    write_whole(plain, "x")
    assert stat.S_IMODE(plain.stat().st_mode) == 0o640
    write_whole(plain, "x", mode=0o600)
    assert stat.S_IMODE(plain.stat().st_mode) == 0o600
