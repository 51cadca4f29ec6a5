"""Forgetting for good what was said: the lines, and all that was drawn from them alone.

What stays is as if they had not been said, as far as that can be told: a note that has other sources stays without these, without
the words it took from them, and a fact that theirs had superseded holds again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from soulmem.embed.cache import Side, cache_id
from soulmem.embed.fields import field_texts, note_fields
from soulmem.errors import InputError, NotFoundError
from soulmem.indexing import SEARCHED, message_passage, updated_note
from soulmem.model.changes import Change, NoteUpdate, Operation
from soulmem.model.messages import Message
from soulmem.model.notes import Note, Procedure, Semantic, SpecificSituation, searched_text
from soulmem.store.contract import Store
from soulmem.store.erase import Erasure
from soulmem.store.journal import by_rows, unpacked
from soulmem.store.revisions import guesses_in, no_guess
from soulmem.store.rows import note_row
from soulmem.store.undo import MOST, undoings
from soulmem.text.tokens import term_counts
from soulmem.working.summary import Summary, sentences, summary_of, summary_value
from soulmem.working.talk import PREFIX, summary_meta, talk_meta

#: A text with fewer letters is looked for as a whole, not within others: it would be found in many by chance.
LEAST_LETTERS = 6

_LISTS = frozenset({"aliases", "tags"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReport:
    """What was forgotten for good: ``messages``, ``notes`` and ``links`` between notes that went; ``revised``: notes that stay
    without what they had from there; ``recalls``: of which the question is not known any more; ``summary_lines`` that went;
    ``entries`` of the journal that cannot be undone any more. ``operation``: the entry that tells of it. ``copies``: of the mind
    as it was before soulmem brought it to a newer version, in which it may still be."""

    operation: Operation
    messages: int
    notes: int
    links: int
    revised: int
    recalls: int
    summary_lines: int
    entries: int
    copies: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPlan:
    """What goes, and the change that is written with it. Counts are those of :class:`ForgetReport`."""

    erasure: Erasure
    change: Change
    counts: Mapping[str, int]


@dataclass(frozen=True)
class _Ground:
    """What a plan is made from, read once."""

    store: Store
    said: tuple[Message, ...]
    entries: tuple[Mapping[str, Any], ...]
    undone: frozenset[int]

    @cached_property
    def ids(self) -> frozenset[str]:
        return frozenset(message.id for message in self.said)

    @cached_property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """Note → the messages it was drawn from, of notes that were drawn from one that goes."""
        found: dict[str, list[str]] = {}
        for row in self.store.query("store.all_sources"):
            found.setdefault(row["note"], []).append(row["message"])
        return {note: tuple(messages) for note, messages in found.items() if self.ids & set(messages)}

    @cached_property
    def added(self) -> frozenset[tuple[str, str]]:
        """(note, message): sources that a note got when it was there already."""
        return frozenset((note, message) for entry in self.entries for note, message in entry["after"].get("sources", ()))

    @cached_property
    def drawn(self) -> frozenset[str]:
        """Notes that were drawn from what goes, and from nothing else. A note that was there before has other origins."""
        return frozenset(
            note
            for note, messages in self.sources.items()
            if set(messages) <= self.ids and any((note, message) not in self.added for message in messages)
        )

    @cached_property
    def kept_texts(self) -> str:
        """All that others said, and that went before."""
        rows = self.store.query("store.all_messages")
        return "\n".join(row["text"] for row in rows if row["id"] not in self.ids)


def forget_plan(store: Store, ids: Sequence[str], at: datetime) -> ForgetPlan:
    """The plan to forget the messages ``ids``. Raises :class:`InputError` for none, :class:`NotFoundError` for unknown ones."""
    if not ids:
        raise InputError("no message is named", advice="Name those to be forgotten.")
    said = store.messages(list(dict.fromkeys(ids)))
    missing = set(ids) - {message.id for message in said}
    if missing:
        raise NotFoundError(f"the mind has no message {min(missing)!r}", advice="Nothing was forgotten.")
    ground = _Ground(store, tuple(said), tuple(_entries(store)), frozenset(undoings(store).undone))
    return _planned(ground, at)


def _entries(store: Store) -> Iterator[Mapping[str, Any]]:
    for row in reversed(store.query("store.operations", limit=MOST)):
        yield {**row, "before": unpacked(row["before"]), "after": json.loads(row["after"])}


def _planned(ground: _Ground, at: datetime) -> ForgetPlan:
    store = ground.store
    partly = store.notes(sorted(ground.sources.keys() - ground.drawn))
    said = _said_only(ground, [message.text for message in ground.said])
    revised: dict[str, dict[str, Any]] = {}
    gone_ids = set(ground.drawn)
    for note in partly:
        values = _revised(ground, note, said)
        if values is None:
            gone_ids.add(note.id)
        elif values:
            revised[note.id] = values
    gone = store.notes(sorted(gone_ids))
    theirs = [text for note in gone for text in _texts_of(note)]
    theirs += [text for note in partly for entry in _given(ground, note) for text in _texts_given(entry, note)]
    theirs += [text for note in partly for text in _guessed(ground, note)]
    texts = said.merged(_said_only(ground, theirs))
    links = [link.id for link in store.links() if {link.source, link.target} & gone_ids]
    pending = [one.id for one in store.pending() if {one.source_key, one.target_key} & {note.key for note in gone}]
    recalls = store.query("store.all_recalls")
    orphaned, asked = _recalls(recalls, gone_ids, texts)
    meta, summary_lines = _meta(ground)
    restored = tuple(_restored(ground, gone_ids))
    counts = {
        "messages": len(ground.said),
        "notes": len(gone),
        "links": len(links),
        "revised": len(revised),
        "recalls": len(orphaned | asked),
        "summary_lines": summary_lines,
    }
    erasure = Erasure(
        notes=frozenset(gone_ids),
        messages=ground.ids,
        recalls=frozenset(orphaned),
        pending=frozenset(pending),
        links=frozenset(links),
        embeddings=frozenset(_cached(ground, gone, [note for note in partly if note.id in revised])),
        former=frozenset(_former(ground)),
        keys=frozenset(note.key for note in gone),
        texts=texts.within,
        words=frozenset(word for text in (*texts.within, *texts.whole) for word in term_counts(text)),
        exact=frozenset(texts.whole),
        revised=revised,
        meta=meta,
    )
    change = Change(
        command="forget",
        what=_told(counts),
        at=at,
        updates=(*(NoteUpdate(note=note, values=values) for note, values in revised.items()), *restored),
        meta=meta,
    )
    return ForgetPlan(erasure=erasure, change=change, counts=counts)


_COUNTED = {
    "messages": ("message", "messages"),
    "notes": ("note", "notes"),
    "links": ("link", "links"),
    "revised": ("note revised", "notes revised"),
    "recalls": ("question", "questions"),
    "summary_lines": ("line of a summary", "lines of a summary"),
}


def _told(counts: Mapping[str, int]) -> str:
    """The counts in words; nothing else may tell of what is forgotten."""
    return ", ".join(f"{counts[name]} {words[counts[name] != 1]}" for name, words in _COUNTED.items() if counts[name])


# -- texts ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Texts:
    """Texts that go: ``within`` others they are found, the shorter ones only as a ``whole``."""

    within: tuple[str, ...]
    whole: tuple[str, ...] = ()

    def merged(self, other: _Texts) -> _Texts:
        return _Texts((*self.within, *other.within), (*self.whole, *other.whole))

    def in_text(self, text: str) -> bool:
        return text in self.whole or any(part in text for part in self.within)


def _said_only(ground: _Ground, texts: Iterable[str]) -> _Texts:
    """Of ``texts``, and their sentences, those that nobody has said who is not forgotten."""
    parts = dict.fromkeys(part for text in texts for part in (text, *sentences(text)) if part.strip())
    only = [part for part in parts if part not in ground.kept_texts]
    long = tuple(part for part in only if sum(map(str.isalnum, part)) >= LEAST_LETTERS)
    return _Texts(long, tuple(part for part in only if part not in long))


def _texts_of(note: Note) -> list[str]:
    """What a note says; its tags and the parts of patterns are words that many have."""
    match note.body:
        case Semantic(content=content, aliases=aliases, description=description):
            return [content, *aliases, description]
        case SpecificSituation(narrative=narrative):
            return [narrative]
        case Procedure(content=content):
            return [content]
    return []


def _cached(ground: _Ground, gone: Sequence[Note], revised: Sequence[Note]) -> Iterator[str]:
    """The cache ids of all texts that go."""
    record = ground.store.embedder()
    texts = [text for message in ground.said for text in (message.text, message_passage(message))]
    texts += [text for note in (*gone, *revised) for text in field_texts(note_fields(note))]
    if record is not None:
        yield from (cache_id(record.name, side, text) for text in texts for side in Side)


# -- notes that stay ------------------------------------------------------------------------------------------------------------


def _revised(ground: _Ground, note: Note, said: _Texts) -> dict[str, Any] | None:
    """New values of columns of a note that has other sources too; ``None``: it cannot be without what is forgotten."""
    values = _as_before(ground, note)
    if note.revision is not None:
        values |= no_guess(note.type)
    body = note.body
    if isinstance(body, SpecificSituation):
        narrative = _without_lines(body.narrative, ground.said)
        if not narrative:
            return None
        values |= {} if narrative == body.narrative else {"narrative": narrative}
    after = updated_note(note, values) if values else note
    is_own = any((note.id, message) not in ground.added for message in ground.sources[note.id])
    if is_own and said.in_text(searched_text(after)):
        return None
    return values


def _guessed(ground: _Ground, note: Note) -> Iterator[str]:
    """All that was ever guessed of a note: of which of its words a guess was made nobody knows."""
    yield from guesses_in(note_row(note, 0))
    for entry in ground.entries:
        for values in _changed(entry, note):
            yield from guesses_in(values)


def _without_lines(narrative: str, said: Sequence[Message]) -> str:
    """A narrative of lines as they were said, without those that go."""
    left = f"\n{narrative}\n"
    for message in said:
        left = left.replace(f"\n{message_passage(message)}\n", "\n")
    return left.strip("\n")


def _as_before(ground: _Ground, note: Note) -> dict[str, Any]:
    """The columns that were changed for what is forgotten alone, as they were before, where they are still as they were left."""
    values: dict[str, Any] = {}
    for entry in _given(ground, note):
        if entry["number"] in ground.undone:
            continue
        changed, former = _changed(entry, note)
        for column in sorted(changed.keys() & SEARCHED & former.keys()):
            values |= _reverted(column, values.get(column, _present(note, column)), former[column], changed[column])
    return values


def _given(ground: _Ground, note: Note) -> Iterator[Mapping[str, Any]]:
    """The entries of the journal that drew on what is forgotten alone for ``note``, the latest first."""
    for entry in reversed(ground.entries):
        messages = {message for one, message in entry["after"].get("sources", ()) if one == note.id}
        if messages and messages <= ground.ids:
            yield entry


def _changed(entry: Mapping[str, Any], note: Note) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The columns of ``note`` after ``entry``, and before."""
    return entry["after"].get("updated", {}).get(note.id, {}), entry["before"].get("updated", {}).get(note.id, {})


def _texts_given(entry: Mapping[str, Any], note: Note) -> Iterator[str]:
    """The texts that ``entry`` gave ``note``."""
    changed, former = _changed(entry, note)
    for column in sorted(changed.keys() & SEARCHED - {"tags", "narrative"}):
        there = {former.get(column)} if isinstance(former.get(column), str) else set(former.get(column) or ())
        texts = [changed[column]] if isinstance(changed[column], str) else changed[column] or ()
        yield from (text for text in texts if text not in there)


def _present(note: Note, column: str) -> Any:
    value = getattr(note if column == "tags" else note.body, column, None)
    return list(value) if column in _LISTS and value is not None else value


def _reverted(column: str, present: Any, before: Any, after: Any) -> dict[str, Any]:
    if column in _LISTS and isinstance(present, list):
        added = set(after or ()) - set(before or ())
        left = [one for one in present if one not in added]
        return {} if left == present else {column: left}
    return {column: before} if present == after != before else {}


def _restored(ground: _Ground, gone: set[str]) -> Iterator[NoteUpdate]:
    """Facts that what goes had superseded hold again, unless another supersedes them too."""
    rows = ground.store.query("store.all_supersedes")
    ended = {row["old"] for row in rows if row["new"] not in gone} | gone
    for row in rows:
        if row["new"] in gone and row["old"] not in ended:
            ended.add(row["old"])
            yield NoteUpdate(note=row["old"], values={"valid_until": _end_before(ground, row["new"], row["old"])})


def _end_before(ground: _Ground, new: str, old: str) -> datetime | None:
    """Until when ``old`` held before ``new`` superseded it; ``None``: no end was known."""
    for entry in ground.entries:
        if [new, old] in entry["after"].get("supersedes", ()) and entry["number"] not in ground.undone:
            end = entry["before"].get("updated", {}).get(old, {}).get("valid_until")
            return datetime.fromisoformat(end) if end else None
    return None


# -- the rest -------------------------------------------------------------------------------------------------------------------


def _former(ground: _Ground) -> Iterator[str]:
    """Notes that are gone already, were drawn from what is forgotten, and stand in the journal still."""
    for entry in ground.entries:
        for columns in entry["before"].get("removed", {}).get("notes", {}).values():
            yield from (row["id"] for row in by_rows(columns) if row["sources"] and set(row["sources"]) <= ground.ids)


def _recalls(rows: Sequence[Mapping[str, Any]], gone: set[str], texts: _Texts) -> tuple[set[str], set[str]]:
    """Recalls that only used what goes, and recalls whose question tells of it."""
    used: dict[str, set[str]] = {}
    for row in rows:
        used.setdefault(row["id"], set()).update([row["note"]] if row["note"] else [])
    asked = {row["id"] for row in rows if texts.in_text(row["query"])}
    return {recall for recall, notes in used.items() if notes and notes <= gone}, asked


def _meta(ground: _Ground) -> tuple[dict[str, Any], int]:
    """The windows and summaries of the talks without what is forgotten, and how many summary lines went."""
    meta: dict[str, Any] = {}
    lines = 0
    for name in sorted({message.file.removeprefix(PREFIX) for message in ground.said if message.file.startswith(PREFIX)}):
        said = [message for message in ground.said if message.file == f"{PREFIX}{name}"]
        talk = ground.store.meta(talk_meta(name))
        if talk is None:
            continue
        meta[talk_meta(name)] = _talk_without(talk, said)
        summary = summary_of(ground.store.meta(summary_meta(name)))
        left = _summary_without(summary, said, talk["summarised"])
        if left != summary:
            meta[summary_meta(name)] = summary_value(left)
            lines += len(summary.lines) - len(left.lines)
    return meta, lines


def _talk_without(talk: Mapping[str, Any], said: Sequence[Message]) -> dict[str, Any]:
    gone = {message.index for message in said}
    spoken = sum(not message.hidden for message in said)
    held = {name: [index for index in talk[name] if index not in gone] for name in ("held", "tagged")}
    return {**talk, **held, "said": max(talk["said"] - spoken, len(held["held"]))}


def _summary_without(summary: Summary, said: Sequence[Message], summarised: int) -> Summary:
    """What a model wrote goes if it was told of any of it: which of its words are from where, nobody knows."""
    gone = {message.index for message in said}
    is_told = any(index < summarised for index in gone)
    return replace(
        summary, lines=tuple(line for line in summary.lines if line.index not in gone and (line.index is not None or not is_told))
    )
