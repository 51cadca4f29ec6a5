"""The items of a chat file in JSON: one value per line, lines that are arrays, or one array or object over many lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from soulmem.ingest import mapped
from soulmem.ingest.encodings import Text, numbered_lines
from soulmem.ingest.json_places import AWAITS_VALUE, BEHIND, BrokenJSONError, Cursor, parse


@dataclass(frozen=True, slots=True)
class Item:
    """One value and the line it begins at. ``broken`` says why there is none; ``raw`` is the start of the broken text;
    ``within``: the array that it is an element of, where the file may hold several."""

    line: int
    value: Any = None
    broken: str | None = None
    raw: str = ""
    within: list[Any] | None = None


# A first line of more pieces of a file is not held, but gone through.
_LONG = 4


def items(text: Text, inside: str | None = None) -> Iterator[Item]:
    """All values of ``text`` in file order; arrays are opened, and so is the member ``inside`` of objects.

    A broken line is given as such, and reading goes on behind it; a broken document ends there.
    """
    layout = layout_of(text, inside)
    if layout.one:
        yield from _document(Cursor(text.pieces()), inside)
        return
    lines = Lines(text, layout)
    if lines.first is not None:
        yield from _long_line(lines.first, inside)
    for number, line in lines:
        item = _line(line, number)
        if item.broken is None:
            yield from _opened(item, inside)
        else:
            yield item


@dataclass(frozen=True, slots=True)
class Layout:
    """How the values of a file stand in it: it is ``one`` over several lines, or has one in every line, the first of which is
    ``long``, too long to be held, and known to be whole."""

    one: bool
    long: bool = False


def layout_of(text: Text, inside: str | None = None) -> Layout:
    """How the values of ``text`` stand in it. It is one value over several lines if its first line is no value of its own, nor
    a broken one before others. ``inside``: an object that has this member more than once is not long."""
    longest = _LONG * mapped.PIECE
    begun = text.begin(longest)
    first, second, third = _first_lines(begun)
    if first[:1] not in ("[", "{"):
        return Layout(one=False)
    if second or len(begun) < longest:
        return Layout(one=not _is_whole(first) and (_goes_on(first, second) or _is_gone_on_with(first, second, third)))
    line = _FirstLine(text.pieces())
    whole, several = _surveyed(Cursor(line.pieces()), inside)
    one = not whole and _goes_on(first, next(filter(str.strip, line.behind()), "").strip())
    return Layout(one, long=whole and not several)


def _goes_on(first: str, second: str) -> bool:
    """Whether a first line that is not a whole value begins one over several lines."""
    return not second or len(first) == 1 or not (first[:1] == "{" and second[:1] == "{")


def _is_gone_on_with(first: str, second: str, third: str) -> bool:
    """Whether a first line ends where a value is to follow, and the others are no values of their own, but go on with it."""
    try:
        parse(first)
    except BrokenJSONError as broken:
        awaits = broken.offset >= len(first) and broken.what == AWAITS_VALUE
        return awaits and (third[:1] in ("]", ",", "}") or not _is_whole(second))
    return False


def _surveyed(cursor: Cursor, inside: str | None) -> tuple[bool, bool]:
    """Whether a line is a whole value, and whether it is one that must be held: nested too deeply, or with several members
    ``inside``."""
    names: list[str] = []
    try:
        cursor.skip(named=names)
    except BrokenJSONError as broken:
        return broken.too_deep, True
    return not cursor.peek(), inside is not None and names.count(inside) > 1


class _FirstLine:
    """The first line of a text that is not empty, piece by piece, and what is behind it. ``number``: its 1-based number."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self.number, begun = 1, ""
        while not begun and (piece := next(pieces, None)) is not None:
            begun = piece.lstrip(" \t\r\n")
            self.number += piece.count("\n", 0, len(piece) - len(begun))
        self._rest = chain((begun,), pieces)
        self._line = self._to_its_end()

    def pieces(self) -> Iterator[str]:
        """The line, which is gone through once."""
        return self._line

    def behind(self) -> Iterator[str]:
        """The text behind the line."""
        for _ in self._line:
            pass
        return self._rest

    def _to_its_end(self) -> Iterator[str]:
        for piece in self._rest:
            line, end, behind = piece.partition("\n")
            yield line
            if end:
                self._rest = chain((behind,), self._rest)
                return


class Lines:
    """The lines of a text that are not empty, with their 1-based numbers, without space around them. ``first``: a cursor in the
    first, where it is long, to be gone through before the others are."""

    def __init__(self, text: Text, layout: Layout) -> None:
        self._text = text
        self._long = _FirstLine(text.pieces()) if layout.long else None
        self.first = Cursor(self._long.pieces(), self._long.number) if self._long else None

    def __iter__(self) -> Iterator[tuple[int, str]]:
        others = numbered_lines(self._long.behind(), self._long.number + 1) if self._long else self._text.lines()
        for number, whole in others:
            if line := whole.strip(" \t\r"):
                yield number, line


def _first_lines(text: str) -> tuple[str, str, str]:
    """The first three lines that are not empty; an empty text where there is none."""
    found: list[str] = []
    begin = 0
    while len(found) < 3 and begin < len(text):
        end = _line_end(text, begin)
        if line := text[begin:end].strip():
            found.append(line)
        begin = end + 1
    first, second, third = [*found, "", "", ""][:3]
    return first, second, third


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _is_whole(line: str) -> bool:
    try:
        parse(line)
    except BrokenJSONError as broken:
        return broken.too_deep
    return True


def _line(line: str, number: int) -> Item:
    try:
        return Item(number, parse(line))
    except BrokenJSONError as broken:
        return Item(number, broken=f"broken JSON: {broken.what} at character {broken.offset + 1}", raw=line[:BEHIND])


def _opened(item: Item, inside: str | None) -> Iterator[Item]:
    for element in item.value if isinstance(item.value, list) else (item.value,):
        held = element.get(inside) if inside is not None and isinstance(element, dict) else None
        if isinstance(held, list):
            yield from (Item(item.line, value, within=held) for value in held)
        else:
            yield Item(item.line, element)


def _long_line(cursor: Cursor, inside: str | None) -> Iterator[Item]:
    """The items of a line that is a whole value, as :func:`_opened` gives them."""
    line, within = cursor.line(), list[Any]()
    try:
        if cursor.peek() == "[":
            for _ in cursor.elements():
                yield from _opened(Item(line, [cursor.value()]), inside)
        else:
            yield from _object(cursor, inside, lambda: (Item(line, cursor.value(), within=within) for _ in cursor.elements()))
    except BrokenJSONError as broken:  # what was nested less deeply, gone through by its parts
        yield Item(line, broken=f"broken JSON: {broken.what}")


def _document(cursor: Cursor, inside: str | None) -> Iterator[Item]:
    try:
        if cursor.peek() == "[":
            yield from _elements(cursor, inside)
        else:
            yield from _object(cursor, inside, lambda: _elements(cursor, None))
        if cursor.peek():
            raise BrokenJSONError("there is more text behind the end", cursor.offset)
    except BrokenJSONError as broken:
        what = f"broken JSON: {broken.what}; nothing behind it can be read"
        raw = cursor.text[max(0, broken.offset - BEHIND) : broken.offset]
        yield Item(cursor.line_at(broken.offset), broken=what, raw=raw)


def _elements(cursor: Cursor, inside: str | None) -> Iterator[Item]:
    for line in cursor.elements():
        yield from _opened(Item(line, cursor.value()), inside)


def _object(cursor: Cursor, inside: str | None, opened: Callable[[], Iterator[Item]]) -> Iterator[Item]:
    """An object, or instead what is ``opened`` of it: the array ``inside``."""
    cursor.peek()
    line, value, is_opened = cursor.line(), dict[str, Any](), False
    for name in cursor.members():
        if name == inside and cursor.peek() == "[":
            is_opened = True
            yield from opened()
        else:
            value[name] = cursor.value()
    if not is_opened:
        yield Item(line, value)
