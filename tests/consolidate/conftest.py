"""What the tests of consolidation share: minds made once, and messages as talk."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from talk import AT

from soulmem.soul import Soul


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("empty") / "empty.mind"
    Soul.create(path, embedder="hashing", clock=lambda: AT, name="Ann").close()
    return path


@pytest.fixture
def mind(empty_file: Path, tmp_path: Path) -> Iterator[Callable[[], Soul]]:
    with ExitStack() as ending:

        def made() -> Soul:
            path = tmp_path / f"{len(list(tmp_path.iterdir()))}.mind"
            shutil.copy(empty_file, path)
            return ending.enter_context(Soul.open(path, clock=lambda: AT))

        yield made
