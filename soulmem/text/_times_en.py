"""English time expressions: patterns, and what span each means."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from soulmem.text import _calendar as cal
from soulmem.text._calendar import Rule, Span
from soulmem.text._numerals import EN_NUMBERS, en_number

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}

#: First and last hour; from 24 on, of the next day.
PARTS_OF_DAY = {
    "morning": (5, 12), "noon": (12, 13), "afternoon": (12, 18), "evening": (17, 23), "night": (18, 28), "midnight": (24, 25),
}  # fmt: skip

_N = rf"(?:\d{{1,4}}|{'|'.join(sorted(EN_NUMBERS, key=lambda name: -len(name)))})"
_PAIR = r"a\s+couple(?:\s+of)?|couple\s+of"
_FEW = r"(?:a|the\s+(?:last|past))\s+few|a\s+handful\s+of|several|few|some"
_UNIT = r"(?:minute|hour|day|night|weekend|week|month|year|decade)"
_DAY_OF_WEEK = f"(?:{'|'.join(_WEEKDAYS)})"
_MONTH = f"(?:{'|'.join(_MONTHS)})"
_SHORT_MONTH = r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
_WHICH = r"(?P<which>last|past|previous|this|next|this\s+past|this\s+coming|the\s+coming|coming|upcoming)"
_YEAR = r"(?P<y>(?:19|20)\d\d)(?!\d|s\b|[-/.:]\d)"
_OF_YEAR = rf"(?:,?\s+(?:of\s+|in\s+)?(?:{_YEAR}|(?P<ry>last|this|next)\s+year))"
_DAY_NUMBER = r"(?P<d>3[01]|[12]\d|0?[1-9])"
_HOUR = r"(?P<h>2[0-3]|1\d|0?\d)"
_CLOCK = (
    rf"(?:{_HOUR}(?::(?P<m>[0-5]\d))?\s*(?P<half>[ap])\.?m\b\.?|(?P<h2>2[0-3]|1\d|0?\d):(?P<m2>[0-5]\d)(?![\d:])"
    r"|(?P<h3>1[0-2]|[1-9])\s+o'?clock|(?P<word>noon|midnight)\b)"
)

#: What may follow a day and narrow it: yesterday [morning at 9 am].
AFTER_DAY = re.compile(
    rf"(?:,?\s+(?:in\s+the\s+|at\s+)?(?P<part>morning|afternoon|evening|night)\b)?(?:,?\s+(?:at|around|about)\s+(?:about\s+)?{_CLOCK})?",
    re.IGNORECASE,
)
#: What may stand before a day and narrow it: [at 3 pm on] Friday; [the morning of] 5 June.
BEFORE_DAY = re.compile(
    rf"(?:\b{_CLOCK}(?:\s+on|,)?|\b(?P<part>morning|afternoon|evening|night)\s+of)\s+(?:the\s+)?\Z", re.IGNORECASE
)
#: What may stand before a month or a year and narrow it: [early] June, [the end of] 2022.
THIRD_BEFORE = re.compile(
    r"\b(?:(?P<first>early|(?:start|beginning)\s+of)|(?P<middle>mid|middle\s+of)|late|end\s+of)(?:\s+in)?[\s-]+\Z", re.IGNORECASE
)


def narrowed(match: re.Match[str], span: Span) -> Span:
    """The part of the day ``span`` that a match of :data:`AFTER_DAY`, :data:`BEFORE_DAY` or of a clock rule names."""
    found = match.groupdict()
    part = (found.get("part") or found["word"] or "").lower()
    hour = found["h"] or found["h2"] or found["h3"]
    if hour is None:
        return cal.part_of_day(span, *PARTS_OF_DAY[part]) if part else span
    minute = found["m"] or found["m2"]
    return cal.clock(span, _hour(int(hour), (found["half"] or "").lower(), part), None if minute is None else int(minute))


def _hour(hour: int, half: str, part: str) -> int:
    if hour > 12:
        return hour
    if part == "night" and half != "p" and (hour <= 4 or hour == 12):
        return hour % 12 + 24
    if half == "p" or (not half and part in ("afternoon", "evening", "night")):
        return hour % 12 + 12
    return hour % 12 if half == "a" else hour


def third(match: re.Match[str], span: Span) -> Span:
    """The first, middle or last third of a month or a year, as a match of :data:`THIRD_BEFORE` names it."""
    return cal.third(span, 0 if match["first"] else 1 if match["middle"] else 2)


def _chosen(make: cal.Yearly, match: re.Match[str], now: datetime) -> Span:
    """Of which year: the year given; else as last, this, next say; else the latest that has begun."""
    found = match.groupdict()
    if found.get("y"):
        return make(int(found["y"]))
    if found.get("ry"):
        return make(now.year + _offset(found["ry"]))
    which = (found.get("which") or "").lower().split()
    if not which:
        return cal.most_recent(make, now)
    if which[-1] in ("last", "past", "previous"):
        return cal.last_over(make, now)
    return make(now.year) if which == ["this"] else cal.next_coming(make, now)


def _offset(which: str) -> int:
    last = which.lower().split()[-1]
    return -1 if last in ("last", "past", "previous") else 0 if last == "this" else 1


def _month_number(name: str) -> int:
    return next(number for number, full in enumerate(_MONTHS, start=1) if full.startswith(name.lower().rstrip(".")[:3]))


def _month(match: re.Match[str], now: datetime) -> Span:
    number = _month_number(match["mo"])
    return _chosen(lambda year: cal.month(year, number), match, now)


def _month_day(match: re.Match[str], now: datetime) -> Span:
    month, day = _month_number(match["mo"]), int(match["d"])
    return _chosen(lambda year: cal.date(year, month, day), match, now)


def _season(match: re.Match[str], now: datetime) -> Span:
    return _chosen(lambda year: cal.season(year, _SEASONS[match["s"].lower()]), match, now)


def _simple_day(match: re.Match[str], now: datetime) -> Span:
    words = match.group().lower().split()
    if "before" in words or "after" in words:
        return cal.day(now, -2 if "before" in words else 2)
    return cal.day(now, {"yesterday": -1, "today": 0, "tomorrow": 1}[words[0]])


def _part_now(match: re.Match[str], now: datetime) -> Span:
    words = match.group().lower().split()
    day = cal.day(now, -1 if words[0] == "last" else 0)
    return cal.part_of_day(day, *PARTS_OF_DAY["night" if words[-1] == "tonight" else words[-1]])


def _ago(match: re.Match[str], now: datetime) -> Span:
    sign = 1 if match["dir"].lower() in ("ago", "back") else -1
    unit = {"night": "day"}.get(match["u"].lower(), match["u"].lower())
    if match["pair"]:
        return cal.ago(now, unit, 3 * sign, 2 * sign)
    if match["few"]:
        return cal.ago(now, unit, 5 * sign, 2 * sign)
    number = en_number(match["n"])
    if match["or"] == "two":
        return cal.ago(now, unit, (number + 1) * sign, number * sign)
    return cal.ago(now, unit, number * sign)


def _half_ago(match: re.Match[str], now: datetime) -> Span:
    unit, number = {"year": ("month", 6), "hour": ("minute", 30), "day": ("hour", 12), "decade": ("year", 5)}[match["u"].lower()]
    return cal.ago(now, unit, number)


def _weekdays_ago(match: re.Match[str], now: datetime) -> Span:
    latest = cal.weekday_before(now, _WEEKDAYS.index(match["wd"].lower()), today_counts=False)
    return cal.day(latest.start, -7 * (en_number(match["n"]) - 1))


def _unit(match: re.Match[str], now: datetime) -> Span:
    offset = _offset(match["which"])
    match match["u"].lower():
        case "week":
            return cal.week(now, offset)
        case "weekend":
            return cal.weekend(now, offset)
        case "month":
            return cal.month_from(now, offset)
        case _:
            return cal.year(now.year + offset)


def _beyond(match: re.Match[str], now: datetime) -> Span:
    """The week before last, the month after next, the Friday before last."""
    steps = -2 if match["dir"] else 2
    match match["u"].lower():
        case "week":
            return cal.week(now, steps)
        case "weekend":
            return cal.weekend(now, steps)
        case "month":
            return cal.month_from(now, steps)
        case "year":
            return cal.year(now.year + steps)
        case name if steps < 0:
            return cal.day(cal.weekday_before(now, _WEEKDAYS.index(name), today_counts=False).start, -7)
        case name:
            return cal.day(cal.weekday_after(now, _WEEKDAYS.index(name)).start, 7)


def _stretch(match: re.Match[str], now: datetime) -> Span:
    sign = 1 if _offset(match["which"]) < 0 else -1
    return cal.stretch(now, match["u"].lower(), _count(match.groupdict().get("n")) * sign)


def _count(text: str | None) -> int:
    """None → 1; a couple → 2; few, several → 5."""
    if text is None:
        return 1
    if text.isdecimal() or text.lower() in EN_NUMBERS:
        return en_number(text)
    return 2 if "couple" in text.lower() else 5


def _weekday(match: re.Match[str], now: datetime) -> Span:
    weekday = _WEEKDAYS.index(next(name for name in _WEEKDAYS if name.startswith(match["wd"].lower()[:3])))
    if match.groupdict().get("rw"):
        return cal.weekday_of_week(now, weekday, _offset(match["rw"]))
    which = (match["which"] or "").lower().split()
    if not which:
        return cal.weekday_before(now, weekday, today_counts=True)
    if which[-1] in ("last", "past", "previous"):
        return cal.weekday_before(now, weekday, today_counts=False)
    return cal.weekday_of_week(now, weekday, 0) if which == ["this"] else cal.weekday_after(now, weekday)


def _over_weekend(match: re.Match[str], now: datetime) -> Span:
    return cal.weekend(now, 0 if now.weekday() >= 5 else -1)


def _numeric(match: re.Match[str], now: datetime) -> Span:
    first, second = int(match["a"]), int(match["b"])
    month, day = (second, first) if first > 12 else (first, second)
    return cal.date(int(match["y"]), month, day)


def _year_month_day(match: re.Match[str], now: datetime) -> Span:
    return cal.date(int(match["y"]), int(match["mo"]), int(match["d"]))


def _year(match: re.Match[str], now: datetime) -> Span:
    return cal.year(int(match["y"]))


def _part_clock(match: re.Match[str], now: datetime) -> Span:
    day = cal.day(now, -1 if match["last"] else 0)
    hour = _hour(int(match["h"]), (match["half"] or "").lower(), match["part"].lower())
    return cal.clock(day, hour, None if match["m"] is None else int(match["m"]))


def _year_month(match: re.Match[str], now: datetime) -> Span:
    return cal.month(int(match["y"]), int(match["mo"]))


def _today_clock(match: re.Match[str], now: datetime) -> Span:
    return narrowed(match, cal.day(now))


def _easter(year: int) -> Span:
    """Western Easter Sunday (Meeus, Jones, Butcher)."""
    golden, century, rest = year % 19, year // 100, year % 100
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return cal.date(year, month, day + 1)


#: A Christmas tree is not a time.
_NO_THING = r"(?!\s+(?:tree|card|present|gift|carol|song|movie|dinner|light|decoration|party)(?:s|ies)?\b)"

_HOLIDAYS: tuple[tuple[str, cal.Yearly], ...] = (
    (r"christmas\s+eve", lambda year: cal.date(year, 12, 24)),
    (rf"(?:christmas|xmas)(?:\s+day)?{_NO_THING}", lambda year: cal.date(year, 12, 25)),
    (r"new\s+year'?’?s\s+eve", lambda year: cal.date(year, 12, 31)),
    (r"new\s+year['’]?s(?:\s+day)?(?!\s+resolution)", lambda year: cal.date(year, 1, 1)),
    (r"valentine['’]?s(?:\s+day)?", lambda year: cal.date(year, 2, 14)),
    (r"easter(?:\s+sunday)?(?!\s+(?:egg|bunn))", _easter),
    (r"(?:fourth|4th)\s+of\s+july|independence\s+day", lambda year: cal.date(year, 7, 4)),
    (r"mother['’]?s['’]?\s+day", lambda year: cal.nth_weekday(year, 5, 6, 2)),
    (r"father['’]?s['’]?\s+day", lambda year: cal.nth_weekday(year, 6, 6, 3)),
    (r"hallowe['’]?en", lambda year: cal.date(year, 10, 31)),
    (r"thanksgiving(?:\s+day)?", lambda year: cal.nth_weekday(year, 11, 3, 4)),
)  # fmt: skip


def _holiday_rule(pattern: str, make: cal.Yearly) -> Rule:
    whole = rf"\b(?:{_WHICH}\s+)?(?:{pattern})\b{_OF_YEAR}?"
    return re.compile(whole, re.IGNORECASE), lambda match, now: _chosen(make, match, now)


def _rule(pattern: str, make: Callable[[re.Match[str], datetime], Span], *, case: bool = False) -> Rule:
    return re.compile(pattern, re.NOFLAG if case else re.IGNORECASE), make


_SURE_MONTH = r"(?:january|february|july|september|october|november|december)"
_DATED_MONTH = rf"(?:{_MONTH}|{_SHORT_MONTH})"
_ORDINAL = rf"{_DAY_NUMBER}(?:st|nd|rd|th)?(?![\d:%]|[.,]\d|\s*[ap]\.?m\b)"
#: A verb, unless capitalised or clearly a date: "I may 5", "march 3 miles".
_NOT_VERB = r"(?!(?:may|march|mar)\s+\d{1,2}(?!\d|st|nd|rd|th|,?\s+(?:19|20)\d\d))"
#: What follows a year that counts nothing: a sign, the end, or a word of grammar.
_YEAR_ENDS = (
    r"(?=\s*(?:$|[,;:!?)\]。，！？；、]|\.(?!\d))"
    r"|\s+(?:and|but|when|was|were|i|we|he|she|they|it|to|with|for|at|my|the|that|or|is)\b)"
)


def _after(*words: str) -> str:
    """A look-behind for any of ``words``."""
    return "(?:" + "|".join(rf"(?<=\b{word})" for word in words) + ")"


_IN_A_MONTH = _after("in ", "of ", "since ", "until ", "during ", "early ", "late ", "mid-", "mid ")
_IN_A_YEAR = _after("in ", "of ", "since ", "until ", "during ", "early ", "late ", "mid-", "mid ", "from ", "by ")
_COUNTED_THINGS = r"(?!\s+(?:dollars?|people|times|words|euros?|pounds?|miles|km|steps|years)\b)"
_CLOCK_TONIGHT = r"(?P<h>1[0-2]|0?[1-9])(?::(?P<m>[0-5]\d))?(?:\s*(?P<half>[ap])\.?m\b\.?)?"
_THIS_PART = r"(?P<last>last\s+)?(?:(?<!last )(?:to|this\s+))?(?P<part>morning|afternoon|evening|night)"

RULES: tuple[Rule, ...] = (
    _rule(r"\bthe\s+day\s+(?:before\s+yesterday|after\s+tomorrow)\b|\b(?:yesterday|today|tomorrow)\b", _simple_day),
    _rule(r"\b(?:last\s+(?:night|evening)|tonight|this\s+(?:morning|afternoon|evening))\b", _part_now),
    _rule(rf"\bat\s+{_CLOCK_TONIGHT}\s+{_THIS_PART}\b", _part_clock),
    _rule(rf"\b{_THIS_PART}\s+at\s+{_CLOCK_TONIGHT}(?![\d:])", _part_clock),
    _rule(
        rf"\b(?:(?P<pair>{_PAIR})|(?P<few>{_FEW})|(?P<n>{_N}))\s+(?P<u>{_UNIT})s?(?:\s+or\s+(?P<or>so|two))?\s+"
        r"(?P<dir>ago|back|from\s+(?:now|today))\b",
        _ago,
    ),
    _rule(r"\bhalf\s+an?\s+(?P<u>year|hour|day|decade)\s+ago\b", _half_ago),
    _rule(rf"\b(?P<n>{_N})\s+(?P<wd>{_DAY_OF_WEEK})s?\s+ago\b", _weekdays_ago),
    _rule(
        r"\b(?P<which>last|this|next|previous|this\s+past|(?:the|this)\s+coming|this\s+upcoming)\s+(?P<u>weekend|week|month|year)\b",
        _unit,
    ),
    _rule(rf"\bthe\s+(?P<u>weekend|week|month|year|{_DAY_OF_WEEK})\s+(?:(?P<dir>before)\s+last|after\s+next)\b", _beyond),
    _rule(
        rf"\b(?P<which>last|past|previous|next|coming)\s+(?P<n>{_PAIR}|few|several|{_N})\s+(?P<u>hour|day|week|month|year)s?\b",
        _stretch,
    ),
    _rule(r"\bthe\s+(?P<which>past)\s+(?P<u>hour|day|week|month|year)\b", _stretch),
    _rule(r"\bthe\s+other\s+day\b", lambda match, now: cal.days(now, -7, -2)),
    _rule(r"\b(?:over|on|during|at)\s+the\s+weekend\b", _over_weekend),
    _rule(rf"\b(?:{_WHICH}\s+)?(?P<wd>{_DAY_OF_WEEK})\b(?:,?\s+(?:of\s+)?(?P<rw>last|this|next)\s+week\b)?", _weekday),
    _rule(r"\b(?P<which>[Ll]ast|[Tt]his|[Nn]ext)\s+(?P<wd>Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b", _weekday, case=True),
    _rule(rf"\b(?:(?P<which>last|next)\s+)(?P<mo>{_MONTH})\b", _month),
    _rule(rf"\b(?P<which>this)\s+(?P<mo>{_SURE_MONTH}|april|june|august)\b", _month),
    _rule(r"\b(?P<which>[Tt]his)\s+(?P<mo>March|May)\b(?!\s+be\b)", _month, case=True),
    _rule(rf"{_IN_A_MONTH}(?P<mo>{_MONTH}|feb|sept?|oct|nov|dec)\b", _month),
    _rule(rf"\b(?P<mo>{_SURE_MONTH})\b", _month),
    _rule(rf"\b(?P<mo>{_DATED_MONTH}){_OF_YEAR}", _month),
    _rule(rf"\b(?:{_WHICH}\s+)?{_NOT_VERB}(?P<mo>{_DATED_MONTH})\s+(?:the\s+)?{_ORDINAL}{_OF_YEAR}?", _month_day),
    _rule(rf"\b(?P<mo>March|May|Mar)\s+{_ORDINAL}{_OF_YEAR}?", _month_day, case=True),
    _rule(
        rf"(?<![\d./:,-])\b{_DAY_NUMBER}(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<mo>{_DATED_MONTH})(?!\w){_OF_YEAR}?(?!\s+(?:be|have|not)\b)",
        _month_day,
    ),
    _rule(rf"\b{_WHICH}\s+(?P<s>spring|summer|autumn|fall|winter)\b", _season),
    _rule(rf"\b(?:the\s+)?(?P<s>spring|summer|autumn|fall|winter){_OF_YEAR}", _season),
    _rule(r"(?<![\d./-])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>(?:19|20)\d\d)(?![\d/])", _numeric),
    _rule(
        r"(?<![\d./-])(?P<y>(?:19|20)\d\d)(?P<sep>[-/.])(?P<mo>1[0-2]|0?[1-9])(?P=sep)(?P<d>3[01]|[12]\d|0?[1-9])(?![\d/-]|\.\d)",
        _year_month_day,
    ),
    _rule(r"(?<![\d./-])(?P<y>(?:19|20)\d\d)-(?P<mo>1[0-2]|0[1-9])(?![\d-])", _year_month),
    _rule(rf"{_IN_A_YEAR}{_YEAR}{_COUNTED_THINGS}", _year),
    _rule(rf"(?<![\w$€£¥#.,:/+-])(?!2000){_YEAR}{_YEAR_ENDS}", _year),
    _rule(rf"\b(?:at|around|about|by)\s+{_CLOCK}", _today_clock),
    *(_holiday_rule(pattern, make) for pattern, make in _HOLIDAYS),
)
