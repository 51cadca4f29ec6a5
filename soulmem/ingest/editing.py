"""What a mind has of an earlier version of a card or a lorebook, read for :func:`soulmem.ingest.plan_edit.plan_edit`, and what
the edit makes of the change that writes the new one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from soulmem.ingest.archive import is_kept
from soulmem.ingest.contract import Document
from soulmem.ingest.earlier import Earlier, earlier_version, is_versioned
from soulmem.ingest.plan_edit import Edit, Ground, as_heir, bare_key, gone_keys, plan_edit
from soulmem.model.changes import Change, Removal, Use
from soulmem.model.notes import Note
from soulmem.store.contract import Store


def earlier_in(store: Store, document: Document, mine: Note | None, at: datetime) -> Earlier | None:
    """The version of ``document`` that the mind was made from, where it is another. ``mine``: what the character is to itself."""
    if not is_versioned(document):
        return None
    return earlier_version(document, kept_in(store), mine, at)


def kept_in(store: Store) -> dict[str, Any]:
    """The card and the lorebooks that the mind keeps, by the names of their recorded values."""
    return {name: store.meta(name) for row in store.query("store.meta_names") if is_kept(name := row["name"])}


def planned_edit(store: Store, document: Document, earlier: Earlier, at: datetime) -> Edit:
    """What becomes of what ``earlier`` left in the mind."""
    gone = gone_keys(document, earlier.document, earlier.also)
    notes = _notes_with(store, {note.key for note in (*document.notes, *earlier.document.notes)})
    rows = store.query("store.keys", keys=sorted(bare_key(notes[key]) for key in gone if key in notes))
    ground = Ground(
        notes=notes,
        taken={**{key: note.id for key, note in notes.items()}, **{row["key"]: row["id"] for row in rows}},
        links=store.links(),
        uses=[
            (row["id"], Use(note=row["note"], stage=row["stage"], score=row["score"]))
            for row in store.query("store.all_recalls")
            if row["note"] is not None
        ],
    )
    return plan_edit(document, earlier.document, gone, ground, at)


def _notes_with(store: Store, keys: set[str]) -> dict[str, Note]:
    rows = store.query("store.keys", keys=sorted(keys))
    return {note.key: note for note in store.notes([row["id"] for row in rows])}


def edited(change: Change, edit: Edit, meta: tuple[str, ...]) -> Change:
    """``change`` with the ``edit`` in it. ``meta``: recorded values that the new version does without."""
    notes = (*(as_heir(note, edit.heirs[note.key]) if note.key in edit.heirs else note for note in change.notes), *edit.named)
    new = {note.id for note in notes}
    sources: Mapping[str, list[str]] = _by_note(edit)
    written = {link.id for link in change.links}
    return replace(
        change,
        notes=tuple(_with_sources(note, sources.get(note.id, [])) for note in notes),
        links=(*change.links, *(link for link in edit.links if link.id not in written)),
        links_removed=edit.links_removed,
        sources_added=(*change.sources_added, *(pair for pair in edit.sources if pair[0] not in new)),
        uses_added=edit.uses,
        removed=Removal(notes=edit.removed, meta=meta),
    )


def _by_note(edit: Edit) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for note, source in edit.sources:
        found[note].append(source)
    return found


def _with_sources(note: Note, more: list[str]) -> Note:
    return replace(note, sources=tuple(dict.fromkeys((*note.sources, *more)))) if more else note
