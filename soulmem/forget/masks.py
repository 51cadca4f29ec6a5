"""What stands of a text that fades (SPEC §8). Pure: the same text, missing degree and units always give the same mask.

A text is words and *units*. Words go in an order that is drawn from the text alone, of which a missing degree takes the first
``round(missing · total)``: so what is masked at a lower degree stays masked at a higher one, and what revives unmasks. A *unit*
is a part of the text that is remembered or forgotten as a whole, with a *gist*: what is left of it when its wording is gone. Its
opacity is ``retention ^ pace``, that is, it decays as the note does, with a half-life of its own. Above the first threshold the
original shows, below it the gist, below the second nothing. Units may overlap and nest: a word goes with the smallest unit it is
part of, and the gist of a larger one stands for the smaller ones in it that are gone.

Nothing of this is stored; the text stays what it was.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from soulmem.errors import InputError
from soulmem.settings import Settings
from soulmem.text.language import HAN, Language, language
from soulmem.text.tokens import MARKS, cut_words

#: What stands for words that are gone, and for a unit of which the gist is left. Brackets with an ellipsis are how both
#: languages mark an omission; hardly a text has them of itself.
_BLANKS = {"zh": "〔…〕", "en": "[…]"}
_GISTS = {"zh": "〔…{}〕", "en": "[… {}]"}

#: The words of so many texts are kept: what comes to mind does so again.
_KEPT = 1024

_LETTER = f"(?:[^\\W_{HAN}][{MARKS}\u200c\u200d]*)"
#: An address; a word with apostrophes and hyphens in it; figures with what joins them (3.5, 10:30, 2023-05-06) are one word.
_WORD = re.compile(
    r"(?P<address>https?://[!-~]*[\w/]|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+)"
    f"|(?P<han>[{HAN}]+)"
    f"|{_LETTER}+(?:(?:['’\\-]|(?<=\\d)[.,:/](?=\\d)){_LETTER}+)*"
)
#: What says that something is not so. Words that only look like it are kept as long, which does no harm.
_NEGATION = re.compile(
    r"(?:not|no|nor|none|never|neither|nobody|nothing|nowhere|cannot|without|hardly|ain['’]?t|.+n['’]t|[不没别未勿莫非无].*|.*[不没])",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[^\S\n]*")


class Anchor(StrEnum):
    """A unit that does not fade as its note does: ``spontaneous``, what one keeps unasked, decays far slower; ``forced``, what
    was learned on purpose, is strong at first and decays fast."""

    SPONTANEOUS = "spontaneous"
    FORCED = "forced"


@dataclass(frozen=True, slots=True)
class Unit:
    """``text[begin:end]`` is remembered as a whole; ``gist``: what is left when the wording is gone, may be empty. ``pace``
    (above 0): how many times as fast as its note it fades."""

    begin: int
    end: int
    gist: str = ""
    anchor: Anchor | None = None
    pace: float = 1.0


class Clarity(StrEnum):
    """How much of a piece of text is left: all, its gist, or nothing."""

    CLEAR = "clear"
    GIST = "gist"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a text: what it was, what is shown of it, how clear that is, and the gist if only that is left."""

    original: str
    shown: str
    clarity: Clarity
    gist: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """A text as it stands. ``segments`` in order: their originals joined are the text as it was. ``total``: its words;
    ``hidden``: begin and end, in the original, of those that do not show."""

    segments: tuple[Segment, ...]
    total: int
    hidden: tuple[tuple[int, int], ...]

    @property
    def text(self) -> str:
        """What is shown."""
        return "".join(segment.shown for segment in self.segments)

    @property
    def original(self) -> str:
        """What it was."""
        return "".join(segment.original for segment in self.segments)

    @property
    def count(self) -> int:
        """How many words do not show."""
        return len(self.hidden)

    @property
    def blanks(self) -> tuple[Segment, ...]:
        """The segments that are not clear, in order."""
        return tuple(segment for segment in self.segments if segment.clarity is not Clarity.CLEAR)

    def filled(self, answers: Sequence[str]) -> str:
        """The text with ``answers`` in place of its :attr:`blanks`, all else as it was; one for each (:class:`InputError`)."""
        if len(answers) != len(self.blanks):
            raise InputError(f"{len(answers)} answers to {len(self.blanks)} blanks")
        left = iter(answers)
        return "".join(one.original if one.clarity is Clarity.CLEAR else next(left) for one in self.segments)


def masked(text: str, missing: float, settings: Settings, units: Sequence[Unit] = ()) -> Masked:
    """``text`` as it stands when ``missing`` (the missing degree, 0..1) of it is gone.

    Of the words that are in no unit exactly ``round(missing · number)`` are hidden; those of a unit when it is.

    Raises :class:`InputError`: ``missing`` out of its range, a unit that is empty or not within the text.
    """
    if not 0.0 <= missing <= 1.0:
        raise InputError(f"a missing degree is 0 to 1, not {missing}")
    words = _words(text)
    owned = _Owned(text, words, units)
    free = [place for place in _order(text, len(words)) if owned.owners[place] is None]
    gone = set(free[: round(missing * len(free))])
    clarity = [_clarity(_opacity(text, unit, missing, settings), unit, settings) for unit in owned.units]
    hidden = [place in gone if owner is None else clarity[owner] is not Clarity.CLEAR for place, owner in enumerate(owned.owners)]
    runs = _runs(text, words, hidden, _gists(owned, clarity, hidden))
    return Masked(
        segments=tuple(_segments(text, runs, owned.units)),
        total=len(words),
        hidden=tuple(word for word, is_hidden in zip(words, hidden, strict=True) if is_hidden),
    )


def words_of(text: str) -> list[tuple[int, int]]:
    """Begin and end of each word: Chinese by jieba, elsewhere by letters and figures. Signs and spaces are in no word."""
    return list(_words(text))


@lru_cache(maxsize=_KEPT)
def _words(text: str) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        begin = match.start()
        for word in cut_words(match.group()) if match.lastgroup == "han" else [match.group()]:
            found.append((begin, begin + len(word)))
            begin += len(word)
    return tuple(found)


def opacity(unit: Unit, missing: float, settings: Settings, variation: float = 0.0) -> float:
    """How clear a unit is, 0..1, when ``missing`` of its note is gone: ``retention ^ pace``, since it decays as the note does.

    ``variation`` (-1..1) makes its pace slower or faster, so that not all that is alike goes at once.
    """
    retention, pace = 1.0 - missing, unit.pace * settings.unit_variation**variation
    match unit.anchor:
        case None:
            return float(retention**pace)
        case Anchor.SPONTANEOUS:
            return float(retention ** (pace * settings.spontaneous_pace))
        case Anchor.FORCED:
            return float(min(1.0, settings.forced_strength * retention ** (pace * settings.forced_pace)))


def _opacity(text: str, unit: Unit, missing: float, settings: Settings) -> float:
    number = int.from_bytes(_drawn(f"{unit.begin}:{unit.end}:{text}", 4)) / 2**32
    return opacity(unit, missing, settings, 2.0 * number - 1.0)


def _clarity(opacity: float, unit: Unit, settings: Settings) -> Clarity:
    if opacity > settings.gist_below:
        return Clarity.CLEAR
    return Clarity.GIST if opacity > settings.blank_below and unit.gist else Clarity.BLANK


def _drawn(text: str, length: int) -> bytes:
    """Bytes that follow from ``text`` alone, on every machine."""
    return hashlib.shake_256(text.encode("utf-8", "surrogatepass")).digest(length)


@lru_cache(maxsize=_KEPT)
def _order(text: str, total: int) -> tuple[int, ...]:
    """The places of ``total`` words in the order in which they go: what says that something is not so goes last, or a memory
    would come to say the opposite."""
    drawn = _drawn(text, 8 * total)
    last = [_NEGATION.fullmatch(text[begin:end]) is not None for begin, end in _words(text)]
    return tuple(sorted(range(total), key=lambda place: (last[place], drawn[8 * place : 8 * place + 8], place)))


class _Owned:
    """Which unit each word goes with: the smallest it is part of. ``units`` from the smallest; ``spans``: first and last word of
    each, as a half-open range."""

    def __init__(self, text: str, words: Sequence[tuple[int, int]], units: Sequence[Unit]) -> None:
        for unit in units:
            if not 0 <= unit.begin < unit.end <= len(text) or not unit.pace > 0.0:
                raise InputError(f"a unit from {unit.begin} to {unit.end} is not within a text of {len(text)} characters")
        found = [(unit, _covered(unit, words)) for unit in sorted(set(units), key=_size)]
        found.sort(key=lambda one: len(one[1]))
        self.units = [unit for unit, _ in found]
        self.spans = [span for _, span in found]
        self.owners: list[int | None] = [None] * len(words)
        for number, span in enumerate(self.spans):
            for place in span:
                if self.owners[place] is None:
                    self.owners[place] = number


def _size(unit: Unit) -> tuple[int, int, str, str, float]:
    """Small units before large ones; of equal ones an order that does not change."""
    return unit.end - unit.begin, unit.begin, unit.gist, unit.anchor or "", unit.pace


def _covered(unit: Unit, words: Sequence[tuple[int, int]]) -> range:
    """The words that the unit is part of, or that are part of it."""
    first = bisect_right(words, unit.begin, key=lambda word: word[1])
    return range(first, max(first, bisect_left(words, unit.end, key=lambda word: word[0])))


def _gists(owned: _Owned, clarity: Sequence[Clarity], hidden: Sequence[bool]) -> list[int | None]:
    """For each word the unit whose gist stands for it: the largest that has one left and that the word is hidden in."""
    standing: list[int | None] = [None] * len(hidden)
    for number in reversed(range(len(owned.units))):
        if clarity[number] is Clarity.GIST:
            for place in owned.spans[number]:
                if hidden[place] and standing[place] is None:
                    standing[place] = number
    return standing


@dataclass(frozen=True, slots=True)
class _Run:
    """A stretch of hidden words that one blank stands for; ``unit``: the number of the one whose gist is left of it."""

    begin: int
    end: int
    unit: int | None


def _runs(text: str, words: Sequence[tuple[int, int]], hidden: Sequence[bool], gists: Sequence[int | None]) -> list[_Run]:
    """What is hidden side by side: the words of a unit whatever signs stand between, other words but for spaces. A gist stands
    for the blanks beside it too, and only once for a unit that what is clear goes through."""
    found: list[tuple[_Run, int]] = []  # with the place of the last word
    told: set[int] = set()
    for place, (begin, end) in enumerate(words):
        if not hidden[place]:
            continue
        unit = gists[place]
        if found and found[-1][1] == place - 1 and unit is not None and found[-1][0].unit == unit:
            found[-1] = _Run(found[-1][0].begin, end, unit), place
            continue
        if unit is not None:
            is_told = unit in told
            told.add(unit)
            unit = None if is_told else unit
        found.append((_Run(begin, end, unit), place))
    return _joined(text, [run for run, _ in found])


def _joined(text: str, runs: Sequence[_Run]) -> list[_Run]:
    joined: list[_Run] = []
    for run in runs:
        last = joined[-1] if joined else None
        is_beside = last is not None and _BETWEEN.fullmatch(text, last.end, run.begin)
        if last is not None and is_beside and (last.unit is None or run.unit is None):
            joined[-1] = _Run(last.begin, run.end, last.unit if run.unit is None else run.unit)
        else:
            joined.append(run)
    return joined


def _segments(text: str, runs: Iterable[_Run], units: Sequence[Unit]) -> Iterator[Segment]:
    spoken_in = "zh" if language(text) is Language.ZH else "en"
    at = 0
    for run in runs:
        if at < run.begin:
            yield Segment(text[at : run.begin], text[at : run.begin], Clarity.CLEAR)
        original, at = text[run.begin : run.end], run.end
        if run.unit is None:
            yield Segment(original, _BLANKS[spoken_in], Clarity.BLANK)
        else:
            gist = units[run.unit].gist
            yield Segment(original, _GISTS[spoken_in].format(gist), Clarity.GIST, gist)
    if at < len(text):
        yield Segment(text[at:], text[at:], Clarity.CLEAR)
