"""Lorebooks in JSON: World Info of SillyTavern, books of cards on their own, NovelAI, Agnai, RisuAI, Chub."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.cards.payload import json_value, shortened
from soulmem.ingest.cards.words import words_for
from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.encodings import decode_json, head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.lorebooks.entry import book_of
from soulmem.ingest.lorebooks.notes import book_notes, kept_book
from soulmem.model.notes import derived_id

#: What the names of the recorded values begin with under which a mind keeps lorebooks.
KEPT = "lorebook:"
_ENTRY_WORDS = ('"key', '"content"', '"entry"', '"text"')


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like a lorebook."""
    text = head(data)
    opening, names = first_names(text)
    found = {name.lower() for name in names}
    if opening != "{" or "first_mes" in found or "mes" in found:
        return 0.0
    if '"lorebook_v3"' in text[:2000] or "lorebookversion" in found or ({"type", "data"} <= found and '"risu"' in text[:2000]):
        return 1.0
    if "entries" in found and _has_entries(text):
        return 0.9
    return 0.0


def _has_entries(text: str) -> bool:
    place = text.find('"entries"')
    behind = text[place : place + 60_000]
    return '"key' in behind and any(word in behind for word in _ENTRY_WORDS[1:])


def read(data: bytes, at: datetime) -> Document:
    """The entries of a lorebook as notes.

    :raises FormatError: it is none, or nothing of it can be read.
    """
    decoded = decode_json(data)
    return book_document(json_value(decoded.text), at, decoded.problems)


def book_document(value: Any, at: datetime, mended: Sequence[Problem] = ()) -> Document:
    """The entries of a lorebook that was decoded, as notes.

    :raises FormatError: it is none, or nothing of it can be read.
    """
    book = book_of(value)
    if book is None or not (book.entries or book.problems):
        raise FormatError("this is no lorebook: there are no entries in it")
    words = words_for(entry.content for entry in book.entries[:50])
    made = book_notes(book, character=None, words=words, at=at)
    problems = [*mended, *made.problems]
    kept, what = shortened(kept_book(book, made))
    problems += (Problem(None, one, skipped=False) for one in what)
    mark = derived_id("lorebook", book.name, json.dumps(value, ensure_ascii=False, sort_keys=True))[:8]
    return Document(
        format=FORMAT.name,
        read=len(made.notes) + len(made.links) + sum(problem.skipped for problem in problems),
        notes=tuple(made.notes),
        links=tuple(made.links),
        places=made.places,
        problems=tuple(problems),
        kept={f"{KEPT}{mark}": kept},
        nameless=True,
        items={"entries": made.entries},
    )


FORMAT = Format("lorebook", "lorebook: SillyTavern World Info, card books, NovelAI, Agnai, RisuAI, Chub (.json)", sniff, read)
