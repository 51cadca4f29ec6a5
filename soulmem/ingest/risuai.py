"""RisuAI chats as JSON: one (``risuChat``), all of a character (``risuAllChats``), or the page it exports, which holds the JSON.

The greeting is no message of the file. A comment was never said; a message that is disabled was hidden from the model, and so
were all before one that is disabled ``allBefore``. Members of a group are known by their ids where they have no names.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.encodings import Decoded, Text, decode_json, head
from soulmem.ingest.json_places import Cursor
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import ANY, Made, Placed, line_of, placed
from soulmem.ingest.transcript import Said, Transcript, document
from soulmem.model.messages import Role

_DEPTH = 5
_TYPE = re.compile(r'"type"\s*:\s*"risu(?:Chat|AllChats)"')
_PAGE = re.compile(r'<div[^<>]{0,500}class="idat"[^<>]{0,500}>')


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a chat."""
    text = head(data)
    if text.lstrip("\ufeff \t\r\n")[:1] == "{" and _TYPE.search(text[:2000]):
        return 1.0
    return 0.9 if _PAGE.search(text) else 0.0


def read(data: Data, at: datetime) -> Document:
    """The messages of one chat, or of all.

    :raises FormatError: there is not one message in it."""
    del at
    text = Text(data, json=True)
    page = _page(text)
    tree = placed(Cursor(page.text if page else text.pieces()), _DEPTH, _MADE)
    problems = [*text.problems, *(page.problems if page else ()), *([Problem(tree.line, tree.broken)] if tree.broken else [])]
    held = tree.value.get("data") if isinstance(tree.value, dict) else None
    several = isinstance(held, list)
    chats = held if isinstance(held, list) else [held]
    told = [_chat(chat, line_of(chat, 1), several) for chat in chats if isinstance(chat, dict)]
    return document(FORMAT.name, told, problems)


def _page(text: Text) -> Decoded | None:
    """The JSON of a page that holds it, its lines where they were; ``None`` where the text is JSON itself."""
    if next(filter(None, map(str.lstrip, text.pieces())), "")[:1] == "{":
        return None
    page = "".join(text.pieces())
    mark = _PAGE.search(page)
    if mark is None:
        return Decoded(page)
    end = page.find("</div>", mark.end())
    inner = page[mark.end() : end if end >= 0 else len(page)]
    inner = html.unescape(inner) if "&quot;" in inner else inner
    lines = "\n" * page.count("\n", 0, mark.end())
    return decode_json((lines + inner).encode("utf-8"))  # what the page escaped may itself be an escape


def _chat(chat: dict[str, Any], line: int, several: bool) -> Transcript:
    name, ident = chat.get("name"), chat.get("id")
    told = Transcript(name=name.strip() if several and isinstance(name, str) else "", id=ident if isinstance(ident, str) else "")
    held = chat.get("message")
    messages = held if isinstance(held, list) else []
    hidden = max((place for place, said in enumerate(messages, start=1) if isinstance(said, _WithAllBefore)), default=0)
    for place, said in enumerate(messages):
        told.take(said if place >= hidden or said.skipped else replace(said, hidden=True), line)
    return told


class _WithAllBefore(Said):
    """A message that is hidden with all before it."""

    __slots__ = ()


def _said(message: Any) -> Said:
    if not isinstance(message, Placed):
        return Said(None, skipped="this is not a message")
    comment = bool(message.get("isComment"))
    role = Role.SYSTEM if comment else Role.USER if message.get("role") == "user" else Role.CHARACTER
    saying, disabled = message.get("saying"), message.get("disabled")
    kind = _WithAllBefore if disabled == "allBefore" else Said
    return kind(
        message.line,
        role,
        message.get("data"),
        speaker=message.get("name"),
        sent_at=message.get("time"),
        hidden=comment or disabled is True,
        mark=saying[:8] if isinstance(saying, str) and role is Role.CHARACTER else "",
    )


# What follows a message is read when it is made: a chat is not held.
_MADE = Made({("data", "message", ANY): _said, ("data", ANY, "message", ANY): _said})


FORMAT = Format("risuai", "RisuAI chat, or all chats of a character (.json, .html)", sniff, read, stream=read)
