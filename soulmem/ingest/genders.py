"""Whom *he* and *she* (他、她) can mean in a text about a character. Pure.

What is of one gender cannot be meant by the pronoun of the other: kin (*her brother*), those with a title (*Mrs Brandt*, 王先生),
names that the text tells the gender of (*Emil, her brother*). Of all others nothing is known: either pronoun may mean them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from soulmem.text.stopwords import stop_words


class Gender(StrEnum):
    """Of somebody, as the text has it."""

    MAN = "man"
    WOMAN = "woman"

    @property
    def other(self) -> Gender:
        return Gender.WOMAN if self is Gender.MAN else Gender.MAN


#: The names whose gender a text tells.
Known = Mapping[str, Gender]

_PRONOUNS = dict.fromkeys(("he", "his", "him", "himself", "他"), Gender.MAN) | dict.fromkeys(
    ("she", "her", "hers", "herself", "她"), Gender.WOMAN
)


def gender_of(pronoun: str) -> Gender | None:
    """That of *he* and *she*; none of *they* and of what is no pronoun."""
    return _PRONOUNS.get(pronoun.casefold())


_MEN = r"husband|father|dad|brother|son|uncle|grandfather|grandpa|boyfriend|nephew|man|boy|king|stepfather|widower|gentleman"
_MEN_TITLES = r"Mr(?!s)|Sir|Lord"
_WOMEN = r"wife|mother|mum|mom|sister|daughter|aunt|grandmother|grandma|girlfriend|niece|woman|girl|queen|stepmother|widow|lady"
_WOMEN_TITLES = r"Mrs|Ms|Miss|Lady|Madam"
_EITHER = (
    r"friend|neighbou?r|boss|teacher|colleague|partner|cousin|child|parent|doctor|master|captain|mate"
    r"|mentor|professor|tutor|coach|apprentice|pupil|student"
)
_NAME = r"[A-ZÀ-Þ][a-zà-ÿ]+"
_KIN = rf"(?:(?P<man>(?i:{_MEN})|{_MEN_TITLES})|(?P<woman>(?i:{_WOMEN})|{_WOMEN_TITLES})|(?i:{_EITHER}))s?\b"
#: Somebody, with the name that stands behind (*her brother Emil*).
_PERSON = re.compile(rf"\b{_KIN}\.?(?:\s+(?:(?:called|named|is|was)\s+)?(?P<name>{_NAME}(?:\s+{_NAME}){{0,2}}))?")
#: Words with a capital that name nobody.
_NOBODY = (
    r"I|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|June|July|August|September|October|November|December"
    r"|Christmas|Easter|English|French|German|Chinese|Spanish|Italian|God"
)
_BEHIND = r"(?<!\A)(?<!\bin )(?<!\bat )(?<!\bfrom )(?<!\bto )(?<!\bnear )(?<!\bof )(?<![.!?] )(?<![\w“\"])"
_NAMED = re.compile(rf"{_BEHIND}(?!(?:{_NOBODY})\b){_NAME}\b")
_MEN_ZH = r"丈夫|老公|父亲|爸爸?|哥哥?|弟弟?|儿子|叔叔?|舅舅?|爷爷?|外公|男友|男朋友|男人|先生|师兄|师弟|师公"
_WOMEN_ZH = (
    r"妻子|老婆|母亲|妈妈?|姐姐?|妹妹?|女儿|姨妈?|姑姑?|奶奶|外婆|女友|女朋友|女人|女士|太太|小姐|夫人|师母|师娘|师姐|师妹"
)
_KIN_ZH = (
    rf"(?:(?P<man>{_MEN_ZH})|(?P<woman>{_WOMEN_ZH})|朋友|邻居|同事|老板|老师|同学|师傅|师父|徒弟|导师|教授|搭档|医生)"
    r"(?:(?:名?叫|是)?(?P<name>[老小阿](?![姨姑时是爷])[\u4e00-\u9fff]))?"
)
_PERSON_ZH = re.compile(rf"{_KIN_ZH}|(?P<alone>[老小阿][\u4e00-\u9fff])")
#: *Emil, her brother*; *Emil is her brother*.
_IS_KIN = re.compile(rf"\b(?P<of>{_NAME})(?:,|\s+(?:is|was))\s+(?:his|her|their|my|the|an?|{_NAME}['’]s)\s+(?:[a-z]+\s+)?{_KIN}")
_ADJECTIVE = (
    r"(?:two|three|four|only|own|late|dear|elder|eldest|older|oldest|younger|youngest|twin|old|new|young|little|small|big|tall|long|short"
    r"|dark|black|white|gr[ea]y|red|blue|green|brown|blond|left|right|favou?rite)"
)
_BEGIN = rf"\A(?:(?:His|Her|Their|My|The|An?)\s+)?(?:{_ADJECTIVE},?\s+){{0,2}}"
#: The subject of a sentence: somebody, but not what is theirs.
_SUBJECT = re.compile(rf"{_BEGIN}{_KIN}(?!['’]|-(?!in-law))")
#: What belongs to somebody and is nobody: neither pronoun means it.
_THING = re.compile(
    rf"{_BEGIN}(?:eyes?|hair|beard|skin|voice|face|hands?|house|home|room|boat|ship|lighthouse|shop|coat|clothes|life|childhood|birthday"
    r"|name|job|work|dream|hobby|hobbies|food|colou?r|book|song|drink|fear|secret)\b(?!['’-])"
)
_THING_ZH = re.compile(
    r"\A[他她我]?的?(?:头发|眼睛|声音|嗓音|房间|房子|个子|皮肤|性格|脾气|生日|爱好|名字|工作(?!人))(?!的[^，,。]{1,4}[人者])"
)
_SUBJECT_ZH = re.compile(rf"\A(?:[他她我]的?)?[\u4e00-\u9fff]{{0,2}}?(?>{_KIN_ZH})(?!的)")
_FIRST_NAME = re.compile(rf"\A(?P<name>{_NAME})\b(?!['’])")
_FIRST_PRONOUN = re.compile(r"\A(?P<word>(?:he|she)\b|[他她](?![们的]))", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:he|she|his|her|him|himself|herself)\b|[他她](?!们)", re.IGNORECASE)


_DIED = re.compile(
    rf"{_BEGIN}{_KIN}(?:\s+{_NAME}){{0,2}}(?:,\s+[^,]{{1,40}},)?\s+(?:(?:has|had|have|is|was|long|since|already)\s+){{0,2}}"
    r"(?P<end>died|passed\s+away|dead|killed)\b[^A-Z]*\Z"
)
_DIED_ZH = re.compile(
    rf"\A[他她我]?的?(?>{_KIN_ZH})[\u4e00-\u9fff]{{0,4}}?[，,]?(?:(?:在|于)?(?:[一二三四五六七八九十百几两多半\d]{{1,4}}(?:个?[年月天日周])"
    r"(?:多?以?前)?|去年|前年|今年|早年|上个?月|不久前|很久以前|多年前))?[就都早已经]{0,3}(?P<end>去世|过世|病逝|逝世|离世|病故|身亡|死)"
    r"(?:了|多年|很久|得早)?了?[。！]?\Z"
)


def is_of_the_dead(sentence: str, names: Sequence[str]) -> bool:
    """Whether a sentence says that somebody died, and speaks of nobody else beside the character."""
    bare = _bare(sentence, names)
    match = _DIED.match(bare) or _DIED_ZH.match(bare)
    return match is not None and not list(_people(bare[match.start("end") :], (), {}))


def is_of_nobody_beside(sentence: str, names: Sequence[str]) -> bool:
    """Whether a sentence begins with a pronoun and mentions nobody beside whom that means."""
    return _FIRST_PRONOUN.match(sentence) is not None and not list(_people(sentence, names, {}))


def is_of_somebody(sentence: str) -> bool:
    """Whether the subject of a sentence is kin, or somebody like it (*His mother …*)."""
    return (_SUBJECT.match(sentence) or _SUBJECT_ZH.match(sentence)) is not None


def without_names(text: str, names: Sequence[str]) -> str:
    """``text`` without the names of the character, nor the parts of them."""
    return _parts_of(tuple(names)).sub(" ", text) if names else text


@lru_cache(maxsize=64)
def _parts_of(names: tuple[str, ...]) -> re.Pattern[str]:
    forms = {form for name in names for form in (name, *name.split())}
    return re.compile("|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True)))


def _people(text: str, names: Sequence[str], known: Known) -> Iterator[Gender | None]:
    """Those whom ``text`` mentions beside the character, by what is known of their gender."""
    left = without_names(text, names)
    for pattern in (_PERSON, _PERSON_ZH):
        yield from (_of_match(match) for match in pattern.finditer(left))
        left = pattern.sub(" ", left)
    yield from (known.get(match[0]) for match in _NAMED.finditer(left))


def _of_match(match: re.Match[str]) -> Gender | None:
    return Gender.MAN if match["man"] else Gender.WOMAN if match["woman"] else None


def is_somebody_beside(before: str, pronoun: str, names: Sequence[str] = (), known: Known | None = None) -> bool:
    """Whether ``pronoun`` may mean somebody whom the sentence ``before`` mentions beside the character; ``names``: those of the
    character."""
    meant = gender_of(pronoun)
    return any(one is None or meant is None or one is meant for one in _people(before, names, known or {}))


def is_only_of(gender: Gender, sentence: str, names: Sequence[str], known: Known) -> bool:
    """Whether a sentence that is not about the character is about somebody of ``gender`` for certain, or a thing, and mentions
    nobody else."""
    is_told = _is_thing(sentence, names) or _subject(sentence, names, known) is gender
    return is_told and all(one is gender for one in _people(sentence, names, known))


def _bare(sentence: str, names: Sequence[str]) -> str:
    """*Mara's brother sings* as *brother sings*."""
    return re.sub(r"\A\s+(?:['’]s\s+|的)?", "", without_names(sentence, names))


def _is_thing(sentence: str, names: Sequence[str]) -> bool:
    bare = _bare(sentence, names)
    return (_THING.match(bare) or _THING_ZH.match(bare)) is not None


def _subject(sentence: str, names: Sequence[str], known: Known) -> Gender | None:
    if match := _FIRST_PRONOUN.match(sentence):
        return gender_of(match["word"])
    bare = _bare(sentence, names)
    if match := _SUBJECT.match(bare) or _SUBJECT_ZH.match(bare):
        return _of_match(match)
    first = _FIRST_NAME.match(bare)
    return known.get(first["name"]) if first else None


def own_gender(told: Iterable[tuple[str, bool]], names: Sequence[str]) -> Gender | None:
    """The gender of the character, by the pronouns that can mean nobody else; none where they do not agree. ``told``: sentences
    of a text, each with whether it begins with the name of the character."""
    votes: Counter[Gender] = Counter()
    before, meant = "", None  # a sentence that begins with the character, or none; by which pronoun since its name
    for sentence, is_named in told:
        meant = None if is_named else meant
        said = _own_pronoun(sentence, "" if is_named else before, is_named, names)
        if said is not None and meant in (None, said):
            votes[said] += 1
            before, meant = sentence, said
        else:
            before = sentence if is_named else ""
    return next((gender for gender in Gender if votes[gender] > 2 * votes[gender.other]), None)


def _own_pronoun(sentence: str, before: str, is_named: bool, names: Sequence[str]) -> Gender | None:
    """The gender of the first pronoun, where it can only mean the character: behind its name in the sentence, or at the beginning
    behind the sentence ``before`` that is about it."""
    pronoun = _PRONOUN.search(sentence)
    if pronoun is None or not (is_named or (before and pronoun.start() == 0)):
        return None
    beside = sentence[: pronoun.start()] if is_named else before
    return None if is_somebody_beside(beside, pronoun[0], names) else gender_of(pronoun[0])


def known_names(sentences: Sequence[str], names: Sequence[str], own: Gender | None) -> dict[str, Gender]:
    """The names of others whose gender the text tells: of kin, with a title, or by a pronoun that cannot mean the character.
    ``own``: the gender of the character. What is told both ways is not known."""
    words = {word for sentence in sentences for word in re.findall(r"\b[a-z]+\b", sentence)}
    found: dict[str, set[Gender]] = {}
    for number, sentence in enumerate(sentences):
        for name, gender in _told_names(without_names(sentence, names)):
            found.setdefault(name, set()).add(gender)
        only = _only_name(sentence, names, words) if own else None
        after = _FIRST_PRONOUN.match(sentences[number + 1]) if only and number + 1 < len(sentences) else None
        if own and only and after and gender_of(after["word"]) is own.other:
            found.setdefault(only, set()).add(own.other)
    return {name: next(iter(genders)) for name, genders in found.items() if len(genders) == 1}


def _told_names(text: str) -> Iterator[tuple[str, Gender]]:
    for pattern, group in ((_PERSON, "name"), (_PERSON_ZH, "name"), (_IS_KIN, "of")):
        for match in pattern.finditer(text):
            gender = _of_match(match)
            if match[group] and gender:
                yield from ((name, gender) for name in {match[group], match[group].split()[0]})


def _only_name(sentence: str, names: Sequence[str], words: set[str]) -> str | None:
    """The one name in a sentence that mentions nobody else."""
    bare = without_names(sentence, names)
    if _PERSON.search(bare) or _PERSON_ZH.search(bare):
        return None
    first = _FIRST_NAME.match(bare)
    is_name = first is not None and first["name"].casefold() not in stop_words() and first["name"].casefold() not in words
    found = [match[0] for match in _NAMED.finditer(bare)] + ([first["name"]] if first and is_name else [])
    return found[0] if len(set(found)) == 1 else None
