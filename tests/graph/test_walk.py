"""Association over a graph that is loaded on the way equals personalised PageRank of the whole graph."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import InputError
from soulmem.graph import Association, Limit, Neighbourhood, Pulled, Subgraph, associate, best_path, best_paths
from soulmem.settings import Settings

Link = tuple[str, str, float]
Pull = Callable[[Sequence[str]], Neighbourhood]

DEFAULT = Settings(association_time_limit_ms=1000.0)
FINE = DEFAULT.with_values(residue_threshold=1e-9)


def frozen_clock() -> float:
    return 0.0


def columns(links: Sequence[Link], complete: Sequence[str] = ()) -> Neighbourhood:
    return Neighbourhood([one[0] for one in links], [one[1] for one in links], [one[2] for one in links], complete)


def loader(links: Sequence[Link], asked: list[list[str]] | None = None) -> Pulled:
    """A graph that is pulled from these links; what was asked for is written down."""
    return Pulled(puller(links, asked))


def puller(links: Sequence[Link], asked: list[list[str]] | None = None) -> Pull:
    """Answers exactly what it is asked for and writes down what that was."""

    def pull(ids: Sequence[str]) -> Neighbourhood:
        if asked is not None:
            asked.append(list(ids))
        return columns([one for one in links if one[0] in set(ids)])

    return pull


def whole_graph_pagerank(links: Sequence[Link], seeds: dict[str, float], damping: float) -> dict[str, float]:
    graph = nx.DiGraph()
    graph.add_nodes_from(seeds)
    for source, target, weight in links:
        graph.add_node(source)
        graph.add_node(target)
        if weight > 0:
            graph.add_edge(source, target, weight=weight + graph.get_edge_data(source, target, {"weight": 0.0})["weight"])
    shares = {seed: score / sum(seeds.values()) for seed, score in seeds.items()}
    ranks: dict[str, float] = nx.pagerank(graph, alpha=damping, personalization=shares, dangling=shares, tol=1e-14, max_iter=3000)
    return ranks


@st.composite
def minds(draw: st.DrawFn) -> tuple[list[Link], dict[str, float]]:
    names = [f"n{number}" for number in range(draw(st.integers(1, 25)))]
    name = st.sampled_from(names)
    links = draw(st.lists(st.tuples(name, name, st.one_of(st.just(0.0), st.floats(0.05, 2.0))), max_size=80))
    seeds = draw(st.dictionaries(name, st.floats(0.05, 1.0), min_size=1, max_size=5))
    return links, seeds


def distance(association: Association, exact: dict[str, float]) -> float:
    scores = association.scores
    return math.fsum(abs(scores.get(note, 0.0) - score) for note, score in exact.items())


@settings(deadline=None, max_examples=100)
@given(minds(), st.sampled_from([0.3, 0.65, 0.85]), st.sampled_from([1e-2, 1e-4, 1e-9]))
def test_equals_the_whole_graph_within_the_bound(mind: Any, damping: float, threshold: float) -> None:
    links, seeds = mind
    asked: list[list[str]] = []
    association = associate(
        seeds, loader(links, asked), DEFAULT.with_values(damping=damping, residue_threshold=threshold), frozen_clock
    )
    nodes = len({note for link in links for note in link[:2]} | set(seeds))
    assert distance(association, whole_graph_pagerank(links, seeds, damping)) <= 2 * damping * nodes * threshold + 1e-10
    assert sum(association.scores.values()) == pytest.approx(1.0)
    assert not association.limits and association.unsettled == 0.0
    # Nobody is asked for twice, and nobody is loaded unasked.
    flat = [note for batch in asked for note in batch]
    assert len(flat) == len(set(flat)) and set(flat) == association.loaded
    assert association.rounds == len(asked)


def pulled_before(links: Sequence[Link], data: st.DataObject) -> Pulled:
    """Earlier walks from anywhere, answers in any order and with more than was asked."""
    names = sorted({note for link in links for note in link[:2]} | {"n0"})

    def generous(ids: Sequence[str]) -> Neighbourhood:
        more = data.draw(st.lists(st.sampled_from(names), unique=True, max_size=4))
        return columns(data.draw(st.permutations([one for one in links if one[0] in {*ids, *more}])), more)

    before = Pulled(generous)
    for seed in data.draw(st.lists(st.sampled_from(names), max_size=3)):
        associate(
            {seed: 1.0}, before, DEFAULT.with_values(residue_threshold=data.draw(st.sampled_from([0.3, 1e-2]))), frozen_clock
        )
    return before


@settings(deadline=None, max_examples=150)
@given(minds(), st.sampled_from([0.3, 0.65, 0.85]), st.sampled_from([1e-1, 1e-2, 1e-4]), st.data())
def test_however_the_graph_arrives_the_result_is_that_of_the_whole_to_the_last_bit(
    mind: Any, damping: float, threshold: float, data: st.DataObject
) -> None:
    links, seeds = mind
    chosen = DEFAULT.with_values(damping=damping, residue_threshold=threshold)
    whole = Pulled(puller(links))
    whole.load(sorted({note for link in links for note in link[:2]} | set(seeds)))
    expected = associate(seeds, whole, chosen, frozen_clock)
    assert expected.rounds == 0 and expected.graph.loaded.all()
    for part in (loader(links), pulled_before(links, data)):
        found = associate(seeds, part, chosen, frozen_clock)
        assert found.scores == expected.scores


CHAIN: list[Link] = [("a", "b", 1.0), ("b", "c", 1.0), ("c", "d", 1.0), ("d", "e", 1.0)]


def test_far_nodes_below_the_threshold_are_never_loaded() -> None:
    asked: list[list[str]] = []
    association = associate(
        {"a": 1.0}, loader(CHAIN, asked), DEFAULT.with_values(damping=0.1, residue_threshold=0.05), frozen_clock
    )
    assert asked == [["a"], ["b"]]  # b holds 0.1 of the mass, c 0.01
    assert association.loaded == {"a", "b"}


def test_the_greatest_residue_is_asked_first_and_links_decide_it() -> None:
    asked: list[list[str]] = []
    links = [("a", "small", 1.0), ("a", "big", 3.0), ("a", "middle", 2.0), ("a", "weightless", 0.0)]
    associate({"a": 1.0}, loader(links, asked), DEFAULT, frozen_clock)
    assert asked == [["a"], ["big", "middle", "small"]]


def ticking(milliseconds: float) -> Callable[[], float]:
    """A clock that is ``milliseconds`` later every time it is read, in seconds as clocks are."""
    times: Iterator[float] = (count * milliseconds / 1000.0 for count in itertools.count())
    return lambda: next(times)


def test_the_time_limit_ends_a_walk_and_is_told() -> None:
    association = associate({"a": 1.0}, loader(CHAIN), Settings(association_time_limit_ms=70.0), ticking(40.0))
    # Two pulls, each of 40 ms between what is read before and after it; then 70 are over.
    assert association.limits == {Limit.TIME} and association.rounds == 2
    assert association.unsettled == pytest.approx(0.65**2)
    assert sum(association.scores.values()) == pytest.approx(1.0)
    assert association.scores["a"] > 0 and association.scores["b"] > 0


def test_one_pull_there_always_is() -> None:
    association = associate({"a": 1.0}, loader(CHAIN), Settings(association_time_limit_ms=1e-6), ticking(40.0))
    assert association.limits == {Limit.TIME} and association.rounds == 1
    assert association.scores["b"] > 0


def test_the_node_limit_ends_a_walk_and_is_told() -> None:
    association = associate({"a": 1.0, "z": 0.5}, loader(CHAIN), DEFAULT.with_values(association_node_limit=3), frozen_clock)
    assert association.limits == {Limit.NODES}
    assert len(association.loaded) == 3
    assert 0.0 < association.unsettled < 1.0


def test_a_node_limit_that_is_just_enough_is_no_limit() -> None:
    association = associate({"a": 1.0}, loader(CHAIN), DEFAULT.with_values(association_node_limit=5), frozen_clock)
    assert not association.limits and association.loaded == set("abcde")


def test_top_leaves_out_what_is_asked_and_orders_ties_by_id() -> None:
    links = [("s", note, 1.0) for note in ("d", "b", "c", "a")]
    association = associate({"s": 1.0}, loader(links), DEFAULT, frozen_clock)
    assert [note for note, _ in association.top(3)] == ["s", "a", "b"]
    assert [note for note, _ in association.top(3, without=["s", "b", "unknown"])] == ["a", "c", "d"]
    assert len(association.top(99)) == 5
    assert association.top(0) == () and association.top(2, without=list("sabcd")) == ()
    assert dict(association.top(5)) == association.scores


@settings(deadline=None, max_examples=60)
@given(minds(), st.integers(1, 30))
def test_top_is_the_sorted_scores(mind: Any, k: int) -> None:
    links, seeds = mind
    association = associate(seeds, loader(links), DEFAULT, frozen_clock)
    ordered = sorted(association.scores.items(), key=lambda one: (-round(one[1], 12), one[0]))
    assert (
        list(association.top(k, without=seeds)) == [one for one in ordered if one[0] not in seeds and round(one[1], 12) > 0][:k]
    )


def path_probability(path: Any) -> float:
    return math.prod(step.probability for step in path)


@settings(deadline=None, max_examples=60)
@given(minds())
def test_best_paths_are_those_of_an_exhaustive_search(mind: Any) -> None:
    links, seeds = mind
    links = links[:14]
    graph = associate(seeds, loader(links), FINE, frozen_clock).graph
    oracle = nx.DiGraph()
    oracle.add_nodes_from(graph.ids)
    for node, note in enumerate(graph.ids):
        for target, share in zip(*graph.row(node), strict=True):
            if share > 0:
                oracle.add_edge(note, graph.ids[target], share=float(share))
    paths = best_paths(graph, list(seeds), graph.ids)
    for note in graph.ids:
        simple = [
            [oracle.edges[pair]["share"] for pair in itertools.pairwise(path)]
            for seed in seeds
            for path in (nx.all_simple_paths(oracle, seed, note) if seed != note else [[note]])
        ]
        assert (note in paths) == bool(simple)
        if simple:
            assert path_probability(paths[note]) == pytest.approx(max(math.prod(shares) for shares in simple))
            ends = [step.source for step in paths[note]] + [note]
            assert ends[0] in seeds and [step.target for step in paths[note]] == ends[1:]
            assert all(oracle.edges[step.source, step.target]["share"] == step.probability for step in paths[note])


def test_a_path_by_hand_and_its_ties() -> None:
    links = [("s", "y", 1.0), ("s", "x", 1.0), ("x", "t", 1.0), ("y", "t", 1.0), ("u", "v", 1.0)]
    association = associate({"s": 1.0}, loader(links), DEFAULT, frozen_clock)
    path = best_path(association, ["s"], "t")
    assert path is not None
    assert [(step.source, step.target, step.probability) for step in path] == [("s", "x", 0.5), ("x", "t", 1.0)]
    assert best_path(association, ["s"], "s") == ()
    assert best_path(association, ["s"], "v") is None
    assert best_path(association, ["nobody"], "t") is None


def test_of_equally_probable_paths_the_shorter_wins() -> None:
    links = [("a", "b", 1.0), ("b", "t", 1.0), ("z", "t", 1.0)]
    association = associate({"a": 1.0, "z": 1.0}, loader(links), DEFAULT, frozen_clock)
    path = best_path(association, ["a", "z"], "t")
    assert path is not None and [step.source for step in path] == ["z"]


@pytest.mark.parametrize(
    "seeds",
    [{}, {"a": 0.0}, {"a": -1.0, "b": 2.0}, {"a": math.nan}, {"a": math.inf}],
    ids=["none", "zero", "negative", "nan", "inf"],
)
def test_wrong_seeds_are_refused(seeds: dict[str, float]) -> None:
    with pytest.raises(InputError, match="seeds"):
        associate(seeds, loader(CHAIN), DEFAULT, frozen_clock)


@pytest.mark.parametrize("values", [{"damping": 1.0}, {"damping": -0.5}, {"residue_threshold": 0.0}], ids=str)
def test_wrong_constants_are_refused(values: dict[str, float]) -> None:
    with pytest.raises(InputError):
        associate({"a": 1.0}, loader(CHAIN), DEFAULT.with_values(**values), frozen_clock)


@pytest.mark.parametrize(
    "answer",
    [
        Neighbourhood(["a", "b"], ["b", "c"], [1.0, 1.0]),
        Neighbourhood(["a"], ["b", "c"], [1.0]),
        Neighbourhood(["a"], ["b"], []),
        Neighbourhood(["a"], ["b"], [-1.0]),
        Neighbourhood(["a"], ["b"], [math.nan]),
    ],
    ids=["links nobody asked for", "targets", "weights", "negative", "nan"],
)
def test_a_wrong_neighbourhood_is_refused(answer: Neighbourhood) -> None:
    with pytest.raises(InputError):
        associate({"a": 1.0}, Pulled(lambda _: answer), DEFAULT, frozen_clock)


def test_links_of_notes_loaded_before_are_left_as_they_are() -> None:
    answers = {"a": [("a", "b", 1.0)], "b": [("b", "c", 1.0), ("a", "c", 99.0)]}

    def pull(ids: Sequence[str]) -> Neighbourhood:
        return columns([link for note in ids for link in answers.get(note, [])])

    first = associate({"a": 1.0}, Pulled(pull), DEFAULT, frozen_clock)
    second = associate({"a": 1.0}, loader([("a", "b", 1.0), ("b", "c", 1.0)]), DEFAULT, frozen_clock)
    assert first.scores == second.scores


def test_a_graph_once_given_stays_as_it_was() -> None:
    links = loader(CHAIN)
    known: Subgraph = associate({"c": 1.0}, links, DEFAULT, frozen_clock).graph
    before = (known.ids, known.indptr.tolist(), known.weights.tolist(), known.loaded.tolist())
    grown = associate({"a": 1.0}, links, DEFAULT, frozen_clock).graph
    assert (known.ids, known.indptr.tolist(), known.weights.tolist(), known.loaded.tolist()) == before
    assert known.ids == ("c", "d", "e") and grown.ids == ("a", "b", "c", "d", "e")


def test_the_node_limit_counts_what_a_walk_follows_not_what_was_loaded_before() -> None:
    links = loader([*CHAIN, ("v", "w", 1.0), ("w", "x", 1.0)])
    associate({"v": 1.0}, links, DEFAULT, frozen_clock)
    few = DEFAULT.with_values(association_node_limit=3)
    assert (
        associate({"a": 1.0}, links, few, frozen_clock).scores == associate({"a": 1.0}, loader(CHAIN), few, frozen_clock).scores
    )
