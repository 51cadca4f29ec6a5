"""Character cards in zips (CHARX), also behind a JPEG image: ``card.json`` beside pictures.

Nothing is ever unpacked to a file. ``card.json`` and pictures are read up to a limit, whatever they claim to be.
"""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO

from soulmem.errors import FormatError
from soulmem.ingest.cards.card import card_of
from soulmem.ingest.cards.notes import document_of
from soulmem.ingest.cards.payload import MOST_BYTES, json_of
from soulmem.ingest.cards.pictures import MOST_BYTES as BYTES_OF_ONE
from soulmem.ingest.cards.pictures import MOST_TOGETHER as BYTES_OF_ALL
from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.mapped import Data

CARD = "card.json"
#: A zip of more files than this is refused, and so is a card that was packed more tightly than this (a bomb).
MOST_FILES, MOST_RATIO = 10_000, 200
#: Below this size nothing is a bomb, bytes.
_SMALL = 2**20

_END = b"PK\x05\x06"
_TAIL = 2**16 + 22
_BROKEN = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    IndexError,
    KeyError,
)


def sniff(data: Data) -> float:
    """Certain where a zip has a card in it."""
    if not data[:4].startswith((b"PK\x03\x04", b"\xff\xd8\xff", b"MZ")):
        return 0.0
    end = data.rfind(_END, max(0, len(data) - _TAIL))
    return 1.0 if end > 0 and CARD.encode() in data[max(0, end - 4 * 2**20) : end] else 0.0


def read(data: bytes, at: datetime) -> Document:
    """What the card of a zip leaves in a mind.

    :raises FormatError: there is none, it is encrypted, broken, or a bomb."""
    problems: list[Problem] = []
    content, files = _contents(data, problems)
    value, mended = json_of(content)
    return document_of(card_of(value), at, FORMAT.name, (*problems, *mended), files)


def _contents(data: bytes, problems: list[Problem]) -> tuple[bytes, list[tuple[str, bytes]]]:
    """The card, and path and bytes of the files beside it."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            files = archive.infolist()
            if len(files) > MOST_FILES:
                raise FormatError(f"the zip has {len(files)} files; at most {MOST_FILES} are looked at")
            _tell_others(files, problems)
            return _content(archive, _member(files)), list(_others(archive, files))
    except _BROKEN as error:
        raise FormatError(f"the zip cannot be read: {str(error)[:120] or 'it is broken'}") from error


def _member(files: list[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    found = next((file for file in files if file.filename == CARD), None)
    if found is None:
        raise FormatError(f"there is no {CARD} at the top of this zip")
    if found.flag_bits & 0x1:
        raise FormatError("the card is encrypted; soulmem cannot read it", advice="Export it without a password.")
    if found.file_size > MOST_BYTES:
        raise FormatError(f"the card has {found.file_size / 2**20:.0f} MB of text; at most {MOST_BYTES // 2**20} MB are read")
    if found.file_size > max(_SMALL, MOST_RATIO * max(1, found.compress_size)):
        raise FormatError("the card is packed as tightly as no text is: a zip bomb; refused")
    return found


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    with archive.open(member) as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise FormatError(f"the card has more than {MOST_BYTES // 2**20} MB of text")
    return content


def _others(archive: zipfile.ZipFile, files: list[zipfile.ZipInfo]) -> Iterator[tuple[str, bytes]]:
    """The other files, icons first; of one that is no picture to keep, or cannot be read, nothing."""
    read = 0
    for file in sorted(files, key=lambda file: ("icon" not in file.filename.lower(), file.filename)):
        if file.filename == CARD or file.is_dir() or _leads_out(file.filename):
            continue
        is_fit = file.file_size <= min(BYTES_OF_ONE, max(_SMALL, MOST_RATIO * file.compress_size))
        read += file.file_size if is_fit else 0
        yield file.filename, _picture(archive, file) if is_fit and read <= 2 * BYTES_OF_ALL else bytes(0)


def _picture(archive: zipfile.ZipFile, file: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(file) as opened:
            return opened.read(BYTES_OF_ONE + 1)
    except _BROKEN:
        return b""


def _tell_others(files: list[zipfile.ZipInfo], problems: list[Problem]) -> None:
    others = [file.filename for file in files if file.filename != CARD and not file.is_dir()]
    outside = [name for name in others if _leads_out(name)]
    if outside:
        what = f"{len(outside)} files of the zip have paths that lead out of it ({outside[0][:60]}); nothing is unpacked"
        problems.append(Problem(None, what, skipped=False))


def _leads_out(name: str) -> bool:
    path = name.replace("\\", "/")
    return ".." in path.split("/") or path.startswith("/") or path[1:2] == ":"


FORMAT = Format("card-zip", "character card in a zip, also behind a JPEG image (.charx, .jpg)", sniff, read, whole=True)
