"""Forgetting for good: notes, lines, and all that was drawn from these lines alone.

What stays is as if they had not been there, as far as that can be told: a note that has other sources stays without these and
without the words it took from them, and a fact that theirs had superseded holds again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from soulmem.embed.cache import Side, cache_id
from soulmem.embed.fields import field_texts, note_fields
from soulmem.forget.request import Chosen, note_text
from soulmem.indexing import SEARCHED, message_passage, updated_note
from soulmem.ingest.cards.macros import resolved
from soulmem.model.changes import Change, NoteUpdate, Operation, PendingLink
from soulmem.model.links import Link, Sem
from soulmem.model.messages import Message
from soulmem.model.notes import SELF_KEY, Note, NoteType, Procedure, Semantic, SpecificSituation, display_text, searched_text
from soulmem.store.contract import Store, all_notes
from soulmem.store.erase import Erased, Erasure
from soulmem.store.journal import by_rows, unpacked
from soulmem.store.revisions import guesses_in, no_guess
from soulmem.store.rows import note_row
from soulmem.store.undo import MOST, undoings
from soulmem.text.excising import without_sentences
from soulmem.text.language import Language, language
from soulmem.text.mentions import Mentions, is_dense
from soulmem.text.names import normal_name
from soulmem.text.tokens import term_counts
from soulmem.views import SourceView
from soulmem.working.summary import Summary, sentences, summary_of, summary_value
from soulmem.working.talk import PREFIX, summary_meta, talk_meta

#: A text with fewer letters is looked for as a whole, not within others: it would be found in many by chance.
LEAST_LETTERS = 6

#: A text of so many words, or characters of a script without spaces, is a sentence and no name.
_SENTENCE_WORDS = 3
_SENTENCE_CHARACTERS = 6
_ENDS = ".!?。！？… "
_HEADING = re.compile(r"\s*[:：]\s*")

#: Where a card may have a macro.
_MACRO = re.compile(r"\{\{|<(?:BOT|CHAR|USER)>", re.IGNORECASE)

_LISTS = frozenset({"aliases", "tags"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReport:
    """What was forgotten for good, or would be (``operation`` is ``None``: a dry run, or there was nothing of the kind).

    Counts: ``messages``, ``notes`` and ``links`` that went (waiting ones too); ``revised``: notes that stay without what they had
    from there; ``restored``: facts that hold again; ``recalls``: of which the question is not known any more; ``summary_lines``
    that went; ``names`` and ``words`` that nothing else has; ``embeddings``: cached vectors of texts that are nowhere any more;
    ``entries`` of the journal that cannot be undone any more; ``values``: recorded values, file names, reasons.

    In particular: ``gone_notes``, ``gone_messages``, ``revised_notes``, ``restored_notes``. ``files``: from which the lines came
    that went: who reads them in again brings the lines back. ``copies``: of the mind as it was before soulmem brought it to a
    newer version, or that are being made, and ``backups``: in all of these it may still be.
    """

    operation: Operation | None
    messages: int
    notes: int
    links: int
    revised: int
    restored: int
    recalls: int
    summary_lines: int
    names: int
    words: int
    embeddings: int
    entries: int
    values: int
    gone_notes: tuple[GoneNote, ...] = ()
    gone_messages: tuple[SourceView, ...] = ()
    revised_notes: tuple[RevisedNote, ...] = ()
    restored_notes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    copies: tuple[Path, ...] = ()
    backups: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneNote:
    """A note that goes: what it says, and the places (``file:line``) it was drawn from."""

    key: str
    type: NoteType
    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisedNote:
    """A note that stays, without some of its sources, and perhaps of its text."""

    key: str
    type: NoteType
    before: str
    after: str
    sources: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPlan:
    """What goes, and the change that is written with it. ``counts`` and ``told`` are fields of :class:`ForgetReport`."""

    erasure: Erasure
    change: Change
    counts: Mapping[str, int]
    told: Mapping[str, Any]

    @property
    def is_nothing(self) -> bool:
        """Whether there is nothing of the kind, but perhaps in the journal and in recorded values."""
        return not any(number for name, number in self.counts.items() if name in _COUNTED)

    def report(
        self, erased: Erased, operation: Operation | None, copies: Iterable[Path] = (), backups: Iterable[Path] = ()
    ) -> ForgetReport:
        """The report of it."""
        fields: dict[str, Any] = {**self.counts, **self.told, **asdict(erased)}
        return ForgetReport(operation=operation, copies=tuple(copies), backups=tuple(backups), **fields)


@dataclass(frozen=True)
class _Ground:
    """What a plan is made from, read once."""

    store: Store
    chosen: Chosen
    entries: tuple[Mapping[str, Any], ...]
    undone: frozenset[int]

    @property
    def said(self) -> tuple[Message, ...]:
        """The messages that go."""
        return self.chosen.messages

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
        """Notes that go by themselves, or were drawn from what goes and from nothing else. A note that was there before has other
        origins."""
        return self.chosen.notes | frozenset(
            note
            for note, messages in self.sources.items()
            if set(messages) <= self.ids and any((note, message) not in self.added for message in messages)
        )

    @cached_property
    def recalls(self) -> Sequence[Mapping[str, Any]]:
        """All recalls, with one of the notes that each used in a row."""
        return self.store.query("store.all_recalls")

    @cached_property
    def notes(self) -> Mapping[str, Note]:
        """All notes of the mind."""
        return {note.id: note for note in all_notes(self.store)}

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        """All messages that stay."""
        ids = [row["id"] for row in self.store.query("store.all_messages")]
        return tuple(self.store.messages([message for message in ids if message not in self.ids]))

    @cached_property
    def speakers(self) -> frozenset[str]:
        """Who says what stays, by normal names."""
        return frozenset(normal_name(message.speaker) for message in self.messages if not message.hidden)

    def still_speaks(self, note: Note) -> bool:
        """Whether the note is somebody who said something else too: such a note is drawn from the first line alone."""
        return isinstance(note.body, Semantic) and note.body.category is None and normal_name(note.body.content) in self.speakers

    @cached_property
    def self_note(self) -> Note | None:
        """Who the character is."""
        return next((note for note in self.notes.values() if note.key == SELF_KEY), None)

    @cached_property
    def kept_texts(self) -> str:
        """All that others said, and that notes say which have nothing to do with what goes."""
        return self._kept_texts(frozenset())

    @cached_property
    def kept_elsewhere(self) -> str:
        """The same without who the character is: its description is made of what notes say."""
        return self._kept_texts(frozenset({self.self_note.id} if self.self_note else ()))

    def _kept_texts(self, left_out: frozenset[str]) -> str:
        touched = self.sources.keys() | self.drawn | self.chosen.mentioned | left_out
        own = (note_text(note) for note in self.notes.values() if note.id not in touched)
        return "\n".join((*(message.text for message in self.messages), *own))

    @cached_property
    def authored(self) -> _Texts:
        """What the notes say that are named themselves, sentence by sentence: it goes from the card they came from, and from who
        the character is, too."""
        named = [self.notes[note] for note in sorted(self.chosen.notes)]
        told = [part for note in named if note.key != SELF_KEY for text in _texts_of(note) for part in _said_of(text)]
        return _only(told, self.kept_elsewhere)

    def tells(self, text: str) -> bool:
        """Whether a sentence of who the character is tells what goes."""
        return self.chosen.mentions.are_in(text) or self.authored.in_text(text)


def forget_plan(store: Store, chosen: Chosen, at: datetime) -> ForgetPlan:
    """The plan to forget what is ``chosen``."""
    return _planned(_Ground(store, chosen, tuple(_entries(store)), frozenset(undoings(store).undone)), at)


def _entries(store: Store) -> Iterator[Mapping[str, Any]]:
    for row in reversed(store.query("store.operations", limit=MOST)):
        yield {**row, "before": unpacked(row["before"]), "after": json.loads(row["after"])}


@dataclass(frozen=True, slots=True)
class _Fate:
    """What becomes of the notes: ``gone`` goes; ``partly``: may stay without what goes; ``revised``: note → columns as they will
    be, of those that stay and change."""

    gone: tuple[Note, ...]
    partly: tuple[Note, ...]
    revised: Mapping[str, Mapping[str, Any]]

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(note.id for note in self.gone)

    @property
    def shortened(self) -> list[Note]:
        """The notes that stay and change, as they are."""
        return [note for note in self.partly if note.id in self.revised]


def _fate(ground: _Ground, said: _Texts) -> _Fate:
    chosen = ground.chosen
    speaking = {note for note in ground.drawn - chosen.notes if ground.still_speaks(ground.notes[note])}
    gone = set(ground.drawn) - speaking
    own = {ground.self_note.id} if ground.self_note is not None else set()
    partly = tuple(ground.notes[note] for note in sorted((ground.sources.keys() | chosen.mentioned | own) - gone))
    revised: dict[str, dict[str, Any]] = {}
    for note in partly:
        values = _revised(ground, note, said)
        if values is None:
            gone.add(note.id)
        elif values:
            revised[note.id] = values
    there = tuple(note for note in partly if note.id in ground.sources or note.id in revised or note.id in gone)
    return _Fate(tuple(ground.notes[note] for note in sorted(gone)), there, revised)


def _planned(ground: _Ground, at: datetime) -> ForgetPlan:
    said = _said_only(ground, [message.text for message in ground.said])
    fate = _fate(ground, said)
    theirs = [text for note in fate.gone for text in _texts_of(note)]
    theirs += [text for note in fate.partly for entry in _given(ground, note) for text in _texts_given(entry, note)]
    theirs += [text for note in fate.partly for text in _guessed(ground, note)]
    texts = said.merged(_said_only(ground, theirs)).merged(ground.authored)
    erasure, lines = _erasure(ground, fate, texts)
    restored = tuple(_restored(ground, set(fate.ids)))
    counts = {
        "messages": len(ground.said),
        "notes": len(fate.gone),
        "links": len(erasure.links) + len(erasure.pending),
        "revised": len(fate.revised),
        "restored": len(restored),
        "recalls": len(erasure.recalls | _asking(ground, texts, _naming(ground, fate))),
        "summary_lines": lines,
        "embeddings": len(erasure.embeddings),
    }
    change = Change(
        command="forget",
        what=_told(counts),
        at=at,
        updates=(*(NoteUpdate(note=note, values=values) for note, values in fate.revised.items()), *restored),
        meta=erasure.meta,
    )
    return ForgetPlan(erasure=erasure, change=change, counts=counts, told=_shown(ground, fate, restored))


def _erasure(ground: _Ground, fate: _Fate, texts: _Texts) -> tuple[Erasure, int]:
    """What goes, and how many lines of summaries do."""
    mentions = ground.chosen.mentions
    keys = {note.key for note in fate.gone}
    named = _naming(ground, fate)
    meta, lines = _meta(ground)
    erasure = Erasure(
        notes=fate.ids,
        messages=ground.ids,
        recalls=frozenset(ground.chosen.recalls | _orphaned(ground, fate.ids)),
        pending=frozenset(
            one.id
            for one in ground.store.pending()
            if _is_at(one, keys) or mentions.are_in(_waiting_text(one)) or named(_waiting_text(one))
        ),
        links=frozenset(link.id for link in ground.store.links() if _goes(link, fate.ids, mentions)),
        embeddings=frozenset(_cached(ground, fate)),
        former=frozenset(_former(ground)),
        hashes=frozenset(_hashes(ground)),
        keys=frozenset(keys),
        texts=texts.within,
        words=frozenset(word for text in (*texts.within, *texts.whole, *mentions.phrases) for word in term_counts(text)),
        exact=frozenset(texts.whole),
        mentions=mentions.are_in if mentions else None,
        named=named,
        readings=_readings(ground),
        revised=fate.revised,
        meta=meta,
    )
    return erasure, lines


def _naming(ground: _Ground, fate: _Fate) -> Callable[[str], bool]:
    """Whether a text names a note that goes: by its key, or, where it was named itself, by a name that nothing else has."""
    kept = {normal_name(name) for note in ground.notes.values() if note.id not in fate.ids for name in _names_of(note)}
    named = (note for note in fate.gone if note.id in ground.chosen.notes)
    names = Mentions(name for note in named for name in _names_of(note) if normal_name(name) not in kept)
    keys = re.compile("|".join(rf"(?<!\w){re.escape(key)}(?!\w)" for key in sorted(note.key for note in fate.gone)) or r"(?!)")
    return lambda text: names.are_in(text) or keys.search(text) is not None


def _names_of(note: Note) -> tuple[str, ...]:
    return (note.body.content, *note.body.aliases) if isinstance(note.body, Semantic) and note.body.category is None else ()


def _readings(ground: _Ground) -> Callable[[str], tuple[str, ...]]:
    """What a text of a card says: with the names of the character in place of macros."""
    kept = ground.store.meta("card")
    card = kept.get("card") if isinstance(kept, Mapping) else None
    data = card.get("data", card) if isinstance(card, Mapping) else None
    given = [data.get(name) for name in ("name", "nickname")] if isinstance(data, Mapping) else []
    own = ground.self_note.body if ground.self_note is not None else None
    names = dict.fromkeys([*(own.content for own in [own] if isinstance(own, Semantic)), *filter(_is_name, given)])
    return lambda text: (
        tuple(resolved(text, name, language(text) is Language.ZH) for name in names) if _MACRO.search(text) else ()
    )


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_at(link: PendingLink, keys: set[str]) -> bool:
    return bool({link.source_key, link.target_key} & keys)


def _waiting_text(link: PendingLink) -> str:
    return "\n".join((link.source_key, link.target_key, _verb(link)))


def _verb(link: Link | PendingLink) -> str:
    return link.payload.verb if isinstance(link.payload, Sem) else ""


def _goes(link: Link, gone: frozenset[str], mentions: Mentions) -> bool:
    return bool({link.source, link.target} & gone) or mentions.are_in(_verb(link))


def _shown(ground: _Ground, fate: _Fate, restored: Sequence[NoteUpdate]) -> dict[str, Any]:
    """What is told of it to whoever asked."""
    sources = sorted({message for note in fate.gone for message in note.sources})
    places = {one.id: f"{one.file}:{one.line}" for one in ground.store.messages(sources)}
    return {
        "gone_notes": tuple(
            GoneNote(
                key=note.key,
                type=note.type,
                text=display_text(note.body),
                sources=tuple(places[message] for message in note.sources if message in places),
            )
            for note in sorted(fate.gone, key=lambda note: note.key)
        ),
        "gone_messages": tuple(
            SourceView(file=said.file, line=said.line, speaker=said.speaker, time=said.sent_at, text=said.text)
            for said in ground.said
        ),
        "revised_notes": tuple(_shown_revised(ground, fate)),
        "restored_notes": tuple(ground.notes[update.note].key for update in restored),
        "files": tuple(sorted({said.file for said in ground.said if not said.file.startswith(PREFIX)})),
    }


def _shown_revised(ground: _Ground, fate: _Fate) -> Iterator[RevisedNote]:
    for note in sorted(fate.partly, key=lambda note: note.key):
        if note.id not in fate.ids:
            after = updated_note(note, fate.revised.get(note.id, {}))
            lost = len(set(note.sources) & ground.ids)
            texts = (display_text(one.body) for one in (note, after))
            yield RevisedNote(key=note.key, type=note.type, before=next(texts), after=next(texts), sources=lost)


_COUNTED = {
    "messages": ("message", "messages"),
    "notes": ("note", "notes"),
    "links": ("link", "links"),
    "revised": ("note revised", "notes revised"),
    "restored": ("fact restored", "facts restored"),
    "recalls": ("question", "questions"),
    "summary_lines": ("line of a summary", "lines of a summary"),
}


def _told(counts: Mapping[str, int]) -> str:
    """The counts in words; nothing else may tell of what is forgotten."""
    return (
        ", ".join(f"{counts[name]} {words[counts[name] != 1]}" for name, words in _COUNTED.items() if counts[name])
        or "texts elsewhere"
    )


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
    return _only((part for text in texts for part in (text, *sentences(text))), ground.kept_texts)


def _only(texts: Iterable[str], kept: str) -> _Texts:
    """Of ``texts`` those that are not in what is ``kept``."""
    only = [part for part in dict.fromkeys(texts) if part.strip() and part not in kept]
    long = tuple(part for part in only if sum(map(str.isalnum, part)) >= LEAST_LETTERS)
    return _Texts(long, tuple(part for part in only if part not in long))


def _said_of(text: str) -> Iterator[str]:
    """The sentences of a text, and what each says behind a heading (*Wren's personality: shy, kind*); names are none."""
    for sentence in (text, *sentences(text)):
        bare = sentence.strip().rstrip(_ENDS)
        if is_sentence(bare):
            yield bare
        _, _, tail = _HEADING.sub("\0", bare, count=1).partition("\0")
        if tail.strip():
            yield tail.strip()


def is_sentence(text: str) -> bool:
    """Whether a text is long enough to be more than a name: three words, or six characters of a script without spaces."""
    return len(text.split()) >= _SENTENCE_WORDS or sum(map(is_dense, text)) >= _SENTENCE_CHARACTERS


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


def _cached(ground: _Ground, fate: _Fate) -> Iterator[str]:
    """The cache ids of all texts that are nowhere any more, those of former texts of notes too."""
    there = [row["id"] for row in ground.store.query("store.embedding_ids")]
    texts = [text for message in ground.messages for text in (message.text, message_passage(message))]
    notes = (updated_note(note, fate.revised[note.id]) if note.id in fate.revised else note for note in ground.notes.values())
    texts += [text for note in notes if note.id not in fate.ids for text in field_texts(note_fields(note))]
    kept = {_hash_of(cache_id("", Side.PASSAGE, text)) for text in texts}
    yield from (one for one in there if _hash_of(one) not in kept)


def _hash_of(embedding: str) -> str:
    return embedding.rpartition("/")[2]


# -- notes that stay ------------------------------------------------------------------------------------------------------------


def _revised(ground: _Ground, note: Note, said: _Texts) -> dict[str, Any] | None:
    """New values of columns of a note that has other sources too; ``None``: it cannot be without what is forgotten."""
    values = _as_before(ground, note)
    if note.revision is not None and (note.id in ground.sources or _is_guess_told(ground, note)):
        values |= no_guess(note.type)
    body = note.body
    if isinstance(body, SpecificSituation):
        narrative = _without_lines(body.narrative, ground.said)
        if not narrative:
            return None
        values |= {} if narrative == body.narrative else {"narrative": narrative}
    after = updated_note(note, values) if values else note
    if note.key == SELF_KEY:  # never goes as a whole
        return values | _excised(after, lambda text: ground.tells(text) or said.in_text(text))
    if note.id in ground.chosen.mentioned:
        values |= _excised(after, ground.chosen.mentions.are_in)
        after = updated_note(note, values) if values else note
        if ground.chosen.mentions.are_in(note_text(after)):
            return None
    if note.id not in ground.sources:
        return values
    is_own = any((note.id, message) not in ground.added for message in ground.sources[note.id])
    if is_own and said.in_text(searched_text(after)):
        return None
    return values


def _is_guess_told(ground: _Ground, note: Note) -> bool:
    return any(ground.tells(text) for text in guesses_in(note_row(note, 0)))


def _excised(note: Note, is_told: Callable[[str], bool]) -> dict[str, Any]:
    """New values of the columns of a note without the tags, aliases and sentences of its description that tell what goes."""
    values: dict[str, Any] = {"tags": [tag for tag in note.tags if not is_told(tag)]}
    if isinstance(note.body, Semantic):
        values["aliases"] = [alias for alias in note.body.aliases if not is_told(alias)]
        values["description"] = without_sentences(note.body.description, is_told)
    changed = {column: value for column, value in values.items() if value != _present(note, column)}
    return changed | (no_guess(note.type) if changed and note.revision is not None else {})


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
    """Notes that are gone already, were drawn from what is forgotten, and stand in the journal still. One that was made again
    from something else is not gone."""
    for entry in ground.entries:
        for columns in entry["before"].get("removed", {}).get("notes", {}).values():
            drawn = (row["id"] for row in by_rows(columns) if row["sources"] and set(row["sources"]) <= ground.ids)
            yield from (note for note in drawn if note not in ground.notes)


def _orphaned(ground: _Ground, gone: frozenset[str]) -> set[str]:
    """Recalls that only used what goes."""
    used: dict[str, set[str]] = {}
    for row in ground.recalls:
        used.setdefault(row["id"], set()).update([row["note"]] if row["note"] else [])
    return {recall for recall, notes in used.items() if notes and notes <= gone}


def _asking(ground: _Ground, texts: _Texts, named: Callable[[str], bool]) -> set[str]:
    """Recalls whose question tells of what goes."""
    mentions = ground.chosen.mentions
    return {row["id"] for row in ground.recalls if any(is_in(row["query"]) for is_in in (texts.in_text, mentions.are_in, named))}


def _hashes(ground: _Ground) -> Iterator[str]:
    """The hashes of files whose lines go: who knows the other lines could try by them what the rest was. Former ones too."""
    chats = {message.chat for message in ground.said}
    rows = [row for row in ground.store.query("store.chats") if row["id"] in chats]
    rows += [row for entry in ground.entries for row in entry["before"].get("chats", ()) if row.get("id") in chats]
    yield from (row["sha256"] for row in rows if row.get("sha256"))


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
