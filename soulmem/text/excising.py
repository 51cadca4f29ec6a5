"""Taking sentences out of a text. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

#: A sentence with its end, closing signs and the blanks behind it; a line is one too.
_SENTENCE = re.compile(r"[^\n.!?…。！？]*(?:[.!?…]+(?:[\"”’»)\]*_]*(?=\s|\Z)[^\S\n]*)?|[。！？…]+[”’」』）】]*|\n+|\Z)")


def pieces(text: str) -> list[str]:
    """The sentences of ``text`` with all that is between them: together they are the text."""
    found: list[str] = []
    open_end = False
    for piece in _SENTENCE.findall(text):
        if open_end:
            found[-1] += piece
        elif piece:
            found.append(piece)
        # A full stop within a word or number ends nothing.
        open_end = bool(piece) and piece[-1] in ".!?…" and _goes_on(text, sum(map(len, found)))
    return found


def _goes_on(text: str, place: int) -> bool:
    return text[place - 1] in ".!?" and place < len(text) and not text[place].isspace()


def without_sentences(text: str, is_told: Callable[[str], bool]) -> str:
    """``text`` without the sentences that tell; empty if it tells still. Unchanged if it does not tell."""
    if not is_told(text):
        return text
    left = "".join(piece for piece in pieces(text) if not is_told(piece)).strip()
    return "" if is_told(left) else left
