"""Whether a text mentions a name or a phrase: in any case and width, and where words are spaced only as whole words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from soulmem.text.language import HAN, HANGUL, KANA
from soulmem.text.names import normal_name
from soulmem.text.tokens import normal_form

_LETTER = f"[^\\W_{HAN}{KANA}{HANGUL}]"
_IS_LETTER = re.compile(_LETTER)


class Mentions:
    """Finds any of ``phrases`` in texts. *Bo* is in "Bo's pot" and ``sem_bo``, not in "Bob"; 小红 is in "罗小红说"."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self.phrases = tuple(sorted({name for phrase in phrases if (name := normal_name(phrase))}))
        # The longest first: where one begins with another, that is what the text says.
        by_length = sorted(self.phrases, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_pattern, by_length))) if by_length else None

    def __bool__(self) -> bool:
        return self._pattern is not None

    def are_in(self, text: str) -> bool:
        """Whether ``text`` mentions any of them."""
        return self._pattern is not None and self._pattern.search(normal_form(text)) is not None


def _pattern(name: str) -> str:
    words = r"\s+".join(map(re.escape, name.split()))
    before = f"(?<!{_LETTER})" if _IS_LETTER.match(name[0]) else ""
    after = f"(?!{_LETTER})" if _IS_LETTER.match(name[-1]) else ""
    return f"{before}{words}{after}"
