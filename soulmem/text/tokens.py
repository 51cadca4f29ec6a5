"""Search terms: what a text is indexed by and asked with. One function for both sides, so that they always agree.

Chinese runs give jieba's words, all bigrams, and the single characters that can be words: a question 辣 finds 麻辣, and a name
that no dictionary has is found by its bigrams. The single characters are a quarter of a text's terms; those that are mostly
parts of words (:data:`~soulmem.text.stopwords.BOUND_CHARACTERS`) are left out and save two fifths of them. Other words are
NFKC-normalised, case-folded, freed of accents and, in Latin script, stemmed (Porter2). Repeats are kept: BM25 counts them.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from soulmem.text import _jieba
from soulmem.text.language import HAN, HANGUL, KANA
from soulmem.text.stopwords import BOUND_CHARACTERS, FUNCTION_CHARACTERS, stop_words

#: Longer words are cut off: no real word is longer, and a term is a key in the graph.
_LONGEST_TERM = 64

#: The store takes time with the square of the number of new short terms: a novel has some ten thousand different ones.
_MOST_TERMS = 100_000

#: Normalising a run of combining marks takes time with the square of its length; text is normalised in pieces of this size.
_PIECE = 1000

#: Characters of text that nobody sees.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_APOSTROPHES = str.maketrans("\u2019\u2018\u02bc\uff07\u00b4\u0060", "''''''")
_APOSTROPHE = re.compile("[\u2019\u2018\u02bc\uff07\u00b4\u0060]")
#: The signs of Chinese text that NFKC changes, one for one. Without them it mostly has nothing to change, which it sees at once.
_WIDE = ("，", "！", "？", "：", "；", "（", "）", "～", "\u3000")
_NARROW = tuple(unicodedata.normalize("NFKC", sign) for sign in _WIDE)
_LATIN_MARKS = re.compile("(?<=[a-z])[\u0300-\u036f]+")

#: Marks that belong to the letter before them, in scripts where NFKC leaves them apart: for use inside ``[...]``.
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
    "\u0e31-\u0e4e\u0eb1-\u0ebc\u0f71-\u0f84\u102b-\u103e\u17b6-\u17d3"
)
_LETTER = f"[^\\W_{HAN}{KANA}{HANGUL}]"

_RUNS = re.compile(
    f"(?P<han>[{HAN}]+)|(?P<kana>[{KANA}]+)|(?P<hangul>[{HANGUL}]+)"
    r"|(?P<signed>(?<![^\W_])(?:c\+\+|[cf]\#)(?![^\W_]))"
    r"|(?P<initials>(?<![^\W_])(?:[a-z]\.){2,})"
    r"|(?P<number>(?<![^\W_])\d{1,3}(?:,\d{3})+(?!\d))"
    f"|(?P<word>{_LETTER}(?:{_LETTER}|[{MARKS}])*(?:'(?:{_LETTER}|[{MARKS}])+)*)"
    "|(?P<emoji>[\u2600-\u27bf\u2b00-\u2bff\U0001f1e6-\U0001f1ff\U0001f300-\U0001f3fa\U0001f400-\U0001faff])"
)

#: The terms of words up to this length, with the signs at them, are kept: longer ones do not come back.
_KEPT_WORD = 16

_NOT_ALONE = FUNCTION_CHARACTERS | BOUND_CHARACTERS

_POSSESSIVE = re.compile("'(?:s|ll|ve|re|d|m)?$")
#: Porter2 changes no word that ends in another letter; asking it anyway would cost most of the time of a long text.
_STEMMED_ENDINGS = frozenset("cdegilmnrsty'")
_LEADING_ZERO = re.compile("^0(?=[0-9]$)")


def search_terms(text: str) -> list[str]:
    """The terms ``text`` is found by, in order of their runs, repeats kept. Any text is legal; a text of no words gives none."""
    terms: list[str] = []
    for word in normal_form(text).split():  # no run goes over a space
        terms += _kept_terms(word) if len(word) <= _KEPT_WORD else _terms_of(word)
    return terms


@lru_cache(maxsize=65_536)
def _kept_terms(word: str) -> tuple[str, ...]:
    """Words come back, in one text and in the next."""
    if word.isascii() and word.isalpha():
        return (stem(word[:_LONGEST_TERM]),)
    return tuple(_terms_of(word))


def _terms_of(word: str) -> list[str]:
    terms: list[str] = []
    for match in _RUNS.finditer(word):
        kind, run = match.lastgroup or "word", match.group()
        terms += _kept_run(kind, run) if len(run) <= _KEPT_WORD else _TERMS[kind](run)
    return terms


@lru_cache(maxsize=32_768)
def _kept_run(kind: str, run: str) -> tuple[str, ...]:
    return tuple(_TERMS[kind](run))


def term_counts(text: str) -> Counter[str]:
    """How often each search term occurs in ``text``: its first :data:`_MOST_TERMS` different ones; only noise has more."""
    counts = Counter(search_terms(text))
    return counts if len(counts) <= _MOST_TERMS else Counter(dict(islice(counts.items(), _MOST_TERMS)))


def is_stop(term: str) -> bool:
    """Whether a search term is a function word of English or Chinese (the closed lists of :mod:`soulmem.text.stopwords`)."""
    return term in _stop_terms() or all(character in FUNCTION_CHARACTERS for character in term)


def cut_words(text: str, *, hmm: bool = True) -> list[str]:
    """``text`` cut into words, spaces and signs; joined they are ``text`` again.

    Chinese runs by jieba's precise cut, ``hmm``: whether it may find words that its dictionary lacks. Elsewhere a word is a run
    of letters and digits, with an apostrophe inside it (``don't``).
    """
    words: list[str] = []
    for match in _CUT.finditer(text):
        words.extend(_jieba.cut(match.group(), hmm=hmm) if match.lastgroup == "han" else [match.group()])
    return words


_CUT = re.compile(f"(?P<han>[{HAN}]+)|[^\\W{HAN}]+(?:['’][^\\W{HAN}]+)*|\\s+|.", re.DOTALL)


def normal_form(text: str) -> str:
    """NFKC, case-folded, straight apostrophes, without invisible characters: the form in which texts and names are compared."""
    if text.isascii():
        return text.lower().replace("`", "'")
    visible = INVISIBLE.sub("", text)
    if _APOSTROPHE.search(visible):
        visible = visible.translate(_APOSTROPHES)
    for wide, narrow in zip(_WIDE, _NARROW, strict=True):
        visible = visible.replace(wide, narrow)
    pieces = (visible[begin : begin + _PIECE] for begin in range(0, len(visible), _PIECE))
    form = "".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", piece).casefold()) for piece in pieces)
    return form.replace("`", "'")  # a full-width one is one only now


@lru_cache(maxsize=1)
def _stop_terms() -> frozenset[str]:
    return frozenset(term for word in stop_words() for term in (word, *_word_terms(word)))


def _bigrams(run: str) -> Iterator[str]:
    return (run[begin : begin + 2] for begin in range(len(run) - 1))


def _han_terms(run: str) -> Iterator[str]:
    if len(run) > 1:
        # Words from the dictionary only: those that jieba would guess depend on what stands around them.
        yield from (word for word in _jieba.cut(run, hmm=False) if len(word) > 1)
        yield from _bigrams(run)
    yield from (character for character in run if character not in _NOT_ALONE)


def _syllable_terms(run: str) -> Iterator[str]:
    """Kana and hangul: the run itself and its bigrams."""
    yield run[:_LONGEST_TERM]
    if len(run) > 2:
        yield from _bigrams(run)


def _word_terms(word: str) -> Iterator[str]:
    bare = _POSSESSIVE.sub("", word[:_LONGEST_TERM])
    if bare.isascii():
        yield stem(bare) if bare.isalpha() else _LEADING_ZERO.sub("", bare)
    elif bare:
        yield stem(_without_accents(bare))


def _without_accents(word: str) -> str:
    return unicodedata.normalize("NFC", _LATIN_MARKS.sub("", unicodedata.normalize("NFD", word)))


def stem(word: str) -> str:
    """Porter2 stem of a lower-case ASCII word; any other word as it is."""
    return _cached_stem(word) if word[-1:] in _STEMMED_ENDINGS and word.isascii() else word


@lru_cache(maxsize=65_536)
def _cached_stem(word: str) -> str:
    with _stemming:  # a stemmer keeps the word it works on
        stem: str = _stemmer().stemWord(word)
        return stem


_stemming = threading.Lock()


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    from Stemmer import Stemmer

    return Stemmer("english", 0)  # without a cache of its own


_TERMS: dict[str, Callable[[str], Iterator[str]]] = {
    "han": _han_terms,
    "kana": _syllable_terms,
    "hangul": _syllable_terms,
    "signed": lambda run: iter((run,)),
    "initials": lambda run: iter((run.replace(".", "")[:_LONGEST_TERM],)),
    "number": lambda run: iter((run.replace(",", "")[:_LONGEST_TERM],)),
    "word": _word_terms,
    "emoji": lambda run: iter((run,)),
}
