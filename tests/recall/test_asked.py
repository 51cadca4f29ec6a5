"""What is looked up by name is what there is, asked once or often, together or apart."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.recall import asked
from soulmem.recall.asked import ASKED_OF_ENGINE, Kept

PAIRS = [("a", 1), ("b", 2), ("a", 3), ("d", 4)]
NAMES = st.lists(st.sampled_from("abcde"), max_size=4)


class Source:
    """Counts what it is asked for."""

    def __init__(self) -> None:
        self.some_of: list[list[str]] = []
        self.wholes = 0

    def some(self, names: Sequence[str]) -> list[tuple[str, int]]:
        self.some_of.append(list(names))
        return [pair for pair in PAIRS if pair[0] in names]

    def whole(self) -> list[tuple[str, int]]:
        self.wholes += 1
        return PAIRS


@settings(deadline=None)
@given(st.lists(NAMES, max_size=20), st.booleans())
def test_answers_are_those_of_the_source(questions: list[list[str]], has_whole: bool) -> None:
    source = Source()
    kept = Kept(source.some, source.whole if has_whole else None)
    for names in questions:
        assert kept.of(names) == {name: tuple(value for known, value in PAIRS if known == name) for name in names}
    flat = [name for names in source.some_of for name in names]
    assert len(flat) == len(set(flat))  # nothing is asked for twice, also what there is not


def test_a_process_that_asks_often_reads_all_once_one_that_asks_seldom_never() -> None:
    source = Source()
    kept = Kept(source.some, source.whole)
    for number in range(ASKED_OF_ENGINE):
        kept.of([f"unknown {number}"])
    assert source.wholes == 0
    for number in range(5):
        assert kept.of([f"unknown again {number}", "a"]) == {f"unknown again {number}": (), "a": (1, 3)}
    assert source.wholes == 1 and len(source.some_of) == ASKED_OF_ENGINE


def test_what_is_kept_is_bounded() -> None:
    source = Source()
    kept = Kept(source.some, None)
    for start in range(0, 3 * asked.MOST_KEPT, asked.MOST_KEPT // 2):
        kept.of([str(number) for number in range(start, start + asked.MOST_KEPT // 2)])
        assert len(kept) <= asked.MOST_KEPT
    assert kept.of(["a"]) == {"a": (1, 3)}


@pytest.mark.parametrize("names", [[], ["e"], ["a", "a"]], ids=str)
def test_few_names(names: list[str]) -> None:
    assert kept_keys(names) == list(dict.fromkeys(names))


def kept_keys(names: list[str]) -> list[str]:
    source = Source()
    return list(Kept(source.some, source.whole).of(names))
