"""The engine's answers as plain Python values: times are timezone-aware, whole numbers are ints."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from soulmem.store._kuzu import Table
from soulmem.store.frames import vector_dimension

if TYPE_CHECKING:
    import pyarrow as pa

_NUMBERS = frozenset({"INT8", "INT16", "INT32", "INT64", "INT128", "UINT8", "UINT16", "UINT32", "UINT64", "FLOAT", "DOUBLE"})
_SIMPLE = frozenset({"STRING", "BOOL", "INT64", "DOUBLE", "FLOAT", "INT32", "STRING[]", "INT64[]", "DOUBLE[]", "FLOAT[]"})


def plain(value: Any) -> Any:
    """``value`` with timezone-aware times and without Decimals that are whole numbers, however deep."""
    match value:
        case datetime():
            return value.replace(tzinfo=UTC) if value.tzinfo is None else value
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case dict():
            return {name: plain(item) for name, item in value.items()}
        case list():
            return [plain(item) for item in value]
        case _:
            return value


def _converters(types: list[str]) -> list[Callable[[Any], Any] | None]:
    return [
        None if name in _SIMPLE or vector_dimension(name) or ("STRUCT" in name and "TIMESTAMP" not in name) else plain
        for name in types
    ]


def rows(table: Table) -> list[list[Any]]:
    """The rows, with plain values."""
    converters = [(i, convert) for i, convert in enumerate(_converters(table.types)) if convert]
    for row in table.rows:
        for i, convert in converters:
            row[i] = convert(row[i])
    return table.rows


def dicts(table: Table) -> list[dict[str, Any]]:
    """The rows as dicts."""
    return [dict(zip(table.columns, row, strict=True)) for row in rows(table)]


def columns(table: Table) -> dict[str, list[Any] | NDArray[np.generic]]:
    """The columns: numbers as arrays (nulls as NaN), fixed vectors as a matrix (nulls as rows of NaN), others as lists."""
    values = list(zip(*rows(table), strict=True)) or [()] * len(table.columns)
    return {name: _column(list(v), of) for name, of, v in zip(table.columns, table.types, values, strict=True)}


def empty(engine_type: str) -> list[Any] | NDArray[np.generic]:
    """A column without rows."""
    return _column([], engine_type)


def _column(values: list[Any], engine_type: str) -> list[Any] | NDArray[np.generic]:
    dimension = vector_dimension(engine_type)
    if dimension is not None:
        missing = [np.nan] * dimension
        return np.array([missing if v is None else v for v in values], dtype=np.float32).reshape(len(values), dimension)
    if engine_type not in _NUMBERS:
        return values
    if "INT" in engine_type and None not in values:
        return np.array(values, dtype=np.int64)
    return np.array([np.nan if v is None else v for v in values], dtype=np.float64)


def arrow_columns(table: pa.Table) -> dict[str, list[Any] | NDArray[np.generic]]:
    """As :func:`columns`, of an Arrow table of scalars and vectors."""
    return {name: _arrow_column(table.column(name)) for name in table.column_names}


def _arrow_column(column: Any) -> list[Any] | NDArray[np.generic]:
    import pyarrow as pa

    if pa.types.is_integer(column.type) and column.null_count == 0:
        return _numbers(column, np.int64)
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        return _numbers(column, np.float64)
    if pa.types.is_fixed_size_list(column.type):
        matrix: NDArray[np.generic] = column.combine_chunks().flatten().to_numpy().reshape(-1, column.type.list_size)
        return matrix
    if pa.types.is_timestamp(column.type):
        return [plain(value) for value in column.to_pylist()]
    values: list[Any] = column.to_numpy(zero_copy_only=False).tolist()  # several times as fast as to_pylist
    return values


def _numbers(column: Any, dtype: type[np.int64] | type[np.float64]) -> NDArray[np.generic]:
    array: NDArray[np.generic] = column.to_numpy().astype(dtype)
    return array
