"""Values that travel beside ad-hoc Cypher. The engine guesses their types, sometimes wrongly: here they are looked at before.

Measured of Kùzu 0.11.3: a list of a number and a text fails with an error of Python's, an empty list or a null inside a list or
map with an assertion, a whole number beyond 64 bits with words about C++. A list of maps with other names loses some of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import reduce
from typing import Any
from uuid import UUID

from soulmem.errors import QueryError
from soulmem.store.queries import check_text, naive_utc

#: How deep lists and maps may be nested.
_DEEPEST = 20
_INT64 = range(-(2**63), 2**63)

#: Types as far as they matter here: the name of a scalar's, ``("list", type)``, ``("map", {name: type})``; ``None``: not known.
_Type = Any


def engine_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the parameters as the engine takes them: times in UTC without a zone, arrays as lists.

    What the engine has no type for, or would take for something else, raises :class:`QueryError` with the parameter's name.
    """
    values: dict[str, Any] = {}
    for name, value in given.items():
        check_text(name, "the name of a parameter")
        value = _plain(value, f"${name}", 0)
        if value is not None and _has_unknown(_type_of(value, f"${name}")):
            what = f"${name}: the engine cannot tell the type of an empty list, or of null inside a list or map"
            raise QueryError(what, advice="Leave it out, or write it into the statement: CAST([] AS STRING[]).")
        values[name] = value
    return values


def _plain(value: Any, place: str, depth: int) -> Any:
    """``value`` in what the engine takes, looked through to the ground."""
    if depth > _DEEPEST:
        raise QueryError(f"{place.partition('[')[0]} is nested more than {_DEEPEST} deep")
    if hasattr(value, "tolist"):  # numpy
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(item, f"{place}[{number}]", depth + 1) for number, item in enumerate(value)]
    if isinstance(value, dict):
        return {_key(name, place): _plain(item, f"{place}.{name}", depth + 1) for name, item in value.items()}
    return _scalar(value, place)


def _key(name: Any, place: str) -> str:
    if not isinstance(name, str) or not name:
        raise QueryError(f"{place}: {name!r} cannot be the name of a field of a map", advice="Names are text, and not empty.")
    check_text(name, f"a name in {place}")
    return name


def _scalar(value: Any, place: str) -> Any:
    if isinstance(value, str):
        check_text(value, place)
    elif isinstance(value, float) and not math.isfinite(value):
        raise QueryError(f"{place}: {value} is no number that can be asked for")
    elif isinstance(value, int) and value not in _INT64:
        raise QueryError(f"{place}: the whole number is beyond 64 bits", advice="Give it as text, or as a number with a point.")
    elif isinstance(value, datetime):
        return naive_utc(value)
    elif value is not None and not isinstance(value, bool | int | float | date | timedelta | UUID):
        raise QueryError(
            f"{place}: a {type(value).__name__} cannot be a parameter", advice="Give text, a number, a list or a map."
        )
    return value


def _type_of(value: Any, place: str) -> _Type:
    if value is None:
        return None
    if isinstance(value, list):
        types = [_type_of(item, f"{place}[{number}]") for number, item in enumerate(value)]
        return ("list", reduce(lambda one, other: _common(one, other, place), types, None))
    if isinstance(value, dict):
        return ("map", {name: _type_of(item, f"{place}.{name}") for name, item in value.items()})
    if isinstance(value, bool):
        return "truth value"
    return "number" if isinstance(value, int | float) else "text" if isinstance(value, str) else type(value).__name__


def _common(one: _Type, other: _Type, place: str) -> _Type:
    """The type of a list that holds both."""
    if one is None or other is None or one == other:
        return other if one is None else one
    if isinstance(one, tuple) and isinstance(other, tuple) and one[0] == other[0] == "list":
        return ("list", _common(one[1], other[1], place))
    if isinstance(one, tuple) and isinstance(other, tuple) and one[0] == other[0] == "map" and one[1].keys() == other[1].keys():
        return ("map", {name: _common(one[1][name], other[1][name], place) for name in one[1]})
    told = " and ".join(sorted({_type_name(one), _type_name(other)}))
    raise QueryError(
        f"{place}: a list holds things of one type, and this one {told}", advice="Make them all text, or all numbers."
    )


def _type_name(kind: _Type) -> str:
    if not isinstance(kind, tuple):
        return f"a {kind}" if kind != "text" else "text"
    return "a list" if kind[0] == "list" else f"a map of {', '.join(kind[1]) or 'nothing'}"


def _has_unknown(kind: _Type) -> bool:
    if not isinstance(kind, tuple):
        return kind is None
    return _has_unknown(kind[1]) if kind[0] == "list" else any(map(_has_unknown, kind[1].values()))
