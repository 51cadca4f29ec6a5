"""Messages as model providers take them: ``[{role, content}]`` or ``{"messages": […]}``, one JSON text or one per line.

Roles: ``user`` → user; ``assistant`` (``model``, ``ai``, ``bot``) → character; ``system``, ``developer``, ``tool`` and
``function`` → system, hidden: they were never said. ``name`` is the speaker; without one the role is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.chat_lines import Item, items
from soulmem.ingest.chat_text import speaker_name
from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import Text, head
from soulmem.ingest.json_places import first_names, preview
from soulmem.ingest.mapped import Data
from soulmem.ingest.transcript import ASSISTANT, Transcript, document
from soulmem.model.messages import Role

_LIST = "messages"
# A list of objects: other files have lists of numbers under that name.
_OPENS = re.compile(r'"messages"\s*:\s*(?:\[\s*(?:[{\[]|\Z)|\Z)')
_ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.CHARACTER,
    "model": Role.CHARACTER,
    "ai": Role.CHARACTER,
    "bot": Role.CHARACTER,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.SYSTEM,
    "function": Role.SYSTEM,
}
_TIMES = ("created_at", "timestamp", "create_time", "createdAt", "date")
_TEXT_PARTS = ("text", "input_text", "output_text")


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such messages."""
    text = head(data)
    for line in [text, *text.split("\n")[1:4]]:  # the first lines may be damaged
        opening, names = first_names(line)
        if {"role", "content"} <= set(names):
            return 0.9
        if _LIST in names and '"role"' in text and _OPENS.search(text):
            return 0.8
        if opening == "[" and "role" in names:
            return 0.5
    return 0.0


def read(data: Data, at: datetime) -> Document:
    """The messages, in file order. Several objects with ``messages`` are several conversations.

    :raises FormatError: there is not one message in it."""
    del at  # a message without a time has none: file order says enough
    text = Text(data, json=True)
    told: list[Transcript] = []
    within: list[Any] | None = None
    recognised = False
    for item in items(text, _LIST):
        if not told or (item.broken is None and item.within is not within):
            told.append(Transcript(nameless=ASSISTANT))
            within = item.within
        recognised = _take(told[-1], item) or recognised
    if not recognised:
        problems = (*text.problems, *(problem for each in told for problem in each.problems))
        first = next((problem for problem in problems if problem.skipped), None)
        if first or not any(map(str.strip, text.pieces())):
            why = first.what if first else "the file is empty"
            raise FormatError(f"no message with a role was found: {why}", place=f"line {first.line}" if first else None)
        return Document(format=FORMAT.name, read=0, problems=problems)
    for number, each in enumerate(told, start=1):
        each.name = str(number) if len(told) > 1 else ""
    return document(FORMAT.name, told, text.problems)


def _take(told: Transcript, item: Item) -> bool:
    """Whether it is a message."""
    value = item.value
    role = _role(value)
    if item.broken is not None or role is None:
        told.skip(item.line, item.broken or _no_role(value))
        return False
    text, mends = _content(value.get("content"))
    for mend in mends:
        told.note(item.line, mend)
    stated = value["role"].strip().lower()
    if not text:
        told.skip(item.line, f"the {value['role']} message has no text")
        return True
    speaker = speaker_name(value.get("name")) or (stated if role is Role.SYSTEM else "")
    told.say(item.line, role, text, speaker=speaker, sent_at=_time(value), hidden=role is Role.SYSTEM)
    return True


def _role(value: Any) -> Role | None:
    role = value.get("role") if isinstance(value, dict) else None
    return _ROLES.get(role.strip().lower()) if isinstance(role, str) else None


def _no_role(value: Any) -> str:
    if not isinstance(value, dict):
        return "this is not a message (an object with role and content)"
    if "role" not in value:
        return "the message has no role"
    return f"unknown role {preview(value['role'])} (known: {', '.join(_ROLES)})"


def _content(content: Any) -> tuple[str, list[str]]:
    """The text of a message, its text parts joined, and what had to be left out of it."""
    if isinstance(content, str):
        return content.strip(), []
    parts = content if isinstance(content, list) else [] if content is None else [content]
    texts, left_out = [], []
    for part in parts:
        text = _part_text(part)
        if text is None:
            left_out.append(preview(part.get("type") if isinstance(part, dict) else part))
        else:
            texts.append(text)
    mends = [f"parts that are not text were left out: {', '.join(left_out)}"] if left_out else []
    return "\n".join(texts).strip(), mends


def _part_text(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and part.get("type", "text") in _TEXT_PARTS and isinstance(part.get("text"), str):
        return str(part["text"])
    return None


def _time(value: Mapping[str, Any]) -> object:
    return next((value[name] for name in _TIMES if value.get(name)), None)


FORMAT = Format(
    "openai", "messages with role and content, as model providers take them (.json, .jsonl)", sniff, read, stream=read
)
