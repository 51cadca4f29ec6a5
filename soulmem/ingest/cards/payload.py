"""What stands inside the containers of cards: JSON, as it is or in Base64, within limits."""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.contract import Problem
from soulmem.ingest.encodings import Decoded, decode_json
from soulmem.ingest.json_places import BrokenJSONError, parse

#: A card or lorebook has at most so many bytes of JSON.
MOST_BYTES = 32 * 2**20
#: Values are nested at most so deep.
MOST_DEPTH = 100
#: A text longer than this is not kept for export when it holds data (a picture), nor a card of more than this in all, characters.
MOST_KEPT_TEXT, MOST_KEPT = 256 * 2**10, 8 * 2**20

_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
_DATA = re.compile(r"data:[\w.+-]{0,60}/?[\w.+-]{0,60};base64,|[A-Za-z0-9+/=_\s-]{200}")


def json_value(text: str) -> Any:
    """The value of a JSON text, not nested too deeply.

    :raises FormatError: it is none; names the line."""
    stripped = text.strip()
    start = len(text) - len(text.lstrip())
    try:
        value = parse(stripped)
    except BrokenJSONError as broken:
        line = text.count("\n", 0, start + broken.offset) + 1
        raise FormatError(f"broken JSON: {broken.what}", place=f"line {line}") from broken
    if _is_too_deep(value):
        raise FormatError(f"the values of this file are nested more than {MOST_DEPTH} deep")
    return value


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def json_of(data: bytes) -> tuple[Any, tuple[Problem, ...]]:
    """The value of JSON in bytes, and what had to be mended to get it.

    :raises FormatError: it is none, or too large."""
    if len(data) > MOST_BYTES:
        raise FormatError(f"the card has {len(data) / 2**20:.0f} MB of text; at most {MOST_BYTES // 2**20} MB are read")
    decoded: Decoded = decode_json(data)
    return json_value(decoded.text), decoded.problems


def packed_json_of(data: bytes) -> tuple[Any, tuple[Problem, ...]]:
    """The value of JSON that may be packed in Base64: of either alphabet, in lines, without its padding.

    :raises FormatError: it is neither."""
    data = data.strip(b" \t\r\n\0\xef\xbb\xbf")
    return json_of(data if data[:1] in (b"{", b"[") else unpacked(data))


def unpacked(data: bytes) -> bytes:
    """The bytes that ``data`` holds in Base64.

    :raises FormatError: it is none."""
    plain = b"".join(data.split()).replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
    if not plain or _NOT_BASE64.search(plain) or len(plain) % 4 == 1:
        raise FormatError("what should be a card is neither JSON nor Base64")
    try:
        return binascii.a2b_base64(plain + b"=" * (-len(plain) % 4))
    except binascii.Error as error:
        raise FormatError("what should be a card is neither JSON nor Base64") from error


def shortened(value: Any) -> tuple[Any, list[str]]:
    """``value`` without long data (pictures in the text) and numbers that JSON has no word for (NaN, infinite ones), and in words
    what was left out; nothing, if it is still too long."""
    left: list[str] = []
    kept = _without_data(value, "", left)
    size = len(json.dumps(kept, ensure_ascii=False))
    if size > MOST_KEPT:
        return {}, [f"{size / 2**20:.0f} MB of text are too much to be kept for export; only the notes are"]
    return kept, left


def _without_data(value: Any, place: str, left: list[str]) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_data(inner, f"{place}.{name}"[:80], left) for name, inner in value.items()}
    if isinstance(value, list):
        return [_without_data(inner, f"{place}[{number}]"[:80], left) for number, inner in enumerate(value)]
    if isinstance(value, str) and len(value) > MOST_KEPT_TEXT and _DATA.match(value):
        left.append(f"{place.lstrip('.')}: {len(value) / 2**20:.1f} MB of data are not kept for export")
        return ""
    if isinstance(value, float) and not isfinite(value):
        left.append(f"{place.lstrip('.')}: {value} is no number in JSON; not kept for export")
        return None
    return value
