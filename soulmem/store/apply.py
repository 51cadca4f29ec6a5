"""Writing a :class:`Change`: look up, plan, write, and enter it in the journal; all in one transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from soulmem.model.changes import Change, Operation
from soulmem.model.links import Link
from soulmem.model.notes import NoteType
from soulmem.store import journal
from soulmem.store._kuzu import Table, Transaction
from soulmem.store.frames import columns_frame, frame, vector_dimension, words_frame
from soulmem.store.lookups import FEW, Lookups
from soulmem.store.queries import Library, read_value
from soulmem.store.results import dicts
from soulmem.store.rows import SHORT, Row, chat_row, note_link_columns, note_link_row
from soulmem.store.writes import Columns, Known, Writes, tables_of, words_size, writes_of

#: From this many values of one column they are set through a frame.
BULK_VALUES = 64

Values = Sequence[tuple[str, Any]]

#: Columns that a recall changes together, of a few notes: one statement a note instead of one a value.
_MEMORY = frozenset({"retrieval_count", "last_accessed_at", "strength", "decayed_at", "due_at", "active"})

_CREATE = {
    **{note_type.value: f"store.create_{short}" for note_type, short in SHORT.items()},
    "Message": "store.create_message",
    "PendingLink": "store.create_pending",
    "Recall": "store.create_recall",
    "Embedding": "store.create_embedding",
    "Sem": "store.create_sem",
    "Proc": "store.create_proc",
    "Situation": "store.create_situation",
}


def bulk_bytes(change: Change, dimension: int, bulk_size: int) -> int:
    """About how much memory the engine needs to load ``change`` in bulk, 0 if it is too small for that.

    The engine crashes if it gets less: it lays out whole blocks of 2,048 rows, and holds all that is not committed.
    """
    vectors = [vector for vectors in change.vectors.values() for vector in vectors.values()]
    numbers = sum(vector.size for vector in vectors) + sum(vector.size for vector in change.embeddings.values())
    words = sum(len(terms) for terms in change.terms.values())
    rows = len(change.notes) + len(change.messages) + len(change.links) + len(change.embeddings) + len(change.updates)
    if 3 * rows + words_size(change.terms.values()) < bulk_size:
        return 0
    return 64 * 2**20 + 24 * 2048 * 4 * dimension + 12 * numbers + 200 * words + 2000 * rows


class Writer:
    """Writes through one transaction.

    ``columns``: see :data:`~soulmem.store.writes.Columns`, link tables included. ``bulk_size``: see
    :class:`~soulmem.settings.Settings`.
    """

    def __init__(self, transaction: Transaction, library: Library, columns: Columns, *, dimension: int, bulk_size: int) -> None:
        self._transaction = transaction
        self._library = library
        self._columns = columns
        self._dimension = dimension
        self._bulk_size = bulk_size
        self._memory: dict[str, dict[str, Row]] = {}

    def run(self, name: str, words: Mapping[str, str] = {}, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run a shipped query inside the transaction."""
        query = self._library[name]
        checked = query.checked(parameters, self._dimension)
        return [] if checked is None else dicts(self._transaction.run(query.bound(words), checked))

    def run_text(self, statement: str, parameters: Mapping[str, Any], limit: int | None, timeout_seconds: float | None) -> Table:
        """Run an ad-hoc statement, checked before. The engine's own errors come through untranslated."""
        return self._transaction.run_bounded(statement, parameters, limit, timeout_seconds)

    def apply(self, change: Change) -> Operation:
        """Write ``change`` with its journal entry."""
        lookups = Lookups(self.run)
        known = known_for(change, lookups)
        writes = writes_of(change, known, self._columns)
        before = journal.before(change, known, self._present(writes, lookups), self._replaced(change))
        operation = Operation(number=self.next_number(), at=change.at, command=change.command, what=change.what)
        self._write(change, writes)
        self.enter(operation, before, journal.after(change))
        return operation

    def next_number(self) -> int:
        """The number of the next journal entry."""
        last = self.run("store.last_operation")[0]["number"]
        return 1 if last is None else int(last) + 1

    def enter(self, operation: Operation, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """Write a journal entry; the last row that is written, and copied if others were (see :mod:`soulmem.store.recovery`)."""
        row = {
            "number": operation.number,
            "at": operation.at,
            "command": operation.command,
            "what": operation.what,
            "before": journal.compact(before),
            "after": journal.compact(after),
        }
        if self._transaction.has_copied:
            self._load_nodes("Operation", [row])
            self._transaction.operation = operation.number
        else:
            self.run("store.create_operation", **row)

    def _present(self, writes: Writes, lookups: Lookups) -> dict[tuple[str, str], dict[str, Any]]:
        """(table, column) → id → present value, for the journal. Fills ``self._memory`` on the way."""
        ids: dict[str, set[str]] = {}
        for table, _, values in _together(writes):
            ids.setdefault(table, set()).update(note for note, _ in values)
        self._memory = {table: lookups.memory(table, some) for table, some in ids.items()}
        return {
            key: self._present_values(key, values, lookups) for key, values in writes.values.items() if _is_journalled(key[1])
        }

    def _present_values(self, key: tuple[str, str], values: Values, lookups: Lookups) -> dict[str, Any]:
        table, column = key
        if _is_together(table, column, values):
            return {note: self._memory[table][note][column] for note, _ in values}
        return lookups.values(table, column, [note for note, _ in values])

    def _replaced(self, change: Change) -> dict[str, list[Row]]:
        """Whole rows that the change overwrites or removes."""
        return {
            "chats": self.run("store.chats_by_ids", ids=[chat.id for chat in change.chats]) if change.chats else [],
            "pending": self.run("store.pending_by_ids", ids=list(change.connected)) if change.connected else [],
            "meta": [{"name": name, "value": self._meta(name)} for name in change.meta],
        }

    def _meta(self, name: str) -> Any:
        rows = self.run("store.meta", name=name)
        return json.loads(rows[0]["value"]) if rows else None

    def _write(self, change: Change, writes: Writes) -> None:
        for table, note in writes.cleared:
            self.run("store.delete_occurs", {"TABLE": table}, id=note)
        for note in writes.renamed:
            self.run("store.delete_named", id=note)
        if change.connected:
            self.run("store.delete_pending", ids=list(change.connected))
        for chat in change.chats:
            self.run("store.put_chat", **chat_row(chat))
        for name, value in change.meta.items():
            self.run("store.set_meta", name=name, value=json.dumps(value, ensure_ascii=False))
        if writes.size >= self._bulk_size:
            self._load(writes)
        else:
            self._create(writes)
        for (table, column), values in writes.values.items():
            if not _is_together(table, column, values):
                self._set(table, column, values)
        self._set_together(writes)

    def _set_together(self, writes: Writes) -> None:
        changed: dict[tuple[str, str], Row] = {}
        for table, column, values in _together(writes):
            for note, value in values:
                changed.setdefault((table, note), dict(self._memory[table][note]))[column] = value
        for (table, note), row in changed.items():
            self.run("store.set_memory", {"TABLE": table}, id=note, **row)

    def _set(self, table: str, column: str, values: Values) -> None:
        words = {"TABLE": table, "COLUMN": column}
        engine_type = self._columns[table][column]
        if len(values) >= BULK_VALUES:
            rows = [{"id": i, "value": value} for i, value in values]
            self.run("store.set_values", words, frame=frame({"id": "STRING", "value": engine_type}, rows))
            return
        for note, value in values:
            self.run("store.set_value", words, id=note, value=self._typed(engine_type, value))

    def _typed(self, engine_type: str, value: Any) -> Any:
        if value is None:
            return None
        return read_value("VECTOR" if vector_dimension(engine_type) else engine_type, value, self._dimension)

    def _create(self, writes: Writes) -> None:
        """Row by row: cheapest for a few."""
        for table in _CREATE.keys() & writes.nodes.keys():
            for row in writes.nodes[table]:
                self._create_node(table, row)
        self.run("store.create_terms", terms=writes.nodes["Term"])
        self._count_terms(writes.counts)
        self.run("store.create_names", texts=[row["text"] for row in writes.nodes["Name"]])
        for (links, source, target), between in writes.note_links.items():
            self._create_note_links(links, NoteType(source), NoteType(target), between)
        for (links, source, target), rows in writes.links.items():
            self._create_links(links, source, target, rows)
        for table, words in writes.words.items():
            for note, terms in words:
                self._create_occurs(table, note, terms)

    def _count_terms(self, counts: Mapping[str, tuple[int, int]]) -> None:
        rows = [_count(term, count) for term, count in sorted(counts.items())]
        if len(rows) > FEW:
            self.run("store.count_terms", terms=rows)
            return
        fives, rest = _by_fives(rows)
        for five in fives:
            self.run("store.count_five_terms", **five)
        for row in rest:
            self.run("store.count_term", **row)

    def _create_occurs(self, table: str, note: str, terms: Mapping[str, int]) -> None:
        rows = [{"text": term, "tf": tf} for term, tf in sorted(terms.items())]
        if len(rows) > FEW:
            self.run("store.create_occurs", {"TABLE": table}, id=note, terms=rows)
            return
        fives, rest = _by_fives(rows)
        for five in fives:
            self.run("store.create_five_occurs", {"TABLE": table}, id=note, **five)
        for row in rest:
            self.run("store.create_occur", {"TABLE": table}, id=note, **row)

    def _create_node(self, table: str, row: Row) -> None:
        query = self._library[_CREATE[table]]
        self.run(query.name, **{name: row.get(name) for name in query.parameters})

    def _create_links(self, links: str, source: str, target: str, rows: Sequence[Row]) -> None:
        match links:
            case "NAMES":
                for note, own in _grouped(rows, "to").items():
                    self.run("store.create_named", id=note, texts=[row["from"] for row in own])
            case "SOURCE":
                for note, own in _grouped(rows, "from").items():
                    sources = [{"message": row["to"], "place": row["place"]} for row in own]
                    self.run("store.create_source", {"TABLE": source}, id=note, sources=sources)
            case "RECALLED":
                for row in rows:
                    uses = {"recall": row["from"], "id": row["to"], "stage": row["stage"], "score": row["score"]}
                    self.run("store.create_recalled", {"TABLE": target}, **uses)

    def _create_note_links(self, table: str, source: NoteType, target: NoteType, links: Sequence[Link]) -> None:
        allowed = self._library[_CREATE[table]]
        words = {"SOURCE_TABLE": source.value, "TARGET_TABLE": target.value}
        words = {placeholder: words[placeholder] for placeholder in allowed.choices}
        for link in links:
            self.run(allowed.name, words, source=link.source, target=link.target, **note_link_row(link, source, target))

    def _load(self, writes: Writes) -> None:
        """In bulk. One frame at a time, since together they are as large as the mind."""
        for table, rows in writes.nodes.items():
            self._load_nodes(table, rows)
        self._load_nodes("NoteKey", [key for note_type in NoteType for key in _keys(note_type, writes)])
        for tables, links in writes.note_links.items():
            columns = note_link_columns(links, NoteType(tables[1]), NoteType(tables[2]))
            self._load_links(tables, columns_frame(self._link_types(tables), columns.__getitem__))
        for tables, rows in writes.links.items():
            self._load_links(tables, frame(self._link_types(tables), rows))
        for owner, found in writes.words.items():
            self._load_links(("OCCURS", "Term", owner), words_frame(found))
        if writes.counts:
            types = {"text": "STRING", "note_df": "INT64", "message_df": "INT64"}
            counts = [_count(term, count) for term, count in sorted(writes.counts.items())]
            self.run("store.count_many_terms", frame=frame(types, counts))

    def _load_nodes(self, table: str, rows: Sequence[Row]) -> None:
        if rows:
            loaded = frame(self._columns[table], rows)
            self._copy("store.load_nodes", {"TABLE": table, "COLUMNS": ", ".join(_quoted(loaded.column_names))}, loaded)

    def _link_types(self, tables: tuple[str, str, str]) -> dict[str, str]:
        return {"from": "STRING", "to": "STRING", **self._columns[tables[0]]}

    def _load_links(self, tables: tuple[str, str, str], rows: Any) -> None:
        self._copy("store.load_links", dict(zip(("LINKS", "SOURCE_TABLE", "TARGET_TABLE"), tables, strict=True)), rows)

    def _copy(self, name: str, words: Mapping[str, str], rows: Any) -> None:
        self._transaction.copy(self._library[name].bound(words), {"frame": rows})


def _is_together(table: str, column: str, values: Values) -> bool:
    return column in _MEMORY and table != "Message" and len(values) < BULK_VALUES


def _together(writes: Writes) -> list[tuple[str, str, Values]]:
    return [(*key, values) for key, values in writes.values.items() if _is_together(*key, values)]


def _is_journalled(column: str) -> bool:
    return not column.startswith("v_") and column != "length"


def _quoted(names: Sequence[str]) -> list[str]:
    return [f"`{name}`" for name in names]


def _keys(note_type: NoteType, writes: Writes) -> list[Row]:
    rows = writes.nodes.get(note_type.value, [])
    return [{"key": row["key"], "id": row["id"], "type": note_type.value} for row in rows]


def _count(term: str, count: tuple[int, int]) -> Row:
    return {"text": term, "note_df": count[0], "message_df": count[1]}


def _by_fives(rows: Sequence[Row]) -> tuple[list[Row], Sequence[Row]]:
    """Five rows at a time as one, their names numbered from 0, and the rows that are left."""
    whole = len(rows) - len(rows) % 5
    starts = range(0, whole, 5)
    fives = [{f"{name}{place}": row[name] for place, row in enumerate(rows[at : at + 5]) for name in row} for at in starts]
    return fives, rows[whole:]


def _grouped(rows: Sequence[Row], by: str) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[by], []).append(row)
    return groups


def known_for(change: Change, lookups: Lookups) -> Known:
    """Everything :func:`~soulmem.store.writes.writes_of` asks about ``change``."""
    types = lookups.note_types(_named_ids(change) - {message.id for message in change.messages})
    messages = lookups.ids("Message", _named_ids(change) | _source_ids(change))
    there = Known(types=types, messages=frozenset(messages))
    tables = tables_of(change, there)
    old = {note for note in change.terms if note in types or note in messages}
    occurs = {note: lookups.occurs(tables[note], note) for note in sorted(old)}
    words = {term for terms in change.terms.values() for term in terms} | {term for terms in occurs.values() for term in terms}
    return Known(
        types=types,
        keys=frozenset(lookups.keys(note.key for note in change.notes)),
        messages=frozenset(messages),
        pending=frozenset(lookups.ids("PendingLink", (link.id for link in change.pending))),
        recalls=frozenset(lookups.ids("Recall", (recall.id for recall in change.recalls))),
        embeddings=frozenset(lookups.ids("Embedding", change.embeddings)),
        terms=frozenset(lookups.texts("Term", words)),
        name_texts=frozenset(lookups.texts("Name", (name for names in change.names.values() for name in names))),
        occurs=occurs,
        names={note: lookups.names(note) for note in sorted(change.names) if note in types},
        sources=lookups.sources(note for note, _ in change.sources_added),
    )


def _named_ids(change: Change) -> set[str]:
    ids = {note.id for note in change.notes} | {message.id for message in change.messages}
    ids |= {end for link in change.links for end in (link.source, link.target)}
    ids |= {update.note for update in change.updates} | {note for note, _ in change.sources_added}
    ids |= {use.note for recall in change.recalls for use in recall.uses}
    return ids | change.vectors.keys() | change.terms.keys() | change.names.keys()


def _source_ids(change: Change) -> set[str]:
    return {m for note in change.notes for m in note.sources} | {m for _, m in change.sources_added}
