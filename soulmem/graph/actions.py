"""Which actions the remembered situations call for (SPEC §4.4): each situation triggers a procedure with a probability."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from soulmem.errors import InputError
from soulmem.model.notes import ActionType, NoteType
from soulmem.settings import Settings


@dataclass(frozen=True, slots=True)
class Trigger:
    """A Proc link: the situation ``source`` calls for ``action`` (note ids) with ``probability`` 0..1."""

    source: str
    action: str
    probability: float


@dataclass(frozen=True, slots=True)
class ActionScore:
    """An action that fires. ``score`` 0..1 is the sum of ``shares``: (situation id, its part), the greatest first."""

    action: str
    score: float
    shares: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Actions:
    """``ranked``: the best actions of every type, best first. ``self_knowledge``: actions only known of, which do not fire."""

    ranked: Mapping[ActionType, tuple[ActionScore, ...]]
    self_knowledge: tuple[str, ...]


def rank_actions(
    scores: Mapping[str, float],
    note_types: Mapping[str, NoteType],
    triggers: Iterable[Trigger],
    action_types: Mapping[str, ActionType],
    settings: Settings,
    *,
    known_only: Iterable[str] = (),
) -> Actions:
    """``score(action) = Σ probability × weight of the situation``, the best ``action_top_k`` of each type, ties by id.

    ``scores``: relevance of the notes recalled, finite; only situations above 0 take part. ``note_types``: of those notes.
    ``action_types``: of every action a trigger names. ``known_only``: actions reached from Semantic notes, in the order wanted;
    those that fire are taken out. Triggers of notes that take no part are ignored. Raises :class:`InputError`.
    """
    weights = source_weights(scores, note_types, settings)
    shares: dict[str, dict[str, float]] = {}
    for trigger in triggers:
        if not 0.0 <= trigger.probability <= 1.0:
            raise InputError(
                f"The link from {trigger.source} to {trigger.action} has probability {trigger.probability}, not 0..1."
            )
        share = trigger.probability * weights.get(trigger.source, 0.0)
        if share > 0.0:
            mine = shares.setdefault(trigger.action, {})
            mine[trigger.source] = mine.get(trigger.source, 0.0) + share
    missing = sorted(shares.keys() - action_types.keys())
    if missing:
        raise InputError(f"The type of these actions is not given: {', '.join(missing)}.")
    ranked = {kind: _best(shares, [a for a in shares if action_types[a] is kind], settings) for kind in ActionType}
    return Actions(ranked, tuple(action for action in dict.fromkeys(known_only) if action not in shares))


def source_weights(scores: Mapping[str, float], note_types: Mapping[str, NoteType], settings: Settings) -> dict[str, float]:
    """Softmax over the scores of the situations above 0, those of patterns times ``abstract_boost``. Sums to 1, or is empty."""
    boosted: dict[str, float] = {}
    for note, score in sorted(scores.items()):
        if not math.isfinite(score):
            raise InputError(f"The score of {note} is {score}, not a finite number.")
        if note not in note_types:
            raise InputError(f"The type of {note} is not given.")
        if score > 0.0 and note_types[note].is_situation:
            boosted[note] = score * (settings.abstract_boost if note_types[note] is NoteType.ABSTRACT else 1.0)
    top = max(boosted.values(), default=0.0)
    powers = {note: math.exp(score - top) for note, score in boosted.items()}
    total = math.fsum(powers.values())
    return {note: power / total for note, power in powers.items()}


def _best(shares: Mapping[str, Mapping[str, float]], actions: Iterable[str], settings: Settings) -> tuple[ActionScore, ...]:
    scored = [ActionScore(action, math.fsum(shares[action].values()), _descending(shares[action])) for action in actions]
    return tuple(sorted(scored, key=lambda one: (-one.score, one.action))[: settings.action_top_k])


def _descending(shares: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(shares.items(), key=lambda one: (-one[1], one[0])))
