"""ChatGPT exports (``conversations.json``): a list of conversations, each a tree of messages (``mapping``).

Only the branch that ends at ``current_node`` was said: edited questions and answers that were asked for again are left out. What
system and tools say is kept hidden; what the model thought is not kept.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from soulmem.ingest.branches import live_branch
from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import head
from soulmem.ingest.json_places import first_names, preview
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import line_of
from soulmem.ingest.several import several_conversations
from soulmem.ingest.transcript import Transcript, with_assistant
from soulmem.model.messages import Role

_DEPTH = 4
_ROLES = {"user": Role.USER, "assistant": Role.CHARACTER, "system": Role.SYSTEM, "tool": Role.SYSTEM}
_THOUGHTS = ("thoughts", "reasoning_recap")
_WORDS = ("text", "multimodal_text")
# Marks of the program for what it cites or draws, in characters of the private use area; and its older ones.
_CITED = re.compile("\ue200[^\ue200\ue201]{0,400}\ue201|【\\d{1,3}(?::\\d{1,3})?†[^【】]{0,200}】")


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such an export."""
    _, names = first_names(head(data))
    return 1.0 if "mapping" in names else 0.0


def read(data: Data, at: datetime) -> Document:
    """The conversations, each its live branch.

    :raises FormatError: there is not one message in it."""
    del at
    return several_conversations(data, FORMAT.name, _DEPTH, _conversation)


def _conversation(value: Any) -> Transcript | None:
    if not isinstance(value, dict) or "mapping" not in value:
        return None
    line = line_of(value, 1)
    told = with_assistant(value.get("title"), value.get("conversation_id") or value.get("id"))
    mapping = value.get("mapping")
    nodes = {name: node for name, node in mapping.items() if isinstance(node, dict)} if isinstance(mapping, dict) else {}
    for node in live_branch(nodes, value.get("current_node"), lambda node: node.get("parent")):
        message = node.get("message")
        if isinstance(message, dict):
            _message(told, message, line_of(node, line))
    return told


def _message(told: Transcript, message: dict[str, Any], line: int) -> None:
    author, content = message.get("author"), message.get("content")
    stated = author.get("role") if isinstance(author, dict) else None
    role = _ROLES.get(stated) if isinstance(stated, str) else None
    if role is None or not isinstance(content, dict):
        told.skip(line, "this is not a message with an author and content")
        return
    kind = content.get("content_type", "text")
    text = _text(told, content, line)
    if kind in _THOUGHTS or (role is Role.SYSTEM and not text):
        return
    aside = kind not in _WORDS or message.get("recipient", "all") != "all"
    role = Role.SYSTEM if aside else role
    hidden = role is Role.SYSTEM or _is_hidden(message)
    if not text and hidden:
        return
    told.say(line, role, text, speaker=None if role is not Role.SYSTEM else "system", sent_at=_time(message), hidden=hidden)


def _is_hidden(message: dict[str, Any]) -> bool:
    about = message.get("metadata")
    return isinstance(about, dict) and bool(about.get("is_visually_hidden_from_conversation"))


def _time(message: dict[str, Any]) -> object:
    return message.get("create_time")


def _text(told: Transcript, content: dict[str, Any], line: int) -> str:
    """The words of a message, without the marks that stand for what it cites."""
    return _CITED.sub("", _parts(told, content, line))


def _parts(told: Transcript, content: dict[str, Any], line: int) -> str:
    parts = content.get("parts")
    if not isinstance(parts, list):
        text = content.get("text", content.get("result"))
        return text if isinstance(text, str) else ""
    texts: list[str] = []
    for part in parts:
        spoken = part.get("text") if isinstance(part, dict) else part
        if isinstance(spoken, str):
            texts.append(spoken)
        elif isinstance(part, dict):
            told.note(line, f"a part that is not text was left out: {preview(part.get('content_type'))}")
    return "\n".join(text for text in texts if text)


FORMAT = Format("chatgpt", "ChatGPT export, all its conversations (conversations.json)", sniff, read, stream=read)
