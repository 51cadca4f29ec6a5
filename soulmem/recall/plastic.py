"""Which memories fire together when they were used (SPEC §7). Pure.

A link between two notes that were recalled together tells that they were. So what was used in a private talk fires there alone
for notes of that talk; other notes are recorded as used in :data:`PRIVATE`, which makes no link and lets none grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from soulmem.model.changes import Use
from soulmem.model.notes import Note
from soulmem.model.results import Memory
from soulmem.scopes.contexts import PUBLIC, normal_scope

#: The stage of a note that came up in a talk of which fewer people know than of the note.
PRIVATE = "private"


def uses_of(memories: Sequence[Memory], notes: Iterable[Note], heard_in: str | None) -> tuple[Use, ...]:
    """The uses of ``memories`` as they are recorded. ``notes``: those of the memories; ``heard_in``: the scope of the talk,
    ``None``: that of whoever owns the mind, which is private as soon as something private came up."""
    closed = {note.id: normal_scope(note.scope) for note in notes if note.scope != PUBLIC or note.kept_from}
    scope = None if heard_in is None else normal_scope(heard_in)
    is_private = bool(closed) if scope is None else scope != PUBLIC

    def stage(memory: Memory) -> str:
        fires = memory.id in closed and scope in (None, closed[memory.id])
        return memory.stage if fires or not is_private else PRIVATE

    return tuple(Use(note=memory.id, stage=stage(memory), score=memory.score) for memory in memories)
