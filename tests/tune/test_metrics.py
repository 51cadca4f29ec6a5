"""Measures of rankings: against plain formulas written another way, and their laws."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.tune.metrics import (
    bootstrap_interval,
    hit_at,
    means,
    ndcg_at,
    overlap_at,
    precision_at,
    rank_correlation,
    recall_at,
    reciprocal_rank,
)

KEYS = [chr(ord("a") + number) for number in range(12)]
rankings = st.lists(st.sampled_from(KEYS), unique=True, max_size=12)
truths = st.lists(st.sampled_from(KEYS), unique=True, min_size=1, max_size=8)
depths = st.integers(1, 15)


def relevance(ranking, truth, k):
    """1 for every relevant place of k, padded with 0."""
    row = np.zeros(k)
    for place, key in enumerate(ranking[:k]):
        row[place] = key in truth
    return row


@settings(deadline=None)
@given(rankings, truths, depths)
def test_all_measures_equal_the_plain_formulas(ranking, truth, k):
    row = relevance(ranking, truth, k)
    assert recall_at(ranking, truth, k) == pytest.approx(row.sum() / len(truth))
    assert precision_at(ranking, truth, k) == pytest.approx(row.mean())
    assert hit_at(ranking, truth, k) == float(row.any())
    gains = 1 / np.log2(np.arange(2, k + 2))
    ideal = np.sort(relevance([*truth, *(key for key in KEYS if key not in truth)], truth, k))[::-1]
    assert ndcg_at(ranking, truth, k) == pytest.approx((row @ gains) / (ideal @ gains))
    whole = relevance(ranking, truth, len(ranking) or 1)
    assert reciprocal_rank(ranking, truth) == pytest.approx(1 / (whole.argmax() + 1) if whole.any() else 0.0)


def test_cases_known_by_thought():
    assert ndcg_at(["x", "a", "y", "b"], ["a", "b"], 10) == pytest.approx(
        (1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3))
    )
    assert reciprocal_rank(["x", "y", "a"], ["a", "b"]) == pytest.approx(1 / 3)
    assert recall_at(["x", "a"], ["a", "b", "c"], 2) == pytest.approx(1 / 3)
    assert precision_at(["a"], ["a"], 5) == pytest.approx(0.2), "places that are empty count as wrong"
    assert overlap_at(["a", "b", "c"], ["c", "x", "a", "b"], 3) == pytest.approx(2 / 3)


@settings(deadline=None)
@given(rankings, truths)
def test_deeper_never_finds_less(ranking, truth):
    for measure in (recall_at, hit_at):
        values = [measure(ranking, truth, k) for k in range(1, 14)]
        assert values == sorted(values)


@settings(deadline=None)
@given(truths, depths)
def test_the_truth_in_front_is_perfect(truth, k):
    ranking = [*truth, *(key for key in KEYS if key not in truth)]
    assert ndcg_at(ranking, truth, k) == pytest.approx(1.0)
    assert reciprocal_rank(ranking, truth) == 1.0
    assert recall_at(ranking, truth, len(truth)) == 1.0


@settings(deadline=None)
@given(rankings, rankings)
def test_rank_correlation_is_kendalls(before, after):
    common = [key for key in before if key in after]
    found = rank_correlation(before, after)
    if len(common) < 2:
        assert found is None
        return
    places = np.array([after.index(key) for key in common])
    signs = np.sign(places[:, None] - places[None, :])
    assert found == pytest.approx(-np.triu(signs).sum() / (len(common) * (len(common) - 1) / 2))
    assert rank_correlation(before, after[::-1]) == pytest.approx(-found)
    assert rank_correlation(before, before) == 1.0


def test_rank_correlation_counts_pairs():
    order = ["c", "a", "d", "b"]
    pairs = list(combinations("abcd", 2))
    agreeing = sum(order.index(one) < order.index(other) for one, other in pairs)
    assert rank_correlation("abcd", order) == pytest.approx((agreeing - (len(pairs) - agreeing)) / len(pairs))


def test_the_interval_of_what_never_differs_is_a_point():
    assert bootstrap_interval([0.25] * 7, seed=1) == pytest.approx((0.25, 0.25))


def test_the_interval_is_the_seeds():
    values = [0.1, -0.2, 0.4, 0.0, 0.3]
    assert bootstrap_interval(values, seed=3) == bootstrap_interval(values, seed=3)
    assert bootstrap_interval(values, seed=3) != bootstrap_interval(values, seed=4)


def test_the_interval_is_that_of_drawing_one_by_one():
    values = np.random.default_rng(5).normal(0.1, 0.3, 40)
    chance = np.random.default_rng(6)
    drawn = np.array([chance.choice(values, len(values)).mean() for _ in range(20_000)])
    expected = np.quantile(drawn, [0.05, 0.95])
    assert bootstrap_interval(values.tolist(), seed=0, samples=20_000, confidence=0.9) == pytest.approx(expected, abs=0.006)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_the_interval_lies_within_the_differences_and_grows_with_confidence(values):
    low, high = bootstrap_interval(values, seed=0, samples=500)
    wide_low, wide_high = bootstrap_interval(values, seed=0, samples=500, confidence=0.999)
    assert min(values) - 1e-9 <= wide_low <= low <= high <= wide_high <= max(values) + 1e-9


def test_means_are_over_the_cases_that_have_the_measure():
    found, counts = means([{"mrr": 1.0}, {"mrr": 0.5, "hit": 1.0}, {}])
    assert found == {"mrr": 0.75, "hit": 1.0}
    assert counts == {"mrr": 2, "hit": 1}
