"""A run over several files that is interrupted leaves whole files, and the next run ends where one run would have ended."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from numpy.typing import NDArray

from soulmem.embed.hashing import HashingEmbedder
from soulmem.soul import Soul

AT = datetime(2026, 1, 1, tzinfo=UTC)
CHATS = {
    f"{name}.txt": f"Ada: The lamp of {name} is lit.\nBo: I saw {name} burn.\nAda: So did Cy.\n"
    for name in ("Rhos", "Skye", "Tory")
}


class Interrupted(HashingEmbedder):
    """Is interrupted by the first text that names ``by``."""

    by: str | None = None

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.by is not None and any(self.by in text for text in texts):
            raise KeyboardInterrupt
        return super().passages(texts)


def contents(soul: Soul) -> tuple[str, str]:
    return soul.export_graph(), soul.export_messages()


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("runs") / "chats"
    folder.mkdir()
    with ZipFile(folder.with_suffix(".zip"), "w") as archive:
        for name, text in CHATS.items():
            (folder / name).write_text(text, encoding="utf-8")
            archive.writestr(name, text)
    return {"folder": folder, "zip": folder.with_suffix(".zip")}


@pytest.mark.parametrize(("kind", "by"), [("folder", "Skye"), ("zip", "Tory")])
def test_the_next_run_takes_the_rest(kind: str, by: str, paths: dict[str, Path], tmp_path: Path) -> None:
    with Soul.create(tmp_path / "at-once.mind", embedder="hashing", clock=lambda: AT) as soul:
        soul.ingest(paths[kind])
        at_once = contents(soul)
    embedder = Interrupted()
    with Soul.create(tmp_path / "twice.mind", embedder=embedder, clock=lambda: AT) as soul:
        embedder.by = by
        with pytest.raises(KeyboardInterrupt):
            soul.ingest(paths[kind])
        finished = sorted(CHATS).index(f"{by}.txt")
        assert soul.stats()["messages"] == 3 * finished
        assert by not in "".join(contents(soul))
        embedder.by = None
        assert [file.new for file in soul.ingest(paths[kind]).files] == [0] * finished + [3] * (3 - finished)
        assert contents(soul) == at_once
        assert soul.check() == ()
