"""Discord channels and direct messages as DiscordChatExporter writes them in JSON.

A bot is the character, everybody else a person. What Discord says itself (calls, members that join, pinned messages) is kept
hidden, as are messages of nothing but pictures, and what is forwarded: others said it, and the file names none of them.
"""

from __future__ import annotations

from datetime import datetime
from sys import intern
from typing import Any

from soulmem.ingest.chat_text import speaker_name
from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.mapped import Data
from soulmem.ingest.one_list import one_conversation
from soulmem.ingest.placed import Placed
from soulmem.ingest.transcript import Said
from soulmem.model.messages import Role

_SPOKEN = frozenset({"Default", "Reply", "0", "19"})
_FORWARDED = ("forwardedMessage", "messageSnapshots", "message_snapshots")
_BESIDE = ("attachments", "stickers", "embeds")


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a file."""
    text = head(data)
    opening, names = first_names(text)
    return 1.0 if opening == "{" and {"guild", "channel"} <= set(names) else 0.0


def read(data: Data, at: datetime) -> Document:
    """The messages, in file order.

    :raises FormatError: there is not one message in it."""
    del at
    return one_conversation(data, FORMAT.name, _said)


def _said(message: Any) -> Said:
    line = message.line if isinstance(message, Placed) else None
    author = message.get("author") if isinstance(message, dict) else None
    if not isinstance(author, dict):
        return Said(line, skipped="this is not a message with an author")
    content = message.get("content")
    words = isinstance(content, str) and bool(content.strip())
    if not words and (forwarded := _forwarded(message)) is not None:
        return Said(line, Role.SYSTEM, forwarded or "forwarded", sent_at=message.get("timestamp"), hidden=True)
    spoken = str(message.get("type", "Default")) in _SPOKEN
    beside = next((name for name in _BESIDE if message.get(name)), "") if not words else ""
    ident = author.get("id")
    return Said(
        line,
        (Role.CHARACTER if author.get("isBot") is True else Role.USER) if spoken else Role.SYSTEM,
        beside or content,
        speaker=speaker_name(author.get("nickname") or author.get("name")),
        sent_at=message.get("timestamp"),
        hidden=not spoken or bool(beside),
        mark=intern(ident) if isinstance(ident, str) else "",
    )


def _forwarded(message: dict[str, Any]) -> str | None:
    """The words that a message forwards, which may be none; ``None`` where it forwards nothing."""
    held = next((message[name] for name in _FORWARDED if message.get(name)), None)
    if held is None:
        return "" if message.get("type") == "Forward" else None
    found = [one.get("message", one) for one in (held if isinstance(held, list) else [held]) if isinstance(one, dict)]
    texts = [one.get("content") for one in found if isinstance(one, dict)]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


FORMAT = Format("discord", "Discord chat by DiscordChatExporter (.json)", sniff, read, stream=read)
