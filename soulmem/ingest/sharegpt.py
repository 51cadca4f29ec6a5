"""ShareGPT: ``{"conversations": [{"from", "value"}]}``, one or many, as a list or one in every line."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.encodings import decode_json, head
from soulmem.ingest.json_places import first_names, preview
from soulmem.ingest.placed import documents, line_of
from soulmem.ingest.transcript import ASSISTANT, Transcript, document
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


def read(data: bytes, at: datetime) -> Document:
    """The conversations, in file order.

    :raises FormatError: there is not one message in it."""
    del at
    decoded = decode_json(data)
    problems = list(decoded.problems)
    told: list[Transcript] = []
    for tree in documents(decoded.text, _DEPTH):
        if tree.broken:
            problems.append(Problem(tree.line, tree.broken))
        told += [_conversation(ident, turns, line_of(tree.value, tree.line)) for ident, turns in _held(tree.value)]
    for number, one in enumerate(told, start=1):
        one.name = one.id or (f"{number}" if len(told) > 1 else "")
    return document(FORMAT.name, told, problems)


def _held(value: Any) -> Iterator[tuple[str, list[Any]]]:
    """The conversations of a document, with their ids."""
    if isinstance(value, list) and any(isinstance(one, dict) and "from" in one for one in value):
        yield "", value
        return
    for one in value if isinstance(value, list) else [value]:
        turns = next((one[name] for name in _HELD if isinstance(one.get(name), list)), None) if isinstance(one, dict) else None
        if turns is not None:
            ident = one.get("id")
            yield (ident if isinstance(ident, str) else ""), turns


def _conversation(ident: str, turns: list[Any], line: int) -> Transcript:
    told = Transcript(id=ident, nameless=ASSISTANT)
    for turn in turns:
        place = line_of(turn, line)
        stated = turn.get("from") if isinstance(turn, dict) else None
        role = _SIDES.get(stated.strip().lower()) if isinstance(stated, str) else None
        if role is None:
            told.skip(place, f"unknown speaker (from) {preview(stated)}")
            continue
        told.say(place, role, turn.get("value"), speaker=stated if role is Role.SYSTEM else None, hidden=role is Role.SYSTEM)
    return told


FORMAT = Format("sharegpt", "ShareGPT conversations, from and value (.json, .jsonl)", sniff, read)
