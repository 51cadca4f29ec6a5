"""The small chat files of our own, one for each program and shape, and which format each is of."""

from __future__ import annotations

from pathlib import Path

CHATS = Path(__file__).with_name("chats")

#: What stands in these files and was never said: other versions, thoughts, notes, prompts.
NEVER = "NEVER"

FORMAT_OF = {
    "sillytavern.jsonl": "sillytavern",
    "sillytavern-group.jsonl": "sillytavern",
    "tavernai-room.jsonl": "sillytavern",
    "chub.jsonl": "sillytavern",
    "sillytavern.txt": "script",
    "risuai.json": "risuai",
    "risuai-all.json": "risuai",
    "risuai.txt": "risuai-text",
    "risuai-old.txt": "risuai-text",
    "ooba.json": "ooba",
    "ooba-internal.json": "ooba",
    "agnai.json": "agnai",
    "byaf.json": "byaf",
    "kobold.json": "kobold",
    "kobold-chat.json": "kobold",
    "kinlog.txt": "kinlog",
    "kinlog.html": "kinlog",
    "kinlog.json": "kinlog",
    "character-ai.json": "character-ai",
    "character-ai-turns.json": "character-ai",
    "chatgpt.json": "chatgpt",
    "open-webui.json": "open-webui",
    "sharegpt.jsonl": "sharegpt",
    "openai.json": "openai",
    "openai-many.jsonl": "openai",
    "qq.json": "qq",
    "qq.txt": "qq-text",
    "claude.json": "claude",
    "gemini.json": "gemini",
    "whatsapp.txt": "whatsapp",
    "whatsapp-iphone.txt": "whatsapp",
    "telegram.json": "telegram",
    "telegram-all.json": "telegram",
    "discord.json": "discord",
    "replika.csv": "csv",
    "table.csv": "csv",
    "script.txt": "script",
}


def chat_bytes(name: str) -> bytes:
    """One of the files."""
    return (CHATS / name).read_bytes()
