"""Whom a given name means that stands alone: *Kit*, where the texts name Kit Marlow; 小满, where they name 林小满 (pure).

Told only where nobody else can be meant: one full name goes with the given name, the texts say of both what is said of people
alone, and nowhere use the given name as a word or a place. A surname alone is nobody's: families share it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from soulmem.text._entities_zh import given_name
from soulmem.text.callings import TITLES
from soulmem.text.language import has_cjk
from soulmem.text.names import normal_name
from soulmem.text.stopwords import stop_words, words_of

#: A full name has at most so many words.
_MOST_WORDS = 3
_WORD = re.compile(r"[A-ZÀ-ÖØ-Þ][^\W\d_]+(?:[-'’][^\W\d_]+)*")
#: First words of what people are called that are no given names.
_NO_GIVEN = (
    TITLES
    | stop_words()
    | words_of(
        """
captain king queen prince princess madame monsieur father mother brother sister grandma grandpa granny gran nan mum mom dad
cousin saint sergeant general colonel major judge president inspector detective officer nurse coach chef master lieutenant
old young little big new great north south east west upper lower
"""
    )
)
_ADVERBS = r"(?:(?:never|always|often|still|just|also|only|even|really|already|once|then|has|had|and\s+I)\s+){0,2}"
_DOES = (
    r"(?:said|says|told|tells|asked|asks|thinks|thought|knows|knew|wants|wanted|promised|promises|laughed|laughs|smiled|smiles"
    r"|married|remembers|remembered|forgets|forgot|believes|believed|hopes|hoped|likes|loves|loved|hates|hated|plays|played|sings"
    r"|sang|writes|wrote|works|worked|lives|lived|teaches|taught|cooks|cooked|phoned|called|texted|borrowed|invited|bought|buys"
    r"|drinks|drank|ate|eats|cried|whispered|shouted|apologi[sz]ed|agreed|refused|complained)\b"
)
_KIN = (
    r"(?:friend|neighbou?r|boss|teacher|colleague|partner|cousin|child|doctor|mate|mentor|tutor|coach|apprentice|student|flatmate"
    r"|roommate|husband|wife|father|mother|dad|mum|mom|brother|sister|son|daughter|uncle|aunt|grandfather|grandmother|nephew|niece"
    r"|boyfriend|girlfriend)"
)
_OWN = r"(?:[Mm]y|[Yy]our|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir)"
#: What is said of people alone, before and after a name.
_PERSON_BEFORE = (
    r"(?:\b(?:met|meet|ask|asked|tell|told|thank|thanked|hug|hugged|kissed|married|marry|invite|invited|phone|phoned|texted|somebody"
    r"\s+called|someone\s+called|somebody\s+named|someone\s+named)"
    rf"|\b{_OWN}\s+(?:[a-z]+\s+)?{_KIN}(?:\s+(?:called|named|is|was))?,?|\b[Hh]ow(?:\s+is|['’]s)|\b[Ww]ho(?:\s+is|['’]s))\s+"
)
_PERSON_AFTER = (
    rf"(?:\s+{_ADVERBS}{_DOES}|\s+and\s+(?:I|he|she)\b|['’]s\s+{_KIN}\b"
    rf"|(?:,|\s+is|\s+was)\s+(?:{_OWN}|an?\s+(?:old\s+)?)\s*(?:[a-z]+\s+)?{_KIN}\b)"
)
#: What stands before things and places.
_THING_BEFORE = (
    r"\b(?:[Ii]n|[Aa]t|[Nn]ear|[Ii]nto|[Aa]round|[Aa]cross|[Vv]ia|[Oo]utside|[Ii]nside|[Vv]isit(?:ed|ing)?|[Tt]he|[Aa]n?)\s+"
)

_ADVERBS_ZH = r"(?:也|就|都|还|又|才|已经|刚刚?|总是?|从来|昨天|今天|昨晚|今早|上次|以前|后来|常常?|一直){0,3}"
_PERSON_BEFORE_ZH = (
    r"(?:[问跟找让陪帮]|告诉|拜托|感谢|遇[到见]|碰[到见]|见[到过]|认识|请教?|嫁给?|我叫|名叫|她叫|他叫"
    r"|(?:朋友|同学|同事|邻居|室友|闺蜜|老板|姐姐|妹妹|哥哥|弟弟|女儿|儿子|老师|表[姐妹哥弟]|堂[姐妹哥弟])(?:名?叫|是)?)(?:了|过)?"
)
_PERSON_AFTER_ZH = (
    rf"(?:{_ADVERBS_ZH}(?:说|问|告诉|觉得|认为|喜欢|讨厌|答应|拒绝|不会|笑|哭|生气|打电话|发消息|结婚)"
    r"|最近(?:怎么样|好吗|还好|在)|[姐哥]|的(?:妈妈|爸爸|姐姐|妹妹|哥哥|弟弟|奶奶|爷爷|丈夫|妻子|老公|老婆|男友|女友|朋友|生日))"
)
#: What is said of people, but of a day too: 小满吃什么.
_DOES_ZH = rf"{_ADVERBS_ZH}(?:想|会|买|吃|搬|住|带|送|借)"
_THING_BEFORE_ZH = r"(?:[在去往从回是逢近]|(?<![遇碰见看找等想听说谈提])[到过]了?)"
#: But *at Kit's*: 在小满家.
_THEIRS_ZH = r"(?!家|那[里儿]|身|的?生日)"
_THING_AFTER_ZH = r"(?:节气?|时节|前后|那天|这天|当天|当日|季)"
_SOLAR_TERMS = words_of(
    "立春 雨水 惊蛰 春分 清明 谷雨 立夏 小满 芒种 夏至 小暑 大暑 立秋 处暑 白露 秋分 寒露 霜降 立冬 小雪 大雪 冬至 小寒 大寒"
)
_SOLAR_TERM = re.compile("节气")
#: Surnames that are words too, so that 向小满 may be *to Xiaoman*.
_WORD_SURNAMES = frozenset("向关常任万方经易安古于和")

#: Stands in a text for the name that is looked for: no pattern is compiled for each name. No text has it.
_NAME = "\ue000"
_PERSON = re.compile(f"{_PERSON_BEFORE}{_NAME}|{_NAME}{_PERSON_AFTER}")
_THING = re.compile(f"{_THING_BEFORE}{_NAME}(?!['’])")
_PERSON_ZH = re.compile(f"{_PERSON_BEFORE_ZH}{_NAME}|{_NAME}(?:{_PERSON_AFTER_ZH}|{_DOES_ZH})")
_PERSON_NOT_TERM_ZH = re.compile(f"{_PERSON_BEFORE_ZH}{_NAME}|{_NAME}{_PERSON_AFTER_ZH}")
_THING_ZH = re.compile(f"{_THING_BEFORE_ZH}{_NAME}{_THEIRS_ZH}|{_NAME}{_THING_AFTER_ZH}")
_LETTERS = re.compile(r"(?<![\w'’-])\w[\w-]*(?:['’]\w[\w-]*)*")


def persons_of(places: Mapping[str, Collection[int]], texts: Sequence[str], known: Iterable[str] = ()) -> dict[str, str]:
    """Given name → the one full name that it certainly stands for. ``places``: names, as they are written, and which of ``texts``
    they stand in; ``known``: names besides that somebody has, in normal form."""
    forms = {normal_name(name): name for name in places}
    full: dict[str, set[str]] = defaultdict(set)
    for name in {*forms, *map(normal_name, known)}:
        full[given_name_of(name)].add(name)
    pairs = ((forms[given], *whole) for given, whole in full.items() if given and given in forms and len(whole) == 1)
    found = [(given, forms[name]) for given, name in pairs if name in forms]
    words = _words(texts) if any(not has_cjk(name) for _, name in found) else frozenset[str]()
    return {given: name for given, name in found if _is_person(given, name, _near(places, texts, given, name), words)}


def _near(places: Mapping[str, Collection[int]], texts: Sequence[str], *names: str) -> list[str]:
    return [texts[place] for place in sorted({place for name in names for place in places[name]})]


def _words(texts: Iterable[str]) -> frozenset[str]:
    """The words of ``texts`` as they are written, what an apostrophe joins both apart and together."""
    words = {word for text in texts for word in _LETTERS.findall(text)}
    return frozenset(words | {re.split("['’]", word, maxsplit=1)[0] for word in words})


def given_name_of(name: str) -> str:
    """The given name of a full name in normal form; empty where it has none that is told by its form."""
    if has_cjk(name):
        return given_name(name)
    words = name.split(" ")
    return words[0] if len(words) > 1 and words[0] not in _NO_GIVEN else ""


def _is_person(given: str, name: str, near: Sequence[str], words: Collection[str]) -> bool:
    """``near``: the texts that the two stand in; ``words``: those of all texts, which no Chinese name needs."""
    if has_cjk(name):
        return name[0] not in _WORD_SURNAMES and _is_chinese_person(given, name, near)
    parts = name.split(" ")
    if len(parts) > _MOST_WORDS or not all(map(_WORD.fullmatch, (given, *parts))) or given.lower() in words:
        return False
    marked = (_marked(near, _alone(form)) for form in (given, name))
    return all(_stands(texts, _PERSON) and not _stands(texts, _THING) for texts in marked)


def _alone(name: str) -> str:
    """A pattern of a name that is no part of a longer one."""
    return rf"(?<![\w'’-])(?<![A-Z]\.\s){re.escape(name)}(?![\w-])(?!\s(?!I\b)[A-ZÀ-Þ])"


def _is_chinese_person(given: str, name: str, near: Sequence[str]) -> bool:
    if any(map(_SOLAR_TERM.search, near)):
        return False
    person = _PERSON_NOT_TERM_ZH if given in _SOLAR_TERMS else _PERSON_ZH
    bare = f"(?<!{re.escape(name[: -len(given)])}){re.escape(given)}"
    marked = (_marked(near, form) for form in (bare, re.escape(name)))
    return all(_stands(texts, person) and not _stands(texts, _THING_ZH) for texts in marked)


def _marked(texts: Iterable[str], form: str) -> list[str]:
    """``texts`` with :data:`_NAME` in the place of what matches ``form``."""
    name = re.compile(form)
    return [name.sub(_NAME, text.replace(_NAME, " ")) for text in texts]


def _stands(texts: Iterable[str], pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(text) for text in texts)
