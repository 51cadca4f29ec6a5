"""Entries of lorebooks, whatever program wrote them, as the book of a card (specification V3) has them.

What the specification has no place for goes into the ``extensions`` of the entry, in the names that SillyTavern gives it there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.lorebooks.entry import Raw, raw_entries
from soulmem.ingest.lorebooks.reader import KEPT, book_document
from soulmem.ingest.plan_card import in_mind
from soulmem.ingest.plan_edit import is_as_made
from soulmem.model.notes import Note

#: Members whose names SillyTavern keeps in a card as they are in World Info; of others it parts the words by ``_``.
_AS_THEY_ARE = {"useProbability", "selectiveLogic"}
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
#: ``position`` of World Info: before the character.
_BEFORE = (0, "0", "before_char")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lore:
    """What lorebooks give to a card. ``name``: of the first that has one; ``entries``: in the order of the books; ``keys``: of
    the notes that say no more than these entries."""

    name: str = ""
    entries: tuple[dict[str, Any], ...] = ()
    keys: frozenset[str] = frozenset()


def lore_of(kept: Mapping[str, Any], notes: Mapping[str, Note], at: datetime) -> Lore:
    """The entries of the lorebooks among what a mind has ``kept`` that its ``notes`` (by key) still say: what was forgotten, may
    not be told or was changed since is not among them."""
    found = [_of_book(value, notes, at) for name, value in sorted(kept.items()) if name.startswith(KEPT)]
    return Lore(
        name=next((one.name for one in found if one.name), ""),
        entries=tuple(entry for one in found for entry in one.entries),
        keys=frozenset(key for one in found for key in one.keys),
    )


def _of_book(value: Any, notes: Mapping[str, Note], at: datetime) -> Lore:
    if not isinstance(value, Mapping):
        return Lore()
    try:
        document = in_mind(book_document(value.get("book"), at), notes)
    except FormatError:
        return Lore()
    made = {note.key: note for note in document.notes}
    said = {key for key in made.keys() & notes.keys() if is_as_made(notes[key], made[key])}
    if not said:
        return Lore()
    untold = {document.places[key] for key in made.keys() - said} - {""}
    return Lore(
        name=str(value.get("name") or ""),
        entries=tuple(as_v3(raw) for raw in raw_entries(value.get("book")) if raw.place not in untold),
        keys=frozenset(key for key in made if document.places[key] not in untold),
    )


def as_v3(raw: Raw) -> dict[str, Any]:
    """One entry in the names of the specification. What was read of it as knowledge reads the same again."""
    extensions = raw.values.get("extensions")
    more = {**dict(_others(raw)), **(extensions if isinstance(extensions, Mapping) else {})}
    if "position" in raw.values:
        more.setdefault("position", raw.values["position"])
    named = {"name": raw.name} if raw.name else {}
    return {
        "keys": list(raw.keys),
        "content": raw.content,
        "extensions": more,
        "enabled": raw.enabled,
        **({} if raw.order is None else {"insertion_order": raw.order}),
        "case_sensitive": bool(raw.values.get("casesensitive")),
        "use_regex": raw.use_regex,
        "constant": raw.constant,
        **named,
        "comment": raw.comment,
        "selective": bool(raw.values.get("selective")) or bool(raw.secondary and "selective" not in raw.values),
        "secondary_keys": list(raw.secondary),
        "position": "before_char" if raw.values.get("position") in _BEFORE else "after_char",
    }


def _others(raw: Raw) -> Iterator[tuple[str, Any]]:
    """What of an entry the specification has no member for."""
    for name, value in raw.others.items():
        yield (name if name in _AS_THEY_ARE else _CAPITAL.sub("_", name).lower()), value
