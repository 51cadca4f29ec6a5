"""The links between the notes of a mind: pulled by Cypher when a walk first asks for them, then kept as columns (SPEC §4.3)."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.graph.actions import Trigger
from soulmem.graph.csr import Subgraph, assembled, link_weight, row_pointers
from soulmem.graph.decay import link_intensities
from soulmem.model.links import CONTRADICTS, LinkType
from soulmem.model.notes import NoteType
from soulmem.recall.scoring import Floats
from soulmem.recall.table import MILLISECONDS_AN_HOUR, Bools, Ints, NoteTable, each_once, milliseconds
from soulmem.settings import Settings
from soulmem.store.contract import Store

_TYPES = tuple(sorted(LinkType))
_NUMBERS = {kind.value: number for number, kind in enumerate(_TYPES)}

#: So many links are kept; when there are more, a walk begins with none.
MOST_KEPT = 3_000_000
#: The engine goes through all it is asked for at every note: so many notes are asked for at once.
ASKED_AT_ONCE = 400
#: When a walk asks for more than one note in so many, reading all links takes less time than it and the next step, which will ask
#: for some twenty times as many.
WHOLE_SHARE = 512
#: Of a mind with more notes the links are never all read at once.
MOST_WHOLE = 200_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LinkColumns:
    """Columns of one length, by source, target and type. ``sources`` and ``targets`` are places in the table of notes; the links
    of place ``v`` are ``indptr[v]`` to ``indptr[v + 1]``, if it is ``loaded``. ``types``: numbers of the sorted
    :class:`LinkType`; ``since``: milliseconds since 1970; ``confidences``, ``probabilities``: NaN where the type has none, as
    ``verbs`` are empty or ``None``."""

    sources: Ints
    targets: Ints
    types: Ints
    intensities: Floats
    since: Ints
    confidences: Floats
    probabilities: Floats
    verbs: NDArray[np.object_]
    indptr: Ints
    loaded: Bools

    def __len__(self) -> int:
        return len(self.sources)

    def of(self, place: int) -> range:
        """The links that leave a note."""
        return range(self.indptr[place], self.indptr[place + 1])

    def where(self, kept: Bools, loaded: Bools) -> LinkColumns:
        """The links of the mask ``kept``; ``loaded``: of which notes these are all."""
        return _by_source([getattr(self, name)[kept] for name in _COLUMNS], loaded)

    def moved(self, places: Ints, notes: int) -> LinkColumns:
        """The same links in a table of ``notes`` notes, where the note of place ``v`` is at ``places[v]``."""
        loaded = np.zeros(notes, dtype=np.bool_)
        loaded[places[self.loaded]] = True
        ends = [places[self.sources], places[self.targets]]
        return _by_source([*ends, *(getattr(self, name) for name in _COLUMNS[2:])], loaded)


_SOURCES, _TARGETS = 0, 1
_COLUMNS = tuple(field.name for field in fields(LinkColumns) if field.name not in {"indptr", "loaded"})


class Links:
    """The links pulled so far of the notes of one table. Safe from any thread. A :class:`~soulmem.graph.walk.Loader` comes from
    :meth:`at`."""

    def __init__(self, store: Store, table: NoteTable, kept: LinkColumns | None = None) -> None:
        self._store = store
        self._table = table
        self._guard = threading.RLock()
        self._kept = kept or _nothing(len(table))
        self._weighed: tuple[datetime, Settings, LinkColumns, Subgraph] | None = None

    @property
    def kept(self) -> LinkColumns:
        """What was pulled so far."""
        return self._kept

    def at(self, moment: datetime, settings: Settings) -> LinksAt:
        """The links to walk over at ``moment``. Links fade by the hour: they are weighed at its full hour, so that what was
        weighed serves every walk within it."""
        with self._guard:
            if len(self._kept) > MOST_KEPT:
                self._kept = _nothing(len(self._table))
        return LinksAt(self, moment.replace(minute=0, second=0, microsecond=0), settings)

    def over(self, table: NoteTable) -> Links:
        """The same links where only the state of the notes has changed."""
        return Links(self._store, table, self._kept)

    def extended(self, table: NoteTable) -> Links:
        """The same links in a table with more notes."""
        return Links(self._store, table, self._kept.moved(table.places_of(self._table.ids), len(table)))

    def without(self, notes: Collection[str]) -> Links:
        """As if the links of these notes had not been pulled."""
        loaded = self._kept.loaded.copy()
        loaded[[self._table.places[note] for note in notes if note in self._table.places]] = False
        return Links(self._store, self._table, self._kept.where(loaded[self._kept.sources], loaded))

    def places(self, notes: Sequence[str]) -> Ints:
        """The places of these notes in the table."""
        return self._table.places_of(notes)

    def loaded(self, places: Ints, *, beyond: bool) -> LinkColumns:
        """What is kept, with all links of ``places``. ``beyond``: those of the notes they lead to are pulled along."""
        with self._guard:
            missing = places[~self._kept.loaded[places]]
            if len(missing):
                self._kept = self._whole() if self._is_much(len(missing)) else self._with(missing, beyond)
            return self._kept

    def _is_much(self, asked: int) -> bool:
        return asked * WHOLE_SHARE > len(self._table) and len(self._table) <= MOST_WHOLE

    def _whole(self) -> LinkColumns:
        parts = [_read(self._store, self._table, f"links_{kind.value.lower()}", number) for number, kind in enumerate(_TYPES)]
        return _by_source(_joined(parts), np.ones(len(self._table), dtype=np.bool_))

    def _with(self, missing: Ints, beyond: bool) -> LinkColumns:
        """What is kept and the links of the notes ``missing``, and those ``beyond``: each note's are taken once."""
        loaded = self._kept.loaded.copy()
        loaded[missing] = True
        parts = [[getattr(self._kept, name) for name in _COLUMNS]]
        for first in range(0, len(missing), ASKED_AT_ONCE):
            ids = [self._table.ids[place] for place in missing[first : first + ASKED_AT_ONCE].tolist()]
            near = _read(self._store, self._table, "neighbours", ids=ids)
            parts.append(near)
            reached = np.zeros(len(self._table), dtype=np.bool_)
            reached[near[_TARGETS]] = beyond
            fresh = reached & ~loaded
            if fresh.any():
                far = _read(self._store, self._table, "neighbours_beyond", ids=ids)
                parts.append([column[fresh[far[_SOURCES]]] for column in far])
                loaded |= fresh
        return _by_source(_joined(parts), loaded)

    def graph(self, hour: datetime, settings: Settings, kept: LinkColumns) -> Subgraph:
        """The graph of the links ``kept`` between notes that are active and awake, with the weights of ``hour``."""
        with self._guard:
            weighed = self._weighed
            if weighed is None or weighed[0] != hour or weighed[1] != settings or weighed[2] is not kept:
                weighed = self._weighed = (hour, settings, kept, _graph(kept, self._table, hour, settings))
            return weighed[3]

    def between(self, source: int, target: int) -> tuple[LinkType, str]:
        """Type and verb of the first link from ``source`` to ``target``; there is one."""
        kept = self.loaded(np.array([source]), beyond=False)
        links = [link for link in kept.of(source) if kept.targets[link] == target]
        return min((_TYPES[kept.types[link]], kept.verbs[link] or "") for link in links)

    def asleep_near(self, ids: Sequence[str]) -> frozenset[str]:
        """The notes that a link of these notes leads to, and that are asleep: nothing is carried to them."""
        places = self._table.places_of(ids)
        kept = self.loaded(places, beyond=False)
        targets = [kept.targets[kept.indptr[place] : kept.indptr[place + 1]] for place in places.tolist()]
        reached = np.unique(np.concatenate(targets)) if targets else np.zeros(0, dtype=np.int64)
        asleep = reached[(self._table.asleep & self._table.active)[reached]]
        return frozenset(self._table.ids[place] for place in asleep.tolist())

    def contradicted(self, note: str) -> list[str]:
        """The notes that say otherwise than this one, of which nobody knows which is newer; by id."""
        place = self._table.places[note]
        kept = self.loaded(np.array([place]), beyond=False)
        return sorted(self._table.ids[int(kept.targets[row])] for row in kept.of(place) if kept.verbs[row] in CONTRADICTS)

    def triggers(self, ids: Sequence[str]) -> list[Trigger]:
        """The links by which these notes trigger ways of acting."""
        return [
            Trigger(note, self._table.ids[kept.targets[link]], float(kept.probabilities[link]))
            for note, link, kept in self._into_procedures(ids)
            if _TYPES[kept.types[link]] is LinkType.PROC
        ]

    def known_procedures(self, ids: Sequence[str]) -> list[tuple[str, str]]:
        """(note, procedure) of the links by which these notes know of a procedure without triggering it."""
        return [
            (note, self._table.ids[kept.targets[link]])
            for note, link, kept in self._into_procedures(ids)
            if _TYPES[kept.types[link]] is not LinkType.PROC
        ]

    def _into_procedures(self, ids: Sequence[str]) -> Iterator[tuple[str, int, LinkColumns]]:
        kept = self.loaded(self._table.places_of(ids), beyond=False)
        for note in ids:
            for link in kept.of(self._table.places[note]):
                target = int(kept.targets[link])
                if self._table.active[target] and self._table.type(target) is NoteType.PROCEDURE:
                    yield note, link, kept


@dataclass(frozen=True, slots=True)
class LinksAt:
    """The links of a mind as a walk at ``hour`` loads them, see :class:`~soulmem.graph.walk.Loader`."""

    links: Links
    hour: datetime
    settings: Settings

    def graph(self, notes: Collection[str]) -> Subgraph:
        """What was pulled so far; every note of the table is a node of it."""
        return self.links.graph(self.hour, self.settings, self.links.kept)

    def load(self, notes: Sequence[str]) -> Subgraph:
        """As :meth:`graph`, with the links of ``notes`` and of the notes that they lead to."""
        kept = self.links.loaded(self.links.places(notes), beyond=True)
        return self.links.graph(self.hour, self.settings, kept)


def _graph(kept: LinkColumns, table: NoteTable, hour: datetime, settings: Settings) -> Subgraph:
    hours = (milliseconds(hour) - kept.since) / MILLISECONDS_AN_HOUR
    kinds = np.array([kind.value for kind in _TYPES])[kept.types]
    into_procedure = table.are(NoteType.PROCEDURE)[kept.targets]
    intensities = link_intensities(kept.intensities, hours, settings)
    weights = link_weight(kinds, into_procedure, kept.confidences, intensities, settings)
    awake = table.active & ~table.asleep
    carries = awake[kept.targets] & ~table.asleep[kept.sources]
    return assembled(dict(table.places), kept.sources[carries], kept.targets[carries], weights[carries], kept.loaded.copy())


def _read(store: Store, table: NoteTable, query: str, number: int | None = None, **parameters: Any) -> list[NDArray[Any]]:
    """The columns that a query gives. ``number``: of the type of all links, where the query does not tell it."""
    found: dict[str, Any] = dict(store.columns(f"recall.{query}", **parameters))
    length = len(found["source"])
    missing = np.full(length, np.nan)
    types = [number] * length if number is not None else [_NUMBERS[kind] for kind in found["type"]]
    columns: list[NDArray[Any]] = [
        table.places_of(found["source"]),
        table.places_of(found["target"]),
        np.array(types, dtype=np.int64),
        np.asarray(found["intensity"], dtype=np.float64),
        np.asarray(found["since"], dtype=np.int64),
        np.asarray(found.get("confidence", missing), dtype=np.float64),
        np.asarray(found.get("prob", missing), dtype=np.float64),
        _shared(found.get("verb", [""] * length)),
    ]
    known = np.asarray((columns[_SOURCES] >= 0) & (columns[_TARGETS] >= 0))
    return columns if known.all() else [column[known] for column in columns]


def _shared(texts: Sequence[str | None]) -> NDArray[np.object_]:
    shared = np.empty(len(texts), dtype=object)
    shared[:] = each_once(texts)
    return shared


def _joined(parts: Sequence[Sequence[NDArray[Any]]]) -> list[NDArray[Any]]:
    return [np.concatenate(columns) for columns in zip(*parts, strict=True)]


def _by_source(columns: Sequence[NDArray[Any]], loaded: Bools) -> LinkColumns:
    """The links in order, of the notes ``loaded``."""
    named = dict(zip(_COLUMNS, columns, strict=True))
    order = np.lexsort((named["types"], named["targets"], named["sources"]))
    indptr = row_pointers(named["sources"], len(loaded))
    return LinkColumns(**{name: column[order] for name, column in named.items()}, indptr=indptr, loaded=loaded)


def _nothing(notes: int) -> LinkColumns:
    kinds = (np.int64, np.int64, np.int64, np.float64, np.int64, np.float64, np.float64, object)
    return _by_source([np.zeros(0, dtype=kind) for kind in kinds], np.zeros(notes, dtype=np.bool_))
