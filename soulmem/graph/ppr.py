"""Personalised PageRank by forward push.

Solves ``ppr = d·P·ppr + (1 − d)·s``: a walker starts at a source drawn from ``s``, stays with probability ``1 − d``, else
follows an out-link drawn by weight; ``ppr`` is where it stays. At a node whose out-links weigh nothing, or that has none, it
starts anew.

*Forward push* (Andersen, Chung, Lang 2006) keeps for every node a *reserve* (mass that stays) and a *residue* (mass still
walking; at first ``s``). Pushing a node moves ``1 − d`` of its residue to its reserve and the rest along its out-links; every
node at or above the threshold is pushed, in rounds, until none is left. Mass that meets a dangling node need not be walked
again: starting anew repeats the whole walk in proportion, so dividing by what was not returned does the same, exactly. The
threshold is relative to that divisor.

What still walks in the end is counted where it is; :func:`forward_push` first pushes all of it twice more, however little a node
holds, which settles the order of near ties. With ``R`` the sum of the residues that remain, as a share of the mass not returned
(so at most threshold × the number of nodes holding any), the absolute errors of all scores sum to at most ``2·d·R``, and the
error of one score is at most ``d·R``.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from soulmem.errors import InputError
from soulmem.graph.csr import LARGEST_WEIGHT, LEAST_TOTAL, BoolArray, FloatArray, Indices, IntArray, row_totals

#: How often :func:`forward_push` pushes every remaining residue after the last round, see above.
SWEEPS = 2
#: Up to this many links a cold process does without numba, whose import takes longer than the push.
LINKS_WITHOUT_NUMBA = 200_000
#: After this many calls of :func:`forward_push` in one process, compiled ones pay.
CALLS_WITHOUT_NUMBA = 8
_calls = itertools.count()
_KERNEL = "soulmem.graph._kernel"
#: The least residue a sweep looks at.
TINY = float(np.finfo(np.float64).tiny)


@dataclass(slots=True, eq=False)
class WalkState:
    """Where a walk stands: float64 ``reserve`` and ``residue`` per node, and the mass ``returned`` by dangling nodes.

    ``reserve.sum() + residue.sum() + returned`` is 1. Changed by :func:`push_rounds`.
    """

    reserve: FloatArray
    residue: FloatArray
    returned: float = 0.0

    def scores(self) -> FloatArray:
        """Reserve plus what is still walking, counted where it is; sums to 1."""
        held = self.reserve + self.residue
        # Only of what is held: numpy adds in blocks, and nodes without anything would shift them.
        total: np.float64 = held[held > 0.0].sum()
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
    below which a node is no longer pushed. The number of pushes is at most ``1 / (threshold · (1 − damping))`` and one for
    every node the two sweeps meet.

    Raises :class:`InputError` for anything else. Which implementation runs, see :func:`uses_numba`; results agree up to rounding.
    A process that calls this more than :data:`CALLS_WITHOUT_NUMBA` times gets the kernel.
    """
    check_walk(damping, threshold)
    graph = _graph_arrays(indptr, indices, weights)
    places, mass = _source_arrays(sources, source_weights)
    if next(_calls) == CALLS_WITHOUT_NUMBA:
        load_kernel()
    if uses_numba(len(graph[1])):
        from soulmem.graph import _kernel

        everywhere = np.ones(max(len(graph[0]) - 1, 0), dtype=np.bool_)
        arrays = [_read_only(array) for array in (*graph, everywhere, places, mass)]
        scores, is_sound = _kernel.rank(*arrays, float(damping), float(threshold), SWEEPS)
        if is_sound:
            return cast(FloatArray, scores)
    # What the kernel found unsound is named here.
    _check_graph(*graph)
    residue = _start(len(graph[0]) - 1, places, mass)
    state = WalkState(np.zeros_like(residue), residue)
    push_numpy(*graph, np.ones(len(residue), dtype=np.bool_), state, damping, threshold, SWEEPS)
    return state.scores()


def push_rounds(
    indptr: IntArray,
    indices: Indices,
    weights: FloatArray,
    loaded: BoolArray,
    state: WalkState,
    damping: float,
    threshold: float,
    totals: FloatArray | None = None,
) -> None:
    """Push until no loaded node is at the threshold. Changes ``state``; a node not loaded keeps its residue.

    ``totals``: the sum of every row's weights, where it is known.
    """
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
            0,
        )
    else:
        push_numpy(indptr, indices, weights, loaded, state, damping, threshold, 0, totals)


def uses_numba(links: int) -> bool:
    """The rule: numba when the graph has more than :data:`LINKS_WITHOUT_NUMBA` links, or when the kernel is loaded anyway."""
    return links > LINKS_WITHOUT_NUMBA or _KERNEL in sys.modules


def load_kernel(compiling: Callable[[], None] | None = None) -> None:
    """Import the numba kernel now and compile it (some seconds the first time on a machine, then from numba's cache).

    ``compiling`` is called once before anything is compiled, and not where all of it is in the cache.
    """
    from soulmem.graph import _kernel

    with _kernel.told(compiling) if compiling else nullcontext():
        _compile()


def _compile() -> None:
    indptr, indices, weights = np.array([0, 1, 1]), np.ones(1, np.int32), np.ones(1)
    forward_push(indptr, indices, weights, [0], [1.0])
    # Numba compiles for each set of argument types, and a walk calls another function than forward_push.
    state = WalkState(np.zeros(2), np.array([1.0, 0.0]))
    push_rounds(indptr, indices, weights, np.ones(2, np.bool_), state, 0.65, 1e-5)


def check_walk(damping: float, threshold: float) -> None:
    """Raise :class:`InputError` unless ``0 ≤ damping < 1`` and ``threshold`` > 0."""
    if not 0.0 <= damping < 1.0:
        raise InputError(f"damping is {damping}, but must be at least 0 and below 1.", advice="The default is 0.65.")
    if not 0.0 < threshold < np.inf:
        raise InputError(f"The residue threshold is {threshold}, but must be above 0.", advice="The default is 1e-5.")


def push_numpy(
    indptr: IntArray,
    indices: Indices,
    weights: FloatArray,
    loaded: BoolArray,
    state: WalkState,
    damping: float,
    threshold: float,
    sweeps: int,
    totals: FloatArray | None = None,
) -> None:
    graph = (indptr, indices, weights, row_totals(indptr, weights) if totals is None else totals)
    limit = state.limit(threshold)
    frontier = np.flatnonzero((state.residue >= limit) & loaded)
    while len(frontier):
        _spread(graph, state, frontier, damping)
        frontier = np.flatnonzero((state.residue >= limit) & loaded)
        if not len(frontier) and state.limit(threshold) < limit:
            limit = state.limit(threshold)
            frontier = np.flatnonzero((state.residue >= limit) & loaded)
    for _ in range(sweeps):
        _spread(graph, state, np.flatnonzero((state.residue >= TINY) & loaded), damping)


def _spread(
    graph: tuple[IntArray, Indices, FloatArray, FloatArray], state: WalkState, frontier: IntArray, damping: float
) -> None:
    """Push all nodes of ``frontier`` at once."""
    indptr, indices, weights, totals = graph
    taken = state.residue[frontier]
    state.residue[frontier] = 0.0
    state.reserve[frontier] += (1.0 - damping) * taken
    dangling = totals[frontier] < LEAST_TOTAL
    state.returned += damping * float(taken[dangling].sum())
    nodes, walking = frontier[~dangling], damping * taken[~dangling]
    counts = indptr[nodes + 1] - indptr[nodes]
    # The places of the nodes' rows, one after the other: 0, 1, 2, … shifted so that each row begins at its indptr.
    links = np.arange(counts.sum()) + np.repeat(indptr[nodes] - (np.cumsum(counts) - counts), counts)
    flow = np.repeat(walking / totals[nodes], counts) * weights[links]
    state.residue += np.bincount(indices[links], flow, minlength=len(state.residue))


def _graph_arrays(indptr: ArrayLike, indices: ArrayLike, weights: ArrayLike) -> tuple[IntArray, Indices, FloatArray]:
    """Contiguous arrays of fitting lengths."""
    rows = _integers(indptr, "indptr").astype(np.int64, copy=False)
    targets = _integers(indices, "indices")
    values = np.ascontiguousarray(weights, dtype=np.float64)
    if len(rows) < 1 or rows[0] != 0 or rows[-1] != len(targets):
        raise InputError(f"indptr must run from 0 to the number of links, {len(targets)}.")
    if values.shape != targets.shape:
        raise InputError(f"There are {len(targets)} indices, but weights of shape {values.shape}.")
    return rows, targets, values


def _source_arrays(sources: ArrayLike, source_weights: ArrayLike) -> tuple[IntArray, FloatArray]:
    places = _integers(sources, "sources").astype(np.int64, copy=False)
    mass = np.ascontiguousarray(source_weights, dtype=np.float64)
    if not len(places) or places.shape != mass.shape:
        raise InputError(
            f"There are {len(places)} sources and {mass.size} source weights; give at least one, and one weight each."
        )
    return places, mass


def _check_graph(indptr: IntArray, indices: Indices, weights: FloatArray) -> None:
    nodes = len(indptr) - 1
    if not (np.diff(indptr) >= 0).all():
        raise InputError(
            f"indptr falls after node {int(np.argmax(np.diff(indptr) < 0))}, but a row cannot have less than no links."
        )
    outside = (indices < 0) | (indices >= nodes)
    if outside.any():
        raise InputError(
            f"Link {int(outside.argmax())} leads to {indices[outside.argmax()]}, outside the graph's nodes 0..{nodes - 1}."
        )
    wrong = ~((weights >= 0.0) & (weights <= LARGEST_WEIGHT))
    if wrong.any():
        raise InputError(f"Link {int(wrong.argmax())} has weight {weights[wrong.argmax()]}, not a number in 0..{LARGEST_WEIGHT}.")


def _start(nodes: int, sources: IntArray, source_weights: FloatArray) -> FloatArray:
    """The distribution a walk starts from."""
    if sources.min() < 0 or sources.max() >= nodes:
        raise InputError(f"The sources {sources.min()}..{sources.max()} are not all among the graph's nodes, 0..{nodes - 1}.")
    if not ((source_weights >= 0) & (source_weights <= LARGEST_WEIGHT)).all() or not source_weights.any():
        raise InputError(f"Source weights must be in 0..{LARGEST_WEIGHT} and not all 0.")
    shares = source_weights / source_weights.sum()
    return np.bincount(sources, shares, minlength=nodes).astype(np.float64, copy=False)


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
