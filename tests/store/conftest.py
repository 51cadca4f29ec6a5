from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_minds import NOW, RECORD, SETTINGS

from soulmem.store import KuzuStore, create_store, open_store


@pytest.fixture(autouse=True)
def as_into_a_full_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    """How a change is written depends on its size alone, so that small minds show both ways."""
    monkeypatch.setattr("soulmem.store.apply.FRESH", 1.0)


@pytest.fixture(scope="session")
def empty_mind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mind without anything in it, closed."""
    path = tmp_path_factory.mktemp("empty") / "empty.mind"
    create_store(path, RECORD, settings=SETTINGS, now=NOW).close()
    return path


@pytest.fixture
def mind(empty_mind: Path, tmp_path: Path) -> Path:
    """A mind of one's own without anything in it, closed."""
    path = tmp_path / "mine.mind"
    shutil.copy(empty_mind, path)
    return path


@pytest.fixture
def store(mind: Path) -> Iterator[KuzuStore]:
    """A mind of one's own without anything in it, open."""
    with open_store(mind, settings=SETTINGS, now=NOW) as opened:
        yield opened
