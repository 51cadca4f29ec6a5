"""The compiled forward push. The only module that imports numba; its import costs about 0.2 s, so it is imported when needed.

Same steps as the numpy version in :mod:`soulmem.graph.ppr`, which explains them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from numba import njit
from numba.core.event import Event, Listener, install_listener

from soulmem.graph.csr import LARGEST_WEIGHT, LEAST_TOTAL
from soulmem.graph.ppr import TINY


class _Compiling(Listener):  # type: ignore[misc]
    """Tells once that numba compiles something."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._is_told = False

    def on_start(self, event: Event) -> None:
        if not self._is_told:
            self._is_told = True
            self._tell()

    def on_end(self, event: Event) -> None:
        pass


@contextmanager
def told(compiling: Callable[[], None]) -> Iterator[None]:
    """Whether anything is compiled inside: then ``compiling`` is called, once."""
    with install_listener("numba:compile", _Compiling(compiling)):
        yield


@njit(cache=True, error_model="numpy")
def spread(indptr, indices, weights, loaded, reserve, residue, damping, limit, frontier, count, following, taken):  # type: ignore[no-untyped-def]
    """Push the first ``count`` nodes of ``frontier`` at once.

    Loaded nodes whose residue crosses ``limit`` are written to ``following``.
    Returns how many, and the mass that met a dangling node.
    """
    for place in range(count):
        node = frontier[place]
        taken[place] = residue[node]
        residue[node] = 0.0
    crossed = 0
    returned = 0.0
    for place in range(count):
        node = frontier[place]
        reserve[node] += (1.0 - damping) * taken[place]
        total = 0.0
        for link in range(indptr[node], indptr[node + 1]):
            total += weights[link]
        if total < LEAST_TOTAL:
            returned += damping * taken[place]
            continue
        share = damping * taken[place] / total
        for link in range(indptr[node], indptr[node + 1]):
            target = indices[link]
            before = residue[target]
            after = before + share * weights[link]
            residue[target] = after
            if before < limit <= after and loaded[target]:
                following[crossed] = target
                crossed += 1
    return crossed, returned


@njit(cache=True, error_model="numpy")
def collect(residue, loaded, limit, frontier):  # type: ignore[no-untyped-def]
    """Write the loaded nodes holding at least ``limit`` to ``frontier``; returns how many."""
    count = 0
    for node in range(len(residue)):
        if residue[node] >= limit and loaded[node]:
            frontier[count] = node
            count += 1
    return count


@njit(cache=True, error_model="numpy")
def push(indptr, indices, weights, loaded, reserve, residue, returned, damping, threshold, sweeps):  # type: ignore[no-untyped-def]
    """See :func:`soulmem.graph.ppr.push_rounds`; changes ``reserve`` and ``residue``, returns the new ``returned``."""
    n = len(residue)
    frontier = np.empty(n, np.int32)
    following = np.empty(n, np.int32)
    taken = np.empty(n, np.float64)
    limit = threshold * (1.0 - returned)
    count = collect(residue, loaded, limit, frontier)
    while count > 0 or sweeps > 0:
        if count == 0:
            sweeps -= 1
            limit = np.inf
            count = collect(residue, loaded, TINY, frontier)
        count, more = spread(
            indptr, indices, weights, loaded, reserve, residue, damping, limit, frontier, count, following, taken
        )
        frontier, following = following, frontier
        returned += more
        if count == 0 and threshold * (1.0 - returned) < limit < np.inf:
            limit = threshold * (1.0 - returned)
            count = collect(residue, loaded, limit, frontier)
    return returned


@njit(cache=True, error_model="numpy")
def is_sound(indptr, indices, weights):  # type: ignore[no-untyped-def]
    """Whether rows never fall, targets are nodes, and weights are within 0..LARGEST_WEIGHT."""
    n = len(indptr) - 1
    wrong = 0
    for node in range(n):
        wrong += indptr[node + 1] < indptr[node]
    for link in range(len(indices)):
        wrong += (indices[link] < 0) | (indices[link] >= n)
    for link in range(len(weights)):
        wrong += not 0.0 <= weights[link] <= LARGEST_WEIGHT
    return wrong == 0


@njit(cache=True, error_model="numpy")
def start(sources, source_weights, residue):  # type: ignore[no-untyped-def]
    """Write the distribution of the sources to ``residue``, zero so far; returns whether the sources are sound."""
    total = 0.0
    for place in range(len(sources)):
        if not (0 <= sources[place] < len(residue) and 0.0 <= source_weights[place] <= LARGEST_WEIGHT):
            return False
        total += source_weights[place]
    if total == 0.0:
        return False
    for place in range(len(sources)):
        residue[sources[place]] += source_weights[place] / total
    return True


@njit(cache=True, error_model="numpy")
def rank(indptr, indices, weights, loaded, sources, source_weights, damping, threshold, sweeps):  # type: ignore[no-untyped-def]
    """All of :func:`soulmem.graph.ppr.forward_push` in one call: the scores, and whether the input was sound (else zeros).

    ``loaded``: all true; given, so that :func:`push` is compiled for one kind of arrays only.
    """
    n = len(indptr) - 1
    residue = np.zeros(n, np.float64)
    if not (start(sources, source_weights, residue) and is_sound(indptr, indices, weights)):
        return residue, False
    scores = np.zeros(n, np.float64)
    push(indptr, indices, weights, loaded, scores, residue, 0.0, damping, threshold, sweeps)
    total = 0.0
    for node in range(n):
        scores[node] += residue[node]
        total += scores[node]
    for node in range(n):
        scores[node] /= total
    return scores, True
