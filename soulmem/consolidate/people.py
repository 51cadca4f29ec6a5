"""Whom a pronoun means, told only where there is one answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from soulmem.consolidate.english import is_past
from soulmem.text.language import HAN, has_cjk
from soulmem.text.stopwords import stop_words, words_of

#: Relatives and others one has, by gender (``f``, ``m``, ``n`` for animals, ``p`` for several, "" for either), Chinese.
KIN_ZH: Mapping[str, str] = {
    **dict.fromkeys(
        words_of(
            """
妈妈 老妈 母亲 妈 奶奶 外婆 姥姥 姐姐 妹妹 姐 妹 老婆 妻子 媳妇 女朋友 女友 女儿 闺女 闺蜜 姑姑 姑妈
舅妈 姨妈 小姨 婶婶 表姐 表妹 堂姐 堂妹 侄女 外甥女 孙女 外孙女 嫂子 岳母 婆婆 前女友 未婚妻
"""
        ),
        "f",
    ),
    **dict.fromkeys(
        words_of(
            """
爸爸 老爸 父亲 爸 爷爷 外公 姥爷 哥哥 弟弟 哥 弟 老公 丈夫 男朋友 男友 儿子 舅舅 伯伯 表哥 表弟 堂哥
堂弟 侄子 外甥 孙子 外孙 姐夫 妹夫 岳父 公公 前男友 未婚夫 兄弟
"""
        ),
        "m",
    ),
    **dict.fromkeys(
        words_of(
            """
孩子 室友 舍友 同事 同学 同桌 朋友 老板 领导 上司 经理 师父 师傅 徒弟 老师 导师 邻居 房东 搭档 队友 学生
"""
        ),
        "",
    ),
    **dict.fromkeys(
        words_of(
            """
猫 狗 猫咪 狗狗 小猫 小狗 宠物 兔子 仓鼠 鹦鹉 乌龟
"""
        ),
        "n",
    ),
    **dict.fromkeys(words_of("爸妈 父母 公婆 岳父母 爷爷奶奶 外公外婆 姥姥姥爷 孩子们 同事们 室友们"), "p"),
}
#: Of these everyone has their own, so that 妈妈 alone is the speaker's.
OWN_ZH = words_of(
    """
妈妈 老妈 妈 奶奶 外婆 姥姥 爸爸 老爸 爸 爷爷 外公 姥爷 老婆 老公 媳妇 岳母 岳父 婆婆 女朋友 男朋友
女儿 儿子
"""
)
KIN_EN: Mapping[str, str] = {
    **dict.fromkeys(
        words_of(
            """
mother mom mum mama sister daughter wife girlfriend aunt niece grandmother grandma gran granny nan mummy bride fiancée fiancee
stepmother stepsister mother-in-law sister-in-law godmother granddaughter ex-wife ex-girlfriend
"""
        ),
        "f",
    ),
    **dict.fromkeys(
        words_of(
            """
father dad daddy papa brother son husband boyfriend uncle nephew grandfather grandpa granddad grandson fiancé fiance
stepfather stepbrother father-in-law brother-in-law godfather ex-husband ex-boyfriend
"""
        ),
        "m",
    ),
    **dict.fromkeys(
        words_of(
            """
cousin friend roommate flatmate colleague coworker boss manager supervisor mentor teacher tutor coach neighbour
neighbor landlord landlady partner spouse child kid baby twin student apprentice assistant therapist doctor classmate
ex bestie
"""
        ),
        "",
    ),
    **dict.fromkeys(
        words_of(
            """
cat dog puppy kitten hamster rabbit parrot horse turtle tortoise pet
"""
        ),
        "n",
    ),
    **dict.fromkeys(words_of("parents grandparents in-laws brothers sisters kids children sons daughters friends cousins"), "p"),
}
_ZH = "|".join(sorted(KIN_ZH, key=lambda kin: (-len(kin), kin)))
_EN = "|".join(sorted(KIN_EN, key=lambda kin: (-len(kin), kin)))
KIN_ZH_PATTERN = f"(?:{_ZH})"
KIN_EN_PATTERN = rf"(?:{_EN})"
_OWNED_ZH = re.compile(rf"我(?:们?家的?|的)?(?P<kin>{_ZH})(?![{HAN}]?[店房]|朋友)")
_ALONE_ZH = re.compile(rf"(?<![{HAN}])(?P<kin>{'|'.join(sorted(OWN_ZH, key=lambda kin: -len(kin)))})(?![们妹])")
_OWNED_EN = re.compile(rf"\b(?:[Mm]y|[Oo]ur)\s+(?:\w+\s+)?(?P<kin>{_EN})\b")

_YOURS_ZH = re.compile(rf"[你您](?:们?家的?|的)?(?P<kin>{_ZH})(?![{HAN}]?[店房]|朋友)")
_YOURS_EN = re.compile(rf"\b[Yy]our\s+(?:(?!my\b)[a-z]+\s+)?(?P<kin>{_EN})\b")
_SOMEBODYS_EN = re.compile(rf"(?:\b(?:an?|his|her|their|the|one|another)\s+(?:[a-z]+\s+)?|\b\w{{1,60}}['’]s\s+)(?P<kin>{_EN})\b")
_SOMEBODYS_ZH = re.compile(rf"(?:[个位名只他她]|(?<!我)(?<!你)的)(?P<kin>{_ZH})")
_ANY_KIN = re.compile(
    rf"\b(?:my|your|his|her|our|their|the)\s+(?:[a-z]+\s+)?(?:{_EN})\b|[我你您他她](?:们?家的?|的)?(?:{_ZH})", re.I
)

#: Who answers speaks of whom the line before names; animals are called *it* for some lines more.
REACH = 3

_PRONOUN = re.compile(
    r"(?P<zh>(?<![其吉排])[他她它](?![们人]|妈的))"
    r"|\b(?P<subject>[Hh]e|[Ss]he)\b(?P<be>['’](?:s|ll|d)\b)?|\b(?P<him>him|himself|herself)\b|\b(?P<his>[Hh]is|hers)\b"
    r"|\b(?P<her>[Hh]er)\b"
)
_HER_ALONE = re.compile(
    r"\s*(?:$|[^\w\s]|(?:to|in|at|on|with|for|and|but|when|up|out|off|from|about|a|an|the|my|that|if|before|after|by|into"
    r"|over|back"
    r"|again|so|all|there|here|last|as|or|very|too|every|because|while|yesterday|today|tomorrow|\d)\b)",
    re.I,
)
#: Animals that are no word of relatives, and people of whom nothing but the gender is said: *a pony*, *the woman next door*.
_OTHER_ANIMALS = words_of(
    "pup bird fish foal pony goat lamb calf mule donkey cow hen rooster duck goose piglet pig mouse rat ferret snake"
)
_PEOPLE = {
    **dict.fromkeys(words_of("man boy guy gentleman lad bloke chap king prince"), "m"),
    **dict.fromkeys(words_of("woman girl lady queen princess"), "f"),
    **dict.fromkeys(words_of("stranger person infant toddler newborn doll robot"), ""),
}
_BEING = "|".join(sorted((*_OTHER_ANIMALS, *_PEOPLE)))
_BEINGS = re.compile(
    r"(?<!\bis )(?<!\bwas )(?<!\bbe )(?<!['’]s )\b(?:an?|the|this|that|one|another|some)\s+(?:[a-z-]+\s+){0,2}?"
    rf"(?P<being>{_BEING})\b"
)
#: Whom one gives a name to: *I called him Ratchet*.
_NAMES_WHOM = re.compile(r"\b(?:call|name|christen|dub|nickname)(?:s|ed|d|n?ing)?\s+\Z", re.I)
#: That somebody is no more: *Biscuit died in July*.
_DIED = re.compile(
    r"\s+(?:has\s+|had\s+|just\s+|sadly\s+)*(?:died|passed\s+away|was\s+put\s+(?:down|to\s+sleep)|is\s+(?:dead|gone))\b|(?:去世|死|过世|走)了"
)
#: What is said of the dead: *he was twelve*.
_OF_THE_DEAD = re.compile(r"\s*(?:was|were|had|lived|is\s+buried)\b", re.I)
#: Marks what may be a name.
_UNKNOWN = "\ue001"
_MAY_BE_NAME = re.compile(r"\s*([A-Z][a-z]{2,})\s+([a-z]+)")
_GENDERS = {"他": "m", "她": "f", "它": "n", "he": "m", "him": "m", "himself": "m", "his": "m"}


def possessive(name: str) -> str:
    """``Wren's``; 小红的."""
    return f"{name}的" if has_cjk(name) else f"{name}'s"


def kin_label(owner: str, kin: str) -> str:
    """How somebody's relative is called who has no other name: 小红的妈妈, ``Wren's sister``."""
    return f"{possessive(owner)}{'' if has_cjk(owner) else ' '}{kin}"


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody or something that was named: ``gender`` as in :data:`KIN_ZH`, ``None`` when nothing tells."""

    label: str
    gender: str | None
    message: int


@dataclass(slots=True)
class Discourse:
    """Who was named lately, message by message. ``forms``: form → canonical name; labels of relatives join them. ``speakers`` are
    never meant by *she*: whoever is there is *you*. ``animals``: who is known to be one, of whom
    people say *he* and *she* too; ``gone``: who died."""

    speakers: frozenset[str]
    forms: dict[str, str]
    genders: dict[str, str] = field(default_factory=dict)
    animals: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    named: list[Named] = field(default_factory=list)

    def hear(self, text: str, speaker: str, message: int) -> None:
        """Note who is named in ``text``, of the ``message``-th message, said by ``speaker``."""
        self._hear_unknown(text, message)
        for label, gender in (*self._relatives(text, speaker), *((name, None) for name in names_in(text, self.forms))):
            label = self.forms.get(label, label)
            if label not in self.speakers and not _is_somewhere(label, text):
                self.named.append(Named(label, self.genders.get(label, gender), message))
                if gender == "n":
                    self.animals.add(label)
                if _has_died(label, text):
                    self.gone.add(label)

    def _relatives(self, text: str, speaker: str) -> Iterator[tuple[str, str]]:
        """The relatives in ``text``; one who is named right behind (我妹妹叫小雅, *my sister Greta*) is whoever has that name."""
        others = self.speakers - {speaker}
        for label, gender, end in _relatives(text, speaker, next(iter(others)) if len(others) == 1 else ""):
            match = _NAMED_BEHIND.match(text, end)
            form = next((form for form in self.forms if match and _stands(form, text, match)), None)
            if form is not None and self.forms[form] not in self.speakers:
                self.genders.setdefault(self.forms[form], gender)
                yield self.forms[form], gender
            else:
                yield label, gender

    def _hear_unknown(self, text: str, message: int) -> None:
        """A capital at the beginning of a sentence may be an unknown name, and *a sister* of somebody's has none: neither is ever
        meant, but both make others doubtful."""
        for kin in (*_SOMEBODYS_EN.finditer(text), *_SOMEBODYS_ZH.finditer(text)):
            if not any(one.label == kin[0] or kin[0] in one.label for one in self.named):
                gender = KIN_ZH[kin["kin"]] if has_cjk(kin["kin"]) else KIN_EN[kin["kin"].casefold()]
                self.named.append(Named(_UNKNOWN + kin["kin"], gender, message))
        for being in _BEINGS.finditer(text):
            self.named.append(Named(_UNKNOWN + being["being"], _PEOPLE.get(being["being"], "n"), message))
        match = _MAY_BE_NAME.match(text)
        if match and match[1] not in self.forms and match[1].casefold() not in stop_words() and _is_verb(match[2]):
            self.named.append(Named(_UNKNOWN + match[1], None, message))

    def only_kin(self, speaker: str, message: int, reach: int) -> str | None:
        """The one relative of ``speaker`` who was named in the last ``reach`` messages, if it is one."""
        start = possessive(speaker)
        found = {one.label for one in self.named if message - reach <= one.message <= message and one.label.startswith(start)}
        return found.pop() if len(found) == 1 else None

    def is_called(self, label: str, name: str) -> None:
        """From now on ``label`` and ``name`` are one."""
        if label in self.genders:
            self.genders[name] = self.genders[label]
        if label in self.animals or _is_animal(label):
            self.animals.add(name)
        self.named = [Named(name, one.gender, one.message) if one.label == label else one for one in self.named]
        self.forms[label] = name
        self.forms.setdefault(name, name)

    def resolved(self, text: str, speaker: str, message: int, *, opening: bool, anywhere: bool = False) -> str:
        """``text`` with names in place of *he*, *she*, 他, 她, 它, where one answer fits; the others stay as they are.

        Whoever is named before in the same message is meant if nobody else fits there. ``opening``: the text begins the message;
        then its first pronoun may mean whom the line before names; ``anywhere``: so may any, since the same speaker goes on.
        """
        parts, done, known = [], 0, len(self.named)
        for match in _PRONOUN.finditer(text):
            before = text[done : match.start()]
            self.hear(before, speaker, message)
            own = {one.label for one in self.named[known:]} if _is_object(match) else set()
            found = self._meant(match, message, own, opening=opening and (anywhere or _is_opening(text[: match.start()])))
            parts += [before, match[0] if found is None else _put(match, found)]
            done = match.end()
        self.hear(text[done:], speaker, message)
        return "".join((*parts, text[done:]))

    def _meant(self, match: re.Match[str], message: int, own: set[str], *, opening: bool) -> str | None:
        gender = _GENDERS.get((match["zh"] or match["subject"] or match["him"] or match["his"] or "her").casefold(), "f")
        here = {one.label for one in self.named if one.message == message and self._fits(one, gender)} - own
        if not here and (opening or gender == "n"):
            here = {one.label for one in self.named if self._is_near(one, gender, message) and self._fits(one, gender)} - own
        if len(here) != 1:
            return None
        label = here.pop()
        if label.startswith(_UNKNOWN) or self._is_doubtful(label, gender, match, message):
            return None
        self.genders[label] = gender
        self.forms.setdefault(label, label)
        self.named.append(Named(label, gender, message))
        return label

    def with_own(self, text: str) -> str:
        """``text`` with *his* or *her* for what is of its subject itself: *Bram broke Bram's ankle* → *Bram broke his ankle*,
        where nobody else stands between."""
        for label, gender in self.genders.items():
            own = f" {possessive(label)} "
            place = text.find(own, len(label)) if text.startswith(f"{label} ") and gender in _HIS else -1
            if place >= 0 and not has_cjk(text) and not _MAY_BE_SOMEBODY.search(text[len(label) : place]):
                return f"{text[:place]} {_HIS[gender]} {text[place + len(own) :]}"
        return text

    def _is_doubtful(self, label: str, gender: str, match: re.Match[str], message: int) -> bool:
        """Whether somebody else may be meant as well as ``label``, the only one who was named and whom the pronoun fits.

        Of whom nothing tells that they are *he* or *she*, the line before may have named another; and animals that have no
        name yet may be called either.
        """
        if gender == "n":
            return False
        last = [one for one in self.named if one.message == message]
        is_proven = self.genders.get(label) == gender or any(one.label == label and one.gender == gender for one in last)
        is_proven = is_proven and label not in self.animals
        naming = _NAMES_WHOM.search(match.string[: match.start()]) is not None
        beings = [one for one in last if one.label.startswith(_UNKNOWN)]
        if naming and (beings or not any(label.startswith(possessive(one)) for one in self.speakers)):
            return True
        new = label not in self.animals and any(one.gender == "n" for one in beings)
        if new and (not is_proven or _is_object(match) or re.match(r"\s+name\b", match.string[match.end() :])):
            return True
        if is_proven:
            return False
        if label in self.gone and match["subject"] and not _OF_THE_DEAD.match(match.string[match.end() :]):
            return True
        is_own = not match["subject"] and label in match.string[: match.start()]  # Bram broke his ankle
        before = {one.label for one in self.named if one.message == message - 1 and self._fits(one, gender)}
        return (
            not is_own
            and any(not self._is_somebodys(one) for one in before - {label})
            and any(one.label == label for one in last)
        )

    def _is_somebodys(self, label: str) -> bool:
        """Whether ``label`` is what a relative is called who has a name besides."""
        return label in self.forms and self.forms[label] != label

    def _is_near(self, one: Named, gender: str, message: int) -> bool:
        """Whether somebody of an earlier message may be meant: a mere name, which may be a shop, by who answers at once only."""
        reach = REACH if gender == "n" or self.genders.get(one.label, one.gender) else 1
        return message - reach <= one.message < message

    def _fits(self, one: Named, gender: str) -> bool:
        known = self.genders.get(one.label, one.gender)
        return known == gender or (not known and not (known == "" and gender == "n"))


_WHERE_EN = re.compile(
    r"\b(?:in|from|near|around|outside|across|(?:move[sd]?|moving|go(?:es|ing)?|went|fl(?:y|ies|ew|ying)|drove|driv(?:e|es|ing)"
    r"|travel\w*|back|trip|over|flight|train|from\s+\w+)\s+to)\s+\Z",
    re.I,
)
_WHERE_ZH = re.compile(r"(?:在|从|去|到|回|来自|飞|住|搬到了?|飞往)\Z")


def _is_somewhere(label: str, text: str) -> bool:
    """Whether ``label`` stands in ``text`` as a place does: *moved from Porto to Leeds*, 住在大连."""
    place = text.find(label)
    pattern = _WHERE_ZH if has_cjk(label) else _WHERE_EN
    return place >= 0 and pattern.search(text[max(0, place - 40) : place]) is not None


_HIS = {"m": "his", "f": "her"}
_MAY_BE_SOMEBODY = re.compile(rf"[A-Z,;:]|\b(?i:{_EN}|{_BEING}|{'|'.join(_PEOPLE)})s?\b")


def _is_animal(label: str) -> bool:
    """Whether somebody's relative is an animal: ``Wren's dog``, 小红的猫."""
    kin = label.rpartition("的" if has_cjk(label) else " ")[2]
    return "n" in (KIN_EN.get(kin.casefold()), KIN_ZH.get(kin))


def _has_died(label: str, text: str) -> bool:
    """Whether ``text`` says of ``label`` that they died."""
    place = text.find(label)
    return place >= 0 and _DIED.match(text, place + len(label)) is not None


def _is_object(match: re.Match[str]) -> bool:
    """Whether somebody is meant to whom something is done, who is not whoever does it: *my brother hates him*."""
    return (match["him"] or "").casefold() == "him" or (match["her"] is not None and _is_alone(match))


def _is_verb(word: str) -> bool:
    return is_past(word) or word in ("is", "has", "will", "does") or (len(word) > 3 and word.endswith("s"))


def _is_opening(before: str) -> bool:
    """Whether nothing but a word or two of no weight stands before."""
    return len(before) <= 12 and not re.search(r"[，,；;]\s*\S{3}", before) and len(before.split()) < 3


_HELPED = re.compile(r"\b(?:help(?:s|ed|ing)?|let(?:s|ting)?)\s+\Z", re.I)
_HERS = re.compile(
    rf"\s+(?:(?:{_EN})s?|own|[a-z]+s|project|homework|house|flat|place|car|room|business|career|life|work|family)\b", re.I
)


def _is_alone(match: re.Match[str]) -> bool:
    """Whether *her* is whom something is done to, and not whose: *help her paint*, but *help her sister*."""
    if _HER_ALONE.match(match.string, match.end()):
        return True
    return _HELPED.search(match.string[: match.start()]) is not None and not _HERS.match(match.string, match.end())


def without_kin(text: str) -> str:
    """``text`` without the relatives it speaks of: who is asked about their brother is not asked about themselves."""
    return _ANY_KIN.sub("", text)


def names_another(text: str) -> bool:
    """Whether ``text`` speaks of anybody's relative."""
    return _ANY_KIN.search(text) is not None


def _put(match: re.Match[str], label: str) -> str:
    if match["zh"] or match["him"]:
        return label
    if match["his"]:
        return possessive(label)
    if match["her"]:
        return label if _is_alone(match) else possessive(label)
    if match["be"] and re.match(r"\s+(?:been|got|had|\w{2,}ed|gone|come|done|made|taken)\b", match.string[match.end() :]):
        return label + " has"
    return label + {"s": " is", "l": " will", "d": "'d", "": ""}[(match["be"] or "'")[1:2]]


#: What stands between a relative and the name; behind a verb of naming the name ends the clause (我妹妹叫小雅, not 叫小雅来).
_NAMED_BEHIND = re.compile(
    r"(?P<verb>，?(?:名叫|名字叫|叫|是))|\s+(?:(?:is|who\s+is|whose\s+name\s+is)\s+(?:called\s+|named\s+)?|named\s+)?|,\s+|", re.I
)


def _stands(form: str, text: str, match: re.Match[str]) -> bool:
    """Whether a name stands behind what ``match`` found."""
    end = match.end() + len(form)
    if not text.startswith(form, match.end()) or (not has_cjk(form) and re.match(r"\w", text[end:])):
        return False
    return not match["verb"] or not re.match(rf"[{HAN}]", text[end:])


def _relatives(text: str, speaker: str, addressee: str) -> Iterator[tuple[str, str, int]]:
    """Label, gender, and where its word ends. ``addressee``: who is spoken to, where there is one."""
    if addressee:
        for match in _YOURS_ZH.finditer(text):
            yield kin_label(addressee, match["kin"]), KIN_ZH[match["kin"]], match.end()
        for match in _YOURS_EN.finditer(text):
            yield kin_label(addressee, match["kin"]), KIN_EN[match["kin"].casefold()], match.end()
    for match in (*_OWNED_ZH.finditer(text), *_ALONE_ZH.finditer(text)):
        yield kin_label(speaker, match["kin"]), KIN_ZH[match["kin"]], match.end()
    for match in _OWNED_EN.finditer(text):
        yield kin_label(speaker, match["kin"]), KIN_EN[match["kin"]], match.end()


def names_in(text: str, forms: Mapping[str, str]) -> Iterator[str]:
    """The canonical names of those whom ``text`` names; ``forms``: name → canonical name."""
    for form, name in list(forms.items()):
        if form in text and (has_cjk(form) or re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text)):
            yield name


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A sentence in its place. ``addressee``: who is spoken to, where only two talk. ``asked``: the line before asks the speaker
    about the speaker; ``of_another``: it speaks of somebody else; ``among_others``: so does an
    earlier sentence of the same message. ``now``: when it is said, ``None`` where there are no times."""

    speaker: str
    addressee: str | None
    asked: bool
    now: datetime | None
    message: int
    discourse: Discourse
    of_another: bool = False
    among_others: bool = False

    @property
    def forms(self) -> Mapping[str, str]:
        return self.discourse.forms

    def names(self, text: str) -> tuple[str, ...]:
        """Who and what ``text`` names."""
        return tuple(dict.fromkeys(names_in(text, self.forms)))


def one_of(names: Iterable[str]) -> str:
    """A pattern for any of ``names``, the longest first; matches nothing where there are none."""
    return _one_of(frozenset(names))


@lru_cache(maxsize=256)
def _one_of(names: frozenset[str]) -> str:
    ordered = sorted(names, key=lambda name: (-len(name), name))
    return "(?:" + "|".join(re.escape(name) for name in ordered) + ")" if ordered else r"(?!)"
