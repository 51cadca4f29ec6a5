"""What a mind has of an earlier version of a card, a lorebook or an interview, read for
:func:`soulmem.ingest.plan_edit.plan_edit`, and what the edit makes of the change that writes the new one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from soulmem.consolidate.same import is_drawn
from soulmem.indexing import names_of
from soulmem.ingest.archive import is_kept
from soulmem.ingest.called import also_called, own_concepts, short_forms
from soulmem.ingest.cards.pictures import PORTRAIT, Picture, from_text, own_paths, recorded_ids
from soulmem.ingest.contract import Document, Problem
from soulmem.ingest.earlier import KEPT_CARD, Earlier, earlier_version, is_versioned
from soulmem.ingest.named_in_talk import Joined
from soulmem.ingest.plan_card import with_sources
from soulmem.ingest.plan_chat import ChatPlan
from soulmem.ingest.plan_edit import Edit, Ground, as_heir, bare_key, gone_keys, is_as_made, plan_edit
from soulmem.model.changes import Change, Removal, Use
from soulmem.model.notes import SELF_KEY, Note, Semantic
from soulmem.store.contract import Store
from soulmem.text.names import normal_name


def earlier_in(store: Store, document: Document, known: Mapping[str, Note], at: datetime) -> Earlier | None:
    """The version of ``document`` that the mind was made from, where it is another. ``known``: as for
    :func:`~soulmem.ingest.plan_card.in_mind`."""
    if not is_versioned(document):
        return None
    return earlier_version(document, kept_in(store), known, at)


def kept_in(store: Store) -> dict[str, Any]:
    """The card and the lorebooks that the mind keeps, by the names of their recorded values."""
    return {name: store.meta(name) for row in store.query("store.meta_names") if is_kept(name := row["name"])}


def with_pictures(document: Document, store: Store) -> Document:
    """A card with those pictures of the kept one that it has a place for and does not bring itself."""
    new = document.kept.get(KEPT_CARD) if document.about_self else None
    if not isinstance(new, Mapping) or "card" not in new:
        return document
    own = dict(recorded_ids(new))
    places = {PORTRAIT, *own_paths(new["card"])}
    more = {path: one for path, one in recorded_ids(store.meta(KEPT_CARD)) if path in places and path not in own}
    if not more:
        return document
    kept = {**new, "pictures": [{"path": path, "picture": one} for path, one in (own | more).items()]}
    return replace(document, kept={**document.kept, KEPT_CARD: kept})


def with_situations(document: Document, known: Mapping[str, Note]) -> Document:
    """A card with its situations as the mind has them, where only the character goes by another name. ``known``: notes of the
    mind by key."""

    def as_known(note: Note) -> Note:
        mine = known.get(note.key)
        return note if mine is None or isinstance(note.body, Semantic) or not is_as_made(mine, note) else mine

    return replace(document, notes=tuple(map(as_known, document.notes))) if document.about_self else document


def retold(document: Document, earlier: Document, known: Mapping[str, Note]) -> Document:
    """``document``, in which those whom it describes in other words than ``earlier`` are told anew. ``known``: notes of the mind
    by key. What was changed there since is left alone."""
    before = {note.key: note for note in earlier.notes if note.key != SELF_KEY}
    notes = tuple(_retold(note, before.get(note.key), known.get(note.key)) for note in document.notes)
    keys = (new.key for new, old in zip(notes, document.notes, strict=True) if new is not old)
    return replace(document, notes=notes, introduced=(*document.introduced, *keys))


def _retold(note: Note, before: Note | None, mine: Note | None) -> Note:
    if before is None or mine is None or before.body == note.body or not is_as_made(mine, before):
        return note
    if not (isinstance(note.body, Semantic) and isinstance(before.body, Semantic) and isinstance(mine.body, Semantic)):
        return note
    dropped = {normal_name(alias) for alias in before.body.aliases}
    gained = (alias for alias in mine.body.aliases if normal_name(alias) not in dropped)
    aliases = tuple(dict.fromkeys((*note.body.aliases, *gained)))
    body = replace(mine.body, content=note.body.content, aliases=aliases, description=note.body.description)
    return replace(mine, body=body, origins=note.origins)


def sources_told(told: Sequence[Note], document: Document, plans: Sequence[ChatPlan]) -> tuple[tuple[str, str], ...]:
    """(note, message) for the notes that say more, or something else, since lines of ``document`` were read."""
    return tuple(
        (note.id, one) for note in with_sources(told, document, plans) for one in note.sources if note.key in document.drawn
    )


def pictures_in(store: Store, kept: Any) -> tuple[Picture, ...]:
    """The pictures of the card that is ``kept``, as far as they are there."""
    rows = ((path, store.query("store.picture", id=one)) for path, one in recorded_ids(kept))
    return tuple(Picture(path, from_text(found[0]["data"])) for path, found in rows if found)


def planned_edit(store: Store, document: Document, earlier: Earlier | None, joined: Sequence[Joined], at: datetime) -> Edit:
    """What becomes of what ``earlier`` left in the mind, and of the notes ``joined``, which are the character, or entries."""
    if earlier is None and not joined:
        return Edit()
    before = earlier.document if earlier else Document(format=document.format, read=0)
    gone = gone_keys(document, before, earlier.also if earlier else ())
    notes = _notes_with(store, {note.key for note in (*document.notes, *before.notes)})
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
    edit = plan_edit(document, before, gone, ground, at, joined)
    return replace(edit, meta=tuple({earlier.name} - document.kept.keys())) if earlier else edit


def joined_by(store: Store, document: Document, mine: Note | None) -> tuple[Note, ...]:
    """The concepts drawn from talk that are the character, of whom ``document`` is the card."""
    told = next((note.body for note in document.notes if note.key == SELF_KEY), None) if document.about_self else None
    if not isinstance(told, Semantic):
        return ()
    own = names_of(mine) if mine is not None else ()
    names = names_of_others(store)
    near = {normal_name(name) for name in (told.content, *told.aliases, *own)}
    near |= {form for name in near for form in short_forms(name)}
    drawn = [note for note in store.notes([note for note, some in names.items() if near & set(some)]) if is_drawn(note)]
    roles: dict[str, set[str]] = defaultdict(set)
    for row in store.query("recall.speakers") if drawn else []:
        roles[row["speaker"]].add(row["role"])
    return own_concepts(document, own, drawn, names, roles)


def names_of_others(store: Store) -> dict[str, list[str]]:
    """Note id → the names, in normal form, of all people, places and things but the character."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in store.query("ingest.entity_names"):
        found[row["id"]].append(row["name"])
    return found


def with_names(document: Document, joined: Sequence[Note]) -> Document:
    """The card with the names of the notes that are the character."""
    told = next((note for note in document.notes if note.key == SELF_KEY), None)
    names = (name for note in joined if isinstance(note.body, Semantic) for name in (note.body.content, *note.body.aliases))
    more = also_called(told, names) if told is not None and joined else None
    if more is None:
        return document
    what = f"{', '.join(_name(note) for note in joined)}, who speaks in chats, is the character: one note of both"
    notes = tuple(more if note is told else note for note in document.notes)
    return replace(document, notes=notes, problems=(*document.problems, Problem(None, what, skipped=False)))


def _name(note: Note) -> str:
    return note.body.content if isinstance(note.body, Semantic) else note.key


def _notes_with(store: Store, keys: set[str]) -> dict[str, Note]:
    rows = store.query("store.keys", keys=sorted(keys))
    return {note.key: note for note in store.notes([row["id"] for row in rows])}


def edited(change: Change, edit: Edit) -> Change:
    """``change`` with the ``edit`` in it."""
    if edit == Edit():
        return change
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
        removed=Removal(notes=edit.removed, meta=edit.meta),
    )


def _by_note(edit: Edit) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for note, source in edit.sources:
        found[note].append(source)
    return found


def _with_sources(note: Note, more: list[str]) -> Note:
    return replace(note, sources=tuple(dict.fromkeys((*note.sources, *more)))) if more else note
