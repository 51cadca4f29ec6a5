"""The formulas of similarity (SPEC §3, §4.2), over arrays. Row i of every array is the same note; NaN means "not there"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from soulmem.settings import Settings

Floats = NDArray[np.float64]


def calibrate(cosine: Floats, baseline: float) -> Floats:
    """``max(0, (cos − baseline) / (1 − baseline))``, NaN kept: 0 for unrelated texts whatever the embedder, 1 for the same.

    Single precision may give a cosine a little above 1; it counts as 1.
    """
    return np.clip((cosine - baseline) / (1.0 - baseline), 0.0, 1.0)


def lexical(bm25: Floats, coverage: Floats) -> Floats:
    """BM25 ``r`` ≥ 0 squeezed into 0..1, ``r / (1 + r)``, times the root of the ``coverage`` (0..1) of the question.

    BM25 alone cannot tell a question of which everything was found from one of which a single word was: both come near 1.
    """
    return bm25 / (1.0 + bm25) * np.sqrt(coverage)


def relevance(dense: Floats, words: Floats, settings: Settings) -> Floats:
    """Fusion of the dense channel and the words (both 0..1) of all candidates of one question.

    The words have as much of a say as their best hit, ``h``: where the whole question stands in some note (h = 1), a note without
    its words resembles it less than its vector says, ``lexical_weight·words + dense_weight·dense``; where its words stand nowhere
    (h = 0), the vectors decide alone.
    """
    say = words.max(initial=0.0)
    return np.asarray((1.0 - say * (1.0 - settings.dense_weight)) * dense + settings.lexical_weight * words)


def retained(relevance_: Floats, retention: Floats, settings: Settings) -> Floats:
    """What forgetting leaves of a relevance: ``relevance^w · (floor + (1 − floor)·R)``."""
    floor = settings.retention_floor
    return np.asarray(relevance_**settings.relevance_exponent * (floor + (1.0 - floor) * retention))


def blend_string(dense: Floats, likeness: Floats, alpha: float) -> Floats:
    """The string channel only ever adds: ``max(e, α·e + (1 − α)·s)``."""
    return np.maximum(dense, alpha * dense + (1.0 - alpha) * likeness)


def weighted(parts: Sequence[tuple[Floats, float]]) -> Floats:
    """Weighted mean of the parts that are there; a missing part hands its weight to the others. All missing: NaN."""
    values = np.vstack([part for part, _ in parts])
    weights = np.array([[weight] for _, weight in parts]) * ~np.isnan(values)
    total = weights.sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(total > 0, np.nansum(values * weights, axis=0) / np.where(total > 0, total, 1.0), np.nan))


def best(parts: Sequence[Floats]) -> Floats:
    """The largest of the parts that are there; none there: 0."""
    return np.asarray(np.nan_to_num(np.vstack(parts), nan=0.0).max(axis=0))


def semantic_score(cosines: Mapping[str, Floats], *, described: bool, settings: Settings) -> Floats:
    """Score of Semantic notes for one unit: concept is the better of content and aliases; with a description half and half."""
    concept = np.fmax(cosines["content"], cosines["aliases"])
    if not described:
        return np.nan_to_num(concept)
    parts = [(concept, settings.sem_concept), (cosines["description"], settings.sem_description)]
    return np.nan_to_num(weighted(parts))


def event_score(action: Floats, initiator: Floats, target: Floats, settings: Settings) -> Floats:
    """Score of events: all three parts, or the action and the one other part that is there, or what there is."""
    whole = weighted(
        [
            (initiator, settings.sit_event_initiator),
            (target, settings.sit_event_target),
            (action, settings.sit_event_action),
        ]
    )
    by_initiator = weighted(
        [(initiator, 1.0 - settings.sit_event_initiator_only_action), (action, settings.sit_event_initiator_only_action)]
    )
    by_target = weighted([(target, 1.0 - settings.sit_event_target_only_action), (action, settings.sit_event_target_only_action)])
    no_initiator, no_target = np.isnan(initiator), np.isnan(target)
    one = np.where(no_target, by_initiator, by_target)
    return np.asarray(np.where((no_initiator == no_target) | np.isnan(action), whole, one))


def situation_score(cosines: Mapping[str, Floats], settings: Settings) -> Floats:
    """Score of situations for one unit: the best of the signals that both sides have.

    ``cosines`` are calibrated, NaN where the question or the note lacks the part: narrative, location_name,
    location_coordinates, participant_name, participant_role, atmosphere, tone, event_action, event_initiator, event_target,
    and optionally ``time`` (overlap of the spans, 0..1).
    """
    signals = [
        cosines["narrative"],
        weighted(
            [
                (cosines["location_name"], settings.sit_location_name),
                (cosines["location_coordinates"], settings.sit_location_coord),
            ]
        ),
        weighted(
            [
                (cosines["participant_name"], settings.sit_participant_name),
                (cosines["participant_role"], settings.sit_participant_role),
            ]
        ),
        weighted([(cosines["atmosphere"], settings.sit_env_atmosphere), (cosines["tone"], settings.sit_env_tone)]),
        event_score(cosines["event_action"], cosines["event_initiator"], cosines["event_target"], settings),
    ]
    if "time" in cosines:
        signals.append(cosines["time"])
    return best(signals)


def with_tags(variant: Floats, tags: Floats, settings: Settings) -> Floats:
    """``0.3·tag + 0.7·variant``; the variant alone where either side has no tags (``tags`` NaN)."""
    return np.asarray(np.where(np.isnan(tags), variant, settings.tag * np.nan_to_num(tags) + settings.variant * variant))
