"""Which encoding of older programs a text has that is not UTF-8 and bears no mark: a guess, that is told and can be overruled."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder, lookup
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import regex

from soulmem.errors import FormatError
from soulmem.ingest.mapped import Data, byte_lines

#: What is guessed among, likelier ones first: of equal guesses the first one counts. Name of the codec → what people call it.
GUESSED = {
    "gb18030": "GB18030",
    "cp932": "Shift-JIS",
    "big5hkscs": "Big5",
    "cp949": "EUC-KR",
    "euc_jp": "EUC-JP",
    "cp1251": "Windows-1251",
    "koi8_r": "KOI8-R",
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
}
#: Those in which each letter is one byte, and most letters are those of ASCII.
_WESTERN = ("cp1252", "cp1250")
_CYRILLIC = ("cp1251", "koi8_r")
# One in so many characters of Japanese is kana, at least.
_KANA_SHARE = 3
# Fewer than one in so many letters of Cyrillic stands beside one of ASCII.
_WITHIN_SHARE = 8
# Where the whole tells nothing, so many parts of it are asked.
_PARTS = 4
# Codecs of Python for names of hosts, its own source, and what only the machine at hand knows: no file was written in them.
_NOT_OF_FILES = frozenset(("undefined", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "mbcs", "oem"))
# Enough text to tell an encoding by, bytes.
_SAMPLE = 16 * 1024
# No second byte of a character is one of these, in any of the encodings.
_SAFE_ENDS = (b"\n", b'"', b" ")

_ASCII, _ABOVE_ASCII = bytes(range(0x80)), bytes(range(0x80, 0x100))
_HIGH = re.compile(rb"[\x80-\xff]")
_ADJACENT = re.compile(rb"[\x80-\xff]{2}")
# A character of GB2312, which text in GB18030 is nearly all of, and what GB18030 adds in four bytes.
_GB2312 = re.compile(rb"[\xa1-\xf7][\xa1-\xfe]|[\x81-\xfe][0-9][\x81-\xfe][0-9]")
# A letter of ASCII beside another one, as accents are and Cyrillic is not.
_WITHIN_WORD = re.compile(rb"(?<!\\)[A-Za-z][\x80-\xff]|[\x80-\xff][A-Za-z]")
# Kana and marks of Japanese, of which every line of it is full: in Shift-JIS, and in EUC-JP.
_KANA = {"cp932": re.compile(rb"[\x81-\x83][\x40-\xfc]"), "euc_jp": re.compile(rb"[\xa4\xa5][\xa1-\xf6]")}
# Dashes, quotation marks and three dots of Windows between characters of ASCII.
_TYPOGRAPHY = re.compile(rb"(?<![\x80-\xff])[\x85\x91-\x97]{1,3}(?![\x80-\xff])")
# Controls, halves of pairs, and what Unicode has given no meaning.
_NO_TEXT = regex.compile(r"[\p{Cc}\p{Cs}\p{Cn}\p{Co}--\t\r\n\f\x0b]", regex.V1)


def telling_lines(data: Data) -> tuple[bytes, ...]:
    """Lines of ``data`` that tell something: those with bytes above ASCII, without the last one if the file may end within a
    character of it, and there are others."""
    lines: list[bytes] = []
    size = 0
    for _, line in byte_lines(data):
        if not line.isascii():
            lines.append(_shortened(line) + b"\n")
            size += len(lines[-1])
            if size >= _SAMPLE:
                return tuple(lines)
    return tuple(lines[:-1] if len(lines) > 1 and data[-1] >= 0x80 else lines)


def guessed(lines: Sequence[bytes]) -> tuple[str, ...]:
    """The codecs a text with these lines (of :func:`telling_lines`) may have been written with, likeliest first; none where it
    looks like text in none of them."""
    found = _guesses(b"".join(lines))
    if found or len(lines) < 2:
        return found
    # A damaged line is text in no encoding: the others tell.
    parts = Counter(likely[0] for part in range(_PARTS) if (likely := _guesses(b"".join(lines[part::_PARTS]))))
    return tuple(codec for codec, _ in parts.most_common())


def is_western(lines: Sequence[bytes]) -> bool:
    """Whether a text with these lines, which is no UTF-8, is rather of Western Europe in an encoding of one byte a letter than
    damaged: all that is above ASCII stands alone, and is typography, or more than one letter."""
    letters = _TYPOGRAPHY.sub(b"", b"".join(lines))
    return not _ADJACENT.search(letters) and len(_HIGH.findall(letters)) != 1


def wide(start: bytes) -> str | None:
    """UTF-16 without a mark, given away by the NULs of its spaces and line ends; ``None`` for anything else."""
    if b"\0" not in start or _is_text(start.replace(b"\0", b""), "utf-8"):
        return None
    start = start[: len(start) // 2 * 2]
    return next((codec for codec in ("utf-16-le", "utf-16-be") if _is_text(start, codec)), None)


def _is_text(data: bytes, codec: str) -> bool:
    """Whether all of ``data``, but for a character that may be cut off at its end, is text."""
    try:
        text = getincrementaldecoder(codec)().decode(data)
    except UnicodeDecodeError:
        return False
    return _NO_TEXT.search(text) is None


def codec_named(name: str) -> str:
    """The codec that people call ``name``.

    :raises FormatError: there is none of text."""
    try:
        found = lookup(name)
    except (LookupError, ValueError):
        found = None
    # Python has codecs of bytes under such names as well (base64), which are marked so.
    if found is None or found.name in _NOT_OF_FILES or not getattr(found, "_is_text_encoding", True):
        raise FormatError(
            f"there is no encoding named {name[:40]!r}", advice=f"Known are, among others: {', '.join(GUESSED.values())}, UTF-16."
        )
    return found.name


def _shortened(line: bytes) -> bytes:
    """A long line from its first byte above ASCII on, cut between two characters."""
    if len(line) <= _SAMPLE:
        return line
    found = _HIGH.search(line)
    begin = found.start() if found else 0
    piece = line[begin : begin + _SAMPLE]
    end = max(piece.rfind(mark) for mark in _SAFE_ENDS)
    return piece[:end] if end > 0 else piece


@lru_cache(maxsize=4)
def _guesses(sample: bytes) -> tuple[str, ...]:
    from charset_normalizer import from_bytes

    among = _candidates(sample)
    found = from_bytes(sample, cp_isolation=list(among), preemptive_behaviour=False)
    disorder = {codec: match.chaos for match in found for codec in match.could_be_from_charset if codec in among}
    if not disorder and "gb18030" in among and not _GB2312.sub(b"", sample).translate(None, _ASCII):
        return ("gb18030",)
    return tuple(sorted(disorder, key=lambda codec: (disorder[codec], among.index(codec))))


def _candidates(sample: bytes) -> tuple[str, ...]:
    """What ``sample`` may be: by its kana Japanese or not, by its accents Western."""
    if not _ADJACENT.search(_TYPOGRAPHY.sub(b"", sample)):
        return _WESTERN
    high = len(sample) - len(sample.translate(None, _ABOVE_ASCII))
    if japanese := tuple(codec for codec, kana in _KANA.items() if len(kana.findall(sample)) * 2 * _KANA_SHARE > high):
        return japanese
    without = {*_KANA, *(_CYRILLIC if len(_WITHIN_WORD.findall(sample)) * _WITHIN_SHARE > high else ())}
    return tuple(codec for codec in GUESSED if codec not in without)
