"""A mind read for many recalls while nothing changes in it: what was read or embedded once is not read or embedded again."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.contract import Embedder
from soulmem.model.messages import Message
from soulmem.model.notes import Note
from soulmem.store.contract import Store


class RememberedEmbedder:
    """An embedder that embeds each text once. Each text is embedded alone, so that its vector does not depend on its company."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._queries: dict[str, NDArray[np.float32]] = {}

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As :meth:`soulmem.embed.contract.Embedder.queries`."""
        for text in texts:
            if text not in self._queries:
                self._queries[text] = self._embedder.queries([text])[0]
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.array([self._queries[text] for text in texts], dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As :meth:`soulmem.embed.contract.Embedder.passages`; not remembered: no recall asks for them."""
        return self._embedder.passages(texts)


class RememberedStore:
    """A store whose answers are remembered until :meth:`forget`. For reading only, and only while nobody writes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: dict[Hashable, list[dict[str, Any]]] = {}
        self._columns: dict[Hashable, dict[str, list[Any] | NDArray[np.generic]]] = {}
        self._notes: dict[str, Note | None] = {}
        self._messages: dict[str, Message | None] = {}

    def __getattr__(self, name: str) -> Any:
        """All that is not remembered is as in the store itself."""
        return getattr(self._store, name)

    def forget(self) -> None:
        """Forget the answers: the next question asks for others."""
        for answers in (self._rows, self._columns, self._notes, self._messages):
            answers.clear()

    def query(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """As :meth:`soulmem.store.contract.Store.query`."""
        asked = (name, _frozen(parameters))
        if asked not in self._rows:
            self._rows[asked] = self._store.query(name, **parameters)
        # Copies, so that whoever changes what was read does not change what is remembered.
        return [dict(row) for row in self._rows[asked]]

    def columns(self, name: str, /, **parameters: Any) -> dict[str, list[Any] | NDArray[np.generic]]:
        """As :meth:`soulmem.store.contract.Store.columns`."""
        asked = (name, _frozen(parameters))
        if asked not in self._columns:
            self._columns[asked] = self._store.columns(name, **parameters)
        return {column: values.copy() for column, values in self._columns[asked].items()}

    def notes(self, ids: Sequence[str]) -> list[Note]:
        """As :meth:`soulmem.store.contract.Store.notes`."""
        return _remembered(ids, self._notes, self._store.notes)

    def messages(self, ids: Sequence[str]) -> list[Message]:
        """As :meth:`soulmem.store.contract.Store.messages`."""
        return _remembered(ids, self._messages, self._store.messages)


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Value = TypeVar("Value", bound=_Identified)


def _remembered(ids: Sequence[str], known: dict[str, Value | None], fetch: Callable[[Sequence[str]], list[Value]]) -> list[Value]:
    """The values with these ids, in this order; those that are not ``known`` are fetched. ``None``: known not to be there."""
    missing = [one for one in dict.fromkeys(ids) if one not in known]
    if missing:
        known |= dict.fromkeys(missing)
        known |= {value.id: value for value in fetch(missing)}
    return [value for one in ids if (value := known[one]) is not None]


def _frozen(value: Any) -> Hashable:
    """``value`` as something that can be looked up."""
    if isinstance(value, Mapping):
        return tuple((name, _frozen(item)) for name, item in sorted(value.items()))
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, list) and value and all(type(item) is float for item in value):
        return array("d", value).tobytes()  # a vector
    if isinstance(value, list | tuple):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, datetime):
        return value.isoformat()
    # 1, 1.0 and True are equal, but not to the engine.
    return (type(value).__name__, value)
