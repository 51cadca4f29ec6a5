"""Entries of lorebooks and cards that talk had named before they were read: one with what was drawn from it under their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from soulmem.consolidate.same import is_drawn
from soulmem.indexing import names_of
from soulmem.ingest.contract import Document, Problem
from soulmem.model.notes import ConceptType, Note, Semantic
from soulmem.scopes.contexts import PUBLIC
from soulmem.store.contract import Store
from soulmem.text.names import normal_name

#: A note that becomes one with another, and the key of that.
Joined = tuple[Note, str]
#: So many are told by name.
_TOLD = 5


def joined_entries(store: Store, document: Document) -> tuple[Joined, ...]:
    """The concepts drawn from talk that are entries of ``document`` which the mind has not."""
    entries = [note for note in document.notes if _is_entry(note)]
    if not entries:
        return ()
    there = {row["key"] for row in store.query("store.keys", keys=[note.key for note in entries])}
    new = [note for note in entries if note.key not in there]
    rows = store.query("recall.names", names=sorted({name for note in new for name in names_of(note)}))
    return same_as_entries(new, store.notes(sorted({row["id"] for row in rows})))


def same_as_entries(entries: Sequence[Note], notes: Sequence[Note]) -> tuple[Joined, ...]:
    """Which of ``notes`` of the mind are ``entries``: those drawn from talk and heard by everybody, of which nothing is told, by
    their name, or else another of their names, where one entry alone has it and no other note does."""
    mere = [note for note in notes if _is_mere_name(note)]
    taken = {name for note in notes if not is_drawn(note) or _is_told(note) for name in names_of(note)}
    owners: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        for name in names_of(entry):
            owners[name].add(entry.key)
    found = ((note, _owners(note, owners, taken)) for note in mere)
    return tuple((note, next(iter(keys))) for note, keys in found if len(keys) == 1)


def _owners(note: Note, owners: Mapping[str, Collection[str]], taken: Collection[str]) -> set[str]:
    body = note.body
    assert isinstance(body, Semantic)
    own = normal_name(body.content)
    names = [own] if own in owners else list(names_of(note))
    return set() if own in taken else {key for name in names if name not in taken for key in owners.get(name, ())}


def _is_entry(note: Note) -> bool:
    return note.key.startswith("lore_") and isinstance(note.body, Semantic) and note.body.concept_type is ConceptType.ENTITY


def _is_mere_name(note: Note) -> bool:
    return is_drawn(note) and not _is_told(note) and (note.scope, tuple(note.kept_from)) == (PUBLIC, ())


def _is_told(note: Note) -> bool:
    return isinstance(note.body, Semantic) and bool(note.body.description or note.body.category)


def with_joined(document: Document, joined: Sequence[Joined]) -> Document:
    """``document`` with a word of the notes that its entries take the place of."""
    if not joined:
        return document
    names = [note.body.content for note, _ in joined if isinstance(note.body, Semantic)]
    more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
    what = f"{', '.join(names[:_TOLD])}{more}: named in talk before; one note of both"
    return replace(document, problems=(*document.problems, Problem(None, what, skipped=False)))
