"""Histories for the tests of analysis: what happens to notes, told forwards, and the journal's entries of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from soulmem.analysis.columns import framed
from soulmem.analysis.strengths import Cause, Entry, Named, State, StrengthEvent
from soulmem.graph.decay import half_life_hours, reinforced, retention
from soulmem.model.notes import Category, Note, NoteType, Semantic
from soulmem.settings import Settings

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class History:
    """Notes that are born, used, swept, pinned, and go, under ``settings``; ``events`` and ``entries`` as it is told forwards."""

    settings: Settings = field(default_factory=Settings)
    states: dict[str, State] = field(default_factory=dict)
    events: list[StrengthEvent] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)

    def at(self, hours: float) -> datetime:
        return BEGIN + timedelta(hours=hours)

    def born(self, note: str, hours: float, category: Category | None = None, strength: float = 1.0) -> None:
        state = State(
            strength=strength, decayed_at=self.at(hours), retrieval_count=0, pinned=False, core=False, category=category
        )
        self.states[note] = state
        self._write(note, hours, Cause.BORN, None, state)

    def recall(self, note: str, hours: float) -> None:
        then = self.states[note]
        life = self._life(then)
        boosted = reinforced(then.strength, then.decayed_at, self.at(hours), life, self.settings)
        self._change(
            note, hours, Cause.RECALL, strength=boosted, decayed_at=self.at(hours), retrieval_count=then.retrieval_count + 1
        )

    def sweep(self, note: str, hours: float) -> None:
        then = self.states[note]
        left = retention(then.strength, then.decayed_at, self.at(hours), self._life(then))
        self._change(note, hours, Cause.SWEEP, strength=left, decayed_at=self.at(hours))

    def pin(self, note: str, hours: float) -> None:
        self._change(note, hours, Cause.CHANGED, pinned=not self.states[note].pinned)

    def gone(self, note: str, hours: float) -> None:
        state = self.states.pop(note)
        self._write(note, hours, Cause.GONE, state, None)

    def notes(self) -> list[Note]:
        """The notes as they are now."""
        return [
            Note(
                id=note,
                key=f"key_{note}",
                body=Semantic(content=note, category=state.category),
                created_at=BEGIN,
                strength=state.strength,
                decayed_at=state.decayed_at,
                retrieval_count=state.retrieval_count,
                pinned=state.pinned,
                core=state.core,
            )
            for note, state in self.states.items()
        ]

    def frame(self) -> pl.DataFrame:
        """The frame ``strength_events`` of it."""
        return events_frame(self.events, self.settings)

    def _life(self, state: State) -> float:
        return half_life_hours(NoteType.SEMANTIC, state.category, state.retrieval_count, state.is_lasting, self.settings)

    def _change(self, note: str, hours: float, cause: Cause, **values: Any) -> None:
        before = self.states[note]
        self.states[note] = replace(before, **values)
        self._write(note, hours, cause, before, self.states[note])

    def _write(self, note: str, hours: float, cause: Cause, before: State | None, after: State | None) -> None:
        number = len(self.entries) + 1
        named = Named(note=note, key=f"key_{note}", type=NoteType.SEMANTIC)
        event = StrengthEvent(
            of=named, operation=number, at=self.at(hours), command="test", cause=cause, before=before, after=after
        )
        changed = {name for name in _COLUMNS if before and after and getattr(before, name) != getattr(after, name)}
        if not (before and after) or changed:
            self.events.append(event)
        self.entries.append(
            Entry(
                number=number,
                at=self.at(hours),
                command="test",
                is_undoing=False,
                born=() if before else (note,),
                before={note: _values(before, changed)} if changed else {},
                after={note: _values(after, changed)} if changed else {},
                gone=() if after else ((NoteType.SEMANTIC, {"id": note, "key": f"key_{note}", **_values(before, _COLUMNS)}),),
            )
        )


_COLUMNS = ("strength", "decayed_at", "retrieval_count", "pinned", "core", "category")


def _values(state: State | None, names: Any) -> dict[str, Any]:
    return {name: getattr(state, name) for name in names}


def events_frame(events: Sequence[StrengthEvent], set_now: Settings) -> pl.DataFrame:
    """Events as the frame that a mind would give."""
    rows = [_row(event, set_now) for event in events]
    return framed("strength_events", {name: [row[name] for row in rows] for name in rows[0]})


def _row(event: StrengthEvent, set_now: Settings) -> dict[str, Any]:
    state = event.after or event.before
    row: dict[str, Any] = {
        "note": event.of.note,
        "key": event.of.key,
        "type": event.of.type.value,
        "kind": (state.category or Category.EVENT).value,
        "operation": event.operation,
        "at": event.at,
        "command": event.command,
        "cause": event.cause.value,
    }
    for side, one in (("before", event.before), ("after", event.after)):
        life = half_life_hours(event.of.type, one.category, one.retrieval_count, one.is_lasting, set_now) if one else None
        row |= {f"{name}_{side}": getattr(one, name, None) for name in _COLUMNS[:3]} | {f"half_life_{side}": life}
    return row


#: Of laws: the machine may be busy.
LAWS = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
NOTES = ("a", "b", "猫")
STEPS = st.lists(
    st.tuples(st.sampled_from(("born", "recall", "sweep", "pin", "gone")), st.sampled_from(NOTES), st.floats(0.01, 300.0)),
    max_size=25,
)


def lived(steps: list[tuple[str, str, float]]) -> History:
    """What of ``steps`` can happen, one after the other."""
    history, hours = History(), 0.0
    for what, note, passed in steps:
        if (what == "born") == (note not in history.states):
            hours += passed
            getattr(history, what)(note, hours)
    return history
