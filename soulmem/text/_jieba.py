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
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from math import log
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

    def prepare(self, text: str) -> None:
        """Parse the lines that begin with a character of ``text``: all that cutting it will look up."""
        if self._seen.issuperset(text):
            return
        with _lock:
            for character in sorted(set(text) - self._seen):
                self.tokenizer.FREQ.update(self._words(character))
                self._seen.add(character)

    def words(self, run: str) -> list[str]:
        """``run`` cut by the dictionary alone: as jieba without its model of unknown words, but without a dict for each place."""
        words: list[str] = []
        for block in _CHARACTERS.findall(run):
            words += self._likeliest(block) if len(block) > 1 else [block]
        return words

    def _likeliest(self, block: str) -> Iterator[str]:
        """The words whose frequencies have the greatest product, found from the end; of equal ones those that are longer."""
        frequencies, length = self.tokenizer.FREQ, len(block)
        chances, stops = [0.0] * (length + 1), list(range(1, length + 1))
        for begin in range(length - 1, -1, -1):
            best = None
            for stop in range(begin + 1, length + 1):
                frequency = frequencies.get(block[begin:stop])
                if frequency is None:
                    break
                if frequency and (best is None or log(frequency) - self._log_total + chances[stop] >= best):
                    best, stops[begin] = log(frequency) - self._log_total + chances[stop], stop
            chances[begin] = best if best is not None else chances[begin + 1] - self._log_total
        begin = 0
        while begin < length:
            yield block[begin : stops[begin]]
            begin = stops[begin]

    def _words(self, first: str) -> dict[str, int]:
        low, high = np.searchsorted(self._firsts, [ord(first), ord(first) + 1])
        words: dict[str, int] = {}
        for begin, end in zip(self._begins[low:high], self._ends[low:high], strict=True):
            word, frequency, _ = self._data[begin:end].decode().split(" ", 2)
            words[word] = int(frequency)
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


def _tagger() -> Any:
    """jieba's part-of-speech tagger over our dictionary. Importing it costs about half a second."""
    dictionary = _dictionary()
    if "tagger" not in _loaded:
        with _lock, _quiet_import():
            if "tagger" not in _loaded:
                from jieba import posseg

                _loaded["tagger"] = _fast_tagger(posseg, dictionary)
    return _loaded["tagger"]


def _fast_tagger(posseg: Any, dictionary: _Dictionary) -> Any:
    model = Model(posseg.char_state_tab_P, posseg.start_P, posseg.trans_P, posseg.emit_P)
    tags = posseg.dt.word_tag_tab

    class Tagger(posseg.POSTokenizer):  # type: ignore[misc]
        def _POSTokenizer__cut_DAG(self, sentence: str) -> Iterator[Any]:  # noqa: N802 - as below
            if not _HAN_ONLY.fullmatch(sentence):  # words such as 卡拉OK
                yield from super()._POSTokenizer__cut_DAG(sentence)
                return
            for alone, words in groupby(dictionary.words(sentence), lambda word: len(word) == 1):
                run = "".join(words) if alone else ""
                if len(run) > 1 and not dictionary.tokenizer.FREQ.get(run):
                    yield from self._POSTokenizer__cut_detail(run)
                else:
                    yield from (posseg.pair(word, tags.get(word, "x")) for word in (run if alone else words))

        def _POSTokenizer__cut(self, sentence: str) -> Iterator[Any]:  # noqa: N802 - jieba's own private method
            begin = end = 0
            states = model.best(sentence)
            for place, (position, tag) in enumerate(states):
                if position == "B":
                    begin = place
                elif position in "ES":
                    begin = begin if position == "E" else place
                    end = place + 1
                    yield posseg.pair(sentence[begin:end], tag)
            if end < len(sentence):
                yield posseg.pair(sentence[end:], states[end][1])

    tagger = Tagger.__new__(Tagger)
    tagger.tokenizer = dictionary.tokenizer
    tagger.word_tag_tab = tags
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


def tagged(text: str) -> list[tuple[str, str]]:
    """Words with part-of-speech tags of jieba's set: ``nr`` person, ``ns`` place, ``nt`` organisation, ``nz`` other name …

    Behind the first :data:`_MOST_UNKNOWN` characters that stand in no word, words are those of the dictionary alone.
    """
    dictionary, tagger = _dictionary(), _tagger()
    dictionary.prepare(text)
    pairs: list[tuple[str, str]] = []
    unknown = 0
    for piece in _pieces(text):
        pairs += ((pair.word, pair.flag) for pair in tagger.cut(piece, HMM=unknown < _MOST_UNKNOWN))
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
