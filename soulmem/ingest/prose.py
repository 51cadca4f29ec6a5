"""A text about a character as what it says, without a model: habits, sayings and facts, each with its line. Pure.

The text may speak as the character (*I live in Halden*, 我住在北港) or of it, by name, or by *he* and *she* (他、她) where that
can be nobody else: behind a sentence that is about the character. What it says of others is no habit and no fact of the
character's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from soulmem.consolidate.english import first_person
from soulmem.consolidate.facts import Fact
from soulmem.consolidate.split import name_forms, split
from soulmem.ingest.cards.traits import is_heading, sentences
from soulmem.ingest.genders import (
    Gender,
    gender_of,
    is_of_nobody_beside,
    is_of_somebody,
    is_of_the_dead,
    is_only_of,
    is_somebody_beside,
    known_names,
    own_gender,
)
from soulmem.ingest.headings import is_place, level_of, title_of
from soulmem.ingest.sayings import is_quoting, saying
from soulmem.model.messages import Message, Role
from soulmem.text.language import has_cjk
from soulmem.text.names import normal_name
from soulmem.text.spaces import single_spaced


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text that is not empty; ``number`` counts from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Doing:
    """What the character does. ``when``: what makes it do so, empty where the text does not say."""

    when: str
    does: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence, and where it stands. ``about_self``: whether it is about the character; else ``text`` begins with the sentence
    before where that says who *she* is, ``first``, and ``own`` is it alone. ``apart``: it stands under a heading that may be the
    name of somebody else; ``unsure``: its pronoun may mean the character, or somebody of the same gender who is spoken of since.
    ``doing``, ``saying``: the habit, or words of its own, that it tells; ``of_another``: it quotes what
    somebody else says, or what the character does not say; ``facts``: what our grammar draws from it."""

    line: int
    own: str
    text: str
    about_self: bool
    first: str = ""
    apart: bool = False
    unsure: bool = False
    doing: Doing | None = None
    saying: str = ""
    of_another: bool = False
    facts: tuple[Fact, ...] = ()


def lines_of(text: str) -> tuple[Line, ...]:
    """The lines of ``text`` that say something."""
    return tuple(
        Line(number, single_spaced(line.strip())) for number, line in enumerate(text.split("\n"), start=1) if line.strip()
    )


def read_prose(text: str, names: Sequence[str]) -> tuple[Sentence, ...]:
    """The sentences of ``text``; the character goes by ``names``, the first of them its own."""
    found: list[Sentence] = []
    cast, parted = _parted(lines_of(text), names)
    headings = {line.number: line.text for line, some in parted if not some}
    for part in _sentences(parted, cast):
        line, before = part.line, found[-1].own if found and found[-1].line >= part.line.number - 1 else ""
        if part.own:
            found.append(_read(line, part.text, part.own, cast, before))
        else:
            who = "" if part.unsure else _who(found, line, headings)
            found.append(replace(_of_another(line, part.text, who), apart=part.apart, unsure=part.unsure))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Voiced:
    """A sentence of the text. ``own``: as the character would say it, empty where it is about somebody else; ``of``: whose or
    what it is that it tells of, where that is not the character itself (*My brother keeps bees*: brother)."""

    text: str
    own: str
    of: str = ""


_OF_MINE = re.compile(r"\AMy\s+(\w+)|\A我的(\w{2})")


def voiced(text: str, names: Sequence[str]) -> dict[int, tuple[Voiced, ...]]:
    """The sentences of the lines of ``text``, by number; ``names`` as for :func:`read_prose`."""
    found: dict[int, list[Voiced]] = {}
    cast, parted = _parted(lines_of(text), names)
    for part in _sentences(parted, cast):
        mine = _OF_MINE.match(part.own)
        found.setdefault(part.line.number, []).append(Voiced(part.text, part.own, (mine[1] or mine[2]) if mine else ""))
    return {number: tuple(some) for number, some in found.items()}


def _who(found: Sequence[Sentence], line: Line, headings: Mapping[int, str]) -> str:
    """What says whom the pronoun of the next sentence means: the sentence before, or a heading between that may name somebody."""
    after = found[-1].line if found else 0
    if heading := next((headings[number] for number in range(line.number - 1, after, -1) if number in headings), ""):
        return "" if is_place(title_of(heading)) else title_of(heading)
    return (found[-1].first or found[-1].own) if found and not found[-1].unsure else ""


def _of_another(line: Line, sentence: str, who: str) -> Sentence:
    said = who if _THIRD.match(sentence) else ""
    if said and len(said) < _LONG:
        return Sentence(line=line.number, own=sentence, text=f"{said} {sentence}", about_self=False, first=said)
    return Sentence(line=line.number, own=sentence, text=sentence, about_self=False)


def _read(line: Line, sentence: str, own: str, cast: _Cast, before: str) -> Sentence:
    zh = has_cjk(sentence)
    told = _behind_opening(own)
    said = "" if _may_be_another(sentence, before, cast) else saying(_behind_opening(sentence), told)
    of_another = not said and is_quoting(told)
    doing = None if said or of_another else _doing(own, zh)
    facts = () if said or doing or of_another else _facts(own, line.number, cast.names)
    return Sentence(
        line=line.number,
        own=sentence,
        text=sentence,
        about_self=True,
        doing=doing,
        saying=said,
        of_another=of_another,
        facts=facts,
    )


#: What is longer is not told again before the sentence behind it.
_LONG = 300
_QUOTES = '“"「『'
#: What may stand before the subject: when something happens, what is quoted.
_OPENING = re.compile(
    r"\A(?:when(?:ever)?|every\s+time|each\s+time|if)\s[^,]{3,160},\s*(?=\w)"
    r"|\A(?:每当|每次|每逢|一旦|只要|当|如果|遇到)[^，,。]{1,60}[，,]"
    r"|\A(?![我他她它])[^，,。]{1,40}时候?[，,]|\A\d{2,4}年[^，,。他她它我]{0,12}[，,]?\s*(?=[^，,。\s])"
    r"|\A(?:in|on|since|by|until|around|after|before)\s+(?:[^\W\d]+\s+){0,3}\d{3,4},?\s+(?=\w)|\A[“\"「『][^“”\"「」『』]{2,200}[”\"」』][，,]?\s*(?=\w)",
    re.I,
)


def _behind_opening(sentence: str) -> str:
    """A sentence without what it says of when; what is quoted first stays."""
    opening = _OPENING.match(sentence)
    return sentence[opening.end() :].lstrip() if opening and sentence[0] not in _QUOTES else sentence


def _may_be_another(sentence: str, before: str, cast: _Cast) -> bool:
    """Whether its subject is a pronoun that may mean somebody whom the sentence ``before`` mentions."""
    opening = _OPENING.match(sentence)
    pronoun = _THIRD.match(sentence[opening.end() :].lstrip() if opening else sentence)
    return pronoun is not None and is_somebody_beside(before, _word(pronoun), cast.names, cast.known)


# -- whose sentences these are ------------------------------------------------------------------------------------------------

_FIRST = re.compile(r"\A(?:I\b|I'm\b|My\b|我(?!们))")
_THIRD = re.compile(r"\A(?P<be>(?:he|she|they)(?:'s)?\b|[他她它](?!们|的))|\A(?P<of>(?:his|her|their)\b|[他她它]的)", re.I)


def _word(pronoun: re.Match[str]) -> str:
    return re.split(r"['\s的]", pronoun[0])[0]


@dataclass(frozen=True, slots=True)
class _Cast:
    """Who is in a text. ``names``: those of the character; ``called``: a sentence that begins with one; ``gender``: that of the
    character, where the text tells it; ``known``: that of others, by name."""

    names: Sequence[str]
    called: re.Pattern[str]
    gender: Gender | None = None
    known: Mapping[str, Gender] = field(default_factory=dict)

    def is_other(self, pronoun: str) -> bool:
        """Whether a pronoun is of the gender that the character is not."""
        gender = gender_of(pronoun)
        return gender is not None and self.gender is not None and gender is not self.gender


@dataclass(frozen=True, slots=True)
class _Scope:
    """Whom the pronoun of the next sentence may mean. ``is_self``: the character, which the sentence before is about; ``alone``:
    all others who are spoken of since then are of the other gender; ``under``: the level of the heading that it stands under and
    that may name somebody else, 0 where there is none; ``mourned``: the other who is spoken of is dead."""

    is_self: bool = False
    alone: bool = False
    under: int = 0
    mourned: bool = False

    def means_self(self, pronoun: str, cast: _Cast) -> bool:
        if cast.is_other(pronoun):
            return False
        return self.is_self or (self.alone and gender_of(pronoun) is not None)

    def behind(self, sentence: str, is_self: bool, cast: _Cast) -> _Scope:
        """The scope behind a sentence; ``is_self``: whether it is about the character."""
        still = self.mourned and is_of_nobody_beside(sentence, cast.names)
        mourned = not is_self and (still or (self.is_self and is_of_the_dead(sentence, cast.names)))
        return replace(self._behind(sentence, is_self, cast), mourned=mourned and not self.under)

    def _behind(self, sentence: str, is_self: bool, cast: _Cast) -> _Scope:
        if cast.gender is None:
            return replace(self, is_self=is_self)
        if is_self:
            is_beside = is_somebody_beside(sentence, _SUBJECT_OF[cast.gender], cast.names, cast.known)
            return replace(self, is_self=True, alone=not is_beside)
        is_apart = self.alone and is_only_of(cast.gender.other, sentence, cast.names, cast.known)
        return replace(self, is_self=False, alone=is_apart)


_SUBJECT_OF = {Gender.MAN: "he", Gender.WOMAN: "she"}


def _parted(lines: Sequence[Line], names: Sequence[str]) -> tuple[_Cast, list[tuple[Line, list[str]]]]:
    """Who is in the text, and its lines with their sentences; those of a heading are none."""
    parted = [(line, [] if is_heading(line.text) else sentences(line.text.lstrip("#*-•· \t"))) for line in lines]
    called = _called(names)
    every = [sentence for _, some in parted for sentence in some]
    bare = [_behind_opening(sentence) for sentence in every]
    gender = own_gender([(sentence, called.match(sentence) is not None) for sentence in bare], names)
    return _Cast(names, called, gender, known_names(every, names, gender)), parted


@dataclass(frozen=True, slots=True)
class _Part:
    """A sentence as it is; ``own``: as the character would say it, empty where it is not about it for certain; ``apart``: it
    stands under a heading that may name somebody else; ``unsure``: it may be about the character."""

    line: Line
    text: str
    own: str
    apart: bool
    unsure: bool


def _sentences(parted: Sequence[tuple[Line, list[str]]], cast: _Cast) -> Iterator[_Part]:
    scope, before, last, is_told = _Scope(), 0, "", False
    for line, some in parted:
        # A new paragraph says anew whom a pronoun means, unless that can be nobody else.
        if line.number != before + 1 or not some:
            scope = replace(scope, is_self=scope.is_self and not is_somebody_beside(last, "", cast.names, cast.known))
        before = line.number
        if not some:
            scope, last = _under_heading(line.text, scope, cast), ""
        for number, sentence in enumerate(some):
            own, is_self = _own(sentence, cast, scope)
            if not own and scope.mourned:
                own = _of_the_living(sentence, cast, scope, is_new_line=number == 0)
                is_self = own != ""
            unsure = not own and is_told and not scope.under and _may_be_own(sentence, cast)
            is_told = is_told or own != ""
            scope, last = scope.behind(sentence, is_self, cast), sentence
            yield _Part(line, sentence, own, scope.under > 0, unsure)


def _may_be_own(sentence: str, cast: _Cast) -> bool:
    """Whether the pronoun that a sentence begins with may mean the character; whose kin it speaks of does not matter so much."""
    match = _THIRD.match(_behind_opening(sentence))
    if match is None or gender_of(_word(match)) is None or cast.is_other(_word(match)):
        return False
    return match["of"] is None or not is_of_somebody(_behind_opening(sentence))


#: What somebody does now, and what was at some time; and where the dead are met.
_NOW = re.compile(
    r"\A(?:he|she)\s+(?:(?:always|usually|often|never|still|only|also|sometimes|rarely|habitually|constantly)\s+)?(?!was\b|has\b|is\b)\w+s\b",
    re.I,
)
_THEN_ZH = re.compile(r"生前|当年|那时|当时|以前|从前|曾|过|了|一辈子|一生|临终|活着|在世|那会儿")
_DEAD = re.compile(
    r"\b(?:dreams?|nightmares?|graves?|tombs?|ghosts?|haunts?|memor(?:y|ies)|buried|lies|rests?|misse[sd]|mourns?)\b|梦|坟|墓|鬼|魂|牌位|遗像",
    re.I,
)


def _of_the_living(sentence: str, cast: _Cast, scope: _Scope, *, is_new_line: bool) -> str:
    """A habit of today behind a sentence that tells of a death, as the character would say it: the dead have none. Chinese tells
    no tense, so there it is taken for one only in a line of its own."""
    own, _ = _own(sentence, cast, replace(scope, is_self=True))
    zh = has_cjk(sentence)
    if not own or _OF_OWN.match(own) or _DEAD.search(sentence) or _doing(own, zh) is None:
        return ""
    is_now = (is_new_line and not _THEN_ZH.search(sentence)) if zh else _NOW.match(_behind_opening(sentence)) is not None
    return own if is_now else ""


def _under_heading(heading: str, scope: _Scope, cast: _Cast) -> _Scope:
    """A heading is a place: under it the text speaks anew of the character, unless it, or one above, may name somebody else."""
    title, is_known = title_of(heading), cast.gender is not None
    if cast.called.match(title):
        return _Scope(True, is_known)
    level = level_of(heading)
    if not is_place(title) or is_somebody_beside(title.casefold(), "", cast.names, cast.known):
        return _Scope(under=min(scope.under or level, level))
    if scope.under and level > scope.under:
        return scope
    return _Scope(scope.is_self or is_known, is_known)


def _called(names: Sequence[str]) -> re.Pattern[str]:
    """A sentence that begins with one of the names, or the first word of one in Latin script."""
    told = "|".join(re.escape(form) for form in sorted(name_heads(names), key=len, reverse=True))
    return re.compile(rf"\A(?:{told})(?P<of>['’]s\b|的)?(?![A-Za-z])\s*(?:[（(][^（）()]*[)）]\s*)?")


def name_heads(names: Sequence[str]) -> set[str]:
    """What the character is called in a text: its names, and the first word of one in Latin script."""
    return {*names, *(name.split()[0] for name in names if not has_cjk(name) and len(name.split()[0]) > 1)}


def is_named(text: str, names: Sequence[str]) -> bool:
    """Whether a text names the character."""
    told = "|".join(re.escape(form) for form in name_heads(names))
    return re.search(rf"(?<![A-Za-z])(?:{told})(?![A-Za-z])", text, re.I) is not None


def _own(sentence: str, cast: _Cast, scope: _Scope) -> tuple[str, bool]:
    """A sentence about the character as it would say it, empty where it is about somebody else; and whether the subject of the
    next may be the character."""
    if _FIRST.match(sentence):
        return sentence, True
    if opening := _OPENING.match(sentence):
        own, _ = _own(sentence[opening.end() :].lstrip(), cast, scope)
        if own:
            return f"{_as_self(opening[0], cast, scope)}{own}", True
    match = cast.called.match(sentence) or _third(sentence, cast, scope)
    if match is None:
        return "", False
    zh = has_cjk(sentence)
    rest = sentence[match.end() :].lstrip()
    if match["of"]:
        own = f"我的{rest}" if zh else f"My {rest}"
        return own, saying(sentence, own) != ""
    if zh:
        return f"我{rest}", True
    return (f"I am {rest}" if match[0].rstrip().endswith("'s") else f"I {_as_mine(rest)}"), True


def _as_mine(rest: str) -> str:
    """*always sings.* as *always sing.*"""
    told = rest.rstrip(".!?")
    return first_person(told) + rest[len(told) :]


def _third(sentence: str, cast: _Cast, scope: _Scope) -> re.Match[str] | None:
    """The pronoun that a sentence begins with, if it means the character."""
    match = _THIRD.match(sentence)
    return match if match and scope.means_self(_word(match), cast) else None


def _as_self(opening: str, cast: _Cast, scope: _Scope) -> str:
    """*When he is nervous,* as *When I am nervous,*."""
    word, _, rest = opening.partition(" ")
    own, _ = _own(rest[:1].upper() + rest[1:], cast, scope) if rest else ("", False)
    return f"{word} {own.rstrip()} " if own else opening


# -- what they tell -----------------------------------------------------------------------------------------------------------

_WHEN_EN = (
    re.compile(r"\A(?:when(?:ever)?|every\s+time|each\s+time|if)\s+(?P<when>[^,]{3,160}),\s*(?P<does>.+)\Z", re.I | re.S),
    re.compile(r"\A(?P<does>I\b.+?)\s*,?\s*\b(?:when(?:ever)?|every\s+time|each\s+time|if)\s+(?P<when>.{3,160})\Z", re.I | re.S),
)
_WHEN_ZH = (
    re.compile(
        r"\A我?(?:每当|每次|每逢|一旦|只要|当|如果|一(?=[^，,个点些]{1,8}[，,]?我?就)|遇到)"
        r"(?P<when>[^，,]{1,60}?)(?:的时候|时)?\s*[，,]\s*(?P<does>.+)\Z",
        re.S,
    ),
    re.compile(r"\A我?一(?P<when>[^，,个点些]{1,10}?)[，,]?我?就(?P<does>.+)\Z", re.S),
    re.compile(r"\A我(?P<when>[^，,]{2,30})(?:的时候|时)[，,]?(?P<does>(?:总|会|常|都|就|喜欢|习惯).+)\Z", re.S),
    re.compile(
        r"\A(?P<when>[^，,]{2,40}?)(?:的时候|(?<![同小平有随准按及])时)[，,]\s*我?(?P<does>(?:总|老是?|[都就]?会|常|一定|喜欢|习惯|从不|从来不).+)\Z",
        re.S,
    ),
)
_OFTEN = re.compile(
    r"\b(?:always|usually|often|never|habitually|constantly|tends?\s+to|has\s+a\s+habit\s+of|have\s+a\s+habit\s+of|every\s+(?:morning|evening"
    r"|night|day|week|sunday))\b"
    r"|总是|总会|总爱|老是|经常|常常|习惯|从不|从来不|每天|每晚|每早|动不动就|一向",
    re.I,
)
#: What was at one time is no habit.
_DATED = re.compile(r"\A(?:[^\W\d]+\s+){1,4}\d{3,4}\b|\A\d{2,4}年|\A(?:当时|那时|同时|与此同时|小时候|从前|以前)[，,]")
#: What others do, or parts of it, is no habit of the character's.
_OF_OWN = re.compile(r"\A(?:My\b|我的)")
_LEADING = re.compile(r"\A我(?:就|都|便|会)?|\A(?:就|都|便)|\AI\s+(?:will\s+|would\s+)?(?=\w)")


def _doing(own: str, zh: bool) -> Doing | None:
    """The habit a sentence tells: with what makes the character do so, or as one that it has anyway."""
    told = own.strip().rstrip(".。!！")
    if _DATED.match(told):
        return None
    for pattern in _WHEN_ZH if zh else _WHEN_EN:
        if match := pattern.match(told):
            return Doing(_told(match["when"].strip(" ，,")), _LEADING.sub("", match["does"].strip()).strip())
    is_own = not _OF_OWN.match(told)
    return Doing("", _LEADING.sub("", told)) if is_own and _OFTEN.search(told) else None


def _told(when: str) -> str:
    """*he is nervous*, of a sentence about the character, as it would say it."""
    third = re.match(r"(?:he|she|they)\s+", when, re.I)
    return f"I {first_person(when[third.end() :])}" if third else when


def _facts(own: str, line: int, names: Sequence[str]) -> tuple[Fact, ...]:
    """What our grammar draws from a sentence that the character says of itself."""
    said = Message(
        id=f"line {line}", chat="text", index=line, file="", line=line, speaker=names[0], role=Role.CHARACTER, text=own
    )
    found = split([said], name_forms([said], {normal_name(name): names[0] for name in names}))
    return tuple(fact for fact in found if fact.slot)
