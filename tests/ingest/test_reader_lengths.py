"""No file takes longer than its length allows: a reader that took the square of it would take minutes with each of these."""

from __future__ import annotations

import json
from typing import Any

import pytest
from card_files import book, card
from laws import outcome


def filled(unit: str, length: int) -> str:
    """So many characters of a text that says the same again and again."""
    return unit * (length // len(unit))


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"name": "Ada", "is_user": False, "mes": text, **more}


def keys_that_begin_alike(number: int) -> list[dict[str, Any]]:
    """Entries with so many names, and one whose text has their beginning everywhere."""
    names = [[f"ab{key}" for key in range(begin, begin + 60)] for begin in range(0, number, 60)]
    entries = [{"keys": keys, "content": "x", "enabled": True} for keys in names]
    return [*entries, {"keys": ["c"], "content": filled("ab", number * 9), "enabled": True}]


def opponents(number: int) -> dict[str, Any]:
    settings = {"chatname": "Kim", "chatopponent": "||$||".join(map(str, range(number)))}
    return {"gamestarted": True, "prompt": filled("b\n", number * 10), "actions": [], "savedsettings": settings}


LONG: dict[str, tuple[str, Any]] = {
    "a heading with space in it": ("card-json", card(description=f"# a{' ' * 30_000}b")),
    "a heading with space after its mark": ("card-json", card(description=f"#{' ' * 30_000}b#")),
    "bold words with space in them": ("card-json", card(description=f"**a{' ' * 30_000}b")),
    "a time with space in it": ("sillytavern", said("hi", send_date=f"June 19{' ' * 200_000}x")),
    "images that do not end": ("sillytavern", said(filled("![](data:a ", 1_000_000))),
    "names that begin alike": ("lorebook", book(*keys_that_begin_alike(25_000))),
    "nothing but decorators": (
        "lorebook",
        book({"keys": ["a"], "content": filled("@@a\n", 4_000_000)}, {"keys": ["b"], "content": "x"}),
    ),
    "opponents without end": ("kobold", opponents(180_000)),
}


@pytest.mark.parametrize("name", LONG)
def test_no_file_takes_longer_than_its_length_allows(name: str) -> None:
    format_, value = LONG[name]
    assert outcome(json.dumps(value).encode(), format_) is not None


def test_a_page_that_is_none_takes_no_longer_either() -> None:
    assert outcome(b"<div" + filled('class="idat"', 1_200_000).encode(), "risuai") is None
