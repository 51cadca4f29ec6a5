"""JSON whose places are known: a cursor over the text that tells where each element begins, and reads what is whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_SPACES = " \t\n\r"
_SPACE = re.compile(r"[ \t\n\r]*")
# A name in quotes without escapes, its colon, and the space up to the value: nearly every member begins like this.
_PLAIN_NAME = re.compile(r'[ \t\n\r]*"([^"\\]*)"[ \t\n\r]*:[ \t\n\r]*')
# What follows an element, and the space behind it.
_SEPARATOR = re.compile(r"[ \t\n\r]*([,\]}])[ \t\n\r]*")
# An integer of more digits than this cannot be a count, an index or a time; as a float it is judged like any other number.
_INTEGER_DIGITS = 18
_PREVIEW = 60


class BrokenJSONError(Exception):
    """The text stops being JSON at ``offset``. Never leaves the readers."""

    def __init__(self, what: str, offset: int, *, too_deep: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.offset = offset
        self.too_deep = too_deep


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _INTEGER_DIGITS else float(digits)


# Not strict: hand-made files have raw tabs and line ends in their strings.
_SCAN = json.JSONDecoder(strict=False, parse_int=_integer).scan_once  # type: ignore[attr-defined]


class Cursor:
    """A place in a JSON text. ``elements`` and ``members`` stop at each value, which the caller must take before going on."""

    __slots__ = ("offset", "text")

    def __init__(self, text: str, offset: int = 0) -> None:
        self.text = text
        self.offset = offset

    def peek(self) -> str:
        """The next character that is not white space, or ``""`` at the end."""
        character = self.text[self.offset : self.offset + 1]
        if character not in _SPACES:
            return character
        match = _SPACE.match(self.text, self.offset)
        self.offset = match.end() if match else self.offset
        return self.text[self.offset : self.offset + 1]

    def value(self) -> Any:
        """The whole value that begins here; the cursor moves behind it."""
        self.peek()
        value, self.offset = _value_at(self.text, self.offset)
        return value

    def elements(self) -> Iterator[int]:
        """The offsets of the elements of the array that begins here."""
        self._expect("[")
        while self.peek() != "]":
            yield self.offset
            if self._ended("]"):
                return
        self.offset += 1

    def array(self) -> tuple[list[Any], list[int]]:
        """The elements of the array that begins here, and their offsets; the cursor moves behind it."""
        self._expect("[")
        values, offsets = list[Any](), list[int]()
        while self.peek() != "]":
            offsets.append(self.offset)
            value, self.offset = _value_at(self.text, self.offset)
            values.append(value)
            if self._ended("]"):
                return values, offsets
        self.offset += 1
        return values, offsets

    def members(self) -> Iterator[str]:
        """The names of the members of the object that begins here."""
        self._expect("{")
        while self.peek() != "}":
            yield self._name()
            if self._ended("}"):
                return
        self.offset += 1

    def _name(self) -> str:
        if match := _PLAIN_NAME.match(self.text, self.offset):
            self.offset = match.end()
            return match[1]
        name = self.value()
        if not isinstance(name, str):
            raise BrokenJSONError("expecting a name in quotes", self.offset)
        self._expect(":")
        self.peek()
        return name

    def _ended(self, closing: str) -> bool:
        """Whether ``closing`` follows, rather than a comma; takes either."""
        if match := _SEPARATOR.match(self.text, self.offset):
            if match[1] == closing:
                self.offset = match.end(1)
                return True
            if match[1] == ",":
                self.offset = match.end()
                return False
        raise self._unexpected(f"',' or '{closing}'")

    def _expect(self, character: str) -> None:
        if self.peek() != character:
            raise self._unexpected(f"'{character}'")
        self.offset += 1

    def _unexpected(self, expected: str) -> BrokenJSONError:
        found = self.peek()
        return BrokenJSONError(f"expecting {expected}" if found else "the file ends here", self.offset)


def _value_at(text: str, offset: int) -> tuple[Any, int]:
    try:
        found: tuple[Any, int] = _SCAN(text, offset)
        return found
    except StopIteration as end:
        raise BrokenJSONError("expecting value", end.value) from end
    except json.JSONDecodeError as error:
        raise BrokenJSONError(error.msg[:1].lower() + error.msg[1:], error.pos) from error
    except RecursionError as error:
        raise BrokenJSONError("values are nested too deeply", offset, too_deep=True) from error


class Lines:
    """1-based line numbers of offsets that only grow."""

    __slots__ = ("_line", "_offset", "_text")

    def __init__(self, text: str) -> None:
        self._text, self._line, self._offset = text, 1, 0

    def at(self, offset: int) -> int:
        self._line += self._text.count("\n", self._offset, offset)
        self._offset = offset
        return self._line


def parse(text: str) -> Any:
    """The one value that ``text``, without space around it, holds.

    :raises BrokenJSONError: there is none, or more than one."""
    value, end = _value_at(text, 0)
    if end < len(text):
        raise BrokenJSONError("extra data behind the value", end)
    return value


def first_names(text: str) -> tuple[str, tuple[str, ...]]:
    """The first character of a JSON text, and the names in its first object (at the top or in a top array)."""
    cursor = Cursor(text)
    opening = cursor.peek()
    if opening == "[":
        cursor.offset += 1
    names: list[str] = []
    try:
        if opening and cursor.peek() == "{":
            for name in cursor.members():
                names.append(name)
                cursor.value()
    except BrokenJSONError:
        pass  # the start of a longer text: what was seen of it is the answer
    return opening, tuple(names)


def preview(value: Any) -> str:
    """``value`` as JSON, cut to a length that fits into a message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError, TypeError):
        return f"({type(value).__name__})"
    return text if len(text) <= _PREVIEW else text[: _PREVIEW - 1] + "…"
