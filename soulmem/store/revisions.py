"""Guesses at what was forgotten: they stand in place of a text only as long as that is the one they were made of. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from soulmem.model.changes import Change, NoteUpdate
from soulmem.model.notes import REVISABLE, NoteType

_PREFIX = "revised_"
_TEXTS = frozenset(name for names in REVISABLE.values() for name in names)


def retold_ids(change: Change) -> list[str]:
    """The notes of which ``change`` gives a text anew and says nothing of a guess."""
    return sorted({update.note for update in change.updates if _TEXTS & update.values.keys() and not _states(update.values)})


def without_stale(change: Change, revised: Mapping[str, NoteType]) -> Change:
    """``change`` in which notes that are told anew lose what was guessed of their former text. ``revised``: of the notes of
    :func:`retold_ids` those that have a guess, with their types."""
    if not revised:
        return change
    cleared = (NoteUpdate(note=note, values=no_guess(kind)) for note, kind in sorted(revised.items()))
    return replace(change, updates=(*change.updates, *cleared))


def guesses_in(values: Mapping[str, Any]) -> list[str]:
    """The texts that were guessed, among values of columns of a note."""
    return [value for name, value in values.items() if name.startswith(_PREFIX) and isinstance(value, str)]


def _states(values: Mapping[str, Any]) -> bool:
    return any(name.startswith(_PREFIX) for name in values)


def no_guess(kind: NoteType) -> dict[str, None]:
    """Values of the columns of a note that say that nothing was guessed of it."""
    return dict.fromkeys(f"{_PREFIX}{name}" for name in (*REVISABLE[kind], "missing"))
