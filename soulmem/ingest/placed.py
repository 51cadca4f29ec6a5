"""JSON documents whose objects know their lines, and that may be cut off: what stands before the break is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from soulmem.ingest.chat_lines import one_document, text_lines
from soulmem.ingest.contract import Problem
from soulmem.ingest.encodings import decode_json
from soulmem.ingest.json_places import BrokenJSONError, Cursor, Lines


class Placed(dict[str, Any]):
    """An object of a JSON text. ``line``: the 1-based line it begins at."""

    __slots__ = ("line",)

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line


class PlacedList(list[Any]):
    """An array of a JSON text. ``lines``: the 1-based line each of its elements begins at."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []

    def numbered(self) -> Iterator[tuple[int, Any]]:
        """The elements with their lines."""
        yield from zip(self.lines, self, strict=False)


@dataclass(frozen=True, slots=True)
class Tree:
    """A JSON text. ``broken``: why it ends before its end, and ``line`` where; then ``value`` holds what stands before."""

    value: Any
    broken: str | None = None
    line: int = 1


def placed(text: str, depth: int) -> Tree:
    """The value of ``text``. Containers within up to ``depth`` of them, the outermost counted, are :class:`Placed` or
    :class:`PlacedList` (the innermost arrays are plain); of a text that breaks off, those at ``depth`` are there if they are
    whole."""
    walk = _Walk(text)
    try:
        walk.value(depth, walk.top.append)
        if walk.cursor.peek():
            raise BrokenJSONError("there is more text behind the end", walk.cursor.offset)
    except BrokenJSONError as broken:
        line = text.count("\n", 0, broken.offset) + 1
        return Tree(walk.top[0] if walk.top else None, f"broken JSON: {broken.what}; nothing behind it can be read", line)
    return Tree(walk.top[0])


def read_tree(data: bytes, depth: int) -> tuple[Any, list[Problem]]:
    """The value of a file that is one JSON text, as :func:`placed` has it, and what had to be mended or left out."""
    decoded = decode_json(data)
    tree = placed(decoded.text, depth)
    return tree.value, [*decoded.problems, *([Problem(tree.line, tree.broken)] if tree.broken else [])]


def objects_with(data: bytes, depth: int, member: str) -> tuple[list[dict[str, Any]], list[Problem]]:
    """The objects with ``member``, at the top of a file or in a list there; and what had to be mended or left out."""
    value, problems = read_tree(data, depth)
    held = value if isinstance(value, list) else [value]
    return [one for one in held if isinstance(one, dict) and member in one], problems


def documents(text: str, depth: int) -> Iterator[Tree]:
    """The values of a file that is one JSON text, or has one in every line; lines without any are passed over."""
    if one_document(text):
        yield placed(text, depth)
        return
    for number, line in text_lines(text):
        tree = placed(line, depth)
        moved = _moved(tree.value, number - 1)
        what = tree.broken and tree.broken.replace("; nothing behind it can be read", "")
        yield Tree(moved, what, number)


def _moved(value: Any, by: int) -> Any:
    """``value`` with all lines ``by`` further on."""
    if isinstance(value, Placed):
        value.line += by
        for held in value.values():
            _moved(held, by)
    elif isinstance(value, PlacedList):
        value.lines = [line + by for line in value.lines]
        for held in value:
            _moved(held, by)
    return value


def line_of(value: object, default: int) -> int:
    """The line of an object; ``default`` of what knows none."""
    return value.line if isinstance(value, Placed) else default


class _Walk:
    """Goes through a text. Containers are handed over when they begin: what is read of them stays when the text breaks off."""

    def __init__(self, text: str) -> None:
        self.cursor = Cursor(text)
        self.lines = Lines(text)
        self.top: list[Any] = []

    def value(self, depth: int, put: Callable[[Any], None]) -> None:
        opening = self.cursor.peek()
        if opening == "{":
            held = Placed(self.lines.at(self.cursor.offset))
            if depth > 1:
                put(held)
                for name in self.cursor.members():
                    self.value(depth - 1, _Member(held, name))
            else:
                held |= self.cursor.value()
                put(held)
        elif opening == "[" and depth > 1:
            values = PlacedList()
            put(values)
            for offset in self.cursor.elements():
                values.lines.append(self.lines.at(offset))
                self.value(depth - 1, values.append)
        else:
            put(self.cursor.value())


class _Member:
    """Where a member of an object goes."""

    __slots__ = ("held", "name")

    def __init__(self, held: Placed, name: str) -> None:
        self.held, self.name = held, name

    def __call__(self, value: Any) -> None:
        self.held[self.name] = value
