"""What recalls read of a mind again and again, kept in memory: the owner of all that is kept, and the rule when it is let go of.

While a mind is open nobody but this process changes it, and every change is in the journal. So each recall begins with one look
at the journal; what a new entry has touched is read anew when it is next needed, everything else stays.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

import numpy as np

from soulmem.graph.csr import Subgraph
from soulmem.recall.dense import Dense
from soulmem.recall.links import Links, read_links
from soulmem.recall.table import NoteTable, read_table
from soulmem.recall.told import Telling
from soulmem.recall.words import Words
from soulmem.settings import Settings
from soulmem.store.contract import Store

T = TypeVar("T")

#: From so many entries on that are new in the journal everything is read anew.
MOST_ENTRIES = 100
#: Columns of a note that using and forgetting it change; all others are content.
_STATE = frozenset({"retrieval_count", "last_accessed_at", "strength", "decayed_at", "due_at", "active"})
#: What an entry says it wrote of which nothing is kept here.
_UNKEPT = frozenset({"recalls", "pending", "connected", "chats", "messages", "meta"})
#: The parts that lose their truth by what else an entry may say it wrote. Anything it may say besides takes all of them.
_PARTS_TOUCHED: Mapping[str, tuple[str, ...]] = {
    "updated": (),
    "links": ("links", "graph"),
    "vectors": ("dense",),
    "sources": ("telling",),
}


class Image:
    """A mind as it was after journal entry ``number``. Parts are read when they are first asked for. Safe from any thread."""

    def __init__(self, store: Store, number: int, parts: Mapping[str, Any] | None = None) -> None:
        self.store = store
        self.number = number
        self._parts = dict(parts or {})
        self._guard = threading.RLock()

    @property
    def table(self) -> NoteTable:
        """All notes."""
        return self._part("table", lambda: read_table(self.store))

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Names, and the active notes that have each, by id."""
        return self._part("names", lambda: _read_names(self.store, self.table))

    @property
    def words(self) -> Words:
        """The words of the notes."""
        return self._part("words", lambda: Words(self.store, self.table))

    @property
    def dense(self) -> Dense:
        """The vectors of the notes."""
        return self._part("dense", lambda: Dense(self.store, self.table))

    @property
    def links(self) -> Links:
        """All links."""
        return self._part("links", lambda: read_links(self.store, self.table))

    @property
    def telling(self) -> Telling:
        """The texts and sources of the notes."""
        return self._part("telling", lambda: Telling(self.store, self.table))

    def graph(self, at: datetime, settings: Settings) -> Subgraph:
        """What is walked over. Links fade by the hour: they are weighed at the full hour of ``at``, so that what was weighed
        serves every walk within it."""
        hour = at.replace(minute=0, second=0, microsecond=0)
        with self._guard:
            weighed = self._parts.get("graph")
            if weighed is None or weighed[0] != (hour, settings):
                weighed = self._parts["graph"] = ((hour, settings), self.links.graph(self.table, hour, settings))
            graph: Subgraph = weighed[1]
            return graph

    def _part(self, name: str, read: Callable[[], T]) -> T:
        with self._guard:
            if name not in self._parts:
                self._parts[name] = read()
            part: T = self._parts[name]
            return part

    def after(self, entry: Mapping[str, Any]) -> Image:
        """The mind after ``entry`` of the journal, with the parts that it did not touch."""
        return Image(self.store, entry["number"], self._untouched(json.loads(entry["after"])))

    def _untouched(self, written: Mapping[str, Any]) -> dict[str, Any]:
        with self._guard:
            parts = dict(self._parts)
        touched = written.keys() - _UNKEPT
        if not written or not touched <= _PARTS_TOUCHED.keys() or _is_content(written.get("updated", {})):
            return {}
        for name in {part for what in touched for part in _PARTS_TOUCHED[what]}:
            parts.pop(name, None)
        if "updated" in touched and "table" in parts:
            before: NoteTable = parts["table"]
            parts["table"] = before.with_rows(self.store.query("recall.envelopes", ids=list(written["updated"])))
            if not np.array_equal(before.active, parts["table"].active):
                parts.pop("names", None)
                parts.pop("graph", None)
        return parts


class Images:
    """The image of a mind, kept up to date. One for each mind that is open."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._guard = threading.Lock()
        self._image: Image | None = None

    def current(self) -> Image:
        """The mind as it is now."""
        with self._guard:
            if self._image is None:
                self._image = self._new()
            for _ in range(MOST_ENTRIES):
                number = self._image.number + 1
                if not self._store.query("recall.written", number=number):
                    return self._image
                self._image = self._image.after(self._store.query("store.operation", number=number)[0])
            self._image = self._new()
            return self._image

    def _new(self) -> Image:
        return Image(self._store, self._store.query("store.last_operation")[0]["number"] or 0)


def _is_content(updated: Mapping[str, Mapping[str, Any]]) -> bool:
    return any(column not in _STATE for values in updated.values() for column in values)


def _read_names(store: Store, table: NoteTable) -> dict[str, tuple[str, ...]]:
    columns: dict[str, Any] = dict(store.columns("recall.all_names"))
    owners: dict[str, list[int]] = {}
    for name, place in zip(columns["name"], table.places_of(columns["id"]).tolist(), strict=True):
        if place >= 0 and table.active[place]:
            owners.setdefault(name, []).append(place)
    return {name: tuple(table.ids[place] for place in sorted(places)) for name, places in owners.items()}
