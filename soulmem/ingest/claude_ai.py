"""Claude exports (``conversations.json``): a list of conversations with ``chat_messages`` of a ``human`` and an ``assistant``.

Where messages name the one they answer, only the branch that was followed last was said. Thoughts and what tools say are not
read.
"""

from __future__ import annotations

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
_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.CHARACTER}
_PARENT = "parent_message_uuid"


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such an export."""
    _, names = first_names(head(data))
    return 1.0 if "chat_messages" in names else 0.0


def read(data: Data, at: datetime) -> Document:
    """The conversations, each its live branch.

    :raises FormatError: there is not one message in it."""
    del at
    return several_conversations(data, FORMAT.name, _DEPTH, _conversation)


def _conversation(value: Any) -> Transcript | None:
    if not isinstance(value, dict) or "chat_messages" not in value:
        return None
    line = line_of(value, 1)
    told = with_assistant(value.get("name"), value.get("uuid"))
    messages = value.get("chat_messages")
    for message in _live(messages if isinstance(messages, list) else [], value.get("current_leaf_message_uuid")):
        _message(told, message, line_of(message, line))
    return told


def _live(messages: list[Any], current: object) -> list[Any]:
    """The branch that ``current`` ends, else the last message; all of them, where none says what it answers."""
    nodes = {one["uuid"]: one for one in messages if isinstance(one, dict) and isinstance(one.get("uuid"), str)}
    answers = any(isinstance(one.get(_PARENT), str) and one[_PARENT] in nodes for one in nodes.values())
    if not answers or len(nodes) < len(messages):
        return messages
    return live_branch(nodes, current, lambda node: node.get(_PARENT))


def _message(told: Transcript, message: Any, line: int) -> None:
    sender = message.get("sender") if isinstance(message, dict) else None
    role = _ROLES.get(sender) if isinstance(sender, str) else None
    if role is None:
        told.skip(line, "this is not a message with a sender")
        return
    told.say(line, role, _text(told, message, line), sent_at=message.get("created_at"))


def _text(told: Transcript, message: dict[str, Any], line: int) -> object:
    """The parts that are text; files that were attached are told."""
    parts = message.get("content")
    texts = [part.get("text") for part in parts if _is_text(part)] if isinstance(parts, list) else []
    files = [file.get("file_name") for name in ("attachments", "files") for file in _listed(message.get(name))]
    if files:
        told.note(line, f"files that were attached are not read: {preview(files)}")
    spoken = "\n".join(text for text in texts if isinstance(text, str) and text.strip())
    return spoken or message.get("text")


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "text"


def _listed(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


FORMAT = Format("claude", "Claude export, all its conversations (conversations.json)", sniff, read, stream=read)
