"""Lines that say something else than when their file was read before."""

from __future__ import annotations

import pytest

from soulmem.ingest.contract import SaidLine
from soulmem.ingest.versions import former_lines, two_versions
from soulmem.model.messages import Role


def former(new: str, known: str, numbers: str = "") -> dict[int, str]:
    """By letters: the lines of the file, those of the mind, and the numbers these had in the file."""
    lines = [SaidLine(index=number, line=number + 2, speaker="Ann", role=Role.USER, text=text) for number, text in enumerate(new)]
    kept = {place: new.index(text) for place, text in enumerate(known) if text in new}
    places = [int(number) for number in numbers] or list(range(len(known)))
    return former_lines(lines, set(kept.values()), places, list(known), kept)


@pytest.mark.parametrize(
    ("new", "known", "numbers", "told"),
    [
        ("abc", "abc", "", {}),
        ("abcd", "abc", "", {}),
        ("abX", "abc", "", {2: "c"}),
        ("Xbc", "abc", "", {0: "a"}),
        ("aXYd", "abcd", "", {1: "b", 2: "c"}),
        ("abXYZ", "abcd", "", {2: "c", 3: "d"}),
        ("aXbc", "abc", "", {}),
        ("aXbYd", "abcd", "", {}),
        ("ab", "abc", "", {}),
        ("defX", "abcdef", "", {}),
        ("abX", "abcd", "0122", {2: "d"}),
        ("efgh", "abcdef", "012323", {}),
        ("X", "a", "", {}),
    ],
)
def test_what_had_the_number_of_a_new_line(new: str, known: str, numbers: str, told: dict[int, str]) -> None:
    assert former(new, known, numbers) == told


def test_how_it_is_told() -> None:
    one = two_versions(3, "I live\n in Ely.", 1)
    assert (one.line, one.skipped) == (3, False)
    assert one.what == (
        'the mind has another version of this line; both are kept; soulmem forget --about "I live in Ely." takes the former away'
    )
    many = two_versions(3, '"No," I said. "It costs $5 to see them, `all` of them!"', 12)
    assert "another version of this line and of 11 more; " in many.what
    assert '--about "to see them, all' not in many.what and '--about "No," ' not in many.what
    assert ' --about "5 to see them," ' in many.what
    long = two_versions(1, "word " * 50, 1).what
    assert "word word" in long and len(long) < 200
