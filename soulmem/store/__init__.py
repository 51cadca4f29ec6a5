"""Minds as files: opening and making them, reading, and writing changes with a journal."""

from __future__ import annotations

from soulmem.store._kuzu import load_engine
from soulmem.store.checks import check
from soulmem.store.contract import EmbedderRecord, Rows, Store, all_notes
from soulmem.store.mind import KuzuStore, create_store, open_store
from soulmem.store.minds import list_minds, mind_path, minds_folder

__all__ = [
    "EmbedderRecord",
    "KuzuStore",
    "Rows",
    "Store",
    "all_notes",
    "check",
    "create_store",
    "list_minds",
    "load_engine",
    "mind_path",
    "minds_folder",
    "open_store",
]
