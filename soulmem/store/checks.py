"""Whether a mind agrees with itself: what ``doctor`` says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator

from soulmem.store.contract import Store
from soulmem.text.counts import counted

#: Of one kind of finding this many are told, and the number of the others.
TOLD = 10
#: Keys that are looked up one by one, spread over all: a damaged index loses many.
LOOKED_UP = 500


def check(store: Store) -> list[str]:
    """What is wrong with the mind, a line each; empty when all is well."""
    kinds = (_keys, _index, _words, _lengths, _journal, _written, _vectors, _chats, _links, _validities)
    return [line for kind in kinds for line in _told(kind(store))]


def waiting(store: Store) -> list[str]:
    """The links that wait for one of their ends, a line each. That is ordinary: a note may be read in later than a link to it."""
    return _told(_pending(store))


def _told(findings: Iterable[str]) -> list[str]:
    lines = list(findings)
    more = len(lines) - TOLD
    return lines if more <= 0 else [*lines[:TOLD], f"… and {more} more of this kind"]


def _pending(store: Store) -> Iterator[str]:
    for link in store.pending():
        place = f"{link.place}: " if link.place else ""
        yield f"{place}the link {link.source_key} → {link.target_key} still waits for one of its ends"


def _keys(store: Store) -> Iterator[str]:
    notes = store.query("store.note_keys")
    claimed = {row["key"]: (row["id"], row["type"]) for row in store.query("store.all_keys")}
    for key, count in Counter(row["key"] for row in notes).items():
        if count > 1:
            yield f"the key {key} belongs to {count} notes"
    for row in notes:
        if claimed.pop(row["key"], None) != (row["id"], row["type"]):
            yield f"the key {row['key']} is not recorded as that of the note {row['id']}"
    for key in claimed:
        yield f"the key {key} is recorded, but there is no such note"


def _index(store: Store) -> Iterator[str]:
    rows = store.query("store.all_keys")
    step = max(1, len(rows) // LOOKED_UP)
    for row in rows[::step]:
        if store.query("store.key", key=row["key"]) != [{"id": row["id"]}]:
            yield f"the index does not find the key {row['key']}: rewrite the mind, or restore a backup"


def _words(store: Store) -> Iterator[str]:
    for row in store.query("store.word_counts"):
        if (row["notes"], row["messages"]) != (row["note_df"], row["message_df"]):
            places = f"{counted(row['notes'], 'note')} and {counted(row['messages'], 'message')}"
            yield f"the word {row['text']} occurs in {places}, but {row['note_df']} and {row['message_df']} are recorded"


def _lengths(store: Store) -> Iterator[str]:
    there = {row["id"]: row["length"] for row in store.query("store.lengths")}
    for row in (*store.query("store.note_keys"), *store.query("store.message_keys")):
        if row["length"] != there.get(row["id"], 0):
            yield f"{row['id']} has {counted(there.get(row['id'], 0), 'word')}, but {row['length']} are recorded"


def _journal(store: Store) -> Iterator[str]:
    numbers = [row["number"] for row in store.query("store.operation_numbers")]
    for expected, number in enumerate(numbers, start=1):
        if number != expected:
            yield f"the journal has operation {number} where {expected} should be"
            return


def _written(store: Store) -> Iterator[str]:
    """What the journal says was written, and not that it was removed later, must be there; what was there before a statement of
    the user's own may be gone by it."""
    there = {
        "notes": {row["id"] for row in store.query("store.note_keys")},
        "messages": {row["id"] for row in store.query("store.message_keys")},
        "links": {row["id"] for row in store.query("store.link_ids")},
    }
    entries = store.query("store.written")
    own = [place for place, entry in enumerate(entries) if entry["command"] == "cypher"]
    lines = []
    for entry in reversed(entries[own[-1] + 1 if own else 0 :]):
        after = json.loads(entry["after"])
        removed = {**after.get("removed", {}), "links": after.get("links_removed", ())}
        for kind, ids in there.items():
            missing = [one for one in after.get(kind, ()) if one not in ids]
            if missing:
                told = f"operation {entry['number']} ({entry['command']} {entry['what']}) wrote"
                lines.append(
                    f"{told} {counted(len(after[kind]), kind[:-1])}, of which {len(missing)} are not there: restore a backup"
                )
            ids.update(removed.get(kind, ()))  # an earlier entry may have written what this one removed
    yield from reversed(lines)


def _vectors(store: Store) -> Iterator[str]:
    if store.embedder() is not None:
        for row in store.query("store.without_vector"):
            yield f"{row['type']} {row['id']} has a text but no vector of it: make it anew with soulmem reembed"


def _chats(store: Store) -> Iterator[str]:
    chats = {row["id"]: row for row in store.query("store.chats")}
    for row in store.query("store.message_keys"):  # an edited line is there twice: as it was, and as it is
        chat, index = row["chat"], row["index"]
        if chat not in chats:
            yield f"the message {row['id']} belongs to the chat {chat}, which is not there"
        elif not 0 <= index < chats[chat]["messages"]:
            yield f"message {index} of {chats[chat]['file']} is beyond its {chats[chat]['messages']} lines"


def _links(store: Store) -> Iterator[str]:
    for link, count in Counter(row["id"] for row in store.query("store.link_ids")).items():
        if count > 1:
            yield f"the link {link} is there {count} times"


def _validities(store: Store) -> Iterator[str]:
    for row in store.query("store.all_supersedes"):
        if row["valid_until"] is None or row["valid_until"] > row["at"]:
            told = f"{row['new']} supersedes the fact {row['old']} since {row['at'].isoformat()}"
            yield f"{told}, which says that it holds longer"
    for row in store.query("store.turned_validities"):
        yield f"the fact {row['id']} ends before it begins to hold"
