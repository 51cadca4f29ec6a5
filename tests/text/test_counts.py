"""Numbers of things, told."""

from __future__ import annotations

from soulmem.text.counts import counted


def test_one_is_told_as_one_and_all_others_as_several() -> None:
    assert [counted(number, "note") for number in (0, 1, 2)] == ["0 notes", "1 note", "2 notes"]
    assert [counted(number, "entry", "entries") for number in (1, 7)] == ["1 entry", "7 entries"]
