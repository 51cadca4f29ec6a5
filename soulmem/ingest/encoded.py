"""Which encoding the bytes of a file are in, and their text piece by piece: no more than a piece is held."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from soulmem.errors import FormatError
from soulmem.ingest.charsets import GUESSED, guessed, is_western, telling_lines, wide
from soulmem.ingest.contract import Problem
from soulmem.ingest.mapped import Data, byte_pieces

#: What stands for bytes that are no character.
REPLACEMENT = "\ufffd"

BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# So much of a file tells whether it is UTF-16 without a mark, bytes.
_START = 64 * 1024
_ABOVE_ASCII = bytes(range(0x80, 0x100))
# Up to one broken byte in twenty above ASCII is damage to a UTF-8 file; more is another encoding.
_DAMAGE_SHARE = 20
# So many bytes may be no UTF-8, or one in a hundred of all, where they make no Chinese either.
_FEW, _FEW_SHARE = 3, 100
# A character of GB2312, which text in GB18030 is nearly all of: both of its bytes are high.
_GB2312 = re.compile(rb"[\xa1-\xf7][\xa1-\xfe]")


@dataclass(frozen=True, slots=True)
class Encoding:
    """How bytes are text: from ``start`` up to ``end``. ``lenient``: bytes that are no character become U+FFFD; else there are
    none. ``problems``: what there is to tell of it."""

    name: str
    start: int
    end: int
    lenient: bool = False
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Misfit:
    """Where bytes stop being text, and whether it is only that they end in the middle of a character."""

    start: int
    cut_short: bool


def encoding_of(data: Data) -> Encoding:
    """The encoding of ``data``: UTF-8, UTF-16 or UTF-32 by their marks, else UTF-8, damaged or not, else what is most likely
    (:func:`~soulmem.ingest.charsets.guessed`).

    :raises FormatError: ``data`` is in none of these encodings.
    """
    named, start = marked(data[:_START])
    if named is not None:
        return Encoding(named, start, len(data), lenient=True)
    misfit = _misfit(data, "utf-8")
    if misfit is None:
        return Encoding("utf-8", 0, len(data))
    if misfit.cut_short or is_damaged_utf8(data):
        return Encoding("utf-8", 0, len(data), lenient=True)
    return _likely(data, misfit.start)


def text_pieces(data: Data, encoding: Encoding) -> Iterator[str]:
    """The text of ``data``, piece by piece."""
    decoder = codecs.getincrementaldecoder(encoding.name)("replace" if encoding.lenient else "strict")
    for piece in byte_pieces(data, encoding.start, encoding.end):
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)


def stated_replacements(data: Data, encoding: str) -> int:
    """How often U+FFFD stands in ``data``."""
    try:
        mark = REPLACEMENT.encode(encoding)
    except UnicodeEncodeError:
        return 0
    number, before = 0, b""
    for piece in byte_pieces(data):
        both = before + piece
        number += both.count(mark)
        before = both[1 - len(mark) :]  # no end of a mark is the beginning of another
    return number


def marked(data: bytes) -> tuple[str | None, int]:
    """The encoding a byte order mark (or, without one, the NULs of UTF-16) gives away, and where the text begins."""
    for bom, encoding in BOMS:
        if data.startswith(bom):
            return encoding, len(bom)
    start = data[:4]
    if len(start) == 4 and start[0] and start[2] and not start[1] and not start[3]:
        return "utf-16-le", 0
    if len(start) == 4 and start[1] and start[3] and not start[0] and not start[2]:
        return "utf-16-be", 0
    return wide(data[:_START]), 0


def is_damaged_utf8(data: Data) -> bool:
    """Whether little of ``data`` is no UTF-8, and it is not rather in another encoding, which has hardly any sequence of
    UTF-8 in it."""
    if is_western(telling_lines(data)):
        return False
    above_ascii = sum(map(_number_above_ascii, byte_pieces(data)))
    lenient = Encoding("utf-8", 0, len(data), lenient=True)
    replaced = _replaced(data, lenient)
    bad = replaced - stated_replacements(data, "utf-8")
    if bad * _DAMAGE_SHARE <= above_ascii:
        return True
    if bad > max(_FEW, len(data) // _FEW_SHARE):
        return False
    characters = sum(len(text) - len(text.encode("ascii", "ignore")) for text in text_pieces(data, lenient))
    return characters - replaced > bad or (above_ascii - _in_gb2312(data)) * 2 > above_ascii


def _number_above_ascii(data: bytes) -> int:
    return len(data) - len(data.translate(None, _ABOVE_ASCII))


def _in_gb2312(data: Data) -> int:
    """How many bytes are characters of GB2312."""
    number, rest = 0, b""
    for piece in byte_pieces(data):
        both, end = rest + piece, 0
        for match in _GB2312.finditer(both):
            number, end = number + 2, match.end()
        rest = both[max(end, len(both) - 1) :]  # it may be the first half of one
    return number


def _misfit(data: Data, encoding: str) -> _Misfit | None:
    """Where ``data`` stops being text in ``encoding``; ``None`` if all of it is."""
    decoder = codecs.getincrementaldecoder(encoding)()
    begun = 0
    for piece in chain(byte_pieces(data), (b"",)):
        waiting = len(decoder.getstate()[0])
        try:
            decoder.decode(piece, final=not piece)
        except UnicodeDecodeError as error:
            start = begun - waiting + error.start
            return _Misfit(start, start >= len(data) - 3 and ("unexpected end" in error.reason or "incomplete" in error.reason))
        begun += len(piece)
    return None


#: What to do where the encoding was guessed wrong.
OTHERWISE = "if its words are not right, name the right one: --encoding"


def _likely(data: Data, no_utf8: int) -> Encoding:
    """What the bytes are most likely. ``no_utf8``: where they stop being UTF-8.

    :raises FormatError: they look like text in no encoding."""
    for codec in guessed(telling_lines(data)):
        if (found := _fitting(data, codec)) is not None:
            return found
    line = sum(piece.count(b"\n") for piece in byte_pieces(data, 0, no_utf8)) + 1
    raise FormatError(
        f"the byte 0x{data[no_utf8]:02x} is neither UTF-8 nor UTF-16, and in which other encoding the text is cannot be told",
        place=f"line {line}",
        advice="If it is a text file, save it as UTF-8, or name its encoding: --encoding big5",
    )


def _fitting(data: Data, codec: str) -> Encoding | None:
    """The encoding, if nearly all bytes are text in it."""
    note = Problem(None, f"the file is not UTF-8; it was read as {GUESSED[codec]} ({OTHERWISE})", skipped=False)
    misfit = _misfit(data, codec)
    if misfit is None:
        return Encoding(codec, 0, len(data), problems=(note,))
    if misfit.cut_short:
        cut = Problem(None, "the file ends in the middle of a character, which was left out", skipped=False)
        return Encoding(codec, 0, misfit.start, problems=(note, cut))
    damaged = Encoding(codec, 0, len(data), lenient=True, problems=(note,))
    above_ascii = sum(map(_number_above_ascii, byte_pieces(data)))
    return damaged if _replaced(data, damaged) * _DAMAGE_SHARE <= above_ascii else None


def _replaced(data: Data, encoding: Encoding) -> int:
    """How many characters of the text stand for bytes that are none."""
    return sum(text.count(REPLACEMENT) for text in text_pieces(data, encoding))
