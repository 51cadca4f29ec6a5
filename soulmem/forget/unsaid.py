"""What a line that is taken back leaves behind: notes drawn from it alone go, others stay without it; all of it can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from soulmem.forget.for_good import forget_plan
from soulmem.forget.request import Request, chosen
from soulmem.model.changes import NoteUpdate, Removal
from soulmem.store.contract import Store


@dataclass(frozen=True, slots=True)
class Unsaid:
    """``removed`` from the mind, and ``updates`` of what stays: without what it had from the line; facts that hold again."""

    removed: Removal = field(default_factory=Removal)
    updates: tuple[NoteUpdate, ...] = ()


def unsaid_by(store: Store, messages: Sequence[str], at: datetime) -> Unsaid:
    """What goes with these messages, if anything was drawn from them."""
    drawn = {row["id"]: message for message in messages for row in store.query("working.drawn_from", message=message)}
    if not drawn:
        return Unsaid()
    plan = forget_plan(store, chosen(store, Request(messages=tuple(messages))), at)
    gone = plan.erasure.notes
    stay = store.notes(sorted(drawn.keys() - gone))
    lost = tuple((note.id, message) for note in stay for message in note.sources if message in messages)
    return Unsaid(Removal(notes=tuple(sorted(gone)), sources=lost), plan.change.updates)
