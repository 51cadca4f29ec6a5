"""What is safe to mend in how a mind is made: notes that are there twice, and stand-ins whose name is known. Pure.

Two notes are one where all they say is the same, of one type, heard in the same place: the first gets the links, the lines and
the tags of the other, which is archived. All of it is one change, which undo takes back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from soulmem.consolidate.entries import link
from soulmem.edit import columns_of
from soulmem.model.changes import Change, NoteUpdate
from soulmem.model.links import Link
from soulmem.model.notes import Note, SpecificSituation
from soulmem.store.rows import note_row

#: The command of what is mended in the journal.
COMMAND = "doctor"
#: What stands for the name of the character in texts of cards.
STANDS_FOR_SELF = re.compile(r"\{\{\s*char\s*\}\}|<(?:BOT|CHAR)>", re.I)


@dataclass(frozen=True, slots=True, order=True)
class Repair:
    """What is mended of the note ``key``; ``other``: the note that is the same and is archived."""

    key: str
    what: str
    other: str = ""

    def __str__(self) -> str:
        return f"{self.key}: {self.what}{f' {self.other}' if self.other else ''}"


def mended(notes: Sequence[Note], links: Sequence[Link], name: str, at: datetime) -> tuple[Change | None, tuple[Repair, ...]]:
    """The change that mends what is safe to mend, ``None`` where nothing is, and what it does. ``name``: of the character, empty
    where the mind does not know it."""
    alive = [note for note in notes if note.active]
    pairs = list(doubles(alive))
    updates = [*_named(alive, name), *_joined(pairs)] if name else list(_joined(pairs))
    repairs = [*(Repair(note.key, f"{name} in place of what stands for it") for note in alive if name and _stands_in(note))]
    repairs += [Repair(stays.key, "gets links and lines of its double, which is archived:", other.key) for stays, other in pairs]
    if not repairs:
        return None, ()
    gone = {other.id: stays.id for stays, other in pairs}
    own = [one for one in links if one.source in gone or one.target in gone]
    change = Change(
        command=COMMAND,
        what=f"mended: {len(repairs)} of what could be better",
        at=at,
        updates=tuple(_together(updates)),
        links=tuple(_moved(own, gone, links)),
        links_removed=tuple(one.id for one in own),
        link_sources={one.id: one.source for one in own},
        sources_added=tuple(_lines(pairs)),
    )
    return change, tuple(sorted(repairs))


def doubles(notes: Sequence[Note]) -> Iterator[tuple[Note, Note]]:
    """(the note that stays, the note that is the same), each of the latter once. What was said twice happened twice."""
    first: dict[Any, Note] = {}
    for note in sorted(notes, key=lambda one: (not one.core, one.created_at, one.key)):
        if isinstance(note.body, SpecificSituation) and note.sources:
            continue
        known = first.setdefault((note.body, note.scope, frozenset(note.kept_from)), note)
        if known is not note and not note.core:
            yield known, note


def _stands_in(note: Note) -> bool:
    row = note_row(note, 0)
    return any(STANDS_FOR_SELF.search(row[column]) for column in _texts(note))


def _texts(note: Note) -> Iterator[str]:
    return (column for field, column in columns_of(note.body).items() if field in ("text", "name"))


def _named(notes: Sequence[Note], name: str) -> Iterator[NoteUpdate]:
    for note in notes:
        if _stands_in(note):
            row = note_row(note, 0)
            values = {column: STANDS_FOR_SELF.sub(lambda _: name, row[column]) for column in _texts(note)}
            yield NoteUpdate(note=note.id, values=values)


def _joined(pairs: Sequence[tuple[Note, Note]]) -> Iterator[NoteUpdate]:
    tags: dict[str, dict[str, None]] = {}
    for stays, other in pairs:
        yield NoteUpdate(note=other.id, values={"active": False})
        tags.setdefault(stays.id, dict.fromkeys(stays.tags)).update(dict.fromkeys(other.tags))
    before = {stays.id: stays.tags for stays, _ in pairs}
    yield from (NoteUpdate(note=note, values={"tags": list(all_)}) for note, all_ in tags.items() if tuple(all_) != before[note])


def _together(updates: Iterable[NoteUpdate]) -> Iterator[NoteUpdate]:
    values: dict[str, dict[str, Any]] = {}
    for update in updates:
        values.setdefault(update.note, {}).update(update.values)
    return (NoteUpdate(note=note, values=columns) for note, columns in values.items())


def _moved(own: Sequence[Link], gone: Mapping[str, str], links: Sequence[Link]) -> Iterator[Link]:
    """The links of what is archived, at what stays; none to itself, and none that is there already."""
    cut = {one.id for one in own}
    known = {(one.source, one.target, one.payload) for one in links if one.id not in cut}
    for one in own:
        ends = gone.get(one.source, one.source), gone.get(one.target, one.target)
        if ends[0] == ends[1] or (*ends, one.payload) in known:
            continue
        known.add((*ends, one.payload))
        moved = link(*ends, one.payload, one.created_at, one.intensity)
        yield replace(moved, last_fired_at=one.last_fired_at, fired_count=one.fired_count)


def _lines(pairs: Sequence[tuple[Note, Note]]) -> Iterator[tuple[str, str]]:
    known = {stays.id: set(stays.sources) for stays, _ in pairs}
    for stays, other in pairs:
        for source in other.sources:
            if source not in known[stays.id]:
                known[stays.id].add(source)
                yield stays.id, source
