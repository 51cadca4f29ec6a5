"""Rows as Arrow tables, typed by the engine's own names of its column types. Only large writes need this."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import chain, count
from typing import TYPE_CHECKING, Any

import numpy as np

from soulmem.errors import StoreError
from soulmem.store.keys import term_key
from soulmem.store.queries import naive_utc

if TYPE_CHECKING:
    import pyarrow as pa

_VECTOR = re.compile(r"FLOAT\[(\d+)\]")
_STRUCT = re.compile(r"STRUCT\((.*)\)")


def vector_dimension(engine_type: str) -> int | None:
    """The N of ``FLOAT[N]``; ``None`` for any other type."""
    match = _VECTOR.fullmatch(engine_type)
    return int(match[1]) if match else None


def frame(columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """A table with ``columns`` (name → the engine's type, in order); what a row lacks is null. Times are timezone-aware UTC.

    Vector columns that no row has are left out: a null takes as much room as a vector.
    """
    used = set().union(*rows)
    kept = {name: of for name, of in columns.items() if name in used or vector_dimension(of) is None}
    return columns_frame(kept, lambda name: [row.get(name) for row in rows])


def columns_frame(columns: Mapping[str, str], values: Callable[[str], list[Any]]) -> pa.Table:
    """As :func:`frame`; ``values``: column → its values, one column after the other."""
    import pyarrow as pa

    return pa.table([_column(name, values(name), of) for name, of in columns.items()], names=list(columns))


def _column(name: str, values: list[Any], engine_type: str) -> pa.Array:
    try:
        return _array(values, engine_type)
    except (ValueError, TypeError, OverflowError) as error:
        raise StoreError(f"a value of the column {name} is not {engine_type}: {error}", advice="Nothing was written.") from error


def words_frame(words: Sequence[tuple[str, Mapping[str, int]]]) -> pa.Table:
    """Links from words to the notes or messages they occur in: from, to, tf."""
    import pyarrow as pa

    owners = np.repeat(np.arange(len(words)), [len(terms) for _, terms in words])
    numbers: dict[str, int] = defaultdict(count().__next__)
    occur = np.fromiter(map(numbers.__getitem__, chain.from_iterable(terms for _, terms in words)), np.int64, len(owners))
    columns = {
        "from": pa.array(list(map(term_key, numbers)), pa.string()).take(pa.array(occur)),
        "to": pa.array([note for note, _ in words], pa.string()).take(pa.array(owners)),
        "tf": pa.array(np.fromiter(chain.from_iterable(terms.values() for _, terms in words), np.int64, len(owners))),
    }
    return pa.table(columns)


def _array(values: list[Any], engine_type: str) -> pa.Array:
    import pyarrow as pa

    dimension = vector_dimension(engine_type)
    if dimension is not None:
        return vectors_array(values, dimension)
    if engine_type == "TIMESTAMP":
        return _times_array(values)
    return pa.array(values, _arrow_type(engine_type))


def _times_array(values: list[Any]) -> pa.Array:
    """Times as the engine keeps them: UTC without a zone. Most of a file are few, or none."""
    import pyarrow as pa

    different = {id(value): value for value in values}  # by identity: times are slow to compare
    places = {identity: place for place, identity in enumerate(different)}
    naive = [naive_utc(value) if isinstance(value, datetime) else value for value in different.values()]
    return pa.array(naive, _arrow_type("TIMESTAMP")).take(pa.array([places[id(value)] for value in values], pa.int64()))


def vectors_array(values: Sequence[Any], dimension: int) -> pa.Array:
    """Vectors of length ``dimension``, some of them ``None``."""
    import pyarrow as pa

    matrix = np.zeros((len(values), dimension), dtype=np.float32)
    missing = np.array([value is None for value in values], dtype=bool)
    for number, value in enumerate(values):
        if value is not None:
            matrix[number] = value
    return pa.FixedSizeListArray.from_arrays(pa.array(matrix.ravel()), dimension, mask=pa.array(missing))


def _arrow_type(engine_type: str) -> Any:
    import pyarrow as pa

    if engine_type.endswith("[]"):
        return pa.list_(_arrow_type(engine_type.removesuffix("[]")))
    struct = _STRUCT.fullmatch(engine_type)
    if struct:
        fields = [part.strip().split(" ", 1) for part in struct[1].split(",")]
        return pa.struct([(name, _arrow_type(of)) for name, of in fields])
    simple = {
        "STRING": pa.string(),
        "INT64": pa.int64(),
        "DOUBLE": pa.float64(),
        "FLOAT": pa.float32(),
        "BOOL": pa.bool_(),
        "TIMESTAMP": pa.timestamp("us"),
    }
    return simple[engine_type]
