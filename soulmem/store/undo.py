"""Taking back what an operation of the journal wrote: whether that can be, and the change that does it (SPEC §10).

Undoing is itself a change with its own entry, so that redoing is undoing that. Nothing later is lost by it: what a later
operation, that still counts, has changed or builds upon is not taken away from under it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, Protocol

from soulmem.errors import NotFoundError, UndoError
from soulmem.model.changes import Change, LinkUpdate, NoteUpdate, PendingLink, RecallRecord, Removal, Superseding, Use
from soulmem.model.links import Link, LinkType
from soulmem.model.messages import Chat, Message
from soulmem.model.notes import Note, NoteType
from soulmem.store.composed import composed
from soulmem.store.journal import FORGOTTEN, FORMAT, by_rows, timed, unpacked
from soulmem.store.recorded import changed_parts, is_shared, taken_back
from soulmem.store.rows import Row, chat_of, link_of, message_of, note_of, pending_of

#: So many later entries are looked at at once.
_PAGE = 100
#: No journal has more entries.
MOST = 2**62

#: The commands of entries that take back another.
UNDO, REDO = "undo", "redo"

#: What is of a kind that nothing in a journal could take back.
_FOR_GOOD = {
    "init": "it made the mind",
    "forget": "what it forgot is gone for good",
    "reembed": "it wrote the mind anew; change the embedder back with soulmem reembed",
    "cypher": "it was a statement of your own, of which is not known what it touched",
}

#: A thing that an entry touched: its kind and id. What of it: columns; ``*`` is all of it, its being there too.
Touched = dict[tuple[str, str], set[str]]


class Journal(Protocol):
    """Reads a mind's journal."""

    def query(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class Undoings:
    """Which operations took back which. ``undone``: operation → the one that took it back, of those that are undone now;
    ``target``: operation → the one it took back."""

    target: Mapping[int, int]
    undone: Mapping[int, int]

    def depth(self, number: int) -> int:
        """0: an ordinary operation; odd: an undoing; even: a redoing."""
        depth = 0
        while number in self.target:
            number, depth = self.target[number], depth + 1
        return depth

    def root(self, number: int) -> int:
        """The ordinary operation that ``number`` takes back, or does again; itself if it is one."""
        while number in self.target:
            number = self.target[number]
        return number


def undoings(store: Journal) -> Undoings:
    """What was taken back in the mind of ``store``."""
    target = {row["number"]: row["undoes"] for row in store.query("store.undoings")}
    undone: dict[int, int] = {}
    for number in sorted(target, reverse=True):  # one that is undone itself takes nothing back
        if number not in undone:
            undone[target[number]] = number
    return Undoings(target, undone)


def last_to_undo(store: Journal, at: datetime) -> int:
    """The last operation that is not undone and no bookkeeping; where there is only bookkeeping, the last of that.

    Raises :class:`UndoError` when there is none; and where it is never undone: whoever means that one does not mean the one
    before it, which is only named.
    """
    last = _last_done(store)
    why = _FOR_GOOD.get(_entry(store, last)["command"])
    if why is None:
        return last
    before = _last_before(store, last, at)
    advice = (
        "Nothing before it can be undone." if before is None else f"The last before it that can be undone: soulmem undo {before}"
    )
    raise UndoError(f"{_impossible(last, UNDO, undoings(store))}: {why}", advice=advice)


def _last_before(store: Journal, number: int, at: datetime) -> int | None:
    """The last operation before ``number``, bookkeeping aside, that can be undone now; ``None`` when there is none among the
    last :data:`_PAGE` of them."""
    earlier = (one for one in _open(store, lambda depth: depth == 0) if one < number)
    for one in islice(earlier, _PAGE):
        if not _is_bookkeeping(_entry(store, one)):
            with suppress(UndoError):
                undo_change(store, one, at, UNDO, books_after(store, one))
                return one
    return None


def _last_done(store: Journal) -> int:
    last: int | None = None
    for number in _open(store, lambda depth: depth == 0):
        last = number if last is None else last
        entry = _entry(store, number)
        if not _is_bookkeeping(entry) or _REFUSED.search(entry["what"]):
            return number
    if last is None:
        raise UndoError("there is nothing to undo", advice="What was written: soulmem log")
    return last


def last_to_redo(store: Journal) -> int:
    """The last undoing that is not undone. Raises :class:`UndoError` when there is none."""
    for number in _open(store, lambda depth: depth % 2 == 1):
        return number
    raise UndoError("there is nothing to redo", advice="What was written: soulmem log")


def _open(store: Journal, is_wanted: Callable[[int], bool]) -> Iterator[int]:
    """Operations of a depth that is wanted and that are not undone, the last first."""
    known = undoings(store)
    seen: set[int] = set()
    for limit in (_PAGE, MOST):
        for row in store.query("store.operation_heads", limit=limit):
            number = int(row["number"])
            if number not in seen and number not in known.undone and is_wanted(known.depth(number)):
                yield number
            seen.add(number)


# -- bookkeeping ----------------------------------------------------------------------------------------------------------------

#: What an entry may have written that is only bookkeeping: recorded values, and vectors of texts that were there.
_BOOKS = frozenset({"meta", "vectors", "named"})
#: Recorded values that say where a talk, or consolidation, stands.
_STATES = ("working", "consolidation")
#: What is told of them.
_STANDS = {"working": "where the talk stands", "consolidation": "where consolidation stands"}


#: What a consolidation says of which somebody wanted no entry: that was a decision, though it wrote only where it stands.
_REFUSED = re.compile(r"\b0 of [1-9]\d* entr")
#: What moves where consolidation stands, past lines that go when they are taken back.
_READS = "consolidate"
#: The command of what a mind does by itself when it is idle (:mod:`soulmem.forget.sweep`).
_BY_ITSELF = "idle"


def _is_bookkeeping(entry: Mapping[str, Any]) -> bool:
    """Whether the entry wrote nothing but where a talk or consolidation stands, vectors, and what fell asleep when nobody talked:
    nobody asked for it by itself."""
    if entry["command"] == _BY_ITSELF:
        return True
    after = json.loads(entry["after"])
    states = all(name.startswith(_STATES) for name in after.get("meta", ()))
    return bool(after) and after.keys() <= _BOOKS and ("named" not in after or "vectors" in after) and states


def books_after(store: Journal, number: int) -> list[int]:
    """The bookkeeping after operation ``number`` that must be taken back before it, the latest first."""
    known = undoings(store)
    reach = touched(*_parts(_entry(store, number)))
    found: list[int] = []
    for later in _later(store, number, known):
        theirs = touched(*_parts(later))
        if known.depth(later["number"]) != 0 or not _is_bookkeeping(later):
            continue
        read = later["command"] == _READS and any(kind == "message" and "*" in parts for (kind, _), parts in reach.items())
        if read or _common(reach, theirs) is not None:
            found.append(later["number"])
            for thing, parts in theirs.items():
                reach.setdefault(thing, set()).update(parts)
    return found[::-1]


def books_to_redo(store: Journal, number: int) -> int | None:
    """The undoing of bookkeeping that was taken back for operation ``number``, which is done again now; ``None``: no more."""
    known = undoings(store)
    for undoing in _open(store, lambda depth: depth % 2 == 1):
        root = known.root(undoing)
        return undoing if root > number and _is_bookkeeping(_entry(store, root)) else None
    return None


def _entry(store: Journal, number: int) -> Mapping[str, Any]:
    found = store.query("store.operation", number=number)
    if not found:
        raise NotFoundError(f"the journal has no operation {number}", advice="What was written: soulmem log")
    return found[0]


def undo_change(store: Journal, number: int, at: datetime, command: str, besides: Collection[int] = ()) -> Change:
    """The change that takes operation ``number`` back. Words and vectors of the texts it brings back are not in it. ``besides``:
    later operations that are taken back before it is written.

    Raises :class:`NotFoundError` for an operation that is not there, :class:`UndoError` for one that cannot be taken back.
    """
    entry = _entry(store, number)
    known = undoings(store)
    before, after = _parts(entry)
    what = _impossible(number, command, known)
    _check_possible(what, entry, before, known)
    _check_untouched(what, store, entry, touched(before, after), known, besides)
    depth = known.depth(number)
    told = entry if depth == 0 or (command == UNDO and depth % 2 == 1) else _entry(store, known.root(number))
    return _beside_later(_inverse(before, after, entry, at, command, _name(told)), store, before, after)


def _beside_later(change: Change, store: Journal, before: Mapping[str, Any], after: Mapping[str, Any]) -> Change:
    """``change``, which takes an entry back, without what later ones wrote into the recorded values that it writes."""
    meta, gone = dict(change.meta), set(change.removed.meta)
    for row in before.get("meta", ()):
        name, old, new = row["name"], row.get("value"), after.get("meta", {}).get(row["name"])
        rows = store.query("store.meta", name=name)
        now = json.loads(rows[0]["value"]) if rows else None
        if now == new or not is_shared(name, now, old, new):
            continue
        left = taken_back(name, now, old, new)
        meta.pop(name, None)
        gone.discard(name)
        if left is not None:
            meta[name] = left
        elif now is not None:
            gone.add(name)
    return replace(change, meta=meta, removed=replace(change.removed, meta=tuple(sorted(gone))))


def recorded_since(store: Journal, number: int) -> frozenset[str]:
    """The names of the recorded values that were changed after operation ``number``, by what still counts."""
    later = _later(store, number, undoings(store))
    return frozenset(one for entry in later for kind, one in touched(*_parts(entry)) if kind == "meta")


def _parts(entry: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    return unpacked(entry["before"]), json.loads(entry["after"])


def _refusal(what: str, why: str, advice: str = "Nothing was changed.") -> UndoError:
    return UndoError(f"{what}: {why}", advice=advice)


def _impossible(number: int, command: str, known: Undoings) -> str:
    """What cannot be, in words: to undo operation ``number``, or to do again what it took back."""
    return f"operation {known.root(number)} cannot be done again" if command == REDO else f"operation {number} cannot be undone"


def _check_possible(what: str, entry: Mapping[str, Any], before: Mapping[str, Any], known: Undoings) -> None:
    number = entry["number"]
    if number in known.undone:
        raise _refusal(what, f"operation {known.undone[number]} has undone it already", "Do it again with: soulmem redo")
    if entry["command"] in _FOR_GOOD:
        raise _refusal(what, _FOR_GOOD[entry["command"]])
    if before == FORGOTTEN:
        raise _refusal(what, "some of what it wrote was forgotten for good since")
    if before.get("format") != FORMAT:
        raise _refusal(what, "it was written by a version of soulmem that did not keep what was there before")


def _name(entry: Mapping[str, Any]) -> str:
    """The entry as it is called in texts; what took back another names that, so that is told once."""
    what = entry["command"] if entry["command"] in (UNDO, REDO) else f"{entry['command']}: {entry['what']}"
    return f"operation {entry['number']} ({what})"


def _check_untouched(
    what: str, store: Journal, entry: Mapping[str, Any], mine: Touched, known: Undoings, besides: Collection[int]
) -> None:
    links = _links_between(store, entry, mine)
    for later in _later(store, entry["number"], known):
        if later["number"] in besides:
            continue
        name = _name(later)
        advice = f"Undo operation {later['number']} first."
        if later["command"] == "reembed":
            continue
        if later["command"] == "cypher":
            raise _refusal(what, f"{name} was a statement of your own, of which is not known what it touched")
        final = {} if later["command"] in _FOR_GOOD else {"advice": advice}
        theirs = touched(*_parts(later))
        thing = _common(mine, theirs)
        if thing is not None:
            raise _refusal(what, f"{name} touched {_told(store, *thing)} after it", **final)
        ends = next((pair for pair in links if {*pair} <= _named_by(theirs)), None) if links else None
        if ends is not None:
            told = " and ".join(_told(store, "note", end) for end in ends)
            raise _refusal(what, f"{name} links {told}, which it linked, after it", **final)


def _later(store: Journal, number: int, known: Undoings) -> Iterator[dict[str, Any]]:
    """The later entries that count: none that is undone, nor what undid it."""
    last = store.query("store.last_operation")[0]["number"]
    for first in range(number + 1, last + 1, _PAGE):
        for row in store.query("store.operations_between", first=first, last=min(first + _PAGE - 1, last)):
            if row["number"] not in known.undone and not known.target.get(row["number"], 0) > number:
                yield row


#: That something new refers to what was there; and that something new is a source of it.
_NAMED, _SOURCE = "named", "source "


def _common(mine: Touched, theirs: Touched) -> tuple[str, str] | None:
    return next((thing for thing in sorted(mine.keys() & theirs.keys()) if _collide(mine[thing], theirs[thing])), None)


def _collide(mine: set[str], theirs: set[str]) -> bool:
    """Whether one of two operations cannot be without the other, by what they touched of a thing. What only gave it links and
    sources of its own can."""
    both, parts = mine & theirs, mine | theirs
    if both == {_NAMED}:
        return not all(part == _NAMED or part.startswith(_SOURCE) for part in parts)
    return "*" in parts or bool(both)


def _named_by(touched_: Touched) -> set[str]:
    return {one for (kind, one), parts in touched_.items() if kind == "note" and _NAMED in parts}


def _links_between(store: Journal, entry: Mapping[str, Any], mine: Touched) -> list[tuple[str, str]]:
    """The ends of the links that the entry made between notes that were there: a later operation that names both may have found
    the link, and made none of its own."""
    links, there = json.loads(entry["after"]).get("links", ()), sorted(_named_by(mine))
    if not links or len(there) < 2:
        return []
    rows = store.query("store.links_of", ids=list(links), sources=there)
    return [(row["source"], row["target"]) for row in rows if row["target"] in there]


def _told(store: Journal, kind: str, one: str) -> str:
    """A thing that was touched, as a person can find it: a note by its key, a line by its place, a chat by its file."""
    if kind == "meta":
        return _STANDS.get(one, f"the recorded value {one}")
    notes = store.query("store.types", ids=[one]) if kind in ("note", "message") else []
    if notes:
        return f"the note {notes[0]['key']}"
    lines = store.query("store.messages", ids=[one]) if kind in ("note", "message") else []
    if lines:
        return f"the message {lines[0]['file']}:{lines[0]['line']}"
    chats = store.query("store.chats_by_ids", ids=[one]) if kind == "chat" else []
    return f"the chat {chats[0]['file']}" if chats else f"the {kind} {one}"


def touched(before: Mapping[str, Any], after: Mapping[str, Any]) -> Touched:
    """All that an entry of the journal touched."""
    found: Touched = {}
    for kind, one, part in _touches(before, after):
        found.setdefault((kind, one), set()).add(part)
    return found


_WHOLE = {
    "notes": "note",
    "messages": "message",
    "links": "link",
    "pending": "waiting link",
    "chats": "chat",
    "recalls": "recall",
}


def _touches(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    removed = after.get("removed", {})
    for part, kind in _WHOLE.items():
        yield from ((kind, one, "*") for one in (*after.get(part, ()), *removed.get(part, ())))
    yield from (("waiting link", one, "*") for one in after.get("connected", ()))
    yield from (("link", one, "*") for one in after.get("links_removed", ()))
    yield from _touches_recorded(before, after)
    for kind, part in (("note", "updated"), ("link", "link_updates")):
        yield from ((kind, one, column) for one, values in after.get(part, {}).items() for column in values)
    for one, other in (*after.get("sources", ()), *removed.get("sources", ())):
        yield ("note", one, f"source {other}")
        yield ("message", other, f"source of {one}")
    for new, old in (*after.get("supersedes", ()), *removed.get("supersedes", ())):
        yield ("note", new, f"supersedes {old}")
        yield ("note", old, f"superseded by {new}")
    anew = {*after.get("words", ()), *after.get("vectors", ())}
    for one in after.get("named", ()):
        for part in (_NAMED, "indexed") if one in anew else (_NAMED,):
            yield ("note", one, part)
            yield ("message", one, part)


def _touches_recorded(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    old = {row["name"]: row.get("value") for row in before.get("meta", ())}
    new = after.get("meta", {})
    for name in (*new, *after.get("removed", {}).get("meta", ())):
        if is_shared(name, old.get(name), new.get(name)):
            changed = changed_parts(name, old.get(name), new.get(name))
            yield from (("meta", name, " ".join(filter(None, part))) for part in changed)
        else:
            yield ("meta", name, "*")


def entries_between(store: Journal, first: int, last: int) -> Iterator[dict[str, Any]]:
    """The entries with these numbers, in order, what was there before and after unpacked."""
    for start in range(first, last + 1, _PAGE):
        for row in store.query("store.operations_between", first=start, last=min(start + _PAGE - 1, last)):
            before, after = _parts(row)
            yield {**row, "before": before, "after": after}


def past_change(store: Journal, number: int, at: datetime) -> tuple[Change, tuple[int, ...]]:
    """The change that takes back all that was written after operation ``number``, and which of these operations are known only
    in part, because something of them was forgotten for good. Raises :class:`UndoError` where that cannot be."""
    last = last_number(store)
    together = composed(entries_between(store, number + 1, last))
    entry = {"number": number + 1}
    return _inverse(together.before, together.after, entry, at, UNDO, "all that came later"), together.forgotten


def last_number(store: Journal) -> int:
    """The number of the last entry; 0 in an empty journal."""
    return int(store.query("store.last_operation")[0]["number"] or 0)


# -- the change that takes it back ----------------------------------------------------------------------------------------------


def _inverse(
    before: Mapping[str, Any], after: Mapping[str, Any], entry: Mapping[str, Any], at: datetime, command: str, what: str
) -> Change:
    gone = before.get("removed", {})
    cut = _links(gone)
    return Change(
        command=command,
        what=what,
        at=at,
        notes=tuple(_notes(gone)),
        messages=tuple(_messages(gone)),
        chats=tuple(_chats([*before.get("chats", ()), *gone.get("chats", ())])),
        links=tuple(cut),
        pending=tuple(_pending([*before.get("pending", ()), *gone.get("pending", ())])),
        recalls=tuple(_recalls(gone.get("recalls", ()))),
        uses_added=tuple(
            (recall, Use(note=note, stage=stage, score=score)) for recall, note, stage, score in gone.get("uses", ())
        ),
        updates=tuple(NoteUpdate(note=note, values=timed(values)) for note, values in before.get("updated", {}).items()),
        link_updates=tuple(
            LinkUpdate(link=link, values=timed(values)) for link, values in before.get("link_updates", {}).items()
        ),
        links_removed=tuple(after.get("links", ())),
        sources_added=tuple((note, message) for note, message in gone.get("sources", ())),
        supersedes=tuple(Superseding(**timed(row)) for row in gone.get("supersedes", ())),
        meta={row["name"]: row["value"] for row in before.get("meta", ()) if "value" in row},
        removed=_removal(before, after),
        terms={one: before.get("terms", {}).get(one, {}) for one in after.get("words", ())},
        names={one: tuple(before.get("names", {}).get(one, ())) for one in _renamed(before, after)},
        undoes=entry["number"],
    )


def _renamed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[str]:
    """Notes that had names before. Those that had none are of no type that has any, or have an empty content."""
    return [one for one in after.get("words", ()) if one in before.get("names", {})]


def _removal(before: Mapping[str, Any], after: Mapping[str, Any]) -> Removal:
    there = {chat["id"] for chat in before.get("chats", ())}
    return Removal(
        notes=tuple(after.get("notes", ())),
        messages=tuple(after.get("messages", ())),
        pending=tuple(after.get("pending", ())),
        chats=tuple(chat for chat in after.get("chats", ()) if chat not in there),
        recalls=tuple(after.get("recalls", ())),
        sources=tuple((note, message) for note, message in after.get("sources", ())),
        supersedes=tuple((new, old) for new, old in after.get("supersedes", ())),
        meta=tuple(row["name"] for row in before.get("meta", ()) if "value" not in row),
    )


def _notes(gone: Mapping[str, Any]) -> Iterator[Note]:
    for kind, columns in gone.get("notes", {}).items():
        for row in map(timed, by_rows(columns)):
            yield note_of(NoteType(kind), row, row["sources"])


def _messages(gone: Mapping[str, Any]) -> Iterator[Message]:
    return (message_of(timed(row)) for row in by_rows(gone.get("messages", {})))


def _links(gone: Mapping[str, Any]) -> Iterator[Link]:
    for kind, columns in gone.get("links", {}).items():
        yield from (link_of(LinkType(kind), timed(row)) for row in by_rows(columns))


def _chats(rows: Sequence[Row]) -> Iterator[Chat]:
    return (chat_of(timed(row)) for row in rows)


def _pending(rows: Sequence[Row]) -> Iterator[PendingLink]:
    return (pending_of(timed(row)) for row in rows)


def _recalls(rows: Sequence[Row]) -> Iterator[RecallRecord]:
    for row in map(timed, rows):
        uses = tuple(Use(note=note, stage=stage, score=score) for note, stage, score in row["uses"])
        yield RecallRecord(id=row["id"], at=row["at"], query=row["query"], uses=uses)
