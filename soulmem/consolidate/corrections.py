"""What somebody said wrong, and says right some lines later: 不是三瓶，是两瓶; *actually it's Tuesday*.

A correction says the new value, and the old one or not. Where it does, the line that said the old one is looked for; where it
does not, the last line of the same speaker that said something of the same kind: a day, a number of the same things, a name. The
fact is drawn again from that line as it should have been said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from soulmem.consolidate.dates import find_whens
from soulmem.consolidate.facts import Fact, Kind, same_form
from soulmem.consolidate.split import split
from soulmem.model.messages import Message
from soulmem.text._numerals import EN_NUMBERS, ZH_NUMERAL
from soulmem.text.language import HAN, Language, has_cjk

#: A correction is about something said at most so many lines before.
CORRECTION_REACH = 12

_V_ZH = r"[^，,。；！？!?\s]{1,12}"
_V_EN = r"[\w' -]{1,30}?"
_ZH = (
    re.compile(rf"不是(?P<old>{_V_ZH}?)[，,\s]*(?:而)?是(?P<new>{_V_ZH})"),
    re.compile(rf"(?:应该)?(?:是|叫)(?P<new>{_V_ZH})[，,\s]*不(?:是|叫)(?P<old>{_V_ZH}?)(?:[。！!]|\Z)"),
)
_AT = r"(?:on\s+|at\s+|in\s+)?"
_EN = (
    re.compile(
        rf"\bnot\s+{_AT}(?P<old>{_V_EN})(?:\s*[,;]\s*|\s+but\s+)(?:it's\s+|it\s+is\s+|but\s+|that's\s+)?{_AT}(?P<new>{_V_EN})(?=[.,!?;]|$)",
        re.I,
    ),
    re.compile(
        rf"(?:\bit'?s|\bit\s+is|\bit\s+was|\bthat's|\bI\s+meant?|\bmake\s+(?:that|it)|\A)\s*{_AT}(?P<new>{_V_EN})\s*[,;]\s*not\s+{_AT}(?P<old>{_V_EN})(?=[.,!?;]|$)",
        re.I,
    ),
)
#: That something was said wrong; what follows is right.
_WRONG_ZH = re.compile(
    rf"(?:我)?(?:刚才|刚刚|之前|上次)?(?P<sure>(?:说|记|打|写|搞|弄|看)错了?|口误|更正(?:一下)?|纠正一下|不对不对|不对)[，,：:。！!\s]*(?:其实|应该|准确地?说)?(?:是|叫)(?P<new>{_V_ZH}?)(?:才对)?(?:[，,。！!]|\Z)"
)
_WRONG_EN = re.compile(
    r"(?:\A|[.!?,]\s*)(?:(?P<sure>sorry|correction|oops|my\s+mistake|my\s+bad|i\s+was\s+wrong|i\s+misspoke|no,?\s+wait|wait"
    r"|scratch\s+that)[\s,.:!–—-]+(?:actually,?\s+)?(?:(?:it'?s|it\s+is|i\s+meant?|i\s+mean|make\s+(?:that|it)|that's)\s+)?"
    r"|actually,?\s+(?:no,?\s+)?(?:it'?s|it\s+is|it\s+was|make\s+(?:that|it))\s+|(?P<meant>i\s+meant)\s+(?!to\b|that\b|it\b))"
    rf"{_AT}(?P<new>[\w' -]{{1,30}}?)(?=[.,!?;]|\Z)",
    re.I,
)
_UNIT_ZH = re.compile(rf"(?P<n>[{ZH_NUMERAL}两\d]+)(?P<unit>[{HAN}])")
_NUMBER_NAMES = "|".join(name for name in sorted(EN_NUMBERS, key=len, reverse=True) if len(name) > 2)
_UNIT_EN = re.compile(rf"\b(?P<n>\d+|{_NUMBER_NAMES})(?:\s+(?P<unit>[a-z]+))?\b", re.I)
#: What a name may be corrected in: whose values are names.
_UNNAMED = ("event", "does", "taste", "feels", "when", "birthday", "age", "has", "named", "used", "owns")


@dataclass(frozen=True, slots=True)
class _Correction:
    """``new`` instead of ``old``; ``old`` may be unknown (empty), ``is_sure``: it is called a mistake."""

    old: str
    new: str
    is_sure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """``facts`` with those that were corrected; ``over``: (id of the note that holds, id of the note that does not, why);
    ``earlier``: facts of lines before these that were corrected, which the mind may know already."""

    facts: tuple[Fact, ...]
    over: tuple[tuple[str, str, str], ...] = ()
    earlier: tuple[Fact, ...] = ()


def corrected(
    facts: Sequence[Fact], messages: Sequence[Message], forms: Mapping[str, str], context: Sequence[Message] = ()
) -> Corrected:
    """``facts`` of ``messages`` (of one chat, in order) with what is corrected in them, there or in the lines before
    (``context``). ``forms``: see :func:`~soulmem.consolidate.split.name_forms`. A correction needs what it corrects."""
    run = _Run(list(facts), (*context, *messages), dict(forms), len(context))
    for number in range(len(context), len(run.messages)):
        if _answers_today(run.messages, number):
            continue
        for correction in _corrections(run.messages[number]):
            run.correct(number, correction)
    return Corrected(facts=tuple(run.facts), over=tuple(run.over), earlier=tuple(run.earlier))


@dataclass(slots=True)
class _Run:
    """Corrections of some lines. ``first``: where the lines begin of which ``facts`` are."""

    facts: list[Fact]
    messages: tuple[Message, ...]
    forms: dict[str, str]
    first: int
    over: list[tuple[str, str, str]] = field(default_factory=list)
    earlier: list[Fact] = field(default_factory=list)

    def correct(self, number: int, correction: _Correction) -> None:
        """Draw anew what the lines before ``number`` say, with the correction; what tells of the mistake itself is no memory."""
        message = self.messages[number]
        for place in range(number - 1, max(number - CORRECTION_REACH, 0) - 1, -1):
            said = self.messages[place]
            if said.hidden or not (correction.old or said.speaker == message.speaker):
                continue
            there = self._facts_of(place)
            old = correction.old or _same_kind(said, there, correction, message)
            targets = [fact for fact in there if old and _holds(fact, old, said.text)]
            if targets and old and _stands(old, said.text):
                self._replace(place, targets, old, correction.new, message)
                return

    def _facts_of(self, place: int) -> list[Fact]:
        message = self.messages[place]
        if place < self.first:
            before = self.messages[max(0, place - CORRECTION_REACH) : place]
            return list(split([message], self.forms, before))
        return [fact for fact in self.facts if fact.sources[-1:] == (message.id,) or fact.sources[:1] == (message.id,)]

    def _replace(self, place: int, targets: Sequence[Fact], old: str, new: str, by: Message) -> None:
        said = self.messages[place]
        again = replace(said, text=_instead(said.text, old, new))
        before = self.messages[max(0, place - CORRECTION_REACH) : place]
        drawn = [fact for fact in split([again], self.forms, before) if all(fact.key != one.key for one in targets)]
        self.facts = [fact for fact in self.facts if not (fact.sources == (by.id,) and fact.kind is Kind.EVENT)]
        for target in targets:
            better = next((fact for fact in drawn if (fact.rule, fact.kind) == (target.rule, target.kind)), None)
            if better is None:
                better = replace(target, text=_instead(target.text, old, new), value=_instead(target.value, old, new))
            else:
                drawn.remove(better)
            if better.key == target.key:
                continue
            better = replace(better, sources=(said.id, by.id), said_at=by.sent_at, place=by.index, by=target.by)
            self.facts.append(better)
            self.over.append((better.note_id, target.note_id, f"{by.speaker}: {by.text[:80]}"))
            if place < self.first:
                self.earlier.append(target)


#: What day it is, which any day answers.
_ASKS_TODAY = re.compile(
    r"\b(?:what|which)(?:'s|\s+is)?\s+(?:the\s+)?(?:day|date)\b.*\?|\bis\s+(?:it|today)\s+(?:already\s+|still\s+)?\w+day\b.*\?|\btoday\b[^?]{0,30}\?"
    r"|今天(?:是|不是)?(?:几号|几月|周|星期|礼拜|哪天|什么日子)[^？?]*[？?]|(?:几号|星期几|周几|礼拜几)了?[？?]",
    re.I,
)


def _answers_today(messages: Sequence[Message], number: int) -> bool:
    """Whether a line answers another's question what day it is."""
    before = messages[number - 1] if number else None
    return before is not None and before.speaker != messages[number].speaker and _ASKS_TODAY.search(before.text) is not None


def _corrections(message: Message) -> Iterator[_Correction]:
    if message.hidden:
        return
    zh = has_cjk(message.text)
    named = False
    for pattern in _ZH if zh else _EN:
        for match in pattern.finditer(message.text):
            old, new = match["old"].strip(), match["new"].strip()
            if len(old) > 1 and new and same_form(old) != same_form(new):
                named = True
                yield _Correction(old, new, True)
    wrong = None if named else (_WRONG_ZH if zh else _WRONG_EN).search(message.text)
    if wrong is not None and wrong["new"].strip():
        sure = bool(wrong["sure"] or wrong.groupdict().get("meant"))
        yield _Correction("", wrong["new"].strip(), sure)


def _same_kind(said: Message, facts: Sequence[Fact], correction: _Correction, by: Message) -> str:
    """What ``said`` says of the kind of the new value, if it says one such thing; else empty."""
    new, zh = correction.new, has_cjk(said.text)
    tongue = Language.ZH if zh else Language.EN
    if by.sent_at and said.sent_at and find_whens(new, by.sent_at, tongue):
        days = {said.text[when.begin : when.end] for when in find_whens(said.text, said.sent_at, tongue)}
        return days.pop() if len(days) == 1 else ""
    pattern = _UNIT_ZH if zh else _UNIT_EN
    number = pattern.match(new)
    if number is not None:
        unit = number["unit"] or ""
        same = [match for match in pattern.finditer(said.text) if not unit or (match["unit"] or "") == unit]
        return (same[0][0] if unit else same[0]["n"]) if len(same) == 1 else ""
    names = {fact.value for fact in facts if fact.slot and fact.slot.partition(":")[0] not in _UNNAMED}
    is_name = re.fullmatch(rf"[{HAN}]{{2,3}}|[A-Z][\w'-]+", new) is not None
    return names.pop() if correction.is_sure and is_name and len(names) == 1 else ""


def _holds(fact: Fact, old: str, said: str) -> bool:
    """Whether a fact says the old value: in its words, or as the day that these words name in the line."""
    return old in fact.text or same_form(old) in same_form(fact.text) or (fact.when is not None and old in said)


def _pattern(old: str) -> re.Pattern[str]:
    edge = "" if has_cjk(old) else r"\b"
    return re.compile(rf"{edge}{re.escape(old)}{edge}", re.I if old.islower() else 0)


def _stands(old: str, text: str) -> bool:
    return _pattern(old).search(text) is not None


def _instead(text: str, old: str, new: str) -> str:
    return _pattern(old).sub(lambda match: new, text, count=1)
