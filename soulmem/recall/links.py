"""All links between the notes of a mind as columns, and the graph that the walk goes over (SPEC §4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.graph.actions import Trigger
from soulmem.graph.csr import Subgraph, assembled, link_weight
from soulmem.graph.decay import link_intensities
from soulmem.model.links import LinkType
from soulmem.model.notes import NoteType
from soulmem.recall.scoring import Floats
from soulmem.recall.table import MILLISECONDS_AN_HOUR, Ints, NoteTable, milliseconds
from soulmem.settings import Settings
from soulmem.store.contract import Store

_TYPES = tuple(sorted(LinkType))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Links:
    """Columns of one length, by source, target and type. ``sources`` and ``targets`` are places in the table of notes; the links
    of place ``v`` are ``indptr[v]`` to ``indptr[v + 1]``. ``types``: numbers of the sorted :class:`LinkType`; ``since``:
    milliseconds since 1970; ``confidences``, ``probabilities``: NaN and ``verbs``: empty where the type has none."""

    sources: Ints
    targets: Ints
    indptr: Ints
    types: Ints
    intensities: Floats
    since: Ints
    confidences: Floats
    probabilities: Floats
    verbs: Sequence[str]

    def graph(self, table: NoteTable, at: datetime, settings: Settings) -> Subgraph:
        """The graph of all links to notes that are active, with the weights of ``at``."""
        hours = (milliseconds(at) - self.since) / MILLISECONDS_AN_HOUR
        kinds = np.array([kind.value for kind in _TYPES])[self.types]
        into_procedure = table.are(NoteType.PROCEDURE)[self.targets]
        intensities = link_intensities(self.intensities, hours, settings)
        weights = link_weight(kinds, into_procedure, self.confidences, intensities, settings)
        kept = table.active[self.targets]
        loaded = np.ones(len(table), dtype=np.bool_)
        return assembled(dict(table.places), self.sources[kept], self.targets[kept], weights[kept], loaded)

    def of(self, place: int) -> range:
        """The links that leave a note."""
        return range(self.indptr[place], self.indptr[place + 1])

    def between(self, source: int, target: int) -> tuple[LinkType, str]:
        """Type and verb of the first link from ``source`` to ``target``; there is one."""
        links = [link for link in self.of(source) if self.targets[link] == target]
        return min((_TYPES[self.types[link]], self.verbs[link]) for link in links)

    def triggers(self, ids: Sequence[str], table: NoteTable) -> list[Trigger]:
        """The links by which these notes trigger ways of acting."""
        return [
            Trigger(note, table.ids[self.targets[link]], float(self.probabilities[link]))
            for note, link in self._into_procedures(ids, table)
            if _TYPES[self.types[link]] is LinkType.PROC
        ]

    def known_procedures(self, ids: Sequence[str], table: NoteTable) -> list[tuple[str, str]]:
        """(note, procedure) of the links by which these notes know of a procedure without triggering it."""
        return [
            (note, table.ids[self.targets[link]])
            for note, link in self._into_procedures(ids, table)
            if _TYPES[self.types[link]] is not LinkType.PROC
        ]

    def _into_procedures(self, ids: Sequence[str], table: NoteTable) -> Iterator[tuple[str, int]]:
        for note in ids:
            for link in self.of(table.places[note]):
                target = int(self.targets[link])
                if table.active[target] and table.type(target) is NoteType.PROCEDURE:
                    yield note, link


def read_links(store: Store, table: NoteTable) -> Links:
    """All links of ``store`` between notes of ``table``."""
    columns = [_read(store, table, kind, number) for number, kind in enumerate(_TYPES)]
    sources, targets, types, intensities, since, confidences, probabilities, verbs = (
        np.concatenate(parts) for parts in zip(*columns, strict=True)
    )
    known = np.flatnonzero((sources >= 0) & (targets >= 0))
    order = known[np.lexsort((types[known], targets[known], sources[known]))]
    indptr = np.zeros(len(table) + 1, dtype=np.int64)
    np.cumsum(np.bincount(sources[order], minlength=len(table)), out=indptr[1:])
    return Links(
        sources=sources[order],
        targets=targets[order],
        indptr=indptr,
        types=types[order],
        intensities=intensities[order],
        since=since[order],
        confidences=confidences[order],
        probabilities=probabilities[order],
        verbs=_shared(verbs[order].tolist()),
    )


def _shared(texts: Sequence[str]) -> list[str]:
    """The same texts, each kept once."""
    once: dict[str, str] = {}
    return [once.setdefault(text, text) for text in texts]


def _read(store: Store, table: NoteTable, kind: LinkType, number: int) -> list[NDArray[Any]]:
    columns: dict[str, Any] = dict(store.columns(f"recall.links_{kind.value.lower()}"))
    length = len(columns["source"])
    missing = np.full(length, np.nan)
    return [
        table.places_of(columns["source"]),
        table.places_of(columns["target"]),
        np.full(length, number, dtype=np.int64),
        columns["intensity"],
        columns["since"],
        columns.get("confidence", missing),
        columns.get("prob", missing),
        np.array(columns.get("verb", [""] * length), dtype=object),
    ]
