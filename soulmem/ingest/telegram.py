"""Telegram Desktop exports (``result.json``): one chat, or all of an account.

In a chat of two the one by whose name the chat is called is the character; in groups all are people. What is no words (pictures,
voice) is kept hidden, as is what is forwarded: the one from whom it is said it. What the program says (calls, pinned messages) is
not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from sys import intern
from typing import Any

from soulmem.ingest.chat_text import speaker_name
from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import ANY, Made, Placed, line_of, read_tree
from soulmem.ingest.transcript import Said, Transcript, document, emptied
from soulmem.model.messages import Role

_DEPTH, _DEPTH_OF_ALL = 3, 6
_SPEAKER, _ORIGIN = ("from", "from_id"), ("forwarded_from", "forwarded_from_id")
_MARKS = ('"from_id"', '"date_unixtime"', '"actor_id"')
_OF_TWO = ("personal_chat", "bot_chat")
_MEDIA = ("media_type", "photo", "file", "location_information", "contact_information", "poll")


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such an export."""
    text = head(data)
    opening, names = first_names(text)
    if opening != "{":
        return 0.0
    if {"name", "type", "id", "messages"} <= set(names) and any(mark in text for mark in _MARKS):
        return 1.0
    return 1.0 if "chats" in names and '"list"' in text and any(mark in text for mark in (*_MARKS, '"personal_chat"')) else 0.0


def read(data: Data, at: datetime) -> Document:
    """The messages of one chat, or of all.

    :raises FormatError: there is not one message in it."""
    del at
    _, names = first_names(head(data))
    value, problems = read_tree(data, _DEPTH if "messages" in names else _DEPTH_OF_ALL, _MADE)
    chats = list(_chats(value))
    told = [_chat(chat, several=len(chats) > 1) for chat in chats]
    return document(FORMAT.name, told, problems)


def _chats(value: Any) -> Iterator[dict[str, Any]]:
    held = value.get("chats") if isinstance(value, dict) else None
    listed = held.get("list") if isinstance(held, dict) else None
    for chat in listed if isinstance(listed, list) else [value]:
        if isinstance(chat, dict) and isinstance(chat.get("messages"), list):
            yield chat


def _chat(chat: dict[str, Any], several: bool) -> Transcript:
    name = chat.get("name")
    called = name.strip() if isinstance(name, str) else ""
    told = Transcript(name=(called or "untitled") if several else "", id=str(chat.get("id", "")))
    partner = speaker_name(called) if chat.get("type") in _OF_TWO else ""
    for said in emptied(chat["messages"]):
        if said is not None:
            ours = partner and said.speaker == partner and said.role is Role.USER
            told.take(replace(said, role=Role.CHARACTER) if ours else said, line_of(chat, 1))
    return told


def _said(message: Any) -> Said | None:
    """What is used of a message; ``None`` of what the program says."""
    if not isinstance(message, Placed):
        return Said(None, skipped="this is not a message")
    if message.get("type", "message") != "message":
        return None
    text = _text(message.get("text")) or message.get("sticker_emoji")
    media = next((message.get("media_type", name) for name in _MEDIA if message.get(name)), None)
    forwarded = "forwarded_from" in message or "forwarded_from_id" in message
    speaker, ident = (message.get(name) for name in (_ORIGIN if forwarded else _SPEAKER))
    return Said(
        message.line,
        Role.SYSTEM if forwarded else Role.USER,
        text or media or "",
        speaker=speaker_name(speaker or ident),
        sent_at=message.get("date_unixtime") or message.get("date"),
        hidden=forwarded or not text,
        mark=intern(ident) if isinstance(ident, str) else "",
    )


# What follows a message is read when it is made: an account of years is not held.
_MADE = Made({("messages", ANY): _said, ("chats", "list", ANY, "messages", ANY): _said})


def _text(text: Any) -> str:
    """The words of a text that is parted by its type (bold, links)."""
    parts = text if isinstance(text, list) else [text]
    spoken = (part.get("text") if isinstance(part, dict) else part for part in parts)
    return "".join(part for part in spoken if isinstance(part, str))


FORMAT = Format("telegram", "Telegram Desktop export, one chat or all (result.json)", sniff, read, stream=read)
