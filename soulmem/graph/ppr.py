"""Personalised PageRank by forward push.

Solves ``ppr = d·P·ppr + (1 − d)·s``: a walker starts at a source drawn from ``s``, stays with probability ``1 − d``, else
follows an out-link drawn by weight; ``ppr`` is where it stays. At a node whose out-links weigh nothing, or that has none, it
starts anew.

*Forward push* (Andersen, Chung, Lang 2006) keeps for every node a *reserve* (mass that stays) and a *residue* (mass still
walking; at first ``s``). Pushing a node moves ``1 − d`` of its residue to its reserve and the rest along its out-links; every
node at or above the threshold is pushed, in rounds, until none is left. Mass that meets a dangling node need not be walked
again: starting anew repeats the whole walk in proportion, so dividing by what was not returned does the same, exactly. The
threshold is relative to that divisor.

At the end each node's remaining residue, below the threshold, is pushed twice more everywhere (this settles the order of near
ties) and then counted where it is. With ``R`` the sum of the residues that remain, at most threshold × the number of nodes
holding any, the sum of absolute errors is at most ``2·d·R``, and so is the error of any one score.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soulmem.errors import InputError
from soulmem.graph.csr import BoolArray, FloatArray, IntArray, row_of_each_link

#: Pushes of every remaining residue after the last round, see above.
SWEEPS = 2
#: Up to this many links a cold process does without numba, whose import takes longer than the push.
LINKS_WITHOUT_NUMBA = 50_000
#: Targets of links: int32 here; what users give may be int64 too.
Indices = NDArray[np.int32] | NDArray[np.int64]
_KERNEL = "soulmem.graph._kernel"
_TINY = float(np.finfo(np.float64).tiny)


@dataclass(slots=True, eq=False)
class WalkState:
    """Where a walk stands: float64 ``reserve`` and ``residue`` per node, and the mass ``returned`` by dangling nodes.

    ``reserve.sum() + residue.sum() + returned`` is 1. Changed by :func:`push_rounds`.
    """

    reserve: FloatArray
    residue: FloatArray
    returned: float = 0.0

    def grow(self, nodes: int) -> None:
        """Make room for ``nodes`` nodes; the new ones hold nothing."""
        more = np.zeros(nodes - len(self.residue))
        self.reserve = np.concatenate((self.reserve, more))
        self.residue = np.concatenate((self.residue, more))

    def scores(self) -> FloatArray:
        """Reserve plus what is still walking, counted where it is; sums to 1."""
        held = self.reserve + self.residue
        total: np.float64 = held.sum()
        return held / total

    def limit(self, threshold: float) -> float:
        """The residue at which a node is pushed: ``threshold`` of the mass that was not returned."""
        return threshold * (1.0 - self.returned)


def forward_push(
    indptr: ArrayLike,
    indices: ArrayLike,
    weights: ArrayLike,
    sources: ArrayLike,
    source_weights: ArrayLike,
    damping: float = 0.65,
    threshold: float = 1e-5,
) -> FloatArray:
    """Personalised PageRank of every node of a graph in compressed sparse rows: float64, length ``len(indptr) − 1``, sum 1.

    Out-links of ``v`` are ``indices[indptr[v]:indptr[v + 1]]`` with weights ≥ 0 of the same places; rows need not be
    normalised (each is divided by its sum here). ``sources`` are nodes, ``source_weights`` ≥ 0 with a positive sum; a source
    given twice counts with the sum of its weights. ``0 ≤ damping < 1``; ``threshold`` > 0 is the residue (share of all mass)
    below which a node is no longer pushed. Work grows with ``1 / (threshold · (1 − damping))``, not with the graph.

    Raises :class:`InputError` for anything else. Which implementation runs, see :func:`uses_numba`; results agree up to rounding.
    """
    check_walk(damping, threshold)
    rows, targets, values = _sound_graph(indptr, indices, weights)
    start = _start(len(rows) - 1, sources, source_weights)
    state = WalkState(np.zeros_like(start), start)
    push_rounds(rows, targets, values, np.ones(len(start), dtype=np.bool_), state, damping, threshold)
    return state.scores()


def push_rounds(
    indptr: IntArray,
    indices: Indices,
    weights: FloatArray,
    loaded: BoolArray,
    state: WalkState,
    damping: float,
    threshold: float,
) -> None:
    """Push until no loaded node is at the threshold, then sweep. Changes ``state``; a node not loaded keeps its residue."""
    if uses_numba(len(indices)):
        from soulmem.graph import _kernel

        state.returned = _kernel.push(
            _read_only(indptr),
            _read_only(indices),
            _read_only(weights),
            _read_only(loaded),
            state.reserve,
            state.residue,
            state.returned,
            damping,
            threshold,
            SWEEPS,
        )
    else:
        _push_numpy(indptr, indices, weights, loaded, state, damping, threshold)


def uses_numba(links: int) -> bool:
    """The rule: numba when the graph has more than :data:`LINKS_WITHOUT_NUMBA` links, or when the kernel is loaded anyway."""
    return links > LINKS_WITHOUT_NUMBA or _KERNEL in sys.modules


def load_kernel() -> None:
    """Import and compile the numba kernel now (1–3 s the first time on a machine, then from numba's cache)."""
    from soulmem.graph import _kernel  # noqa: F401 - from here on uses_numba() is true

    forward_push([0, 1, 1], np.ones(1, dtype=np.int32), [1.0], [0], [1.0])


def check_walk(damping: float, threshold: float) -> None:
    """Raise :class:`InputError` unless ``0 ≤ damping < 1`` and ``threshold`` > 0."""
    if not 0.0 <= damping < 1.0:
        raise InputError(f"damping is {damping}, but must be at least 0 and below 1.", advice="The default is 0.65.")
    if not 0.0 < threshold < np.inf:
        raise InputError(f"The residue threshold is {threshold}, but must be above 0.", advice="The default is 1e-5.")


def _push_numpy(
    indptr: IntArray,
    indices: Indices,
    weights: FloatArray,
    loaded: BoolArray,
    state: WalkState,
    damping: float,
    threshold: float,
) -> None:
    totals: FloatArray = np.bincount(row_of_each_link(indptr), weights, minlength=len(loaded)).astype(np.float64, copy=False)
    graph = (indptr, indices, weights, totals)
    limit = state.limit(threshold)
    frontier = np.flatnonzero((state.residue >= limit) & loaded)
    while len(frontier):
        _spread(graph, state, frontier, damping)
        frontier = np.flatnonzero((state.residue >= limit) & loaded)
        if not len(frontier) and state.limit(threshold) < limit:
            limit = state.limit(threshold)
            frontier = np.flatnonzero((state.residue >= limit) & loaded)
    for _ in range(SWEEPS):
        _spread(graph, state, np.flatnonzero((state.residue >= _TINY) & loaded), damping)


def _spread(
    graph: tuple[IntArray, Indices, FloatArray, FloatArray], state: WalkState, frontier: IntArray, damping: float
) -> None:
    """Push all nodes of ``frontier`` at once."""
    indptr, indices, weights, totals = graph
    taken = state.residue[frontier]
    state.residue[frontier] = 0.0
    state.reserve[frontier] += (1.0 - damping) * taken
    dangling = totals[frontier] <= 0.0
    state.returned += damping * float(taken[dangling].sum())
    nodes, walking = frontier[~dangling], damping * taken[~dangling]
    counts = indptr[nodes + 1] - indptr[nodes]
    # The places of the nodes' rows, one after the other: 0, 1, 2, … shifted so that each row begins at its indptr.
    links = np.arange(counts.sum()) + np.repeat(indptr[nodes] - (np.cumsum(counts) - counts), counts)
    flow = np.repeat(walking / totals[nodes], counts) * weights[links]
    state.residue += np.bincount(indices[links], flow, minlength=len(state.residue))


def _sound_graph(indptr: ArrayLike, indices: ArrayLike, weights: ArrayLike) -> tuple[IntArray, Indices, FloatArray]:
    rows = _integers(indptr, "indptr").astype(np.int64, copy=False)
    targets = _integers(indices, "indices")
    values = np.ascontiguousarray(weights, dtype=np.float64)
    if len(rows) < 1 or rows[0] != 0 or rows[-1] != len(targets):
        raise InputError(f"indptr must run from 0 to the number of links, {len(targets)}.")
    if values.shape != targets.shape:
        raise InputError(f"There are {len(targets)} indices, but weights of shape {values.shape}.")
    if not np.isfinite(values.sum()) or not _is_sound(rows, targets, values):
        raise InputError(
            "The graph is not sound.",
            advice="indptr must never fall, indices be nodes of the graph, weights finite numbers ≥ 0 whose sum is finite.",
        )
    return rows, targets, values


def _is_sound(indptr: IntArray, indices: Indices, weights: FloatArray) -> bool:
    if uses_numba(len(indices)):
        from soulmem.graph import _kernel

        return bool(_kernel.is_sound(_read_only(indptr), _read_only(indices), _read_only(weights)))
    nodes = len(indptr) - 1
    return bool((np.diff(indptr) >= 0).all() and ((indices >= 0) & (indices < nodes)).all() and (weights >= 0).all())


def _start(nodes: int, sources: ArrayLike, source_weights: ArrayLike) -> FloatArray:
    """The distribution a walk starts from."""
    places = _integers(sources, "sources")
    mass = np.asarray(source_weights, dtype=np.float64)
    if not len(places) or places.shape != mass.shape:
        raise InputError(
            f"There are {len(places)} sources and {mass.size} source weights; give one weight for each, at least one."
        )
    if places.min() < 0 or places.max() >= nodes:
        raise InputError(f"A source is outside 0..{nodes - 1}: {places.min()}..{places.max()}.")
    total = mass.sum()
    if not (mass >= 0).all() or not 0.0 < total < np.inf:
        raise InputError("Source weights must be finite, ≥ 0, and not all 0.")
    return np.bincount(places, mass / total, minlength=nodes).astype(np.float64, copy=False)


def _integers(values: ArrayLike, name: str) -> Indices:
    """A contiguous row of int32 or int64; other integers become int64."""
    array = np.ascontiguousarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise InputError(f"{name} must be one row of integers, not {array.dtype} of shape {array.shape}.")
    return array if array.dtype == np.int32 else array.astype(np.int64, copy=False)


def _read_only(array: NDArray[np.generic]) -> NDArray[np.generic]:
    """A read-only view, so that the kernel is compiled once, not again for writeable arrays."""
    view = array.view()
    view.flags.writeable = False
    return view
