"""Sweeping, and what would be forgotten by some day: what is left of each note, why, and whether it falls asleep (SPEC §8).

What is left is always computed from the strength of a note, since when it fades, and now. A sweep changes none of it: it writes
down what is left of the notes that have fallen to the threshold of sleep, and that they sleep. Sweeping once or a thousand times
gives the same. Pure: rows in, values out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from soulmem.ageing import written
from soulmem.forget.present import fading_of
from soulmem.graph.decay import Envelope
from soulmem.model.changes import Change, NoteUpdate
from soulmem.model.notes import Category, NoteType
from soulmem.model.results import Fading
from soulmem.recall.reinforce import envelope_of
from soulmem.settings import Settings, names
from soulmem.text.counts import counted

#: What its operations are called in the journal. Forgetting for good is another thing, and is called *forget*.
COMMAND = "sweep"
#: Of the one that a mind does by itself when it is idle: who undoes without a number does not mean it.
BY_ITSELF = "idle"

#: Settings on which half-lives and sleep depend, besides those named ``half_life_…``.
_CURVE = ("recall_count_factor", "recall_count_cap", "sleep_below", "wake_above")


class Fate(StrEnum):
    """What a sweep does to a note: it falls asleep, wakes, or is only written anew, since what was due is not yet."""

    SLEEPS = "falls asleep"
    WAKES = "wakes"
    WRITTEN = "only written"


@dataclass(frozen=True, slots=True, kw_only=True)
class SweptNote:
    """A note that was due. ``retention_before`` (0..1) was left of it at ``since``, ``retention_after`` is now; between them it
    was halved every ``half_life_hours`` (``None``: it does not decay). ``why``: these numbers in words."""

    id: str
    key: str
    type: NoteType
    category: Category | None
    text: str
    retention_before: float
    since: datetime
    retention_after: float
    half_life_hours: float | None
    retrieval_count: int
    due_at: datetime | None
    fate: Fate
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReport:
    """A sweep at ``at``. ``notes``: those that were due; ``operation``: the number of the entry that tells of it; ``None`` where
    nothing was due, and of a dry run."""

    at: datetime
    dry_run: bool
    notes: tuple[SweptNote, ...] = ()
    operation: int | None = None

    @property
    def asleep(self) -> int:
        """How many fell asleep."""
        return sum(note.fate is Fate.SLEEPS for note in self.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastNote:
    """What will be left of a note. Retentions 0..1: ``retention_now``, and ``retention_then``; ``missing_then`` is what is not;
    ``fading_then``: how its text will be shown. ``falls_asleep_at``: when, unless it is recalled before; ``None``: never, or
    it is ``asleep`` already."""

    id: str
    key: str
    type: NoteType
    category: Category | None
    text: str
    half_life_hours: float
    retrieval_count: int
    pinned: bool
    core: bool
    asleep: bool
    fades_from: datetime
    retention_now: float
    retention_then: float
    missing_then: float
    fading_then: Fading
    asleep_then: bool
    falls_asleep_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What will be left at ``at`` of the notes of which anything will be missing by then, if none is recalled; those that lose
    most first; pinned and core ones, which hardly lose anything, are not among them. ``notes_in_all``: how many the mind has,
    with those that do not fade."""

    now: datetime
    at: datetime
    notes_in_all: int
    notes: tuple[ForecastNote, ...] = ()


def plan_sweep(
    rows: Iterable[Mapping[str, Any]], at: datetime, settings: Settings
) -> tuple[tuple[SweptNote, ...], Change | None]:
    """What becomes at ``at`` of the notes that are due (rows of ``forget.due``), and the change that writes it, if there is
    any."""
    swept: list[SweptNote] = []
    updates: list[NoteUpdate] = []
    for row in rows:
        before = envelope_of(row)
        after = _after(before, at, settings)
        swept.append(_swept(row, before, after, settings))
        updates.append(NoteUpdate(note=row["id"], values=written(before, after)))
    asleep = sum(note.fate is Fate.SLEEPS for note in swept)
    what = f"{counted(asleep, 'note')} fell asleep"
    if len(swept) > asleep:
        what += f", {len(swept) - asleep} not yet"
    return tuple(swept), Change(command=COMMAND, what=what, at=at, updates=tuple(updates)) if swept else None


def _after(before: Envelope, at: datetime, settings: Settings) -> Envelope:
    """A note that is due, swept; of one that is not after all, only when it will be is written."""
    after = before.settled(at, settings).judged(settings)
    return after if after.asleep != before.asleep else before.with_due(settings)


def _swept(row: Mapping[str, Any], before: Envelope, after: Envelope, settings: Settings) -> SweptNote:
    life = before.half_life_hours(settings)
    left = before.retention(max(after.decayed_at, before.decayed_at), settings)
    fate = Fate.WRITTEN
    if after.asleep != before.asleep:
        fate = Fate.SLEEPS if after.asleep else Fate.WAKES
    return SweptNote(
        id=row["id"],
        key=row["key"],
        type=before.type,
        category=before.category,
        text=row["text"],
        retention_before=before.strength,
        since=before.decayed_at,
        retention_after=left,
        half_life_hours=life if math.isfinite(life) else None,
        retrieval_count=before.retrieval_count,
        due_at=after.due_at,
        fate=fate,
        why=_why(before, left, life, fate, settings),
    )


def _why(before: Envelope, left: float, life: float, fate: Fate, settings: Settings) -> str:
    if fate is Fate.WRITTEN:
        return "it fades more slowly than was written down, and is not due yet"
    course = f"{before.strength:.3f} on {before.decayed_at:%Y-%m-%d %H:%M}, halved every {hours_told(life)}"
    if fate is Fate.WAKES:
        return f"{left:.3f} is above {settings.wake_above:g}: {course}"
    return f"{left:.3f} is not above {settings.sleep_below:g}: {course}"


def hours_told(hours: float) -> str:
    """A half-life in words: ``24 h``, ``21 d``, ``never`` of what does not decay."""
    if math.isinf(hours):
        return "never"
    return f"{hours:.3g} h" if hours < 48.0 else f"{hours / 24.0:.4g} d"


# -- what will be -------------------------------------------------------------------------------------------------------------


def forecast(rows: Sequence[Mapping[str, Any]], now: datetime, at: datetime, settings: Settings) -> Forecast:
    """What will be left at ``at`` of the notes of a mind (rows of ``forget.envelopes``), if none is recalled until then."""
    there = [row for row in rows if row["active"]]
    notes = (_foreseen(row, now, at, settings) for row in there)
    found = [note for note in notes if note is not None and note.missing_then > 0.0]
    found.sort(key=lambda note: (note.retention_then - note.retention_now, note.retention_then, note.key))
    return Forecast(now=now, at=at, notes_in_all=len(there), notes=tuple(found))


def _foreseen(row: Mapping[str, Any], now: datetime, at: datetime, settings: Settings) -> ForecastNote | None:
    """What will be of a note; ``None`` of one that does not fade."""
    envelope = envelope_of(row)
    life = envelope.half_life_hours(settings)
    if math.isinf(life) or envelope.is_lasting:
        return None
    then = envelope.retention(at, settings)
    missing = round(1.0 - then, 9)
    judged = envelope.settled(at, settings).judged(settings)
    due = envelope.with_due(settings).due_at
    return ForecastNote(
        id=row["id"],
        key=row["key"],
        type=envelope.type,
        category=envelope.category,
        text=row["text"],
        half_life_hours=life,
        retrieval_count=envelope.retrieval_count,
        pinned=envelope.pinned,
        core=envelope.core,
        asleep=envelope.asleep,
        fades_from=envelope.decayed_at,
        retention_now=envelope.retention(now, settings),
        retention_then=then,
        missing_then=missing,
        fading_then=fading_of(missing, settings),
        asleep_then=judged.asleep,
        falls_asleep_at=None if envelope.asleep else due,
    )


# -- another memory -----------------------------------------------------------------------------------------------------------


def is_same_curve(one: Settings, other: Settings) -> bool:
    """Whether notes fade and sleep alike by both."""
    return all(getattr(one, name) == getattr(other, name) for name in curve_names())


def curve_names() -> tuple[str, ...]:
    """The settings that the curve of notes depends on."""
    return (*(name for name in names() if name.startswith("half_life_") and name != "half_life_link_hours"), *_CURVE)


def settled_updates(rows: Iterable[Mapping[str, Any]], at: datetime, before: Settings, after: Settings) -> Iterator[NoteUpdate]:
    """Updates of the notes that fade otherwise by ``after`` than by ``before``: what is left of them at ``at`` is written down,
    and when they will fall asleep by the new half-lives. So nothing that was forgotten comes back, nor does anything go at
    once."""
    same_sleep = all(getattr(before, name) == getattr(after, name) for name in ("sleep_below", "wake_above"))
    for row in rows:
        envelope = envelope_of(row)
        if same_sleep and envelope.half_life_hours(before) == envelope.half_life_hours(after):
            continue
        if math.isinf(envelope.half_life_hours(before)):
            continue
        values = written(envelope, envelope.settled(at, before).judged(after))
        if values:
            yield NoteUpdate(note=row["id"], values=values)
