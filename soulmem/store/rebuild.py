"""Copying a whole mind into a new file, which then takes its place.

Two things need it. Deleted text stays in the engine's file until everything is written anew. And the vector columns of another
embedder have another length: the engine crashes when a column was dropped and others are set before the next checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from soulmem.errors import StoreError
from soulmem.model.changes import Vector
from soulmem.store import migrations, results
from soulmem.store._kuzu import Engine, Transaction
from soulmem.store.cypher import statements
from soulmem.store.frames import frame, vector_dimension
from soulmem.store.own_vectors import Place, place_of, vectors_at
from soulmem.store.queries import Library
from soulmem.store.rows import Row, embedding_text

if TYPE_CHECKING:
    from soulmem.store.erase import Eraser

#: Rows of a table that are copied at once.
CHUNK = 1024

_NOTES = ("Semantic", "SpecificSituation", "AbstractSituation", "Procedure")
_OTHERS = ("Meta", "Chat", "Message", "PendingLink", "Term", "Name", "Recall", "Operation", "Embedding", "Picture")
#: The tables of a mind but ``NoteKey``, which follows from the notes.
NODES = _NOTES + _OTHERS
LINKS = ("Sem", "Proc", "Situation", "SUPERSEDES", "SOURCE", "OCCURS", "NAMES", "RECALLED")

NOTHING_LEFT: Mapping[str, Vector] = {}

#: Note or message id → vector column → vector.
Vectors = Mapping[str, Mapping[str, Vector]]


def copy_mind(
    old: Engine,
    new: Engine,
    library: Library,
    schema: Traversable,
    dimension: int,
    vectors: Vectors | None,
    eraser: Eraser | None = None,
    left: Mapping[str, Vector] = NOTHING_LEFT,
) -> None:
    """Fill ``new``, an empty database, with all that ``old`` holds.

    ``vectors`` (of length ``dimension``) replace those that were there; ``None`` keeps them. How often words occur is counted
    anew, and the keys are taken from the notes: statements of the user's own may have made and deleted notes past soulmem.
    ``eraser``: what does not come along. ``left``: cache id → vector, of kept vectors whose notes and messages have gone.
    """

    def loses(place: Place) -> bool:
        return vectors is not None or (eraser is not None and not eraser.keeps_note(place[1]))

    mend = _mended(old, library, loses, left)
    with new.transaction() as transaction:
        for step in migrations.steps(schema):
            for statement in statements(step.text):
                transaction.copy(statement)
        for statement in migrations.vector_statements(schema, dimension):
            transaction.copy(statement)
        columns = columns_of(transaction, library)
        _load_keys(old, transaction, library, columns["NoteKey"], eraser)
        for table in NODES:
            mended = _kept_of(table, mend.get(table, list), eraser)
            _load_table(old, transaction, library, table, columns[table], vectors, mended)
        for links in LINKS:
            _load_links(old, transaction, library, links, columns[links], eraser)


def columns_of(transaction: Transaction, library: Library) -> dict[str, dict[str, str]]:
    """Table → column → the engine's type, in order, for node and link tables."""
    described = library["store.table_columns"]
    found = {}
    for (table,) in transaction.run(library["store.tables"].text).rows:
        found[table] = dict(transaction.run(described.bound({"TABLE": table})).rows)
    return found


def _load_table(
    old: Engine,
    new: Transaction,
    library: Library,
    table: str,
    types: Mapping[str, str],
    vectors: Vectors | None,
    mend: Callable[[list[Row]], list[Row]],
) -> None:
    kept = [name for name in types if vectors is None or vector_dimension(types[name]) is None]
    text = library["store.dump_nodes"].bound({"TABLE": table, "COLUMNS": ", ".join(f"n.`{name}`" for name in kept)})
    for chunk in chunks(old, library, table):
        rows = mend([dict(zip(kept, row, strict=True)) for row in results.rows(old.read(text, chunk))])
        if rows:
            loaded = frame(types, [row | dict((vectors or {}).get(row.get("id", ""), {})) for row in rows])
            columns = ", ".join(f"`{name}`" for name in loaded.column_names)
            new.copy(library["store.load_nodes"].bound({"TABLE": table, "COLUMNS": columns}), {"frame": loaded})


def _kept_of(table: str, mend: Callable[[list[Row]], list[Row]], eraser: Eraser | None) -> Callable[[list[Row]], list[Row]]:
    return mend if eraser is None else lambda rows: eraser.rows(table, mend(rows))


def _mended(
    old: Engine, library: Library, loses: Callable[[Place], bool], left: Mapping[str, Vector]
) -> dict[str, Callable[[list[Row]], list[Row]]]:
    """For the tables whose rows follow from other tables: what makes them agree. ``loses``: whether a note or message does not
    come along with its vector."""
    counted = {row["text"]: row for row in results.dicts(old.read(library["store.word_counts"].text, {}))}

    def terms(rows: list[Row]) -> list[Row]:
        return [row | {"note_df": counted[row["text"]]["notes"], "message_df": counted[row["text"]]["messages"]} for row in rows]

    def kept(rows: list[Row]) -> list[Row]:
        written = (row | {"vector": embedding_text(left[row["id"]])} if row["id"] in left else row for row in rows)
        return _written_out(old, library, loses, list(written))

    return {"Term": terms, "Embedding": kept}


def _written_out(old: Engine, library: Library, loses: Callable[[Place], bool], rows: list[Row]) -> list[Row]:
    """Kept vectors, with those of notes and messages that do not come along."""
    found = {row["id"]: place_of(row["vector"]) for row in rows}
    places = {id_: place for id_, place in found.items() if place is not None and loses(place)}
    vectors = vectors_at(lambda name, ids: results.dicts(old.read(library[name].text, {"ids": ids})), places.values())
    there = [row for row in rows if row["id"] not in places or places[row["id"]] in vectors]
    return [row | {"vector": embedding_text(vectors[places[row["id"]]])} if row["id"] in places else row for row in there]


def _load_keys(old: Engine, new: Transaction, library: Library, types: Mapping[str, str], eraser: Eraser | None) -> None:
    """The keys that the notes have, each of the first that has it."""
    keys: dict[str, Row] = {}
    for note in results.dicts(old.read(library["store.note_keys"].text, {})):
        if note["key"] and (eraser is None or eraser.keeps_note(note["id"])):
            keys.setdefault(note["key"], {"key": note["key"], "id": note["id"], "type": note["type"]})
    if keys:
        loaded = frame(types, list(keys.values()))
        columns = ", ".join(f"`{name}`" for name in loaded.column_names)
        new.copy(library["store.load_nodes"].bound({"TABLE": "NoteKey", "COLUMNS": columns}), {"frame": loaded})


def _load_links(
    old: Engine, new: Transaction, library: Library, links: str, types: Mapping[str, str], eraser: Eraser | None
) -> None:
    ends = {"from": "STRING", "to": "STRING"}
    for pair in results.dicts(old.read(library["store.connections"].bound({"LINKS": links}), {})):
        words = {"LINKS": links, "SOURCE_TABLE": pair["source"], "TARGET_TABLE": pair["target"]}
        text = library["store.dump_links"].bound({**words, "SOURCE_KEY": pair["source_key"]})
        rows = [dict(zip((*ends, *types), row, strict=True)) for row in results.rows(old.read(text, {}))]
        rows = rows if eraser is None else eraser.links(links, rows)
        if rows:
            new.copy(library["store.load_links"].bound(words), {"frame": frame({**ends, **types}, rows)})


def chunks(old: Engine, library: Library, table: str) -> list[dict[str, int]]:
    """The rows of a table in parts, by their internal numbers."""
    last = results.dicts(old.read(library["store.last_offset"].bound({"TABLE": table}), {}))[0]["last"]
    return [] if last is None else [{"first": first, "last": first + CHUNK} for first in range(0, last + 1, CHUNK)]


def text_rows(old: Engine, library: Library, table: str) -> Iterator[list[Row]]:
    """The rows of a table without their vectors, some at once."""
    types = dict(old.read(library["store.table_columns"].bound({"TABLE": table}), {}).rows)
    kept = [name for name in types if vector_dimension(types[name]) is None]
    text = library["store.dump_nodes"].bound({"TABLE": table, "COLUMNS": ", ".join(f"n.`{name}`" for name in kept)})
    for chunk in chunks(old, library, table):
        yield [dict(zip(kept, row, strict=True)) for row in results.rows(old.read(text, chunk))]


def check_vectors(old: Engine, library: Library, vectors: Vectors, dimension: int) -> None:
    """Refuse vectors of another length, of columns that are not there, and of notes and messages that are not there."""
    tables = {row["id"]: row["type"] for row in results.dicts(old.read(library["store.note_keys"].text, {}))}
    tables |= {i: "Message" for (i,) in old.read(library["store.all_ids"].bound({"TABLE": "Message"}), {}).rows}
    columns = {table: _vector_columns(old, library, table) for table in sorted(set(tables.values()))}
    for note, mine in vectors.items():
        if note not in tables:
            raise StoreError(f"{note!r}, owner of a vector, is not in the mind", advice="Nothing was written.")
        for column, vector in mine.items():
            if vector.shape != (dimension,) or column not in columns[tables[note]]:
                what = f"{tables[note]} {note!r} cannot have the vector {column} of shape {vector.shape}"
                raise StoreError(what, advice=f"Nothing was written. Vectors of this embedder have {dimension} numbers.")


def _vector_columns(old: Engine, library: Library, table: str) -> set[str]:
    rows = old.read(library["store.table_columns"].bound({"TABLE": table}), {}).rows
    return {name for name, engine_type in rows if vector_dimension(engine_type) is not None}
