"""Open WebUI exports: a list of chats, each a tree of messages (``history``), of which the branch that ends at ``currentId`` was
said. With several models asked at once, the answers that were not followed are other branches."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from soulmem.ingest.branches import live_branch
from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import line_of
from soulmem.ingest.several import several_conversations
from soulmem.ingest.transcript import Transcript, with_assistant
from soulmem.model.messages import Role

_DEPTH = 6
_ROLES = {"user": Role.USER, "assistant": Role.CHARACTER}


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such an export."""
    text = head(data)
    _, names = first_names(text)
    if "chat" in names and '"history"' in text:
        return 1.0
    return 0.95 if "history" in names and '"messages"' in text and "title" in names else 0.0


def read(data: Data, at: datetime) -> Document:
    """The chats, each its live branch.

    :raises FormatError: there is not one message in it."""
    del at
    return several_conversations(data, FORMAT.name, _DEPTH, _chat)


def _chat(value: Any) -> Transcript | None:
    if not isinstance(value, dict):
        return None
    line = line_of(value, 1)
    inner = value.get("chat")
    chat = inner if isinstance(inner, dict) else value
    told = with_assistant(value.get("title") or chat.get("title"), value.get("id") or chat.get("id"))
    for message in _live(chat):
        _message(told, message, line_of(message, line))
    return told


def _live(chat: dict[str, Any]) -> list[Any]:
    history = chat.get("history")
    held = history.get("messages") if isinstance(history, dict) else None
    if isinstance(history, dict) and isinstance(held, dict):
        nodes = {name: node for name, node in held.items() if isinstance(node, dict)}
        return live_branch(nodes, history.get("currentId"), lambda node: node.get("parentId"))
    messages = chat.get("messages")
    return messages if isinstance(messages, list) else []


def _message(told: Transcript, message: Any, line: int) -> None:
    stated = message.get("role") if isinstance(message, dict) else None
    if not isinstance(stated, str):
        told.skip(line, "this is not a message with a role")
        return
    role = _ROLES.get(stated, Role.SYSTEM)
    speaker = stated if role is Role.SYSTEM else None
    told.say(
        line,
        role,
        message.get("content"),
        speaker=speaker,
        sent_at=message.get("timestamp"),
        hidden=role is Role.SYSTEM,
    )


FORMAT = Format("open-webui", "Open WebUI export, all its chats (.json)", sniff, read, stream=read)
