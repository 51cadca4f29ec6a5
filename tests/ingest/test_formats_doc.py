"""The table of chats in docs/formats.md is what our small files are read as."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from chat_files import CHATS, FORMAT_OF, chat_bytes

from soulmem.ingest import FORMATS, read

DOC = Path(__file__).parents[2] / "docs" / "formats.md"
AT = datetime(2026, 1, 1, tzinfo=UTC)

WHAT = {
    "sillytavern.jsonl": "SillyTavern, header of 2025, with swipes, narrator, hidden line and comment",
    "sillytavern-group.jsonl": "SillyTavern group: two characters of one name",
    "tavernai-room.jsonl": "TavernAI room",
    "chub.jsonl": "Chub, `mes` as an object",
    "sillytavern.txt": "SillyTavern, exported as text",
    "risuai.json": "RisuAI chat",
    "risuai-all.json": "RisuAI, all chats of a character; one is a group",
    "risuai.txt": "RisuAI, exported as text",
    "risuai-old.txt": "RisuAI, text of older versions: names alone",
    "ooba.json": "text-generation-webui, `data_visible`",
    "ooba-internal.json": "text-generation-webui of 2025, with times",
    "agnai.json": "Agnai",
    "byaf.json": "Backyard AI, a scenario with an answer that was asked for again",
    "kobold.json": "Kobold Lite, instruct mode",
    "kobold-chat.json": "Kobold Lite, chat with two opponents",
    "kinlog.txt": "Kindroid, saved by KinLog as text",
    "kinlog.html": "Kindroid, saved by KinLog as a page",
    "kinlog.json": "Kindroid, saved by KinLog as JSON",
    "character-ai.json": "Character.AI, `histories` (old dumps, CAI-Tools)",
    "character-ai-turns.json": "Character.AI, `turns`, the newest first",
    "chatgpt.json": "ChatGPT, `conversations.json` with a branch that was left",
    "open-webui.json": "Open WebUI",
    "sharegpt.jsonl": "ShareGPT, one conversation a line",
    "openai.json": "messages of the OpenAI API",
    "openai-many.jsonl": "messages of the OpenAI API, one conversation a line",
    "qq.json": "QQ, by qq-chat-exporter: two of one name, one message taken back",
    "qq.txt": "QQ, exported by itself: two conversations",
    "claude.json": "Claude, `conversations.json` with a branch that was left",
    "gemini.json": "Gemini, `MyActivity.json` of Google Takeout, the newest first",
    "whatsapp.txt": "WhatsApp, from an Android phone: notices, a picture, a deleted message",
    "whatsapp-iphone.txt": "WhatsApp, from an iPhone",
    "telegram.json": "Telegram Desktop, a chat of two with a picture",
    "telegram-all.json": "Telegram Desktop, a whole account: two of one name in a group",
    "discord.json": "Discord, by DiscordChatExporter: a call, a picture",
    "replika.csv": "Replika backup, the newest first",
    "table.csv": "table with semicolons, as Excel writes it; the day stands first",
    "script.txt": "script with narrator, directions and colons of both kinds",
}


def row(file: str) -> str:
    document = read(chat_bytes(file), AT)
    lines = [line for _, part in document.parts for line in part.messages]
    hidden = sum(line.hidden for line in lines)
    speakers = dict.fromkeys(line.speaker for line in lines if not line.hidden)
    number = f"{len(lines)}, {hidden} of them hidden" if hidden else f"{len(lines)}"
    return f"| {WHAT[file]} | `{document.format}` | {len(document.parts)} | {number} | {', '.join(speakers)} |"


def test_the_table_is_what_is_read() -> None:
    table = "\n".join(row(file) for file in FORMAT_OF)
    text = DOC.read_text(encoding="utf-8")
    begin, end = text.index("|---|---|---|---|---|\n") + len("|---|---|---|---|---|\n"), text.index("<!-- /chats -->")
    assert text[begin:end].strip() == table, table


def test_each_small_file_stands_in_it_and_each_format_of_chats_has_one() -> None:
    assert {file.name for file in CHATS.iterdir()} == set(FORMAT_OF) == set(WHAT)
    chats = {format_.name for format_ in FORMATS} & set(FORMAT_OF.values())
    assert {f"`{name}`" for name in chats} <= set(DOC.read_text(encoding="utf-8").replace("|", " ").split())
