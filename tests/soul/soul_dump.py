"""All that a mind holds, comparable, whatever order it was written in. Left out: the journal, and the cache of vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from soulmem.soul import Soul
from soulmem.store.journal import unpacked

NODES = (
    "Meta",
    "Semantic",
    "SpecificSituation",
    "AbstractSituation",
    "Procedure",
    "NoteKey",
    "Chat",
    "Message",
    "PendingLink",
    "Term",
    "Name",
    "Recall",
    "Picture",
)
LINKS = ("Sem", "Proc", "Situation", "SUPERSEDES", "SOURCE", "OCCURS", "NAMES", "RECALLED")
_INTERNAL = {"_id", "_label", "_src", "_dst"}


def dump(store) -> dict[str, list[str]]:
    """Table → its rows as text, sorted."""
    found = {table: _rows(store, f"MATCH (n:{table}) RETURN n") for table in NODES}
    return found | {table: _rows(store, f"MATCH (a)-[l:{table}]->(b) RETURN l, a.{_key(table)}, b.id") for table in LINKS}


def _key(table: str) -> str:
    return "text" if table in ("OCCURS", "NAMES") else "id"


def _rows(store, text: str) -> list[str]:
    return sorted(_text(row) for row in store.cypher(text, {}, limit=None).rows)


def _text(row: tuple[Any, ...]) -> str:
    entity, *ends = row
    shown = {name: value for name, value in entity.items() if name not in _INTERNAL and value is not None}
    return json.dumps([shown, *ends], ensure_ascii=False, sort_keys=True, default=str)


def left_of(path: Path, *texts: str) -> list[str]:
    """The files beside the mind that hold any of these texts."""
    parts = [text.encode() for text in texts]
    return [file.name for file in sorted(path.parent.glob(f"{path.name}*")) if any(part in file.read_bytes() for part in parts)]


def journal(soul: Soul) -> str:
    """All that the journal tells, unpacked."""
    rows = soul.store.query("store.operations", limit=10_000)
    return "\n".join(f"{row['what']} {unpacked(row['before'])} {row['after']}" for row in rows)
