"""Discord channels and direct messages as DiscordChatExporter writes them in JSON.

A bot is the character, everybody else a person. What Discord says itself (calls, members that join, pinned messages) is kept
hidden, as are messages of nothing but pictures.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.one_list import one_conversation
from soulmem.ingest.transcript import Transcript
from soulmem.model.messages import Role

_SPOKEN = frozenset({"Default", "Reply", "0", "19"})
_BESIDE = ("attachments", "stickers", "embeds")


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a file."""
    text = head(data)
    opening, names = first_names(text)
    return 1.0 if opening == "{" and {"guild", "channel"} <= set(names) else 0.0


def read(data: bytes, at: datetime) -> Document:
    """The messages, in file order.

    :raises FormatError: there is not one message in it."""
    del at
    return one_conversation(data, FORMAT.name, _message)


def _message(told: Transcript, message: Any, line: int) -> None:
    author = message.get("author") if isinstance(message, dict) else None
    if not isinstance(author, dict):
        told.skip(line, "this is not a message with an author")
        return
    content = message.get("content")
    spoken = str(message.get("type", "Default")) in _SPOKEN
    words = isinstance(content, str) and bool(content.strip())
    beside = next((name for name in _BESIDE if message.get(name)), "") if not words else ""
    ident = author.get("id")
    told.say(
        line,
        (Role.CHARACTER if author.get("isBot") is True else Role.USER) if spoken else Role.SYSTEM,
        beside or content,
        speaker=author.get("nickname") or author.get("name"),
        sent_at=message.get("timestamp"),
        hidden=not spoken or bool(beside),
        mark=ident if isinstance(ident, str) else "",
    )


FORMAT = Format("discord", "Discord chat by DiscordChatExporter (.json)", sniff, read)
