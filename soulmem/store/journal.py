"""What the journal remembers of a change: ids of what was created, old and new values of what was changed. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from soulmem.model.changes import Change
from soulmem.store.rows import Row
from soulmem.store.writes import Known


def before(
    change: Change, known: Known, present: Mapping[tuple[str, str], Mapping[str, Any]], replaced: Mapping[str, list[Row]]
) -> dict[str, Any]:
    """What was there. ``present``: (table, column) → id → value; ``replaced``: whole rows of chats, pending links, meta."""
    updated: dict[str, dict[str, Any]] = {}
    for (_, column), values in present.items():
        for note, value in values.items():
            updated.setdefault(note, {})[column] = value
    parts: dict[str, Any] = {
        "updated": updated,
        "terms": {note: terms for note, terms in known.occurs.items() if terms},
        "names": {note: names for note, names in known.names.items() if names},
        **replaced,
    }
    return {name: part for name, part in parts.items() if part}


def after(change: Change) -> dict[str, Any]:
    """What is there now."""
    parts: dict[str, Any] = {
        "notes": _ids(change.notes),
        "links": _ids(change.links),
        "pending": _ids(change.pending),
        "connected": list(change.connected),
        "chats": _ids(change.chats),
        "messages": _ids(change.messages),
        "sources": [list(pair) for pair in change.sources_added],
        "recalls": _ids(change.recalls),
        "updated": _updates(change),
        "vectors": sorted(change.vectors.keys() - {*_ids(change.notes), *_ids(change.messages)}),
        "meta": dict(change.meta),
    }
    return {name: part for name, part in parts.items() if part}


def _ids(items: Iterable[Any]) -> list[str]:
    return [item.id for item in items]


def _updates(change: Change) -> dict[str, dict[str, Any]]:
    updated: dict[str, dict[str, Any]] = {}
    for update in change.updates:
        updated.setdefault(update.note, {}).update(update.values)
    return updated


def compact(value: Mapping[str, Any]) -> str:
    """JSON without spaces; times in RFC 3339."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in the journal")
