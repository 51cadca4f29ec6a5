"""JSON whose places are known: a cursor over the text that tells where each element begins, and reads what is whole.

The text may come in pieces, of which the cursor holds no more than the value that it reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from soulmem.errors import json_fault

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


# What is wrong so near to the end of what is held may be wrong only because it ends: no word or escape of JSON is longer.
_NEAR = 16
# A text that is cut in a string is told to be wrong where the string begins.
_OPEN = "unterminated string"
#: Where a value is to follow, and none does.
AWAITS_VALUE = "expecting value"
_CLOSING = {"[": "]", "{": "}"}
#: What stands before the place of a cursor is held so far, characters.
BEHIND = 2000


class Cursor:
    """A place in a JSON text. ``elements`` and ``members`` stop at each value, which the caller must take before going on.

    ``pieces``: the text, or the pieces it comes in; ``line``: the 1-based line of its beginning. ``text`` is what is held of it,
    and ``offset`` the place in that."""

    __slots__ = ("_counted", "_line", "_pieces", "offset", "text")

    _pieces: Iterator[str] | None

    def __init__(self, pieces: str | Iterable[str], line: int = 1) -> None:
        if isinstance(pieces, str):
            self._pieces, self.text = None, pieces
        else:
            self._pieces = iter(pieces)
            self.text = next(self._pieces, "")
        self.offset = 0
        self._line, self._counted = line, 0

    def line(self) -> int:
        """The 1-based line of this place."""
        self._line += self.text.count("\n", self._counted, self.offset)
        self._counted = self.offset
        return self._line

    def line_at(self, offset: int) -> int:
        """The 1-based line of a place further on."""
        return self._line + self.text.count("\n", self._counted, offset)

    def peek(self) -> str:
        """The next character that is not white space, or ``""`` at the end."""
        character = self.text[self.offset : self.offset + 1]
        while character in _SPACES:
            match = _SPACE.match(self.text, self.offset)
            self.offset = match.end() if match else self.offset
            character = self.text[self.offset : self.offset + 1]
            if not character and not self._more():
                return ""
        return character

    def value(self) -> Any:
        """The whole value that begins here; the cursor moves behind it."""
        self.peek()
        return self._taken()

    def skip(self, levels: int = 8, named: list[str] | None = None) -> None:
        """Moves behind the value that begins here, which is as it must be to be read as a whole. One that is longer than what is
        held is gone through by its parts, so many levels deep; and so is one whose members are to be added to ``named``."""
        opening = self.peek()
        if not levels or opening not in _CLOSING:
            self.value()
        elif named is not None or not self._is_held():
            self._skip_parts(_CLOSING[opening], levels - 1, [] if named is None else named)

    def _skip_parts(self, closing: str, levels: int, named: list[str]) -> None:
        self.offset += 1
        ended = self.peek() == closing
        self.offset += ended
        while not ended:
            if closing == "}":
                named.append(self._name())
            self.skip(levels)
            ended = self._ended(closing)

    def elements(self) -> Iterator[int]:
        """The lines at which the elements begin of the array that begins here."""
        self._expect("[")
        while self.peek() != "]":
            yield self.line()
            if self._ended("]"):
                return
        self.offset += 1

    def array(self) -> tuple[list[Any], list[int]]:
        """The elements of the array that begins here, and their lines; the cursor moves behind it."""
        self._expect("[")
        values, lines = list[Any](), list[int]()
        while self.peek() != "]":
            lines.append(self.line())
            values.append(self._taken())
            if self._ended("]"):
                return values, lines
        self.offset += 1
        return values, lines

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
        match = _SEPARATOR.match(self.text, self.offset)
        if match is None and self.peek():
            match = _SEPARATOR.match(self.text, self.offset)
        if match and match[1] == closing:
            self.offset = match.end(1)
            return True
        if match and match[1] == ",":
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

    def _taken(self) -> Any:
        """The value that begins at this place, for which as much of the text is held as it takes."""
        while True:
            try:
                value, end = _value_at(self.text, self.offset)
            except BrokenJSONError as broken:
                if not self._may_go_on(broken) or not self._more():
                    raise
            else:
                if end + _NEAR <= len(self.text) or not self._more():
                    self.offset = end
                    return value

    def _is_held(self) -> bool:
        """Whether the value that begins here is held to its end; the cursor moves behind it."""
        try:
            _, self.offset = _value_at(self.text, self.offset)
        except BrokenJSONError as broken:
            if not self._may_go_on(broken):
                raise
            return False
        return True

    def _may_go_on(self, broken: BrokenJSONError) -> bool:
        """Whether it may be only the end of what is held that is wrong."""
        return broken.offset + _NEAR > len(self.text) or broken.what.startswith(_OPEN)

    def _more(self) -> bool:
        """Holds at least twice as much of what lies ahead, and little of what lies behind; whether there is more."""
        if self._pieces is None:
            return False
        parts, ahead = list[str](), len(self.text) - self.offset
        while ahead >= 0 and (piece := next(self._pieces, None)) is not None:
            parts.append(piece)
            ahead -= len(piece)
        if not any(parts):
            self._pieces = None
            return False
        self.line()
        kept = max(0, self.offset - BEHIND)
        self.text = "".join((self.text[kept:], *parts))
        self.offset -= kept
        self._counted -= kept
        return True


def _value_at(text: str, offset: int) -> tuple[Any, int]:
    try:
        found: tuple[Any, int] = _SCAN(text, offset)
        return found
    except StopIteration as end:
        raise BrokenJSONError(AWAITS_VALUE, end.value) from end
    except json.JSONDecodeError as error:
        raise BrokenJSONError(json_fault(error.msg), error.pos) from error
    except RecursionError as error:
        raise BrokenJSONError("values are nested too deeply", offset, too_deep=True) from error


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
