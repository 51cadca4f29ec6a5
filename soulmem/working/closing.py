"""What was told in confidence, put on the lines and notes of a mind; in live talk and in chats that are read alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from soulmem.model.changes import NoteUpdate
from soulmem.model.messages import Message
from soulmem.model.notes import NoteType
from soulmem.store.contract import Store
from soulmem.working.confiding import Confided, DrawnNote, lifted, notes_kept


def lines_kept(store: Store, said: Sequence[Confided]) -> dict[str, Message]:
    """The lines that are kept from others than before once all of ``said`` was said, in this order, as they are then, by id."""
    kept: dict[str, Message] = {}
    known: dict[str, Message] | None = None
    secrets: dict[str, Message] = {}
    for one in said:
        kept |= {line.id: line for line in one.before}
        if one.asks.told:
            known = _known(store) if known is None else known
            kept |= {line.id: line for line in lifted(one.said, one.asks, (known | secrets | kept).values())}
        if one.said.kept_from:
            secrets[one.said.id] = one.said
    return kept


def _known(store: Store) -> dict[str, Message]:
    rows = store.query("recall.restricted_lines")
    return {line.id: line for line in store.messages([row["id"] for row in rows if row["kept_from"]])}


def kept_updates(store: Store, kept: Mapping[str, Message]) -> tuple[NoteUpdate, ...]:
    """The updates by which these lines of the mind, and the notes drawn from them, are kept from whom they are now."""
    if not kept:
        return ()
    lines = {
        line.id: NoteUpdate(note=line.id, values={"kept_from": list(line.kept_from), "present": list(line.present)})
        for line in kept.values()
    }
    found = store.query("working.drawn_notes", ids=sorted(lines))
    drawn: dict[str, list[str]] = {}
    for row in found:
        drawn.setdefault(row["note"], []).append(row["message"])
    sources = {line.id: line for line in store.messages(sorted({row["message"] for row in found}))}
    notes = [
        DrawnNote(
            id=row["note"],
            kept_from=tuple(row["kept_from"] or ()),
            sources=tuple(drawn[row["note"]]),
            is_name=row["type"] == NoteType.SEMANTIC and row["category"] is None,
        )
        for row in {row["note"]: row for row in found}.values()
    ]
    closed = notes_kept(notes, {**sources, **kept})
    return (*lines.values(), *(NoteUpdate(note=note, values={"kept_from": list(names)}) for note, names in closed.items()))
