"""Minds made once with the hashing embedder; each test works on a copy of the file."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from soul_minds import AT, FIXTURES, PATIENT, TEA, Minds, graph, now, opened, took

from soulmem.embed import Embedder
from soulmem.soul import Soul
from soulmem.store.recovery import leftovers, log_of


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "empty.mind"
    Soul.create(path, embedder="hashing", settings=PATIENT, clock=now).close()
    return path


@pytest.fixture(scope="session")
def wren_file(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
    """The shipped character Wren, her graph and the beginning of her chat."""
    path = tmp_path_factory.mktemp("wren") / "wren.mind"
    shutil.copy(empty_file, path)
    with opened(path) as soul:
        took(soul, b"".join((FIXTURES / "wren" / "chat.jsonl").read_bytes().splitlines(keepends=True)[:61]), "chat.jsonl", at=AT)
        took(soul, (FIXTURES / "wren" / "graph.json").read_bytes(), "graph.json", at=AT)
    return path


@pytest.fixture(scope="session")
def tea_file(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
    """The notes of ``TEA``."""
    path = tmp_path_factory.mktemp("tea") / "tea.mind"
    shutil.copy(empty_file, path)
    with opened(path) as soul:
        took(soul, graph(*TEA), "tea.json")
    return path


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is looked for in the folder for temporary files is not what another test has put there."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))


def _state(path: Path) -> list[tuple[object, ...]]:
    """What is another after anything was written to the mind at ``path``."""
    files = [file for file in (path, *leftovers(path)) if file.exists()]
    return [(file, stat.st_ino, stat.st_size, stat.st_mtime_ns) for file in files for stat in [file.stat()]]


@pytest.fixture(scope="session")
def found_whole() -> list[object]:
    """The states of files of which a copy that nobody wrote to was found whole: all such copies are."""
    return []


@pytest.fixture
def minds(empty_file: Path, tmp_path: Path, found_whole: list[object]) -> Iterator[Minds]:
    with ExitStack() as ending:
        opened_minds: list[Soul] = []
        copies: dict[Path, tuple[object, object]] = {}

        def mind(from_file: Path | None = None, embedder: Embedder | None = None, **how: Any) -> Soul:
            path = tmp_path / f"{len(opened_minds)}.mind"
            shutil.copy(from_file or empty_file, path)
            copies[path] = _state(from_file or empty_file), _state(path)
            opened_minds.append(ending.enter_context(opened(path, embedder=embedder, **how)))
            return opened_minds[-1]

        yield mind
        for path, (original, copied) in copies.items():
            is_copy = _state(path) == copied
            if is_copy and original in found_whole:
                continue
            with opened(path) as again:  # whatever became of it in the test, it is whole
                assert [line for line in again.check() if "still waits" not in line] == []
            if is_copy:
                found_whole.append(original)
            log_of(path).unlink(missing_ok=True)  # nobody reads the file any more: closing it need not bring it up to date


@pytest.fixture
def mind(minds: Minds) -> Soul:
    return minds()


@pytest.fixture
def tea(minds: Minds, tea_file: Path) -> Soul:
    return minds(tea_file)
