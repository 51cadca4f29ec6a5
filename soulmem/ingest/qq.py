"""QQ chats exported as JSON (qq-chat-exporter): a list of messages with senders, or one message in every line.

What the program says itself, and messages that were taken back, are kept hidden. What a reply quotes is not said
again. Two who have one name are told apart by number.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.encodings import decode_json, head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.placed import Tree, documents, line_of
from soulmem.ingest.transcript import Transcript, document
from soulmem.model.messages import Role

_DEPTH = 3
# What stands before the words of a reply: [回复消息], or who is answered and what that one had said, in which is perhaps [图片].
_QUOTED = re.compile(r"\A\s*\[回复(?:消息|[\s:：])(?:[^\[\]]|\[[^\[\]]*\])*\]\s*")


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such an export."""
    text = head(data)
    opening, names = first_names(text)
    if {"sender", "content"} <= set(names):
        return 0.95
    if opening == "{" and ("chatInfo" in names or "messages" in names) and '"sender"' in text:
        return 0.95
    return 0.0


def read(data: bytes, at: datetime) -> Document:
    """The messages, in file order.

    :raises FormatError: there is not one message in it."""
    del at
    decoded = decode_json(data)
    told = Transcript()
    problems = list(decoded.problems)
    for tree in documents(decoded.text, _DEPTH):
        if tree.broken:
            problems.append(Problem(tree.line, tree.broken))
        for message in _messages(tree):
            _message(told, message, line_of(message, tree.line))
    return document(FORMAT.name, [told], problems)


def _messages(tree: Tree) -> list[Any]:
    value = tree.value
    if isinstance(value, dict):
        held = value.get("messages")
        return held if isinstance(held, list) else [value] if "sender" in value else []
    return value if isinstance(value, list) else []


def _message(told: Transcript, message: Any, line: int) -> None:
    sender = message.get("sender") if isinstance(message, dict) else None
    if not isinstance(sender, dict):
        told.skip(line, "this is not a message with a sender")
        return
    system = bool(message.get("system")) or message.get("type") == "system"
    told.say(
        line,
        Role.SYSTEM if system else Role.USER,
        _text(message.get("content")),
        speaker=sender.get("groupCard") or sender.get("name") or sender.get("nickname") or sender.get("uin"),
        sent_at=message.get("timestamp") or message.get("time"),
        hidden=system or bool(message.get("recalled")),
        mark=_number(sender),
    )


def _text(content: Any) -> object:
    """The words of a message, without those of the one it answers, which are another's."""
    text = content.get("text") if isinstance(content, dict) else content
    return _QUOTED.sub("", text) if isinstance(text, str) else text


def _number(sender: dict[str, Any]) -> str:
    number = sender.get("uin") or sender.get("uid")
    return str(number) if isinstance(number, (str, int)) and number else ""


FORMAT = Format("qq", "QQ chat exported as JSON by qq-chat-exporter (.json, .jsonl)", sniff, read)
