"""Character.AI: old dumps and CAI-Tools (``histories``), and what its newer interface gives (``turns``, the newest first).

Of the candidates of a turn only the one that was chosen was said; of the messages of a history those that are no alternatives.
Turns are put in the order of their times where the file runs backwards, as it does where it gives none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from sys import intern
from typing import Any

from soulmem.ingest.chat_text import speaker_name
from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import ANY, Made, Placed, line_of, read_tree
from soulmem.ingest.times import message_time
from soulmem.ingest.transcript import Said, Transcript, document, emptied
from soulmem.model.messages import Role

# Histories, messages, and the objects around them; a turn is read whole or not at all.
_DEPTH, _DEPTH_OF_TURNS = 6, 3
# Stands for an answer of a history that was rejected: CAI-Tools keeps those among the messages.
_REJECTED = Said(None, skipped="an alternative")
# How a message has what its source says, where it has no source of its own (src): as the interface gave it.
_FLAT = "src__"


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a file."""
    text = head(data)
    _, names = first_names(text)
    if "histories" in names or {"msgs", "external_id"} <= set(names):
        return 0.9
    if {"turn_key", "candidates"} <= set(names):
        return 1.0
    return 0.9 if "turns" in names and '"candidates"' in text else 0.0


def read(data: Data, at: datetime) -> Document:
    """The messages of all conversations, oldest first.

    :raises FormatError: there is not one message in it."""
    del at
    text = head(data)
    turns = _DEPTH_OF_TURNS - int(text.lstrip("\ufeff \t\r\n")[:1] == "[")
    value, problems = read_tree(data, turns if '"candidates"' in text else _DEPTH, _MADE)
    named = _character_named(value)
    told = [_history(one, named) for one in _histories(value)]
    told += [_turns(one, named) for one in list(_talks(value))]
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
        said = message if isinstance(message, Said) else _said(message)
        if said is not _REJECTED:
            told.take(said, line_of(history, 1))
    return told


def _said(message: Any) -> Said:
    line = _line(message)
    source = _source(message) if isinstance(message, dict) else None
    if source is None:
        return Said(line, skipped="this is not a message with a source (src)")
    if message.get("is_alternative") is True:
        return _REJECTED
    role = Role.USER if _is_human(source, message) else Role.CHARACTER
    return Said(line, role, message.get("text"), speaker_name(_name(source)), message.get("created"))


def _source(message: dict[str, Any]) -> dict[str, Any] | None:
    """Who says a message: an object, or members with its name before theirs."""
    source = message.get("src")
    if isinstance(source, dict):
        return source
    flat = {name.removeprefix(_FLAT): value for name, value in message.items() if name.startswith(_FLAT)}
    if not flat.keys() & {"name", "is_human"}:
        return None
    return flat | {"user": {"name": flat.get("user__name"), "username": flat.get("user__username")}}


def _line(value: object) -> int | None:
    return value.line if isinstance(value, Placed) else None


def _is_human(source: dict[str, Any], message: dict[str, Any]) -> bool:
    stated = source.get("is_human", message.get("is_human"))
    return bool(stated)


def _name(source: dict[str, Any]) -> object:
    user = source.get("user")
    return source.get("name") or (user.get("name") or user.get("username") if isinstance(user, dict) else None)


def _id(value: object) -> str:
    return value if isinstance(value, str) else ""


# Turns.


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is used of a turn, as :class:`~soulmem.ingest.transcript.Said` has it, and as large. ``chat``: the id of its chat, if
    it says of which it is."""

    line: int | None
    role: Role = Role.USER
    text: object = None
    speaker: object = None
    sent_at: object = None
    chat: str | None = None
    skipped: str = ""


def _talks(value: Any) -> Iterator[list[Any]]:
    """The lists of turns of a file: one conversation, or several."""
    if isinstance(value, dict):
        value = [value] if isinstance(value.get("turns"), list) else value.get("chats")
    if not isinstance(value, list):
        return
    if any(isinstance(one, _Turn) or _is_turn(one) for one in value):
        yield value
    yield from (one["turns"] for one in value if isinstance(one, dict) and isinstance(one.get("turns"), list))


def _is_turn(value: Any) -> bool:
    return isinstance(value, dict) and "candidates" in value


def _turns(turns: list[Any], named: str | None) -> Transcript:
    made = [turn if isinstance(turn, _Turn) else _turn(turn) for turn in turns]
    turns.clear()
    told = Transcript(name=next((turn.chat for turn in made if turn.chat is not None), "") or "chat", character=named)
    first, last = _time_of(made), _time_of(reversed(made))
    if first is None or last is None or first >= last:
        made.reverse()
    for turn in emptied(made):
        told.take(Said(turn.line, turn.role, turn.text, turn.speaker, turn.sent_at, skipped=turn.skipped), 1)
    return told


def _time_of(turns: Iterable[_Turn]) -> datetime | None:
    """The time of the first that says when it was said in a way that is known."""
    return next((turn.sent_at for turn in turns if isinstance(turn.sent_at, datetime)), None)


def _turn(turn: Any) -> _Turn:
    """What is said in a turn: its chosen candidate."""
    author = turn.get("author") if isinstance(turn, dict) else None
    chosen = _chosen(turn) if isinstance(turn, dict) else None
    chat = _chat(turn)
    if chosen is None:
        return _Turn(_line(turn), chat=chat, skipped="this is not a turn with candidates")
    source = author if isinstance(author, dict) else {}
    role = Role.USER if bool(source.get("is_human")) else Role.CHARACTER
    name, time = speaker_name(source.get("name")), _time(turn.get("create_time"))
    return _Turn(_line(turn), role, chosen.get("raw_content"), name, time, chat)


def _chat(turn: Any) -> str | None:
    key = turn.get("turn_key") if isinstance(turn, dict) else None
    return intern(_id(key.get("chat_id"))) if isinstance(key, dict) else None


def _element(value: Any) -> Any:
    """An element of the list that a file is: a turn, or something that holds some."""
    return _turn(value) if _is_turn(value) and "turns" not in value and "msgs" not in value else value


def _time(stated: Any) -> Any:
    """The moment that is stated; as it is, where it is none that is known. Half a million texts of moments take room."""
    try:
        return message_time(stated)
    except ValueError:
        return stated


def _chosen(turn: dict[str, Any]) -> dict[str, Any] | None:
    held = turn.get("candidates")
    candidates = [one for one in held if isinstance(one, dict)] if isinstance(held, list) else []
    primary = turn.get("primary_candidate_id")
    named = (one for one in candidates if primary and one.get("candidate_id") == primary)
    return next(named, candidates[0] if candidates else None)


# What follows a message is read when it is made: a dump is not held.
_MADE = Made(
    {
        ("histories", "histories", ANY, "msgs", ANY): _said,
        ("histories", ANY, "msgs", ANY): _said,
        (ANY, "msgs", ANY): _said,
        ("msgs", ANY): _said,
        ("turns", ANY): _turn,
        (ANY,): _element,
    }
)


FORMAT = Format("character-ai", "Character.AI dump, also by CAI-Tools (.json)", sniff, read, stream=read)
