"""Stories and chats of KoboldAI and Kobold Lite: a text in pieces (``prompt``, then ``actions``), and who speaks is marked in it.

In instruct mode ``{{[INPUT]}}`` stands before what the user says and ``{{[OUTPUT]}}`` before an answer. In chat mode lines begin
with ``Name:``, of the user (``chatname``) or an opponent (``chatopponent``, several parted by ``||$||``). What nobody says is the
narrator's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from soulmem.ingest.chat_text import speaker_name
from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import PlacedList, read_tree
from soulmem.ingest.transcript import Transcript, document
from soulmem.model.messages import Role

_DEPTH = 3
_MARKS = {"INPUT": Role.USER, "OUTPUT": Role.CHARACTER, "SYSTEM": Role.SYSTEM}
_MARK = re.compile(r"\{\{\[(INPUT|OUTPUT|SYSTEM)(?:_END)?\]\}\}")
_NEXT = "||$||"
#: A chat has at most so many opponents.
MOST_OPPONENTS = 100


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a story."""
    opening, names = first_names(head(data))
    if opening != "{":
        return 0.0
    if {"gamestarted", "prompt"} <= set(names) or {"savedsettings", "actions"} <= set(names):
        return 0.9
    return 0.8 if {"prompt", "actions"} <= set(names) else 0.0


def read(data: Data, at: datetime) -> Document:
    """What was said and told, in order.

    :raises FormatError: it holds no text."""
    del at
    value, problems = read_tree(data, _DEPTH)
    held = value if isinstance(value, dict) else {}
    settings = held.get("savedsettings")
    user, stated = _names(settings if isinstance(settings, dict) else {})
    opponents = stated[:MOST_OPPONENTS]
    told = Transcript(user=user, character=opponents[0] if len(opponents) == 1 else None)
    if len(stated) > MOST_OPPONENTS:
        told.note(1, f"the chat has {len(stated)} opponents; those behind the first {MOST_OPPONENTS} are not looked for")
    pieces = list(_pieces(told, held))
    named = _named([user] if user else [], opponents)
    for line, role, text in _marked(pieces):
        for speaker, words in _spoken(text, named):
            _say(told, line, role, speaker, words, user)
    return document(FORMAT.name, [told], problems)


def _names(settings: dict[str, Any]) -> tuple[str | None, list[str]]:
    stated = settings.get("chatopponent")
    opponents = [name for part in stated.split(_NEXT) if (name := speaker_name(part))] if isinstance(stated, str) else []
    return speaker_name(settings.get("chatname")) or None, opponents


def _pieces(told: Transcript, held: dict[str, Any]) -> Iterator[tuple[int, str]]:
    prompt = held.get("prompt")
    if isinstance(prompt, str):
        yield getattr(held, "line", 1), prompt
    actions = held.get("actions")
    for line, piece in actions.numbered() if isinstance(actions, PlacedList) else ():
        if isinstance(piece, str):
            yield line, piece
        else:
            told.skip(line, "an action that is not text")


def _marked(pieces: list[tuple[int, str]]) -> Iterator[tuple[int, Role | None, str]]:
    """What stands between marks, with the line of the piece it begins in; ``None`` before the first."""
    role: Role | None = None
    begun, parts = 1, list[str]()
    for line, piece in pieces:
        end = 0
        for mark in _MARK.finditer(piece):
            parts.append(piece[end : mark.start()])
            yield begun, role, "".join(parts)
            role, begun, parts, end = _MARKS[mark[1]], line, [], mark.end()
        if not "".join(parts).strip():
            begun = line
        parts.append(piece[end:])
    yield begun, role, "".join(parts)


def _named(users: list[str], opponents: list[str]) -> re.Pattern[str] | None:
    names = "|".join(re.escape(name) for name in sorted({*users, *opponents}, key=len, reverse=True))
    return re.compile(rf"^[ \t]*({names}):[ \t]*", re.MULTILINE) if names else None


def _spoken(text: str, named: re.Pattern[str] | None) -> Iterator[tuple[str | None, str]]:
    """The parts of a text that begin with the name of a speaker; ``None`` for what stands before the first."""
    speaker, start = None, 0
    for mark in named.finditer(text) if named else ():
        yield speaker, text[start : mark.start()]
        speaker, start = mark[1], mark.end()
    yield speaker, text[start:]


def _say(told: Transcript, line: int, role: Role | None, speaker: str | None, words: str, user: str | None) -> None:
    if not words.strip():
        return
    if speaker is not None:
        role = Role.USER if speaker == user else Role.CHARACTER
    role = role or Role.NARRATOR
    told.say(line, role, words, speaker=speaker, hidden=role is Role.SYSTEM)


FORMAT = Format("kobold", "KoboldAI or Kobold Lite story or chat (.json)", sniff, read, stream=read)
