"""Files as they come, for Hypothesis: good ones of every format with bytes or values of them replaced, and any JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from card_files import CARD
from hypothesis import strategies as st
from seeds import SEEDS, WRAPPED

#: Every good file, with the name of its format.
GOOD = [(name, data) for name, seeds in SEEDS.items() for data in seeds]


def _parsed(data: bytes) -> Any:
    """The value of a file of JSON; ``None`` of another file."""
    try:
        return json.loads(data)
    except ValueError:
        return None


#: Those that are JSON, or wrap it, as values.
JSON_FILES = [(name, value) for name, data in GOOD if (value := _parsed(data)) is not None]
JSON_FILES += [(name, CARD) for name in WRAPPED]


def _names_in(value: Any) -> Iterator[str]:
    """All names of members within ``value``."""
    for held in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _names_in(held)
    yield from value if isinstance(value, dict) else ()


_WORDS = st.sampled_from(sorted({name for _, value in JSON_FILES for name in _names_in(value)} | {"Semantic", "to"}))
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=12)
#: Any value of JSON, of the words that readers look for.
VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_WORDS | st.text(max_size=6), inner, max_size=5),
    max_leaves=15,
)


def wrapped(value: Any, name: str | None, indent: int | None = None) -> bytes:
    """A value as a file of a format."""
    text = json.dumps(value, indent=indent).encode()
    return WRAPPED[name](text) if name in WRAPPED else text


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key or index) within ``value``."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from _places(value[key])


@st.composite
def replaced(draw: st.DrawFn) -> tuple[str, Any]:
    """The name of a format, and the value of a good file of it in which one value is another."""
    name, good = draw(st.sampled_from(JSON_FILES))
    document = json.loads(json.dumps(good))
    held, key = draw(st.sampled_from(list(_places(document))))
    held[key] = draw(VALUES)
    return name, document


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """The name of a format, and a good file of it with a few bytes lost, added or changed."""
    name, good = draw(st.sampled_from(GOOD))
    data = bytearray(good)
    for place, length, other in draw(
        st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 3), st.binary(max_size=3)), max_size=4)
    ):
        begin = place % (len(data) + 1)
        data[begin : begin + length] = other
    return name, bytes(data)
