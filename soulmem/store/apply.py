"""Writing a :class:`Change`: look up, plan, write, and enter it in the journal; all in one transaction."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from typing import Any

from soulmem.model.changes import Change, Operation, Removal, Vector
from soulmem.model.links import Link, LinkType
from soulmem.model.notes import NoteType, searched_text
from soulmem.store import journal
from soulmem.store._kuzu import Table, Transaction
from soulmem.store.ahead import ahead
from soulmem.store.frames import columns_frame, frame, words_frame
from soulmem.store.keys import term_key
from soulmem.store.lookups import FEW, WHOLE_TABLE, Lookups, ids_frame
from soulmem.store.own_vectors import vectors_at
from soulmem.store.queries import Library, read_value
from soulmem.store.results import dicts
from soulmem.store.revisions import retold_ids, without_stale
from soulmem.store.rows import (
    PAYLOADS,
    SHORT,
    Row,
    chat_row,
    embedding_bytes,
    embedding_of,
    embedding_text,
    note_link_column,
    note_link_row,
)
from soulmem.store.validity import superseded_ids, with_validity
from soulmem.store.writes import LATE, Columns, Known, Writes, tables_of, words_size, writes_of, written_ids

#: From this many values of one column they are set through a frame.
BULK_VALUES = 64
#: Of a text the engine takes so many times its bytes: long ones are rounded up to a power of two, and copied.
TEXT_ROOM = 8
#: Rows of a table that the engine keeps together.
GROUP_ROWS = 131_072
#: So many rows of a table are made and loaded at once.
LOADED_ROWS = 8192
#: So many frames are made while the engine loads one: making some takes longer than loading the one before.
FRAMES_AHEAD = 3
#: A mind that holds less than is written is loaded in bulk from this share of a change on that else is: into tables where much is
#: the engine must make room for every link, and takes a checkpoint for it.
FRESH = 0.4
#: From so many links on they are changed, or removed, through a frame, which looks through all links once.
BULK_LINKS = 24

Values = Sequence[tuple[str, Any]]
#: A query that loads rows in bulk, the words it is bound with, and the rows.
Load = tuple[str, Mapping[str, str], Any]

#: Columns that a recall changes together, of a few notes: one statement a note instead of one a value.
_MEMORY = frozenset({"retrieval_count", "last_accessed_at", "strength", "decayed_at", "due_at", "active", "asleep"})

#: Columns that links of all types have and that change.
_LINK_STATE = ("intensity", "last_fired_at", "fired_count")

_CREATE = {
    **{note_type.value: f"store.create_{short}" for note_type, short in SHORT.items()},
    "Message": "store.create_message",
    "PendingLink": "store.create_pending",
    "Recall": "store.create_recall",
    "Embedding": "store.create_embedding",
    "Picture": "store.create_picture",
    "Meta": "store.create_meta",
    "Sem": "store.create_sem",
    "Proc": "store.create_proc",
    "Situation": "store.create_situation",
}


def bulk_bytes(change: Change, dimension: int, bulk_size: int, rows_there: int = 0) -> int:
    """About how much memory the engine needs to load ``change`` in bulk, 0 if it is too small for that.

    The engine crashes if it gets less: it lays out whole blocks of 2,048 rows of every column, holds all that is not committed,
    and writes the group of :data:`GROUP_ROWS` rows anew to which some are added. ``rows_there``: how many the largest table has.
    """
    vectors = [vector for vectors in change.vectors.values() for vector in vectors.values()]
    types = {note.id: note.type for note in change.notes}
    columns = len({(types.get(owner), column) for owner, vectors in change.vectors.items() for column in vectors})
    numbers = sum(vector.size for vector in vectors)
    numbers += sum(vector.size for cache, vector in change.embeddings.items() if cache not in change.own_vectors)
    words = sum(len(terms) for terms in change.terms.values())
    rows = len(change.notes) + len(change.messages) + len(change.links) + len(change.embeddings) + len(change.updates)
    if 3 * rows + words_size(change.terms.values()) < FRESH * bulk_size:
        return 0
    new = (
        64 * 2**20
        + (columns + 4) * 2048 * 4 * dimension
        + 12 * numbers
        + 200 * words
        + 2000 * rows
        + TEXT_ROOM * _text_bytes(change)
    )
    return new + group_bytes(dimension, rows_there)


def group_bytes(dimension: int, rows_there: int) -> int:
    """What of it is for the group that is written anew where the largest table has ``rows_there`` rows."""
    return 2 * embedding_bytes(dimension) * min(rows_there, GROUP_ROWS)


def _text_bytes(change: Change) -> int:
    """About how long the texts of the new rows are in UTF-8."""
    texts = chain((said.text for said in change.messages), map(searched_text, change.notes), change.pictures.values())
    return sum(len(text) if text.isascii() else 3 * len(text) for text in texts)


def removes_links(change: Change) -> bool:
    """Whether ``change`` may remove links: between notes, or from words and names to notes that are there."""
    new = {note.id for note in change.notes} | {message.id for message in change.messages}
    anew = (change.terms.keys() | change.names.keys()) - new
    return bool(anew or change.links_removed or change.removed != Removal())


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

    def apply(
        self, change: Change, told: Mapping[str, Any] | None = None, progress: Callable[[int, int], None] | None = None
    ) -> Operation:
        """Write ``change`` with its journal entry, which says besides what is ``told``. ``progress(done, total)``: of rows that
        are loaded in bulk."""
        lookups = Lookups(self.run)
        change = with_validity(change, lookups.validities(superseded_ids(change)))
        change = without_stale(change, lookups.revised(retold_ids(change)))
        known = known_for(change, lookups)
        writes = writes_of(change, known, self._columns)
        removed = lookups.rows_of(change.removed, known.types)
        before = journal.before(change, known, self._present(writes, lookups), self._replaced(change), removed)
        operation = Operation(
            number=self.next_number(), at=change.at, command=change.command, what=change.what, undoes=change.undoes
        )
        self._keep_vectors_of(known, change)
        self._remove(change, known, removed)
        self._write(change, writes, progress)
        if writes.nodes.get("Meta"):
            self._transaction.late = lambda transaction: set_late_vectors(transaction, self._library)
        for one in change.supersedes:
            self.run("store.create_supersedes", new=one.new, old=one.old, at=one.at, reason=one.reason)
        self._sweep(known, writes)
        self.enter(operation, before, {**journal.after(change, known, writes), **(told or {})})
        return operation

    def keep(self, vectors: Mapping[str, Vector]) -> None:
        """Keep the vectors that are not there, one by one: what is loaded in bulk needs a journal entry, to be recovered by."""
        there = Lookups(self.run).ids("Embedding", vectors)
        for cache, vector in vectors.items():
            if cache not in there:
                self.run("store.create_embedding", id=cache, vector=embedding_text(vector))

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
            "before": journal.packed(before),
            "after": journal.compact(after),
            "undoes": operation.undoes,
        }
        if self._transaction.has_copied:
            for load in self._node_loads("Operation", [row]):
                self._copy(*load())
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
            "meta": [{"name": name, **self._meta(name)} for name in (*change.meta, *change.removed.meta)],
        }

    def _meta(self, name: str) -> Row:
        """The recorded value, if there is one."""
        rows = self.run("store.meta", name=name)
        return {"value": json.loads(rows[0]["value"])} if rows else {}

    def _keep_vectors_of(self, known: Known, change: Change) -> None:
        """Write out the kept vectors that are those of messages and situations which get others."""
        going = change.vectors.keys() & (known.types.keys() | known.messages)
        # What was said just now has none yet: nothing need be looked through.
        there = vectors_at(self.run, [(known.types[one].value if one in known.types else "Message", one) for one in going])
        if there:
            kept = {cache: there[place] for cache, place in Lookups(self.run).all_places().items() if place in there}
            self._embed_anew([{"id": cache, "vector": embedding_text(vector)} for cache, vector in kept.items()])

    def _embed_anew(self, rows: Sequence[Row]) -> None:
        """Keep other vectors under ids that are there."""
        if rows:
            values = [{"id": row["id"], "value": row["vector"]} for row in rows]
            self.run("store.set_embeddings", frame=frame({"id": "STRING", "value": "STRING"}, values))

    def _remove(self, change: Change, known: Known, rows: Mapping[str, Any]) -> None:
        """Remove what goes."""
        removed = change.removed
        for row in rows["supersedes"]:
            self.run("store.delete_supersedes", new=row["new"], old=row["old"])
        for note, message in removed.sources:
            self.run("store.delete_source", {"TABLE": known.types[note].value}, id=note, message=message)
        self._delete("Recall", removed.recalls)
        for table, notes in rows["notes"].items():
            self._delete(table, [note["id"] for note in notes])
            self._give_up_keys([note["key"] for note in notes])
        for table, ids in (("Message", removed.messages), ("PendingLink", removed.pending), ("Chat", removed.chats)):
            self._delete(table, ids)
        for name in removed.meta:
            self.run("store.delete_meta", name=name)

    def _delete(self, table: str, ids: Sequence[str]) -> None:
        if len(ids) >= BULK_VALUES:
            self.run("store.delete_nodes", {"TABLE": table}, frame=ids_frame(ids))
            return
        for one in ids:
            self.run("store.delete_node", {"TABLE": table}, id=one)

    def _give_up_keys(self, keys: Sequence[str]) -> None:
        if len(keys) >= BULK_VALUES:
            self.run("store.delete_keys", frame=frame({"key": "STRING"}, [{"key": key} for key in keys]))
            return
        for key in keys:
            self.run("store.delete_key", key=key)

    def _sweep(self, known: Known, writes: Writes) -> None:
        """Words that occur nowhere any more, and names that nothing has, go too."""
        texts = sorted(term for term, count in writes.counts.items() if min(count) < 0)
        if len(texts) > WHOLE_TABLE:
            self.run("store.delete_all_terms")
        else:
            self.run("store.delete_terms", texts=texts)
        self.run("store.delete_names", texts=list(known.lost_names))

    def _write(self, change: Change, writes: Writes, progress: Callable[[int, int], None] | None) -> None:
        for table, note in writes.cleared:
            self.run("store.delete_occurs", {"TABLE": table}, id=note)
        for note in writes.renamed:
            self.run("store.delete_named", id=note)
        self._cut(writes.links_cut)
        self._set_links(writes.links_set)
        if change.connected:
            self.run("store.delete_pending", ids=list(change.connected))
        for chat in change.chats:
            self.run("store.put_chat", **chat_row(chat))
        for name, value in change.meta.items():
            self.run("store.set_meta", name=name, value=json.dumps(value, ensure_ascii=False))
        if self._is_bulk(writes):
            self._load(change, writes, progress)
        else:
            self._create(writes)
        self._count(writes)
        self._embed_anew(writes.embedded_anew)
        for (table, column), values in writes.values.items():
            if not _is_together(table, column, values):
                self._set(table, column, values)
        self._set_together(writes)

    def _is_bulk(self, writes: Writes) -> bool:
        if not FRESH * self._bulk_size <= writes.size < self._bulk_size:
            return writes.size >= self._bulk_size
        there = {row["name"]: int(row["count"]) for row in self.run("store.node_counts")}
        return sum(there.get(table, 0) for table in writes.nodes) < writes.rows_of_nodes

    def _count(self, writes: Writes) -> None:
        """Bring the words' document frequencies up to date."""
        counts = [_count(term, count) for term, count in sorted(writes.counts.items())]
        if len(counts) > WHOLE_TABLE or (counts and self._transaction.has_copied):
            types = {"key": "STRING", "note_df": "INT64", "message_df": "INT64"}
            self.run("store.count_many_terms", frame=frame(types, _with_keys(counts)))
        elif counts:
            self._count_terms(counts)

    def _cut(self, links: Sequence[Row]) -> None:
        if len(links) >= BULK_LINKS:
            for (table, source), rows in _by_tables(links).items():
                words = {"LINKS": table, "SOURCE_TABLE": source}
                self.run("store.delete_links", words, frame=ids_frame([row["id"] for row in rows]))
            return
        for row in links:
            self.run("store.delete_link", _link_words(row), **{name: row[name] for name in ("source", "target", "id")})

    def _set_links(self, links: Sequence[Row]) -> None:
        if len(links) >= BULK_LINKS:
            for (table, source), rows in _by_tables(links).items():
                payload = PAYLOADS[LinkType(table)]
                columns = self._columns[table]
                types = {"id": "STRING", **{name: columns[name] for name in _LINK_STATE}, "payload": columns[payload]}
                words = {"LINKS": table, "SOURCE_TABLE": source, "PAYLOAD": payload}
                values = [row | {"payload": row[payload]} for row in rows]
                self.run("store.set_links", words, frame=frame(types, values))
            return
        for row in links:
            payload = PAYLOADS[LinkType(row["type"])]
            values_ = {name: row[name] for name in ("source", "target", "id", *_LINK_STATE)}
            values_ |= {"intensity": float(row["intensity"]), "payload": row[payload]}
            self.run("store.set_link", _link_words(row) | {"PAYLOAD": payload}, **values_)

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
        return read_value(engine_type, value, self._dimension)

    def _create(self, writes: Writes) -> None:
        """Row by row: cheapest for a few."""
        for table in _CREATE.keys() & writes.nodes.keys():
            for row in writes.nodes[table]:
                self._create_node(table, row)
        self.run("store.create_terms", terms=writes.nodes["Term"])
        self.run("store.create_names", texts=[row["text"] for row in writes.nodes["Name"]])
        for (links, source, target), between in writes.note_links.items():
            self._create_note_links(links, NoteType(source), NoteType(target), between)
        for (links, source, target), rows in writes.links.items():
            self._create_links(links, source, target, rows)
        for table, words in writes.words.items():
            for note, terms in words:
                self._create_occurs(table, note, terms)

    def _count_terms(self, counts: Sequence[Row]) -> None:
        if len(counts) > FEW:
            self.run("store.count_terms", terms=_with_keys(counts))
            return
        fives, rest = _by_fives(counts)
        for five in fives:
            self.run("store.count_five_terms", **five)
        for row in rest:
            self.run("store.count_term", **row)

    def _create_occurs(self, table: str, note: str, terms: Mapping[str, int]) -> None:
        rows = [{"text": term, "tf": tf} for term, tf in sorted(terms.items())]
        if len(rows) > FEW:
            self.run("store.create_occurs", {"TABLE": table}, id=note, terms=_with_keys(rows))
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

    def _load(self, change: Change, writes: Writes, progress: Callable[[int, int], None] | None) -> None:
        """In bulk. Few frames are made while another is loaded, since together they are as large as the mind."""
        for row in writes.nodes.get("Meta", ()):  # values were written to it by now
            self._create_node("Meta", row)
        done, total = 0, writes.rows + len(change.notes)
        with closing(ahead(self._loads(change, writes), FRAMES_AHEAD)) as loads:
            for name, words, rows in loads:
                self._copy(name, words, rows)
                done += rows.num_rows
                if progress is not None:
                    progress(done, total)

    def _copy(self, name: str, words: Mapping[str, str], rows: Any) -> None:
        self._transaction.copy(self._library[name].bound(words), {"frame": rows})

    def _loads(self, change: Change, writes: Writes) -> Iterator[Callable[[], Load]]:
        """What to load, in order: nodes before the links that join them."""
        for table, rows in writes.nodes.items():
            if table != "Meta":
                yield from self._node_loads(table, rows)
        yield from self._node_loads(
            "NoteKey", [{"key": note.key, "id": note.id, "type": note.type.value} for note in change.notes]
        )
        for tables, links in writes.note_links.items():
            column = partial(note_link_column, links=links, source=NoteType(tables[1]), target=NoteType(tables[2]))
            yield self._link_load(tables, partial(columns_frame, self._link_types(tables), column))
        for tables, rows in writes.links.items():
            yield self._link_load(tables, partial(frame, self._link_types(tables), rows))
        for owner, found in writes.words.items():
            yield self._link_load(("OCCURS", "Term", owner), partial(words_frame, found))

    def _node_loads(self, table: str, rows: Sequence[Row]) -> Iterator[Callable[[], Load]]:
        def load(begin: int) -> Load:
            loaded = frame(self._columns[table], rows[begin : begin + LOADED_ROWS])
            return "store.load_nodes", {"TABLE": table, "COLUMNS": ", ".join(_quoted(loaded.column_names))}, loaded

        return (partial(load, begin) for begin in range(0, len(rows), LOADED_ROWS))

    def _link_load(self, tables: tuple[str, str, str], made: Callable[[], Any]) -> Callable[[], Load]:
        words = dict(zip(("LINKS", "SOURCE_TABLE", "TARGET_TABLE"), tables, strict=True))
        return lambda: ("store.load_links", words, made())

    def _link_types(self, tables: tuple[str, str, str]) -> dict[str, str]:
        return {"from": "STRING", "to": "STRING", **self._columns[tables[0]]}


def _link_words(row: Row) -> dict[str, str]:
    return {"LINKS": row["type"], "SOURCE_TABLE": row["source_type"], "TARGET_TABLE": row["target_type"]}


def _by_tables(links: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in links:
        groups.setdefault((row["type"], row["source_type"]), []).append(row)
    return groups


def _is_together(table: str, column: str, values: Values) -> bool:
    return column in _MEMORY and table != "Message" and len(values) < BULK_VALUES


def _together(writes: Writes) -> list[tuple[str, str, Values]]:
    return [(*key, values) for key, values in writes.values.items() if _is_together(*key, values)]


def _is_journalled(column: str) -> bool:
    return not column.startswith("v_") and column != "length"


def _quoted(names: Sequence[str]) -> list[str]:
    return [f"`{name}`" for name in names]


def _count(term: str, count: tuple[int, int]) -> Row:
    return {"text": term, "note_df": count[0], "message_df": count[1]}


def _with_keys(rows: Sequence[Row]) -> list[Row]:
    """Rows about words, with the key of each."""
    return [row | {"key": term_key(row["text"])} for row in rows]


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
    removed = change.removed
    named = written_ids(change) | {*removed.notes, *removed.messages} | {note for note, _ in removed.sources}
    types = lookups.note_types(named - {message.id for message in change.messages})
    messages = lookups.ids("Message", named)
    there = Known(types=types, messages=frozenset(messages))
    tables = tables_of(change, there)
    old = {note for note in change.terms if note in types or note in messages}
    occurs = {note: lookups.occurs(tables[note], note) for note in sorted(old)}
    words = set[str]().union(*change.terms.values(), *occurs.values())
    lost = _removed_words(removed, types, lookups)
    embeddings = lookups.ids("Embedding", change.embeddings)
    useless = lookups.useless({cache: change.embeddings[cache] for cache in embeddings})
    changed_links = (*change.links_removed, *(update.link for update in change.link_updates))
    return Known(
        types=types,
        keys=frozenset(lookups.keys(note.key for note in change.notes)),
        messages=frozenset(messages),
        pending=frozenset(lookups.ids("PendingLink", (*(link.id for link in change.pending), *removed.pending))),
        recalls=frozenset(lookups.ids("Recall", (*(recall.id for recall in change.recalls), *removed.recalls))),
        embeddings=frozenset(embeddings),
        useless=frozenset(useless),
        pictures=frozenset(lookups.ids("Picture", change.pictures)),
        terms=frozenset(lookups.texts("Term", words | lost.keys())),
        name_texts=frozenset(lookups.texts("Name", (name for names in change.names.values() for name in names))),
        occurs=occurs,
        names={note: lookups.names(note) for note in sorted(change.names) if note in types},
        sources=lookups.sources(note for note, _ in (*change.sources_added, *removed.sources)),
        links=lookups.links(changed_links, change.link_sources, removed.notes) if changed_links or removed.notes else {},
        removed_words=lost,
        lost_names=_lost_names(change, types, lookups),
    )


def _lost_names(change: Change, types: Mapping[str, NoteType], lookups: Lookups) -> list[str]:
    """Names that no note has after ``change``."""
    renamed = [note for note in (*change.names, *change.removed.notes) if types.get(note) is NoteType.SEMANTIC]
    kept = {name for names in change.names.values() for name in names}
    return lookups.lost_names(renamed, kept) if renamed else []


def _removed_words(removed: Removal, types: Mapping[str, NoteType], lookups: Lookups) -> dict[str, tuple[int, int]]:
    """Word → in how many of the notes and of the messages that are removed it occurs."""
    by_type: dict[NoteType, list[str]] = {}
    for note in removed.notes:
        if note in types:
            by_type.setdefault(types[note], []).append(note)
    notes: Counter[str] = Counter()
    for kind, ids in by_type.items():
        notes.update(lookups.words_of(kind.value, ids))
    messages = lookups.words_of("Message", removed.messages)
    return {word: (notes[word], messages.get(word, 0)) for word in notes.keys() | messages.keys()}


def set_late_vectors(transaction: Transaction, library: Library) -> None:
    """Set the vectors that wait in ``Meta``, in a transaction between two checkpoints."""
    waiting: dict[tuple[str, str], Row] = {}
    for row in dicts(transaction.run(library["store.late_vectors"].text)):
        table, column, note = row["name"].removeprefix(LATE).split("/", 2)
        vector = json.loads(row["value"])
        waiting.setdefault((table, column), {})[note] = vector and embedding_of(vector)
    for (table, column), values in waiting.items():
        words = {"TABLE": table, "COLUMN": column}
        for note, vector in values.items():
            value = None if vector is None else vector.tolist()
            transaction.run(library["store.set_value"].bound(words), {"id": note, "value": value})
    transaction.run(library["store.delete_late_vectors"].text)
