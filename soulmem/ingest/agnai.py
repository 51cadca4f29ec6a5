"""Agnai (agnaistic) chats: messages with ``msg``; who has a ``userId`` is a user. ``retries`` were never chosen."""

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


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a chat."""
    text = head(data)
    opening, names = first_names(text)
    return 0.9 if opening == "{" and "messages" in names and '"msg"' in text and '"mes"' not in text else 0.0


def read(data: Data, at: datetime) -> Document:
    """The messages, in file order.

    :raises FormatError: there is not one message in it."""
    del at
    return one_conversation(data, FORMAT.name, _said)


def _said(message: Any) -> Said:
    if not isinstance(message, Placed):
        return Said(None, skipped="this is not a message")
    away = bool(message.get("ooc")) or bool(message.get("system"))
    role = Role.USER if message.get("userId") else Role.CHARACTER
    ident = message.get("userId" if role is Role.USER else "characterId")
    return Said(
        message.line,
        role,
        message.get("msg"),
        speaker=speaker_name(message.get("handle") or message.get("name")),
        sent_at=message.get("createdAt"),
        hidden=away,
        mark=intern(ident[:8]) if isinstance(ident, str) else "",
    )


FORMAT = Format("agnai", "Agnai chat (.json)", sniff, read, stream=read)
