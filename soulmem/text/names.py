"""Names in a text: which substrings may be one that a mind knows, and which of those found really stand for themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from soulmem.text.language import HAN, HANGUL, KANA
from soulmem.text.tokens import cut_words, normal_form

#: The longest name looked for: characters of Chinese, Japanese or Korean; words elsewhere.
MOST_CHARACTERS = 12
MOST_WORDS = 5

#: How many candidates a text gives at most.
MOST_CANDIDATES = 20_000

#: How much of a long text is looked at: so much of its beginning and so much of its end, in characters.
_ENDS = 800

#: The normal forms of names up to this length are kept.
_KEPT_NAME = 32

_DENSE = f"{HAN}{KANA}{HANGUL}"
_UNIT = re.compile(
    f"[{_DENSE}]|(?:[^\\W{_DENSE}]|[\u0300-\u036f])+(?:['.](?=[^\\W{_DENSE}])(?:[^\\W{_DENSE}]|[\u0300-\u036f])+)*"
)
_SPACED_LETTER = re.compile(f"[^\\W{_DENSE}]|[\u0300-\u036f]")
_IS_DENSE = re.compile(f"[{_DENSE}]")
_BETWEEN = re.compile(r"(?:[^\w\n]|_){0,3}\Z")
_SPACES = re.compile(r"\s+")
_POSSESSIVE = re.compile(r"'s?\Z")
_EDGES = ' \t\r\n.,!?;:。，！？；：、"“”「」『』《》()（）[]【】'


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A name that stands in a text, in its normal form; ``begin`` and ``end`` are offsets into the normal form of the text."""

    name: str
    begin: int
    end: int


def normal_name(name: str) -> str:
    """The form in which names are stored and compared: as :func:`~soulmem.text.tokens.normal_form`, single spaces, bare edges."""
    return _kept_name(name) if len(name) <= _KEPT_NAME else _bare(normal_form(name))


@lru_cache(maxsize=8192)
def _kept_name(name: str) -> str:
    """Those who speak come up in every line."""
    return _bare(normal_form(name))


def _bare(form: str) -> str:
    return _SPACES.sub(" ", form).strip(_EDGES)


@dataclass(frozen=True, slots=True)
class _Unit:
    """One character of a dense script, or one word of another."""

    begin: int
    end: int
    dense: bool


def _units(text: str) -> list[_Unit]:
    return [_Unit(match.start(), match.end(), bool(_IS_DENSE.match(match.group()))) for match in _UNIT.finditer(text)]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of every candidate, by begin and then length."""
    units = _units(text)
    for first in range(len(units)):
        yield from _spans_from(text, units, first)


def _spans_from(text: str, units: list[_Unit], first: int) -> Iterator[tuple[int, int]]:
    characters = words = 0
    for place in range(first, len(units)):
        unit = units[place]
        if place > first and not _joined(text, units[place - 1], unit):
            return
        characters += unit.dense
        words += not unit.dense
        if characters > MOST_CHARACTERS or words > MOST_WORDS:
            return
        yield units[first].begin, unit.end


def _joined(text: str, left: _Unit, right: _Unit) -> bool:
    return _BETWEEN.match(text[left.end : right.begin]) is not None


def _ends_of(text: str) -> tuple[str, ...]:
    return (text,) if len(text) <= 2 * _ENDS else (text[:_ENDS], text[-_ENDS:])


def name_candidates(text: str) -> tuple[str, ...]:
    """All normal forms of names that may stand in ``text``, each once, by first occurrence; at most 20,000.

    Of a dense script (Chinese, Japanese, Korean) every substring of up to 12 characters; elsewhere one to five whole words, so
    that a short alias does not fire inside a longer word; both may mix (小明Tom). Of a text longer than 1,600 characters the
    first and the last 800 are looked at.
    """
    found: dict[str, None] = {}
    for part in _ends_of(text):
        for form in _forms(normal_form(part)):
            found.setdefault(form)
            if len(found) >= MOST_CANDIDATES:
                return tuple(found)
    return tuple(found)


def _forms(text: str) -> Iterator[str]:
    # Parts of a text that normalising leaves as it is are normal too.
    named = _bare if normal_form(text) == text else normal_name
    for begin, end in _spans(text):
        yield from _variants(named(text[begin:end]))


def _variants(name: str) -> Iterator[str]:
    if name:
        yield name
    bare = _POSSESSIVE.sub("", name)
    if bare and bare != name:
        yield bare


def resolve_overlaps(text: str, names: Iterable[str]) -> tuple[NameSpan, ...]:
    """Where ``names`` stand in ``text``, without overlaps: the longest match first, at equal length the earlier; in text order.

    A name inside a longer known name does not fire, nor does a single Chinese character inside a longer word. Names are taken in
    their normal form; offsets are into ``normal_form(text)``.
    """
    form = normal_form(text)
    known = {name for name in map(normal_name, names) if name and all(word in form for word in name.split(" "))}
    places = [span for name in known if len(name) > 1 for span in _whole_occurrences(form, name)]
    if any(len(name) == 1 for name in known):
        places += _single_spans(form, known)
    return tuple(sorted(_longest_first(form, places), key=lambda span: span.begin))


def _whole_occurrences(form: str, name: str) -> Iterator[NameSpan]:
    """Places of ``name`` that do not begin or end inside a longer word of Latin or another spaced script."""
    pattern = re.compile(r"\s+".join(re.escape(word) for word in name.split(" ")))
    match = pattern.search(form)
    while match:
        begin, end = match.span()
        if not _inside_word(form, begin) and not _inside_word(form, end):
            yield NameSpan(name, begin, end)
        match = pattern.search(form, begin + 1)


def _inside_word(form: str, place: int) -> bool:
    return 0 < place < len(form) and all(_SPACED_LETTER.match(character) for character in form[place - 1 : place + 1])


def _single_spans(form: str, known: set[str]) -> Iterator[NameSpan]:
    """Names of one character that are words of their own."""
    begin = 0
    for word in cut_words(form, hmm=False):
        if word in known and len(word) == 1:
            yield NameSpan(word, begin, begin + 1)
        begin += len(word)


def _longest_first(form: str, places: Iterable[NameSpan]) -> Iterator[NameSpan]:
    free = bytearray(b"\x01") * len(form)
    for place in sorted(set(places), key=lambda span: (span.begin - span.end, span.begin, span.name)):
        if all(free[place.begin : place.end]):
            free[place.begin : place.end] = bytes(place.end - place.begin)
            yield place
