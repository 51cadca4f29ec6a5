"""All texts that a mind holds, as the engine gives them: for who looks whether one is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from soulmem.store import results
from soulmem.store._kuzu import Engine
from soulmem.store.journal import compact, unpacked
from soulmem.store.queries import Library
from soulmem.store.rebuild import LINKS, NODES, chunks


def texts(engine: Engine, library: Library) -> Iterator[tuple[str, str, str]]:
    """(table, column, text) of all that is text in any table; entries of the journal unpacked. Pictures are none."""
    for table in (*(table for table in NODES if table != "Picture"), "NoteKey"):
        yield from _of_nodes(engine, library, table)
    for links in LINKS:
        yield from _of_links(engine, library, links)


def _of_nodes(engine: Engine, library: Library, table: str) -> Iterator[tuple[str, str, str]]:
    columns = [name for name, kind in _columns(engine, library, table).items() if "STRING" in kind]
    query = library["store.dump_nodes"].bound({"TABLE": table, "COLUMNS": ", ".join(f"n.`{name}`" for name in columns)})
    for chunk in chunks(engine, library, table):
        yield from _found(table, columns, results.rows(engine.read(query, chunk)))


def _of_links(engine: Engine, library: Library, links: str) -> Iterator[tuple[str, str, str]]:
    columns = _columns(engine, library, links)
    if "STRING" not in columns.values():
        return
    for pair in results.dicts(engine.read(library["store.connections"].bound({"LINKS": links}), {})):
        words = {"LINKS": links, "SOURCE_TABLE": pair["source"], "TARGET_TABLE": pair["target"]}
        query = library["store.dump_links"].bound({**words, "SOURCE_KEY": pair["source_key"]})
        # Without the ends: their ids are texts of the notes.
        yield from _found(links, list(columns), [row[2:] for row in results.rows(engine.read(query, {}))])


def _columns(engine: Engine, library: Library, table: str) -> dict[str, str]:
    return dict(engine.read(library["store.table_columns"].bound({"TABLE": table}), {}).rows)


def _found(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        for column, value in zip(columns, row, strict=True):
            for text in _strings(value):
                packed = (table, column) == ("Operation", "before")
                yield table, column, compact(unpacked(text)) if packed else text


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
