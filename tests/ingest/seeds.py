"""A few good files of every format that can be read, small ones of our own: where tests of damage and fuzzing begin."""

from __future__ import annotations

import json
import zipfile
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from card_files import CARD, DIALECTS, encoded, international_chunk, packed_chunk, png, text_chunk, webp, zipped
from chat_files import FORMAT_OF, chat_bytes

from soulmem.ingest.answers import Answers, Habit, Named, Told, answers_text
from soulmem.ingest.archive import archive_text
from soulmem.model.messages import Chat, Message, Role

AT = datetime(2026, 1, 1, tzinfo=UTC)

GRAPH: list[dict[str, Any]] = [
    {
        "id": "a",
        "tags": ["t"],
        "mem_type": {"Situation": {"SpecificSituation": {"narrative": "n", "time_span": {"start": "2026-06-01T08:00:00Z"}}}},
        "mem_links": [{"from": "a", "to": "b", "intensity": 1.0, "link_type": {"Proc": {"TrigToAction": {"prob": 0.5}}}}],
        "soulmem": {"created_at": "2026-06-01T08:00:00Z", "strength": 0.5, "sources": ["m"]},
    },
    {
        "id": "b",
        "tags": [],
        "mem_type": {"Procedure": {"action": {"content": "c", "action_type": {"Skill": {}}}}},
        "mem_links": [],
    },
]
CHAT: list[dict[str, Any]] = [
    {"user_name": "Kim", "character_name": "Ada", "chat_metadata": {}},
    {"name": "Ada", "is_user": False, "send_date": 1714651200, "mes": "hi", "extra": {"type": "narrator"}},
    {"name": "Kim", "is_user": True, "send_date": "June 19, 2023 2:20pm", "mes": "hello"},
]
TALK: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "text", "text": "hi"}], "name": "Kim"},
    {"role": "assistant", "content": "hey"},
]
YAML = "name: Ada\ncontext: |\n  Ada keeps a light.\n  You: Hi\n  Ada: Ho\ngreeting: 'Hello.'\n"
ANSWERS = Answers(
    name="Ruben",
    aliases=["Ru"],
    who="I keep a lighthouse on Farrow Rock.",
    looks="tall",
    home="Farrow Rock",
    likes=["tea"],
    dislikes=["fog"],
    people=[Named(name="Marta", who="my sister", aliases=["M"])],
    places=[Named(name="Farrow Rock", who="granite")],
    habits=[Habit(when="a ship passes", does="say “No.”", once="In March a ship passed.")],
    says=["Mind the step."],
    memories=[Told(what="Marta came to Farrow Rock.", at="2019-08")],
    greeting="You're early.",
)
#: What a mind exported: a chat, one message of it, and the card the mind was made from.
ARCHIVE = archive_text(
    [Chat(id="c", file="chat.txt", format="script", sha256="0" * 64, messages=1, ingested_at=AT)],
    [Message(id="m", chat="c", index=0, file="chat.txt", line=1, speaker="Ada", role=Role.CHARACTER, text="hi", sent_at=AT)],
    {"card": {"spec": "chara_card_v2"}},
)

#: How formats wrap the JSON of a card.
WRAPPED: dict[str | None, Callable[[bytes], bytes]] = {
    "card-png": lambda text: png(after=[text_chunk(b"chara", b64encode(text))]),
    "card-webp": lambda text: webp(b"ASCII\0\0\0" + text),
    "card-zip": lambda text: zipped({"card.json": text}),
}
_CARD = json.dumps(CARD).encode()
_PERSONAS = {
    "personas": {"kim.png": "Kim"},
    "persona_descriptions": {"kim.png": {"description": "Kim mends boats.", "position": 0, "depth": 2, "role": 0}},
    "default_persona": "kim.png",
}
_MADE: dict[str, tuple[bytes, ...]] = {
    "personas": (json.dumps(_PERSONAS).encode(),),
    "soulmem-messages": (ARCHIVE.encode(),),
    "graph-json": (json.dumps(GRAPH).encode(), "\n".join(map(json.dumps, GRAPH)).encode()),
    "interview": (answers_text(ANSWERS).encode(),),
    "card-json": (_CARD, json.dumps(CARD["data"], indent=1).encode()),
    "card-png": (
        png(
            before=[packed_chunk(b"ccv3", encoded(CARD))],
            after=[text_chunk(b"chara", encoded(CARD)), international_chunk(b"chara", encoded(CARD), packed=True)],
        ),
    ),
    "card-webp": (webp(b"ASCII\0\0\0" + _CARD),),
    "card-zip": (zipped({"card.json": _CARD, "assets/main.png": b"x"}),),
    "card-yaml": (YAML.encode(),),
    "lorebook": tuple(json.dumps(book).encode() for book in DIALECTS.values()),
    "sillytavern": ("\n".join(map(json.dumps, CHAT)).encode(), json.dumps(CHAT).encode()),
    "openai": (json.dumps(TALK).encode(),),
}

#: Good files by the name of their format, each of which is read without a line skipped.
SEEDS: dict[str, tuple[bytes, ...]] = {
    name: _MADE.get(name, ()) + tuple(chat_bytes(file) for file, format_ in FORMAT_OF.items() if format_ == name)
    for name in dict.fromkeys((*_MADE, *FORMAT_OF.values()))
}
#: Zips of files as a folder would hold them, packed in every way.
ZIPS = tuple(
    zipped({"a.txt": b"Ada: hi\nKim: hello\n", "b/c.json": _MADE["openai"][0], ".d.txt": b"", "z.json": _CARD}, packed=kind)
    for kind in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA)
)
