"""What the rest of soulmem asks of a store. One implementation today: Kùzu (:mod:`soulmem.store._kuzu`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from soulmem.model.changes import Change, Operation, PendingLink, Vector
from soulmem.model.links import Link
from soulmem.model.messages import Message
from soulmem.model.notes import Note

if TYPE_CHECKING:
    from soulmem.store.erase import Erased, Erasure


@dataclass(frozen=True, slots=True)
class EmbedderRecord:
    """Which embedder the mind's vectors come from. ``baseline``: mean cosine of unrelated texts (SPEC §3)."""

    name: str
    dimension: int
    baseline: float


@dataclass(frozen=True, slots=True)
class Rows:
    """The answer to ad-hoc Cypher: column names and rows of plain Python values; ``more`` when the row limit cut it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    more: bool = False


class Store(Protocol):
    """A mind that is open. Reading is safe from any thread; writes queue up and each is one transaction."""

    @property
    def path(self) -> Path: ...

    @property
    def read_only(self) -> bool: ...

    def embedder(self) -> EmbedderRecord | None:
        """The embedder the mind was made with."""
        ...

    def meta(self, name: str) -> Any:
        """A recorded value, or ``None``."""
        ...

    def query(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run the shipped query ``name`` (``recall.names``); rows as dicts. Parameters are checked against its header."""
        ...

    def columns(self, name: str, /, **parameters: Any) -> dict[str, list[Any] | NDArray[np.generic]]:
        """As :meth:`query`, by columns: numeric ones as numpy arrays (nulls as NaN), others as lists. For many rows."""
        ...

    def notes(self, ids: Sequence[str]) -> list[Note]:
        """The notes with these ids, in this order; unknown ids are left out."""
        ...

    def links_among(self, ids: Sequence[str]) -> list[Link]:
        """All links whose both ends are in ``ids``."""
        ...

    def links(self) -> list[Link]:
        """All links between notes."""
        ...

    def pending(self) -> list[PendingLink]:
        """All links that wait for one of their ends."""
        ...

    def messages(self, ids: Sequence[str]) -> list[Message]:
        """The messages with these ids, in this order; unknown ids are left out."""
        ...

    def turn(self) -> AbstractContextManager[object]:
        """Held by who reads, plans and applies: what was read is still so when it is applied. Others wait for their turn."""
        ...

    def apply(self, change: Change, progress: Callable[[int, int], None] | None = None) -> Operation:
        """Write ``change`` in one transaction together with its journal entry. ``progress(done, total)``: of rows, if many."""
        ...

    def keep_vectors(self, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors of texts, by cache id, apart from any operation: nobody asked for them, and nothing is undone by them."""
        ...

    def replace_vectors(self, record: EmbedderRecord, change: Change) -> Operation:
        """Drop all vector columns, make them anew for ``record`` and fill them from ``change.vectors``, in one transaction."""
        ...

    def erase(self, erasure: Erasure, change: Change) -> tuple[Operation, Erased]:
        """Forget for good what ``erasure`` names, together with ``change``; what else went with it."""
        ...

    def erasable(self, erasure: Erasure) -> Erased:
        """What else would go with ``erasure``."""
        ...

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """(table, column, text) of all that is text, entries of the journal unpacked."""
        ...

    def copies(self) -> list[Path]:
        """The copies of the mind that soulmem made beside it."""
        ...

    def cypher(
        self,
        text: str,
        parameters: dict[str, Any],
        *,
        limit: int | None,
        write: bool = False,
        at: datetime | None = None,
        timeout_seconds: float | None = None,
    ) -> Rows:
        """Run one ad-hoc statement. Without ``write`` only reading statements are accepted; files and network never are.

        ``at``: the time of a writing statement, for the journal; a writing statement needs it. ``timeout_seconds``: after which
        the statement is stopped; ``None``: never.
        """
        ...

    def close(self) -> None: ...


def all_notes(store: Store) -> list[Note]:
    """All notes that ``store`` lets see, by key."""
    return store.notes([row["id"] for row in store.query("look.all_notes")])
