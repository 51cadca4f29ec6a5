"""Whether a text mentions a name or a phrase: in any case and width, and where words are spaced only as whole words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from soulmem.text.language import HAN, HANGUL, KANA
from soulmem.text.names import normal_name
from soulmem.text.tokens import normal_form

_LETTER = f"[^\\W_{HAN}{KANA}{HANGUL}]"
_IS_LETTER = re.compile(_LETTER)
#: What may stand between the words of a phrase: white space, hyphens, underscores, marks of Markdown.
_BETWEEN = re.compile("[\\s_*~`\u2010-\u2015\u2212-]+")
_MARKS = "[*_~`]{0,4}"


class Mentions:
    """Finds any of ``phrases`` in texts. *Bo* is in "Bo's pot" and ``sem_bo``, not in "Bob"; 小红 is in "罗小红说". Words may be
    separated by white space, hyphens, underscores and marks of Markdown: *quince jam* is in ``**quince**-jam``."""

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
    words = phrase_words(name)
    before = f"(?<!{_LETTER})" if _IS_LETTER.match(words[0]) else ""
    after = f"(?!{_LETTER})" if _IS_LETTER.match(words[-1][-1]) else ""
    return f"{before}{loosely(words)}{after}"


def phrase_words(text: str) -> list[str]:
    """The words of a phrase, without what stands between them; the text itself where there is nothing else."""
    return [word for word in _BETWEEN.split(text) if word] or [text]


def loosely(words: Iterable[str]) -> str:
    """A pattern of ``words``, whatever separates them; characters of scripts without spaces may have marks between them."""
    return f"{_BETWEEN.pattern}".join(map(_word, words))


def _word(word: str) -> str:
    parts = (f"{re.escape(left)}{_MARKS if is_dense(left) and is_dense(right) else ''}" for left, right in pairwise(word))
    return "".join(parts) + re.escape(word[-1:])


def is_dense(character: str) -> bool:
    """Whether a character is of a script without spaces between words."""
    return _IS_LETTER.match(character) is None and character.isalpha()
