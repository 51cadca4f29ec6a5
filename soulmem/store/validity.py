"""Facts that hold no longer: what superseding means for the notes themselves (SPEC §9). Pure, and where it is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from soulmem.errors import StoreError
from soulmem.model.changes import Change, NoteUpdate, Superseding
from soulmem.model.notes import Note, Semantic


@dataclass(frozen=True, slots=True)
class Validity:
    """Since and until when a fact holds; ``None``: nothing is known that would begin or end it."""

    since: datetime | None = None
    until: datetime | None = None


def superseded_ids(change: Change) -> list[str]:
    """The notes of which ``change`` says that they supersede, or are superseded."""
    return sorted({note for one in change.supersedes for note in (one.new, one.old)})


def with_validity(change: Change, known: Mapping[str, Validity]) -> Change:
    """``change`` in which what it supersedes ends, and what supersedes begins. ``known``: of the Semantic notes of the mind.

    What a note says of its own validity stays: only an end that is absent, or later, is set. What was said wrong ends as it
    begins. A change that takes another back brings the notes back as they were, and is not looked into. Raises
    :class:`StoreError`.
    """
    if not change.supersedes or change.undoes is not None:
        return change
    own = {note: Validity(body.valid_from, body.valid_until) for note, body in _semantic(change)}
    before = {**known, **own}
    after = dict(before)
    for one in change.supersedes:
        _check(one, before)
        new, old = after[one.new], after[one.old]
        if one.corrects:
            after[one.old] = Validity(old.since or one.at, old.since or one.at)
            continue
        after[one.new] = replace(new, since=new.since or one.at)
        after[one.old] = replace(old, until=min(old.until or one.at, one.at))
    changed = {note: validity for note, validity in after.items() if validity != before[note]}
    stated = {update.note: update.values for update in change.updates}
    return replace(
        change,
        notes=tuple(_valid(note, changed[note.id]) if note.id in changed else note for note in change.notes),
        updates=(
            *change.updates,
            *(_update(note, changed[note], before[note], stated.get(note, {})) for note in sorted(changed.keys() - own.keys())),
        ),
    )


def _semantic(change: Change) -> Iterator[tuple[str, Semantic]]:
    return ((note.id, note.body) for note in change.notes if isinstance(note.body, Semantic))


def _check(one: Superseding, known: Mapping[str, Validity]) -> None:
    advice = "Nothing was written."
    if one.new == one.old:
        raise StoreError(f"{one.new!r} cannot supersede itself", advice=advice)
    for note in (one.new, one.old):
        if note not in known:
            raise StoreError(f"{note!r}, of which one supersedes the other, is no Semantic note of the mind", advice=advice)
    until, since = known[one.new].until, known[one.old].since
    if until is not None and until <= one.at:
        raise StoreError(f"{one.new!r} holds no longer itself, and so cannot supersede {one.old!r}", advice=advice)
    if since is not None and one.at < since:
        raise StoreError(f"{one.old!r} holds since {since.isoformat()}, and cannot end before that", advice=advice)


def _valid(note: Note, validity: Validity) -> Note:
    body = note.body
    assert isinstance(body, Semantic)
    return replace(note, body=replace(body, valid_from=validity.since, valid_until=validity.until))


def _update(note: str, after: Validity, before: Validity, stated: Mapping[str, object]) -> NoteUpdate:
    values = {"valid_from": (before.since, after.since), "valid_until": (before.until, after.until)}
    new = {column: value for column, (old, value) in values.items() if value != old and column not in stated}
    return NoteUpdate(note=note, values=new)
