"""A long text in parts that can each be recalled: by paragraphs, and by sentences where one is too long."""

from __future__ import annotations

import re
from collections.abc import Iterator

from soulmem.ingest.cards.traits import sentences

#: A part has at most about so many characters.
PART = 800

_PARAGRAPHS = re.compile(r"\n\s*\n")


def parts(text: str, most: int = PART) -> list[str]:
    """``text`` in parts of at most about ``most`` characters; all of its words are in them, in order."""
    if len(text) <= most + most // 4:
        return [text.strip()]
    found: list[str] = []
    for between, piece in _pieces(text, most):
        if found and len(found[-1]) + len(piece) + len(between) <= most:
            found[-1] += between + piece
        else:
            found.append(piece)
    return found


def _pieces(text: str, most: int) -> Iterator[tuple[str, str]]:
    """What is kept together, and what stands before it where it is not alone: paragraphs, else lines, else sentences."""
    for paragraph in _PARAGRAPHS.split(text):
        pieces = [paragraph.strip()] if len(paragraph) <= most else [line.strip() for line in paragraph.split("\n")]
        for line in filter(None, pieces):
            if len(line) <= most:
                yield "\n", line
            else:
                first, *others = sentences(line)
                yield "\n", first
                yield from ((" ", sentence) for sentence in others)
