"""Regular expressions whose time does not explode: what is repeated divides in one way only, so that there is one way to fail."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pytest

import soulmem
import soulmem_cli
from soulmem.consolidate.sentences import sentences
from soulmem.consolidate.split import split
from soulmem.ingest.prose import read_prose
from soulmem.llm.told import error_status
from soulmem.model.messages import Message, Role
from soulmem.text.spaces import single_spaced

#: A repeat of more words than this is not looked at, nor one of words of no certain length.
MOST_WORDS = 4000


def patterns() -> dict[tuple[str, int], str]:
    """All patterns and parts of patterns that stand in modules, with their flags, and where."""
    found: dict[tuple[str, int], str] = {}
    for package in (soulmem, soulmem_cli):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not module.name.endswith("__main__"):
                for name, value in list(vars(importlib.import_module(module.name)).items()):
                    for pattern in _within(value):
                        found.setdefault(pattern, f"{module.name}.{name}")
    return found


def _within(value: object, depth: int = 0) -> Iterator[tuple[str, int]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value.pattern, value.flags
    elif isinstance(value, str) and "(?" in value:
        with suppress(re.error):
            re.compile(value)
            yield value, re.UNICODE
    elif depth < 4 and isinstance(value, (tuple, list, frozenset, set)):
        for one in value:
            yield from _within(one, depth + 1)
    elif depth < 4 and isinstance(value, dict):
        for one in (*value, *value.values()):
            yield from _within(one, depth + 1)


def repeats(tree: Any) -> Iterator[Any]:
    """What is repeated eight times and more."""
    for kind, given in tree:
        match str(kind):
            case "MAX_REPEAT" | "MIN_REPEAT":
                if given[1] >= 8:
                    yield given[2]
                yield from repeats(given[2])
            case "SUBPATTERN":
                yield from repeats(given[3])
            case "BRANCH":
                for one in given[1]:
                    yield from repeats(one)
            case "ASSERT" | "ASSERT_NOT":
                yield from repeats(given[1])


def words(tree: Any) -> list[str] | None:
    """All that ``tree`` matches, once for every way; ``None``: too much."""
    found = [""]
    for kind, given in tree:
        part = _words(str(kind), given)
        if part is None or len(found) * len(part) > MOST_WORDS:
            return None
        found = [one + other for one, other in product(found, part)]
    return found


def _words(kind: str, given: Any) -> list[str] | None:
    match kind:
        case "LITERAL":
            return [chr(given).lower()]
        case "AT" | "ASSERT" | "ASSERT_NOT":
            return [""]
        case "SUBPATTERN":
            return words(given[3])
        case "BRANCH":
            parts = [words(one) for one in given[1]]
            return None if None in parts else [word for part in parts for word in part or ()]
        case "IN" if all(str(one) == "LITERAL" for one, _ in given):
            return [chr(character).lower() for _, character in given]
        case "MAX_REPEAT" | "MIN_REPEAT" if given[1] <= 3:
            one = words(given[2])
            if one is None or len(one) ** given[1] > MOST_WORDS:
                return None
            return ["".join(some) for times in range(given[0], given[1] + 1) for some in product(one, repeat=times)]
    return None


def two_ways(code: list[str]) -> str | None:
    """A text that words of ``code`` make up in two ways (Sardinas and Patterson, 1953), or begin to; ``None``: there is none."""
    if len(set(code)) < len(code):
        return max(set(code), key=code.count)
    known = set(code)
    left = {longer[len(word) :]: longer for word in known for longer in known if longer != word and longer.startswith(word)}
    seen: set[str] = set()
    while left:
        rest, text = left.popitem()
        if rest in known:
            return text
        if rest in seen:
            continue
        seen.add(rest)
        for word in known:
            if word.startswith(rest):
                left.setdefault(word[len(rest) :], text + word[len(rest) :])
            elif rest.startswith(word):
                left.setdefault(rest[len(word) :], text)
    return None


def test_what_is_repeated_divides_in_one_way() -> None:
    found = {}
    for (pattern, flags), where in patterns().items():
        for body in repeats(re._parser.parse(pattern, flags)):  # type: ignore[attr-defined]
            code = words(body)
            if code and "" not in code and (text := two_ways(code)) is not None:
                found[where, text] = pattern[:80]
    assert found == {}


def test_two_ways_are_found() -> None:
    assert two_ways(["a", "b", "ab"]) == "ab"
    assert two_ways(["刚", "刚刚"]) == "刚刚"
    assert two_ways(["0", "01", "10"]) is not None
    assert two_ways(["0", "01", "11"]) is None
    assert two_ways(["也", "才", "也"]) == "也"


@pytest.mark.parametrize(
    "text", ["我" + "都" * 60, "我" + "快" * 60 + "x", "刚" * 60 + "x", "我周天" * 40, "我要" + "就要" * 40, "从小就" * 30]
)
def test_a_word_said_over_and_over_ends(text: str) -> None:
    """Each took minutes where the word could be divided in two ways."""
    sentences_ = [text, f"我{text}", f"{text}吧。{text}"]
    messages = [
        Message(id=str(n), chat="c", index=n, file="f", line=n + 1, speaker="小雨", role=Role.USER, text=one)
        for n, one in enumerate(sentences_)
    ]
    split(messages, {})
    assert read_prose("\n".join(sentences_), ("小雨",))


@pytest.mark.parametrize(
    "words", ["don't live here any more", "am not a big fan", "error: code 500", "My phrase is", "I shout when it rains"]
)
def test_long_runs_of_spaces_end(words: str) -> None:
    text = words.replace(" ", 400 * " ")
    assert single_spaced(text) == words and single_spaced("a \n\n  b\tc\u3000d") == "a\nb c d"
    assert sentences(f"I {text}. {text}") == sentences(f"I {words}. {words}")
    assert read_prose(f"I {text}", ("Mara",)) == read_prose(f"I {words}", ("Mara",))
    assert error_status(text) == error_status(words)
