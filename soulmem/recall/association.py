"""Walking from what was found: the links come from the store, the mathematics from :mod:`soulmem.graph` (SPEC §4.3, §4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.graph.actions import Trigger
from soulmem.graph.csr import link_weight
from soulmem.graph.decay import elapsed_hours, link_intensities
from soulmem.graph.walk import Neighbourhood
from soulmem.model.links import LinkType
from soulmem.model.notes import NoteType
from soulmem.settings import Settings
from soulmem.store.contract import Store

Row = Mapping[str, Any]


@dataclass(slots=True)
class LinkSource:
    """Pulls links from the store and keeps them, so that no later walk over the same mind asks for them again.

    Links fade by the hour: their intensity is that at the full hour of ``at``, so that what is kept serves every walk within it.
    """

    store: Store
    settings: Settings
    at: datetime
    _rows: dict[str, list[Row]] = field(default_factory=dict)

    @property
    def hour(self) -> datetime:
        """The time at which links are weighed."""
        return self.at.replace(minute=0, second=0, microsecond=0)

    def pull(self, ids: Sequence[str]) -> Neighbourhood:
        """All out-links of ``ids`` with their weights in the walk."""
        rows = self.rows(ids)
        if not rows:
            return Neighbourhood((), (), ())
        return Neighbourhood([row["source"] for row in rows], [row["target"] for row in rows], self._weights(rows))

    def rows(self, ids: Sequence[str]) -> list[Row]:
        """The rows of ``recall.neighbours`` of these notes, note by note."""
        unknown = [note for note in ids if note not in self._rows]
        if unknown:
            self._rows |= {note: [] for note in unknown}
            for row in self.store.query("recall.neighbours", ids=unknown):
                self._rows[row["source"]].append(row)
        return [row for note in ids for row in self._rows[note]]

    def link(self, source: str, target: str) -> Row:
        """The first link from ``source`` to ``target``, both on a walk."""
        return next(row for row in self.rows([source]) if row["target"] == target)

    def triggers(self, ids: Sequence[str]) -> list[Trigger]:
        """The Proc links of these notes."""
        rows = self.rows(ids)
        return [Trigger(row["source"], row["target"], row["prob"]) for row in rows if row["type"] == LinkType.PROC]

    def known_procedures(self, ids: Sequence[str]) -> list[tuple[str, str]]:
        """(source, procedure) of the links by which these notes know of a procedure without triggering it."""
        rows = self.rows(ids)
        into = [row for row in rows if row["target_type"] == NoteType.PROCEDURE and row["type"] != LinkType.PROC]
        return [(row["source"], row["target"]) for row in into]

    def _weights(self, rows: Sequence[Row]) -> NDArray[np.float64]:
        hours = [elapsed_hours(row["since"], self.hour) for row in rows]
        intensity = link_intensities([row["intensity"] for row in rows], hours, self.settings)
        confidence = [np.nan if row["confidence"] is None else row["confidence"] for row in rows]
        into_procedure = [row["target_type"] == NoteType.PROCEDURE for row in rows]
        return link_weight([row["type"] for row in rows], into_procedure, confidence, intensity, self.settings)
