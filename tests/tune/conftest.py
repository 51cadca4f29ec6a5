"""One small mind, made once with the hashing embedder; each test works on a copy."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tune_minds import GRAPH, chat, now, written

from soulmem.soul import Soul


@pytest.fixture(scope="session")
def mind_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tune")
    (folder / "chat.jsonl").write_text(chat())
    with Soul.create(folder / "a.mind", embedder="hashing", clock=now) as soul:
        report = soul.ingest(written(folder / "graph.json", GRAPH), folder / "chat.jsonl")
    assert all(file.refused is None for file in report.files)
    return folder / "a.mind"


@pytest.fixture
def mind(mind_file: Path, tmp_path: Path) -> Path:
    """A mind of the test's own."""
    return Path(shutil.copy(mind_file, tmp_path / "a.mind"))


@pytest.fixture
def soul(mind: Path) -> Callable[..., Soul]:
    """Opens the test's own mind."""

    def open_it(**how: object) -> Soul:
        return Soul.open(mind, **({"clock": now} | how))  # type: ignore[arg-type]

    return open_it
