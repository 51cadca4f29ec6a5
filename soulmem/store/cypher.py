"""A tokenizer for Cypher, enough to tell statements apart and keywords from text. It follows the engine's lexical rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from soulmem.errors import QueryError

_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<comment>//[^\n\r]*|/\*.*?\*/)
    | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    | (?P<name>`[^`]*`)
    | (?P<param>\$\w+)
    | (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
    | (?P<word>\w+)
    | (?P<symbol>/(?!\*)|[^\s'"`/])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """``kind``: string, name (in backticks), param, number, word, or symbol (one character). ``start``: offset in the text."""

    kind: str
    text: str
    start: int

    @property
    def keyword(self) -> str:
        """The word in upper case; empty for anything that is not a bare word."""
        return self.text.upper() if self.kind == "word" else ""


def tokens(text: str) -> Iterator[Token]:
    """The tokens of ``text`` without spaces and comments. An unclosed string, name or comment raises :class:`QueryError`."""
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise QueryError(
                f"something is not closed in the Cypher, from: {text[position : position + 40]!r}",
                advice="Close the string, the backticks or the comment.",
            )
        kind = str(match.lastgroup)
        if kind not in ("space", "comment"):
            yield Token(kind, match.group(), position)
        position = match.end()


def statements(text: str) -> list[str]:
    """``text`` cut at its semicolons (not those in strings and comments); empty statements are left out."""
    found: list[str] = []
    start: int | None = None
    for token in tokens(text):
        if token.text == ";" and token.kind == "symbol":
            if start is not None:
                found.append(text[start : token.start].rstrip())
            start = None
        elif start is None:
            start = token.start
    if start is not None:
        found.append(text[start:].rstrip())
    return found
