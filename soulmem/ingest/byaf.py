"""Archives of Backyard AI (``.byaf``, https://github.com/ahoylabs/byaf): a zip with a character and the scenarios it was met in.

The character is a card, told with what its scenarios say of it: where the first one is set, how each begins, examples. The
messages of a scenario are a chat with the character, who is not named in it. Of several versions of an answer the one that was
active last was said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.cards.payload import json_of
from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import ANY, Made, Placed, read_tree
from soulmem.ingest.transcript import Said, Transcript, document, emptied
from soulmem.model.messages import Role

_MANIFEST = "manifest.json"
_CHARACTER = re.compile(r"characters/[^/]+/character\.json")
_SCENARIO = re.compile(r"scenarios/[^/]+\.json")
_DEPTH = 5
_SPEAKERS = re.compile(r"#?\{(user|character)\}(?!\})", re.IGNORECASE)
_MACROS = {"user": "{{user}}", "character": "{{char}}"}


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like a scenario of an archive."""
    opening, names = first_names(head(data))
    return 1.0 if opening == "{" and {"firstMessages", "exampleMessages", "narrative"} <= set(names) else 0.0


def read(data: Data, at: datetime) -> Document:
    """The messages of a scenario, in file order.

    :raises FormatError: it is none. Nothing may have been said in it."""
    del at
    value, problems = read_tree(data, _DEPTH, _MADE)
    if not isinstance(value, dict) or "narrative" not in value or not isinstance(value.get("messages"), list):
        raise FormatError("this is no scenario of a Backyard AI archive: it has no messages")
    told = Transcript()
    for said in emptied(value["messages"]):
        told.take(said, 1)
    if not told.read and not problems:
        return Document(format=FORMAT.name, read=0)
    return document(FORMAT.name, [told], problems)


def _said(message: Any) -> Said:
    line = message.line if isinstance(message, Placed) else None
    kind = message.get("type") if isinstance(message, dict) else None
    if kind not in ("ai", "human"):
        return Said(line, skipped="this is not a message of a human or an AI")
    said = _active(message.get("outputs")) if kind == "ai" else message
    text = said.get("text")
    role = Role.CHARACTER if kind == "ai" else Role.USER
    return Said(line, role, _renamed(text) if isinstance(text, str) else None, sent_at=said.get("createdAt"))


# What follows a message is read when it is made: other versions of an answer are not held.
_MADE = Made({("messages", ANY): _said})


def _active(outputs: Any) -> dict[str, Any]:
    given = [one for one in outputs if isinstance(one, dict)] if isinstance(outputs, list) else []
    return max(given, key=lambda one: str(one.get("activeTimestamp", "")), default={})


def _renamed(text: str) -> str:
    """``text`` with the names of speakers as all other programs write them."""
    return _SPEAKERS.sub(lambda match: _MACROS[match[1].lower()], text)


# The archive.


def is_archive(names: Iterable[str]) -> bool:
    """Whether a zip with members of these names is such an archive."""
    given = set(names)
    return _MANIFEST in given and any(_CHARACTER.fullmatch(name) for name in given)


def is_character(name: str) -> bool:
    """Whether a member of an archive is its character."""
    return _CHARACTER.fullmatch(name) is not None


def is_scenario(name: str) -> bool:
    """Whether a member of an archive is one of its scenarios."""
    return _SCENARIO.fullmatch(name) is not None


def with_scenarios(character: bytes, scenarios: Sequence[bytes]) -> bytes:
    """The character of an archive as a card that also says what its scenarios say of it; as it is, where they cannot be read."""
    try:
        value, told = json_of(character)[0], [json_of(one)[0] for one in scenarios]
    except FormatError:
        return character
    given = [one for one in told if isinstance(one, dict)]
    if not isinstance(value, dict) or not given:
        return character
    first, *others = [_texts(one.get("firstMessages")) for one in given]
    card = {
        **value,
        "persona": _renamed(value["persona"]) if isinstance(value.get("persona"), str) else "",
        "scenario": _text(given[0].get("narrative")),
        "first_mes": first[0] if first else "",
        "alternate_greetings": [*first[1:], *(text for texts in others for text in texts)],
        "mes_example": "\n".join(f"{{{{char}}}}: {text}" if ": " not in text else text for text in _examples(given)),
        "system_prompt": _text(given[0].get("formattingInstructions")),
    }
    return json.dumps(card, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _examples(scenarios: Iterable[dict[str, Any]]) -> dict[str, None]:
    return dict.fromkeys(text for one in scenarios for text in _texts(one.get("exampleMessages")))


def _texts(messages: Any) -> list[str]:
    given = messages if isinstance(messages, list) else []
    return [text for one in given if isinstance(one, dict) and (text := _text(one.get("text")))]


def _text(value: Any) -> str:
    return _renamed(value).strip() if isinstance(value, str) else ""


FORMAT = Format("byaf", "chat of a Backyard AI archive (.byaf, .json)", sniff, read, stream=read)
