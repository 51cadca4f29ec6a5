"""Weights: names, ranges, sweeps and their combinations; the profile made of them."""

from __future__ import annotations

import logging
import math
from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tune_minds import AT

from soulmem.errors import InputError
from soulmem.settings import Settings, names
from soulmem.tune.profile import read_profile, saved, with_profile
from soulmem.tune.weights import TUNABLE, bounds, checked, grid, is_whole, parsed_sweep, parsed_value, told


def test_every_default_is_in_its_range():
    for name, value in TUNABLE.items():
        assert checked(name, value) == value
        low, high = bounds(name)
        assert low < high


def test_what_may_be_tuned_are_settings_and_none_of_the_engine():
    assert TUNABLE.keys() <= set(names())
    assert set(names()) - TUNABLE.keys() == {"buffer_pool_bytes", "max_db_bytes", "bulk_size"}


@pytest.mark.parametrize("name", TUNABLE)
def test_whole_numbers_stay_whole_and_out_of_range_is_refused(name):
    low, high = bounds(name)
    assert isinstance(checked(name, TUNABLE[name]), int if is_whole(name) else float)
    for value in (math.nan, math.inf, -math.inf, low - 1, high + 1, True, "1", None):
        with pytest.raises(InputError, match=name):
            checked(name, value)


def test_damping_of_one_is_refused():
    with pytest.raises(InputError, match="less than 1"):
        checked("damping", 1.0)


@pytest.mark.parametrize(("text", "near"), [("dampning=0.5", "damping"), ("tagg=1", "tag"), ("max_result=3", "max_results")])
def test_a_name_that_is_not_there_gets_the_near_ones(text, near):
    with pytest.raises(InputError) as caught:
        parsed_value(text)
    assert f"Perhaps {near}" in str(caught.value)


def test_a_name_like_nothing_gets_all_names():
    with pytest.raises(InputError) as caught:
        parsed_value("qqqq=1")
    assert all(name in str(caught.value) for name in TUNABLE)


@pytest.mark.parametrize(
    "text",
    ["damping", "=1", "", "damping=", "damping=nan", "damping=inf", "damping=1e999", "damping=0x1", "damping=0_1", "damping=١"],
)
def test_what_is_no_value_is_refused(text):
    with pytest.raises(InputError):
        parsed_value(text)


@pytest.mark.parametrize(
    "text",
    [
        "damping=0:1",
        "damping=0:0.5:0",
        "damping=0:0.5:-0.1",
        "damping=0.5:0.1:0.1",
        "damping=a:b:c",
        "damping=0:0.5:nan",
        "damping=0.1,",
        "damping=,",
        "damping=0:0.9:0.1:0.2",
        "max_results=1:4:0.5",
    ],
)
def test_what_is_no_sweep_is_refused(text):
    with pytest.raises(InputError):
        parsed_sweep(text)


@settings(deadline=None)
@given(st.integers(0, 40), st.integers(1, 60), st.integers(1, 20))
def test_a_sweep_by_steps_is_the_exact_decimals(start, steps, step):
    first, by = Decimal(start) / 1000, Decimal(step) / 1000
    last = first + by * (steps - 1)
    if last >= 1:
        return
    name, values = parsed_sweep(f"damping={first}:{last}:{by}")
    assert name == "damping"
    assert values == tuple(float(first + by * number) for number in range(steps))


def test_sweeps_have_both_ends_and_no_value_twice():
    assert parsed_sweep("damping=0.1:0.9:0.2") == ("damping", (0.1, 0.3, 0.5, 0.7, 0.9))
    assert parsed_sweep("max_results=2:8:3") == ("max_results", (2, 5, 8))
    assert parsed_sweep("damping=0.5,0.1,0.5") == ("damping", (0.5, 0.1))
    assert parsed_sweep("damping=0.5:0.5:1") == ("damping", (0.5,))


@pytest.mark.parametrize("text", ["damping=0:0.9999:0.0001", "damping=0:0.9:1e-300", "half_life_event_hours=1:100000000:1"])
def test_a_sweep_that_is_too_large_is_refused_before_it_is_made(text):
    with pytest.raises(InputError, match="--most"):
        parsed_sweep(text)


def test_too_many_combinations_are_refused_before_they_are_made():
    values = tuple(number / 200 for number in range(100))
    sweeps = dict.fromkeys(["tag", "variant", "damping", "bm25_b", "sem_concept"], values)
    with pytest.raises(InputError, match="10000000000 combinations"):
        grid({}, sweeps)
    assert len(grid({}, {"tag": values, "variant": values}, most=10_000)) == 10_000


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.4]), unique=True, min_size=1),
    st.lists(st.sampled_from([2, 3, 5]), unique=True, min_size=1),
)
def test_all_combinations_in_order(damping, results):
    found = grid({"tag": 0.5}, {"damping": damping, "max_results": results})
    assert [(point["damping"], point["max_results"]) for point in found] == list(product(damping, results))
    assert all(point["tag"] == 0.5 for point in found)


def test_the_command_line_is_above_the_file():
    of_file = ({"tag": 0.3, "variant": 0.7}, {"tag": 0.5, "variant": 0.5})
    assert grid({}, {}, of_file) == of_file
    assert grid({"tag": 0.9}, {}, of_file) == ({"tag": 0.9, "variant": 0.7}, {"tag": 0.9, "variant": 0.5})
    assert grid({"tag": 0.9, "variant": 0.1}, {}, of_file) == ({"tag": 0.9, "variant": 0.1},)
    assert grid({}, {}) == ({},)


def test_set_and_swept_is_refused():
    with pytest.raises(InputError, match="damping"):
        grid({"damping": 0.5}, {"damping": (0.5,)})


# -- profiles -----------------------------------------------------------------------------------------------------------------


def test_a_profile_is_read_as_it_was_written():
    change = saved({"damping": 0.5, "max_results": 6}, {"suite": "retrieve/full"}, AT)
    found = read_profile(change.meta["profile"])
    assert (found.weights, found.measured, found.ignored) == ({"damping": 0.5, "max_results": 6}, {"suite": "retrieve/full"}, ())
    assert "damping=0.5" in change.what and told({}) == "as they are"


def test_none_is_an_empty_profile():
    assert read_profile(None).weights == {} and read_profile(None).ignored == ()


@pytest.mark.parametrize("value", [1, "x", [], {}, {"weights": 3}, {"weights": None}])
def test_what_is_no_profile_is_ignored_with_a_word(value):
    found = read_profile(value)
    assert found.weights == {} and len(found.ignored) == 1


def test_unknown_and_impossible_weights_are_ignored_with_a_word(caplog):
    value = {"weights": {"damping": 0.5, "of_tomorrow": 1.0, "tag": 7, "bm25_b": "x"}, "measured": 3}
    found = read_profile(value)
    assert found.weights == {"damping": 0.5} and found.measured == {}
    assert [any(name in told_of for told_of in found.ignored) for name in ("of_tomorrow", "tag", "bm25_b")] == [True] * 3
    with caplog.at_level(logging.WARNING):
        assert with_profile(Settings(), value) == Settings(damping=0.5)
    assert "of_tomorrow" in caplog.text


def test_a_profile_that_cannot_be_is_not_saved():
    with pytest.raises(InputError):
        saved({"damping": 2.0}, {}, AT)
