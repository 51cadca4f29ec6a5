"""What becomes of files that are no memory: passed over in a folder, refused by name; and of what is no file at all."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from soulmem.soul import Soul

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
AT = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def soul(tmp_path: Path) -> Iterator[Soul]:
    with Soul.create(tmp_path / "a.mind", embedder="hashing", clock=lambda: AT) as soul:
        yield soul


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "files"
    made.mkdir()
    for name in ("queries.json", "chat.evidence.json"):
        shutil.copy(FIXTURES / "wren" / name, made)
    (made / "graph.json").write_text('[{"id": "a", "mem_type": {"Semantic": {"content": "tea"}}}]', encoding="utf-8")
    (made / "chat.txt").write_text("小红：你好", encoding="utf-8")
    (made / "README.md").write_text("Nobody speaks in this.\n\nNot here either.\n", encoding="utf-8")
    (made / "empty.json").write_bytes(b"")
    return made


def test_a_folder_is_read_and_the_rest_of_it_passed_over(soul: Soul, folder: Path) -> None:
    files = {Path(file.path).name: file for file in soul.ingest(folder).files}
    assert {name: file.format for name, file in files.items() if file.format} == {
        "graph.json": "graph-json",
        "chat.txt": "script",
    }
    assert [file.refused for file in files.values()] == [None] * 6
    passed_over = {name: file.problems for name, file in files.items() if file.format is None}
    assert passed_over.keys() == {"queries.json", "chat.evidence.json", "README.md", "empty.json"}
    assert "an evaluation file" in passed_over["queries.json"][0].what
    for problems in passed_over.values():
        assert len(problems) == 1
        assert not problems[0].skipped
        assert "\n" not in problems[0].what
        assert len(problems[0].what) < 200
    assert soul.stats()["notes"]["Semantic"] >= 1


def test_named_outright_the_same_files_are_refused(soul: Soul, folder: Path) -> None:
    for name in ("queries.json", "README.md", "empty.json"):
        files = soul.ingest(folder / name, folder).files
        (alone,) = (one for one in files if one.path == str(folder / name))
        others = [one for one in files if one is not alone]
        assert alone.refused is not None
        assert "not a format that can be read" in alone.refused
        assert [file.refused for file in others] == [None] * 5


def test_a_format_that_is_forced_is_tried_on_every_file_of_a_folder(soul: Soul, folder: Path) -> None:
    refused = {Path(file.path).name for file in soul.ingest(folder, format="script").files if file.refused}
    assert refused == {"queries.json", "chat.evidence.json", "graph.json", "README.md", "empty.json"}


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes by name there")
def test_what_is_no_file_is_refused_without_waiting(soul: Soul, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), Path("/dev/null")):
        (report,) = soul.ingest(path).files
        assert report.refused == "a pipe or a device, not a file; give - to read standard input"
    link = tmp_path / "link.txt"
    link.symlink_to(pipe)
    assert soul.ingest(link).files[0].refused is not None
    assert soul.ingest(tmp_path).files == ()
