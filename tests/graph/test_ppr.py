"""Forward push against networkx, igraph and cases known by thought; the numpy and the numba version against each other."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from soulmem.errors import InputError
from soulmem.graph import forward_push, load_kernel, ppr

Rows = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]


def rows(nodes: int, links: list[tuple[int, int, float]]) -> Rows:
    """Compressed sparse rows by plain loops, parallel links kept apart."""
    indptr, indices, weights = [0], [], []
    for node in range(nodes):
        for source, target, weight in links:
            if source == node:
                indices.append(target)
                weights.append(weight)
        indptr.append(len(indices))
    return np.array(indptr, dtype=np.int64), np.array(indices, dtype=np.int32), np.array(weights, dtype=np.float64)


def by_numpy(graph: Rows, sources: list[int], mass: list[float], damping: float, threshold: float) -> NDArray[np.float64]:
    """The numpy version, whether or not the kernel is loaded."""
    start = np.bincount(sources, np.array(mass) / sum(mass), minlength=len(graph[0]) - 1).astype(np.float64)
    state = ppr.WalkState(np.zeros_like(start), start)
    ppr.push_numpy(*graph, np.ones(len(start), dtype=np.bool_), state, damping, threshold, ppr.SWEEPS)
    return state.scores()


def networkx_pagerank(
    nodes: int, links: list[tuple[int, int, float]], personalization: dict[int, float], damping: float
) -> list[float]:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(nodes))
    for source, target, weight in links:
        before = graph.get_edge_data(source, target, {"weight": 0.0})["weight"]
        if weight > 0:
            graph.add_edge(source, target, weight=before + weight)
    ranks = nx.pagerank(
        graph, alpha=damping, personalization=personalization, dangling=personalization, tol=1e-14 / nodes, max_iter=5000
    )
    return [ranks[node] for node in range(nodes)]


def igraph_pagerank(
    nodes: int, links: list[tuple[int, int, float]], personalization: dict[int, float], damping: float
) -> list[float]:
    kept = [link for link in links if link[2] > 0]
    graph = igraph.Graph(n=nodes, edges=[link[:2] for link in kept], directed=True)
    reset = [personalization.get(node, 0.0) for node in range(nodes)]
    ranks: list[float] = graph.personalized_pagerank(damping=damping, reset=reset, weights=[link[2] for link in kept])
    return ranks


@st.composite
def cases(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, float]], list[int], list[float], float]:
    """Graphs with dangling nodes, weightless links, self-loops, parallel links and several components; sources may repeat."""
    nodes = draw(st.integers(1, 25))
    node = st.integers(0, nodes - 1)
    weight = st.one_of(st.just(0.0), st.floats(0.01, 5.0))
    links = draw(st.lists(st.tuples(node, node, weight), max_size=80))
    sources = draw(st.lists(node, min_size=1, max_size=6))
    mass = draw(st.lists(st.floats(0.01, 2.0), min_size=len(sources), max_size=len(sources)))
    return nodes, links, sources, mass, draw(st.sampled_from([0.0, 0.3, 0.65, 0.85]))


def personalization(sources: list[int], mass: list[float]) -> dict[int, float]:
    total: dict[int, float] = {}
    for source, weight in zip(sources, mass, strict=True):
        total[source] = total.get(source, 0.0) + weight / sum(mass)
    return total


@settings(deadline=None, max_examples=150)
@given(cases())
@example((2, [(0, 1, 0.0)], [0], [1.0], 0.65))
def test_agrees_with_networkx_within_the_bound(case: Any) -> None:
    nodes, links, sources, mass, damping = case
    exact = networkx_pagerank(nodes, links, personalization(sources, mass), damping)
    for threshold in (1e-2, 1e-4, 1e-9):
        scores = by_numpy(rows(nodes, links), sources, mass, damping, threshold)
        assert np.abs(scores - exact).sum() <= 2 * damping * nodes * threshold + 1e-11
        assert np.abs(scores - exact).max() <= damping * nodes * threshold + 1e-11


@settings(deadline=None, max_examples=60)
@given(cases())
def test_agrees_with_igraph(case: Any) -> None:
    nodes, links, sources, mass, damping = case
    if damping == 0.0:  # igraph's solver divides by it
        damping = 0.5
    scores = forward_push(*rows(nodes, links), sources, mass, damping, 1e-10)
    # A dangling node of igraph's starts anew from anywhere; ours starts anew from the seeds, as a link to each of them does.
    seeds = personalization(sources, mass)
    dangling = set(range(nodes)) - {source for source, _, weight in links if weight > 0}
    closed = links + [(node, seed, weight) for node in dangling for seed, weight in seeds.items()]
    assert scores == pytest.approx(igraph_pagerank(nodes, closed, seeds, damping), abs=1e-7)


@settings(deadline=None, max_examples=80)
@given(cases(), st.sampled_from([1e-2, 1e-4, 1e-6]))
def test_numba_and_numpy_agree_and_mass_is_conserved(case: Any, threshold: float) -> None:
    load_kernel()
    nodes, links, sources, mass, damping = case
    graph = rows(nodes, links)
    compiled = forward_push(*graph, sources, mass, damping, threshold)
    plain = by_numpy(graph, sources, mass, damping, threshold)
    assert compiled.sum() == pytest.approx(1.0, abs=1e-12)
    assert plain.sum() == pytest.approx(1.0, abs=1e-12)
    assert (compiled >= 0).all()
    # A residue that meets the threshold in one rounding and misses it in the other makes a difference below the bound, no more.
    assert np.abs(compiled - plain).sum() <= 4 * damping * nodes * threshold + 1e-12
    assert compiled.dtype == np.float64 and compiled.shape == (nodes,)


@settings(deadline=None, max_examples=60)
@given(cases(), st.floats(0.001, 1000.0))
def test_scaling_weights_of_a_row_or_of_the_sources_changes_nothing(case: Any, factor: float) -> None:
    nodes, links, sources, mass, damping = case
    scaled = [(source, target, weight * factor if source % 2 else weight) for source, target, weight in links]
    first = forward_push(*rows(nodes, links), sources, mass, damping, 1e-9)
    second = forward_push(*rows(nodes, scaled), sources, [one * factor for one in mass], damping, 1e-9)
    assert second == pytest.approx(first, abs=4 * nodes * 1e-9)


@settings(deadline=None, max_examples=60)
@given(cases())
def test_order_of_sources_and_links_does_not_matter(case: Any) -> None:
    nodes, links, sources, mass, damping = case
    first = forward_push(*rows(nodes, links), sources, mass, damping, 1e-9)
    second = forward_push(*rows(nodes, links[::-1]), sources[::-1], mass[::-1], damping, 1e-9)
    assert second == pytest.approx(first, abs=4 * nodes * 1e-9)


def test_a_chain_by_hand() -> None:
    # 0 → 1 → 2, 2 dangling: visits 1, d, d² in proportion, since starting anew repeats the walk.
    d = 0.5
    held = np.array([1 - d, d * (1 - d), d * d * (1 - d)])
    assert forward_push(*rows(3, [(0, 1, 7.0), (1, 2, 0.1)]), [0], [3.0], d, 1e-12) == pytest.approx(held / held.sum())


def test_two_nodes_that_point_at_each_other_by_hand() -> None:
    # x = (1 − d) + d·y, y = d·x  ⇒  x = (1 − d) / (1 − d²) = 1 / (1 + d)
    scores = forward_push(*rows(2, [(0, 1, 1.0), (1, 0, 1.0)]), [0], [1.0], 0.65, 1e-13)
    assert scores == pytest.approx([1 / 1.65, 0.65 / 1.65])


def test_links_are_followed_in_proportion_to_their_weight() -> None:
    scores = forward_push(*rows(3, [(0, 1, 3.0), (0, 2, 1.0), (1, 0, 1.0), (2, 0, 1.0)]), [0], [1.0], 0.65, 1e-12)
    assert scores[1] == pytest.approx(3 * scores[2])


def test_a_self_loop_keeps_everything() -> None:
    assert forward_push(*rows(2, [(0, 0, 1.0)]), [0], [1.0], 0.9, 1e-12) == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("links", [[], [(0, 1, 0.0)]], ids=["no links", "weightless links"])
def test_dangling_seeds_get_their_own_proportions(links: list[tuple[int, int, float]]) -> None:
    assert forward_push(*rows(3, links), [0, 2], [1.0, 3.0]) == pytest.approx([0.25, 0.0, 0.75])


def test_a_dangling_node_returns_its_mass_to_the_seeds_in_their_proportions() -> None:
    # Both seeds lead to 2, which is dangling: had it returned mass evenly, the seeds' scores would not stand 1 to 3.
    scores = forward_push(*rows(3, [(0, 2, 1.0), (1, 2, 1.0)]), [0, 1], [1.0, 3.0], 0.8, 1e-12)
    assert scores == pytest.approx(np.array([0.25, 0.75, 0.8]) / 1.8)


def test_repeated_sources_add_and_weightless_ones_count_nothing() -> None:
    graph = rows(3, [(0, 1, 1.0), (2, 1, 1.0)])
    once = forward_push(*graph, [0, 2], [2.0, 1.0])
    assert forward_push(*graph, [0, 2, 0, 1], [1.0, 1.0, 1.0, 0.0]) == pytest.approx(once, abs=1e-15)


def test_without_damping_the_walk_stays_at_the_sources() -> None:
    assert forward_push(*rows(2, [(0, 1, 1.0)]), [0], [1.0], 0.0).tolist() == [1.0, 0.0]


def test_sources_below_the_threshold_still_spread_by_the_sweeps() -> None:
    scores = forward_push(*rows(2, [(0, 1, 1.0), (1, 0, 1.0)]), [0], [1.0], 0.65, threshold=2.0)
    assert scores.sum() == pytest.approx(1.0)
    assert scores[1] > 0.2


def test_integers_of_any_kind_are_taken_and_the_arguments_stay_as_they_were() -> None:
    indptr, indices, weights = rows(3, [(0, 1, 1.0), (1, 2, 2.0), (1, 0, 1.0)])
    expected = forward_push(indptr, indices, weights, [0], [1.0])
    for kind in (np.int32, np.int64, np.uint8):
        given_arrays = [indptr.astype(kind), indices.astype(kind), weights.astype(np.float32)]
        copies = [array.copy() for array in given_arrays]
        assert forward_push(*given_arrays, np.array([0], dtype=kind), [1]) == pytest.approx(expected)
        assert all((one == other).all() for one, other in zip(given_arrays, copies, strict=True))
    assert forward_push(indptr.tolist(), indices.tolist(), weights.tolist(), (0,), (1.0,)).tolist() == expected.tolist()


def test_weights_of_any_magnitude_give_numbers() -> None:
    # 5e-324 is the smallest float there is: its inverse is not one. A row of nothing more counts as weightless.
    links = [(0, 1, 1e200), (0, 2, 5e-324), (1, 0, 1e-150), (1, 2, 3e-150), (2, 0, 5e-324)]
    exact = networkx_pagerank(3, [(0, 1, 1.0), (1, 0, 1.0), (1, 2, 3.0)], {0: 1.0}, 0.65)
    load_kernel()
    assert forward_push(*rows(3, links), [0], [1e200], 0.65, 1e-12) == pytest.approx(exact)
    assert by_numpy(rows(3, links), [0], [1e-200], 0.65, 1e-12) == pytest.approx(exact)


def test_a_thousand_nodes_agree_with_power_iteration() -> None:
    random = np.random.default_rng(3)
    links = sorted(
        (int(a), int(b), float(w)) for a, b, w in zip(*random.integers(0, 1000, (2, 4000)), random.random(4000), strict=True)
    )
    indptr = np.searchsorted([one[0] for one in links], np.arange(1001))
    graph = (indptr, np.array([one[1] for one in links], dtype=np.int32), np.array([one[2] for one in links]))
    dense = np.zeros((1000, 1000))
    np.add.at(dense, ([one[1] for one in links], [one[0] for one in links]), graph[2])
    start = np.zeros(1000)
    start[[5, 50, 500]] = [0.5, 0.25, 0.25]
    totals = dense.sum(axis=0)
    dense = np.divide(dense, totals, out=np.zeros_like(dense), where=totals > 0) + np.outer(start, totals == 0)
    exact = start
    for _ in range(80):
        exact = 0.65 * dense @ exact + 0.35 * start
    load_kernel()
    for scores in (
        forward_push(*graph, [5, 50, 500], [2, 1, 1], 0.65, 1e-8),
        by_numpy(graph, [5, 50, 500], [2, 1, 1], 0.65, 1e-8),
    ):
        assert np.abs(scores - exact).max() <= 0.65 * 1000 * 1e-8
        assert np.argsort(-scores)[:10].tolist() == np.argsort(-exact)[:10].tolist()


GOOD: dict[str, Any] = {
    "indptr": [0, 1, 2],
    "indices": [1, 0],
    "weights": [1.0, 1.0],
    "sources": [0],
    "source_weights": [1.0],
    "damping": 0.65,
    "threshold": 1e-5,
}
BAD: list[dict[str, Any]] = [
    {"damping": 1.0},
    {"damping": 1.5},
    {"damping": -0.1},
    {"damping": float("nan")},
    {"threshold": 0.0},
    {"threshold": -1e-5},
    {"threshold": float("nan")},
    {"threshold": float("inf")},
    {"weights": [1.0, -1.0]},
    {"weights": [1.0, float("nan")]},
    {"weights": [1.0, float("inf")]},
    {"weights": [1e308, 1e308]},
    {"weights": [1.0]},
    {"indices": [1, 2]},
    {"indices": [1, -1]},
    {"indices": [1, 2**32]},
    {"indices": [1.0, 0.0]},
    {"indptr": [0, 3, 2]},
    {"indptr": [0, 2, 1, 2]},
    {"indptr": [1, 1, 2]},
    {"indptr": [0, 1, 1]},
    {"indptr": []},
    {"indptr": [[0, 1, 2]]},
    {"sources": [2]},
    {"sources": [-1]},
    {"sources": []},
    {"sources": [], "source_weights": []},
    {"sources": [0, 1]},
    {"sources": [0.5]},
    {"sources": ["0"]},
    {"source_weights": [0.0]},
    {"source_weights": [-1.0]},
    {"source_weights": [float("nan")]},
    {"source_weights": [float("inf")]},
    {"indptr": [0], "indices": [], "weights": []},
]


@pytest.mark.parametrize("wrong", BAD, ids=str)
def test_wrong_input_is_refused(wrong: dict[str, Any]) -> None:
    assert forward_push(**GOOD).sum() == pytest.approx(1.0)
    with pytest.raises(InputError):
        forward_push(**{**GOOD, **wrong})


@pytest.mark.parametrize("wrong", [case for case in BAD if {"weights", "indices", "indptr"} & case.keys()], ids=str)
def test_wrong_input_is_refused_by_the_compiled_check_too(wrong: dict[str, Any]) -> None:
    load_kernel()
    with pytest.raises(InputError):
        forward_push(**{**GOOD, **wrong})


def test_a_small_push_does_not_import_numba() -> None:
    code = (
        "import sys; from soulmem.graph import forward_push, uses_numba\n"
        "assert forward_push([0, 1, 2], [1, 0], [1.0, 1.0], [0], [1.0]).sum() > 0.99\n"
        "assert not uses_numba(200_000) and uses_numba(200_001)\n"
        "assert 'numba' not in sys.modules, 'numba was imported'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_walk_after_loading_compiles_nothing_more() -> None:
    code = (
        "from soulmem.graph import forward_push, load_kernel; from soulmem.settings import Settings\n"
        "from soulmem.graph.walk import Neighbourhood, Pulled, associate; load_kernel(); from soulmem.graph import _kernel\n"
        "compiled = [_kernel.rank.signatures, _kernel.push.signatures]\n"
        "pulled = Pulled(lambda notes: Neighbourhood(['a'], ['b'], [1.0], ['b']))\n"
        "found = associate({'a': 1.0}, pulled, Settings(), lambda: 0.0); assert found.scores['b'] > 0\n"
        "graph = found.graph; forward_push(graph.indptr, graph.indices, graph.weights, [0], [1.0])\n"
        "assert [_kernel.rank.signatures, _kernel.push.signatures] == compiled\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_once_loaded_the_kernel_is_used_always() -> None:
    load_kernel()
    assert ppr.uses_numba(1)


def test_that_the_kernel_is_compiled_is_told_once_and_only_where_it_is() -> None:
    load_kernel()
    told: list[str] = []
    load_kernel(lambda: told.append("again"))
    assert told == []
    from numba import njit

    from soulmem.graph import _kernel

    with _kernel.told(lambda: told.append("compiled")):
        compiled = njit(lambda number: number + 1)
        assert (compiled(1), compiled(1.0)) == (2, 2.0)
    assert told == ["compiled"]
