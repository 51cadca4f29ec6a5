"""Whether whatever a regular expression matches has a part that another one finds: by what the pattern is made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

_Tree = tuple[Any, Any]

#: So many texts are made of neighbouring parts of a pattern.
_MOST_TEXTS = 2000
#: What a character may be that is no letter of its own.
_CATEGORIES = {"CATEGORY_SPACE": " ", "CATEGORY_NOT_WORD": ","}


def trees_of(pattern: str) -> list[_Tree]:
    return list(re._parser.parse(pattern, re.IGNORECASE))  # type: ignore[attr-defined]


def surely_has_one(trees: Sequence[_Tree], hints: Iterable[Iterable[re.Pattern[str]]]) -> bool:
    """Whether every match of ``trees`` has all of one of ``hints``, of each way to match it by itself if need be."""
    hints = tuple(tuple(hint) for hint in hints)
    if any(all(_surely_has(trees, words) for words in hint) for hint in hints):
        return True
    return any(all(surely_has_one(way, hints) for way in ways) for ways in _divided(trees))


def _divided(trees: Sequence[_Tree]) -> Iterator[list[list[_Tree]]]:
    """The ways to match ``trees``, told apart at one of their branches."""
    for place, (kind, given) in enumerate(trees):
        before, after = list(trees[:place]), list(trees[place + 1 :])
        if str(kind) == "BRANCH":
            yield [[*before, *way, *after] for way in given[1]]
        elif str(kind) == "SUBPATTERN":
            for ways in _divided(given[3]):
                yield [[*before, *way, *after] for way in ways]


def _surely_has(trees: Sequence[_Tree], words: re.Pattern[str]) -> bool:
    """Whether ``words`` find something in every match: in what neighbouring parts spell, or within one part."""
    return any(_is_spelled(trees[begin:], words) for begin in range(len(trees))) or any(_has(tree, words) for tree in trees)


def _is_spelled(trees: Sequence[_Tree], words: re.Pattern[str]) -> bool:
    spelled = [""]
    for tree in trees:
        ahead = _texts_ahead(tree)
        if ahead and all(words.search((text + one).casefold()) for text in spelled for one in ahead):
            return True
        more = _texts(tree)
        if more is None or len(spelled) * len(more) > _MOST_TEXTS:
            return False
        spelled = [text + one for text in spelled for one in more]
        if all(words.search(text.casefold()) for text in spelled):
            return True
    return False


def _texts_ahead(tree: _Tree) -> list[str] | None:
    """What has to follow where a part looks ahead."""
    return _joined(tree[1][1]) if str(tree[0]) == "ASSERT" and tree[1][0] > 0 else None


def _has(tree: _Tree, words: re.Pattern[str]) -> bool:
    kind, given = str(tree[0]), tree[1]
    match kind:
        case "BRANCH":
            return all(_surely_has(way, words) for way in given[1])
        case "SUBPATTERN":
            return _surely_has(given[3], words)
        case "MAX_REPEAT" | "MIN_REPEAT":
            return given[0] > 0 and _surely_has(given[2], words)
    return False


def _texts(tree: _Tree) -> list[str] | None:
    """All texts that a part matches, of repeats the least and one more; ``None``: they are too many."""
    kind, given = str(tree[0]), tree[1]
    match kind:
        case "LITERAL":
            return [chr(given)]
        case "IN":
            return _characters(given)
        case "BRANCH":
            return _all(_joined(way) for way in given[1])
        case "SUBPATTERN":
            return _joined(given[3])
        case "MAX_REPEAT" | "MIN_REPEAT":
            least, most, repeated = given
            texts = _joined(repeated)
            return texts and [text * times for text in texts for times in {least, min(least + 1, most)}]
        case "AT" | "ASSERT" | "ASSERT_NOT":
            return [""]
    return None


def _characters(given: Sequence[_Tree]) -> list[str] | None:
    found = [chr(value) if str(kind) == "LITERAL" else _CATEGORIES.get(str(value), "") for kind, value in given]
    return found if all(found) else None


def _joined(trees: Sequence[_Tree]) -> list[str] | None:
    texts = [_texts(tree) for tree in trees]
    return _all([["".join(parts)] for parts in product(*texts)]) if all(texts) and _few(texts) else None  # type: ignore[arg-type]


def _few(texts: Sequence[list[str] | None]) -> bool:
    number = 1
    for one in texts:
        number *= len(one or ())
    return number <= _MOST_TEXTS


def _all(texts: Iterable[list[str] | None]) -> list[str] | None:
    found: list[str] = []
    for one in texts:
        if one is None:
            return None
        found += one
    return found
