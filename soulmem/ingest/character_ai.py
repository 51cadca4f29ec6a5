"""Character.AI: old dumps and CAI-Tools (``histories``), and what its newer interface gives (``turns``, the newest first).

Of the candidates of a turn only the one that was chosen was said. Turns are put in the order of their times where the file runs
backwards, as it does where it gives none.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from soulmem.ingest.chat_text import speaker_name
from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.placed import line_of, read_tree
from soulmem.ingest.times import message_time
from soulmem.ingest.transcript import Transcript, document
from soulmem.model.messages import Role

# Histories, messages, and the objects around them; a turn is read whole or not at all.
_DEPTH, _DEPTH_OF_TURNS = 6, 3


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a file."""
    text = head(data)
    _, names = first_names(text)
    if "histories" in names or {"msgs", "external_id"} <= set(names):
        return 0.9
    if {"turn_key", "candidates"} <= set(names):
        return 1.0
    return 0.9 if "turns" in names and '"candidates"' in text else 0.0


def read(data: bytes, at: datetime) -> Document:
    """The messages of all conversations, oldest first.

    :raises FormatError: there is not one message in it."""
    del at
    text = head(data)
    turns = _DEPTH_OF_TURNS - int(text.lstrip("\ufeff \t\r\n")[:1] == "[")
    value, problems = read_tree(data, turns if '"candidates"' in text else _DEPTH)
    named = _character_named(value)
    told = [_history(one, named) for one in _histories(value)]
    told += [_turns(one, named) for one in _talks(value)]
    if len(told) == 1:
        told[0].name = ""
    return document(FORMAT.name, told, problems)


def _character_named(value: Any) -> str | None:
    """The name of the character, where the file has a word about it."""
    info = value.get("info") if isinstance(value, dict) else None
    character = info.get("character") if isinstance(info, dict) else None
    for held in (character, info):
        if isinstance(held, dict) and (name := speaker_name(held.get("name"))):
            return name
    return None


# Histories.


def _histories(value: Any) -> Iterator[dict[str, Any]]:
    held = value.get("histories") if isinstance(value, dict) else value
    held = held.get("histories") if isinstance(held, dict) else held
    if isinstance(value, dict) and isinstance(value.get("msgs"), list):
        held = [value]
    yield from (one for one in held if isinstance(one, dict) and "msgs" in one) if isinstance(held, list) else ()


def _history(history: dict[str, Any], named: str | None) -> Transcript:
    told = Transcript(name=_id(history.get("external_id")) or "history", character=named)
    messages = history.get("msgs")
    for message in messages if isinstance(messages, list) else ():
        line = line_of(message, line_of(history, 1))
        source = message.get("src") if isinstance(message, dict) else None
        if not isinstance(source, dict):
            told.skip(line, "this is not a message with a source (src)")
            continue
        role = Role.USER if _is_human(source, message) else Role.CHARACTER
        told.say(line, role, message.get("text"), speaker=_name(source), sent_at=message.get("created"))
    return told


def _is_human(source: dict[str, Any], message: dict[str, Any]) -> bool:
    stated = source.get("is_human", message.get("is_human"))
    return bool(stated)


def _name(source: dict[str, Any]) -> object:
    user = source.get("user")
    return source.get("name") or (user.get("name") or user.get("username") if isinstance(user, dict) else None)


def _id(value: object) -> str:
    return value if isinstance(value, str) else ""


# Turns.


def _talks(value: Any) -> Iterator[list[Any]]:
    """The lists of turns of a file: one conversation, or several."""
    if isinstance(value, dict):
        value = [value] if isinstance(value.get("turns"), list) else value.get("chats")
    if not isinstance(value, list):
        return
    if any(isinstance(one, dict) and "candidates" in one for one in value):
        yield value
    yield from (one["turns"] for one in value if isinstance(one, dict) and isinstance(one.get("turns"), list))


def _turns(turns: list[Any], named: str | None) -> Transcript:
    told = Transcript(name=_chat_id(turns), character=named)
    for turn in _oldest_first(turns):
        _turn(told, turn, line_of(turn, 1))
    return told


def _chat_id(turns: list[Any]) -> str:
    keys = (turn.get("turn_key") for turn in turns if isinstance(turn, dict))
    return next((_id(key.get("chat_id")) for key in keys if isinstance(key, dict)), "") or "chat"


def _oldest_first(turns: list[Any]) -> list[Any]:
    times = [moment for turn in turns if (moment := _time(turn)) is not None]
    return turns if times and times[0] < times[-1] else turns[::-1]


def _time(turn: Any) -> datetime | None:
    try:
        return message_time(turn.get("create_time")) if isinstance(turn, dict) else None
    except ValueError:
        return None


def _turn(told: Transcript, turn: Any, line: int) -> None:
    author = turn.get("author") if isinstance(turn, dict) else None
    chosen = _chosen(turn) if isinstance(turn, dict) else None
    if chosen is None:
        told.skip(line, "this is not a turn with candidates")
        return
    source = author if isinstance(author, dict) else {}
    human = bool(source.get("is_human"))
    told.say(
        line,
        Role.USER if human else Role.CHARACTER,
        chosen.get("raw_content"),
        speaker=source.get("name"),
        sent_at=turn.get("create_time"),
    )


def _chosen(turn: dict[str, Any]) -> dict[str, Any] | None:
    held = turn.get("candidates")
    candidates = [one for one in held if isinstance(one, dict)] if isinstance(held, list) else []
    primary = turn.get("primary_candidate_id")
    named = (one for one in candidates if primary and one.get("candidate_id") == primary)
    return next(named, candidates[0] if candidates else None)


FORMAT = Format("character-ai", "Character.AI dump, also by CAI-Tools (.json)", sniff, read)
