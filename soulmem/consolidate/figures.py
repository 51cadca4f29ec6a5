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
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_EN = re.compile(
    rf"\b(?P<tens>{_TENS})[- ](?P<ones>one|two|three|four|five|six|seven|eight|nine)\b"
    rf"|\b(?P<word>{'|'.join(sorted(_WORDS, key=len, reverse=True))})s?\b",
    re.I,
)
_DIGITS = re.compile(r"\d+")
_ZH = re.compile(rf"[{ZH_NUMERAL}]+")
#: A Chinese number that counts: what is counted follows.
_ZH_COUNT = re.compile(rf"(?P<n>[{ZH_NUMERAL}]+)(?=[个只条位名匹岁年月天号周次本张块杯瓶斤件套辆台把棵间层口])")
_ZH_PAIR = re.compile(r"[俩双对]")
_DATE = re.compile(r"(?P<y>\d{4})-(?P<m>\d\d)(?:-(?P<d>\d\d))?")
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
#: A day in words, of which the lines may speak in other words: 9 March 2026, 3月9日.
_DAY_IN_WORDS = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+\d{{4}})?|\b{_MONTH}\s+\d{{4}}"
    rf"|\b{_MONTH}\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?|(?:[\d{ZH_NUMERAL}]+年)?[\d{ZH_NUMERAL}]+月(?:[\d{ZH_NUMERAL}]+[日号])?|\b\d{{1,2}}:\d\d\b",
    re.I,
)
_IN_MONTH = re.compile(
    rf"\b{_MONTH}\s+(?:the\s+)?\d|\b\d+(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b|[\d{ZH_NUMERAL}]+月[\d{ZH_NUMERAL}]+", re.I
)
_OF_THINGS = re.compile(
    rf"\b(?:(?P<d>\d+)|(?P<w>{'|'.join(sorted(_WORDS, key=len, reverse=True))}))\s+(?P<thing>[a-z]{{3,}})\b", re.I
)
_ZH_THINGS = re.compile(rf"(?P<n>\d+|[{ZH_NUMERAL}]+)[个只条位名匹本张块杯瓶斤件套辆台把棵间层口](?P<thing>[\u4e00-\u9fff])")
#: Where no day of a month is named, days are those around the line: on Tuesday, that weekend.
_NEAR_DAYS = 14
_DAY = timedelta(days=1)


def strange_figure(text: str, sources: Sequence[Message], near: Sequence[Message]) -> str:
    """A number or a day that ``text`` says and ``sources`` do not; empty: there is none.

    ``near``: the lines around them. What those say counts too, unless ``sources`` say another number of the same things."""
    spans = list(_spans((*near, *sources) if not _names_month(sources) else sources))
    for match in _DATE.finditer(text):
        if spans and not _is_among(match, spans):
            return match[0]
    said = {number for message in sources for number in _numbers(message.text)} | {start.year for start, _ in spans}
    around = {number for message in near for number in _numbers(message.text)}
    other = {thing for message in sources for _, thing in _counted(message.text)}
    undated = _DAY_IN_WORDS.sub(" ", _DATE.sub(" ", text))
    counted = dict(_counted(undated))
    asked = sorted({number for number in _counts(undated) if number > 1} - said)
    return next(
        (
            str(number)
            for number in asked
            if not _is_worked_out(number, said) and (number not in around or counted.get(number, "") in other)
        ),
        "",
    )


def _counted(text: str) -> Iterator[tuple[int, str]]:
    """The numbers of a text with what is counted, in the singular."""
    text = _EN.sub(lambda match: str(_value(match)) if match["tens"] else match[0], text)
    for match in _OF_THINGS.finditer(text):
        number = int(match["d"]) if match["d"] else _WORDS.get((match["w"] or "").casefold(), 0)
        yield number, match["thing"].casefold().rstrip("s")
    for match in _ZH_THINGS.finditer(text):
        number = int(match["n"]) if match["n"].isdecimal() else zh_number(match["n"])
        yield number, match["thing"]


def _names_month(sources: Sequence[Message]) -> bool:
    return any(_IN_MONTH.search(message.text) for message in sources)


def _spans(sources: Sequence[Message]) -> Iterator[tuple[datetime, datetime]]:
    """The times that the lines name, and their own days."""
    for message in sources:
        if message.sent_at is None:
            continue
        day = message.sent_at.replace(hour=0, minute=0, second=0, microsecond=0)
        far = 1 if _IN_MONTH.search(message.text) else _NEAR_DAYS
        yield day - far * _DAY, day + (far + 1) * _DAY
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
    """The numbers that a text says for sure: one in words only where something is counted (三只, and not 三明治; *line two*)."""
    yield from (int(found) for found in _DIGITS.findall(text) if len(found) < 7)
    yield from (number for number, _ in _counted(text))
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
    return map(_value, _EN.finditer(text))


def _value(match: re.Match[str]) -> int:
    words = (match["tens"], match["ones"]) if match["tens"] else (match["word"],)
    return sum(_WORDS[word.casefold()] for word in words)


def _is_worked_out(number: int, said: Iterable[int]) -> bool:
    """Whether a number is one that is said in other words: seven in the evening is 19, two and a half is 2."""
    return any(number in (other + 12, other + 2000, other + 1900) for other in said)
