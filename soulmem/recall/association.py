"""Walking from what was found: the links come from the store, the mathematics from :mod:`soulmem.graph` (SPEC §4.3, §4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np

from soulmem.graph.actions import Trigger
from soulmem.graph.csr import link_weight
from soulmem.graph.decay import link_intensity
from soulmem.graph.walk import Neighbourhood
from soulmem.model.links import LinkType
from soulmem.model.notes import NoteType
from soulmem.settings import Settings
from soulmem.store.contract import Store


@dataclass(frozen=True, slots=True)
class SeenLink:
    """A link the walk pulled: what a path is told with."""

    type: LinkType
    verb: str


@dataclass(slots=True)
class LinkSource:
    """Pulls links from the store for one walk and remembers what they were, so that paths and actions need no second look.

    ``triggers``: Proc links; ``knows``: (Semantic or other source, Procedure) of Sem links into procedures, in the order pulled.
    """

    store: Store
    settings: Settings
    at: datetime
    links: dict[tuple[str, str], SeenLink] = field(default_factory=dict)
    triggers: list[Trigger] = field(default_factory=list)
    knows: list[tuple[str, str]] = field(default_factory=list)

    def pull(self, ids: Sequence[str]) -> Neighbourhood:
        """All out-links of ``ids`` with their weights in the walk."""
        rows = self.store.query("recall.neighbours", ids=list(ids))
        if not rows:
            return Neighbourhood((), (), ())
        weights = self._weights(rows)
        for row in rows:
            self._remember(row)
        return Neighbourhood([row["source"] for row in rows], [row["target"] for row in rows], weights)

    def _weights(self, rows: Sequence[Mapping[str, Any]]) -> np.ndarray[Any, np.dtype[np.float64]]:
        intensity = [link_intensity(row["intensity"], row["since"], self.at, self.settings) for row in rows]
        confidence = [row["confidence"] if row["confidence"] is not None else np.nan for row in rows]
        into_procedure = [row["target_type"] == NoteType.PROCEDURE for row in rows]
        return link_weight([row["type"] for row in rows], into_procedure, confidence, intensity, self.settings)

    def _remember(self, row: Mapping[str, Any]) -> None:
        source, target, kind = row["source"], row["target"], LinkType(row["type"])
        self.links.setdefault((source, target), SeenLink(kind, row["verb"] or ""))
        if kind is LinkType.PROC:
            self.triggers.append(Trigger(source, target, row["prob"]))
        elif row["target_type"] == NoteType.PROCEDURE:
            self.knows.append((source, target))
