"""Keys of entries that are patterns: ``/…/flags``, as JavaScript has them. Checked before, and stopped while they match.

A pattern of a file is a program of a stranger: one that would grow without bound when it is compiled is refused by its form, and
each match has a time limit.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

#: A longer pattern is not looked at, characters.
MOST_PATTERN = 1000
#: Counted repeats of a pattern multiplied: more is refused, since compiling unrolls them.
MOST_REPEATS = 5000
#: One match may take so long, all patterns of one book, to be made and to match, together so long, seconds.
MATCH_SECONDS, BOOK_SECONDS = 0.05, 3.0

_FORM = re.compile(r"/(.+)/([a-z]*)\Z", re.DOTALL)
_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "g": 0, "u": 0, "y": 0, "v": 0, "d": 0}
_META = re.compile(r"[\\^$.|?*+()\[\]{}]")
_REPEAT = re.compile(r"\{(\d*)(?:,(\d*))?\}")
# What the engine here understands beyond JavaScript: recursion, branches that reset, approximate matches.
_FOREIGN = re.compile(r"\(\?(?![:=!]|<[=!\w]|[ims]*(?:-[ims]+)?:)|\{(?=[^\d}])|\(\*|\\[LGRXK]")
_LITERAL = re.compile(r"(?:\\b|\^)?\(?(?:\?:)?((?:[\w' \-]|\|)+)\)?(?:\(?s\)?\?)?(?:\\b|\$)?")
_ALL_TOO_LONG = "the patterns of this book take too long together"
_PROBES = ("a" * 300 + "!", "the quick brown fox " * 15, "他们在森林里走了很久，" * 15)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A key that is a pattern and can be used. ``key``: as it stands in the file."""

    key: str
    compiled: Any = field(repr=False)

    def is_in(self, text: str, budget: Budget) -> bool | None:
        """Whether it matches somewhere in ``text``; ``None`` where the time was up."""
        if not budget.left():
            return None
        begin = monotonic()
        try:
            return self.compiled.search(text, timeout=MATCH_SECONDS, concurrent=False) is not None
        except TimeoutError:
            return None
        finally:
            budget.take(monotonic() - begin)


class Budget:
    """Time that all patterns of a book share."""

    __slots__ = ("_seconds",)

    def __init__(self, seconds: float = BOOK_SECONDS) -> None:
        self._seconds = seconds

    def left(self) -> bool:
        return self._seconds > 0

    def take(self, seconds: float) -> None:
        self._seconds -= seconds


def is_pattern(key: str, use_regex: bool) -> bool:
    """Whether a key is meant as a pattern: in slashes, or with signs of one where the entry says that its keys are patterns."""
    return _FORM.match(key) is not None or (use_regex and _META.search(key) is not None)


def literal_names(key: str) -> tuple[str, ...]:
    """The words of a pattern that is nothing but a choice of words (``/\\b(wood|forest)s?\\b/i``)."""
    form = _FORM.match(key)
    match = _LITERAL.fullmatch(form[1] if form else key)
    return tuple(word.strip() for word in match[1].split("|") if word.strip()) if match else ()


def checked(key: str, budget: Budget) -> Pattern | str:
    """The pattern of a key, or why it cannot be used."""
    form = _FORM.match(key)
    source, letters = (form[1], form[2]) if form else (key, "")
    if not budget.left():
        return _ALL_TOO_LONG
    return _wrong(source, letters) or _tried(key, source, letters, budget)


def _wrong(source: str, letters: str) -> str | None:
    if len(source) > MOST_PATTERN:
        return f"it has {len(source)} characters, more than {MOST_PATTERN}"
    if unknown := sorted(set(letters) - _FLAGS.keys()):
        return f"it has a flag that does not exist ({unknown[0]})"
    bare = re.sub(r"\\[{}(]|\[(?:[^\]\\]|\\.)*\]|\\[puU]\{[^{}]{1,60}\}", "", source)
    if foreign := _FOREIGN.search(bare):
        return f"{bare[foreign.start() : foreign.start() + 6]!r} means nothing in a pattern of JavaScript"
    repeats = 1
    for match in _REPEAT.finditer(bare):
        repeats *= max(1, *(int(number[:9]) for number in match.groups() if number), 1)
        if repeats > MOST_REPEATS:
            return "it repeats too often"
    return None


def _here(source: str) -> str:
    """What JavaScript writes otherwise than the engine here: references to named groups, and characters by number."""
    source = re.sub(r"\\k<(\w+)>", r"(?P=\1)", source)
    return re.sub(r"\\u\{0*([0-9a-fA-F]{1,6})\}", lambda match: "\\U" + match[1].zfill(8), source)


def _tried(key: str, source: str, letters: str, budget: Budget) -> Pattern | str:
    import regex  # only books with patterns need it

    flags = 0
    for letter in letters:
        flags |= _FLAGS[letter]
    begin = monotonic()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = regex.compile(_here(source), int(flags), cache_pattern=False)
    except (regex.error, RecursionError, OverflowError, ValueError) as error:
        return f"it is no valid pattern: {str(error)[:100]}"
    finally:
        budget.take(monotonic() - begin)
    pattern = Pattern(key, compiled)
    if any(pattern.is_in(probe, budget) is None for probe in _PROBES):
        return "matching it takes too long" if budget.left() else _ALL_TOO_LONG
    return pattern
