"""Things that are made one ahead: in order, never more than one, and what fails fails in its place."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.store.ahead import ahead


@given(st.lists(st.integers()))
def test_all_comes_in_order(values: list[int]) -> None:
    assert list(ahead((lambda value=value: value) for value in values)) == values


def test_one_is_made_while_the_one_before_is_used_and_no_more() -> None:
    made: list[int] = []
    second = threading.Event()

    def makers() -> Iterator[Callable[[], int]]:
        for number in range(5):
            yield lambda number=number: (made.append(number), second.set() if number == 1 else None, number)[2]

    for number in ahead(makers()):
        if number == 0:
            assert second.wait(30), "the second is made meanwhile"
        assert max(made) <= number + 1


def test_what_a_maker_raises_comes_where_its_thing_would_have_come() -> None:
    used: list[int] = []
    makers = [lambda: 0, lambda: 1 // 0, lambda: 2]
    with pytest.raises(ZeroDivisionError):
        used.extend(ahead(makers))
    assert used == [0]


def test_whoever_stops_early_leaves_no_thread() -> None:
    before = threading.active_count()
    for _ in ahead(iter([lambda: 0, lambda: 1, lambda: 2])):
        break
    assert threading.active_count() == before
