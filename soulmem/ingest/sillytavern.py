"""SillyTavern and TavernAI chats: one JSON message per line below a header of any generation, or below none.

Roles: ``is_user`` → user; ``extra.type`` ``narrator`` (written by ``/sys``; the program sends it to the model, so it was said) →
narrator; ``comment`` and the program's own notices → system, always hidden; all others → character. ``is_system`` hides a line of
any role. Only ``mes`` is read: other swipes, reasoning and display texts never happened in the conversation.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import unquote

from soulmem.errors import FormatError
from soulmem.ingest.chat_lines import Item, items
from soulmem.ingest.chat_text import heard, speaker_name
from soulmem.ingest.contract import Document, Format, Problem, SaidLine
from soulmem.ingest.encodings import Text, head
from soulmem.ingest.json_places import first_names, preview
from soulmem.ingest.mapped import Data
from soulmem.ingest.times import message_time
from soulmem.ingest.transcript import NAMELESS, emptied, told_apart
from soulmem.model.messages import Role

_HEADER = {"user_name", "character_name", "character_names", "chat_metadata", "create_date"}
# What newer programs write into the header in place of names, and the name of a user who gave none.
_NO_NAME = "unused"
_ANYONE = "You"
_PICTURE = re.compile(r"[?&]file=([^&]+)")
_ENDING = re.compile(r"\.(?:png|webp|jpe?g|gif)$", re.IGNORECASE)
_NOTICES = {
    "comment",
    "help",
    "welcome",
    "welcome_prompt",
    "empty",
    "generic",
    "slash_commands",
    "formatting",
    "hotkeys",
    "macros",
    "group_generating",
    "assistant_note",
}


@dataclass(slots=True)
class _Row:
    index: int
    line: int
    name: str
    role: Role
    hidden: bool
    text: str
    sent_at: datetime | None
    mark: str


@dataclass(slots=True)
class _Chat:
    header: Mapping[str, Any] | None = None
    read: int = 0
    rows: list[_Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    #: The last lines: a message has the number of one some lines before, and numbers take room, if there are half a million.
    lines: deque[int] = field(default_factory=lambda: deque(maxlen=4))


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a chat."""
    text = head(data)
    for line in [text, *text.split("\n")[1:4]]:  # the first lines may be damaged
        _, names = first_names(line)
        if "mes" in names or {"user_name", "character_name"} <= set(names) or "chat_metadata" in names:
            return 1.0
        if {"name", "is_user"} <= set(names) or {"user_name", "character_names"} <= set(names):
            return 0.9
    return 0.0


def read(data: Data, at: datetime) -> Document:
    """The messages of a chat file.

    :raises FormatError: nothing in it is a header or a message."""
    del at  # a message without a time has none: file order says enough
    text, chat = Text(data, json=True), _Chat()
    for item in items(text):
        _take(chat, item)
    chat.problems[:0] = text.problems
    if chat.header is None and not chat.rows:
        _refuse(chat)
    user, character = _user_name(chat), _character_name(chat)
    messages = tuple(_told_apart(chat, _said_lines(chat, user, character)))
    chat.problems.sort(key=lambda problem: problem.line or 0)
    return Document(
        format=FORMAT.name,
        read=chat.read,
        messages=messages,
        problems=tuple(chat.problems),
        user_name=user,
        character_name=character,
        worlds=_worlds(chat.header),
    )


def _worlds(header: Mapping[str, Any] | None) -> tuple[str, ...]:
    """The lorebook that a chat is linked with."""
    more = (header or {}).get("chat_metadata")
    world = more.get("world_info") if isinstance(more, dict) else None
    return (world,) if isinstance(world, str) and world.strip() else ()


def _refuse(chat: _Chat) -> None:
    first = next((problem for problem in chat.problems if problem.skipped), None)
    place = f"line {first.line}" if first else None
    raise FormatError(f"no message of a chat was found: {first.what if first else 'the file is empty'}", place=place)


def _take(chat: _Chat, item: Item) -> None:
    value = item.value
    if isinstance(value, dict) and "mes" not in value and _HEADER & value.keys():
        _take_header(chat, item)
        return
    if item.broken is not None and not chat.read and chat.header is None and _HEADER & set(first_names(item.raw)[1]):
        chat.header = {}  # a damaged header is not a message, and what follows keeps its numbers
        chat.problems.append(Problem(item.line, f"{item.broken}; the header was not read", skipped=False))
        return
    chat.read += 1
    why = item.broken or _not_a_message(value)
    if why is not None:
        chat.problems.append(Problem(item.line, f"{why}; the line was skipped"))
        return
    chat.rows.append(_row(chat, item))


def _take_header(chat: _Chat, item: Item) -> None:
    if chat.header is None:
        chat.header = item.value
    else:
        chat.problems.append(Problem(item.line, "another header in the middle of the chat was ignored", skipped=False))


def _not_a_message(value: Any) -> str | None:
    if not isinstance(value, dict):
        return f"this is not a message but {_KINDS.get(type(value), 'a number')}"
    if "mes" not in value:
        return "the message has no text (mes is missing)"
    if not isinstance(_accepted(value["mes"]), str):
        return "the text of the message (mes) is not text"
    return None


_KINDS: dict[type, str] = {str: "text", list: "a list", type(None): "null", bool: "true or false"}


def _accepted(mes: Any) -> Any:
    """The accepted text; Chub wraps it in an object."""
    return mes.get("message") if isinstance(mes, dict) else mes


def _row(chat: _Chat, item: Item) -> _Row:
    value = item.value
    extra = value.get("extra")
    kind = extra.get("type") if isinstance(extra, dict) else None
    notice = isinstance(kind, str) and kind in _NOTICES
    chat.lines.append(item.line)
    return _Row(
        index=next((line for line in chat.lines if line == chat.read - 1), chat.read - 1),
        line=item.line,
        name=speaker_name(value.get("name")),
        role=_role(kind, notice, _flag(value, "is_user", "isUser")),
        hidden=notice or _flag(value, "is_system", "isSystem"),
        text=_accepted(value["mes"]),
        sent_at=_sent_at(chat, value, item.line),
        mark=_mark(chat, value) if not _flag(value, "is_user", "isUser") else "",
    )


def _mark(chat: _Chat, value: Mapping[str, Any]) -> str:
    """What a group knows the one who speaks by: the picture of the character (without its ending), or in rooms its number."""
    picture = value.get("original_avatar")
    if not isinstance(picture, str) or not picture.strip():
        forced = value.get("force_avatar")
        found = _PICTURE.search(forced) if isinstance(forced, str) else None
        picture = unquote(found[1]).replace("\0", "") if found else ""
    if picture:
        return speaker_name(_ENDING.sub("", picture.strip()))
    number = value.get("chid")
    in_room = "character_names" in (chat.header or {})
    return speaker_name(str(number)) if in_room and isinstance(number, (int, str)) and not isinstance(number, bool) else ""


def _role(kind: Any, notice: bool, is_user: bool) -> Role:
    if kind == "narrator":
        return Role.NARRATOR
    if notice:
        return Role.SYSTEM
    return Role.USER if is_user else Role.CHARACTER


def _flag(value: Mapping[str, Any], snake: str, camel: str) -> bool:
    stated = value.get(snake)
    if stated is None:
        stated = value.get(camel)
    return stated.strip().lower() in ("true", "1") if isinstance(stated, str) else bool(stated)


def _sent_at(chat: _Chat, value: Mapping[str, Any], line: int) -> datetime | None:
    stated = value.get("send_date", value.get("sendDate"))
    if stated is None or stated == "" or stated == 0:
        return None
    try:
        return message_time(stated)
    except ValueError:
        chat.problems.append(
            Problem(line, f"send_date {preview(stated)} is not a time; the message is without it", skipped=False)
        )
        return None


# Names.


def _stated(header: Mapping[str, Any] | None, name: str) -> str:
    stated = speaker_name((header or {}).get(name))
    return "" if stated == _NO_NAME else stated


def _user_name(chat: _Chat) -> str | None:
    """The header's name for the user, unless only the messages have a real one; then the one used most (the first of equals)."""
    stated = _stated(chat.header, "user_name")
    used = _used(row.name for row in chat.rows if row.role is Role.USER)
    if not used or (stated in used and stated != _ANYONE):
        return stated or None
    return max(used, key=lambda name: used[name])


def _character_name(chat: _Chat) -> str | None:
    """The header's name for the character, or the one character who speaks; ``None`` in a group."""
    stated = _stated(chat.header, "character_name")
    if stated:
        return stated
    members = (chat.header or {}).get("character_names")
    names = [speaker_name(name) for name in members] if isinstance(members, list) else []
    used = list(_used(row.name for row in chat.rows if row.role is Role.CHARACTER)) or [name for name in names if name]
    return used[0] if len(used) == 1 and len(names) <= 1 else None


def _used(names: Iterable[str]) -> Counter[str]:
    return Counter(name for name in names if name)


# Texts.


def _said_lines(chat: _Chat, user: str | None, character: str | None) -> Iterable[SaidLine]:
    for row in emptied(chat.rows):
        speaker = row.name or _fallback(chat, row, user, character)
        by_character = row.role is Role.CHARACTER
        words = heard(row.text, user, speaker if by_character else character, by_character=by_character)
        text = words.text
        if words.removed and row.role is Role.USER:
            chat.problems.append(Problem(row.line, words.told, skipped=False))
        if not text:
            chat.problems.append(Problem(row.line, f"the message of {speaker} is empty; it was skipped"))
            continue
        yield SaidLine(
            index=row.index,
            line=row.line,
            speaker=speaker,
            role=row.role,
            text=text,
            sent_at=row.sent_at,
            hidden=row.hidden,
            named=bool(row.name or speaker != NAMELESS[row.role]),
        )


def _told_apart(chat: _Chat, lines: Iterable[SaidLine]) -> Iterable[SaidLine]:
    """Two characters of one name are two where their pictures differ. A line that has none is of the one who has the name."""
    if not any(row.mark for row in chat.rows):
        return lines
    marks = {row.index: row.mark for row in chat.rows}
    given = list(lines)
    return told_apart(given, [marks[line.index] for line in given])


def _fallback(chat: _Chat, row: _Row, user: str | None, character: str | None) -> str:
    known = {Role.USER: user, Role.CHARACTER: character}.get(row.role)
    speaker = known or NAMELESS[row.role]
    chat.problems.append(Problem(row.line, f"the message has no name; it was taken as said by {speaker}", skipped=False))
    return speaker


FORMAT = Format("sillytavern", "SillyTavern or TavernAI chat, also of groups (.jsonl)", sniff, read, stream=read)
