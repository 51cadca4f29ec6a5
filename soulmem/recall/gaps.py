"""What recall cannot find because its words or its vector are gone: only a statement of the user's own can do that."""

from __future__ import annotations

from soulmem.store.contract import Store


def is_changed_past_soulmem(store: Store) -> bool:
    """Whether the journal has a statement of the user's own since words and vectors were all made anew."""
    last = store.query("store.last_indexing")
    return bool(last) and last[0]["command"] == "cypher"


def index_gaps(store: Store) -> int:
    """How many notes and messages have lost their words or their vector. Looked at only after ``soulmem cypher --write``, until
    ``soulmem reembed`` makes both anew."""
    if not is_changed_past_soulmem(store):
        return 0
    counted = {row["id"]: row["length"] for row in store.query("store.lengths")}
    owners = (*store.query("store.note_keys"), *store.query("store.message_keys"))
    without = {row["id"] for row in owners if row["length"] != counted.get(row["id"], 0)}
    if store.embedder() is not None:
        without |= {row["id"] for row in store.query("store.without_vector")}
    return len(without)
