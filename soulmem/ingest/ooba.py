"""Chats of text-generation-webui: pairs of what the user said and what was answered.

``visible`` (``data_visible`` in older files) is what was shown, with its HTML escaped; ``internal`` (``data``) is what the model
was given, and read only where the other is missing. The first pair may be a greeting alone. Other versions of an answer stand in
``metadata`` and never happened.
"""

from __future__ import annotations

import html
import re
from datetime import datetime
from typing import Any

from soulmem.ingest.contract import Document, Format
from soulmem.ingest.encodings import head
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import ANY, Made, PlacedList, read_tree
from soulmem.ingest.transcript import Transcript, document
from soulmem.model.messages import Role

_DEPTH = 3
_START = re.compile(r'\s*\{\s*"(?:internal|visible|data|data_visible)"\s*:\s*\[\s*(?:\[|\]\s*,\s*"(?:visible|data_visible)")')
_SHOWN = ("visible", "data_visible")
_GIVEN = ("internal", "data")
# What the model was given stands before what was shown, and is not held.
_SHOWN_ALONE = Made({(name, ANY): lambda _: None for name in _GIVEN})
_NO_WORDS = "<|BEGIN-VISIBLE-CHAT|>"


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a chat."""
    text = head(data).lstrip("\ufeff")
    if not _START.match(text):
        return 0.0
    return 0.9 if "visible" in text or '"internal"' in text else 0.4


def read(data: Data, at: datetime) -> Document:
    """What was said, a user's message and its answer for each pair.

    :raises FormatError: there is no pair in it."""
    del at
    value, problems = read_tree(data, _DEPTH, _SHOWN_ALONE)
    told = Transcript()
    held = value if isinstance(value, dict) else {}
    if not any(isinstance(held.get(name), PlacedList) for name in _SHOWN):
        value, problems = read_tree(data, _DEPTH)
        held = value if isinstance(value, dict) else {}
    shown = next((held[name] for name in _SHOWN if isinstance(held.get(name), PlacedList)), None)
    pairs = shown if shown is not None else next((held[name] for name in _GIVEN if isinstance(held.get(name), PlacedList)), None)
    for place, (line, pair) in enumerate(pairs.numbered() if pairs is not None else ()):
        _pair(told, held.get("metadata"), place, line, pair, escaped=shown is not None)
    return document(FORMAT.name, [told], problems)


def _pair(told: Transcript, metadata: Any, place: int, line: int, pair: Any, *, escaped: bool) -> None:
    if not isinstance(pair, list) or len(pair) != 2:
        told.skip(line, "this is not a pair of what was said and answered")
        return
    for role, who, text in ((Role.USER, "user", pair[0]), (Role.CHARACTER, "assistant", pair[1])):
        if text in (None, "", _NO_WORDS):  # nobody spoke
            continue
        about = metadata.get(f"{who}_{place}") if isinstance(metadata, dict) else None
        known = about if isinstance(about, dict) else {}
        words = html.unescape(text) if escaped and isinstance(text, str) else text
        told.say(line, role, words, speaker=known.get("name"), sent_at=known.get("timestamp"))


FORMAT = Format("ooba", "text-generation-webui chat (.json)", sniff, read, stream=read)
