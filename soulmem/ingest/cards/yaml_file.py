"""Character cards in YAML, as text-generation-webui (ooba) writes them: ``name``, ``context``, ``greeting``.

All values are read as text, and references (``&a``, ``*a``) are refused: no card needs them, and a few lines of them may stand
for gigabytes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.cards.card import card_of
from soulmem.ingest.cards.notes import document_of
from soulmem.ingest.cards.payload import MOST_DEPTH
from soulmem.ingest.contract import Document, Format, Problem
from soulmem.ingest.encodings import decode, head

#: A card in YAML has at most so many bytes.
MOST_BYTES = 2**20

_NAME = re.compile(r"^(?:name|char_name|bot)[ \t]*:", re.MULTILINE)
_TEXT = re.compile(r"^(?:context|greeting|char_persona|char_greeting|description|first_mes)[ \t]*:", re.MULTILINE)
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like a card in YAML."""
    text = head(data)
    if text.lstrip()[:1] in ("{", "["):
        return 0.0
    return 1.0 if _NAME.search(text) and _TEXT.search(text) else 0.0


def read(data: bytes, at: datetime) -> Document:
    """What a card leaves in a mind.

    :raises FormatError: it is none, broken, or has references."""
    if len(data) > MOST_BYTES:
        raise FormatError(f"a card in YAML of {len(data) / 2**20:.0f} MB; at most {MOST_BYTES // 2**20} MB are read")
    decoded = decode(data)
    escaped = Counter[str]()
    value = _mended(_value(_UNPRINTABLE.sub("", decoded.text)), escaped)
    if isinstance(value, dict) and "bot" in value and "name" not in value:
        value = {**value, "name": value["bot"]}
    what = f"{escaped.total()} escapes of characters that no text can hold were removed"
    problems = (*decoded.problems, *([Problem(None, what, skipped=False)] if escaped else []))
    return document_of(card_of(value), at, FORMAT.name, problems)


def _value(text: str) -> Any:
    import yaml  # only for the few cards that are in YAML

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # makes texts, lists and mappings only
    try:
        _check_events(yaml.parse(text, Loader=loader))
        value = yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or "it cannot be read"
        raise FormatError(f"broken YAML: {what}", place=f"line {mark.line + 1}" if mark else None) from error
    except (RecursionError, ValueError, TypeError) as error:
        raise FormatError("broken YAML: it is nested too deeply or has keys that are no text") from error
    return value


def _mended(value: Any, removed: Counter[str]) -> Any:
    """``value`` without NULs and halves of surrogate pairs, which escapes in quotes can name; ``removed`` counts them."""
    if isinstance(value, dict):
        return {_mended(name, removed): _mended(inner, removed) for name, inner in value.items()}
    if isinstance(value, list):
        return [_mended(inner, removed) for inner in value]
    if not isinstance(value, str):
        return value
    removed.update(_NO_TEXT.findall(value))
    return _NO_TEXT.sub("", value)


def _check_events(events: Iterable[Any]) -> None:
    """Looks at the file piece by piece, before anything is made of it.

    :raises FormatError: it has references, or is nested too deeply."""
    depth = 0
    for event in events:
        kind = type(event).__name__
        if kind == "AliasEvent":
            raise FormatError("references (*name) in YAML are not read", place=f"line {event.start_mark.line + 1}")
        depth += kind.endswith("StartEvent") - kind.endswith("EndEvent")
        if depth > MOST_DEPTH:
            raise FormatError(f"the values of this file are nested more than {MOST_DEPTH} deep")


FORMAT = Format("card-yaml", "character card of text-generation-webui (.yaml)", sniff, read)
