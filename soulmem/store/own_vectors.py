"""Vectors of texts that are what a note or message says: they are kept with it, and ``Embedding`` tells only where.

What a long chat says would be half of its mind's file if every vector were in it twice. So a kept vector is either the vector
itself or ``@TABLE/ID``, whose vector it is. Whoever reads one there asks whether the text is still the same; before a note or
message is removed, its vector is written out in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from soulmem.model.changes import Vector

#: The tables that have the vector of a whole text, and what reads such vectors by the ids of notes or messages.
READ_BY: Mapping[str, str] = {"Message": "store.vectors_of_messages", "SpecificSituation": "store.vectors_of_situations"}

#: (table, id of the note or message).
Place = tuple[str, str]

#: So many vectors are read at once: for a moment each of their numbers is an object.
_AT_ONCE = 4096

_MARK = "@"  # not a character of Base64


def place_text(place: Place) -> str:
    """What ``Embedding`` has in the place of the vector."""
    return f"{_MARK}{place[0]}/{place[1]}"


def place_of(kept: str | None) -> Place | None:
    """Where the vector is that ``Embedding`` keeps so; ``None``: it is ``kept`` itself, if it is one."""
    if kept is None or not kept.startswith(_MARK):
        return None
    table, _, owner = kept.removeprefix(_MARK).partition("/")
    return table, owner


def vectors_at(run: Callable[..., Iterable[Mapping[str, Any]]], places: Iterable[Place]) -> dict[Place, Vector]:
    """The vectors of these notes and messages, of those that are there and have one. ``run(query, ids=…)`` gives the rows."""
    by_table: dict[str, dict[str, None]] = {}
    for table, owner in places:
        by_table.setdefault(table, {})[owner] = None
    return {
        (table, row["id"]): np.asarray(row["vector"], dtype=np.float32)
        for table, owners in by_table.items()
        if table in READ_BY
        for some in _parts(list(owners))
        for row in run(READ_BY[table], ids=some)
        if row["vector"] is not None
    }


def _parts(owners: Sequence[str]) -> Iterator[Sequence[str]]:
    return (owners[begin : begin + _AT_ONCE] for begin in range(0, len(owners), _AT_ONCE))
