"""A lorebook as notes: an entry is knowledge with its keys as names, and leads to the entries that its text mentions.

A long entry is one note with its first part, which leads to notes for the others. What is always in a prompt (a *constant* entry)
is a core note. Keys that are patterns are no names: they are checked, tried on the other entries, and kept beside the book.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

from soulmem.ingest.cards.examples import Side, dialogue, spoken
from soulmem.ingest.cards.macros import CHARACTER
from soulmem.ingest.cards.words import ZH, Words, key_of, readable
from soulmem.ingest.contract import KeyedLink, Problem
from soulmem.ingest.lorebooks.chunks import PART, parts
from soulmem.ingest.lorebooks.entry import Book, Entry
from soulmem.ingest.lorebooks.keys import Budget, Pattern, checked, is_pattern, literal_names
from soulmem.ingest.lorebooks.mentions import Names
from soulmem.model.links import Sem
from soulmem.model.notes import SELF_KEY, Category, ConceptType, Note, Semantic, derived_id
from soulmem.text.language import has_cjk
from soulmem.text.names import normal_name

#: A constant entry of more parts than this is always there with its first part only.
MOST_CORE_PARTS = 3
#: More notes of one book than this are not always there.
MOST_CORE = 20
#: One part leads to at most so many other entries that it mentions.
MOST_MENTIONS = 12
#: A name that more entries than this have says nothing of any of them.
MOST_OWNERS = 3
_MENTIONED = 0.8
_MOST_TITLE = 60
_MOST_SECONDARY = 12


@dataclass(slots=True)
class BookNotes:
    """The notes and links of a book, what was wrong, and which patterns call up which note (key of the note → keys), and
    which entry each note stands in (``places``). ``core`` counts its core notes."""

    notes: list[Note] = field(default_factory=list)
    links: list[KeyedLink] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    patterns: dict[str, list[str]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    core: int = 0

    @property
    def entries(self) -> int:
        """How many entries became notes."""
        return len({*self.places.values()} - {""})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """An entry and the notes it became."""

    entry: Entry
    notes: tuple[Note, ...]
    names: tuple[str, ...]
    patterns: tuple[Pattern, ...]


def book_notes(book: Book, *, character: str | None, words: Words, at: datetime, titled: str | None = None) -> BookNotes:
    """The notes of ``book``. ``character``: who ``{{char}}`` is; ``titled``: a name for a book without one."""
    made = BookNotes(problems=list(book.problems))
    budget = Budget()
    placed: dict[str, _Placed] = {}
    for entry in _told_apart(book.entries):
        one = _placed(entry, character, words, at, budget, made)
        if one.notes[0].key in placed:
            made.problems.append(Problem(None, f"{entry.place}: stands there twice; the second was skipped"))
            continue
        placed[one.notes[0].key] = one
        made.notes += one.notes
        made.places |= dict.fromkeys((note.key for note in one.notes), entry.place)
        made.links += _within(one, words, at)
        if one.patterns:
            made.patterns[one.notes[0].key] = [pattern.key for pattern in one.patterns]
    if placed:
        _add_root(book, list(placed.values()), titled, words, at, made)
        made.links += _mentions(list(placed.values()), words, at, budget, made)
    return made


def kept_book(book: Book, made: BookNotes) -> Mapping[str, Any]:
    """What of a book is kept beside its notes: all of it for export, and which patterns call up which note."""
    return {"name": book.name, "book": book.raw, "patterns": made.patterns}


# Entries.


def _told_apart(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries; names that several have, such as a program gives every new one, say nothing beside keys that do."""
    named = Counter(normal_name(entry.name) for entry in entries)
    called = Counter(normal_name(entry.comment) for entry in entries)
    for entry in entries:
        name = entry.name if named[normal_name(entry.name)] == 1 or not entry.keys else ""
        comment = entry.comment if called[normal_name(entry.comment)] == 1 or not entry.keys else ""
        yield replace(entry, name=name, comment=comment)


def _placed(entry: Entry, character: str | None, words: Words, at: datetime, budget: Budget, made: BookNotes) -> _Placed:
    called, patterns = _keys(entry, budget, made)
    text = _told(readable(entry.content, character, words), character, words)
    names = tuple(dict.fromkeys(name for key in called if (name := readable(key, character, words))))
    title = _title(entry, names, text)
    text = text.removeprefix(f"{title}: ") if entry.told else text
    aliases = tuple(name for name in dict.fromkeys((*_own_names(entry), *names)) if normal_name(name) != normal_name(title))
    texts = tuple(dict.fromkeys(parts(text, PART // 2 if words is ZH else PART)))
    core = _core(entry, len(texts), made)
    key = key_of("lore", title, entry.content)
    secondary = tuple(readable(one, character, words) for one in entry.secondary[:_MOST_SECONDARY] if not one.startswith("/"))
    first = _note(key, at, Semantic(title, aliases, ConceptType.ENTITY, texts[0], Category.KNOWLEDGE), secondary, core > 0)
    notes = [first]
    for number, part in enumerate(texts[1:], start=2):
        body = Semantic(f"{title} ({number})", (), ConceptType.ABSTRACT, part, Category.KNOWLEDGE)
        notes.append(_note(f"{key}_{number}", at, body, (title,), number <= core))
    return _Placed(entry=entry, notes=tuple(notes), names=(title, *aliases), patterns=tuple(patterns))


def _core(entry: Entry, parts: int, made: BookNotes) -> int:
    """How many of the parts of an entry are core notes, the first ones; what is always there must leave room for the rest."""
    if not entry.constant:
        return 0
    core = min(parts if parts <= MOST_CORE_PARTS else 1, MOST_CORE - made.core)
    made.core += core
    if core < parts:
        what = f"{entry.place}: is always there, but there is too much of it: of its {parts} parts {core} are core notes"
        made.problems.append(Problem(None, what, skipped=False))
    return core


def _note(key: str, at: datetime, body: Semantic, tags: tuple[str, ...], core: bool) -> Note:
    return Note(id=derived_id("note", key), key=key, body=body, created_at=at, decayed_at=at, tags=tags, core=core)


def _keys(entry: Entry, budget: Budget, made: BookNotes) -> tuple[Sequence[str], list[Pattern]]:
    """The keys that are names of an entry, and those that are patterns."""
    plain: list[str] = []
    patterns: list[Pattern] = []
    for key in entry.keys:
        if not is_pattern(key, entry.use_regex):
            plain.append(key)
            continue
        pattern = checked(key, budget)
        if isinstance(pattern, str):
            what = f"{entry.place}: the pattern {key[:60]} is not used: {pattern}"
            made.problems.append(Problem(None, what, skipped=False))
        else:
            patterns.append(pattern)
            plain += literal_names(key)
    return plain if entry.names is None else entry.names, patterns


def _own_names(entry: Entry) -> Iterator[str]:
    if entry.name:
        yield entry.name


def _title(entry: Entry, names: Sequence[str], text: str) -> str:
    """What an entry is called: its name; its comment, where that is one of its names or stands in its text; its first key."""
    if entry.name:
        return entry.name
    comment = normal_name(entry.comment)
    if comment and len(comment) <= _MOST_TITLE and (comment in map(normal_name, names) or comment in text.casefold()):
        return _as_written(entry.comment, text)
    if names:
        return _as_written(names[0], text)
    if entry.comment and len(entry.comment) <= _MOST_TITLE:
        return entry.comment
    line = next((line.strip() for line in text.split("\n") if normal_name(line)), text.strip())
    return line if len(line) <= _MOST_TITLE else line[:_MOST_TITLE].rsplit(" ", 1)[0] + "…"


def _as_written(name: str, text: str) -> str:
    """A key in small letters as its text writes it (*Eldoria*)."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) if name.islower() else None
    return found[0] if found and " ".join(found[0].split()) == found[0] else name


def _told(text: str, character: str | None, words: Words) -> str:
    """An entry that is written as a dialogue, as what is told in it: the dialogue never took place."""
    blocks = dialogue(text, [character or CHARACTER])
    turns = [turn for block in blocks for turn in block]
    if not any(turn.side is Side.USER for turn in turns) or turns[0].side is not Side.USER:
        return text
    told: list[str] = []
    asked = ""
    for turn in turns:
        if turn.side is Side.USER:
            asked = spoken(turn.text)
        else:
            what = spoken(turn.text) or turn.text
            told.append(f"{words.quoted.format(asked)} — {what}" if asked else what)
            asked = ""
    return "\n\n".join(told) or text


# Links.


def _link(source: str, target: str, verb: str, at: datetime, confidence: float = 1.0, intensity: float = 1.0) -> KeyedLink:
    return KeyedLink(
        source_key=source, target_key=target, payload=Sem(verb, confidence), intensity=intensity, created_at=at, line=None
    )


def _within(placed: _Placed, words: Words, at: datetime) -> Iterator[KeyedLink]:
    """From an entry to its parts and back, and from each part to the next."""
    first, *others = (note.key for note in placed.notes)
    for other in others:
        yield _link(first, other, words.has_part, at)
        yield _link(other, first, words.part, at)
    for one, next_ in pairwise(others):
        yield _link(one, next_, words.continues, at)


def _add_root(book: Book, placed: Sequence[_Placed], titled: str | None, words: Words, at: datetime, made: BookNotes) -> None:
    called = list(dict.fromkeys(one.names[0] for one in placed))
    titles = words.separator.join(called[:3]) + ("…" if len(called) > 3 else "")
    name = book.name or titled or words.books.format(titles)
    if normal_name(name) in {normal_name(known) for one in placed for known in one.names}:
        name = words.books.format(name)  # a book is no second note of what it tells of
    key = key_of("lorebook", name, *((one.notes[0].key for one in placed[:3]) if not book.name else ()))
    body = Semantic(name, (), ConceptType.ABSTRACT, book.description[:PART], Category.KNOWLEDGE)
    made.notes.append(_note(key, at, body, (), False))
    made.places[key] = ""
    made.links.append(_link(SELF_KEY, key, words.knows, at))
    made.links += (_link(key, one.notes[0].key, words.holds, at) for one in placed)


def _mentions(placed: Sequence[_Placed], words: Words, at: datetime, budget: Budget, made: BookNotes) -> Iterator[KeyedLink]:
    owners: dict[str, set[int]] = defaultdict(set)
    for number, one in enumerate(placed):
        for name in map(normal_name, one.names):
            if len(name) >= (2 if has_cjk(name) else 3):
                owners[name].add(number)
    telling = Names({name: sorted(found) for name, found in owners.items() if len(found) <= MOST_OWNERS})
    patterns = {number: one.patterns for number, one in enumerate(placed) if one.patterns}
    for number, one in enumerate(placed):
        for note in one.notes:
            for other in _mentioned(note, number, telling, patterns, budget):
                yield _link(note.key, placed[other].notes[0].key, words.mentions, at, _MENTIONED)
    if not budget.left():
        what = "the patterns of this book take too long: not all were tried on the texts of other entries"
        made.problems.append(Problem(None, what, skipped=False))


def _mentioned(note: Note, number: int, telling: Names, patterns: Mapping[int, Sequence[Pattern]], budget: Budget) -> list[int]:
    text = note.body.description if isinstance(note.body, Semantic) else ""
    found = dict.fromkeys(telling.owners_in(text))
    for other, own in patterns.items():
        if other not in found and any(pattern.is_in(text, budget) for pattern in own):
            found[other] = None
    found.pop(number, None)
    return list(found)[:MOST_MENTIONS]
