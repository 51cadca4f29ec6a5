"""Entries of a lorebook, whatever program wrote it (FORMATS A9): World Info, card books, NovelAI, Agnai, RisuAI, Chub."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from soulmem.ingest.cards.card import MOST_TEXT, clean_name
from soulmem.ingest.contract import Problem
from soulmem.text.names import normal_name

#: More entries than this of one book are not read.
MOST_ENTRIES = 5000
#: More keys than this of one entry, and longer ones, are left out.
MOST_KEYS, MOST_KEY = 60, 200

#: Under this name of its extensions an entry says of which note it was made, and which of its keys are names of it.
OWN = "soulmem"

# Every program's name for the same thing, in the order they are looked for; written without _ and in lower case.
_KEYS = ("keys", "key", "keywords")
_SECONDARY = ("secondarykeys", "keysecondary", "secondkey")
_CONTENT = ("content", "text", "entry")
_NAME = ("name", "displayname", "title")
_CONSTANT = ("constant", "alwaysactive", "forceactivation")
_OFF = ("disable", "disabled")
_REGEX = ("useregex",)
_ORDER = ("insertionorder", "order", "insertorder")
#: Members that a book of a card has a place for, and numbers that mean nothing outside their book.
_PLACED = {*_KEYS, *_SECONDARY, *_CONTENT, *_NAME, *_CONSTANT, *_OFF, *_REGEX, *_ORDER, "enabled", "comment", "extensions"}
_PLACED |= {"casesensitive", "selective", "position", "id", "uid", "displayindex"}

_DECORATOR = re.compile(r"@@+\s*([A-Za-z_]+)")
_IS_TRUE = {"true", "1", "yes", "on"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stated:
    """What every entry states. ``place``: how a person finds it in the file."""

    place: str
    name: str
    comment: str
    keys: tuple[str, ...]
    secondary: tuple[str, ...]
    content: str
    constant: bool
    use_regex: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(_Stated):
    """One entry. ``content``: raw, without decorators. ``told``: whether it was written out of a mind. ``names``: the keys that
    are names of what it tells of; ``None`` where it does not say, and all may be."""

    told: bool = False
    names: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw(_Stated):
    """One entry as its file has it, whatever the program calls its members. ``values``: all, by their plain names; ``others``:
    those that have no place in a book of a card, by their own; ``order``: where among the entries it stands in a prompt."""

    enabled: bool
    order: float | None
    values: Mapping[str, Any]
    others: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """A lorebook: what of it can be used, and what was wrong. ``raw``: all of it, as it stands in the file."""

    name: str
    description: str
    entries: tuple[Entry, ...]
    raw: Any
    problems: tuple[Problem, ...] = field(default=())


def is_book(value: Any) -> bool:
    """Whether a decoded value is a lorebook of any dialect."""
    inner = _inner(value)
    return inner is not None and any(isinstance(one, Mapping) and _looks_like_entry(one) for one in _some(inner["entries"]))


def book_of(value: Any) -> Book | None:
    """The lorebook in a decoded value; ``None`` where there is none."""
    inner = _inner(value)
    if inner is None:
        return None
    problems: list[Problem] = []
    entries = tuple(_entries(inner["entries"], problems))
    name, description = inner.get("name"), inner.get("description")
    return Book(
        name=clean_name(name) if isinstance(name, str) else "",
        description=description.strip() if isinstance(description, str) else "",
        entries=entries,
        raw=value,
        problems=tuple(problems),
    )


def raw_entries(value: Any) -> Iterator[Raw]:
    """The entries of a decoded lorebook as they stand there, those that are switched off among them."""
    inner = _inner(value) or {"entries": []}
    for number, item in _items(inner["entries"])[:MOST_ENTRIES]:
        if isinstance(item, Mapping) and not _is_folder(item):
            yield _raw(number, item, [])


def _raw(number: object, item: Mapping[str, Any], bad: list[str]) -> Raw:
    values = {plain(name): value for name, value in reversed(list(item.items()))}
    name = _line(values, _NAME)
    comment = clean_name(values["comment"]) if isinstance(values.get("comment"), str) else ""
    keys = _keys(values, _KEYS, bad)
    place = f"entry {_number(number)}"
    if shown := (name or comment or (keys[0] if keys else "")):
        place += f" ({shown[:40]})"
    return Raw(
        place=place,
        name=name,
        comment=comment,
        keys=keys,
        secondary=_keys(values, _SECONDARY, bad),
        content=_content(values),
        constant=any(_flag(values.get(one)) for one in _CONSTANT),
        use_regex=any(_flag(values.get(one)) for one in _REGEX),
        enabled=not _is_off(values),
        order=next((order for one in _ORDER if _is_number(order := values.get(one))), None),
        values=values,
        others={name: value for name, value in item.items() if plain(name) not in _PLACED},
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _inner(value: Any) -> Mapping[str, Any] | None:
    """The mapping that has the entries: itself, or what is wrapped in it."""
    if isinstance(value, list):
        return {"entries": value}
    if not isinstance(value, Mapping):
        return None
    data = value.get("data")
    if value.get("type") == "risu" and isinstance(data, list):
        return {**value, "entries": data}
    if isinstance(data, Mapping) and isinstance(data.get("entries"), list | Mapping):
        return data
    return value if isinstance(value.get("entries"), list | Mapping) else None


def _some(entries: Any) -> list[Any]:
    return list(entries.values() if isinstance(entries, Mapping) else entries)[:50]


def _looks_like_entry(entry: Mapping[str, Any]) -> bool:
    names = {plain(name) for name in entry}
    return bool(names & set(_KEYS)) and bool(names & set(_CONTENT))


def plain(name: Any) -> str:
    """A member's name without the way of writing that programs differ in (``use_regex``, ``useRegex``)."""
    return str(name).replace("_", "").lower()


def _items(entries: Any) -> list[tuple[object, Any]]:
    return list(entries.items()) if isinstance(entries, Mapping) else list(enumerate(entries, start=1))


def _entries(entries: Any, problems: list[Problem]) -> Iterator[Entry]:
    items = _items(entries)
    if len(items) > MOST_ENTRIES:
        left = len(items) - MOST_ENTRIES
        problems.append(Problem(None, f"the book has {len(items)} entries; the last {left} were left out"))
    for number, item in items[:MOST_ENTRIES]:
        if not isinstance(item, Mapping):
            problems.append(Problem(None, f"entry {_number(number)}: is no entry; skipped"))
        elif not _is_folder(item) and (entry := _entry(number, item, problems)) is not None:
            yield entry


def _number(number: object) -> str:
    """What an entry is called by in the file, in one short line."""
    return " ".join(str(number).split())[:40]


def _is_folder(item: Mapping[str, Any]) -> bool:
    return item.get("mode") == "folder"


def _entry(number: object, item: Mapping[str, Any], problems: list[Problem]) -> Entry | None:
    bad: list[str] = []
    raw = _raw(number, item, bad)
    content, decorators = _undecorated(raw.content)
    if not raw.enabled or "dont_activate" in decorators:
        problems.append(Problem(None, f"{raw.place}: is switched off; not stored, kept for export only", skipped=False))
        return None
    if not content.strip():
        problems.append(Problem(None, f"{raw.place}: has no content; skipped"))
        return None
    if len(content) > MOST_TEXT:
        bad.append(f"it has {len(content)} characters; those behind the first {MOST_TEXT} were left out")
    problems += (Problem(None, f"{raw.place}: {what}", skipped=False) for what in dict.fromkeys(bad))
    return Entry(
        place=raw.place,
        name=raw.name,
        comment=raw.comment,
        keys=raw.keys,
        secondary=raw.secondary,
        content=content[:MOST_TEXT],
        constant=raw.constant or "activate" in decorators,
        use_regex=raw.use_regex,
        told=_own(raw.values) is not None,
        names=_names(raw),
    )


def _own(values: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What a mind said of the entry, when it was written out as a card."""
    extensions = values.get("extensions")
    own = extensions.get(OWN) if isinstance(extensions, Mapping) else None
    return own if isinstance(own, Mapping) else None


def _names(raw: Raw) -> tuple[str, ...] | None:
    """The keys that a mind said are names; keys that were written in since are none."""
    stated = (_own(raw.values) or {}).get("names")
    if not isinstance(stated, list):
        return None
    known = {normal_name(name) for name in stated if isinstance(name, str)}
    return tuple(key for key in raw.keys if normal_name(key) in known)


def _is_off(values: Mapping[str, Any]) -> bool:
    """Chub has both ways to say it; either switches an entry off."""
    enabled = values.get("enabled")
    return any(_flag(values.get(one)) for one in _OFF) or (enabled is not None and not _flag(enabled))


def _flag(value: Any) -> bool:
    return value.strip().lower() in _IS_TRUE if isinstance(value, str) else bool(value)


def _line(values: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((name for one in names if isinstance(values.get(one), str) and (name := clean_name(values[one]))), "")


def _content(values: Mapping[str, Any]) -> str:
    for name in _CONTENT:
        value = values.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            return "\n".join(value)
    return ""


def _undecorated(content: str) -> tuple[str, set[str]]:
    """``content`` without the decorators on its first lines (``@@depth 4``), and their names."""
    lines = content.replace("\r\n", "\n").split("\n")
    found: set[str] = set()
    for number, line in enumerate(lines):
        match = _DECORATOR.match(line.strip())
        if match:
            found.add(match[1].lower())
        elif not found or line.strip():
            return "\n".join(lines[number:]), found
    return "", found


def _keys(values: Mapping[str, Any], names: tuple[str, ...], bad: list[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name in names:
        for key in _listed(values.get(name), bad):
            cleaned = " ".join(key.split())
            if len(cleaned) > MOST_KEY and not cleaned.startswith("/"):
                bad.append(f"a key of {len(cleaned)} characters was left out")
            elif cleaned:
                found.setdefault(cleaned)
    if len(found) > MOST_KEYS:
        bad.append(f"{len(found) - MOST_KEYS} of {len(found)} keys were left out")
    return tuple(found)[:MOST_KEYS]


def _listed(value: Any, bad: list[str]) -> list[str]:
    if isinstance(value, str):
        return [value] if value.startswith("/") else re.split(r"[,，、]", value)
    if not isinstance(value, list):
        return []
    if any(not isinstance(key, str | int | float) for key in value):
        bad.append("a key that is no text was left out")
    return [str(key) for key in value if isinstance(key, str | int | float) and not isinstance(key, bool)]
