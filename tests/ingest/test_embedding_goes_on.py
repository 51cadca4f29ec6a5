"""A run that is interrupted while it embeds goes on from the vectors it had made."""

from __future__ import annotations

import json
from collections import Counter
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
    json.dumps({"name": "Ada", "mes": f"the lamp of the tower number {n} is lit", "send_date": n}) for n in range(1, 131)
)


class Interrupted(HashingEmbedder):
    """Counts the texts it embeds, and is interrupted before there are more than ``most``."""

    def __init__(self) -> None:
        super().__init__()
        self.most = 10**9
        self.texts: Counter[str] = Counter()

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.texts.total() + len(texts) > self.most:
            raise KeyboardInterrupt
        self.texts.update(texts)
        return super().passages(texts)


def test_what_was_embedded_is_not_embedded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = Interrupted()
    monkeypatch.setattr(ingest, "KEPT_SECONDS", 0.5)
    with Soul.create(tmp_path / "a.mind", embedder=embedder) as soul:
        embedder.texts.clear()
        embedder.most = 100
        ticks = count()
        run = ingest.Ingest(store=soul.store, embedder=lambda: embedder, at=soul.clock(), seconds=lambda: float(next(ticks)))
        with pytest.raises(KeyboardInterrupt):
            run.data(CHAT.encode(), "chat.jsonl", None)
        assert soul.stats()["messages"] == 0
        assert [entry.command for entry in soul.log()] == ["init"] * len(soul.log()), "what is kept is no operation"
        assert embedder.texts.total() > 0
        embedder.most = 10**9
        assert run.data(CHAT.encode(), "chat.jsonl", None).new == 130
        assert set(embedder.texts.values()) == {1}
        assert soul.check() == ()
        soul.undo()
        assert soul.stats()["messages"] == 0
