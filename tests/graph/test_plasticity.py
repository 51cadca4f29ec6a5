"""Plasticity: laws of growing, fading and wiring."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.errors import InputError
from soulmem.graph.plasticity import co_fired, faded, fired, frequencies, is_wired, potentiated
from soulmem.settings import Settings

SETTINGS = Settings()
intensities = st.floats(0.0, 5.0, allow_nan=False)
hours = st.lists(st.floats(0.0, 5000.0, allow_nan=False), max_size=12)


@given(intensities)
def test_firing_never_weakens_and_never_passes_the_most(intensity):
    after = float(potentiated(intensity, SETTINGS))
    assert after >= intensity
    assert after <= max(intensity, SETTINGS.plasticity_most)


@given(intensities, intensities)
def test_the_stronger_stays_the_stronger(one, other):
    low, high = sorted((one, other))
    assert potentiated(low, SETTINGS) <= potentiated(high, SETTINGS)


def test_the_formula():
    assert float(potentiated(1.0, SETTINGS)) == pytest.approx(1.1)
    assert fired(1.0, 0.0, [0.0, 0.0], SETTINGS) == pytest.approx(1.19)
    # 720 hours halve it before it fires again.
    assert fired(1.0, 0.0, [720.0], SETTINGS) == pytest.approx(0.5 + 0.1 * 1.5)


@given(intensities, hours)
def test_the_order_of_firings_is_told_by_their_times(intensity, moments):
    shuffled = list(moments)
    random.Random(7).shuffle(shuffled)
    assert fired(intensity, 0.0, moments, SETTINGS) == fired(intensity, 0.0, shuffled, SETTINGS)
    assert 0.0 <= fired(intensity, 0.0, moments, SETTINGS) <= max(intensity, SETTINGS.plasticity_most)


@given(intensities, hours, st.integers(0, 12))
def test_firing_in_two_goes_is_firing_in_one(intensity, moments, cut):
    moments = sorted(moments)
    first, rest = moments[:cut], moments[cut:]
    between = fired(intensity, 0.0, first, SETTINGS)
    since = first[-1] if first else 0.0
    assert fired(between, since, rest, SETTINGS) == pytest.approx(fired(intensity, 0.0, moments, SETTINGS))


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf")])
def test_what_is_no_intensity_is_refused(wrong):
    with pytest.raises(InputError):
        potentiated(wrong, SETTINGS)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 6)), max_size=40))
def test_pairs_are_those_of_a_double_loop(rows):
    at = [10.0 * number for number in range(6)]
    expected: dict[tuple[int, int], list[float]] = {}
    for number in range(6):
        together = sorted({note for round_, note in rows if round_ == number})
        for place, one in enumerate(together):
            for other in together[place + 1 :]:
                expected.setdefault((one, other), []).append(at[number])
    found = co_fired([round_ for round_, _ in rows], [note for _, note in rows], at)
    told = {
        (int(found.one[n]), int(found.other[n])): (int(found.rounds[n]), found.first[n], found.last[n]) for n in range(len(found))
    }
    assert told == {pair: (len(times), min(times), max(times)) for pair, times in expected.items()}


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 6)), max_size=30))
def test_rows_in_another_order_and_twice_make_no_difference(rows):
    at = [float(number) for number in range(6)]
    one = co_fired([r for r, _ in rows], [n for _, n in rows], at)
    again = [*reversed(rows), *rows]
    other = co_fired([r for r, _ in again], [n for _, n in again], at)
    for name in ("one", "other", "rounds", "first", "last"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_wiring_needs_enough_rounds_and_often_enough():
    assert list(is_wired([2, 3, 3], [0.0, 0.0, 0.0], [24.0, 48.0, 24.0 * 400], SETTINGS)) == [False, True, False]
    assert frequencies(6, 0.0, 72.0) == pytest.approx(2.0)
    assert frequencies(4, 5.0, 5.0) == pytest.approx(4.0)


def test_what_does_not_fire_fades_below_the_cut():
    assert list(faded([1.0, 1.0], [3000.0, 3200.0], SETTINGS)) == [False, True]
