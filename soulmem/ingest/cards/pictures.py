"""Pictures of a card: the one it travels in, and its assets. Kept as they are but for the texts in them, and given back.

A picture is what its pixels are: text chunks of PNG, comments and EXIF data of JPEG and WEBP hold whatever a program put there,
the card itself among it, and are not kept, so that nothing can be hidden from who forgets.
"""

from __future__ import annotations

import hashlib
import re
import struct
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from soulmem.errors import FormatError
from soulmem.ingest.cards.payload import unpacked
from soulmem.ingest.contract import Problem

#: A larger picture is not kept, nor more of one card, in all and in number; bytes.
MOST_BYTES, MOST_TOGETHER, MOST_PICTURES = 10 * 2**20, 32 * 2**20, 200
#: Where the picture is that the card travels in.
PORTRAIT = "portrait:"

_PNG = b"\x89PNG\r\n\x1a\n"
#: Chunks of PNG, animated or not, that make the picture.
_PNG_CHUNKS = frozenset(
    b"IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT".split()
)
_WEBP_TEXTS = frozenset({b"EXIF", b"XMP "})
_WEBP_FLAGS = 0x08 | 0x04
#: Segments of JPEG that make the picture though they are for programs: JFIF, ICC profile, Adobe.
_JPEG_KEPT = frozenset({0xE0, 0xE2, 0xEE})
_JPEG_SCAN, _JPEG_COMMENT = 0xDA, 0xFE

_DATA_URI = re.compile(r"data:image/[\w.+-]{1,40}(?:;[\w=.-]{0,60})*;base64,", re.IGNORECASE)
_EMBEDDED = re.compile(r"(?:embeded://|embedded://|__asset:)", re.IGNORECASE)
_FIRST = 0xE000


@dataclass(frozen=True, slots=True)
class Picture:
    """``path``: where the card says it is (``assets/icon/main.png``); :data:`PORTRAIT` for the one it travels in."""

    path: str
    data: bytes

    @property
    def id(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def media(self) -> str:
        """Its type: png, jpeg or webp."""
        return media_of(self.data) or ""


def media_of(data: bytes) -> str | None:
    """What kind of picture it is; ``None`` for what is none that is kept."""
    if data.startswith(_PNG):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    return "webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def kept_pictures(found: Iterable[tuple[str, bytes]], problems: list[Problem]) -> tuple[Picture, ...]:
    """The pictures among what a card brought (path, bytes), without the texts in them; what is left out is told."""
    kept: list[Picture] = []
    left: list[str] = []
    for path, data in found:
        bare = _bare(data) if len(data) <= MOST_BYTES else None
        room = MOST_TOGETHER - sum(len(one.data) for one in kept)
        if bare is None or len(bare) > room or len(kept) >= MOST_PICTURES:
            left.append(f"{'the picture of the card' if path == PORTRAIT else path[-60:]} ({len(data) / 2**20:.1f} MB)")
        else:
            kept.append(Picture(path, bare))
    if left:
        most = f"PNG, JPEG and WEBP up to {MOST_BYTES // 2**20} MB are, {MOST_TOGETHER // 2**20} MB in all"
        shown = ", ".join(left[:3]) + (f" and {len(left) - 3} more" if len(left) > 3 else "")
        problems.append(Problem(None, f"not kept of the pictures and files of the card: {shown}; {most}", skipped=False))
    return tuple(kept)


def _bare(data: bytes) -> bytes | None:
    """The picture without texts; ``None`` for what is none, or is broken."""
    try:
        return _WITHOUT_TEXTS[media_of(data) or ""](data)
    except (KeyError, struct.error, IndexError, ValueError):
        return None


def _bare_png(data: bytes) -> bytes:
    place, parts = len(_PNG), [_PNG]
    while True:
        length, kind = struct.unpack_from(">I4s", data, place)
        end = place + 12 + length
        if end > len(data):
            raise ValueError("cut off")
        if kind in _PNG_CHUNKS:
            parts.append(data[place:end])
        if kind == b"IEND":
            return b"".join(parts)
        place = end


def _bare_webp(data: bytes) -> bytes:
    place, parts = 12, list[bytes]()
    while place + 8 <= len(data):
        kind, length = struct.unpack_from("<4sI", data, place)
        body = data[place + 8 : place + 8 + length]
        if len(body) < length:
            raise ValueError("cut off")
        if kind == b"VP8X":
            body = bytes([body[0] & ~_WEBP_FLAGS]) + body[1:]
        if kind not in _WEBP_TEXTS:
            parts.append(struct.pack("<4sI", kind, length) + body + bytes(length % 2))
        place += 8 + length + length % 2
    whole = b"WEBP" + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(whole)) + whole


def _bare_jpeg(data: bytes) -> bytes:
    place, parts = 2, [data[:2]]
    while True:
        mark, kind, length = struct.unpack_from(">BBH", data, place)
        if mark != 0xFF:
            raise ValueError("no segment")
        if kind == _JPEG_SCAN:
            end = data.rindex(b"\xff\xd9") + 2
            return b"".join((*parts, data[place:end]))
        if not (0xE0 <= kind <= 0xEF or kind == _JPEG_COMMENT) or kind in _JPEG_KEPT:
            parts.append(data[place : place + 2 + length])
        place += 2 + length


_WITHOUT_TEXTS: Mapping[str, Callable[[bytes], bytes]] = {"png": _bare_png, "jpeg": _bare_jpeg, "webp": _bare_webp}


# As text.


def as_text(data: bytes) -> str:
    """Bytes as characters of the private use area, twelve bits each; before them how many zeros were added."""
    filled = np.frombuffer(data + bytes(-len(data) % 3), np.uint8).reshape(-1, 3).astype(np.uint16)
    high, low = (filled[:, 0] << 4) | (filled[:, 1] >> 4), ((filled[:, 1] & 15) << 8) | filled[:, 2]
    codes = np.stack((high, low), axis=1).ravel() + _FIRST
    return f"{-len(data) % 3}" + codes.astype("<u2").tobytes().decode("utf-16-le")


def from_text(text: str) -> bytes:
    """The bytes of :func:`as_text`."""
    codes = (np.frombuffer(text[1:].encode("utf-16-le"), "<u2") - np.uint16(_FIRST)).reshape(-1, 2)
    high, low = codes[:, 0], codes[:, 1]
    filled = np.stack((high >> 4, ((high & 15) << 4) | (low >> 8), low & 255), axis=1).astype(np.uint8).tobytes()
    return filled[: len(filled) - int(text[0])]


# In the fields of a card.


def asset_path(uri: Any) -> str | None:
    """The path of an asset that is in the file of the card; ``None`` for one elsewhere."""
    match = _EMBEDDED.match(uri) if isinstance(uri, str) else None
    return uri[match.end() :].lstrip("/") if match else None


def without_data(raw: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[tuple[str, bytes]]]:
    """A card whose assets hold no data but lead to it, and that data by path."""
    data = raw.get("data")
    assets = data.get("assets") if isinstance(data, Mapping) else None
    found: list[tuple[str, bytes]] = []
    if not isinstance(data, Mapping) or not isinstance(assets, list):
        return raw, found
    moved = [_moved(asset, number, found) for number, asset in enumerate(assets)]
    return ({**raw, "data": {**data, "assets": moved}} if found else raw), found


def _moved(asset: Any, number: int, found: list[tuple[str, bytes]]) -> Any:
    uri = asset.get("uri") if isinstance(asset, Mapping) else None
    if not isinstance(uri, str) or (match := _DATA_URI.match(uri)) is None:
        return asset
    try:
        data = unpacked(uri[match.end() :].encode("ascii", "replace"))
    except FormatError:
        return asset
    if (media := media_of(data)) is None or _bare(data) is None or len(data) > MOST_BYTES:
        return asset
    path = f"assets/data/{number}.{media}"
    found.append((path, data))
    return {**asset, "uri": f"embeded://{path}"}


def with_assets(data: Mapping[str, Any], uri_of: Callable[[str], str | None]) -> dict[str, Any]:
    """The fields of a card with other places of its assets; ``uri_of(path)``: where one is, ``None``: where it says."""
    assets = data.get("assets")
    if not isinstance(assets, list):
        return dict(data)
    return {**data, "assets": [_placed(asset, uri_of) for asset in assets]}


def _placed(asset: Any, uri_of: Callable[[str], str | None]) -> Any:
    path = asset_path(asset.get("uri")) if isinstance(asset, Mapping) else None
    uri = uri_of(path) if path is not None else None
    return asset if uri is None else {**asset, "uri": uri}


def own_paths(raw: Any) -> frozenset[str]:
    """The paths of the assets that are in the file of a card."""
    data = raw.get("data") if isinstance(raw, Mapping) else None
    assets = data.get("assets") if isinstance(data, Mapping) else None
    uris = (asset.get("uri") for asset in assets if isinstance(asset, Mapping)) if isinstance(assets, list) else ()
    return frozenset(path for uri in uris if (path := asset_path(uri)))


def data_uri(picture: Picture) -> str:
    """The picture as a URI that holds it."""
    return f"data:image/{picture.media};base64,{b64encode(picture.data).decode()}"


# What the mind records.


def recorded(pictures: Iterable[Picture]) -> list[dict[str, str]]:
    """What is recorded of pictures beside the card that they are of."""
    return [{"path": one.path, "picture": one.id} for one in pictures]


def recorded_ids(kept: Any) -> Iterator[tuple[str, str]]:
    """Path and id of the pictures of a recorded card; not of one whose path was forgotten."""
    pictures = kept.get("pictures") if isinstance(kept, Mapping) else None
    for one in pictures if isinstance(pictures, list) else []:
        if isinstance(one, Mapping) and one.get("path") and isinstance(one["path"], str) and isinstance(one.get("picture"), str):
            yield one["path"], one["picture"]
