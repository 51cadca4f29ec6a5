"""The version of a card, a lorebook or an interview that a mind was made from, when another one is read (pure)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.cards.card import card_of
from soulmem.ingest.cards.notes import document_of
from soulmem.ingest.contract import CARD, INTERVIEW, Document, is_of_self
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
    """Whether there may be an earlier version of ``document``: it is a card, a lorebook, or answers that make a character."""
    return document.format == FORMAT.name or is_of_self(document.format)


def earlier_version(document: Document, kept: Mapping[str, Any], known: Mapping[str, Note], at: datetime) -> Earlier | None:
    """The earlier version of ``document`` among what the mind has ``kept``, if it is another; ``known``: as for
    :func:`~soulmem.ingest.plan_card.in_mind`."""
    if any(kept.get(name) == value for name, value in document.kept.items()):
        return None
    made = {name: one for name, value in kept.items() if (one := _made_of(name, value, known, at)) is not None}
    if document.about_self and KEPT_CARD in made and (made[KEPT_CARD].format == INTERVIEW) != (document.format == INTERVIEW):
        return None  # a card beside answers: two that tell of the same character
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
        if name == KEPT_CARD and value.get("made_of") == INTERVIEW and isinstance(value.get("answers"), Mapping):
            return in_mind(_of_answers(value["answers"], at), known)
        if name == KEPT_CARD and isinstance(value.get("card"), Mapping) and "made_of" not in value:
            return in_mind(document_of(card_of(value["card"]), at, f"{CARD}kept"), known)
        if name.startswith(KEPT) and value.get("book"):
            return in_mind(book_document(value["book"], at), known)
    except FormatError:
        return None
    return None


def _of_answers(answers: Mapping[str, Any], at: datetime) -> Document:
    from soulmem.ingest.answers import answers_of, document  # pydantic is loaded only where there are answers to read

    return document(answers_of(json.dumps(answers)), at)


def _same_book(document: Document, made: Mapping[str, Document]) -> str | None:
    """The kept lorebook that ``document`` is a version of: the one with its name that shares an entry, or all of whose entries
    were switched off; else the one that shares half of the entries of both, or of either if one stands in both as it is."""
    called, titles = _called(document), _titles(document)
    books = {name: one for name, one in made.items() if name.startswith(KEPT)}
    shared = {name: len(titles & _titles(one)) for name, one in books.items()}
    for name in sorted(books, key=lambda name: (_called(books[name]) != called, -shared[name], name)):
        if called and _called(books[name]) == called and (shared[name] or not titles):
            return name
        sizes = sorted((len(titles), len(_titles(books[name]))))
        enough = sizes[0] if _keys(document) & _keys(books[name]) else sizes[1]
        if shared[name] and 2 * shared[name] >= enough:
            return name
    return None


def _keys(document: Document) -> frozenset[str]:
    """The keys of the entries, which tell their texts too."""
    return frozenset(note.key for note in document.notes if note.key.startswith("lore_"))


def _titles(document: Document) -> frozenset[str]:
    return frozenset(
        normal_name(note.body.content)
        for note in document.notes
        if note.key.startswith("lore_") and isinstance(note.body, Semantic)
    )


def _called(document: Document) -> str:
    """What the book is called: its own name, else the one that was made of its entries."""
    own = next((value.get("name") for value in document.kept.values() if isinstance(value, Mapping)), "")
    return own or next(
        (note.body.content for note in document.notes if note.key.startswith("lorebook_") and isinstance(note.body, Semantic)), ""
    )
