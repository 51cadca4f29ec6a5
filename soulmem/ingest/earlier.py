"""The version of a card or a lorebook that a mind was made from, when another one is read (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.cards.card import card_of
from soulmem.ingest.cards.notes import document_of
from soulmem.ingest.contract import CARD, Document
from soulmem.ingest.lorebooks.reader import FORMAT, KEPT, book_document
from soulmem.ingest.plan_card import in_mind
from soulmem.model.notes import Note, Semantic
from soulmem.text.names import normal_name

#: The name of the recorded value under which a mind keeps its card.
KEPT_CARD = "card"


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """``name``: of the recorded value that keeps it; ``document``: what it made; ``also``: keys of the notes that other files
    which the mind keeps make too."""

    name: str
    document: Document
    also: frozenset[str]


def is_versioned(document: Document) -> bool:
    """Whether there may be an earlier version of ``document``: it is a card or a lorebook."""
    return document.format == FORMAT.name or document.format.startswith(CARD)


def earlier_version(document: Document, kept: Mapping[str, Any], known: Mapping[str, Note], at: datetime) -> Earlier | None:
    """The earlier version of ``document`` among what the mind has ``kept``, if it is another; ``known``: as for
    :func:`~soulmem.ingest.plan_card.in_mind`."""
    if any(kept.get(name) == value for name, value in document.kept.items()):
        return None
    made = {name: one for name, value in kept.items() if (one := _made_of(name, value, known, at)) is not None}
    name = KEPT_CARD if document.about_self else _same_book(document, made)
    if name is None or name not in made:
        return None
    also = frozenset(note.key for other, one in made.items() if other != name for note in one.notes)
    return Earlier(name=name, document=made[name], also=also)


def _made_of(name: str, value: Any, known: Mapping[str, Note], at: datetime) -> Document | None:
    """What a kept card or lorebook makes; ``None`` of what is kept only in part, or of another kind."""
    if not isinstance(value, Mapping):
        return None
    try:
        if name == KEPT_CARD and isinstance(value.get("card"), Mapping) and "made_of" not in value:
            return in_mind(document_of(card_of(value["card"]), at, f"{CARD}kept"), known)
        if name.startswith(KEPT) and value.get("book"):
            return in_mind(book_document(value["book"], at), known)
    except FormatError:
        return None
    return None


def _same_book(document: Document, made: Mapping[str, Document]) -> str | None:
    """The kept lorebook that ``document`` is a version of: the one with its name, else the one that shares half of the entries
    of either."""
    titles, root = _titles(document), _root(document)
    shared = {name: len(titles & _titles(one)) for name, one in made.items() if name.startswith(KEPT) and titles & _titles(one)}
    for name in sorted(shared, key=lambda name: (_root(made[name]) != root, -shared[name], name)):
        if _root(made[name]) == root or 2 * shared[name] >= min(len(titles), len(_titles(made[name]))):
            return name
    return None


def _titles(document: Document) -> frozenset[str]:
    return frozenset(
        normal_name(note.body.content)
        for note in document.notes
        if note.key.startswith("lore_") and isinstance(note.body, Semantic)
    )


def _root(document: Document) -> str:
    """What the book is called."""
    return next(
        (note.body.content for note in document.notes if note.key.startswith("lorebook_") and isinstance(note.body, Semantic)), ""
    )
