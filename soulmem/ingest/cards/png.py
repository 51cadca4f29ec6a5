"""Character cards in PNG images: JSON in Base64 in a text chunk named ``ccv3`` or ``chara``, anywhere in the file.

Of the picture only the headers of its chunks are looked at; it is kept as it is. Where both are there, ``ccv3`` counts.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.cards.card import Card, card_of
from soulmem.ingest.cards.notes import document_of
from soulmem.ingest.cards.payload import MOST_BYTES, packed_json_of, unpacked
from soulmem.ingest.cards.pictures import PORTRAIT
from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.mapped import Data

SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: A text chunk holds at most so many bytes of Base64, and a file has at most so many chunks.
MOST_CHUNK, MOST_CHUNKS = 2 * MOST_BYTES, 100_000

_TEXTS = (b"tEXt", b"zTXt", b"iTXt")
_NAMES = (b"ccv3", b"chara")
_ASSET = b"chara-ext-asset_"
_COMPARED = ("name", "description", "personality", "scenario", "first_mes", "mes_example", "alternate_greetings", "tags")


@dataclass(frozen=True, slots=True)
class _Chunk:
    kind: bytes
    keyword_as_it_is: bytes
    begin: int
    end: int

    @property
    def keyword(self) -> bytes:
        return self.keyword_as_it_is.lower()


def sniff(data: Data) -> float:
    """Certain where there is a chunk with a card."""
    if data[: len(SIGNATURE)] != SIGNATURE:
        return 0.0
    return 1.0 if any(chunk.keyword in _NAMES for chunk in _text_chunks(data, [])) else 0.0


def read(data: bytes, at: datetime) -> Document:
    """What the card of an image leaves in a mind.

    :raises FormatError: there is none, or it is broken."""
    if not data.startswith(SIGNATURE):
        raise FormatError("this is no PNG image")
    problems: list[Problem] = []
    chunks = list(_text_chunks(data, problems))
    cards = _cards(data, chunks, problems)
    names = [name for name in _NAMES if name in cards]
    if len(names) == 2 and (differing := _differing(*(cards[name] for name in names))):
        what = f"the two cards in this image disagree ({', '.join(differing)}); ccv3 was taken, not chara"
        problems.append(Problem(None, what, skipped=False))
    return document_of(cards[names[0]], at, FORMAT.name, problems, [(PORTRAIT, data), *_assets(data, chunks)])


def _assets(data: bytes, chunks: list[_Chunk]) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of what stands in text chunks of its own; what is broken there is empty."""
    for chunk in chunks:
        if chunk.keyword.startswith(_ASSET):
            path = chunk.keyword_as_it_is[len(_ASSET) :].lstrip(b":").decode("utf-8", "replace")
            try:
                yield path, unpacked(_text(data, chunk))
            except FormatError:
                yield path, b""


def _cards(data: bytes, chunks: list[_Chunk], problems: list[Problem]) -> dict[bytes, Card]:
    cards: dict[bytes, Card] = {}
    broken: list[FormatError] = []
    for chunk in chunks:
        if chunk.keyword in _NAMES and chunk.keyword not in cards:
            try:
                value, mended = packed_json_of(_text(data, chunk))
                cards[chunk.keyword] = card_of(value)
            except FormatError as error:
                broken.append(error)
                name = chunk.keyword.decode()
                problems.append(Problem(None, f"the chunk {name} cannot be read: {error.what}", skipped=False))
            else:
                problems += mended
    if not cards:
        raise broken[0] if broken else FormatError("there is no character card in this image")
    return cards


def _differing(new: Card, old: Card) -> list[str]:
    return [name for name in _COMPARED if _plain(getattr(new, name)) != _plain(getattr(old, name))]


def _plain(value: Any) -> Any:
    return value.split() if isinstance(value, str) else value


def _text_chunks(data: Data, problems: list[Problem]) -> Iterator[_Chunk]:
    place = len(SIGNATURE)
    for _ in range(MOST_CHUNKS):
        if place + 8 > len(data):
            return
        length, kind = struct.unpack(">I4s", data[place : place + 8])
        begin, end = place + 8, place + 8 + length
        if end > len(data):
            problems.append(Problem(None, "the image ends in the middle of a chunk", skipped=False))
            end = len(data)
        if kind in _TEXTS:
            keyword_end = data.find(b"\0", begin, min(end, begin + 200))
            if keyword_end > 0:
                yield _Chunk(kind, data[begin:keyword_end], keyword_end + 1, end)
        place = end + 4
    problems.append(Problem(None, f"the image has more than {MOST_CHUNKS} chunks; the rest was not looked at", skipped=False))


def _text(data: bytes, chunk: _Chunk) -> bytes:
    """The text of a chunk, unpacked where it is packed.

    :raises FormatError: it is too long or cannot be unpacked."""
    body = data[chunk.begin : chunk.end]
    if chunk.kind == b"zTXt":
        return _inflated(body[1:])
    if chunk.kind == b"iTXt":
        packed, text = body[:1] == b"\1", body[2:].split(b"\0", 2)
        if len(text) < 3:
            raise FormatError("its text chunk is broken")
        return _inflated(text[2]) if packed else text[2]
    return body


def _inflated(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, MOST_CHUNK)
    except zlib.error as error:
        raise FormatError("its packed text cannot be unpacked") from error
    if unpacker.unconsumed_tail:
        raise FormatError(f"its packed text is longer than {MOST_CHUNK // 2**20} MB")
    return text


FORMAT = Format("card-png", "character card in an image (.png)", sniff, read, whole=True)
