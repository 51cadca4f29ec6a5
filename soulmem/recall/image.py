"""What recalls read of a mind again and again, kept in memory: the owner of all that is kept, and the rule when it is let go of.

While a mind is open nobody but this process changes it, and every change is in the journal. So each recall begins with one look
at the journal; what a new entry has touched is read anew when it is next needed, everything else stays.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from soulmem.recall.asked import MOST_WHOLE, Kept
from soulmem.recall.dense import Dense
from soulmem.recall.gaps import index_gaps
from soulmem.recall.links import Links
from soulmem.recall.table import NoteTable, read_table
from soulmem.recall.told import Telling
from soulmem.recall.words import Words
from soulmem.store.contract import Store

T = TypeVar("T")

#: From so many entries on that are new in the journal everything is read anew.
MOST_ENTRIES = 100
#: When more notes than this are new or changed, everything is read anew.
MOST_CHANGED = 1000
#: Columns of a note that using and forgetting it change; all others are content.
_STATE = frozenset(
    {"retrieval_count", "last_accessed_at", "strength", "decayed_at", "due_at", "active", "asleep", "pinned"}
    | {"valid_from", "valid_until"}
)
#: Columns that change what is told of a note, and not what it is found by.
_GUESSED = frozenset({"revised_narrative", "revised_content", "revised_description", "revised_missing"})
#: What an entry says it wrote of which nothing is kept here.
_UNKEPT = frozenset({"recalls", "pending", "connected", "chats", "messages", "meta", "supersedes", "named"})
#: What else an entry may say it wrote of which is known what to read anew. Anything it may say besides takes all.
_FOLLOWED = frozenset(
    {"notes", "updated", "links", "link_updates", "links_removed", "link_sources", "words", "vectors", "sources"}
)


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
    def names(self) -> Kept[str]:
        """Of names the active notes that have each, by id."""
        return self._part("names", lambda: _names(self.store, self.table))

    @property
    def standing(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """Of texts that were looked at the names in them, each with the notes that have it; the reader fills it."""
        return self._part("standing", dict)

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
        """The links between the notes, pulled as they are asked for."""
        return self._part("links", lambda: Links(self.store, self.table))

    @property
    def telling(self) -> Telling:
        """The texts and sources of the notes."""
        return self._part("telling", lambda: Telling(self.store, self.table))

    @property
    def secrets(self) -> Mapping[str, tuple[str, ...]]:
        """Notes that were told in confidence: from whom each is kept."""
        return self._part("secrets", lambda: _secrets(self.store))

    @property
    def gaps(self) -> int:
        """How many notes and messages have lost their words or their vector."""
        return self._part("gaps", lambda: index_gaps(self.store))

    def _part(self, name: str, read: Callable[[], T]) -> T:
        with self._guard:
            if name not in self._parts:
                self._parts[name] = read()
            part: T = self._parts[name]
            return part

    def after(self, entry: Mapping[str, Any]) -> Image:
        """The mind after ``entry`` of the journal, with the parts that it did not touch."""
        with self._guard:
            parts = dict(self._parts)
        return Image(self.store, entry["number"], _after(self.store, parts, json.loads(entry["after"])))


class Images:
    """The image of a mind, kept up to date. One for each mind that is open."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._guard = threading.Lock()
        self._image: Image | None = None

    @property
    def known(self) -> Image:
        """The mind as it was when it was looked at last; as it is now, if it was not."""
        with self._guard:
            self._image = self._image or self._new()
            return self._image

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


def _secrets(store: Store) -> dict[str, tuple[str, ...]]:
    return {row["id"]: tuple(row["kept_from"]) for row in store.query("recall.secrets")}


def _names(store: Store, table: NoteTable) -> Kept[str]:
    def some(names: Sequence[str]) -> list[tuple[str, str]]:
        known = [row["name"] for row in store.query("recall.known_names", names=list(names))]
        rows = store.query("recall.names", names=known) if known else []
        return [(row["name"], row["id"]) for row in rows if row["id"] in table.places]

    def whole() -> list[tuple[str, str]]:
        columns: dict[str, Any] = dict(store.columns("recall.all_names"))
        places = table.places_of(columns["id"]).tolist()
        owned = zip(places, columns["name"], strict=True)
        return [(name, table.ids[place]) for place, name in sorted(owned) if place >= 0 and table.active[place]]

    return Kept(some, whole if len(table) <= MOST_WHOLE else None)


def _after(store: Store, parts: Mapping[str, Any], written: Mapping[str, Any]) -> dict[str, Any]:
    """What of ``parts`` still holds, brought up to what was ``written``."""
    created, updated = written.get("notes", []), written.get("updated", {})
    followed = bool(written) and written.keys() <= _UNKEPT | _FOLLOWED
    if not followed or "table" not in parts or len(created) + len(updated) > MOST_CHANGED:
        return {}
    before: NoteTable = parts["table"]
    table = before.after(store.query("recall.envelopes", ids=[*created, *updated])) if created or updated else before
    anew = (owner for owner in written.get("words", ()) if owner in table.places)
    revised = {*created, *anew, *(note for note, values in updated.items() if values.keys() - _STATE - _GUESSED)}
    changed = _Changed(
        store=store,
        table=table,
        is_longer=len(table) != len(before),
        revised=frozenset(revised),
        retold=frozenset(note for note, values in updated.items() if values.keys() & _GUESSED),
        vectors=frozenset({*revised, *written.get("vectors", [])}),
        links=tuple(written.get("links", [])),
        link_sources=tuple(written.get("link_sources", [])),
        sources=frozenset(note for note, _ in written.get("sources", [])),
    )
    kept = {"table": table, **{name: follow(parts[name], changed) for name, follow in _FOLLOW.items() if name in parts}}
    if not revised:
        kept |= {name: parts[name] for name in ("words", "names", "standing", "secrets") if name in parts}
    if parts.get("gaps") == 0:  # an entry that is followed makes none
        kept["gaps"] = 0
    if changed.is_longer or not np.array_equal(before.active, table.active):
        kept.pop("names", None)
        kept.pop("standing", None)
    return kept


@dataclass(frozen=True, slots=True, kw_only=True)
class _Changed:
    """What an entry of the journal has changed. ``table``: all notes after it; ``revised``: notes whose content is new;
    ``retold``: of which something was guessed; ``vectors``: those whose vectors may be; ``links``: ids of links that are new;
    ``link_sources``: notes of whose links some were changed or cut; ``sources``: notes with new sources."""

    store: Store
    table: NoteTable
    is_longer: bool
    revised: frozenset[str]
    retold: frozenset[str]
    vectors: frozenset[str]
    links: tuple[str, ...]
    link_sources: tuple[str, ...]
    sources: frozenset[str]


def _links_after(links: Links, changed: _Changed) -> Links:
    found = changed.store.query("recall.link_sources", ids=list(changed.links))
    moved = links.extended(changed.table) if changed.is_longer else links.over(changed.table)
    sources = [*(row["source"] for row in found), *changed.link_sources]
    return moved.without(sources) if sources else moved


def _dense_after(dense: Dense, changed: _Changed) -> Dense:
    return dense.after(changed.table, sorted(changed.vectors)) if changed.vectors or changed.is_longer else dense


def _telling_after(telling: Telling, changed: _Changed) -> Telling:
    return telling.after(changed.table, changed.revised | changed.retold | changed.sources)


_FOLLOW: Mapping[str, Callable[[Any, _Changed], Any]] = {
    "links": _links_after,
    "dense": _dense_after,
    "telling": _telling_after,
}
