"""Parts of a recorded value are taken back by themselves; everything else of it stays."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from soulmem.store.recorded import changed_parts, is_shared, taken_back

NAME = "consolidation"
CURSORS = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 5))
STATES = st.none() | st.fixed_dictionaries(
    {
        "cursors": CURSORS,
        "recalls": st.none() | st.just("2026-07-01"),
        "failed": st.just({}) | st.just({"times": 1}),
        "skipped": st.just([]) | st.just([1]),
    }
)


def _told(value: Any) -> Any:
    """What a state tells: what is empty tells nothing."""
    return {name: one for name, one in (value or {}).items() if one}


@given(STATES, STATES)
def test_what_nobody_wrote_to_since_is_as_it_was(old: Any, new: Any) -> None:
    assert _told(taken_back(NAME, new, old, new)) == _told(old)


@given(STATES, STATES, STATES)
def test_what_others_wrote_since_stays_where_the_parts_are_others(old: Any, new: Any, now: Any) -> None:
    mine, theirs = changed_parts(NAME, old, new), changed_parts(NAME, new, now)
    if not mine & theirs:
        left = taken_back(NAME, now, old, new)
        assert changed_parts(NAME, now, left) == mine and changed_parts(NAME, old, left) == theirs


def test_each_chat_that_was_read_is_a_part_and_what_is_empty_is_none() -> None:
    old = {"cursors": {"a": 1}, "recalls": None, "failed": {}, "skipped": []}
    new = old | {"cursors": {"a": 2, "b": 0}, "skipped": [{"batch": "x"}]}
    assert changed_parts(NAME, old, new) == {("cursors", "a"), ("cursors", "b"), ("skipped", None)}
    assert changed_parts(NAME, None, old | {"cursors": {}}) == frozenset()
    assert taken_back(NAME, old, None, old) is None


def test_other_values_have_no_parts() -> None:
    assert is_shared(NAME, None, {}) and not is_shared(NAME, None, "broken") and not is_shared("settings", None, {})
