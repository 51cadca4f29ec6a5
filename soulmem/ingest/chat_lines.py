"""The items of a chat file in JSON: one value per line, lines that are arrays, or one array or object over many lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from soulmem.ingest.contract import Problem
from soulmem.ingest.encodings import decode_json, is_suspect, marked
from soulmem.ingest.json_places import BrokenJSONError, Cursor, Lines, parse
from soulmem.ingest.mapped import Data, byte_lines


@dataclass(frozen=True, slots=True)
class Item:
    """One value and the line it begins at. ``broken`` says why there is none; ``raw`` is the start of the broken text;
    ``within``: the array that it is an element of, where the file may hold several."""

    line: int
    value: Any = None
    broken: str | None = None
    raw: str = ""
    within: list[Any] | None = None


_RAW = 2000


def items(text: str, inside: str | None = None) -> Iterator[Item]:
    """All values of ``text`` in file order; arrays are opened, and so is the member ``inside`` of objects.

    A broken line is given as such, and reading goes on behind it; a broken document ends there.
    """
    whole = one_document(text)
    for item in _document(text, inside) if whole else _lines(text):
        if item.broken is None and not whole:
            yield from _opened(item, inside)
        else:
            yield item


class NotLinesError(Exception):
    """The file is not UTF-8 with one value in every line. Never leaves the readers."""


def streamed(data: Data, problems: list[Problem]) -> Iterator[Item]:
    """All values of a file of UTF-8 lines, as :func:`items` gives them, without holding the file. What had to be mended is added
    to ``problems``.

    :raises NotLinesError: it is something else; then what was given is void."""
    encoding, start = marked(bytes(data[:4]))
    begun = "\n".join(_decoded(line) for _, line in islice(byte_lines(data, start), 2))
    if encoding not in (None, "utf-8") or one_document(begun):
        raise NotLinesError
    for number, line in byte_lines(data, start):
        text = _decoded(line)
        if is_suspect(text):
            decoded = decode_json(text.encode("utf-8"))
            text = decoded.text
            problems += [replace(problem, line=number) for problem in decoded.problems]
        yield from _opened_line(_line(text, number)) if text else ()


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotLinesError from error


def _opened_line(item: Item) -> Iterator[Item]:
    if item.broken is None:
        yield from _opened(item, None)
    else:
        yield item


def one_document(text: str) -> bool:
    """Whether the file is one value over several lines: its first line is no value of its own, nor a broken one before others."""
    first, second = _first_lines(text)
    if first[:1] not in ("[", "{") or _is_whole(first):
        return False
    return not second or len(first) == 1 or not (first[:1] == "{" and second[:1] == "{")


def _first_lines(text: str) -> tuple[str, str]:
    start = len(text) - len(text.lstrip(" \t\r\n"))
    end = _line_end(text, start)
    rest = end + len(text[end : end + 1])
    while rest < len(text) and not (line := text[rest : _line_end(text, rest)].strip()):
        rest = _line_end(text, rest) + 1
    return text[start:end].strip(), line if rest < len(text) else ""


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _is_whole(line: str) -> bool:
    try:
        parse(line)
    except BrokenJSONError as broken:
        return broken.too_deep
    return True


def _lines(text: str) -> Iterator[Item]:
    for number, line in text_lines(text):
        yield _line(line, number)


def text_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, with their 1-based numbers, without space around them."""
    start, number = 0, 0
    while start < len(text):
        end = _line_end(text, start)
        line, start, number = text[start:end].strip(" \t\r"), end + 1, number + 1
        if line:
            yield number, line


def _line(line: str, number: int) -> Item:
    try:
        return Item(number, parse(line))
    except BrokenJSONError as broken:
        return Item(number, broken=f"broken JSON: {broken.what} at character {broken.offset + 1}", raw=line[:_RAW])


def _opened(item: Item, inside: str | None) -> Iterator[Item]:
    for element in item.value if isinstance(item.value, list) else (item.value,):
        held = element.get(inside) if inside is not None and isinstance(element, dict) else None
        if isinstance(held, list):
            yield from (Item(item.line, value, within=held) for value in held)
        else:
            yield Item(item.line, element)


def _document(text: str, inside: str | None) -> Iterator[Item]:
    cursor, lines = Cursor(text), Lines(text)
    try:
        if cursor.peek() == "[":
            yield from _elements(cursor, lines, inside)
        else:
            yield from _object(cursor, lines, inside)
        if cursor.peek():
            raise BrokenJSONError("there is more text behind the end", cursor.offset)
    except BrokenJSONError as broken:
        line = text.count("\n", 0, broken.offset) + 1
        what = f"broken JSON: {broken.what}; nothing behind it can be read"
        yield Item(line, broken=what, raw=text[max(0, broken.offset - _RAW) : broken.offset])


def _elements(cursor: Cursor, lines: Lines, inside: str | None) -> Iterator[Item]:
    for offset in cursor.elements():
        yield from _opened(Item(lines.at(offset), cursor.value()), inside)


def _object(cursor: Cursor, lines: Lines, inside: str | None) -> Iterator[Item]:
    line, value, opened = lines.at(cursor.offset), dict[str, Any](), False
    for name in cursor.members():
        if name == inside and cursor.peek() == "[":
            opened = True
            yield from _elements(cursor, lines, None)
        else:
            value[name] = cursor.value()
    if not opened:
        yield Item(line, value)
