"""Lines of a chat that say something else than when its file was read before (pure): an edit, an answer that was asked for again.

Both are in the mind then, as what was said was said; the report tells of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from soulmem.ingest.contract import Problem, SaidLine

# What means something to a shell between quotes.
_SHELL = re.compile(r'["$`\\!%]')
#: So many characters of a line tell which it is.
_TOLD = 60


def former_lines(
    lines: Sequence[SaidLine], found: Collection[int], numbers: Sequence[int], ids: Sequence[str], kept: Mapping[int, int]
) -> dict[int, str]:
    """Number of a line that is not ``found`` in the mind → the message that had this number in the file before, and is not in it
    any more. Between lines that have other numbers than before, a number tells nothing.

    ``numbers`` and ``ids``: of the messages of the chat, in order; ``kept``: place among these → place in ``lines``."""
    gone = {number: ids[place] for place, number in enumerate(numbers) if place not in kept}
    steady = {position: numbers[place] == lines[position].index for place, position in kept.items() if place < len(numbers)}
    before, after = _nearest(range(len(lines)), steady), _nearest(range(len(lines) - 1, -1, -1), steady)
    return {
        line.index: gone[line.index]
        for position, line in enumerate(lines)
        if position not in found and line.index in gone and before.get(position, after.get(position, False))
    }


def _nearest(positions: Iterable[int], told: Mapping[int, bool]) -> dict[int, bool]:
    """What is ``told`` of the last position that comes before each one, or of itself."""
    nearest: dict[int, bool] = {}
    last: bool | None = None
    for position in positions:
        last = told.get(position, last)
        if last is not None:
            nearest[position] = last
    return nearest


def two_versions(line: int, former: str, number: int) -> Problem:
    """What the user is told of ``number`` lines that the mind has in two versions: of the first, on ``line``, that it was
    ``former``."""
    more = f" and of {number - 1} more" if number > 1 else ""
    what = f"the mind has another version of this line{more}; both are kept"
    return Problem(line, f'{what}; soulmem forget --about "{_words(former)}" takes the former away', skipped=False)


def _words(text: str) -> str:
    """Words of a text, on one line, by which it is found, and that a shell takes as they are between quotes."""
    words = " ".join(max(_SHELL.split(text), key=len).split())
    return words if len(words) <= _TOLD else words[:_TOLD].rsplit(" ", 1)[0]
