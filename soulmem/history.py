"""What the operations of the journal did to a note, and what is different between two moments, for people to read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from soulmem.errors import NotFoundError
from soulmem.model.links import LinkType
from soulmem.model.notes import NoteType, display_text
from soulmem.store import Store
from soulmem.store.composed import composed
from soulmem.store.journal import by_rows, timed
from soulmem.store.rows import Row, message_of, note_of
from soulmem.store.undo import entries_between, last_number, undoings


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A field, and its value before and after; ``None``: it had none."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteEvent:
    """What one operation did to a note: ``changes``. ``born``: it made it; ``gone``: it took it away."""

    number: int
    at: datetime
    command: str
    what: str
    undone_by: int | None
    born: bool
    gone: bool
    changes: tuple[Changed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A note (``key``, its type and text), a link (``source verb → target``) or a message (``file:line``, speaker and text) that
    is there or not, or has ``changes``."""

    id: str
    name: str
    type: str
    text: str
    changes: tuple[Changed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What things of one kind are ``added``, ``removed`` and ``changed``."""

    added: tuple[Thing, ...] = ()
    removed: tuple[Thing, ...] = ()
    changed: tuple[Thing, ...] = ()

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is different."""
        return not (self.added or self.removed or self.changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What is different after operation ``last`` from how it was after ``first``. ``superseded``: (new, old) keys. ``forgotten``:
    operations of which some was forgotten for good, so that not all they changed is known."""

    first: int
    last: int
    notes: Difference
    links: Difference
    messages: Difference
    superseded: tuple[tuple[str, str], ...] = ()
    forgotten: tuple[int, ...] = ()


class _Names:
    """What notes, messages and links are called: those of the mind, and those that only the journal knows."""

    def __init__(self, store: Store, entries: Sequence[Mapping[str, Any]]) -> None:
        self._store = store
        self._gone: dict[str, Thing] = {}
        self.ends: dict[str, tuple[str, str, str]] = {}
        for entry in entries:
            self._learn(entry["before"].get("removed", {}))
        for link in store.links():
            self.ends[link.id] = (link.source, getattr(link.payload, "verb", "") or link.type.value, link.target)

    def _learn(self, gone: Mapping[str, Any]) -> None:
        for kind, columns in gone.get("notes", {}).items():
            for row in by_rows(columns):
                self._gone[row["id"]] = _note_thing(kind, row)
        for row in by_rows(gone.get("messages", {})):
            self._gone[row["id"]] = _message_thing(row)
        for kind, columns in gone.get("links", {}).items():
            for row in by_rows(columns):
                self.ends.setdefault(row["id"], (row["source"], row.get("verb") or LinkType(kind).value, row["target"]))

    def notes(self, ids: Iterable[str]) -> list[Thing]:
        """These notes, by name."""
        wanted = list(dict.fromkeys(ids))
        there = {
            note.id: Thing(id=note.id, name=note.key, type=note.type.value, text=display_text(note.body))
            for note in self._store.notes(wanted)
        }
        found = (there.get(one) or self._gone.get(one) for one in wanted)
        return sorted((one for one in found if one and one.type != "Message"), key=lambda one: (one.name, one.id))

    def messages(self, ids: Iterable[str]) -> list[Thing]:
        """These messages, in order of their places."""
        wanted = list(dict.fromkeys(ids))
        there = {
            one.id: Thing(id=one.id, name=f"{one.file}:{one.line}", type="Message", text=f"{one.speaker}: {one.text}")
            for one in self._store.messages(wanted)
        }
        return [one for name in wanted if (one := there.get(name) or self._gone.get(name))]

    def links(self, ids: Iterable[str]) -> list[Thing]:
        """These links."""
        known = [(one, *self.ends[one]) for one in ids if one in self.ends]
        keys = {one.id: one.name for one in self.notes(end for link in known for end in (link[1], link[3]))}
        told = [
            Thing(id=one, name=f"{keys.get(source, source)} {verb} → {keys.get(target, target)}", type="link", text=verb)
            for one, source, verb, target in known
        ]
        return sorted(told, key=lambda one: (one.name, one.id))


def _note_thing(kind: str, row: Mapping[str, Any]) -> Thing:
    note = note_of(NoteType(kind), timed(row))
    return Thing(id=note.id, name=note.key, type=kind, text=display_text(note.body))


def _message_thing(row: Mapping[str, Any]) -> Thing:
    said = message_of(timed(row))
    return Thing(id=said.id, name=f"{said.file}:{said.line}", type="Message", text=f"{said.speaker}: {said.text}")


# -- one note -------------------------------------------------------------------------------------------------------------------


def history(store: Store, name: str) -> tuple[NoteEvent, ...]:
    """What each operation did to the note with this key or id, the first one first; also of a note that is gone, where the
    journal still knows it. Raises :class:`NotFoundError`."""
    entries = list(entries_between(store, 1, last_number(store)))
    heads = {row["number"]: row for row in store.query("store.operation_heads", limit=len(entries) + 1)}
    names = _Names(store, entries)
    note = _note_id(store, names, entries, name)
    undone = undoings(store).undone
    events = []
    for entry in entries:
        number = entry["number"]
        born, gone = note in entry["after"].get("notes", ()), _is_removed(entry, note)
        changes = tuple(_changes(entry, note, names))
        if born or gone or changes:
            head = {part: heads[number][part] for part in ("number", "at", "command", "what")}
            events.append(NoteEvent(**head, undone_by=undone.get(number), born=born, gone=gone, changes=changes))
    return tuple(events)


def _note_id(store: Store, names: _Names, entries: Sequence[Mapping[str, Any]], name: str) -> str:
    rows = store.query("store.note_ids", names=[name])
    if rows:
        return str(rows[0]["id"])
    for entry in reversed(entries):
        for columns in entry["before"].get("removed", {}).get("notes", {}).values():
            for row in by_rows(columns):
                if name in (row["id"], row["key"]):
                    return str(row["id"])
    raise NotFoundError(
        f"the mind has no note {name!r}, and the journal knows of none", advice="soulmem list shows what there is"
    )


def wrote_note(after: str, note: str) -> bool:
    """Whether an entry of the journal, whose ``after`` this is, made the note with this id or changed a field of it."""
    written = json.loads(after)
    return note in written.get("notes", ()) or note in written.get("updated", {})


def _is_removed(entry: Mapping[str, Any], note: str) -> bool:
    return note in entry["after"].get("removed", {}).get("notes", ())


def _changes(entry: Mapping[str, Any], note: str, names: _Names) -> Iterator[Changed]:
    before, after = entry["before"], entry["after"]
    yield from _fields(before.get("updated", {}).get(note, {}), after.get("updated", {}).get(note, {}))
    for pairs, is_new in ((after.get("sources", ()), True), (before.get("removed", {}).get("sources", ()), False)):
        for thing in names.messages(message for one, message in pairs if one == note):
            said = f"{thing.name} {thing.text}"
            yield Changed(field="source", before=None if is_new else said, after=said if is_new else None)
    yield from _link_changes(before, after, note, names)
    for new, old in after.get("supersedes", ()):
        if note in (new, old):
            field, other = ("supersedes", old) if note == new else ("superseded by", new)
            yield Changed(field=field, before=None, after=_key(names, other))


def _key(names: _Names, note: str) -> str:
    found = names.notes([note])
    return found[0].name if found else note


def _link_changes(before: Mapping[str, Any], after: Mapping[str, Any], note: str, names: _Names) -> Iterator[Changed]:
    def mine(ids: Iterable[str]) -> list[Thing]:
        return names.links(one for one in ids if one in names.ends and note in (names.ends[one][0], names.ends[one][2]))

    for thing in mine(after.get("links", ())):
        yield Changed(field="link", before=None, after=thing.name)
    for thing in mine(after.get("links_removed", ())):
        yield Changed(field="link", before=thing.name, after=None)
    for thing in mine(after.get("link_updates", {})):
        for one in _fields(before.get("link_updates", {}).get(thing.id, {}), after["link_updates"][thing.id]):
            yield Changed(field=f"link {thing.name}: {one.field}", before=one.before, after=one.after)


def _fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Changed]:
    for name, value in after.items():
        if before.get(name) != value:
            yield Changed(field=name, before=before.get(name), after=value)


# -- two moments ----------------------------------------------------------------------------------------------------------------


def diff(store: Store, first: int, last: int | None = None) -> Diff:
    """What is different after operation ``last`` (by default the latest) from how it was after ``first`` (0: the beginning).

    Raises :class:`NotFoundError` for operations that are not there, :class:`UndoError` where it is not known what one did.
    """
    latest = last_number(store)
    end = latest if last is None else last
    for number in (first, end):
        if not 0 <= number <= latest:
            raise NotFoundError(f"the journal has no operation {number}", advice="What was written: soulmem log")
    if end < first:
        first, end = end, first
    together = composed(entries_between(store, first + 1, end))
    names = _Names(store, list(entries_between(store, first + 1, latest)))
    before, after = together.before, together.after
    gone: Row = before["removed"]
    types = {row["id"] for columns in gone["notes"].values() for row in by_rows(columns)}
    said = [row["id"] for row in by_rows(gone["messages"])]
    cut = [row["id"] for columns in gone["links"].values() for row in by_rows(columns)]
    updated = {one: tuple(_fields(before["updated"].get(one, {}), values)) for one, values in after["updated"].items()}
    relinked = {one: tuple(_fields(before["link_updates"].get(one, {}), values)) for one, values in after["link_updates"].items()}
    return Diff(
        first=first,
        last=end,
        notes=Difference(
            added=tuple(names.notes(after["notes"])),
            removed=tuple(names.notes(types)),
            changed=_with(names.notes(updated), updated),
        ),
        links=Difference(
            added=tuple(names.links(after["links"])),
            removed=tuple(names.links(cut)),
            changed=_with(names.links(relinked), relinked),
        ),
        messages=Difference(
            added=tuple(names.messages(after["messages"])),
            removed=tuple(names.messages(said)),
            changed=_with([one for one in names.messages(updated) if one.type == "Message"], updated),
        ),
        superseded=tuple((_key(names, new), _key(names, old)) for new, old in after["supersedes"]),
        forgotten=together.forgotten,
    )


def _with(things: Iterable[Thing], changes: Mapping[str, tuple[Changed, ...]]) -> tuple[Thing, ...]:
    return tuple(replace(thing, changes=changes[thing.id]) for thing in things if changes[thing.id])
