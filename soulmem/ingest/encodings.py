"""From bytes to text that a store can hold: no lone surrogates, no NULs. Lines end at ``\\n`` and nowhere else.

A file is decoded piece by piece, as its reader goes on: no more of it is held than the reader keeps.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from soulmem.errors import FormatError
from soulmem.ingest import mapped
from soulmem.ingest.charsets import GUESSED, codec_named, guessed, telling_lines
from soulmem.ingest.contract import Problem
from soulmem.ingest.encoded import (
    BOMS,
    REPLACEMENT,
    Encoding,
    encoding_of,
    is_damaged_utf8,
    marked,
    stated_replacements,
    text_pieces,
)
from soulmem.ingest.mapped import Data

#: How much of a file is looked at to tell its format, bytes.
HEAD_BYTES = 64 * 1024

_SUSPECT = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
# Escaped backslashes and whole pairs are matched first, so that only what is really alone is left for the named groups.
_ESCAPES = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<alone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|(?P<nul>\\u0000)"
)
# What these escapes are made of: where there is none of it, none of them is cut in two.
_OF_ESCAPES = "\\u0123456789abcdefABCDEF"


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file, and what had to be mended to get it."""

    text: str
    problems: tuple[Problem, ...] = ()


class Text:
    """The text of a file, which is not held but decoded piece by piece: UTF-8, UTF-16 or UTF-32 by their marks, else UTF-8, else
    what is most likely (:func:`guessed`). NULs are removed; bytes that are damaged in a file which is otherwise UTF-8 become
    U+FFFD. ``json``: escapes that name a lone surrogate or a NUL are mended as well.

    :raises FormatError: the file is in none of these encodings.
    """

    def __init__(self, data: Data, *, json: bool = False) -> None:
        self._data, self._json = data, json
        self._encoding = encoding_of(data)
        self._problems: tuple[Problem, ...] | None = None
        self._held: str | None = None
        if len(data) <= mapped.PIECE:
            self._held = "".join(self.pieces())

    def pieces(self) -> Iterator[str]:
        """All of the text, from its beginning."""
        if self._held is not None:
            yield self._held
            return
        mending = _Mending(self._encoding)
        mended = map(mending.mended, text_pieces(self._data, self._encoding))
        yield from mending.unescaped(mended) if self._json else mended
        self._problems = mending.problems(self._data)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What had to be mended, in all of the file."""
        if self._problems is None:
            for _ in self.pieces():
                pass
        return self._problems or ()

    def begin(self, characters: int) -> str:
        """So much of the beginning, or a little more; all of it, if it is shorter."""
        parts: list[str] = []
        for piece in self.pieces():
            parts.append(piece)
            characters -= len(piece)
            if characters <= 0:
                break
        return "".join(parts)

    def lines(self) -> Iterator[tuple[int, str]]:
        """All lines, with their 1-based numbers."""
        return numbered_lines(self.pieces())


def decode(data: Data) -> Decoded:
    """All of the text of ``data``, as :class:`Text` has it.

    :raises FormatError: ``data`` is in no encoding that is known."""
    return _whole(Text(data))


def decode_json(data: Data) -> Decoded:
    """Like :func:`decode`; escapes in the JSON that name a lone surrogate or a NUL are mended as well."""
    return _whole(Text(data, json=True))


def _whole(text: Text) -> Decoded:
    return Decoded("".join(text.pieces()), text.problems)


def head(data: Data) -> str:
    """The first 64 KiB as text, as well as they can be read: enough to tell a format, not to import anything."""
    data = data[:HEAD_BYTES]
    encoding, start = marked(data)
    if encoding is not None:
        return data[start:].decode(encoding, "replace")
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        likely = () if is_damaged_utf8(data) else guessed(telling_lines(data))
        return data.decode(likely[0] if likely else "utf-8", "replace")


def recoded(data: bytes, encoding: str) -> bytes:
    """``data``, which is text in ``encoding``, in UTF-8; as it is where it bears a mark, or is UTF-8 with more than ASCII in it.

    :raises FormatError: there is no such encoding, or ``data`` is not in it; says where."""
    codec = codec_named(encoding)
    if data.startswith(tuple(bom for bom, _ in BOMS)) or (not data.isascii() and _is_utf8(data)):
        return data
    try:
        return data.decode(codec).encode("utf-8", "replace")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"the byte 0x{data[error.start]:02x} is no text in {encoding}"
        raise FormatError(what, place=f"line {line}", advice="Leave --encoding away, or name another one.") from error


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def line_at(text: str, offset: int) -> int:
    """The 1-based line of the character at ``offset``."""
    return text.count("\n", 0, offset) + 1


def numbered_lines(pieces: Iterable[str], number: int = 1) -> Iterator[tuple[int, str]]:
    """The lines of a text that comes in pieces, whose first line has this number."""
    begun: list[str] = []
    for piece in pieces:
        first, *others = piece.split("\n")
        begun.append(first)
        for line in others:
            yield number, "".join(begun)
            number, begun = number + 1, [line]
    yield number, "".join(begun)


class _Mending:
    """What is mended in a text, as it goes by, and in which lines."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._line, self._line_of_escapes = 1, 1
        self._damaged: Counter[int] = Counter()
        self._nuls, self._first_nul = 0, 0
        self._escapes: Counter[tuple[int, str]] = Counter()

    def mended(self, text: str) -> str:
        """``text`` without NULs."""
        if self._encoding.lenient and REPLACEMENT in text:
            self._damaged.update(_lines_of(re.finditer(REPLACEMENT, text), text, self._line))
        if "\0" in text:
            self._first_nul = self._first_nul or self._line + text.count("\n", 0, text.index("\0"))
            self._nuls += text.count("\0")
        self._line += text.count("\n")
        return text.replace("\0", "")

    def unescaped(self, texts: Iterable[str]) -> Iterator[str]:
        """``texts`` in pieces that cut no escape in two, without escapes of what no text can hold."""
        held, least = "", 0
        for text in texts:
            held += text
            if len(held) < least:
                continue
            cut = len(held.rstrip(_OF_ESCAPES))
            least = 0 if cut else 2 * len(held)
            yield self._unescaped(held[:cut])
            held = held[cut:]
        yield self._unescaped(held)

    def _unescaped(self, text: str) -> str:
        line, self._line_of_escapes = self._line_of_escapes, self._line_of_escapes + text.count("\n")
        while _SUSPECT.search(text):  # what stood around an escape that was removed may make up another
            found: list[re.Match[str]] = []
            before, text = text, _ESCAPES.sub(partial(_mend, found), text)
            lines = _lines_of(found, before, line)
            self._escapes.update((at, match.lastgroup or "") for at, match in zip(lines, found, strict=True))
            if not any(match.lastgroup == "nul" for match in found):
                break
        return text

    def problems(self, data: Data) -> tuple[Problem, ...]:
        """A word about all of it, when the text has gone by."""
        return (*self._encoding.problems, *self._damage(data), *self._removed_nuls(), *self._mended_escapes())

    def _damage(self, data: Data) -> Iterator[Problem]:
        """Reports on the lines that hold U+FFFD, unless all of them were in the file already."""
        name = self._encoding.name
        if self._damaged and self._damaged.total() > stated_replacements(data, name):
            what = "characters that are not {} became U+FFFD: {}"
            for line, count in self._damaged.items():
                yield Problem(line, what.format(GUESSED.get(name, name.upper()), count), skipped=False)

    def _removed_nuls(self) -> Iterator[Problem]:
        if self._nuls:
            what = f"NUL characters were removed, the first of {self._nuls} here"
            yield Problem(self._first_nul, what, skipped=False)

    def _mended_escapes(self) -> Iterator[Problem]:
        what = {"alone": "half of a surrogate pair was replaced by U+FFFD", "nul": "an escaped NUL was removed"}
        for (line, kind), count in self._escapes.items():
            yield Problem(line, f"{what[kind]} ({count} times)", skipped=False)


def _mend(found: list[re.Match[str]], match: re.Match[str]) -> str:
    """What stands in the place of an escape; one that is mended is put into ``found``."""
    if match.lastgroup is None:
        return match.group()
    found.append(match)
    return REPLACEMENT if match.lastgroup == "alone" else ""


def _lines_of(matches: Iterable[re.Match[str]], text: str, line: int) -> Iterator[int]:
    """The line of each match in ``text``, the first line of which is ``line``."""
    last = 0
    for match in matches:
        line += text.count("\n", last, match.start())
        last = match.start()
        yield line
