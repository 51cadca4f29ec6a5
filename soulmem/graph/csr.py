"""Graphs as arrays: compressed sparse rows over note ids, and how a link's fields become its weight (SPEC §4.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soulmem.errors import InputError
from soulmem.model.links import LinkType
from soulmem.settings import Settings

#: Weights are finite, and so is the sum of a row.
LARGEST_WEIGHT = 1e200
#: A row whose weights sum to less counts as one without weight: its shares could not be computed.
LEAST_TOTAL = 1e-200

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
#: Targets of links: int32 in a graph; what users give may be int64 too.
Indices = NDArray[np.int32] | NDArray[np.int64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Subgraph:
    """The part of a mind's links that was pulled so far, as compressed sparse rows. Build one with :func:`subgraph`.

    Node ``v`` is ``ids[v]``; its out-links are ``indices[indptr[v]:indptr[v + 1]]`` with the transition probabilities ``weights``
    of the same places. A row sums to 1, or holds only zeros (a dangling node), or is empty. Parallel links are one link with
    the sum of their weights. The arrays are read-only.

    ids: the note ids, without duplicates; places: from id to node.
    indptr: int64, length ``len(ids) + 1``, from 0, never falling.
    indices: int32, targets, rising within a row.
    weights: float64, 0..1, transition probabilities; totals: their sums by row, to rounding 1 or 0.
    loaded: bool per node: whether its out-links were pulled. A node not loaded has an empty row, but is not known to be dangling.
    """

    ids: tuple[str, ...]
    places: Mapping[str, int]
    indptr: IntArray
    indices: NDArray[np.int32]
    weights: FloatArray
    totals: FloatArray
    loaded: BoolArray

    def __len__(self) -> int:
        return len(self.ids)

    def row(self, node: int) -> tuple[NDArray[np.int32], FloatArray]:
        """Targets and transition probabilities of ``node``'s out-links."""
        place = slice(self.indptr[node], self.indptr[node + 1])
        return self.indices[place], self.weights[place]


def subgraph(
    ids: Sequence[str],
    sources: ArrayLike,
    targets: ArrayLike,
    weights: ArrayLike,
    *,
    loaded: ArrayLike | None = None,
) -> Subgraph:
    """Rows from a list of links, in any order.

    ``sources`` and ``targets`` are places in ``ids``; ``weights`` are finite and ≥ 0, not normalised; all three have one length.
    ``loaded`` is one bool per id (default: all ``True``); a link from a node not loaded is refused, for its row would be partial.
    Raises :class:`InputError`.
    """
    n = len(ids)
    places = {note: place for place, note in enumerate(ids)}
    if len(places) != n:
        raise InputError("A graph names one note twice.", advice="Give each id once.")
    starts, ends, values = checked_links(n, sources, targets, weights)
    mask = np.ones(n, dtype=np.bool_) if loaded is None else np.array(loaded, dtype=np.bool_)
    if mask.shape != (n,):
        raise InputError(f"The mask of loaded nodes has shape {mask.shape}, but there are {n} nodes.")
    if not mask[starts].all():
        raise InputError("A link starts at a node that is marked as not loaded.")
    return assembled(places, starts, ends, values, mask)


def assembled(places: dict[str, int], sources: IntArray, targets: Indices, weights: FloatArray, loaded: BoolArray) -> Subgraph:
    """As :func:`subgraph`, of values known to be sound: ``places`` counts from 0 in its order. Keeps it and ``loaded``."""
    indptr, indices, summed = compressed(len(places), sources, targets, weights)
    shares = normalised(indptr, summed)
    totals = row_totals(indptr, shares)
    for array in (indptr, indices, shares, totals, loaded):
        array.flags.writeable = False
    return Subgraph(tuple(places), MappingProxyType(places), indptr, indices, shares, totals, loaded)


def compressed(
    n: int, sources: IntArray, targets: Indices, weights: FloatArray
) -> tuple[IntArray, NDArray[np.int32], FloatArray]:
    """``(indptr, indices, weights)`` of links sorted by source, then target; parallel links are summed, the lightest first, so
    that the order in which links come changes nothing."""
    pair = sources * n + targets
    order = np.lexsort((weights, pair))
    pair, values = pair[order], weights[order]
    first = np.flatnonzero(np.concatenate(([True], pair[1:] != pair[:-1]))) if len(pair) else np.zeros(0, dtype=np.int64)
    summed = np.add.reduceat(values, first) if len(first) else values
    rows, columns = np.divmod(pair[first], n) if n else (pair, pair)
    return row_pointers(rows, n), columns.astype(np.int32), summed


def row_pointers(rows: IntArray | NDArray[np.int32], n: int) -> IntArray:
    """``indptr`` of links sorted by row, of which ``rows`` tells the row of each; there are ``n`` rows."""
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=n), out=indptr[1:])
    return indptr


def row_of_each_link(indptr: IntArray) -> IntArray:
    """For every link, the node it starts from."""
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))


def row_totals(indptr: IntArray, weights: FloatArray) -> FloatArray:
    """The sum of every row."""
    return np.bincount(row_of_each_link(indptr), weights, minlength=len(indptr) - 1).astype(np.float64, copy=False)


def normalised(indptr: IntArray, weights: FloatArray) -> FloatArray:
    """Weights divided by the sum of their row; rows without weight stay zero."""
    rows = row_of_each_link(indptr)
    totals = np.bincount(rows, weights, minlength=len(indptr) - 1)[rows]
    return np.divide(weights, totals, out=np.zeros_like(weights), where=totals >= LEAST_TOTAL)


def link_weight(
    link_type: Sequence[str] | NDArray[np.str_],
    target_is_procedure: ArrayLike,
    confidence: ArrayLike,
    intensity: ArrayLike,
    settings: Settings,
) -> FloatArray:
    """Weights of links, ``w = (I·i + cb·c + tb) / (i + c + tb)`` with ``i``, ``c`` the prior intensity and confidence.

    All arguments hold one entry per link. ``link_type``: names of :class:`LinkType`. ``confidence``: 0..1, read for Sem links
    only (anything, also NaN, elsewhere). ``intensity``: effective intensity ≥ 0 (:func:`soulmem.graph.decay.link_intensity`).
    (cb, tb) are (settled confidence, preference for situations) for Situation links and (confidence, preference for semantics)
    for Sem links. A link into a Procedure weighs 0, and so does one whose denominator is 0. Raises :class:`InputError`.
    """
    types = np.asarray(link_type, dtype=np.str_)
    sem, situation = types == LinkType.SEM.value, types == LinkType.SITUATION.value
    if not (sem | situation | (types == LinkType.PROC.value)).all():
        raise InputError(f"Unknown link types: {sorted(set(types.tolist()) - set(LinkType))}.")
    confidences = np.where(sem, np.asarray(confidence, dtype=np.float64), settings.situation_link_confidence)
    strengths = np.asarray(intensity, dtype=np.float64)
    if not ((confidences >= 0) & (confidences <= 1)).all():
        raise InputError("A Sem link's confidence is outside 0..1 or missing.")
    if not ((strengths >= 0) & np.isfinite(strengths)).all():
        raise InputError("A link's intensity is negative or not a number.")
    preference = np.where(situation, settings.preference_situation, settings.preference_semantic)
    above = strengths * settings.prior_intensity + confidences * settings.prior_confidence + preference
    below = settings.prior_intensity + settings.prior_confidence + preference
    counts = (sem | situation) & ~np.asarray(target_is_procedure, dtype=np.bool_) & (below > 0)
    return np.divide(above, below, out=np.zeros(above.shape), where=counts)


def checked_links(n: int, sources: ArrayLike, targets: ArrayLike, weights: ArrayLike) -> tuple[IntArray, IntArray, FloatArray]:
    starts, ends = (np.asarray(part, dtype=np.int64).reshape(-1) for part in (sources, targets))
    values = np.asarray(weights, dtype=np.float64).reshape(-1)
    if not len(starts) == len(ends) == len(values):
        raise InputError(f"Links have {len(starts)} sources, {len(ends)} targets and {len(values)} weights.")
    if len(starts) and not (min(starts.min(), ends.min()) >= 0 and max(starts.max(), ends.max()) < n):
        raise InputError(f"A link leads from or to a place outside 0..{n - 1}.")
    if not ((values >= 0) & (values <= LARGEST_WEIGHT)).all():
        raise InputError(f"A link's weight is outside 0..{LARGEST_WEIGHT}, or not a number.")
    return starts, ends, values
