"""QQ chats exported as JSON (qq-chat-exporter): a list of messages with senders, or one message in every line.

What the program says itself, pictures, sounds and files without words, and messages that were taken back, are kept hidden. What a
reply quotes is not said again, and what is forwarded (合并转发) is kept hidden, as others said it. Two who have one name are told
apart by number.
"""

from __future__ import annotations

import re
from datetime import datetime
from sys import intern
from typing import Any

from soulmem.ingest.chat_text import speaker_name
from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.encodings import Text, head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import ANY, Made, Placed, Tree, documents
from soulmem.ingest.qq_words import is_no_words, is_notice
from soulmem.ingest.transcript import Said, Transcript, document, emptied
from soulmem.model.messages import Role

_DEPTH = 3
# What stands before the words of a reply: [回复消息], or who is answered and what that one had said, in which is perhaps [图片].
_QUOTED = re.compile(r"\A\s*\[回复(?:消息|[\s:：])(?:[^\[\]]|\[[^\[\]]*\])*\]\s*")

# What the program writes in place of messages that somebody passes on.
_FORWARDED = re.compile(r"\s*\[(?:合并转发|转发消息|聊天记录)[^\[\]\n]{0,200}\]")


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such an export."""
    text = head(data)
    opening, names = first_names(text)
    if {"sender", "content"} <= set(names):
        return 0.95
    if opening == "{" and ("chatInfo" in names or "messages" in names) and '"sender"' in text:
        return 0.95
    return 0.0


def read(data: Data, at: datetime) -> Document:
    """The messages, in file order.

    :raises FormatError: there is not one message in it."""
    del at
    text = Text(data, json=True)
    told = Transcript()
    broken: list[Problem] = []
    for tree in documents(text, _DEPTH, _MADE):
        if tree.broken:
            broken.append(Problem(tree.line, tree.broken))
        for said in emptied(_messages(tree)):
            told.take(said, tree.line)
    return document(FORMAT.name, [told], (*text.problems, *broken))


def _messages(tree: Tree) -> list[Said]:
    value = tree.value
    if isinstance(value, dict):
        held = value.get("messages")
        return held if isinstance(held, list) else [_said(value)] if "sender" in value else []
    return value if isinstance(value, list) else []


def _said(message: Any) -> Said:
    line = message.line if isinstance(message, Placed) else None
    sender = message.get("sender") if isinstance(message, dict) else None
    if not isinstance(sender, dict):
        return Said(line, skipped="this is not a message with a sender")
    content = message.get("content")
    if _is_forwarded(content):
        return Said(line, Role.SYSTEM, _text(content), sent_at=message.get("timestamp") or message.get("time"), hidden=True)
    text, kind = _text(content), message.get("type")
    speaker = speaker_name(sender.get("groupCard") or sender.get("name") or sender.get("nickname") or sender.get("uin"))
    system = bool(message.get("system")) or kind == "system" or is_notice(text, speaker)
    return Said(
        line,
        Role.SYSTEM if system else Role.USER,
        text,
        speaker=speaker,
        sent_at=message.get("timestamp") or message.get("time"),
        hidden=system or bool(message.get("recalled")) or is_no_words(text, kind),
        mark=_number(sender),
    )


# What follows a message is read when it is made: an export of years is not held.
_MADE = Made({(ANY,): _said, ("messages", ANY): _said})


def _text(content: Any) -> object:
    """The words of a message, without those of the one it answers, which are another's."""
    text = content.get("text") if isinstance(content, dict) else content
    return _QUOTED.sub("", text) if isinstance(text, str) else text


def _is_forwarded(content: Any) -> bool:
    """Whether the messages of others are all that a message brings."""
    elements = content.get("elements") if isinstance(content, dict) else None
    if isinstance(elements, list) and any(isinstance(one, dict) and one.get("type") == "forward" for one in elements):
        return True
    text = content.get("text") if isinstance(content, dict) else content
    return isinstance(text, str) and _FORWARDED.match(text) is not None


def _number(sender: dict[str, Any]) -> str:
    number = sender.get("uin") or sender.get("uid")
    return intern(str(number)) if isinstance(number, (str, int)) and number else ""


FORMAT = Format("qq", "QQ chat exported as JSON by qq-chat-exporter (.json, .jsonl)", sniff, read, stream=read)
