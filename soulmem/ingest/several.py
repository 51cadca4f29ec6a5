"""Files that are a list of conversations, or one of them alone: the exports of assistants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from soulmem.ingest.contract import Document
from soulmem.ingest.mapped import Data
from soulmem.ingest.placed import ANY, Made, read_tree
from soulmem.ingest.transcript import Transcript, document


def several_conversations(data: Data, format: str, depth: int, told: Callable[[Any], Transcript | None]) -> Document:
    """The conversations, in file order. ``told(value)`` is what is used of one, ``None`` where there is none; they are read one
    after another, and not held. ``depth``: as :func:`~soulmem.ingest.placed.placed` takes it.

    :raises FormatError: there is not one message in it."""
    value, problems = read_tree(data, depth, Made({(ANY,): told}))
    held = value if isinstance(value, list) else [told(value)]
    return document(format, [one for one in held if one is not None], problems)
