"""Character cards in WEBP images, as TavernAI writes them: JSON in the user comment of the EXIF data."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from datetime import datetime

from soulmem.errors import FormatError
from soulmem.ingest.cards.card import card_of
from soulmem.ingest.cards.notes import document_of
from soulmem.ingest.cards.payload import packed_json_of
from soulmem.ingest.cards.pictures import PORTRAIT
from soulmem.ingest.contract import Document, Format
from soulmem.ingest.mapped import Data

_EXIF_IFD, _USER_COMMENT = 0x8769, 0x9286
_NUMBERS = re.compile(rb"\s*\d{1,3}(?:\s*,\s*\d{1,3})+\s*\Z")
_MOST_CHUNKS = 10_000


def sniff(data: Data) -> float:
    """Certain where the comment of the image may be a card."""
    comment = _comment(data) if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None
    return 1.0 if comment and (comment[:1] in (b"{", b"[") or len(comment) > 100) else 0.0


def read(data: bytes, at: datetime) -> Document:
    """What the card of an image leaves in a mind.

    :raises FormatError: there is none, or it is broken."""
    comment = _comment(data)
    if not comment:
        raise FormatError("there is no character card in this image")
    value, problems = packed_json_of(comment)
    return document_of(card_of(value), at, FORMAT.name, problems, [(PORTRAIT, data)])


def _comment(data: Data) -> bytes | None:
    for kind, body in _chunks(data):
        if kind == b"EXIF":
            return _user_comment(body.removeprefix(b"Exif\0\0"))
    return None


def _chunks(data: Data) -> Iterator[tuple[bytes, bytes]]:
    place = 12
    for _ in range(_MOST_CHUNKS):
        if place + 8 > len(data):
            return
        kind, length = struct.unpack("<4sI", data[place : place + 8])
        yield kind, data[place + 8 : place + 8 + length] if kind == b"EXIF" else b""
        place += 8 + length + length % 2


def _user_comment(tiff: bytes) -> bytes | None:
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None or len(tiff) < 8:
        return None
    (first,) = struct.unpack_from(f"{order}I", tiff, 4)
    below = _value(tiff, order, first, _EXIF_IFD)
    found = _value(tiff, order, struct.unpack(f"{order}I", below)[0], _USER_COMMENT) if below and len(below) == 4 else None
    found = found or _value(tiff, order, first, _USER_COMMENT)
    return _plain(found, order) if found else None


def _value(tiff: bytes, order: str, place: int, tag: int) -> bytes | None:
    """The bytes of a field of the directory at ``place``."""
    if place + 2 > len(tiff):
        return None
    (number,) = struct.unpack_from(f"{order}H", tiff, place)
    for entry in range(place + 2, min(place + 2 + 12 * number, len(tiff) - 11), 12):
        found, kind, count, offset = struct.unpack_from(f"{order}HHII", tiff, entry)
        if found == tag:
            if kind == 4:
                return tiff[entry + 8 : entry + 12]
            return tiff[entry + 8 : entry + 8 + count] if count <= 4 else tiff[offset : offset + count]
    return None


def _plain(comment: bytes, order: str) -> bytes:
    """The comment without the name of its character set; some programs write the numbers of its bytes."""
    code, text = comment[:8], comment[8:]
    if code.startswith(b"UNICODE"):
        text = text.decode("utf-16-le" if order == "<" else "utf-16-be", "replace").encode("utf-8")
    elif not code.startswith((b"ASCII", b"JIS", b"\0\0\0\0")):
        text = comment
    text = text.strip(b" \t\r\n\0")
    if len(text) < 2**22 and _NUMBERS.match(text):
        return bytes(int(number) & 255 for number in text.split(b","))
    return text


FORMAT = Format("card-webp", "character card of TavernAI in an image (.webp)", sniff, read, whole=True)
