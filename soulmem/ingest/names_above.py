"""Text in which a name stands alone above what was said, and an empty line below it. No mark tells a name from other words, but
those who talk come back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

#: A name that stands alone has at most so many characters.
MOST_NAME = 40
_NAME = re.compile(rf"[^\W_](?:[^\n:：*\"“”「」{{}}=<>;|/\\]{{0,{MOST_NAME - 2}}}[^\s.!?,;:…。！？，；：*\"“”「」{{}}=<>|/\\])?")
#: So much of what could be names must be those of people who come back.
_SHARE = 0.6


def speakers(lines: Sequence[str]) -> tuple[set[str], bool]:
    """Who may speak in ``lines``, and whether that is sure: at least two come back, among them the one who begins. Where nobody
    does, all that could be names are."""
    heads = [line.strip() for line in _heads(lines)]
    number = Counter(heads)
    returning = {name for name, times in number.items() if times > 1}
    share = sum(number[name] for name in returning) >= _SHARE * len(heads)
    sure = len(returning) > 1 and heads[0] in returning and share
    if len(returning) < 2:
        return set(heads), False
    return returning | set(heads[:1]), sure


def _heads(lines: Sequence[str]) -> Iterator[str]:
    """Lines that could be names: behind an empty one, with something below."""
    for before, line, after in zip(("", *lines), lines, lines[1:], strict=False):
        if not before.strip() and after.strip() and _NAME.fullmatch(line.strip()):
            yield line


def speeches(lines: Sequence[str], names: Collection[str]) -> Iterator[tuple[int, str, list[str]]]:
    """What those with ``names`` say: the 0-based number of the line with the name, the name, and the lines below it."""
    begun, speaker, words = 0, "", list[str]()
    for number, (before, line) in enumerate(zip(("", *lines), lines, strict=False)):
        name = line.strip()
        if not before.strip() and name in names:
            if speaker:
                yield begun, speaker, words
            begun, speaker, words = number, name, []
        elif speaker:
            words.append(line)
    if speaker:
        yield begun, speaker, words
