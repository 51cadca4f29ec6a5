"""JSON documents whose objects know their lines, and that may be cut off: what stands before the break is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from soulmem.ingest.chat_lines import Lines, layout_of
from soulmem.ingest.contract import Problem
from soulmem.ingest.encodings import Text
from soulmem.ingest.json_places import BrokenJSONError, Cursor
from soulmem.ingest.mapped import Data


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


class Made:
    """What becomes of the elements of arrays, by the paths to them: the names that lead there, :data:`ANY` for an element. They
    are not kept as they are, but made into what is used of them as soon as each is read."""

    __slots__ = ("make", "within")

    def __init__(self, paths: Mapping[tuple[str, ...], Callable[[Any], Any]]) -> None:
        self.make = paths.get(())
        names = dict.fromkeys(path[0] for path in paths if path)
        self.within = {name: Made({path[1:]: make for path, make in paths.items() if path[:1] == (name,)}) for name in names}


#: Stands for every element of an array in a path.
ANY = "*"
_AS_IT_IS = Made({})


def placed(cursor: Cursor, depth: int, made: Made = _AS_IT_IS) -> Tree:
    """The value of a text. Containers within up to ``depth`` of them, the outermost counted, are :class:`Placed` or
    :class:`PlacedList` (the innermost arrays are plain); of a text that breaks off, those at ``depth`` are there if they are
    whole."""
    walk, top = _Walk(cursor), list[Any]()
    try:
        walk.value(depth, made, top.append)
        if cursor.peek():
            raise BrokenJSONError("there is more text behind the end", cursor.offset)
    except BrokenJSONError as broken:
        what = f"broken JSON: {broken.what}; nothing behind it can be read"
        return Tree(top[0] if top else None, what, cursor.line_at(broken.offset))
    return Tree(top[0])


def read_tree(data: Data, depth: int, made: Made = _AS_IT_IS) -> tuple[Any, list[Problem]]:
    """The value of a file that is one JSON text, as :func:`placed` has it, and what had to be mended or left out."""
    text = Text(data, json=True)
    tree = placed(Cursor(text.pieces()), depth, made)
    return tree.value, [*text.problems, *([Problem(tree.line, tree.broken)] if tree.broken else [])]


def documents(text: Text, depth: int, made: Made = _AS_IT_IS) -> Iterator[Tree]:
    """The values of a file that is one JSON text, or has one in every line; lines without any are passed over."""
    layout = layout_of(text)
    if layout.one:
        yield placed(Cursor(text.pieces()), depth, made)
        return
    lines = Lines(text, layout)
    if lines.first is not None:
        yield _line(lines.first, depth, made)
    for number, line in lines:
        yield _line(Cursor(line, number), depth, made)


def _line(cursor: Cursor, depth: int, made: Made) -> Tree:
    number = cursor.line()
    tree = placed(cursor, depth, made)
    return Tree(tree.value, tree.broken and tree.broken.replace("; nothing behind it can be read", ""), number)


def line_of(value: object, default: int) -> int:
    """The line of an object; ``default`` of what knows none."""
    return value.line if isinstance(value, Placed) else default


class _Walk:
    """Goes through a text. Containers are handed over when they end, or when the text breaks off."""

    __slots__ = ("cursor",)

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor

    def value(self, depth: int, made: Made, put: Callable[[Any], None]) -> None:
        opening = self.cursor.peek()
        if opening == "{" and depth > 1:
            self._object(depth - 1, made, put)
        elif opening == "{":
            held = Placed(self.cursor.line())
            held |= self.cursor.value()
            put(held)
        elif opening == "[" and depth > 1:
            self._array(depth - 1, made.within.get(ANY, _AS_IT_IS), put)
        else:
            put(self.cursor.value())

    def _object(self, depth: int, made: Made, put: Callable[[Any], None]) -> None:
        held = Placed(self.cursor.line())
        try:
            for name in self.cursor.members():
                self.value(depth, made.within.get(name, _AS_IT_IS), _Member(held, name))
        finally:
            put(held)

    def _array(self, depth: int, made: Made, put: Callable[[Any], None]) -> None:
        values = PlacedList()
        add = values.append if made.make is None else _Making(values, made.make)
        try:
            for line in self.cursor.elements():
                values.lines.append(line)
                self.value(depth, made, add)
        finally:
            put(values)


class _Member:
    """Where a member of an object goes."""

    __slots__ = ("held", "name")

    def __init__(self, held: Placed, name: str) -> None:
        self.held, self.name = held, name

    def __call__(self, value: Any) -> None:
        self.held[self.name] = value


class _Making:
    """Where an element of an array goes, as what it is made into."""

    __slots__ = ("make", "values")

    def __init__(self, values: PlacedList, make: Callable[[Any], Any]) -> None:
        self.values, self.make = values, make

    def __call__(self, value: Any) -> None:
        self.values.append(self.make(value))
