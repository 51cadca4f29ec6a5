"""Recorded values that several operations write to beside each other: which parts of one an operation changed, and the value
without what it changed. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

#: Of which members such a value has parts of their own: how far consolidation has read each chat. Every other member is one part.
_SHARED: Mapping[str, frozenset[str]] = {"consolidation": frozenset({"cursors"})}

Value = Mapping[str, Any]
#: The member of a value, and which of its own members, if they stand by themselves.
Part = tuple[str, str | None]


def is_shared(name: str, *values: Any) -> bool:
    """Whether the recorded value ``name`` has parts that can be taken back by themselves; so far as it was there, as it was."""
    return name in _SHARED and all(value is None or isinstance(value, Mapping) for value in values)


def changed_parts(name: str, old: Value | None, new: Value | None) -> frozenset[Part]:
    """The parts in which two states of the recorded value ``name`` differ; nothing, and what is empty, do not."""
    before, after = old or {}, new or {}
    return frozenset(
        part
        for member in before.keys() | after.keys()
        for part in _parts(name, member, before, after)
        if _at(before, part) != _at(after, part)
    )


def taken_back(name: str, now: Value | None, old: Value | None, new: Value | None) -> Value | None:
    """``now`` without what was changed from ``old`` to ``new``; ``None``: nothing is left."""
    put = dict(now or {})
    for member, inner in changed_parts(name, old, new):
        was = _at(old or {}, (member, inner))
        if inner is not None:
            put[member] = _with(put.get(member) or {}, inner, was)
        elif old and member in old:
            put[member] = old[member]
        else:
            put.pop(member, None)
    return put if any(put.values()) else None


def _parts(name: str, member: str, before: Value, after: Value) -> Iterator[Part]:
    values = [value.get(member) or {} for value in (before, after)]
    if member in _SHARED[name] and all(isinstance(value, Mapping) for value in values):
        yield from ((member, str(inner)) for value in values for inner in value)
    else:
        yield (member, None)


def _at(value: Value, part: Part) -> Any:
    member, inner = part
    found = value.get(member)
    return (found or None) if inner is None else (found or {}).get(inner)


def _with(members: Value, inner: str, value: Any) -> dict[str, Any]:
    """``members`` with this one; without it where it is ``None``."""
    left = {name: one for name, one in members.items() if name != inner}
    return left if value is None else {**left, inner: value}
