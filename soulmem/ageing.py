"""How notes begin to age, and what a change of their state writes (SPEC §8). Pure.

A note fades from ``decayed_at`` on. By default that is when it is written; what is still to come fades only once its time has
come, so that an appointment is as clear on its day as on the day it was made. A note that is read with ``--aged`` has faded since
what it tells of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from soulmem.graph.decay import Envelope
from soulmem.model.changes import Change, NoteUpdate
from soulmem.model.notes import Body, Category, Note, Semantic, SpecificSituation
from soulmem.settings import Settings

#: Facts of these categories have a time of their own; others hold from some time on, which is no reason not to fade.
_DATED = frozenset({Category.DATE, Category.EVENT})
#: Columns of a note that are of its envelope and change.
_STATE = ("retrieval_count", "pinned", "strength", "decayed_at", "due_at", "asleep")


def happens_at(body: Body) -> datetime | None:
    """When what a note tells of begins: of a situation, or of a fact that is a date or an event; ``None`` where nobody knows."""
    match body:
        case SpecificSituation(time_start=start, time_end=end):
            return start or end
        case Semantic(category=category, valid_from=since) if category in _DATED:
            return since
    return None


def ageing_from(body: Body, at: datetime, when: datetime | None = None) -> datetime:
    """When a note that is written at ``at`` begins to fade: at once, or when its time has come. ``when``: that time, where it is
    known and the body does not have it."""
    dated = not isinstance(body, Semantic) or body.category in _DATED
    coming = (when if dated else None) or happens_at(body)
    return max(at, coming) if coming is not None else at


def aged_from(note: Note, said: Mapping[str, datetime | None]) -> datetime:
    """When a note that was read in with its age began to fade: at the end of what it tells of, else when it was last said, last
    recalled, or made; and not before its time, if that is still to come. ``said``: when its sources were said, by id."""
    body, coming = note.body, happens_at(note.body)
    if isinstance(body, SpecificSituation) and coming is not None:
        return body.time_end or coming
    times = [time for source in note.sources if (time := said.get(source)) is not None]
    told = max(times, default=None) or note.last_accessed_at or note.created_at
    return max(told, coming) if coming is not None else told


def envelope(note: Note) -> Envelope:
    """What of a note its retention depends on."""
    return Envelope(
        type=note.type,
        category=note.body.category if isinstance(note.body, Semantic) else None,
        retrieval_count=note.retrieval_count,
        pinned=note.pinned,
        core=note.core,
        asleep=note.asleep,
        strength=note.strength,
        decayed_at=note.decayed_at,
        due_at=note.due_at,
        created_at=note.created_at,
    )


def with_due(change: Change, settings: Settings) -> Change:
    """``change`` with the time when each of its new notes will fall asleep, where it does not say so."""
    notes = tuple(_with_due(note, settings) if note.due_at is None else note for note in change.notes)
    return replace(change, notes=notes) if notes else change


def with_due_anew(change: Change, present: Callable[[Sequence[str]], Sequence[Note]], settings: Settings) -> Change:
    """``change``, which brings back what was there while half-lives were others, with the times when its notes will fall asleep
    by those of now. ``present(ids)``: the notes as they are (``store.notes``)."""
    changed = [update.note for update in change.updates if update.values.keys() & set(_STATE)]
    there = {note.id: envelope(note) for note in present(changed)} if changed else {}
    updates = (_due_update(update, there[update.note], settings) if update.note in there else update for update in change.updates)
    return replace(change, notes=tuple(_with_due(note, settings) for note in change.notes), updates=tuple(updates))


def _due_update(update: NoteUpdate, before: Envelope, settings: Settings) -> NoteUpdate:
    after = replace(before, **{name: value for name, value in update.values.items() if name in _STATE})
    return replace(update, values={**update.values, "due_at": after.with_due(settings).due_at})


def _with_due(note: Note, settings: Settings) -> Note:
    due = envelope(note).with_due(settings).due_at
    return note if due == note.due_at else replace(note, due_at=due)


def written(before: Envelope, after: Envelope) -> dict[str, Any]:
    """The columns in which two states of one note differ, with the values of the later one."""
    return {name: getattr(after, name) for name in _STATE if getattr(after, name) != getattr(before, name)}
