"""ShareGPT: ``{"conversations": [{"from", "value"}]}``, one or many, as a list or one in every line."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.encodings import Text, head
from soulmem.ingest.json_places import first_names, preview
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import ANY, Made, Placed, Tree, documents, line_of
from soulmem.ingest.transcript import ASSISTANT, Said, Transcript, document
from soulmem.model.messages import Role

_DEPTH = 4
_HELD = ("conversations", "conversation", "items")
_SIDES = {
    "human": Role.USER,
    "user": Role.USER,
    "gpt": Role.CHARACTER,
    "assistant": Role.CHARACTER,
    "chatgpt": Role.CHARACTER,
    "bot": Role.CHARACTER,
    "model": Role.CHARACTER,
    "bing": Role.CHARACTER,
    "bard": Role.CHARACTER,
    "system": Role.SYSTEM,
    "tool": Role.SYSTEM,
    "function": Role.SYSTEM,
    "function_call": Role.SYSTEM,
    "observation": Role.SYSTEM,
}


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such conversations."""
    text = head(data)
    for line in (text, *text.split("\n")[1:3]):
        _, names = first_names(line)
        if any(name in names for name in _HELD) and '"from"' in text and '"value"' in text:
            return 0.9
        if {"from", "value"} <= set(names):
            return 0.8
    return 0.0


def read(data: Data, at: datetime) -> Document:
    """The conversations, in file order.

    :raises FormatError: there is not one message in it."""
    del at
    text = Text(data, json=True)
    broken: list[Problem] = []
    told: list[Transcript] = []
    for tree in documents(text, _DEPTH, _MADE):
        if tree.broken:
            broken.append(Problem(tree.line, tree.broken))
        told += _told(tree)
    for number, one in enumerate(told, start=1):
        one.name = one.id or (f"{number}" if len(told) > 1 else "")
    return document(FORMAT.name, told, (*text.problems, *broken))


@dataclass(frozen=True, slots=True)
class _Held:
    """A conversation."""

    id: str
    turns: list[Said]


@dataclass(frozen=True, slots=True)
class _Element:
    """An element of a list: as one of the turns of a conversation, if any element ``is_turn``, else as a conversation."""

    is_turn: bool
    turn: Said
    held: _Held | None


def _told(tree: Tree) -> list[Transcript]:
    """The conversations of a document."""
    value = tree.value
    if not isinstance(value, list):
        held = [_conversation(value)]
    elif any(element.is_turn for element in value):
        held = [_Held("", [element.turn for element in value])]
    else:
        held = [element.held for element in value]
    return [_transcript(one, line_of(value, tree.line)) for one in held if one is not None]


def _transcript(held: _Held, line: int) -> Transcript:
    told = Transcript(id=held.id, nameless=ASSISTANT)
    for turn in held.turns:
        told.take(turn, line)
    return told


def _element(value: Any) -> _Element:
    return _Element(isinstance(value, dict) and "from" in value, _turn(value), _conversation(value))


# Conversations are read one after another, and not held.
_MADE = Made({(ANY,): _element})


def _conversation(value: Any) -> _Held | None:
    turns = next((value[name] for name in _HELD if isinstance(value.get(name), list)), None) if isinstance(value, dict) else None
    if turns is None:
        return None
    ident = value.get("id")
    return _Held(ident if isinstance(ident, str) else "", [_turn(turn) for turn in turns])


def _turn(turn: Any) -> Said:
    line = turn.line if isinstance(turn, Placed) else None
    stated = turn.get("from") if isinstance(turn, dict) else None
    role = _SIDES.get(stated.strip().lower()) if isinstance(stated, str) else None
    if role is None:
        return Said(line, skipped=f"unknown speaker (from) {preview(stated)}")
    return Said(line, role, turn.get("value"), stated if role is Role.SYSTEM else None, hidden=role is Role.SYSTEM)


FORMAT = Format("sharegpt", "ShareGPT conversations, from and value (.json, .jsonl)", sniff, read, stream=read)
