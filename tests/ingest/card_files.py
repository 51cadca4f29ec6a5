"""Files of cards and lorebooks, made here: images that hold nothing but what a reader looks at."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

#: A card of version 2 that says something in every field.
CARD: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Ada Quill",
        "description": "{{char}} keeps the lighthouse on Gull Rock. She has grey eyes and a wooden leg. "
        "{{char}} speaks in short sentences.",
        "personality": "dry, patient, loyal",
        "scenario": "{{user}} has been washed ashore below the lighthouse of {{char}}.",
        "first_mes": '*She holds up a lamp.* "You are alive, then."',
        "mes_example": '<START>\n{{user}}: Are you alone here?\n{{char}}: "Never. There are the gulls." *She shrugs.*',
        "creator_notes": "Written for SECRET-CREATOR.",
        "system_prompt": "SECRET-SYSTEM {{original}}",
        "post_history_instructions": "SECRET-AFTER",
        "alternate_greetings": ['"The tide brought you."'],
        "character_book": {
            "name": "Gull Rock",
            "entries": [
                {
                    "keys": ["Gull Rock", "the rock"],
                    "content": "A rock in the sea. The Lamp burns on it.",
                    "enabled": True,
                    "id": 1,
                },
                {"keys": ["Lamp"], "content": "It was lit in 1811.", "enabled": True, "constant": True, "id": 2},
                {"keys": ["wreck"], "content": "SECRET-OFF", "enabled": False, "id": 3},
            ],
        },
        "tags": ["lighthouse", "sea"],
        "creator": "nobody",
        "character_version": "1",
        "extensions": {"somebody/else": {"kept": [1, 2, {"deep": None}]}},
    },
}

#: A character as Agnai exports it in its own form.
AGNAI: dict[str, Any] = {
    "kind": "character",
    "name": "Ada Quill",
    "description": "SECRET-CREATOR",
    "persona": {
        "kind": "wpp",
        "attributes": {"eyes": ["grey"], "likes": ["tea", "rain on the lamp"], "job": ["keeps the lighthouse on Gull Rock"]},
    },
    "scenario": "{{user}} has been washed ashore below the lighthouse of {{char}}.",
    "greeting": '*She holds up a lamp.* "You are alive, then."',
    "sampleChat": '{{user}}: Are you alone here?\n{{char}}: "Never. There are the gulls."',
    "alternateGreetings": ['"The tide brought you."'],
    "systemPrompt": "SECRET-SYSTEM",
    "characterBook": {
        "kind": "memory",
        "name": "Gull Rock",
        "entries": [{"name": "Lamp", "keywords": ["Lamp"], "entry": "It was lit in 1811.", "enabled": True, "weight": 0}],
    },
    "tags": ["sea"],
}

#: A character of a Backyard AI archive.
BACKYARD: dict[str, Any] = {
    "schemaVersion": 1,
    "id": "ada",
    "name": "Ada",
    "displayName": "Ada Quill",
    "isNSFW": False,
    "persona": "{character} keeps the lighthouse on Gull Rock. She has grey eyes.",
    "loreItems": [{"key": "Lamp, light", "value": "It was lit in 1811."}],
    "images": [{"path": "images/1.png", "label": ""}],
}


def card(**fields: Any) -> dict[str, Any]:
    """:data:`CARD` with other fields in ``data``; ``...`` leaves one out."""
    data = {**CARD["data"], **fields}
    return {**CARD, "data": {name: value for name, value in data.items() if value is not ...}}


def encoded(value: Any) -> bytes:
    """As a card stands in an image."""
    return base64.b64encode(json.dumps(value, ensure_ascii=False).encode())


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def text_chunk(keyword: bytes, body: bytes) -> bytes:
    return chunk(b"tEXt", keyword + b"\0" + body)


def packed_chunk(keyword: bytes, body: bytes) -> bytes:
    return chunk(b"zTXt", keyword + b"\0\0" + zlib.compress(body))


def international_chunk(keyword: bytes, body: bytes, *, packed: bool) -> bytes:
    head = keyword + b"\0" + (b"\1" if packed else b"\0") + b"\0en\0\0"
    return chunk(b"iTXt", head + (zlib.compress(body) if packed else body))


def png(before: Sequence[bytes] = (), after: Sequence[bytes] = ()) -> bytes:
    """An image of one pixel with chunks before and after its data."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    pixel = chunk(b"IDAT", zlib.compress(b"\0\0"))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(before) + pixel + b"".join(after) + chunk(b"IEND", b"")


def webp(comment: bytes, order: str = "<") -> bytes:
    """An image with ``comment`` as the user comment of its EXIF data."""
    at = 8 + 2 + 12 + 4
    first = struct.pack(f"{order}H", 1) + struct.pack(f"{order}HHII", 0x8769, 4, 1, at) + bytes(4)
    exif = struct.pack(f"{order}H", 1) + struct.pack(f"{order}HHII", 0x9286, 7, len(comment), at + 2 + 12 + 4) + bytes(4)
    tiff = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}I", 8) + first + exif + comment
    body = b"Exif\0\0" + tiff
    chunks = b"VP8 " + struct.pack("<I", 3) + b"abc\0" + b"EXIF" + struct.pack("<I", len(body)) + body + bytes(len(body) % 2)
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WEBP" + chunks


def zipped(files: Mapping[str, bytes], *, prefix: bytes = b"", packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip, perhaps behind something else."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", packed) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return prefix + made.getvalue()


def book(*entries: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"name": "Gull Rock lore", "entries": [{"enabled": True, **entry} for entry in entries], **fields}


TEXT = "A rock in the sea, white with birds."
WORLD_INFO = {
    "entries": {
        "0": {
            "uid": 0,
            "key": ["Gull Rock", "the rock"],
            "keysecondary": ["sea"],
            "comment": "",
            "content": TEXT,
            "constant": True,
            "disable": False,
            "order": 100,
            "position": 0,
        },
        "1": {"uid": 1, "key": ["wreck"], "content": "Gone.", "disable": True},
    }
}
DIALECTS: dict[str, Any] = {
    "world info": WORLD_INFO,
    "version 2": book({"keys": ["Gull Rock", "the rock"], "secondary_keys": ["sea"], "content": TEXT, "constant": True}),
    "version 3": {
        "spec": "lorebook_v3",
        "data": book(
            {
                "keys": ["Gull Rock", "the rock"],
                "secondary_keys": "sea",
                "content": "@@depth 4\n@@@position personality\n" + TEXT,
                "constant": True,
                "use_regex": False,
            }
        ),
    },
    "chub": {
        "name": "x",
        "entries": {
            "1": {
                "key": ["Gull Rock", "the rock"],
                "keys": ["Gull Rock", "the rock"],
                "keysecondary": ["sea"],
                "secondary_keys": ["sea"],
                "content": TEXT,
                "constant": True,
                "enabled": True,
                "disable": False,
                "order": 1,
                "insertion_order": 1,
            },
            "2": {"key": ["wreck"], "content": "Gone.", "enabled": True, "disable": True},
            "3": {"keys": ["wreck"], "content": "Gone.", "enabled": False, "disable": False},
        },
    },
    "novelai": {
        "lorebookVersion": 5,
        "entries": [
            {
                "text": TEXT,
                "displayName": "Gull Rock",
                "keys": ["the rock"],
                "secondaryKeys": ["sea"],
                "enabled": True,
                "forceActivation": True,
                "contextConfig": {},
            }
        ],
        "categories": [],
    },
    "agnai": {
        "kind": "memory",
        "name": "x",
        "entries": [
            {
                "name": "Gull Rock",
                "entry": TEXT,
                "keywords": ["the rock"],
                "secondaryKeys": ["sea"],
                "priority": 0,
                "weight": 0,
                "enabled": True,
                "constant": True,
            }
        ],
    },
    "risuai": {
        "type": "risu",
        "ver": 1,
        "data": [
            {
                "key": "Gull Rock, the rock",
                "secondkey": "sea",
                "insertorder": 100,
                "comment": "",
                "content": TEXT,
                "mode": "normal",
                "alwaysActive": True,
                "selective": False,
            },
            {"key": "", "comment": "A folder", "content": "", "mode": "folder"},
        ],
    },
}
