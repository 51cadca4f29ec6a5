"""Association: a personalised PageRank over a graph that is loaded while the walk goes (SPEC §4.3).

Nodes whose out-links were not pulled yet keep their residue. Those at the threshold are pulled, all at once, and the walk begins
anew over the larger graph, which costs little beside the pull; so in the last walk no node that is not loaded ever held residue
at the threshold. Nodes stand in the order of their ids and links in that of their targets, so the last walk takes the steps that
it would take over the whole graph: the scores are the same to the last bit, however little was loaded and whatever was loaded
before (where one walk runs compiled and the other does not, see :func:`soulmem.graph.ppr.uses_numba`: to rounding).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from soulmem.errors import InputError
from soulmem.graph.csr import FloatArray, IntArray, Subgraph, subgraph
from soulmem.graph.ppr import WalkState, check_walk, push_rounds
from soulmem.settings import Settings


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """All out-links of some notes: three columns of one length. ``weights``: finite, ≥ 0, from :func:`link_weight`.

    ``complete``: notes besides those asked for whose out-links are all here too (what a query of several hops brings along).
    """

    sources: Sequence[str]
    targets: Sequence[str]
    weights: Sequence[float] | NDArray[np.float64]
    complete: Collection[str] = ()


class Limit(StrEnum):
    """Why an association ended early."""

    TIME = "time"
    NODES = "nodes"


@dataclass(frozen=True, slots=True, eq=False)
class Association:
    """How strongly each note is associated with the seeds, which are notes like any other here.

    ``graph``: what was loaded, to explain paths. ``values``: score of each of its nodes, ≥ 0,
    sum 1. ``rounds``: how often was pulled. ``limits``: what ended the walk early, empty when nothing did; ``unsettled``: the
    mass (0..1) then waiting at notes that should have been pulled.
    """

    graph: Subgraph
    values: FloatArray
    rounds: int
    limits: frozenset[Limit]
    unsettled: float

    @property
    def scores(self) -> dict[str, float]:
        """Scores above 0 by note id, in no particular order."""
        return {self.graph.ids[node]: float(self.values[node]) for node in np.flatnonzero(self.values).tolist()}

    @property
    def loaded(self) -> frozenset[str]:
        """Notes whose out-links were pulled."""
        return frozenset(self.graph.ids[node] for node in np.flatnonzero(self.graph.loaded).tolist())

    def top(self, k: int, *, without: Collection[str] = ()) -> tuple[tuple[str, float], ...]:
        """The ``k`` best (note id, score) above 0 besides ``without``; scores equal to 12 decimals are ordered by id."""
        values = np.round(self.values, 12)
        values[[self.graph.places[note] for note in without if note in self.graph.places]] = 0.0
        if k < 1 or not values.any():
            return ()
        last = np.partition(values, -k)[-k] if k < len(values) else 0.0
        nodes = np.flatnonzero((values >= last) & (values > 0.0)).tolist()
        best = sorted(nodes, key=lambda node: (-values[node], self.graph.ids[node]))[:k]
        return tuple((self.graph.ids[node], float(self.values[node])) for node in best)


@dataclass(frozen=True, slots=True)
class Step:
    """One link of a path: ``probability`` (0..1) is the link's weight as a share of all out-links of ``source``."""

    source: str
    target: str
    probability: float


class Loader(Protocol):
    """Gives the graph of what was pulled so far. Nodes are ordered by id; graphs given before stay as they are."""

    def graph(self, notes: Collection[str]) -> Subgraph:
        """What was pulled so far, with at least these ``notes`` as nodes."""
        ...

    def load(self, notes: Sequence[str]) -> Subgraph:
        """As :meth:`graph`, after the out-links of ``notes`` were pulled; more may have been."""
        ...


class Pulled:
    """A :class:`Loader` that keeps what ``pull`` gave. ``pull(ids)`` answers all out-links of ``ids``, greatest residue first."""

    def __init__(self, pull: Callable[[Sequence[str]], Neighbourhood]) -> None:
        self._pull = pull
        self._links: list[tuple[str, str, float]] = []
        self._loaded: set[str] = set()
        self._graph = NO_GRAPH

    def graph(self, notes: Collection[str]) -> Subgraph:
        if not all(note in self._graph.places for note in notes):
            self._graph = self._assembled({*self._graph.ids, *notes})
        return self._graph

    def load(self, notes: Sequence[str]) -> Subgraph:
        """Raises :class:`InputError` when ``pull`` answers with links of others than asked for: their rows would be partial."""
        asked = [note for note in notes if note not in self._loaded]
        pulled = self._pull(asked)
        fresh = {*asked, *pulled.complete} - self._loaded
        links = _checked(pulled, fresh | self._loaded)
        self._links += [link for link in links if link[0] in fresh]
        self._loaded |= fresh
        self._graph = self._assembled({*self._graph.ids, *fresh, *(target for _, target, _ in links)})
        return self._graph

    def _assembled(self, notes: Collection[str]) -> Subgraph:
        ids = sorted(notes)
        places = {note: place for place, note in enumerate(ids)}
        return subgraph(
            ids,
            [places[source] for source, _, _ in self._links],
            [places[target] for _, target, _ in self._links],
            [weight for _, _, weight in self._links],
            loaded=[note in self._loaded for note in ids],
        )


NO_GRAPH = subgraph((), (), (), ())


def associate(seeds: Mapping[str, float], links: Loader, settings: Settings, clock: Callable[[], float]) -> Association:
    """Walk from ``seeds`` (note id → score ≥ 0, not all 0), loading out-links as needed.

    ``clock()`` is the time in seconds. Limits: once the pulls together took ``association_time_limit_ms``, no other follows (so
    there always is one; pushing is bounded by the threshold and not counted, nor is compiling the kernel); of
    ``association_node_limit`` notes the out-links are followed, then no more are asked for. Raises :class:`InputError`.
    """
    check_walk(settings.damping, settings.residue_threshold)
    time_left = settings.association_time_limit_ms / 1000.0
    graph = links.graph(seeds)
    rounds = 0
    while True:
        state = _start(graph, seeds)
        rows = (graph.indptr, graph.indices, graph.weights)
        push_rounds(*rows, graph.loaded, state, settings.damping, settings.residue_threshold, graph.totals)
        waiting = unloaded(graph, state, settings.residue_threshold)
        room = settings.association_node_limit - int(np.count_nonzero(state.reserve))
        limits = _limits(len(waiting), room, time_left)
        if not len(waiting) or limits:
            values = state.scores()
            return Association(graph, values, rounds, limits, float(values[waiting].sum()))
        begun = clock()
        graph = links.load([graph.ids[node] for node in waiting[:room].tolist()])
        time_left -= clock() - begun
        rounds += 1


def unloaded(graph: Subgraph, state: WalkState, threshold: float) -> IntArray:
    """Nodes not loaded that hold residue at the threshold, greatest first, ties by place."""
    nodes = np.flatnonzero(~graph.loaded & (state.residue >= state.limit(threshold)))
    return nodes[np.argsort(-state.residue[nodes], kind="stable")]


def best_paths(graph: Subgraph, seeds: Collection[str], targets: Collection[str]) -> dict[str, tuple[Step, ...]]:
    """For each target the most probable path from any seed: the greatest product of transition probabilities.

    Of equally probable paths the shorter one, then the one whose last link starts at the smaller id. A target that is a seed
    has an empty path; one that cannot be reached over loaded links is left out, and so are unknown ids.
    """
    sought = {graph.places[note] for note in targets if note in graph.places}
    before: dict[int, tuple[int, float]] = {}
    found: dict[str, tuple[Step, ...]] = {}
    for node in _by_distance(graph, [graph.places[note] for note in seeds if note in graph.places], before):
        if node in sought:
            found[graph.ids[node]] = _steps(graph, before, node)
            sought.discard(node)
        if not sought:
            break
    return found


def best_path(association: Association, seeds: Collection[str], target: str) -> tuple[Step, ...] | None:
    """The most probable path from any of ``seeds`` to ``target``, see :func:`best_paths`; ``None`` when there is none."""
    return best_paths(association.graph, seeds, (target,)).get(target)


def _by_distance(graph: Subgraph, seeds: Sequence[int], before: dict[int, tuple[int, float]]) -> Iterator[int]:
    """Dijkstra over −log of the probabilities: nodes, nearest first; ``before`` gets each node's predecessor and probability."""
    queue: list[tuple[float, int, str, int, int, float]] = [(0.0, 0, "", -1, node, 1.0) for node in seeds]
    heapq.heapify(queue)
    done: set[int] = set()
    while queue:
        distance, links, _, previous, node, probability = heapq.heappop(queue)
        if node in done:
            continue
        done.add(node)
        if previous >= 0:
            before[node] = (previous, probability)
        yield node
        targets, shares = graph.row(node)
        for target, share in zip(targets.tolist(), shares.tolist(), strict=True):
            if share > 0.0 and target not in done:
                heapq.heappush(queue, (distance - math.log(share), links + 1, graph.ids[node], node, target, share))


def _steps(graph: Subgraph, before: Mapping[int, tuple[int, float]], node: int) -> tuple[Step, ...]:
    steps: list[Step] = []
    while node in before:
        previous, probability = before[node]
        steps.append(Step(graph.ids[previous], graph.ids[node], probability))
        node = previous
    return tuple(reversed(steps))


def _start(graph: Subgraph, seeds: Mapping[str, float]) -> WalkState:
    scores = np.fromiter(seeds.values(), dtype=np.float64, count=len(seeds))
    total = scores.sum()
    if not (scores >= 0.0).all() or not 0.0 < total < np.inf:
        raise InputError(
            "The scores of the seeds must be finite, ≥ 0, and not all 0.", advice="Without seeds there is no association."
        )
    residue = np.zeros(len(graph))
    residue[[graph.places[note] for note in seeds]] = scores / total
    return WalkState(np.zeros(len(graph)), residue)


def _limits(waiting: int, room: int, time_left: float) -> frozenset[Limit]:
    """The limits that forbid the next pull."""
    if not waiting:
        return frozenset()
    reached = {Limit.TIME: time_left <= 0.0, Limit.NODES: room <= 0}
    return frozenset(limit for limit, is_reached in reached.items() if is_reached)


def _checked(pulled: Neighbourhood, known: Collection[str]) -> list[tuple[str, str, float]]:
    if not len(pulled.sources) == len(pulled.targets) == len(pulled.weights):
        raise InputError(
            f"A neighbourhood has {len(pulled.sources)} sources, {len(pulled.targets)} targets and {len(pulled.weights)} weights."
        )
    for note in pulled.sources:
        if note not in known:
            raise InputError(f"A neighbourhood holds links of {note}, which was neither asked for nor said to be complete.")
    return list(zip(pulled.sources, pulled.targets, map(float, pulled.weights), strict=True))
