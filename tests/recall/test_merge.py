"""Merging of several queries, and the seats that likeness and association share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.graph.walk import Association, Neighbourhood, Pulled, associate
from soulmem.model.notes import NoteType
from soulmem.model.results import Stage
from soulmem.recall.merge import ASSOCIATION_SHARE, association_scores, linked_seeds, merge_queries, seats
from soulmem.recall.similarity import Candidate
from soulmem.settings import Settings

LAWS = settings(deadline=None, max_examples=50)
DEFAULTS = Settings()
NO_FLOOR = Settings(similarity_floor=0.0, max_results=1000)


def candidate(name: str, score: float, type_: NoteType = NoteType.SEMANTIC) -> Candidate:
    return Candidate(id=f"id-{name}", key=name, type=type_, relevance=score, score=score, retention=1.0)


def best_first(scores: Mapping[str, float]) -> list[Candidate]:
    return sorted((candidate(name, score) for name, score in scores.items()), key=lambda one: (-one.score, one.key))


def walk(seeds: Mapping[str, float], links: Mapping[str, Mapping[str, float]]) -> Association:
    """The walk over a small graph that is all there."""

    def pull(ids: Sequence[str]) -> Neighbourhood:
        rows = [(source, target, weight) for source in ids for target, weight in links.get(source, {}).items()]
        sources, targets, weights = zip(*rows, strict=True) if rows else ((), (), ())
        return Neighbourhood(sources, targets, weights)

    return associate(seeds, Pulled(pull), DEFAULTS, lambda: 0.0)


FOUND = st.lists(
    st.tuples(st.floats(0.1, 10.0), st.dictionaries(st.sampled_from("abcdef"), st.floats(0.0, 1.0).map(lambda x: round(x, 3)))),
    max_size=4,
)


@LAWS
@given(FOUND)
def test_a_note_gets_the_mean_of_the_queries_it_appears_in_weighed_by_priority(
    found: list[tuple[float, dict[str, float]]],
) -> None:
    merged = merge_queries([(priority, best_first(scores)) for priority, scores in found], NO_FLOOR, procedures_compete=True)
    for name in "abcdef":
        there = [(priority, scores[name]) for priority, scores in found if scores.get(name, 0.0) > 0]
        if there:
            mean = sum(priority * score for priority, score in there) / sum(priority for priority, _ in there)
            assert merged.seeds[f"id-{name}"] == pytest.approx(mean)
        else:
            assert f"id-{name}" not in merged.seeds
    scores_in_order = list(merged.seeds.values())
    assert scores_in_order == sorted(scores_in_order, reverse=True)


@LAWS
@given(FOUND, st.randoms(use_true_random=False))
def test_the_order_of_the_queries_does_not_matter(found: list[tuple[float, dict[str, float]]], random: object) -> None:
    queries = [(priority, best_first(scores)) for priority, scores in found]
    shuffled = list(queries)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one = merge_queries(queries, DEFAULTS, procedures_compete=True)
    other = merge_queries(shuffled, DEFAULTS, procedures_compete=True)
    assert one.seeds == pytest.approx(other.seeds)
    assert {note: one_.score for note, one_ in one.candidates.items()} == {
        note: one_.score for note, one_ in other.candidates.items()
    }


@LAWS
@given(FOUND, st.floats(0.0, 1.0), st.integers(1, 4))
def test_each_query_seeds_its_best_at_or_above_the_floor(
    found: list[tuple[float, dict[str, float]]], floor: float, most: int
) -> None:
    constants = Settings(similarity_floor=floor, max_results=most)
    queries = [(priority, best_first(scores)) for priority, scores in found]
    merged = merge_queries(queries, constants, procedures_compete=True)
    wanted = {one.id for _, candidates in queries for one in [c for c in candidates if c.score >= floor and c.score > 0][:most]}
    assert set(merged.seeds) == wanted
    assert set(merged.candidates) == {one.id for _, candidates in queries for one in candidates}
    for note, one in merged.candidates.items():
        assert one.score == max(c.score for _, candidates in queries for c in candidates if c.id == note)


def test_by_hand_two_queries() -> None:
    merged = merge_queries(
        [(3.0, best_first({"tea": 0.8, "rain": 0.4})), (1.0, best_first({"tea": 0.4, "cat": 0.6}))],
        DEFAULTS,
        procedures_compete=True,
    )
    assert merged.seeds == pytest.approx({"id-tea": 0.7, "id-cat": 0.6, "id-rain": 0.4})
    assert list(merged.seeds) == ["id-tea", "id-cat", "id-rain"]


def test_equal_scores_are_ordered_by_key() -> None:
    merged = merge_queries([(1.0, best_first({"b": 0.5, "c": 0.5, "a": 0.5}))], DEFAULTS, procedures_compete=True)
    assert list(merged.seeds) == ["id-a", "id-b", "id-c"]


def test_nothing_found_seeds_nothing() -> None:
    for found in ([], [(1.0, [])], [(1.0, best_first({"a": 0.0, "b": 0.2}))]):
        merged = merge_queries(found, DEFAULTS, procedures_compete=True)
        assert not merged.seeds and not merged.procedures


def test_a_score_of_zero_is_no_seed_even_without_a_floor() -> None:
    assert not merge_queries([(1.0, best_first({"a": 0.0}))], NO_FLOOR, procedures_compete=True).seeds


def test_ways_of_acting_stand_apart_in_free_questions_only() -> None:
    greet = candidate("greet", 0.9, NoteType.PROCEDURE)
    found = [(1.0, [greet, *best_first({"a": 0.8, "b": 0.7, "c": 0.6, "d": 0.5})])]
    apart = merge_queries(found, DEFAULTS, procedures_compete=False)
    assert list(apart.seeds) == ["id-a", "id-b", "id-c", "id-d"]
    assert apart.procedures == {"id-greet": 0.9}
    competing = merge_queries(found, DEFAULTS, procedures_compete=True)
    assert list(competing.seeds) == ["id-greet", "id-a", "id-b", "id-c"]
    assert competing.procedures == {}


# -- association ---------------------------------------------------------------------------------------------------------------

NAMES = [f"n{number}" for number in range(8)]
GRAPHS = st.dictionaries(
    st.sampled_from(NAMES), st.dictionaries(st.sampled_from(NAMES), st.floats(0.1, 1.0), max_size=4), max_size=8
)
SEEDS = st.dictionaries(st.sampled_from(NAMES), st.floats(0.35, 1.0), min_size=1, max_size=3)


@LAWS
@given(GRAPHS, SEEDS, st.frozensets(st.sampled_from(NAMES), max_size=2))
def test_what_the_walk_brings_has_the_scale_of_the_seeds_and_stays_at_or_below_the_best_of_them(
    links: dict[str, dict[str, float]], seeds: dict[str, float], core: frozenset[str]
) -> None:
    association = walk(seeds, links)
    carried = association_scores(association, seeds, core, DEFAULTS)
    reached = set(association.scores) - set(seeds) - core
    assert set(carried) <= reached
    assert len(carried) <= DEFAULTS.association_top_k
    assert carried or not any(association.scores[note] > 1e-11 for note in reached)
    if carried:
        values = list(carried.values())
        assert values == sorted(values, reverse=True)
        best, most = max(seeds.values()), max(association.scores[note] for note in seeds)
        for note, value in carried.items():
            assert value == pytest.approx(min(association.scores[note] / most * best, best))


def test_without_a_walk_nothing_is_carried_and_nothing_is_linked() -> None:
    assert association_scores(None, {}, frozenset(), DEFAULTS) == {}
    assert linked_seeds(None, {}) == frozenset()


def test_a_seed_is_linked_when_another_one_leads_to_it() -> None:
    links = {"a": {"b": 1.0, "x": 1.0}, "b": {"b": 1.0}, "x": {"c": 1.0}}
    seeds = {"a": 0.9, "b": 0.8, "c": 0.7}
    assert linked_seeds(walk(seeds, links), seeds) == {"b"}


# -- seats ---------------------------------------------------------------------------------------------------------------------


@LAWS
@given(st.integers(0, 12), st.integers(0, 12), st.integers(-2, 15), st.frozensets(st.integers(0, 11)))
def test_neither_side_drowns_the_other(found: int, carried: int, top: int, both: frozenset[int]) -> None:
    seeds = {f"s{number}": 1.0 - number / 100 for number in range(found)}
    brought = {f"c{number}": 0.3 - number / 100 for number in range(carried)}
    linked = {f"s{number}" for number in both}
    chosen = seats(seeds, brought, linked, top)
    places = max(top, 0)
    assert len(chosen) == min(places, found + carried)
    direct = [note for note in chosen if note in seeds]
    rest = [note for note in chosen if note in brought]
    assert direct == list(seeds)[: len(direct)] and rest == list(brought)[: len(rest)]
    assert len(rest) >= min(carried, int(places * ASSOCIATION_SHARE))
    assert len(direct) >= min(found, places - int(places * ASSOCIATION_SHARE))
    for note, stage in chosen.items():
        expected = Stage.ASSOCIATION if note in brought else Stage.BOTH if note in linked else Stage.SIMILARITY
        assert stage is expected


def test_of_few_seats_the_best_that_were_found_come_first() -> None:
    """An association at a quarter of its score does not take the second of two."""
    assert list(seats({"boat": 0.7, "promise": 0.67}, {"town": 0.17}, (), 2)) == ["boat", "promise"]
    assert list(seats({"boat": 0.7, "promise": 0.67}, {"town": 0.17}, (), 3)) == ["boat", "promise", "town"]


def test_ten_seats_of_many() -> None:
    seeds, carried = {f"s{n}": 1.0 for n in range(20)}, {f"c{n}": 0.3 for n in range(20)}
    stages = list(seats(seeds, carried, (), 10).values())
    assert stages.count(Stage.SIMILARITY) == 6 and stages.count(Stage.ASSOCIATION) == 4
