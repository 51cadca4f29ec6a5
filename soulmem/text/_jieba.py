"""The one door to jieba. Its dictionary is read here, because jieba's own way costs half a second and a public cache file.

jieba parses all 350,000 lines of its dictionary before it cuts the first word, and keeps the result in the temporary
directory, where anyone may have put another file of that name. Here the file is read as bytes (5 MB), its lines are grouped by
their first character with numpy, and only the lines of characters that occur are parsed. Cuts are the same
(``tests/text/test_cut.py`` compares them with jieba's own), nothing is written to disk, and a question costs milliseconds.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from math import inf, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.text._tagging import Model

#: jieba's time for characters in no word grows with the square of a run's length: longer runs are cut into pieces.
_LONGEST_RUN = 400

#: The model of unknown words is asked about so many characters of one text: it takes most of a millisecond for a rare one. A text
#: of ordinary words is some ten thousand characters long before it comes to this.
_MOST_UNKNOWN = 10_000

#: What jieba takes for words; any other character stands alone.
_HAN_ONLY = re.compile("[\u4e00-\u9fd5]+")
_CHARACTERS = re.compile("[\u4e00-\u9fd5]+|.", re.DOTALL)

#: What the tagger takes apart; around it every character stands alone.
_TAGGED = re.compile("([\u4e00-\u9fd5a-zA-Z0-9+#&._]+)")
_ALONE = re.compile("\r\n|.", re.DOTALL)

#: Less than the logarithm of any probability that comes up, and more than that of none.
_IMPOSSIBLE = -1e300

#: The words and tags of blocks and of runs up to these lengths are kept, of the last so many: they come back.
_KEPT_BLOCK, _KEPT_RUN = 16, 8
_MOST_KEPT = 8192

#: A word and its tag.
_Pair = tuple[str, str]

_lock = threading.RLock()


class _Dictionary:
    """A jieba tokenizer whose frequencies are filled in as characters turn up."""

    def __init__(self, jieba: Any) -> None:
        self.tokenizer = jieba.Tokenizer()
        with self.tokenizer.get_dict_file() as file:
            self._data: bytes = file.read()
        self._seen: set[str] = set()
        self._begins, self._ends, self._firsts = _lines_by_first_character(self._data)
        self.tokenizer.total = _sum_of_frequencies(self._data)
        self.tokenizer.initialized = True
        self._log_total = log(self.tokenizer.total)
        #: Logarithm of how probable a word is; of what only begins words, that it is no word.
        self._chances: dict[str, float] = {}

    def prepare(self, text: str) -> None:
        """Parse the lines that begin with a character of ``text``: all that cutting it will look up."""
        if self._seen.issuperset(text):
            return
        with _lock:
            for character in sorted(set(text) - self._seen):
                words = self._words(character)
                self._chances.update((word, log(times) - self._log_total if times else -inf) for word, times in words.items())
                self.tokenizer.FREQ.update(words)
                self._seen.add(character)

    def words(self, run: str) -> list[str]:
        """``run`` cut by the dictionary alone: as jieba without its model of unknown words, but without a dict for each place."""
        words: list[str] = []
        for block in _CHARACTERS.findall(run):
            words += self.cut(block) if len(block) > 1 else [block]
        return words

    def cut(self, block: str) -> list[str]:
        """The words of Han characters whose probabilities have the greatest product; of equally probable ones the longer."""
        chance, unknown, length = self._chances.get, self._log_total, len(block)
        chances, stops = [0.0] * (length + 1), list(range(1, length + 1))
        for begin in range(length - 1, -1, -1):
            best = _IMPOSSIBLE
            for stop in range(begin + 1, length + 1):
                own = chance(block[begin:stop])
                if own is None:
                    break
                whole = own + chances[stop]
                if whole >= best:
                    best, stops[begin] = whole, stop
            chances[begin] = best if best > _IMPOSSIBLE else chances[begin + 1] - unknown
        words: list[str] = []
        begin = 0
        while begin < length:
            words.append(block[begin : stops[begin]])
            begin = stops[begin]
        return words

    def _words(self, first: str) -> dict[str, int]:
        low, high = np.searchsorted(self._firsts, [ord(first), ord(first) + 1])
        lines = zip(self._begins[low:high].tolist(), self._ends[low:high].tolist(), strict=True)
        parts = b" ".join([self._data[begin:end] for begin, end in lines]).decode().split(" ")
        words = dict(zip(parts[::3], map(int, parts[1::3]), strict=False))
        for word in [word for word in words if len(word) > 1]:
            for length in range(1, len(word)):
                words.setdefault(word[:length], 0)
        return words


def _lines_by_first_character(data: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Begin, end and first character (code point) of every line, ordered by first character."""
    array = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(array == ord("\n"))
    begins = np.concatenate(([0], ends[:-1] + 1))
    lead, second, third = (array[begins + offset].astype(np.int64) for offset in range(3))
    three_bytes = (lead & 0x0F) << 12 | (second & 0x3F) << 6 | third & 0x3F
    firsts = np.where(lead < 0x80, lead, three_bytes)
    order = np.argsort(firsts.astype(np.uint16), kind="stable")
    return begins[order], ends[order], firsts[order]


def _sum_of_frequencies(data: bytes) -> int:
    """The sum of the second column (``word frequency tag``)."""
    array = np.frombuffer(data, np.uint8)
    spaces = np.flatnonzero(array == ord(" ")).reshape(-1, 2)
    lengths = spaces[:, 1] - spaces[:, 0] - 1
    values = np.zeros(len(spaces), np.int64)
    for place in range(int(lengths.max())):
        inside = place < lengths
        values[inside] = values[inside] * 10 + array[spaces[inside, 0] + 1 + place] - ord("0")
    return int(values.sum())


@contextmanager
def _quiet_import() -> Iterator[None]:
    """Import jieba without its warnings, and without pkg_resources.

    jieba uses pkg_resources only to find its own files and manages without; importing it costs more than jieba itself.
    """
    hidden = "pkg_resources" not in sys.modules
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if hidden:
            sys.modules["pkg_resources"] = None  # type: ignore[assignment]
        try:
            yield
        finally:
            if hidden:
                del sys.modules["pkg_resources"]


_loaded: dict[str, Any] = {}


def _dictionary() -> _Dictionary:
    if "dictionary" not in _loaded:
        with _lock, _quiet_import():
            if "dictionary" not in _loaded:
                import jieba

                jieba.setLogLevel(logging.WARNING)
                _loaded["dictionary"] = _Dictionary(jieba)
    found: _Dictionary = _loaded["dictionary"]
    return found


def _tagger() -> _Tagger:
    """jieba's part-of-speech tagger over our dictionary. Importing it costs about half a second."""
    dictionary = _dictionary()
    if "tagger" not in _loaded:
        with _lock, _quiet_import():
            if "tagger" not in _loaded:
                from jieba import posseg

                _loaded["tagger"] = _Tagger(posseg, dictionary)
    found: _Tagger = _loaded["tagger"]
    return found


class _Tagger:
    """jieba's tagger without an object for every word and a dict for every state of the model."""

    def __init__(self, posseg: Any, dictionary: _Dictionary) -> None:
        self._dictionary = dictionary
        self._model = Model(posseg.char_state_tab_P, posseg.start_P, posseg.trans_P, posseg.emit_P)
        self._tags: dict[str, str] = posseg.dt.word_tag_tab
        self._mixed = _tagger_of_mixed(posseg, dictionary, self.unknown)
        self._kept_block = lru_cache(maxsize=_MOST_KEPT)(self._block)
        self._kept_run = lru_cache(maxsize=_MOST_KEPT)(self._alone)

    def pairs(self, text: str, *, hmm: bool) -> list[_Pair]:
        """Words and tags; ``hmm``: whether the model is asked about characters in no word."""
        pairs: list[_Pair] = []
        for place, block in enumerate(_TAGGED.split(text)):
            if not place % 2:
                pairs += [(character, "x") for character in _ALONE.findall(block)]
            else:
                pairs += self._kept_block(block, hmm) if len(block) <= _KEPT_BLOCK else self._block(block, hmm)
        return pairs

    def _block(self, block: str, hmm: bool) -> Iterable[_Pair]:
        if not _HAN_ONLY.fullmatch(block):  # words such as 卡拉OK
            return tuple((pair.word, pair.flag) for pair in self._mixed.cut(block, HMM=hmm))
        return self._guessed(block) if hmm else self._known(self._dictionary.cut(block))

    def _known(self, words: Iterable[str]) -> tuple[_Pair, ...]:
        return tuple((word, self._tags.get(word, "x")) for word in words)

    def _guessed(self, block: str) -> tuple[_Pair, ...]:
        pairs: list[_Pair] = []
        tag, alone = self._tags.get, ""
        for word in (*self._dictionary.cut(block), ""):  # what ends a run of single characters at the end of the block
            if len(word) == 1:
                alone += word
                continue
            if alone:
                pairs += self._kept_run(alone) if len(alone) <= _KEPT_RUN else self._alone(alone)
                alone = ""
            if word:
                pairs.append((word, tag(word, "x")))
        return tuple(pairs)

    def _alone(self, run: str) -> tuple[_Pair, ...]:
        """Characters in no longer word."""
        is_unknown = len(run) > 1 and not self._dictionary.tokenizer.FREQ.get(run)
        return tuple(self.unknown(run)) if is_unknown else self._known(run)

    def unknown(self, run: str) -> Iterator[_Pair]:
        """The words that the model finds in characters that stand in no word of the dictionary."""
        begin = end = 0
        states = self._model.best(run)
        for place, (position, tag) in enumerate(states):
            if position == "B":
                begin = place
            elif position in "ES":
                begin = begin if position == "E" else place
                end = place + 1
                yield run[begin:end], tag
        if end < len(run):
            yield run[end:], states[end][1]


def _tagger_of_mixed(posseg: Any, dictionary: _Dictionary, unknown: Callable[[str], Iterator[_Pair]]) -> Any:
    class Tagger(posseg.POSTokenizer):  # type: ignore[misc]
        def _POSTokenizer__cut(self, sentence: str) -> Iterator[Any]:  # noqa: N802 - jieba's own private method
            return (posseg.pair(*word) for word in unknown(sentence))

    tagger = Tagger.__new__(Tagger)
    tagger.tokenizer = dictionary.tokenizer
    tagger.word_tag_tab = posseg.dt.word_tag_tab
    return tagger


def _pieces(run: str) -> Iterator[str]:
    for begin in range(0, len(run), _LONGEST_RUN):
        yield run[begin : begin + _LONGEST_RUN]


def cut(run: str, *, hmm: bool = True) -> list[str]:
    """The words of a run of Chinese characters, in order; joined they are the run again."""
    dictionary = _dictionary()
    dictionary.prepare(run)
    if hmm:
        return [word for piece in _pieces(run) for word in dictionary.tokenizer.cut(piece, HMM=True)]
    return [word for piece in _pieces(run) for word in dictionary.words(piece)]


def tagged(text: str) -> list[_Pair]:
    """Words with part-of-speech tags of jieba's set: ``nr`` person, ``ns`` place, ``nt`` organisation, ``nz`` other name …

    Behind the first :data:`_MOST_UNKNOWN` characters that stand in no word, words are those of the dictionary alone.
    """
    dictionary, tagger = _dictionary(), _tagger()
    dictionary.prepare(text)
    pairs: list[_Pair] = []
    unknown = 0
    for piece in _pieces(text):
        pairs += tagger.pairs(piece, hmm=unknown < _MOST_UNKNOWN)
        unknown += _unknown(dictionary.words(piece)) if len(text) > _MOST_UNKNOWN else 0
    return pairs


def _unknown(words: list[str]) -> int:
    """How many characters of ``words`` stand beside another one that is no part of a longer word either."""
    runs = (sum(1 for _ in run) for alone, run in groupby(words, lambda word: len(word) == 1) if alone)
    return sum(length for length in runs if length > 1)


def frequency(word: str) -> int:
    """How common jieba's dictionary takes a word to be; 0: not in it."""
    dictionary = _dictionary()
    dictionary.prepare(word[:1])
    return int(dictionary.tokenizer.FREQ.get(word, 0))
