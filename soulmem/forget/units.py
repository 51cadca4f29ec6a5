"""The units of a text (SPEC §8), found without any model: names and concepts of the mind, everyday things, times, numbers, and
what a person keeps. Pure; each with the gist that is left when its wording is gone.

Anchors are by rule. *Spontaneous*, kept unasked: who it was (names of people), what was felt (words of strong feeling), what one
gave one's word for (I promise …). *Forced*, learned on purpose and soon lost: codes and telephone numbers. Times and other
numbers fade faster than the rest: first to about when and about how many.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from soulmem.forget.masks import Anchor, Unit, words_of
from soulmem.settings import Settings
from soulmem.text._numerals import EN_NUMBERS, ZH_NUMERAL, zh_number
from soulmem.text.kinds import kind_of
from soulmem.text.language import Language, has_cjk, language
from soulmem.text.names import resolve_overlaps
from soulmem.text.times import TimeMention, find_times
from soulmem.text.tokens import normal_form

#: What is found in so many texts is kept.
_KEPT = 1024
#: A longer description is no gist: characters, of which a Chinese one counts two.
_LONGEST_GIST = 40
_CLAUSE_END = re.compile(r"[，。；：;:\n]|[.!?,](?:\s|$)")
#: Only how long an expression lasts and which part of a year or day it names counts, so any moment will do; but two of them,
#: since *next month* names no month.
_SOME_DAY, _OTHER_DAY = datetime(2024, 6, 19, 12, tzinfo=UTC), datetime(2023, 2, 8, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """What a name of the mind stands for. ``description``: what is known of it, may be empty; ``is_person``: it is somebody;
    ``tags``: of its note, of which the first that names a kind counts."""

    description: str = ""
    is_person: bool = False
    tags: tuple[str, ...] = ()


_PEOPLE = frozenset(
    [
        *("person", "people", "speaker", "name", "family", "friend", "neighbour", "neighbor", "colleague", "mother", "father"),
        *("brother", "sister", "人物", "人", "家人", "亲人", "朋友", "邻居", "同事", "同学", "老师", "母亲", "父亲", "哥哥"),
        *("姐姐", "弟弟", "妹妹", "外婆", "外公", "师父", "师傅"),
    ]
)
#: What the kinds of people are called (soulmem.text.kinds).
_KIN = frozenset({"家里人", "兄弟姐妹", "孩子", "a relative", "a sibling", "a child"})
_KINDS = {
    "place": "some place",
    "city": "some town",
    "village": "some place",
    "food": "something to eat",
    "drink": "something to drink",
    "object": "some thing",
    "keepsake": "some keepsake",
    "地点": "一个地方",
    "城市": "一座城市",
    "餐馆": "一家馆子",
    "食物": "吃的东西",
    "物品": "一件东西",
}


def concept_of(description: str, tags: Iterable[str]) -> Concept:
    """What a Semantic note with this description and these tags stands for."""
    kept = tuple(tags)
    kinds = {kind for tag in kept if tag not in _PEOPLE and (kind := kind_of(tag))}
    is_person = kinds <= _KIN and not (kinds == set() and _PEOPLE.isdisjoint(kept))
    return Concept(description=description, is_person=is_person, tags=kept)


def units_of(text: str, names: Mapping[str, Concept], settings: Settings) -> tuple[Unit, ...]:
    """The units of ``text``. ``names``: normal name → what it stands for, of those that may stand in it."""
    spoken_in = "zh" if language(text) is Language.ZH else "en"
    named = tuple(_names(text, names, spoken_in))
    times, others = _found(text, settings.figure_pace)
    taken = [(unit.begin, unit.end) for unit in (*named, *times)]
    return (*named, *times, *(unit for unit in others if _is_free(unit, taken)))


@lru_cache(maxsize=_KEPT)
def _found(text: str, figure_pace: float) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """The times in ``text``, and what else is found in it by rule."""
    spoken_in = "zh" if language(text) is Language.ZH else "en"
    return (
        tuple(_times(text, spoken_in, figure_pace)),
        (*_kept(text), *_numbers(text, spoken_in, figure_pace), *_things(text)),
    )


def _is_free(unit: Unit, taken: Iterable[tuple[int, int]]) -> bool:
    return all(unit.end <= begin or end <= unit.begin for begin, end in taken)


# -- names ----------------------------------------------------------------------------------------------------------------------


def _names(text: str, names: Mapping[str, Concept], spoken_in: str) -> Iterator[Unit]:
    places = _places(text) if names else None
    if places is None:
        return
    for span in resolve_overlaps(text, names):
        concept = names[span.name]
        anchor = Anchor.SPONTANEOUS if concept.is_person else None
        yield Unit(places[span.begin], places[span.end - 1] + 1, _gist(span.name, concept, names, spoken_in), anchor)


def _places(text: str) -> list[int] | None:
    """Of each character of the normal form of ``text`` the one it comes from; ``None`` where that cannot be told."""
    forms = [normal_form(character) for character in text]
    if "".join(forms) != normal_form(text):
        return None
    return [place for place, form in enumerate(forms) for _ in form]


def _gist(name: str, concept: Concept, names: Mapping[str, Concept], spoken_in: str) -> str:
    """What is known of it, if that is short, of the text's language, and does not give away the name; else its kind."""
    description = _first_clause(concept.description.strip())
    is_short = 0 < sum(2 if character > "\u2e7f" else 1 for character in description) <= _LONGEST_GIST
    form = normal_form(description)
    if is_short and has_cjk(description) == (spoken_in == "zh") and not any(other in form for other in names):
        return description
    if concept.is_person:
        return {"zh": "某个人", "en": "somebody"}[spoken_in]
    kinds = [kind_of(name), *(kind_of(tag) or _KINDS.get(tag, "") for tag in concept.tags)]
    return next((kind for kind in kinds if kind and has_cjk(kind) == (spoken_in == "zh")), "")


def _first_clause(description: str) -> str:
    """What a description begins with; nothing, if that is one word with a colon, a heading (*Personality: …*)."""
    end = _CLAUSE_END.search(description)
    clause = description[: end.start()].strip() if end else description
    is_heading = end is not None and end[0][0] in ":：" and len(clause.split()) == 1
    return "" if is_heading else clause


def _things(text: str) -> Iterator[Unit]:
    """Everyday things: a cat is an animal."""
    for begin, end in words_of(text):
        if end - begin <= 20 and (kind := kind_of(text[begin:end])):
            yield Unit(begin, end, kind)


# -- times ----------------------------------------------------------------------------------------------------------------------


def _times(text: str, spoken_in: str, pace: float) -> Iterator[Unit]:
    months = {(mention.begin, mention.end): mention.start.month for mention in find_times(text, _OTHER_DAY)}
    for mention in find_times(text, _SOME_DAY):
        named = months.get((mention.begin, mention.end)) == mention.start.month
        yield Unit(mention.begin, mention.end, _about(mention, spoken_in, names_month=named), None, pace)


_SEASONS = {"zh": ("冬天", "春天", "夏天", "秋天"), "en": ("winter", "spring", "summer", "autumn")}
_MONTHS = {
    "zh": ("一月", "二月", "三月", "四月", "五月", "六月", "七月", "八月", "九月", "十月", "十一月", "十二月"),
    "en": (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ),
}
_HOURS = {
    "zh": ((4, "夜里"), (11, "早上"), (13, "中午"), (18, "下午"), (24, "晚上")),
    "en": ((4, "the night"), (11, "the morning"), (13, "about noon"), (18, "the afternoon"), (24, "the evening")),
}
_DATED = re.compile(r"\d\s*[日号./-]|月|[a-z]\.? \d|\d(?:st|nd|rd|th)?(?: of)? [a-z]|\d{4}", re.IGNORECASE)


def _about(mention: TimeMention, spoken_in: str, *, names_month: bool) -> str:
    """The time, less exactly: of an hour the part of the day, of a date the month, of a month the season. ``names_month``: its
    words say which month it is, whenever they are said."""
    length = mention.stop - mention.start
    is_zh = spoken_in == "zh"
    if length < timedelta(hours=20):
        return next(part for until, part in _HOURS[spoken_in] if mention.start.hour < until)
    if length <= timedelta(days=2):
        month = _MONTHS[spoken_in][mention.start.month - 1]
        if names_month and _DATED.search(mention.text):
            return f"{month}的一天" if is_zh else f"one day in {month}"
        return "有一天" if is_zh else "one day"
    if length <= timedelta(days=14) or (length <= timedelta(days=62) and not names_month):
        return "有段时间" if is_zh else "some week" if length <= timedelta(days=14) else "some month"
    if length <= timedelta(days=62):
        season = _SEASONS[spoken_in][mention.start.month % 12 // 3]
        return f"{season}的时候" if is_zh else season
    if re.search(r"[12]\d{3}", mention.text) and length > timedelta(days=300):
        decade = mention.start.year // 10 * 10
        return f"{decade}年代" if is_zh else f"the {decade}s"
    return "有一年" if is_zh else "one year"


# -- numbers --------------------------------------------------------------------------------------------------------------------

_MEASURES = (
    "个只条头匹斤两克吨米里升块元角分年月天日周岁次回遍人口位名张件套双杯瓶碗"
    "盘盒包袋本页部台辆架层楼间家所场首颗粒朵棵种样份篇句段"
)
_ZH_NUMBER = re.compile(rf"(\d+(?:\.\d+)?|[{ZH_NUMERAL}]+)([万亿]?)(公斤|公里|千克|小时|分钟|[{_MEASURES}])")
_EN_WORDS = "|".join(word for word, value in EN_NUMBERS.items() if value > 1)
_EN_NUMBER = re.compile(rf"(?<![\w.,:/-])(?:\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?|{_EN_WORDS})(?![\w:/-]|[.,]\d)", re.IGNORECASE)
_CODE = re.compile(r"(?<![A-Za-z0-9_.,])(?:\+\d{1,3}[ -])?\d(?:[ -]?\d){4,}(?![A-Za-z0-9_]|[.,]\d)")
_ZH_ABOUT = ((7, "几"), (16, "十来"), (60, "几十"), (160, "上百"), (1_000, "几百"), (10_000, "几千"), (1e8, "好几万"))
_EN_ABOUT = (
    (7, "a few"),
    (16, "about ten"),
    (60, "dozens"),
    (160, "about a hundred"),
    (1_000, "hundreds"),
    (10_000, "thousands"),
    (1e8, "many thousands"),
)


def _numbers(text: str, spoken_in: str, pace: float) -> Iterator[Unit]:
    codes = [match.span() for match in _CODE.finditer(text)]
    is_zh = spoken_in == "zh"
    for begin, end in codes:
        yield Unit(begin, end, "一串数字" if is_zh else "some number", Anchor.FORCED)
    for match in _ZH_NUMBER.finditer(text):
        value = _value(match[1], zh_number) * {"万": 1e4, "亿": 1e8}.get(match[2], 1)
        unit = Unit(*match.span(), f"{_roughly(value, _ZH_ABOUT, '无数')}{match[3]}", None, pace)
        if value > 1 and _is_free(unit, codes):
            yield unit
    if is_zh:
        return
    for match in _EN_NUMBER.finditer(text):
        value = _value(match[0].replace(",", ""), lambda word: EN_NUMBERS[word.lower()])
        unit = Unit(*match.span(), _roughly(value, _EN_ABOUT, "countless"), None, pace)
        if value > 1 and _is_free(unit, codes):
            yield unit


def _value(text: str, in_words: Callable[[str], int]) -> float:
    try:
        return float(text)
    except ValueError:
        try:
            return in_words(text)
        except ValueError:
            return 0.0


def _roughly(value: float, steps: Iterable[tuple[float, str]], most: str) -> str:
    return next((words for until, words in steps if value < until), most)


# -- what is kept ---------------------------------------------------------------------------------------------------------------

#: Words of strong feeling, of life and death; and giving one's word.
_FELT = re.compile(
    r"\b(?:(?:I|we)(?:'ve| have| had)? (?:promised?|swore|swear|vow(?:ed)?|gave (?:my|our) word)|I(?:'ll| will) never"
    r"|died?|dead|death|killed|married|divorced|pregnant|born|cried|crying|loved?|hate[ds]?|afraid|terrified|furious|heartbroken"
    r"|ashamed|betrayed|proud)\b"
    r"|我(?:们)?(?:答应|保证|发誓|承诺)|去世|死了|离婚|结婚|怀孕|出生|大哭|哭了|吓坏|害怕|心碎|恨|爱上|背叛|绝望|愤怒|骄傲",
    re.IGNORECASE,
)


def _kept(text: str) -> Iterator[Unit]:
    return (Unit(*match.span(), "", Anchor.SPONTANEOUS) for match in _FELT.finditer(text))
