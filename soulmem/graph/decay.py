"""How memories and links fade (SPEC §8): exponential curves with half-lives in hours. Pure; *now* is an argument."""

from __future__ import annotations

import math
from dataclasses import dataclass
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
    """What of a note its retention depends on. ``strength`` (0..1) is the retention as of ``decayed_at``."""

    type: NoteType
    category: Category | None = None
    retrieval_count: int = 0
    pinned: bool = False
    strength: float = 1.0
    decayed_at: datetime

    def half_life_hours(self, settings: Settings) -> float:
        """See :func:`half_life_hours`."""
        return half_life_hours(self.type, self.category, self.retrieval_count, self.pinned, settings)

    def retention(self, at: datetime, settings: Settings) -> float:
        """What is left at ``at``, 0..1."""
        return retention(self.strength, self.decayed_at, at, self.half_life_hours(settings))


def half_life_hours(
    note_type: NoteType, category: Category | None, retrieval_count: int, pinned: bool, settings: Settings
) -> float:
    """Half-life in hours, above 0: that of the note's kind, longer the more often it was retrieved.

    ``base · (1 + recall_count_factor · min(retrieval_count, recall_count_cap))``. A Semantic note without category counts as an
    event. Knowledge, procedures and patterns have :data:`NEVER`; a pinned note ``half_life_pinned_hours``, whatever its count.
    """
    if retrieval_count < 0:
        raise InputError(f"A note's retrieval count is {retrieval_count}, below 0.")
    return float(half_lives(base_hours(note_type, category, settings), retrieval_count, pinned, settings))


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
    return float(retentions(strength, elapsed_hours(decayed_at, now), half_life))


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

    Rounded up to the microsecond. Never: what does not decay, and what lasts beyond the calendar.
    """
    if math.isinf(half_life):
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
