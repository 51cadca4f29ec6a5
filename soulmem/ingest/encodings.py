"""From bytes to text that a store can hold: no lone surrogates, no NULs. Lines end at ``\\n`` and nowhere else."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass

from soulmem.errors import FormatError
from soulmem.ingest.charsets import GUESSED, codec_named, guessed, is_western, telling_lines, wide
from soulmem.ingest.contract import Problem

#: How much of a file is looked at to tell its format, bytes.
HEAD_BYTES = 64 * 1024

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_REPLACEMENT = "\ufffd"
#: What to do where the encoding was guessed wrong.
OTHERWISE = "if its words are not right, name the right one: --encoding"
_ABOVE_ASCII = bytes(range(0x80, 0x100))
# Up to one broken byte in twenty above ASCII is damage to a UTF-8 file; more is another encoding.
_DAMAGE_SHARE = 20
# So many bytes may be no UTF-8, or one in a hundred of all, where they make no Chinese either.
_FEW, _FEW_SHARE = 3, 100
# A character of GB2312, which text in GB18030 is nearly all of: both of its bytes are high.
_GB2312 = re.compile(rb"[\xa1-\xf7][\xa1-\xfe]")

_SUSPECT = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
# Escaped backslashes and whole pairs are matched first, so that only what is really alone is left for the named groups.
_ESCAPES = re.compile(
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<alone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|(?P<nul>\\u0000)"
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file, and what had to be mended to get it."""

    text: str
    problems: tuple[Problem, ...] = ()


def decode(data: bytes) -> Decoded:
    """The text of ``data``: UTF-8, UTF-16 or UTF-32 by their marks, else UTF-8, else what is most likely (:func:`guessed`).

    NULs are removed; bytes that are damaged in a file which is otherwise UTF-8 become U+FFFD. Both are reported.
    :raises FormatError: ``data`` is in none of these encodings.
    """
    encoding, start = marked(data)
    if encoding is None:
        decoded = _unmarked(data)
    else:
        text = data[start:].decode(encoding, "replace")
        decoded = Decoded(text, _damage(text, encoding.upper(), before=data.count(_REPLACEMENT.encode(encoding))))
    return _without_nuls(decoded)


def decode_json(data: bytes) -> Decoded:
    """Like :func:`decode`; escapes in the JSON that name a lone surrogate or a NUL are mended as well."""
    decoded = decode(data)
    if not _SUSPECT.search(decoded.text):
        return decoded
    text, problems = _mended_escapes(decoded.text)
    return Decoded(text, decoded.problems + problems)


def head(data: bytes) -> str:
    """The first 64 KiB as text, as well as they can be read: enough to tell a format, not to import anything."""
    data = data[:HEAD_BYTES]
    encoding, start = marked(data)
    if encoding is not None:
        return data[start:].decode(encoding, "replace")
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        likely = () if _looks_like_damaged_utf8(data) else guessed(telling_lines(data))
        return data.decode(likely[0] if likely else "utf-8", "replace")


def recoded(data: bytes, encoding: str) -> bytes:
    """``data``, which is text in ``encoding``, in UTF-8; as it is where it bears a mark, or is UTF-8 with more than ASCII in it.

    :raises FormatError: there is no such encoding, or ``data`` is not in it; says where."""
    codec = codec_named(encoding)
    if data.startswith(tuple(bom for bom, _ in _BOMS)) or (not data.isascii() and _is_utf8(data)):
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


def is_suspect(text: str) -> bool:
    """Whether ``text``, of JSON, may hold NULs or lone surrogates, escaped or not, which :func:`decode_json` mends."""
    return "\0" in text or _SUSPECT.search(text) is not None


def line_at(text: str, offset: int) -> int:
    """The 1-based line of the character at ``offset``."""
    return text.count("\n", 0, offset) + 1


def marked(data: bytes) -> tuple[str | None, int]:
    """The encoding a byte order mark (or, without one, the NULs of UTF-16) gives away, and where the text begins."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding, len(bom)
    start = data[:4]
    if len(start) == 4 and start[0] and start[2] and not start[1] and not start[3]:
        return "utf-16-le", 0
    if len(start) == 4 and start[1] and start[3] and not start[0] and not start[2]:
        return "utf-16-be", 0
    return wide(data[:HEAD_BYTES]), 0


def _unmarked(data: bytes) -> Decoded:
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        if _is_cut_short(error) or _looks_like_damaged_utf8(data):
            text = data.decode("utf-8", "replace")
            return Decoded(text, _damage(text, "UTF-8", before=data.count(_REPLACEMENT.encode())))
        return _guessed(data, error)


def _guessed(data: bytes, utf8_error: UnicodeDecodeError) -> Decoded:
    for codec in guessed(telling_lines(data)):
        note = Problem(None, f"the file is not UTF-8; it was read as {GUESSED[codec]} ({OTHERWISE})", skipped=False)
        try:
            return Decoded(data.decode(codec), (note,))
        except UnicodeDecodeError as error:
            if _is_cut_short(error):
                cut = Problem(None, "the file ends in the middle of a character, which was left out", skipped=False)
                return Decoded(data[: error.start].decode(codec), (note, cut))
            text = data.decode(codec, "replace")
            if text.count(_REPLACEMENT) * _DAMAGE_SHARE <= _number_above_ascii(data):
                return Decoded(text, (note, *_damage(text, GUESSED[codec], before=0)))
    line = data.count(b"\n", 0, utf8_error.start) + 1
    byte = data[utf8_error.start]
    raise FormatError(
        f"the byte 0x{byte:02x} is neither UTF-8 nor UTF-16, and in which other encoding the text is cannot be told",
        place=f"line {line}",
        advice="If it is a text file, save it as UTF-8, or name its encoding: --encoding big5",
    ) from utf8_error


def _is_cut_short(error: UnicodeDecodeError) -> bool:
    return error.start >= len(error.object) - 3 and ("unexpected end" in error.reason or "incomplete" in error.reason)


def _looks_like_damaged_utf8(data: bytes) -> bool:
    """Whether little of ``data`` is no UTF-8, and it is not rather in another encoding, which has hardly any sequence of UTF-8 in
    it."""
    if is_western(telling_lines(data)):
        return False
    above_ascii = _number_above_ascii(data)
    text = data.decode("utf-8", "replace")
    bad = text.count(_REPLACEMENT) - data.count(_REPLACEMENT.encode())
    if bad * _DAMAGE_SHARE <= above_ascii:
        return True
    if bad > max(_FEW, len(data) // _FEW_SHARE):
        return False
    good = sum(character > "\x7f" for character in text) - text.count(_REPLACEMENT)
    return good > bad or _number_above_ascii(_GB2312.sub(b"", data)) * 2 > above_ascii


def _number_above_ascii(data: bytes) -> int:
    return len(data) - len(data.translate(None, _ABOVE_ASCII))


def _damage(text: str, encoding: str, *, before: int) -> tuple[Problem, ...]:
    """Reports on the lines that hold U+FFFD, unless all of them (``before``) were in the file already."""
    if text.count(_REPLACEMENT) <= before:
        return ()
    lines = Counter[int]()
    line, offset = 1, 0
    for match in re.finditer(_REPLACEMENT, text):
        line += text.count("\n", offset, match.start())
        offset = match.start()
        lines[line] += 1
    what = "characters that are not {} became U+FFFD: {}"
    return tuple(Problem(at, what.format(encoding, count), skipped=False) for at, count in lines.items())


def _without_nuls(decoded: Decoded) -> Decoded:
    if "\0" not in decoded.text:
        return decoded
    line = line_at(decoded.text, decoded.text.index("\0"))
    what = f"NUL characters were removed, the first of {decoded.text.count(chr(0))} here"
    return Decoded(decoded.text.replace("\0", ""), (*decoded.problems, Problem(line, what, skipped=False)))


def _mended_escapes(text: str) -> tuple[str, tuple[Problem, ...]]:
    found: list[tuple[int, str]] = []

    def mend(match: re.Match[str]) -> str:
        if match.lastgroup is None:
            return match.group()
        found.append((match.start(), match.lastgroup))
        return _REPLACEMENT if match.lastgroup == "alone" else ""

    mended = _ESCAPES.sub(mend, text)
    return mended, tuple(_escape_problems(text, found))


def _escape_problems(text: str, found: list[tuple[int, str]]) -> list[Problem]:
    lines = Counter[tuple[int, str]]()
    line, last = 1, 0
    for offset, kind in found:
        line += text.count("\n", last, offset)
        last = offset
        lines[line, kind] += 1
    what = {"alone": "half of a surrogate pair was replaced by U+FFFD", "nul": "an escaped NUL was removed"}
    return [Problem(at, f"{what[kind]} ({count} times)", skipped=False) for (at, kind), count in lines.items()]
