"""Numbers and days that a text says, and whether lines that are cited for it say them too (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from soulmem.consolidate.dates import Tense, When, find_whens
from soulmem.model.messages import Message
from soulmem.text._numerals import EN_NUMBERS, ZH_NUMERAL, zh_number
from soulmem.text.language import Language, has_cjk

#: What counts without a number.
_COUNTING = {
    "couple": 2, "pair": 2, "both": 2, "twins": 2, "twice": 2, "double": 2, "dozen": 12, "triplets": 3, "thrice": 3, "half": 2,
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000,
}  # fmt: skip
_WORDS = {name: value for name, value in EN_NUMBERS.items() if len(name) > 2} | _COUNTING
_EN = re.compile(rf"\b(?P<tens>twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[- ](?P<ones>one|two|three|four|five|six|seven|eight|nine)\b"
                 rf"|\b(?P<word>{'|'.join(sorted(_WORDS, key=len, reverse=True))})s?\b", re.I)  # fmt: skip
_DIGITS = re.compile(r"\d+")
_ZH = re.compile(rf"[{ZH_NUMERAL}]+")
#: A Chinese number that counts: what is counted follows.
_ZH_COUNT = re.compile(rf"(?P<n>[{ZH_NUMERAL}]+)(?=[个只条位名匹岁年月天号周次本张块杯瓶斤件套辆台把棵间层口])")
_ZH_PAIR = re.compile(r"[俩双对]")
_DATE = re.compile(r"(?P<y>\d{4})-(?P<m>\d\d)(?:-(?P<d>\d\d))?")
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
#: A day in words, of which the lines may speak in other words: 9 March 2026, 3月9日.
_DAY_IN_WORDS = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+\d{{4}})?|\b{_MONTH}\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?"
    rf"|\b{_MONTH}\s+\d{{4}}|(?:[\d{ZH_NUMERAL}]+年)?[\d{ZH_NUMERAL}]+月(?:[\d{ZH_NUMERAL}]+[日号])?|\b\d{{1,2}}:\d\d\b",
    re.I,
)
_DAY = timedelta(days=1)


def strange_figure(text: str, sources: Sequence[Message]) -> str:
    """A number or a day that ``text`` says and none of ``sources`` does, nor is one of theirs or of when they were said; empty:
    there is none."""
    spans = list(_spans(sources))
    for match in _DATE.finditer(text):
        if spans and not _is_among(match, spans):
            return match[0]
    said = {number for message in sources for number in _numbers(message.text)} | {start.year for start, _ in spans}
    undated = _DAY_IN_WORDS.sub(" ", _DATE.sub(" ", text))
    asked = {number for number in _counts(undated) if number > 1}
    return next((str(number) for number in sorted(asked - said) if not _is_worked_out(number, said)), "")


def _spans(sources: Sequence[Message]) -> Iterator[tuple[datetime, datetime]]:
    """The times that the lines name, and their own days."""
    for message in sources:
        if message.sent_at is None:
            continue
        day = message.sent_at.replace(hour=0, minute=0, second=0, microsecond=0)
        yield day - _DAY, day + 2 * _DAY
        tongue = Language.ZH if has_cjk(message.text) else Language.EN
        for meant in (None, Tense.FUTURE, Tense.SURELY_PAST):
            whens: Iterable[When] = find_whens(message.text, message.sent_at, tongue, meant)
            for when in whens:
                yield when.start, when.stop


def _is_among(match: re.Match[str], spans: Iterable[tuple[datetime, datetime]]) -> bool:
    year, month, day = int(match["y"]), int(match["m"]), int(match["d"] or 0)
    for start, stop in spans:
        if day and f"{start:%Y-%m-%d}" <= f"{year:04}-{month:02}-{day:02}" < f"{stop:%Y-%m-%d}":
            return True
        if day and f"{start:%Y-%m-%d}" == f"{year:04}-{month:02}-{day:02}":
            return True
        if not day and f"{start:%Y-%m}" <= f"{year:04}-{month:02}" <= f"{stop - _DAY:%Y-%m}":
            return True
    return False


def _counts(text: str) -> Iterator[int]:
    """The numbers that a text says for sure: a Chinese one only where something is counted (三只, and not 三明治)."""
    yield from (int(found) for found in _DIGITS.findall(text) if len(found) < 7)
    yield from _english(text)
    for match in _ZH_COUNT.finditer(text):
        yield zh_number(match["n"])


def _numbers(text: str) -> Iterator[int]:
    """All that may be a number in a text."""
    yield from (int(found) for found in _DIGITS.findall(text) if len(found) < 7)
    yield from _english(text)
    yield from (zh_number(found) for found in _ZH.findall(text))
    if _ZH_PAIR.search(text):
        yield 2


def _english(text: str) -> Iterator[int]:
    for match in _EN.finditer(text):
        yield _WORDS[match["tens"].casefold()] + _WORDS[match["ones"].casefold()] if match["tens"] else _WORDS[match["word"].casefold()]


def _is_worked_out(number: int, said: Iterable[int]) -> bool:
    """Whether a number is one that is said in other words: seven in the evening is 19, two and a half is 2."""
    return any(number in (other + 12, other + 2000, other + 1900) for other in said)
