"""Messages as model providers take them: ``[{role, content}]`` or ``{"messages": […]}``, one JSON text or one per line.

Roles: ``user`` → user; ``assistant`` (``model``, ``ai``, ``bot``) → character; ``system``, ``developer``, ``tool`` and
``function`` → system, hidden: they were never said. ``name`` is the speaker; without one the role is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.chat_lines import Item, items
from soulmem.ingest.chat_text import said, speaker_name
from soulmem.ingest.contract import Document, Format, Problem, SaidLine
from soulmem.ingest.encodings import decode_json, head
from soulmem.ingest.json_places import first_names, preview
from soulmem.ingest.times import message_time
from soulmem.model.messages import Role

_LIST = "messages"
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


class _Conversation:
    """What has been read so far."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = list(problems)
        self.messages: list[SaidLine] = []
        self.read = 0
        self.recognised = False


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such messages."""
    text = head(data)
    for line in [text, *text.split("\n")[1:4]]:  # the first lines may be damaged
        opening, names = first_names(line)
        if {"role", "content"} <= set(names):
            return 0.9
        if _LIST in names and '"role"' in text:
            return 0.8
        if opening == "[" and "role" in names:
            return 0.5
    return 0.0


def read(data: bytes, at: datetime) -> Document:
    """The messages, in file order; several conversations follow one another.

    :raises FormatError: there is not one message in it."""
    del at  # a message without a time has none: file order says enough
    decoded = decode_json(data)
    found = _Conversation(decoded.problems)
    for item in items(decoded.text, _LIST):
        _take(found, item)
    if not found.recognised and (found.problems or not decoded.text.strip()):
        first = next((problem for problem in found.problems if problem.skipped), None)
        why = first.what if first else "the file is empty"
        raise FormatError(f"no message with a role was found: {why}", place=f"line {first.line}" if first else None)
    found.problems.sort(key=lambda problem: problem.line or 0)
    return Document(
        format=FORMAT.name,
        read=found.read,
        messages=tuple(found.messages),
        problems=tuple(found.problems),
        user_name=_only_name(found.messages, Role.USER),
        character_name=_only_name(found.messages, Role.CHARACTER),
    )


def _take(found: _Conversation, item: Item) -> None:
    index = found.read
    found.read += 1
    value = item.value
    role = _role(value)
    if item.broken is not None or role is None:
        why = item.broken or _no_role(value)
        found.problems.append(Problem(item.line, f"{why}; it was skipped"))
        return
    found.recognised = True
    text, mends = _content(value.get("content"))
    found.problems += [Problem(item.line, mend, skipped=False) for mend in mends]
    if not text:
        found.problems.append(Problem(item.line, f"the {value['role']} message has no text; it was skipped"))
        return
    found.messages.append(
        SaidLine(
            index=index,
            line=item.line,
            speaker=speaker_name(value.get("name")) or value["role"].strip().lower(),
            role=role,
            text=text,
            sent_at=_sent_at(found, value, item.line),
            hidden=role is Role.SYSTEM,
        )
    )


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
        return said(content, None, None), []
    parts = content if isinstance(content, list) else [] if content is None else [content]
    texts, left_out = [], []
    for part in parts:
        text = _part_text(part)
        if text is None:
            left_out.append(preview(part.get("type") if isinstance(part, dict) else part))
        else:
            texts.append(text)
    mends = [f"parts that are not text were left out: {', '.join(left_out)}"] if left_out else []
    return said("\n".join(texts), None, None), mends


def _part_text(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and part.get("type", "text") in _TEXT_PARTS and isinstance(part.get("text"), str):
        return str(part["text"])
    return None


def _sent_at(found: _Conversation, value: Mapping[str, Any], line: int) -> datetime | None:
    stated = next((value[name] for name in _TIMES if value.get(name)), None)
    if stated is None:
        return None
    try:
        return message_time(stated)
    except ValueError:
        what = f"{preview(stated)} is not a time; the message is without it"
        found.problems.append(Problem(line, what, skipped=False))
        return None


def _only_name(messages: list[SaidLine], role: Role) -> str | None:
    """The name of a side, where it has just one that is not merely its role."""
    speakers = {message.speaker for message in messages if message.role is role}
    only = next(iter(speakers)) if len(speakers) == 1 else None
    return only if only not in _ROLES else None


FORMAT = Format("openai", "messages with role and content, as model providers take them (.json, .jsonl)", sniff, read)
