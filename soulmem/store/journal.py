"""What the journal remembers of a change: ids of what was created, old and new values of what was changed, whole rows of what is
gone; enough to take it back (:mod:`soulmem.store.undo`). Words and vectors follow from the texts and are not kept. Pure."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from soulmem.model.changes import Change
from soulmem.model.links import LinkType
from soulmem.store.rows import Row
from soulmem.store.writes import Known, Writes, written_ids

#: Entries that say so tell all that is needed to take them back.
FORMAT = 1
#: What an entry says was there before, when that is forgotten for good: it cannot be taken back.
FORGOTTEN = {"forgotten": True}

_LINK_COLUMNS = ("id", "source", "target", "intensity", "created_at", "last_fired_at", "fired_count")
_OF_TYPE = {LinkType.SEM: ("verb", "confidence"), LinkType.PROC: ("prob",), LinkType.SITUATION: ()}

#: From so many characters on what was there before is packed.
PACKED_FROM = 2**20

#: Columns whose values are times.
TIMES = frozenset(
    {
        "created_at",
        "last_accessed_at",
        "decayed_at",
        "due_at",
        "time_start",
        "time_end",
        "valid_from",
        "valid_until",
        "sent_at",
        "ingested_at",
        "last_fired_at",
        "at",
    }
)


def before(
    change: Change,
    known: Known,
    present: Mapping[tuple[str, str], Mapping[str, Any]],
    replaced: Mapping[str, list[Row]],
    removed: Mapping[str, Any],
) -> dict[str, Any]:
    """What was there. ``present``: (table, column) → id → value; ``replaced``: whole rows of chats, pending links, meta;
    ``removed``: what :meth:`~soulmem.store.lookups.Lookups.rows_of` gives."""
    updated: dict[str, dict[str, Any]] = {}
    for (_, column), values in present.items():
        for note, value in values.items():
            updated.setdefault(note, {})[column] = value
    parts: dict[str, Any] = {
        "updated": updated,
        "link_updates": _link_values(change, known),
        "terms": {note: terms for note, terms in known.occurs.items() if terms},
        "names": {note: names for note, names in known.names.items() if names},
        "removed": _removed(change, known, removed),
        **replaced,
    }
    return {"format": FORMAT, **{name: part for name, part in parts.items() if part}}


def _link_values(change: Change, known: Known) -> dict[str, dict[str, Any]]:
    updated: dict[str, dict[str, Any]] = {}
    for update in change.link_updates:
        updated.setdefault(update.link, {}).update({name: known.links[update.link][name] for name in update.values})
    return updated


def _removed(change: Change, known: Known, rows: Mapping[str, Any]) -> dict[str, Any]:
    parts: dict[str, Any] = {
        **rows,
        "notes": {kind: by_columns(some) for kind, some in rows["notes"].items()},
        "messages": by_columns(rows["messages"]),
        "links": {kind: by_columns(some) for kind, some in _by_type(_cut(change, known)).items()},
    }
    return {name: part for name, part in parts.items() if part}


def _cut(change: Change, known: Known) -> list[Row]:
    """The links that go: those named, and those at notes that go."""
    cut, gone = set(change.links_removed), set(change.removed.notes)
    return [row for row in known.links.values() if row["id"] in cut or gone & {row["source"], row["target"]}]


def _by_type(links: Sequence[Row]) -> dict[str, list[Row]]:
    """The columns of links of each type, without what only others have."""
    found: dict[str, list[Row]] = {}
    for row in links:
        names = (*_LINK_COLUMNS, *_OF_TYPE[LinkType(row["type"])])
        found.setdefault(row["type"], []).append({name: row[name] for name in names})
    return found


def by_columns(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Rows with the same names as a list for each name: the names are written once."""
    return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}


def by_rows(columns: Mapping[str, Sequence[Any]]) -> list[Row]:
    """What :func:`by_columns` was made of."""
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def after(change: Change, known: Known, writes: Writes) -> dict[str, Any]:
    """What is there now. ``named``: notes and messages that were there and that something new refers to; ``link_sources``: the
    notes that updated and removed links leave."""
    new = {*_ids(change.notes), *_ids(change.messages)}
    parts: dict[str, Any] = {
        "notes": _ids(change.notes),
        "links": _ids(change.links),
        "link_updates": _values((update.link, update.values) for update in change.link_updates),
        "links_removed": [row["id"] for row in _cut(change, known)],
        "link_sources": sorted({row["source"] for row in known.links.values()}),
        "supersedes": [[one.new, one.old] for one in change.supersedes],
        "pending": _ids(change.pending),
        "connected": list(change.connected),
        "chats": _ids(change.chats),
        "messages": _ids(change.messages),
        "sources": [list(pair) for pair in writes.sources_added],
        "recalls": _ids(change.recalls),
        "uses": [[recall, use.note] for recall, use in change.uses_added],
        "updated": _values((update.note, update.values) for update in change.updates),
        "words": sorted((change.terms.keys() | change.names.keys()) - new),
        "vectors": sorted(change.vectors.keys() - new),
        "meta": dict(change.meta),
        "removed": {
            part.name: list(getattr(change.removed, part.name))
            for part in fields(change.removed)
            if getattr(change.removed, part.name)
        },
        "named": sorted(_named(change, known) - new),
    }
    return {name: part for name, part in parts.items() if part}


def _named(change: Change, known: Known) -> set[str]:
    """Of what a change writes, all but the notes it only indexes anew: those are in the other parts."""
    if change.command == "reembed":
        return set()
    ends = {row[end] for row in known.links.values() for end in ("source", "target")} - set(change.removed.notes)
    return (written_ids(change) | ends) - {update.note for update in change.updates}


def _ids(items: Iterable[Any]) -> list[str]:
    return [item.id for item in items]


def _values(updates: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    updated: dict[str, dict[str, Any]] = {}
    for one, values in updates:
        updated.setdefault(one, {}).update(values)
    return updated


def compact(value: Mapping[str, Any]) -> str:
    """JSON without spaces; times in RFC 3339."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)


def packed(value: Mapping[str, Any]) -> str:
    """As :func:`compact`; what is long is packed (zlib, Base64): the engine needs ten times the length of a text to take it."""
    text = compact(value)
    if len(text) < PACKED_FROM:
        return text
    return json.dumps({"packed": b64encode(zlib.compress(text.encode(), 6)).decode("ascii")})


def unpacked(text: str) -> dict[str, Any]:
    """What :func:`packed` was given, times as text."""
    value: dict[str, Any] = json.loads(text)
    return json.loads(zlib.decompress(b64decode(value["packed"]))) if value.keys() == {"packed"} else value


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in the journal")


def timed(row: Mapping[str, Any]) -> Row:
    """A row from the journal, its times as times."""
    return {name: _time(value) if name in TIMES else value for name, value in row.items()}


def _time(value: Any) -> Any:
    return datetime.fromisoformat(value) if isinstance(value, str) else value
