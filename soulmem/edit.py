"""A note changed by hand: what is to be otherwise, and the change that makes it so. Pure.

The note keeps its key, its links and the lines it was drawn from; that it was edited, when, and what it said before stands in the
journal. With a time from when on (``since``) the note stays as it is and ends there, and a new one holds instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from soulmem.consolidate.facts import MOST_SAYS, same_form, stem_of_key
from soulmem.embed.texts import plain_text
from soulmem.errors import InputError
from soulmem.history import Changed
from soulmem.indexing import updated_note
from soulmem.model.changes import Change, NoteUpdate, Superseding
from soulmem.model.links import CONTRADICTS, Link, Sem
from soulmem.model.notes import Body, ConceptType, Note, Procedure, Semantic, SpecificSituation, derived_id
from soulmem.store.rows import note_row

#: The command of edits in the journal.
COMMAND = "edit"
#: What is written by hand has at most so many characters, and a name so many.
MOST_TEXT, MOST_NAME = 20_000, 200
#: Why a fact that was edited holds no longer.
BY_HAND = "edited by hand"

Span = tuple[datetime | None, datetime | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What is to be otherwise; ``None`` stays as it is.

    ``text``: what the note says: of somebody or something that has a name the description, of others the statement itself.
    ``name``, ``aliases``: what that is called. ``span``: when a situation was, or since and until when a fact holds. ``since``:
    from when on a fact holds as it is said now; until then it was as it was.
    """

    text: str | None = None
    name: str | None = None
    aliases: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    span: Span | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """What an edit did, or with ``dry_run`` would do. ``key``: of the note that says it now; ``changes``: field by field, none
    where all was so already; ``operation``: number of the one that wrote it."""

    key: str
    changes: tuple[Changed, ...] = ()
    superseded: str | None = None
    dry_run: bool = False
    operation: int | None = None


def is_named(body: Body) -> bool:
    """Whether a note is about somebody or something with a name, and not a statement."""
    if not isinstance(body, Semantic):
        return False
    return body.concept_type is ConceptType.ENTITY or len(body.description) > len(body.content)


def as_edit(note: Note) -> Edit:
    """All of a note that can be edited, as it is now."""
    body, columns = note.body, columns_of(note.body)
    row = note_row(note, 0)
    return Edit(
        text=row[columns["text"]] if "text" in columns else None,
        name=row[columns["name"]] if "name" in columns else None,
        aliases=body.aliases if isinstance(body, Semantic) else None,
        tags=note.tags,
        span=(row[columns["start"]], row[columns["end"]]) if "start" in columns else None,
    )


def columns_of(body: Body) -> Mapping[str, str]:
    """Where what can be edited stands in the row of a note."""
    match body:
        case Semantic() if is_named(body):
            return {"name": "content", "text": "description", **_ALIASES, "start": "valid_from", "end": "valid_until"}
        case Semantic():
            return {"text": "content", **_ALIASES, "start": "valid_from", "end": "valid_until"}
        case SpecificSituation():
            return {"text": "narrative", "start": "time_start", "end": "time_end"}
        case Procedure():
            return {"text": "content"}
    return {}


_ALIASES = {"aliases": "aliases"}


def edit_change(note: Note, edit: Edit, links: Sequence[Link], at: datetime) -> tuple[Change | None, Edited]:
    """The change that edits ``note``, and what it does; no change where all is so already. ``links``: those at the note.

    Raises :class:`InputError` for what a note of its kind does not have, and for texts that say nothing.
    """
    new = dict(_values(note, edit))
    changes = tuple(_changed(note, new))
    if not changes:
        return None, Edited(key=note.key)
    what = ", ".join(one.field for one in changes)
    if edit.since is None:
        update = NoteUpdate(note=note.id, values=new)
        return Change(command=COMMAND, what=f"{note.key}: {what}", at=at, updates=(update,)), Edited(
            key=note.key, changes=changes
        )
    later = _later(note, new, edit.since, at)
    change = Change(
        command=COMMAND,
        what=f"{note.key}: {what}; from {edit.since:%Y-%m-%d} on it is {later.key}",
        at=at,
        notes=(later,),
        links=tuple(_copied(links, note.id, later.id, at)),
        supersedes=(Superseding(new=later.id, old=note.id, at=edit.since, reason=BY_HAND),),
    )
    return change, Edited(key=later.key, changes=changes, superseded=note.key)


def _values(note: Note, edit: Edit) -> Iterator[tuple[str, Any]]:
    """The columns that are to be otherwise, with their values."""
    columns = columns_of(note.body)
    for field, value, most in (("text", edit.text, MOST_TEXT), ("name", edit.name, MOST_NAME)):
        if value is not None:
            yield _column(note, columns, field), _checked(note, field, value, most)
    if edit.aliases is not None:
        yield (
            _column(note, columns, "aliases"),
            [_checked(note, "aliases", one, MOST_NAME) for one in dict.fromkeys(edit.aliases)],
        )
    if edit.tags is not None:
        yield "tags", [_checked(note, "tags", one, MOST_NAME) for one in dict.fromkeys(edit.tags)]
    if edit.span is not None:
        start, end = edit.span
        if start and end and end < start:
            raise InputError(f"{note.key}: it cannot end before it begins", advice="Write a time as START/END.")
        yield _column(note, columns, "start"), start
        yield _column(note, columns, "end"), end


_HAS = {"text": "no text that can be edited", "name": "no name", "aliases": "no other names", "start": "no time"}


def _column(note: Note, columns: Mapping[str, str], field: str) -> str:
    if field not in columns:
        raise InputError(f"{note.key}: a note of the type {note.type} has {_HAS[field]}", advice=_advice(note, field))
    return columns[field]


def _advice(note: Note, field: str) -> str:
    if field == "name" and isinstance(note.body, Semantic):
        return "It is a statement: change what it says with --text."
    if field == "text":
        return "Patterns are made anew by reading the graph again, or by consolidation."
    return "soulmem show tells what it has."


def _checked(note: Note, field: str, text: str, most: int) -> str:
    told = plain_text(text).strip()
    is_free = field == "text" and is_named(note.body)  # a description may be taken away
    if not told and not is_free:
        raise InputError(f"{note.key}: {field} would be empty", advice="To be rid of a note: soulmem forget --note KEY.")
    if len(told) > most:
        raise InputError(f"{note.key}: {field} has {len(told)} characters; at most {most}", advice="Make two notes of it.")
    return told


def _changed(note: Note, new: Mapping[str, Any]) -> Iterator[Changed]:
    row = note_row(note, 0)
    for column, value in new.items():
        if row[column] != value:
            yield Changed(field=column, before=row[column], after=value)


def _later(note: Note, new: Mapping[str, Any], since: datetime, at: datetime) -> Note:
    """The note that holds from ``since`` on."""
    body = note.body
    if not isinstance(body, Semantic) or note.core:
        what = "who the character is" if note.core else f"of the type {note.type}"
        raise InputError(f"{note.key} is {what}: only facts hold from some time on", advice="Leave --from out.")
    if (body.valid_from and since < body.valid_from) or (body.valid_until and since >= body.valid_until):
        holds = " and ".join(
            f"{word} {one:%Y-%m-%d}" for word, one in (("since", body.valid_from), ("until", body.valid_until)) if one
        )
        raise InputError(f"{note.key} holds {holds}: nothing can follow it from {since:%Y-%m-%d} on", advice="Give another time.")
    told = updated_note(note, {**new, "valid_from": since, "valid_until": None})
    assert isinstance(told.body, Semantic)
    mark = derived_id(COMMAND, note.id, since.isoformat(), json.dumps(new, default=str, ensure_ascii=False))
    return Note(
        id=mark,
        key=_key(note.key, told.body.content, mark[:6]),
        body=told.body,
        created_at=at,
        decayed_at=max(at, since),
        tags=told.tags,
        pinned=note.pinned,
        scope=note.scope,
        kept_from=note.kept_from,
    )


def _key(old: str, text: str, mark: str) -> str:
    """A key that shows what it was before; of a fact one that tells its slot as those of facts do."""
    if old.startswith("fact_"):
        return f"{stem_of_key(old)}{same_form(text)[:MOST_SAYS] or 'x'}_{mark}"
    return f"{old}_{mark}"


def _copied(links: Sequence[Link], old: str, new: str, at: datetime) -> Iterator[Link]:
    """The links at the old note, at the new one; what contradicted the one need not contradict the other."""
    for one in links:
        if one.source == one.target or (isinstance(one.payload, Sem) and one.payload.verb in CONTRADICTS):
            continue
        source, target = (new if end == old else end for end in (one.source, one.target))
        mark = derived_id(COMMAND, one.id, new)
        yield replace(one, id=mark, source=source, target=target, created_at=at, last_fired_at=None, fired_count=0)
