"""Two characters of one name: told apart by who made their cards and what these say (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from soulmem.ingest.cards.card import kept_card
from soulmem.ingest.cards.traits import sentences
from soulmem.ingest.lorebooks.entry import book_of
from soulmem.text.names import normal_name

_TOLD = ("description", "personality", "scenario", "first_mes", "mes_example", "alternate_greetings", "group_only_greetings")
#: A sentence shorter than this may stand in any card (*Hello there!*), characters.
_TELLING = 20


def other_maker(card: Any, own_card: Any) -> tuple[str, str] | None:
    """The makers of two cards, each as a mind keeps it, that are of different characters: made by two, and without a sentence
    that stands in both. ``None`` where they may be versions of one."""
    new, old = kept_card(card)[0], kept_card(own_card)[0]
    makers = (_maker(new), _maker(old))
    if not all(makers) or normal_name(makers[0]) == normal_name(makers[1]) or set(_told(new)) & set(_told(old)):
        return None
    return makers


def _maker(data: Mapping[str, Any]) -> str:
    maker = data.get("creator")
    return " ".join(maker.split()) if isinstance(maker, str) else ""


def _told(data: Mapping[str, Any]) -> Iterator[str]:
    """The sentences of a card and of its lorebook."""
    for text in _texts(data):
        for line in text.splitlines():
            yield from (told for one in sentences(line) if len(told := normal_name(one)) >= _TELLING)


def _texts(data: Mapping[str, Any]) -> Iterator[str]:
    for name in _TOLD:
        value = data.get(name)
        yield from (text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str))
    book = book_of(data.get("character_book"))
    yield from (entry.content for entry in book.entries) if book is not None else ()
