"""Gold memories: what a person would remember of a chat, and what must not be remembered (Gold JSON, untrusted).

``{"name", "chat", "memories": [{"id", "person", "category", "any_of", "lines"}], "forbidden": [{"id", "why", "any_of",
"person"?, "category"?, "lines"?, "current"?}]}``. ``chat`` is a conversation file relative to this one. ``any_of`` is a list of
groups of words: one formed note must hold a word of every group. ``person``: whom it is about; of a memory the name stands in
the note, of a forbidden one the note is about this person. ``category``: the categories (or ``promise``) that count; a text or
a list. ``lines``: 1-based lines of the chat file it can be drawn from. ``current``: forbidden as what is so now; a superseded
note may say it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from soulmem.errors import FormatError, InputError
from soulmem.text.tokens import normal_form


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One gold or forbidden memory; see the module."""

    id: str
    any_of: tuple[tuple[str, ...], ...]
    person: str = ""
    category: frozenset[str] = frozenset()
    lines: frozenset[int] = frozenset()
    current: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldFile:
    """A file of gold memories, and the chat they are of."""

    path: Path
    name: str
    chat: Path
    memories: tuple[Wanted, ...]
    forbidden: tuple[Wanted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Formed:
    """A fact note that was formed. ``about``: the beginning of its key says whom; ``lines``: those of its sources, by file line;
    ``speakers``: who said them; ``labels``: category and tags."""

    key: str
    text: str
    about: str
    labels: frozenset[str]
    lines: frozenset[int]
    speakers: frozenset[str] = field(default=frozenset())
    superseded: bool = False


def read_gold(path: Path) -> GoldFile:
    """The gold memories of a file. Raises :class:`InputError` or :class:`FormatError` with what is wrong and where."""
    try:
        root = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {error}", place=str(path)) from error
    if not isinstance(root, Mapping) or not isinstance(root.get("memories"), list) or not isinstance(root.get("chat"), str):
        advice = "It needs a chat (a file) and memories (a list)."
        raise FormatError("not Gold JSON, which the suite consolidate takes", place=str(path), advice=advice)
    chat = path.parent / root["chat"]
    if not chat.is_file():
        raise InputError(f"{path} is about {chat}, which is not there")
    forbidden = root.get("forbidden", [])
    if not isinstance(forbidden, list):
        raise FormatError("forbidden: expected an array", place=str(path))
    found = GoldFile(
        path=path,
        name=str(root.get("name") or path.stem),
        chat=chat,
        memories=tuple(_wanted(one, f"memories[{number}]", path) for number, one in enumerate(root["memories"])),
        forbidden=tuple(_wanted(one, f"forbidden[{number}]", path) for number, one in enumerate(forbidden)),
    )
    if not found.memories:
        raise InputError(f"{path}: it wants nothing: there are no memories in it")
    return found


def _wanted(one: Any, place: str, path: Path) -> Wanted:
    def wrong(what: str) -> FormatError:
        return FormatError(f"{place}.{what}", place=str(path))

    if not isinstance(one, Mapping) or not isinstance(one.get("id"), str):
        raise wrong("id: expected text")
    groups = one.get("any_of")
    if not isinstance(groups, list) or not groups or not all(_is_words(group) for group in groups):
        raise wrong("any_of: expected a list of lists of words")
    lines = one.get("lines", [])
    if not isinstance(lines, list) or not all(type(line) is int and line > 0 for line in lines):
        raise wrong("lines: expected line numbers from 1")
    category = one.get("category", [])
    return Wanted(
        id=one["id"],
        any_of=tuple(tuple(group) for group in groups),
        person=str(one.get("person", "")),
        category=frozenset([category] if isinstance(category, str) else map(str, category)),
        lines=frozenset(lines),
        current=one.get("current") is True,
        why=str(one.get("why", "")),
    )


def _is_words(group: Any) -> bool:
    return isinstance(group, list) and bool(group) and all(isinstance(word, str) and word for word in group)


def is_formed(wanted: Wanted, note: Formed) -> bool:
    """Whether this note is the memory that is wanted: what it says, of whom, as what, from which lines; and holds still."""
    return (
        not note.superseded
        and says(wanted, note)
        and (not wanted.person or normal_form(wanted.person) in normal_form(note.text))
        and (not wanted.category or not wanted.category.isdisjoint(note.labels))
        and (not wanted.lines or not wanted.lines.isdisjoint(note.lines))
    )


def is_forbidden(unwanted: Wanted, note: Formed) -> bool:
    """Whether this note says what must not be remembered."""
    return (
        not (unwanted.current and note.superseded)
        and says(unwanted, note)
        and (not unwanted.person or note.about == normal_form(unwanted.person))
        and (not unwanted.category or not unwanted.category.isdisjoint(note.labels))
    )


def is_misattributed(wanted: Wanted, note: Formed) -> bool:
    """Whether a note of the very lines of a gold memory says it of somebody else."""
    return (
        bool(wanted.person and wanted.lines)
        and not wanted.lines.isdisjoint(note.lines)
        and says(wanted, note)
        and normal_form(wanted.person) not in normal_form(note.text)
    )


def says(wanted: Wanted, note: Formed) -> bool:
    """Whether the note holds a word of every group."""
    text = normal_form(note.text)
    return all(any(normal_form(word) in text for word in group) for group in wanted.any_of)


def duplicates(notes: Sequence[Formed]) -> list[tuple[Formed, Formed]]:
    """Pairs of notes that hold still, are about the same one, and say the same in nearly the same words."""
    found: list[tuple[Formed, Formed]] = []
    shingles = [_shingles(note.text) for note in notes]
    for first, one in enumerate(notes):
        for second in range(first + 1, len(notes)):
            other = notes[second]
            if one.superseded or other.superseded or one.about != other.about:
                continue
            both = len(shingles[first] | shingles[second])
            if both and len(shingles[first] & shingles[second]) / both >= 0.85:
                found.append((one, other))
    return found


def _shingles(text: str) -> set[str]:
    form = "".join(character for character in normal_form(text) if character.isalnum())
    return {form[place : place + 3] for place in range(max(1, len(form) - 2))}
