"""The shipped minds with a history each, made once with the hashing embedder; closed, to be opened for reading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from analysis_minds import FIXTURES, LEARNED, WREN_END, Read

from soulmem.lived import live
from soulmem.soul import Soul


@pytest.fixture(scope="session")
def wren(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wren, who has heard the last day of her talk."""
    path = tmp_path_factory.mktemp("wren") / "wren.mind"
    with live(path, "wren", days=1) as soul:
        assert soul.clock() == WREN_END
    return path


@pytest.fixture(scope="session")
def xiaohong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """小红, who was asked some things; one use was taken back, and one line forgotten for good."""
    path = tmp_path_factory.mktemp("xiaohong") / "xiaohong.mind"
    with Soul.create(path, embedder="hashing", clock=lambda: LEARNED) as soul:
        soul.ingest(FIXTURES / "xiaohong" / "graph.json")
        first = b"".join((FIXTURES / "xiaohong" / "chat.jsonl").read_bytes().splitlines(keepends=True)[:13])
        soul.ingest_bytes(first, name="chat.jsonl")
        for day, question in enumerate(("小白", "外婆的故事", "小白怕什么", "火锅")):
            soul.commit(soul.recall(question, at=LEARNED + timedelta(days=day + 1)))
        soul.undo(at=LEARNED + timedelta(days=6))
        last = soul.store.query("store.all_messages")[-1]
        soul.forget_messages([last["id"]], at=LEARNED + timedelta(days=7))
    return path


@pytest.fixture(scope="session")
def nobody(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mind with nothing in it."""
    path = tmp_path_factory.mktemp("nobody") / "nobody.mind"
    Soul.create(path, embedder="hashing").close()
    return path


@pytest.fixture
def read() -> Iterator[Read]:
    """Opens a mind for reading; closed after the test."""
    with ExitStack() as ending:
        yield lambda path: ending.enter_context(Soul.open(path, read_only=True))
