"""A card in a picture: the text chunks of a PNG file that programs for role-play look for."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from soulmem.errors import FormatError
from soulmem.export.card import as_older

SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: The picture of a card that has none: width and height in pixels, and a colour.
_SIZE, _COLOUR = (400, 600), (96, 84, 112)
#: Text chunks that hold a card.
_CARDS = frozenset({b"chara", b"ccv3"})
#: What the names of text chunks begin with that hold files of a card, and how long such a name may be, bytes.
ASSET, _MOST_NAME = b"chara-ext-asset_:", 79
_TEXTS = frozenset({b"tEXt", b"zTXt", b"iTXt"})
#: A chunk is no longer than this, by the format.
_MOST_BYTES = 2**31 - 1


def png_of(card: Mapping[str, Any], picture: bytes | None = None, assets: Iterable[tuple[str, bytes]] = ()) -> bytes:
    """A PNG with the card in it, as ``ccv3`` and for older programs as ``chara``, before its end. ``picture``: a PNG file, of
    which any card is taken out; ``None``: a plain one. ``assets``: path (of :func:`is_asset_path`) and bytes of files of the
    card, which go along.

    Raises :class:`FormatError` for a picture that is no PNG.
    """
    chunks = [chunk for chunk in _chunks(_plain() if picture is None else picture) if not _is_card(*chunk)]
    texts = [(b"tEXt", b"chara\0" + _packed(as_older(card))), (b"tEXt", b"ccv3\0" + _packed(card))]
    texts += ((b"tEXt", ASSET + path.encode("latin-1") + b"\0" + base64.b64encode(data)) for path, data in assets)
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in (*chunks[:-1], *texts, chunks[-1]))


def is_asset_path(path: str) -> bool:
    """Whether a file of the card may go along under this path: the name of a text chunk is short and Latin."""
    return bool(path) and path.isascii() and path.isprintable() and len(ASSET) + len(path) <= _MOST_NAME


def _packed(card: Mapping[str, Any]) -> bytes:
    return base64.b64encode(json.dumps(card, ensure_ascii=False).encode("utf-8"))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _is_card(kind: bytes, data: bytes) -> bool:
    name = data.split(b"\0", 1)[0].lower()
    return kind in _TEXTS and (name in _CARDS or name.startswith(ASSET))


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and data of each chunk up to the end of the picture."""
    if not picture.startswith(SIGNATURE):
        raise FormatError("the picture is not a PNG", advice="Save it as one, or leave it out.")
    place = len(SIGNATURE)
    while place + 12 <= len(picture):
        (length,) = struct.unpack_from(">I", picture, place)
        kind, data = picture[place + 4 : place + 8], picture[place + 8 : place + 8 + length]
        if length > _MOST_BYTES or len(data) < length:
            break
        yield kind, data
        if kind == b"IEND":
            return
        place += length + 12
    raise FormatError("the picture ends too early: it is cut off", advice="Take another one, or leave it out.")


def _plain() -> bytes:
    width, height = _SIZE
    rows = b"".join(b"\0" + bytes(_COLOUR) * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)
