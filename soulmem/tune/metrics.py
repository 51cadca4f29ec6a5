"""Measures of a ranking against the truth, and of two rankings against each other. Pure; keys are any texts, best first.

Relevance is binary: a key of the truth is relevant, all others are not. A measure that the truth says nothing about is not
here: a question without an expected ranking has no recall.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np


def recall_at(ranking: Sequence[str], truth: Collection[str], k: int) -> float:
    """Share of the ``truth`` (not empty) among the first ``k``; 0..1. (Manning, Raghavan, Schütze 2008, §8.3.)"""
    return len(set(truth) & set(ranking[:k])) / len(set(truth))


def precision_at(ranking: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Share of the first ``k`` places that a relevant key takes; 0..1. A shorter ranking leaves places empty, which count as
    wrong, as in trec_eval's ``P_k``. (Manning, Raghavan, Schütze 2008, §8.4.)"""
    return len(set(relevant) & set(ranking[:k])) / k


def hit_at(ranking: Sequence[str], truth: Collection[str], k: int) -> float:
    """1 where any of the ``truth`` is among the first ``k``, else 0; its mean is the hit rate (success@k)."""
    return float(not set(truth).isdisjoint(ranking[:k]))


def reciprocal_rank(ranking: Sequence[str], truth: Collection[str]) -> float:
    """1 / place (from 1) of the first key of the ``truth``; 0 where there is none. Its mean is MRR. (Voorhees 1999.)"""
    return next((1.0 / place for place, key in enumerate(ranking, start=1) if key in truth), 0.0)


def ndcg_at(ranking: Sequence[str], truth: Collection[str], k: int) -> float:
    """Normalised discounted cumulative gain of the first ``k``; 0..1: ``Σ 1/log2(place + 1)`` over the places of the ``truth``
    (not empty), against the same with all of it in front. (Järvelin, Kekäläinen 2002, binary gains.)"""
    gain = sum(_discount(place) for place, key in enumerate(ranking[:k], start=1) if key in truth)
    return gain / sum(_discount(place) for place in range(1, min(len(set(truth)), k) + 1))


def _discount(place: int) -> float:
    return 1.0 / math.log2(place + 1)


def overlap_at(before: Sequence[str], after: Sequence[str], k: int) -> float:
    """Share of the first ``k`` of ``before`` (not empty) that are among the first ``k`` of ``after``; 0..1."""
    first = set(before[:k])
    return len(first & set(after[:k])) / len(first)


def rank_correlation(before: Sequence[str], after: Sequence[str]) -> float | None:
    """Kendall's τ over the keys that both rankings have; −1 (turned round) to 1 (the same order). ``None`` for fewer than two.

    Rankings have no ties: τ = (concordant − discordant pairs) / all pairs. (Kendall 1938.)
    """
    places = {key: place for place, key in enumerate(after)}
    common = [places[key] for key in before if key in places]
    pairs = len(common) * (len(common) - 1) // 2
    if not pairs:
        return None
    concordant = sum(later > one for number, one in enumerate(common) for later in common[number + 1 :])
    return (2 * concordant - pairs) / pairs


def bootstrap_interval(
    differences: Sequence[float], *, seed: int, samples: int = 10_000, confidence: float = 0.95
) -> tuple[float, float]:
    """Percentile interval of the mean of paired ``differences`` (not empty), resampled ``samples`` times with replacement.

    ``confidence`` 0..1; the same ``seed`` gives the same interval. (Efron, Tibshirani 1993, §13.3.)
    """
    values = np.asarray(differences, dtype=np.float64)
    chance = np.random.default_rng(seed)
    # How often each difference is drawn is multinomial: no array of samples × differences is needed for the draws themselves.
    draws = chance.multinomial(len(values), np.full(len(values), 1.0 / len(values)), size=samples)
    low, high = np.quantile(draws @ values / len(values), [(1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0])
    return float(low), float(high)


def means(scores: Sequence[Mapping[str, float]]) -> tuple[dict[str, float], dict[str, int]]:
    """(measure → mean over the cases that have it, measure → how many those are), in the order in which measures first occur."""
    values: dict[str, list[float]] = {}
    for case in scores:
        for measure, value in case.items():
            values.setdefault(measure, []).append(value)
    counts = {measure: len(some) for measure, some in values.items()}
    return {measure: math.fsum(some) / len(some) for measure, some in values.items()}, counts
