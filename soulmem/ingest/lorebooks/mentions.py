"""Which of many names stand in a text: one pass over the text, however many names there are."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from soulmem.text.language import HAN, HANGUL, KANA
from soulmem.text.tokens import normal_form

_DENSE = re.compile(f"[{HAN}{KANA}{HANGUL}]")
_SPACES = re.compile(r"\s+")


class Names:
    """Names of at least two characters in their normal form, each with its owners (numbers)."""

    def __init__(self, owners: Mapping[str, Iterable[int]]) -> None:
        self._owners = {name: tuple(numbers) for name, numbers in owners.items() if len(name) > 1}
        lengths: dict[str, set[int]] = defaultdict(set)
        for name in self._owners:
            lengths[name[:2]].add(len(name))
        self._lengths = {beginning: sorted(found) for beginning, found in lengths.items()}

    def owners_in(self, text: str) -> list[int]:
        """The owners of the names that stand in ``text`` as words of their own, in the order of their first mention."""
        form = _SPACES.sub(" ", normal_form(text))
        found: dict[int, None] = {}
        for place in range(len(form) - 1):
            lengths = self._lengths.get(form[place : place + 2], ())
            if not lengths or _inside(form, place):
                continue
            for length in lengths:
                numbers = self._owners.get(form[place : place + length])
                if numbers and not _inside(form, place + length):
                    found |= dict.fromkeys(numbers)
        return list(found)


def _inside(form: str, place: int) -> bool:
    """Whether ``place`` is within a word of a script that puts spaces between words."""
    return 0 < place < len(form) and all(one.isalnum() and not _DENSE.match(one) for one in form[place - 1 : place + 1])
