"""A run that is interrupted while it embeds goes on from the vectors it had made."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from soulmem.embed.hashing import HashingEmbedder
from soulmem.ingest import ingest
from soulmem.soul import Soul

CHAT = "\n".join(
    json.dumps({"name": "Ada", "mes": f"the lamp of the tower number {n} is lit", "send_date": n}) for n in range(1, 400)
)


class Interrupted(HashingEmbedder):
    """Counts the texts it embeds, and is interrupted after so many."""

    def __init__(self) -> None:
        super().__init__()
        self.most = 10**9
        self.texts = 0

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.texts + len(texts) > self.most:
            raise KeyboardInterrupt
        self.texts += len(texts)
        return super().passages(texts)


def test_what_was_embedded_is_not_embedded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = Interrupted()
    with (
        Soul.create(tmp_path / "a.mind", embedder=embedder) as soul,
        Soul.create(tmp_path / "b.mind", embedder="hashing") as plain,
    ):
        needed = _needed(plain)
        monkeypatch.setattr(ingest, "KEPT_SECONDS", 0.5)
        embedder.texts, embedder.most = 0, needed // 2
        ticks = count()
        run = ingest.Ingest(store=soul.store, embedder=lambda: embedder, at=soul.clock(), seconds=lambda: float(next(ticks)))
        with pytest.raises(KeyboardInterrupt):
            run.data(CHAT.encode(), "chat.jsonl", None)
        assert soul.stats()["messages"] == 0
        first = embedder.texts
        assert first > 0
        embedder.most = 10**9
        assert run.data(CHAT.encode(), "chat.jsonl", None).new == 399
        assert embedder.texts == needed
        assert soul.check() == ()
        soul.undo()
        assert soul.stats()["messages"] == 0


def _needed(soul: Soul) -> int:
    counting = Interrupted()
    ingest.Ingest(store=soul.store, embedder=lambda: counting, at=soul.clock()).data(CHAT.encode(), "chat.jsonl", None)
    return counting.texts
