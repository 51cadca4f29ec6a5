"""Texts that a regular expression matches, drawn at random: what stands around them is not looked at, repeats are few."""

from __future__ import annotations

import re
from random import Random
from typing import Any

_MOST_REPEATS = 3
_OTHER = "a B，9' "


def text_of(pattern: str, random: Random) -> str:
    """A text that ``pattern`` matches if what it demands or forbids around is there or not."""
    return "".join(_drawn(tree, random) for tree in re._parser.parse(pattern))  # type: ignore[attr-defined]


def _drawn(tree: tuple[Any, Any], random: Random) -> str:
    kind, given = str(tree[0]), tree[1]
    match kind:
        case "LITERAL":
            return chr(given)
        case "ANY" | "NOT_LITERAL":
            return random.choice(_OTHER)
        case "IN":
            return _one_of(given, random)
        case "BRANCH":
            return "".join(_drawn(one, random) for one in random.choice(given[1]))
        case "SUBPATTERN":
            return "".join(_drawn(one, random) for one in given[3])
        case "MAX_REPEAT" | "MIN_REPEAT":
            least, most, repeated = given
            times = random.randint(least, max(least, min(most, _MOST_REPEATS)))
            return "".join(_drawn(one, random) for _ in range(times) for one in repeated)
        case "AT" | "ASSERT" | "ASSERT_NOT":
            return ""
    raise ValueError(f"no text is drawn of {kind}")


def _one_of(given: list[tuple[Any, Any]], random: Random) -> str:
    kind, value = random.choice(given)
    if given[0][0] is not kind and str(given[0][0]) == "NEGATE":
        return next(one for one in random.sample(_OTHER, len(_OTHER)) if re.fullmatch(r"[^\W\d_]", one))
    match str(kind):
        case "LITERAL":
            return chr(value)
        case "RANGE":
            return chr(random.randint(*value))
        case "CATEGORY":
            return {"CATEGORY_SPACE": " ", "CATEGORY_WORD": "b", "CATEGORY_NOT_SPACE": "b"}.get(str(value), ",")
        case "NEGATE":
            return "c"
    raise ValueError(f"no character is drawn of {kind}")
