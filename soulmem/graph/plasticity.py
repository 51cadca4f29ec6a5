"""What fires together wires together (SPEC §6.4, §7). Arrays in, arrays out; time is an argument.

Links fade by themselves (:func:`soulmem.graph.decay.link_intensities`): that is the depression of what is not used, and nothing
here applies it a second time. What is written is what firing adds, and that a link has faded for good.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from soulmem.errors import InputError
from soulmem.graph.csr import BoolArray, FloatArray, IntArray
from soulmem.graph.decay import link_intensities
from soulmem.settings import Settings


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Notes that fired in the same rounds, each pair once with ``one < other``: in how many rounds (``rounds``), and at
    which hours first and last (``first``, ``last``). Sorted by ``one``, then ``other``."""

    one: IntArray
    other: IntArray
    rounds: IntArray
    first: FloatArray
    last: FloatArray

    def __len__(self) -> int:
        return len(self.one)


def co_fired(rounds: ArrayLike, notes: ArrayLike, hours: ArrayLike) -> Pairs:
    """All pairs of notes that fired in the same round.

    ``rounds[i]``: the round (0, 1, …) in which note ``notes[i]`` (0, 1, …) fired; a note counts once in a round, and the
    order of the rows makes no difference. ``hours[r]``: when round ``r`` was.
    """
    fired = np.unique(np.stack([np.asarray(rounds, np.int64), np.asarray(notes, np.int64)]).T.reshape(-1, 2), axis=0)
    when = np.asarray(hours, np.float64)
    empty = np.zeros(0, np.int64)
    ones, others, at = [empty], [empty], [np.zeros(0)]
    for number in np.unique(fired[:, 0]):
        together = fired[fired[:, 0] == number, 1]
        first, second = np.triu_indices(len(together), 1)
        ones.append(together[first])
        others.append(together[second])
        at.append(np.full(len(first), when[number]))
    one, other, times = np.concatenate(ones), np.concatenate(others), np.concatenate(at)
    keys, places, counts = np.unique(np.stack([one, other]), axis=1, return_inverse=True, return_counts=True)
    places = places.reshape(-1)
    first_at, last_at = np.full(len(counts), np.inf), np.full(len(counts), -np.inf)
    np.minimum.at(first_at, places, times)
    np.maximum.at(last_at, places, times)
    return Pairs(keys[0], keys[1], counts.astype(np.int64), first_at, last_at)


def frequencies(rounds: ArrayLike, first: ArrayLike, last: ArrayLike) -> FloatArray:
    """``f = n / T``: how often per day something fired, T from first to last in hours, at least a day."""
    days = np.maximum((np.asarray(last, np.float64) - np.asarray(first, np.float64)) / 24.0, 1.0)
    return np.asarray(np.asarray(rounds, np.float64) / days)


def potentiated(intensities: ArrayLike, settings: Settings) -> FloatArray:
    """``I + η·(I_max − I)``: what links are after they fired once. Links that are at I_max or above stay as they are."""
    start = np.asarray(intensities, np.float64)
    if not ((start >= 0.0) & np.isfinite(start)).all():
        raise InputError("A link's intensity is negative or not a finite number.")
    most = settings.plasticity_most
    return np.asarray(np.where(start < most, start + settings.plasticity_rate * (most - start), start))


def fired(intensity: float, since: float, hours: ArrayLike, settings: Settings) -> float:
    """The intensity of one link as of its last firing: it fades between firings and grows with each.

    ``since``: the hour it fired last before, or was made; ``hours``: when it fired since, in any order; none before ``since``
    counts as later than it is.
    """
    strength = intensity
    for hour in np.sort(np.asarray(hours, np.float64)):
        strength = float(potentiated(link_intensities(strength, hour - since, settings), settings))
        since = max(since, float(hour))
    return strength


def faded(intensities: ArrayLike, hours: ArrayLike, settings: Settings) -> BoolArray:
    """Which links are weaker than the cut by now; ``hours`` since each fired, or was made."""
    return np.asarray(link_intensities(intensities, hours, settings) < settings.plasticity_cut)


def is_wired(rounds: ArrayLike, first: ArrayLike, last: ArrayLike, settings: Settings) -> BoolArray:
    """Which pairs fired together in enough rounds, often enough, to get a link."""
    often = frequencies(rounds, first, last) >= settings.plasticity_frequency
    return np.asarray((np.asarray(rounds) >= settings.plasticity_rounds) & often)
