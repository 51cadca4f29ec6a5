"""The table of cards and lorebooks in docs/formats.md is what small files of our own are read as."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from card_files import AGNAI, BACKYARD, CARD, DIALECTS, encoded, packed_chunk, png, text_chunk, webp, zipped
from chat_files import chat_bytes

from soulmem.ingest import FORMATS, read
from soulmem.ingest.byaf import with_scenarios
from soulmem.model.notes import NoteType

DOC = Path(__file__).parents[2] / "docs" / "formats.md"
AT = datetime(2026, 1, 1, tzinfo=UTC)
BARE = {name: CARD["data"][name] for name in ("name", "description", "personality", "scenario", "first_mes", "mes_example")}
TEXT = json.dumps(CARD).encode()

FILES: dict[str, bytes] = {
    "card of version 1": json.dumps(BARE).encode(),
    "card of version 2, with a lorebook": TEXT,
    "card of version 3": json.dumps({**CARD, "spec": "chara_card_v3", "spec_version": "3.0"}).encode(),
    "TavernAI": json.dumps({**BARE, "spec": "tavern_ai", "spec_version": "1.0", "categories": ["sea"]}).encode(),
    "Pygmalion": json.dumps(
        {"char_name": "Ada Quill", "char_persona": "She keeps a light.", "char_greeting": "Hi.", "world_scenario": "At night."}
    ).encode(),
    "Agnai, attributes": json.dumps(AGNAI).encode(),
    "Backyard AI, the character of an archive": with_scenarios(json.dumps(BACKYARD).encode(), [chat_bytes("byaf.json")]),
    "text-generation-webui": b"name: Ada Quill\ngreeting: Hi.\ncontext: She keeps a light.\n",
    "PNG, `chara` behind the picture": png(after=[text_chunk(b"chara", encoded(CARD))]),
    "PNG, `ccv3`, packed (zTXt)": png(before=[packed_chunk(b"ccv3", encoded(CARD))]),
    "WEBP of TavernAI": webp(b"ASCII\0\0\0" + json.dumps(BARE).encode()),
    "CHARX": zipped({"card.json": TEXT, "assets/main.png": b""}),
    "CHARX behind a JPEG": zipped({"card.json": TEXT}, prefix=b"\xff\xd8\xff\xe0picture\xff\xd9"),
    "SillyTavern World Info": json.dumps(DIALECTS["world info"]).encode(),
    "lorebook of version 2, without its card": json.dumps(DIALECTS["version 2"]).encode(),
    "lorebook of version 3": json.dumps(DIALECTS["version 3"]).encode(),
    "Chub, both dialects in one entry": json.dumps(DIALECTS["chub"]).encode(),
    "NovelAI": json.dumps(DIALECTS["novelai"]).encode(),
    "Agnai memory book": json.dumps(DIALECTS["agnai"]).encode(),
    "RisuAI lorebook": json.dumps(DIALECTS["risuai"]).encode(),
}


def row(what: str) -> str:
    document = read(FILES[what], AT)
    kinds = [sum(note.type is kind for note in document.notes) for kind in NoteType]
    name = document.character_name or "–"
    cells = (what, f"`{document.format}`", name, " + ".join(map(str, kinds)), len(document.links), len(document.messages))
    return f"| {' | '.join(map(str, cells))} |"


def test_the_table_is_what_is_read() -> None:
    table = "\n".join(map(row, FILES))
    text = DOC.read_text(encoding="utf-8")
    line = "|---|---|---|---|---|---|\n"
    begin, end = text.index(line) + len(line), text.index("<!-- /cards -->")
    assert text[begin:end].strip() == table, table


def test_every_format_of_cards_and_lorebooks_stands_in_it() -> None:
    names = {format_.name for format_ in FORMATS if format_.name.startswith(("card-", "lorebook"))}
    assert names == {read(data, AT).format for data in FILES.values()}
