"""Guesses at what was forgotten: they stand in place of a text only as long as that is the one they were made of. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from soulmem.model.changes import Change, NoteUpdate
from soulmem.model.notes import REVISABLE, NoteType

_TEXTS = frozenset(name for names in REVISABLE.values() for name in names)


def retold_ids(change: Change) -> list[str]:
    """The notes of which ``change`` gives a text anew and says nothing of a guess."""
    return sorted({update.note for update in change.updates if _TEXTS & update.values.keys() and not _states(update.values)})


def without_stale(change: Change, revised: Mapping[str, NoteType]) -> Change:
    """``change`` in which notes that are told anew lose what was guessed of their former text. ``revised``: of the notes of
    :func:`retold_ids` those that have a guess, with their types."""
    if not revised:
        return change
    cleared = (NoteUpdate(note=note, values=_nothing(kind)) for note, kind in sorted(revised.items()))
    return replace(change, updates=(*change.updates, *cleared))


def _states(values: Mapping[str, Any]) -> bool:
    return any(name.startswith("revised_") for name in values)


def _nothing(kind: NoteType) -> dict[str, None]:
    return dict.fromkeys(f"revised_{name}" for name in (*REVISABLE[kind], "missing"))
