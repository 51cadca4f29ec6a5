"""Files that are one conversation in one list: an object of JSON whose member ``messages`` has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from soulmem.ingest.contract import Document
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import ANY, Made, read_tree
from soulmem.ingest.transcript import Said, Transcript, document, emptied

_DEPTH = 3


def one_conversation(data: Data, format: str, said: Callable[[Any], Said]) -> Document:
    """The messages, in file order. ``said(message)`` is what is used of one, of which nothing else is held.

    :raises FormatError: there is not one message in it."""
    value, problems = read_tree(data, _DEPTH, Made({("messages", ANY): said}))
    messages = value.get("messages") if isinstance(value, dict) else None
    told = Transcript()
    for message in emptied(messages) if isinstance(messages, list) else ():
        told.take(message, 1)
    return document(format, [told], problems)
