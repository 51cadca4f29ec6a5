"""Forward push beside its peers: ``python benchmarks/kernel.py [--json] [--sizes 100,1000] [--seconds 1.0]``.

Random directed graphs of average out-degree 5 with random weights, 5 sources, threshold 1e-4. Per size: the median time of one
call in µs, of soulmem (numba and numpy), igraph's ``personalized_pagerank`` (prpack), networkx, scikit-network, and a power
iteration over a scipy matrix; igraph's time divided by ours; and whether the ten best nodes are igraph's, as a set and in order.

Every peer gets its graph ready made and only the ranking is timed. The peers take turns of ten calls in a row, so that a busy
machine slows all of them, and use one thread each: where cores are busy, igraph's threads wait very long for each other. Ours
checks its whole input at every call, and normalises the weights; that is part of its time.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

os.environ["OMP_NUM_THREADS"] = "1"  # read when the libraries are loaded

import igraph
import networkx as nx
import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sknetwork.ranking import PageRank

from soulmem.graph import forward_push, load_kernel, ppr

SIZES = (100, 1_000, 2_000, 3_000, 10_000, 100_000)
DEGREE, SOURCES, THRESHOLD, DAMPING = 5, 5, 1e-4, 0.65
NETWORKX_UP_TO = 10_000
TURNS = 50
#: Ratios to igraph that must be reached; elsewhere above 1.
TARGETS = {1_000: 3.0, 100_000: 20.0}


@dataclass(frozen=True)
class Case:
    """A random graph as compressed rows and as lists of links, and its sources."""

    nodes: int
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    weights: NDArray[np.float64]
    starts: NDArray[np.int64]
    sources: NDArray[np.int64]


def random_case(nodes: int, seed: int = 7) -> Case:
    random = np.random.default_rng(seed)
    starts = np.sort(random.integers(0, nodes, DEGREE * nodes))
    # Each node keeps one link at least: igraph restarts dangling nodes anywhere, soulmem at the seeds.
    starts[np.arange(nodes) * DEGREE] = np.arange(nodes)
    starts.sort()
    indptr = np.concatenate(([0], np.cumsum(np.bincount(starts, minlength=nodes))))
    indices = random.integers(0, nodes, len(starts)).astype(np.int32)
    weights = random.uniform(0.1, 1.1, len(starts))
    return Case(nodes, indptr, indices, weights, starts, random.choice(nodes, SOURCES, replace=False))


def contestants(case: Case) -> dict[str, Callable[[], NDArray[np.float64]]]:
    mass = np.full(SOURCES, 1.0 / SOURCES)
    found = {
        "soulmem": lambda: forward_push(case.indptr, case.indices, case.weights, case.sources, mass, DAMPING, THRESHOLD),
        "soulmem numpy": lambda: by_numpy(case),
        "igraph": igraph_ranking(case),
        "scipy": power_iteration(case),
        "scikit-network": scikit_network_ranking(case),
    }
    if case.nodes <= NETWORKX_UP_TO:
        found["networkx"] = networkx_ranking(case)
    return found


def start_of(case: Case) -> NDArray[np.float64]:
    start = np.zeros(case.nodes)
    start[case.sources] = 1.0 / SOURCES
    return start


def by_numpy(case: Case) -> NDArray[np.float64]:
    state = ppr.WalkState(np.zeros(case.nodes), start_of(case))
    ppr.push_numpy(
        case.indptr, case.indices, case.weights, np.ones(case.nodes, dtype=np.bool_), state, DAMPING, THRESHOLD, ppr.SWEEPS
    )
    return state.scores()


def igraph_ranking(case: Case) -> Callable[[], NDArray[np.float64]]:
    graph = igraph.Graph(n=case.nodes, edges=np.column_stack((case.starts, case.indices)), directed=True)
    graph.es["weight"] = case.weights
    reset = start_of(case).tolist()
    return lambda: np.array(graph.personalized_pagerank(damping=DAMPING, reset=reset, weights="weight"))


def networkx_ranking(case: Case) -> Callable[[], NDArray[np.float64]]:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(case.nodes))
    for source, target, weight in zip(case.starts.tolist(), case.indices.tolist(), case.weights.tolist(), strict=True):
        graph.add_edge(source, target, weight=weight + graph.get_edge_data(source, target, {"weight": 0.0})["weight"])
    sources = dict.fromkeys(case.sources.tolist(), 1.0 / SOURCES)
    return lambda: np.array(list(nx.pagerank(graph, alpha=DAMPING, personalization=sources, dangling=sources).values()))


def scikit_network_ranking(case: Case) -> Callable[[], NDArray[np.float64]]:
    """Its default solver, a power iteration, until the scores change by less than the threshold."""
    links = scipy.sparse.csr_matrix((case.weights, case.indices, case.indptr), shape=(case.nodes, case.nodes), copy=True)
    links.sum_duplicates()
    start = start_of(case)
    return lambda: np.asarray(PageRank(damping_factor=DAMPING, tol=THRESHOLD).fit_predict(links, weights=start))


def power_iteration(case: Case) -> Callable[[], NDArray[np.float64]]:
    """Until the scores change by less than the threshold in all."""
    links = scipy.sparse.csr_matrix((case.weights, case.indices, case.indptr), shape=(case.nodes, case.nodes))
    totals = np.asarray(links.sum(axis=1)).ravel()
    transition = (scipy.sparse.diags(1.0 / totals) @ links).T.tocsr()
    start = start_of(case)

    def rank() -> NDArray[np.float64]:
        scores, change = start, 1.0
        while change > THRESHOLD:
            after = DAMPING * (transition @ scores) + (1.0 - DAMPING) * start
            change, scores = float(np.abs(after - scores).sum()), after
        return scores

    return rank


def median_microseconds(calls: dict[str, Callable[[], NDArray[np.float64]]], seconds: float) -> dict[str, float]:
    """Median time of each call, at least 5; all take turns of ten calls in a row, about ``seconds`` for each of them."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(TURNS):
        for name, call in calls.items():
            for _ in range(10):
                if len(times[name]) < 5 or sum(times[name]) < seconds:
                    began = time.perf_counter()
                    call()
                    times[name].append(time.perf_counter() - began)
    return {name: statistics.median(spent) * 1e6 for name, spent in times.items()}


def measure(nodes: int, seconds: float) -> dict[str, object]:
    calls = contestants(random_case(nodes))
    top = {name: np.argsort(-call(), kind="stable")[:10].tolist() for name, call in calls.items()}
    times = median_microseconds(calls, seconds)
    ratio = times["igraph"] / times["soulmem"]
    return {
        "nodes": nodes,
        "microseconds": {name: round(spent, 1) for name, spent in times.items()},
        "igraph_over_soulmem": round(ratio, 2),
        "target": TARGETS.get(nodes, 1.0),
        "reached": ratio >= TARGETS.get(nodes, 1.0),
        "top10_same_set": set(top["soulmem"]) == set(top["igraph"]),
        "top10_same_order": top["soulmem"] == top["igraph"],
    }


def print_table(results: list[dict[str, object]]) -> None:
    names = ("soulmem", "soulmem numpy", "igraph", "scipy", "scikit-network", "networkx")
    print(
        f"{'nodes':>8}"
        + "".join(f"{name:>15}" for name in names)
        + f"{'ratio':>9}{'target':>8}  top 10 of igraph's   (median µs)"
    )
    for result in results:
        times = result["microseconds"]
        assert isinstance(times, dict)
        cells = "".join(f"{times[name]:>15,.1f}" if name in times else f"{'–':>15}" for name in names)
        same = "same order" if result["top10_same_order"] else "same set" if result["top10_same_set"] else "DIFFERENT"
        mark = "" if result["reached"] else "  MISSED"
        print(f"{result['nodes']:>8}{cells}{result['igraph_over_soulmem']:>9}{result['target']:>8}  {same}{mark}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of nodes, comma-separated")
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each contestant and size")
    arguments = parser.parse_args()
    load_kernel()
    results = [measure(int(nodes), arguments.seconds) for nodes in arguments.sizes.split(",")]
    if arguments.json:
        print(json.dumps(results, indent=2))
    else:
        print_table(results)


if __name__ == "__main__":
    main()
