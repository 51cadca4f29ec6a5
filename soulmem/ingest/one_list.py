"""Files that are one conversation in one list: an object of JSON whose member ``messages`` has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from soulmem.ingest.contract import Document
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import line_of, read_tree
from soulmem.ingest.transcript import Transcript, document

_DEPTH = 3


def one_conversation(data: Data, format: str, take: Callable[[Transcript, Any, int], None]) -> Document:
    """The messages, in file order. ``take(told, message, line)`` writes one down.

    :raises FormatError: there is not one message in it."""
    value, problems = read_tree(data, _DEPTH)
    messages = value.get("messages") if isinstance(value, dict) else None
    told = Transcript()
    for message in messages if isinstance(messages, list) else ():
        take(told, message, line_of(message, 1))
    return document(format, [told], problems)
