"""A dry run over several files: what one file brings tells what is new in the next, so they are read into a copy of the mind.

The copy is made by a process of its own, as the system gives up a process's locks on a file when any of its descriptors is
closed. Its vectors mean nothing: no text is embedded.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.contract import Embedder
from soulmem.store import EmbedderRecord, Store, open_store
from soulmem.store.copying import copy_quiet

_NONE = EmbedderRecord("", 1, 0.0)


@dataclass(frozen=True, slots=True)
class _Blank:
    """Zero rows of the right shape for every text."""

    record: EmbedderRecord

    @property
    def name(self) -> str:
        return self.record.name

    @property
    def dimension(self) -> int:
        return self.record.dimension

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.zeros((len(texts), self.dimension), dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.queries(texts)


def are_several(files: Sequence[Path]) -> bool:
    """Whether more than one file may be read: several, or a zip of them."""
    return len(files) > 1 or any(file.suffix.lower() == ".zip" for file in files)


@contextmanager
def rehearsal(store: Store, at: datetime) -> Iterator[tuple[Store, Embedder]]:
    """A copy of the mind to write to, and an embedder for it that costs nothing. The copy is gone afterwards."""
    with TemporaryDirectory(prefix="soulmem-") as folder:
        copy = Path(folder) / store.path.name
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            process.submit(copy_quiet, store.path.resolve(), copy, time.sleep).result()
        with open_store(copy, now=at) as opened:
            yield opened, _Blank(opened.embedder() or _NONE)
