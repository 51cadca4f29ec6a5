"""Times in a sentence made absolute: *tomorrow* becomes a date, *the ninth of March* gets its year.

:func:`soulmem.text.times.find_times` reads a time without a year as the latest that has begun, which suits questions about the
past. Here the tense of the sentence decides, and where it says nothing, the nearest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import lru_cache

from soulmem.consolidate.english import is_past
from soulmem.text._numerals import zh_number
from soulmem.text.language import Language
from soulmem.text.times import TimeMention, find_times

_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)
#: A past verb beside a day that was so long ago and comes again so soon speaks of something else: in May I work, I looked it up.
_LONG, _SOON = timedelta(days=180), timedelta(days=90)
#: Words that tie an expression to now: it means the same whether past or to come.
_RELATIVE = re.compile(
    r"ago|last|next|this|past|coming|tomorrow|yesterday|today|tonight|recent|previous|[昨今明前后这本去近]|(?<![早晚])上(?!午)|下(?!午)|\d{4}",
    re.I,
)
_WEEKDAY = re.compile(r"mon|tue|wed|thu|fri|sat|sun|weekend|周|星期|礼拜", re.I)
_FUTURE = {
    Language.ZH: re.compile(r"[要会将去飞]|给[^了过]|打算|准备|计划|约了|约好|定在|改到|安排|之前|下[周个]|明[天年]|后天"),
    Language.EN: re.compile(
        r"\b(?:will|shall|going\s+to|gonna|plan\w*|due|until|till|by|book(?:ed)?|are|is|am)\b|['’](?:ll|m|re|s)\b"
    ),
}
_PAST = {
    Language.ZH: re.compile(r"[了过]|曾|已经|刚|以来|[那当]时"),
    Language.EN: re.compile(r"\bsince\b", re.I),
}
_SURELY_FUTURE = re.compile(r"\bwill\b|['’]ll\b|going\s+to\b|\bgonna\b", re.I)
#: What somebody *has got* lies ahead as what somebody has.
_GOT = re.compile(r"\b(?:have|has)\s+got\b|(?<=\w)['’](?:ve|s)\s+got\b", re.I)
#: What somebody *is getting* or is *to be* lies ahead, whatever form follows: *getting married in June*.
_GETTING = re.compile(
    r"\b((?:am|is|are|['’](?:m|re|s)|will|to)\s+(?:(?:\w+ly|also|still)\s+)?(?:getting|being|get|be)\s+)\w+", re.I
)
#: What was put off or booked lies ahead: *moved to Friday*, *booked a table for May*.
_RESET = re.compile(
    r"\b(?:moved|pushed|postponed|rescheduled|delayed|changed)\b.*\b(?:to|until|till)\s+(?:the\s+)?\Z"
    r"|\b(?:booked|planned|scheduled|reserved|registered|signed\s+up|arranged)\b.*\b(?:for|on)\s+(?:the\s+)?\Z",
    re.I,
)
#: What lies ahead or goes on: the verb of a plan.
_AHEAD = re.compile(
    r"\b(?:will|won't|shall|gonna)\b|['’]ll\b|(?:\b(?:am|is|are)|['’](?:m|re|s))\s+(?:(?:\w+ly|not|now|also|still|just|soon|all|both)\s+)*"
    r"(?!(?:interesting|boring|exciting|charming|amazing|tiring|missing|nothing|something|everything|morning|evening|king)\b)[a-z]{2,}ing\b"
)
#: The verb of a plan, or else a word, which may be a past form.
_TENSED = re.compile(rf"(?P<ahead>{_AHEAD.pattern})|[A-Za-z]+")
#: With these, what was done to something belongs to the same plan: *I'm having my hair cut*.
_CAUSES = re.compile(r"\b(?:have|having|get|getting|got|be|being|want|wanting|see|seeing)\b(?!\s+\w+ed\b)", re.I)
#: Who does what stands behind: *the house my uncle built*, *a friend who got hurt*.
_OTHER_SUBJECT = re.compile(
    r"(?:\b(?P<sure>I|we|he|she|they|you|it|who|that|which)|\b(?:my|his|her|our|their|your|the)\s+[a-z]+"
    r"|(?-i:\b[A-Z]\w*)(?:['’]s\s+[a-z]+)?)\s+(?:(?:\w+ly|just|also|never|had)\s+)*\Z",
    re.I,
)
_BEFORE_DATE = re.compile(r"\s*(?:(?:in|on|at|by|for|from|until|till|since|last|early|late|the|around|about)\s+)*\Z", re.I)
#: *a man called Bram*: no verb of the sentence.
_NAMED_SO = re.compile(r"\b(?:called|named|nicknamed)\s+(?=[A-Z\"“'])")
#: A plan is said right behind its time: 六月要搬家.
_PLANNED_ZH = re.compile(
    r"\S{1,8}?(?:就|也|都|才|还)?(?:要(?!是|[了过到不么])|打算(?!了)|准备(?!了)|计划(?!了)|将要?|会(?![了议]))"
)
#: A verb in the present beside a day is a plan: *I start on Friday*, *school begins on Monday*.
_PRESENT = re.compile(
    r"\b(?:I|we|you|he|she|they|it)\s+(?:(?:\w+ly|then|also|just|still)\s+)?[a-z]{2,}"
    r"|\b(?:start|begin|open|leave|end|arrive|return|fly|take|come|go|run|move|play|perform|finish|close|resume)(?:e?s)\b",
    re.I,
)
_PLAN = re.compile(r"\b(?:\w+ing)\b|\bto\s+be\b", re.I)

#: A day of a month that is not said.
_DAY_ZH = re.compile(
    r"(?<![月\d第零〇一二两三四五六七八九十百])(?P<d>3[01]|[12]\d|[1-9]|三十一?|二?十[一二三四五六七八九]|[二三]?十|[一二三四五六七八九])号"
    r"(?![线楼院店码门机混车桌球房员馆厅库台栋桥\d])"
)
_HALF_YEAR = re.compile(r"(?:(?P<y>[去今明])年)?(?P<half>[上下])半年")
_NAMES_OF_DAYS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth "
    "twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
)
_ORDINALS = re.findall(r"\S+", _NAMES_OF_DAYS)
_MONTHS = re.findall(r"\S+", "January February March April May June July August September October November December")
_ORDINAL = "|".join(sorted(_ORDINALS, key=lambda name: -len(name)))
_OF_MONTH = re.compile(rf"\b(?:the\s+)?(?P<o>{_ORDINAL})\s+of\s+(?P<m>{'|'.join(_MONTHS)})\b", re.I)
_MONTH_FIRST = re.compile(rf"\b(?P<m>{'|'.join(_MONTHS)})\s+(?:the\s+)?(?P<o>{_ORDINAL})\b", re.I)
_DAY_EN = re.compile(
    rf"\b(?:on\s+)?the\s+(?:(?P<o>{_ORDINAL})|(?P<n>3[01]|[12]\d|[1-9])(?:st|nd|rd|th))\b(?!\s+of\s+(?:{'|'.join(_MONTHS)}))"
    r"(?!\s+(?!of\b|at\b|to\b|and\b|in\b|or\b|for\b|is\b|with\b|from\b|my\b)[a-z])(?!-)",
    re.I,
)
#: A time of the day and no more: of the day named before it, or of none.
_CLOCK = re.compile(
    r"(?:凌晨|清晨|清早|早晨|早上|早|上午|中午|下午|午后|傍晚|晚上|夜里|半夜|深夜)?[零一二两三四五六七八九十\d:：]+(?:点|时|[:：]).*"
    r"|(?:at\s+)?(?:about\s+|around\s+)?\d{1,2}(?::\d\d)?(?:\s*[ap]\.?m\.?|\s+o'?clock)?|noon|midnight",
    re.I,
)
#: What stands before *last night* where it is the last of several nights.
_EVERY = re.compile(r"(?:\b(?:every|each|most|alternate)(?:\s+other)?\s+|每个?)\Z", re.I)
_OWN = re.compile(r"\b(?:my|your|his|her|our|their|the|whose|'s)\s+\Z", re.I)
_SMALL = frozenset(_ORDINALS[:3])


class Tense(Enum):
    """Which of several times is meant."""

    SURELY_PAST = -2
    PAST = -1
    OPEN = 0
    FUTURE = 1


@dataclass(frozen=True, slots=True)
class When:
    """``text[begin:end]`` names the time from ``start`` up to, not including, ``stop`` (UTC)."""

    begin: int
    end: int
    start: datetime
    stop: datetime

    def told(self, tongue: Language = Language.EN) -> str:
        """The time as it is written: a day, a month, a year, an hour, or from when to when."""
        return told(self.start, self.stop, tongue)


def told(start: datetime, stop: datetime, tongue: Language = Language.EN) -> str:
    """A span of time in words that are right at any time: ``2026-03-09``, ``2026-03``, ``2026-03-09 10:00``."""
    if stop - start < _DAY:
        # A part of the day (this morning) is no time of the clock.
        return f"{start:%Y-%m-%d}" if stop - start > _HOUR else f"{start:%Y-%m-%d %H:%M}"
    if stop - start == _DAY and start.hour == 0:
        return f"{start:%Y-%m-%d}"
    if start.day == 1 and stop.day == 1 and stop - start < timedelta(days=32):
        return f"{start:%Y-%m}"
    if (start.month, start.day, stop.month, stop.day, stop.year - start.year) == (1, 1, 1, 1, 1):
        return f"{start:%Y年}" if tongue is Language.ZH else f"{start:%Y}"
    last = stop - timedelta(microseconds=1)
    return f"{start:%Y-%m-%d}" if last - start < _DAY else f"{start:%Y-%m-%d}/{last:%Y-%m-%d}"


def tense(text: str, tongue: Language) -> Tense:
    """What the verbs of a sentence say about when it happens."""
    text = _GETTING.sub(r"\1", _GOT.sub("has", text)) if tongue is Language.EN else text
    if tongue not in _FUTURE:
        return Tense.OPEN
    if tongue is Language.EN and _SURELY_FUTURE.search(text):
        return Tense.FUTURE
    if _PAST[tongue].search(text) or (tongue is Language.EN and any(map(is_past, re.findall(r"[A-Za-z]+", text)))):
        return Tense.PAST
    ahead = _FUTURE[tongue].search(text) or (tongue is Language.EN and (_PLAN.search(text) or _PRESENT.search(text)))
    return Tense.FUTURE if ahead else Tense.OPEN


@lru_cache(maxsize=2048)
def find_whens(text: str, said_at: datetime, tongue: Language, meant: Tense | None = None) -> tuple[When, ...]:
    """The times that ``text``, said at ``said_at``, names; in order, without overlaps. ``meant``: instead of what the verbs
    say."""

    def tense_at(place: int) -> Tense:
        return meant if meant is not None else _tense_at(text, place, tongue)

    found = [*_named_days(text, said_at, tongue, tense_at)]
    for mention in find_times(text, said_at):
        if all(mention.end <= one.begin or mention.begin >= one.end for one in found) and not _is_other(mention, text):
            found.append(_placed(mention, text, said_at, tense_at(mention.begin)))
    found.sort(key=lambda one: one.begin)
    return tuple(_with_clocks(text, _one_after_another(text, found)))


#: A day of the week that nothing ties to now.
_BARE_WEEKDAY = re.compile(r"(?:on\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:周|星期|礼拜)[一二三四五六日天]", re.I)
_WEEK = timedelta(days=7)


def _one_after_another(text: str, found: Sequence[When]) -> list[When]:
    """A day of the week behind another day is the first such day after that: 下周一去，周四回来."""
    after: list[When] = []
    for one in found:
        first = after[-1] if after else None
        if first is not None and _BARE_WEEKDAY.fullmatch(text[one.begin : one.end].strip()) and first.stop - first.start <= _DAY:
            ahead = (one.start - first.start.replace(hour=0, minute=0)) % _WEEK
            start = first.start.replace(hour=0, minute=0) + (ahead or _WEEK)
            one = When(one.begin, one.end, start, start + (one.stop - one.start))
        after.append(one)
    return after


def _tense_at(text: str, place: int, tongue: Language) -> Tense:
    """The tense of the clause a time stands in, or of the whole sentence where the clause has none."""
    begin = max(text.rfind(mark, 0, place) for mark in "，,；;。") + 1
    end = min((cut for mark in "，,；;。" if (cut := text.find(mark, place)) >= 0), default=len(text))
    own = tense(text[begin:end], tongue)
    governing = _governing(text[begin:place], text[place:end]) if tongue is Language.EN else Tense.OPEN
    if governing is Tense.FUTURE or (tongue is Language.ZH and _PLANNED_ZH.match(text[place:end])):
        return Tense.FUTURE
    if governing is Tense.PAST and _SURELY_FUTURE.search(text[begin:end]) and not _RESET.search(text[begin:place]):
        return Tense.SURELY_PAST
    if tongue is Language.EN and own is Tense.PAST:
        before = text[begin:place]
        return Tense.FUTURE if _RESET.search(before) else Tense.SURELY_PAST if _is_behind_past(before) else own
    if own is not Tense.OPEN:
        return own
    return _planned_before(text[:begin], text[begin:end]) if tongue is Language.ZH else tense(text, tongue)


def _governing(before: str, behind: str) -> Tense:
    """The tense of the English verb that a time belongs to: the last one before it, else the first one behind it. ``OPEN``: none
    is told for certain."""
    before = _NAMED_SO.sub("", before)
    found = Tense.OPEN
    ahead = 0
    for match in _TENSED.finditer(before):
        if match["ahead"] is not None:
            found, ahead = Tense.FUTURE, match.end()
        elif is_past(match[0]) and (found is not Tense.FUTURE or _is_another_verb(before, match, ahead)):
            found = Tense.PAST
    if found is not Tense.OPEN:
        return found
    return Tense.FUTURE if _begins_with_plan(_NAMED_SO.sub("", behind)) else Tense.OPEN


def _begins_with_plan(text: str) -> bool:
    """Whether the first that is surely a verb of some tense is that of a plan."""
    verbs = (match for match in _TENSED.finditer(text) if match["ahead"] is not None or is_past(match[0]))
    first = next(verbs, None)
    return first is not None and first["ahead"] is not None


def _is_another_verb(before: str, match: re.Match[str], ahead: int) -> bool:
    """Whether a past form behind the verb of a plan, that ended at ``ahead``, has a subject of its own, or belongs with its noun
    to the time (*a coat bought in May*)."""
    causes = _CAUSES.search(before[before.rfind(" ", 0, ahead) + 1 : match.start()])
    subject = _OTHER_SUBJECT.search(before[: match.start()])
    if subject is not None and subject.start() >= ahead:
        return subject["sure"] is not None or causes is None
    is_last = _BEFORE_DATE.match(before, match.end()) is not None
    return is_last and causes is None and before[:ahead].rpartition(" ")[2].endswith("ing")


#: Who comes back or sets out on a day has yet to, where nothing says that it was: 周四回来.
_ON_THE_WAY = re.compile(r"(?:回[来去家国]|返[回程校]|出发|动身|到家)[^\w的]*\Z")


def _planned_before(before: str, clause: str) -> Tense:
    """The tense of a Chinese clause whose verbs say nothing: it goes on with the plan of a clause ``before`` it in the sentence
    (我要去上海出差，周四到). 周四到的 tells what was."""
    if clause.rstrip("了吧呢啊呀 ").endswith("的"):
        return Tense.OPEN
    clauses = re.split(r"[，,；;、]", re.split(r"[。！？!?\n]", before)[-1])
    told = (found for one in reversed(clauses) if (found := tense(one, Language.ZH)) is not Tense.OPEN)
    own = Tense.FUTURE if _ON_THE_WAY.search(clause) else Tense.OPEN
    return Tense.FUTURE if next(told, own) is Tense.FUTURE else Tense.OPEN


def _is_behind_past(before: str) -> bool:
    """*moved to Leeds in* May: whether a past verb stands before a month in the same clause."""
    words = re.findall(r"[A-Za-z]+", before)
    return words[-1:] == ["in"] and any(map(is_past, words))


def _is_other(mention: TimeMention, text: str) -> bool:
    """*my last night shift*, *the last week of school*: not the night or week before now."""
    before = text[: mention.begin]
    return (mention.text.casefold().startswith("last") and _OWN.search(before) is not None) or _EVERY.search(before) is not None


def _with_clocks(text: str, found: list[When]) -> Iterator[When]:
    """A time of the day narrows the day named right before it; alone it is of a day nobody names, and left as it is."""
    day: When | None = None
    for number, one in enumerate(found):
        if _CLOCK.fullmatch(text[one.begin : one.end].strip()):
            continue
        clock = found[number + 1] if number + 1 < len(found) else None
        day = one
        if (
            clock is not None
            and one.stop - one.start == _DAY
            and _CLOCK.fullmatch(text[clock.begin : clock.end].strip())
            and not text[one.end : clock.begin].strip(" ，,、的")
        ):
            at = datetime.combine(one.start.date(), clock.start.time(), tzinfo=one.start.tzinfo)
            day = When(one.begin, clock.end, at, at + (clock.stop - clock.start))
        yield day


#: A day that is named with its month, and so comes again every year.
_OF_ANY_YEAR = re.compile(
    r"月[^，,]{1,3}[日号]|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?:the\s+)?\d{1,2}(?!\d)"
    r"|\b\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec)",
    re.I,
)


def any_year(text: str) -> datetime | None:
    """A moment by which a day of any year is read where nobody knows when ``text`` was said; ``None``: it names no such day."""
    return datetime(2024, 1, 1, tzinfo=UTC) if _OF_ANY_YEAR.search(text) else None


def annual(text: str, said_at: datetime, tongue: Language) -> str:
    """``text`` with the days in it as days of any year: *the third of October (10-03)*; a year that is said stays."""
    return absolute(text, said_at, tongue, every_year=True)[0]


def absolute(
    text: str, said_at: datetime, tongue: Language, meant: Tense | None = None, *, every_year: bool = False
) -> tuple[str, tuple[When, ...]]:
    """``text`` with the times in it made absolute, and those times. What is absolute but for its year keeps its words.
    ``every_year``: days are told without a year, since they come again in each."""
    whens = find_whens(text, said_at, tongue, meant)
    parts, done = [], 0
    for when in whens:
        words = text[when.begin : when.end]
        parts.append(text[done : when.begin])
        plain = when.told(tongue)
        if every_year and re.fullmatch(r"\d{4}-\d\d-\d\d", plain):
            plain = words if re.search(r"\d{4}", words) else plain[5:]
        if plain in words:
            parts.append(words)
            done = when.end
            continue
        if _goes(words):
            plain = _with_part(plain, words, text[: when.begin], text[when.end :], tongue)
        parts.append(plain if _goes(words) else f"{words}（{plain}）" if tongue is Language.ZH else f"{words} ({plain})")
        done = when.end
    return "".join((*parts, text[done:])), whens


_PART_EN = re.compile(r"morning|afternoon|evening|night", re.I)
_PART_ZH = re.compile(r"凌晨|清晨|清早|早晨|早上|上午|中午|下午|午后|傍晚|晚上|夜里|半夜|深夜|[早晚]\Z")


def _with_part(plain: str, words: str, before: str, behind: str, tongue: Language) -> str:
    """A day with its part that ``words`` name: *this morning* → *on the morning of 2026-03-09*; 今天早上 → 2026-03-09早上."""
    part = (_PART_ZH if tongue is Language.ZH else _PART_EN).search(words)
    if part is None or not re.fullmatch(r"\d{4}-\d\d-\d\d", plain):
        return plain
    if tongue is Language.ZH:
        return plain + {"早": "早上", "晚": "晚上"}.get(part[0], part[0])
    if re.match(r"['’]s\b", behind):
        return plain
    bound = re.search(r"\b(?:by|until|till|since|from|before|after|of|for|on|in|at|to|about|around|during)\s+\Z", before, re.I)
    is_thing = bound or re.match(r"\s+(?:is|was|will|were|has|had)\b", behind)
    at = "the" if is_thing else "on the"
    at = at if before.strip() else at.capitalize()
    return f"{at} {part[0].casefold()} of {plain}"


def _goes(words: str) -> bool:
    """Whether the words alone mislead later: relative ones, weekdays, days of a month that is not said."""
    return bool(re.search(r"[昨今明前后上下这本去近]|ago|last|next|this|tomorrow|yesterday|today|tonight", words, re.I))


def _placed(mention: TimeMention, text: str, said_at: datetime, meant: Tense) -> When:
    latest = When(mention.begin, mention.end, mention.start, mention.stop)
    if _RELATIVE.search(mention.text):
        return latest
    step = timedelta(days=7) if _WEEKDAY.search(mention.text) else timedelta(days=365)
    later = _again(text, mention, said_at + step) or latest
    return _chosen(latest, later, said_at, meant)


def _again(text: str, mention: TimeMention, now: datetime) -> When | None:
    """What the same words mean when they are said at another time."""
    for other in find_times(text, now):
        if (other.begin, other.end) == (mention.begin, mention.end):
            return When(other.begin, other.end, other.start, other.stop)
    return None


def _chosen(before: When, after: When, said_at: datetime, meant: Tense) -> When:
    if before.start <= said_at < before.stop:
        return before
    if meant is Tense.FUTURE:
        return after
    if meant is Tense.SURELY_PAST:
        return before
    if meant is Tense.PAST and (said_at - before.start < _LONG or after.start - said_at > _SOON):
        return before
    return before if said_at - before.start <= after.start - said_at else after


def _named_days(text: str, said_at: datetime, tongue: Language, tense_at: Callable[[int], Tense]) -> Iterator[When]:
    if tongue is Language.ZH:
        yield from _zh_days(text, said_at, tense_at)
        return
    taken: list[tuple[int, int]] = []
    for pattern in (_OF_MONTH, _MONTH_FIRST, _DAY_EN):
        for match in pattern.finditer(text):
            if any(match.start() < end and match.end() > begin for begin, end in taken) or _is_counting(match):
                continue
            taken.append(match.span())
            month = _month_number(match["m"]) if "m" in match.groupdict() else None
            yield from _day(match, _number(match), month, said_at, tense_at(match.start()))


def _zh_days(text: str, said_at: datetime, tense_at: Callable[[int], Tense]) -> Iterator[When]:
    """Days of a month that is not said; one after another they go on in time. And halves of years."""
    last: When | None = None
    for match in _DAY_ZH.finditer(text):
        from_when = said_at if last is None or last.start < said_at else last.start
        meant = Tense.FUTURE if from_when is not said_at else tense_at(match.start())
        for last in _day(match, zh_number(match["d"]), None, from_when, meant):
            yield last
    for match in _HALF_YEAR.finditer(text):
        year = said_at.year + {"去": -1, "明": 1}.get(match["y"] or "", 0)
        first = datetime(year, 1, 1, tzinfo=said_at.tzinfo)
        half = datetime(year, 7, 1, tzinfo=said_at.tzinfo)
        ends = (first, half) if match["half"] == "上" else (half, datetime(year + 1, 1, 1, tzinfo=said_at.tzinfo))
        yield When(match.start(), match.end(), *ends)


def _is_counting(match: re.Match[str]) -> bool:
    """*the first*, *the second*: an order more often than a date, unless it is said *on the first*."""
    return "m" not in match.groupdict() and (match["o"] or "").casefold() in _SMALL and not match[0].casefold().startswith("on")


def _number(match: re.Match[str]) -> int:
    found = match.groupdict()
    return int(found["n"]) if found.get("n") else _ORDINALS.index(found["o"].casefold()) + 1


def _month_number(name: str) -> int:
    return _MONTHS.index(name.capitalize()) + 1


def _day(match: re.Match[str], day: int, month: int | None, said_at: datetime, meant: Tense) -> Iterator[When]:
    """The day before and the day after now that these words can mean; of these the one that is meant."""
    months = range(-24, 25) if month else range(-3, 4)
    days = [one for offset in months if (one := _in_month(said_at, offset, day, month)) is not None]
    now = said_at.replace(hour=0, minute=0, second=0, microsecond=0)
    before = max((one for one in days if one <= now), default=None)
    after = min((one for one in days if one > now), default=None)
    if before is None or after is None:
        return
    begin, end = match.span()
    yield _chosen(When(begin, end, before, before + _DAY), When(begin, end, after, after + _DAY), said_at, meant)


def _in_month(said_at: datetime, offset: int, day: int, month: int | None) -> datetime | None:
    number = said_at.year * 12 + said_at.month - 1 + offset
    if month is not None and number % 12 + 1 != month:
        return None
    try:
        return datetime(number // 12, number % 12 + 1, day, tzinfo=said_at.tzinfo or UTC)
    except ValueError:
        return None
