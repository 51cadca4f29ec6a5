"""In which order files are read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

import pytest

from soulmem.ingest.reading_order import BRANCH, CARD, CHAT, LOREBOOK, MESSAGES, Unread, in_order

RANKS = {"m": MESSAGES, "c": CARD, "b": LOREBOOK, "t": CHAT, "x": BRANCH}


def unread(name: str, named: bool) -> Unread[str]:
    return Unread(name, PurePath(name), RANKS[name[0]], bytes, named)


def order(files: str, named: str = "", certain: str = "", others: bool = True) -> tuple[str, list[str]]:
    """The order, and which files were looked at for those of others."""
    looked: list[str] = []

    def meets_others(talks: Sequence[Unread[str]]) -> bool:
        looked.extend(one.file for one in talks)
        return others

    given = [unread(name, name in named.split()) for name in files.split()]
    found = in_order(given, lambda one: one.file in certain.split(), meets_others)
    return " ".join(found), looked


@pytest.mark.parametrize(
    ("files", "how", "ordered"),
    [
        ("t1 b1 c1 m1 t2", {}, "m1 c1 t1 t2 b1"),
        ("t1 b1 b2 c1", {"certain": "b2"}, "c1 b2 t1 b1"),
        ("t1 b1 b2", {"named": "b2"}, "b2 t1 b1"),
        ("t1 b1 b2", {"others": False}, "b1 b2 t1"),
        ("t2 t1", {}, "t2 t1"),
        ("x1 t1 b1 x2 t2", {}, "t1 t2 x1 x2 b1"),
        ("", {}, ""),
    ],
)
def test_lorebooks_wait_for_chats_where_these_must_say_whose_they_are(files: str, how: dict[str, str], ordered: str) -> None:
    assert order(files, **how)[0] == ordered  # type: ignore[arg-type]


def test_chats_are_looked_at_once_and_only_where_a_lorebook_waits() -> None:
    assert order("t1 b1 b2 t2")[1] == ["t1", "t2"]
    assert order("t1 b1", certain="b1")[1] == []
    assert order("t1 b1 t2", named="t2", others=False)[1] == ["t1"]
    assert order("t1 t2")[1] == []


def test_a_file_is_asked_for_when_those_before_it_are_read() -> None:
    read: list[str] = []
    files = in_order([unread(name, False) for name in ("t1", "b1", "c1")], lambda _: read == ["c1"], lambda _: True)
    read.append(next(files))
    assert [*read, *files] == ["c1", "b1", "t1"]
