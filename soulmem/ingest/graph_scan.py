"""The nodes of a Graph JSON text as parsed values, each with the lines where it and its links begin."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.contract import Problem
from soulmem.ingest.json_places import BrokenJSONError, Cursor

LINKS = "mem_links"

#: A count beyond this is none; an intensity beyond that is a slip of the pen: ordinary links have 1.
COUNT_LIMIT = 2**53
MAX_INTENSITY = 1e6


class MisfitError(Exception):
    """A value that does not fit; the message names path and value. Never leaves the readers."""


@dataclass(slots=True)
class RawNode:
    """One element of the array as parsed: its 1-based number, its line, the lines of its links, the names it holds twice."""

    number: int
    line: int
    value: Any = field(default_factory=dict)
    link_lines: list[int] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        """How problems name the node: ``node 3 (sem_moon)``."""
        key = self.value.get("id") if isinstance(self.value, dict) else None
        return f"node {self.number} ({key[:60]})" if isinstance(key, str) and key else f"node {self.number}"


def raw_nodes(cursor: Cursor, problems: list[Problem]) -> list[RawNode]:
    """All nodes that are whole; where the text breaks off, a problem is added and what stands before is given.

    :raises FormatError: not an array, broken before the end of the first node, or nested too deeply.
    """
    nodes: list[RawNode] = []
    if cursor.peek() != "[":
        raise FormatError("a graph is a JSON array of nodes, but this does not begin with [", place="line 1")
    try:
        for line in cursor.elements():
            nodes.append(_raw_node(cursor, RawNode(len(nodes) + 1, line)))
        if cursor.peek():
            raise BrokenJSONError("there is more text behind the end of the array", cursor.offset)
    except BrokenJSONError as broken:
        problems.append(_broken(broken, cursor.line_at(broken.offset), len(nodes)))
    return nodes


def _broken(broken: BrokenJSONError, line: int, whole: int) -> Problem:
    if broken.too_deep or not whole:
        raise FormatError(f"broken JSON: {broken.what}", place=f"line {line}", advice="No node could be read.") from broken
    return Problem(line, f"broken JSON behind node {whole}: {broken.what}; everything from there on was skipped")


def _raw_node(cursor: Cursor, node: RawNode) -> RawNode:
    if cursor.peek() != "{":
        node.value = cursor.value()
        return node
    for name in cursor.members():
        if name in node.value:
            node.twice.append(name)
        if name == LINKS and cursor.peek() == "[":
            node.value[name], node.link_lines = cursor.array()
        else:
            node.value[name] = cursor.value()
    return node
