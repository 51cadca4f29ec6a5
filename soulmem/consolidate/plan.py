"""What consolidation proposes, as a value: numbered entries that a person can read, accept or reject, and the change they
make."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from soulmem.model.changes import Change, LinkUpdate, NoteUpdate, Superseding
from soulmem.model.links import Link
from soulmem.model.notes import Note
from soulmem.text.counts import counted


class Sign(StrEnum):
    """What an entry does: something new, changed, strengthened, or taken away."""

    NEW = "+"
    CHANGED = "~"
    STRENGTHENED = "="
    CUT = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What an entry writes; see :class:`~soulmem.model.changes.Change`. ``told``: notes whose content it changes, as they
    will be."""

    notes: tuple[Note, ...] = ()
    told: tuple[Note, ...] = ()
    links: tuple[Link, ...] = ()
    updates: tuple[NoteUpdate, ...] = ()
    link_updates: tuple[LinkUpdate, ...] = ()
    links_removed: tuple[str, ...] = ()
    supersedes: tuple[Superseding, ...] = ()
    sources_added: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing to do. ``number`` counts from 1. ``kind``: fact, situation, concept, alias, superseded,
    contradiction, link, plasticity, cut,
    archive, pattern, procedure, merge. ``text``: what, in words; ``why``: for what reason; ``sources``: ``file:line``."""

    number: int
    sign: Sign
    kind: str
    text: str
    why: str
    sources: tuple[str, ...] = ()
    parts: Parts = field(default=Parts(), repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that one consolidation proposes. ``messages``: how many lines it is drawn from; ``state``: where it stands afterwards
    (see :mod:`soulmem.consolidate.state`); ``known``: ids of the notes of the mind that its links may lead to or from."""

    at: datetime
    entries: tuple[Entry, ...] = ()
    messages: int = 0
    state: Mapping[str, Any] = field(default_factory=dict)
    known: frozenset[str] = frozenset()

    def accepted(self, numbers: Collection[int] | None) -> tuple[Entry, ...]:
        """The entries with these numbers; all of them for ``None``."""
        return tuple(entry for entry in self.entries if numbers is None or entry.number in numbers)


def numbered(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Entries with their places as numbers."""
    return tuple(replace(entry, number=number) for number, entry in enumerate(entries, start=1))


def change_of(plan: Plan, accept: Collection[int] | None = None, meta: str = "consolidation") -> Change | None:
    """The change that the accepted entries make, and that moves the cursor; ``None`` when the plan looked at nothing and does
    nothing.

    A link whose end is in no accepted entry is left out, and so is a superseding by a note that is. What is not accepted is not
    proposed again: the lines count as read.
    """
    entries = plan.accepted(accept)
    if not entries and not plan.messages and not plan.state:
        return None
    parts = [entry.parts for entry in entries]
    notes = {note.id: note for part in parts for note in part.notes}
    there = notes.keys() | plan.known
    links = {link.id: link for part in parts for link in part.links if link.source in there and link.target in there}
    superseding = {(one.new, one.old): one for part in parts for one in part.supersedes if one.new in there and one.old in there}
    return Change(
        command="consolidate",
        what=_told(plan, entries),
        at=plan.at,
        notes=tuple(notes.values()),
        links=tuple(links.values()),
        updates=tuple(_joined_updates(parts)),
        link_updates=tuple({update.link: update for part in parts for update in part.link_updates}.values()),
        links_removed=tuple(dict.fromkeys(link for part in parts for link in part.links_removed)),
        supersedes=tuple(superseding.values()),
        sources_added=tuple(dict.fromkeys(pair for part in parts for pair in part.sources_added)),
        meta={meta: dict(plan.state)} if plan.state else {},
    )


def told_notes(plan: Plan, accept: Collection[int] | None = None) -> tuple[Note, ...]:
    """The notes of the mind whose content the accepted entries change, as they will be: to be indexed anew."""
    found: dict[str, Note] = {}
    for entry in plan.accepted(accept):
        for note in entry.parts.told:
            found[note.id] = note
    return tuple(found.values())


def _joined_updates(parts: Sequence[Parts]) -> Iterator[NoteUpdate]:
    """One update for each note, with the columns of all."""
    values: dict[str, dict[str, Any]] = {}
    for part in parts:
        for update in part.updates:
            values.setdefault(update.note, {}).update(update.values)
    for note, columns in values.items():
        yield NoteUpdate(note=note, values=columns)


def _told(plan: Plan, entries: Sequence[Entry]) -> str:
    new = sum(len(entry.parts.notes) for entry in entries)
    links = sum(len(entry.parts.links) for entry in entries)
    made = f"{counted(new, 'note')}, {counted(links, 'link')}"
    accepted = f"{len(entries)} of {counted(len(plan.entries), 'entry', 'entries')}"
    return f"{counted(plan.messages, 'message')}: {made}, {accepted}"
