"""Whose words a reply has: a model that goes on with the talk writes the next line of somebody else too, with its head."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

#: How talk marks a name at the beginning of a line.
_BEFORE, _AFTER = r"[ \t>*_\[（(【「]{0,6}", r"[ \t*_\]）)】」]{0,6}[:：]"
#: What a model calls those who talk, whatever their names are.
_ROLES = ("user", "human", "assistant", "用户", "人类")


def own_words(text: str, own: Collection[str], others: Collection[str]) -> str:
    """``text`` up to the line that begins with the name of one of ``others``, without the heads of lines that are of ``own``."""
    other = _heads(frozenset(name.casefold() for name in (*others, *_ROLES)) - {name.casefold() for name in own})
    mine = _heads(frozenset(name.casefold() for name in own))
    match = other.search(text) if other else None
    kept = text[: match.start()] if match else text
    return mine.sub("", kept) if mine else kept


def settled_words(text: str, own: Collection[str], others: Collection[str]) -> str:
    """As :func:`own_words`, of a reply that still comes: without a beginning of a line that may become a head."""
    names = [name.casefold() for name in (*own, *others, *_ROLES)]
    last = text[text.rfind("\n") + 1 :]
    begun = last.strip(" \t>*_[（(【「").casefold().rstrip(" \t*_]）)】」")
    if last.strip() == "" or any(name.startswith(begun) for name in names):
        text = text[: text.rfind("\n") + 1].rstrip("\n")
    return own_words(text, own, others)


@lru_cache(maxsize=64)
def _heads(names: frozenset[str]) -> re.Pattern[str] | None:
    known = sorted((re.escape(name) for name in names if name.strip()), key=len, reverse=True)
    return re.compile(rf"^{_BEFORE}(?:{'|'.join(known)}){_AFTER}[ \t*_]*", re.MULTILINE | re.IGNORECASE) if known else None
