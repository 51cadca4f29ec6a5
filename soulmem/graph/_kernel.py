"""The compiled forward push. The only module that imports numba; its import costs about 0.2 s, so it is imported when needed.

Same steps as the numpy version in :mod:`soulmem.graph.ppr`, which explains them.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
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
        if total <= 0.0:
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


@njit(cache=True)
def collect(residue, loaded, limit, frontier):  # type: ignore[no-untyped-def]
    """Write the loaded nodes holding at least ``limit`` to ``frontier``; returns how many."""
    count = 0
    for node in range(len(residue)):
        if residue[node] >= limit and loaded[node]:
            frontier[count] = node
            count += 1
    return count


@njit(cache=True)
def push(indptr, indices, weights, loaded, reserve, residue, returned, damping, threshold, sweeps):  # type: ignore[no-untyped-def]
    """See :func:`soulmem.graph.ppr.push_rounds`; changes ``reserve`` and ``residue``, returns the new ``returned``."""
    n = len(residue)
    frontier = np.empty(n, np.int32)
    following = np.empty(n, np.int32)
    taken = np.empty(n, np.float64)
    limit = threshold * (1.0 - returned)
    count = collect(residue, loaded, limit, frontier)
    while count > 0:
        while count > 0:
            count, more = spread(
                indptr, indices, weights, loaded, reserve, residue, damping, limit, frontier, count, following, taken
            )
            returned += more
            frontier, following = following, frontier
        if threshold * (1.0 - returned) < limit:
            limit = threshold * (1.0 - returned)
            count = collect(residue, loaded, limit, frontier)
    for _ in range(sweeps):
        count = collect(residue, loaded, np.finfo(np.float64).tiny, frontier)
        _, more = spread(indptr, indices, weights, loaded, reserve, residue, damping, np.inf, frontier, count, following, taken)
        returned += more
    return returned


@njit(cache=True)
def is_sound(indptr, indices, weights):  # type: ignore[no-untyped-def]
    """Whether rows never fall, targets are nodes, and weights are ≥ 0 (their sum being finite is checked by the caller)."""
    n = len(indptr) - 1
    wrong = 0
    for node in range(n):
        wrong += indptr[node + 1] < indptr[node]
    for link in range(len(indices)):
        wrong += (indices[link] < 0) | (indices[link] >= n)
    for link in range(len(weights)):
        wrong += not weights[link] >= 0.0
    return wrong == 0
