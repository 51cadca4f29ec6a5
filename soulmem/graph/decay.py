"""How memories and links fade (SPEC §8): exponential curves with half-lives in hours. Pure; *now* is an argument."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import ArrayLike

from soulmem.errors import InputError
from soulmem.graph.csr import FloatArray
from soulmem.model.notes import Category, NoteType
from soulmem.settings import Settings

#: The half-life of what does not decay.
NEVER = math.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """What of a note its retention depends on, and what follows from it. ``strength`` (0..1) is the retention as of
    ``decayed_at``, from when on it fades; ``due_at``: when it will fall asleep, or did, if it is ``asleep``."""

    type: NoteType
    category: Category | None = None
    retrieval_count: int = 0
    pinned: bool = False
    core: bool = False
    asleep: bool = False
    strength: float = 1.0
    decayed_at: datetime
    due_at: datetime | None = None
    created_at: datetime | None = None

    @property
    def is_lasting(self) -> bool:
        """Whether it hardly fades and never falls asleep: what was pinned, and the core, which is always in mind."""
        return self.pinned or self.core

    def half_life_hours(self, settings: Settings) -> float:
        """See :func:`half_life_hours`; the core is as if pinned."""
        return half_life_hours(self.type, self.category, self.retrieval_count, self.is_lasting, settings)

    def retention(self, at: datetime, settings: Settings) -> float:
        """What is left at ``at``, 0..1."""
        return retention(self.strength, self.decayed_at, at, self.half_life_hours(settings))

    def settled(self, at: datetime, settings: Settings) -> Envelope:
        """The same memory as of ``at``: its strength is what is left. What only begins to fade later stays as it is."""
        moment = max(at, self.decayed_at)
        return replace(self, strength=self.retention(moment, settings), decayed_at=moment)

    def reinforced(self, at: datetime, settings: Settings) -> Envelope:
        """After a used recall at ``at``: stronger, recalled once more, awake if it is strong enough."""
        moment = max(at, self.decayed_at)
        strength = reinforced(self.strength, self.decayed_at, moment, self.half_life_hours(settings), settings)
        after = replace(self, retrieval_count=self.retrieval_count + 1, strength=strength, decayed_at=moment)
        return after.judged(settings)

    def judged(self, settings: Settings) -> Envelope:
        """Whether it sleeps, by its strength: it falls asleep at ``sleep_below``, and wakes above ``wake_above``; and when it is
        due. Since when it sleeps is kept."""
        if self.is_lasting:
            return replace(self, asleep=False, due_at=None)
        if not (self.strength <= settings.wake_above if self.asleep else self.strength <= settings.sleep_below):
            return replace(self, asleep=False).with_due(settings)
        since = self.due_at if self.due_at is not None and self.due_at <= self.decayed_at else self.decayed_at
        return replace(self, asleep=True, due_at=since)

    def with_due(self, settings: Settings) -> Envelope:
        """With the time when it will fall asleep; of what sleeps since when, as far as that is known."""
        if self.is_lasting:
            return replace(self, due_at=None)
        if self.asleep:
            return self if self.due_at is not None else replace(self, due_at=self.decayed_at)
        due = due_at(self.strength, self.decayed_at, self.half_life_hours(settings), settings)
        return replace(self, due_at=due)


def half_life_hours(
    note_type: NoteType, category: Category | None, retrieval_count: int, pinned: bool, settings: Settings
) -> float:
    """Half-life in hours, above 0: that of the note's kind, longer the more often it was retrieved.

    ``base · (1 + recall_count_factor · min(retrieval_count, recall_count_cap))``. A Semantic note without category counts as an
    event. Knowledge, procedures and patterns have :data:`NEVER`; a pinned note ``half_life_pinned_hours``, whatever its count.
    """
    if retrieval_count < 0:
        raise InputError(f"A note's retrieval count is {retrieval_count}, below 0.")
    base = base_hours(note_type, category, settings)
    if pinned and math.isfinite(base):
        return settings.half_life_pinned_hours
    return base * (1.0 + settings.recall_count_factor * min(retrieval_count, settings.recall_count_cap))


def half_lives(bases: ArrayLike, retrieval_counts: ArrayLike, pinned: ArrayLike, settings: Settings) -> FloatArray:
    """:func:`half_life_hours` of many notes; ``bases``: :func:`base_hours` of each."""
    base = np.asarray(bases, dtype=np.float64)
    longer = base * (1.0 + settings.recall_count_factor * np.minimum(retrieval_counts, settings.recall_count_cap))
    return np.asarray(np.where(np.isfinite(base) & pinned, settings.half_life_pinned_hours, longer))


def elapsed_hours(then: datetime, now: datetime) -> float:
    """Hours from ``then`` to ``now``, both timezone-aware; 0 when ``now`` is not later."""
    return max(0.0, (now - then) / timedelta(hours=1))


def retention(strength: float, decayed_at: datetime, now: datetime, half_life: float) -> float:
    """``R = s · 2^(−Δt / half_life)``, 0..1: what is left ``now`` of the ``strength`` (0..1) at ``decayed_at``.

    ``half_life`` in hours, above 0 or :data:`NEVER`. The missing degree is ``1 − R``.
    """
    if not 0.0 <= strength <= 1.0:
        raise InputError("A strength is outside 0..1.")
    if not half_life > 0.0:
        raise InputError("A half-life is not above 0 hours.")
    return strength * math.exp2(-elapsed_hours(decayed_at, now) / half_life)


def retentions(strengths: ArrayLike, hours: ArrayLike, half_lives: ArrayLike) -> FloatArray:
    """:func:`retention` of many notes: strengths 0..1, hours since (below 0 counts as 0), half-lives in hours."""
    start = np.asarray(strengths, dtype=np.float64)
    lives = np.asarray(half_lives, dtype=np.float64)
    if not ((start >= 0.0) & (start <= 1.0)).all():
        raise InputError("A strength is outside 0..1.")
    return start * _faded(hours, lives)


def reinforced(strength: float, decayed_at: datetime, now: datetime, half_life: float, settings: Settings) -> float:
    """The strength after a used recall, as of ``now``: ``R + recall_boost · (1 − R)``.

    ``half_life`` is the one before the retrieval count goes up.
    """
    left = retention(strength, decayed_at, now, half_life)
    return left + settings.recall_boost * (1.0 - left)


def due_at(strength: float, decayed_at: datetime, half_life: float, settings: Settings) -> datetime | None:
    """When retention falls below ``sleep_below``; ``decayed_at`` if it was there already, ``None`` if it never will.

    Rounded up to the microsecond. Never: what does not decay, and what lasts beyond the calendar;
    where nothing is little enough (``sleep_below`` 0) all that is there.
    """
    if math.isinf(half_life) or (settings.sleep_below <= 0.0 < strength):
        return None
    if strength <= settings.sleep_below:
        return decayed_at
    hours = half_life * math.log2(strength / settings.sleep_below)
    try:
        return decayed_at + timedelta(hours=hours) + timedelta(microseconds=1)
    except OverflowError:
        return None


def link_intensity(intensity: float, since: datetime, now: datetime, settings: Settings) -> float:
    """Effective intensity of a link ``now``: its ``intensity`` ≥ 0, halved every ``half_life_link_hours``.

    ``since``: when it last fired, or was created if it never did.
    """
    return float(link_intensities(intensity, elapsed_hours(since, now), settings))


def link_intensities(intensities: ArrayLike, hours: ArrayLike, settings: Settings) -> FloatArray:
    """:func:`link_intensity` of many links; ``hours`` since each fired or was created (below 0 counts as 0)."""
    start = np.asarray(intensities, dtype=np.float64)
    if not ((start >= 0.0) & np.isfinite(start)).all():
        raise InputError("A link's intensity is negative or not a finite number.")
    return start * _faded(hours, np.float64(settings.half_life_link_hours))


def _faded(hours: ArrayLike, half_lives: ArrayLike) -> FloatArray:
    lives = np.asarray(half_lives, dtype=np.float64)
    passed = np.maximum(np.asarray(hours, dtype=np.float64), 0.0)
    if not (lives > 0.0).all():
        raise InputError("A half-life is not above 0 hours.")
    if not np.isfinite(passed).all():
        raise InputError("A time passed is not a finite number of hours.")
    faded: FloatArray = np.exp2(-passed / lives)
    return faded


def base_hours(note_type: NoteType, category: Category | None, settings: Settings) -> float:
    """Half-life in hours of a note that was never retrieved; :data:`NEVER` of knowledge, procedures and patterns."""
    if note_type is NoteType.SPECIFIC:
        return settings.half_life_episode_hours
    if note_type is not NoteType.SEMANTIC or category is Category.KNOWLEDGE:
        return NEVER
    kind = category if category is not None else Category.EVENT
    hours: float = getattr(settings, f"half_life_{kind.value}_hours")
    return hours
