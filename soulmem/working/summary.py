"""The cumulative summary of a talk. Without a model it is made of what was said, word for word, chosen by what it tells.

A :class:`Summariser` turns the former summary and the lines said since into the next one; a model's may take the place of
:class:`Extractive`. Pure: the same lines give the same summary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from soulmem.model.messages import Message

#: A sentence that is longer is cut; characters.
MOST_OF_SENTENCE = 160
#: The share of the budget that is kept for lines of the former summary.
FORMER_SHARE = 0.5
#: From this :func:`salience` on a new line comes before what else the former summary has; chatter comes last.
TELLING = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryLine:
    """A line of a summary: ``text`` of ``speaker``, taken from the message ``index`` of the talk, said at ``at``. What a model
    wrote is nobody's: without speaker, number and time. ``scope``, ``kept_from``: of the lines it was made of; ``None``: unknown.
    """

    text: str
    speaker: str = ""
    index: int | None = None
    at: datetime | None = None
    scope: str | None = "public"
    kept_from: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The line as it is shown: when, who, what."""
        when = f"{self.at:%Y-%m-%d} " if self.at else ""
        return f"{when}{self.speaker}: {self.text}" if self.speaker else self.text


@dataclass(frozen=True, slots=True)
class Summary:
    """What came before, in the order in which it was said."""

    lines: tuple[SummaryLine, ...] = ()

    @property
    def text(self) -> str:
        """One line each."""
        return "\n".join(line.told for line in self.lines)

    def without(self, index: int) -> Summary:
        """The summary without what is taken from the message ``index``, which was not said after all."""
        return replace(self, lines=tuple(line for line in self.lines if line.index != index))

    def kept_from(self, scope: str, names: Sequence[str]) -> Summary:
        """The summary where what a model wrote of lines of ``scope`` is kept from ``names`` too."""

        def kept(line: SummaryLine) -> SummaryLine:
            if line.index is not None or line.scope != scope:
                return line
            return replace(line, kept_from=tuple(dict.fromkeys((*line.kept_from, *names))))

        return Summary(tuple(map(kept, self.lines)))


class Summariser(Protocol):
    """Makes the next summary from the former one and the lines ``said`` since, of at most ``budget`` characters."""

    @property
    def at_once(self) -> bool:
        """Whether it is quick enough to be done with the message that makes it due; else it waits until the mind is idle."""
        ...

    def summarise(self, former: Summary, said: Sequence[Message], budget: int) -> Summary: ...


@dataclass(frozen=True, slots=True)
class Extractive:
    """Without a model: the sentences that tell most, in the order in which they were said."""

    at_once: bool = True

    def summarise(self, former: Summary, said: Sequence[Message], budget: int) -> Summary:
        new = [line for message in said if not message.hidden for line in _sentences(message)]
        order = {line: place for place, line in enumerate(dict.fromkeys((*former.lines, *new)))}
        telling = [line for line in new if salience(line.text) >= TELLING]
        kept = _fitting(_best_first(former.lines), int(budget * FORMER_SHARE), ())
        for lines in (telling, former.lines, new):
            kept = _fitting(_best_first(lines), budget, kept)
        return Summary(tuple(sorted(kept, key=order.__getitem__)))


def _sentences(message: Message) -> Iterator[SummaryLine]:
    for text in sentences(message.text):
        yield SummaryLine(text=text, speaker=message.speaker, index=message.index, at=message.sent_at)


_END = re.compile(r"(?<=[。！？!?…])(?![。！？!?…”’」』\"')）])|(?<=[.;；])\s+|\n+|(?<=[。！？!?.][”’」』\"')）])")


def sentences(text: str) -> list[str]:
    """The sentences of ``text``, each as it stands there; a very long one without what is behind its first words."""
    parts = (part.strip() for part in _END.split(text))
    return [_cut(part) for part in parts if any(map(str.isalnum, part))]


def _cut(text: str) -> str:
    if len(text) <= MOST_OF_SENTENCE:
        return text
    head = text[:MOST_OF_SENTENCE]
    blank = head.rfind(" ")
    return (head[:blank] if blank > MOST_OF_SENTENCE // 2 else head).rstrip()


def _best_first(lines: Iterable[SummaryLine]) -> list[SummaryLine]:
    """What tells nothing is left out; of equals the later comes first. What a model wrote comes before all."""
    worth = [(salience(line.text) if line.speaker else _WRITTEN, place, line) for place, line in enumerate(lines)]
    return [line for value, _, line in sorted(worth, key=lambda found: (-found[0], -found[1])) if value > 0]


def _fitting(lines: Sequence[SummaryLine], budget: int, kept: Sequence[SummaryLine]) -> list[SummaryLine]:
    """``kept`` and what of ``lines`` fits beside it; no speaker says the same twice."""
    chosen = list(kept)
    there = {_same(line) for line in chosen}
    room = budget - sum(len(line.told) + 1 for line in chosen)
    for line in lines:
        if len(line.told) + 1 <= room and _same(line) not in there:
            chosen.append(line)
            there.add(_same(line))
            room -= len(line.told) + 1
    return chosen


def _same(line: SummaryLine) -> tuple[str, str]:
    return line.speaker, " ".join(line.text.casefold().split())


_WRITTEN = 100.0


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_IDENTITY = _any(
    r"\b(?:my name is|call me|i am|i'm|i was born|born in|my birthday|i live|i work|i study|my job)\b",
    r"我叫|叫我|我的名字|我是|我姓|生日|出生|住在|我家|工作|上班|专业|毕业|老家",
)
_PREFERENCE = _any(
    r"\b(?:love|like|enjoy|prefer|favou?rite|hate|can't stand|dislike|allergic|afraid of|scared of|never eat|always)\b",
    r"喜欢|最爱|爱吃|爱喝|爱看|讨厌|不吃|不喝|过敏|害怕|怕|偏爱|习惯|总是|从不",
)
_PROMISE = _any(
    r"\b(?:promise|swear|i'll|i will|we'll|we will|going to|remember to|don't forget|remind me|let's|plan to|agreed|deal)\b",
    r"答应|保证|一定|约好|约定|记得|别忘|提醒|打算|计划|准备|我会|我们会|说好|下次|要去",
)
_TIME = _any(
    r"\b(?:yesterday|tomorrow|tonight|today|next|last|ago|on (?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|june|july|august|september|october|november|december|morning|evening|o'clock)\b",
    r"昨天|今天|明天|后天|前天|昨晚|今晚|上周|下周|上个月|下个月|去年|明年|周[一二三四五六日天]|星期|[年月日号点]",
)
_KIN = _any(
    r"\b(?:mother|mom|mum|father|dad|sister|brother|wife|husband|daughter|son|grandmother|grandfather|aunt|uncle|friend|cat|dog)\b",
    r"妈|爸|姐|妹|哥|弟|爷爷|奶奶|外婆|外公|丈夫|妻子|老公|老婆|女儿|儿子|朋友|同事|猫|狗",
)
_NUMBER = re.compile(r"\d|[一二两三四五六七八九十百千万]+[个只岁年月日号点块元次人]")
_NAME = re.compile(r"(?<=[\w,;:'’] )[A-Z][a-z]+|《[^》]+》|[\"“][^\"”]{2,30}[\"”]")
_SMALL_TALK = _any(
    r"^\W*(?:hi|hello|hey|ok|okay|yes|no|yeah|sure|thanks|thank you|bye|good (?:morning|night)|haha\w*|lol|well|oh|hmm+)\b\W*$",
    r"^\W*(?:你好|好的?|嗯+|哦+|哈+|是的?|对|谢谢|再见|晚安|早安|早上好|拜拜|不客气|嘻+|呵+)\W*(?:[啊呀吧呢哦啦]\W*)?$",
)
#: What each kind of thing in a sentence is worth.
_WORTH: Sequence[tuple[re.Pattern[str], float]] = (
    (_PROMISE, 3.0),
    (_PREFERENCE, 2.5),
    (_IDENTITY, 2.5),
    (_NAME, 2.0),
    (_KIN, 1.5),
    (_TIME, 1.5),
    (_NUMBER, 1.5),
)
_LEAST_LETTERS = 4


def salience(text: str) -> float:
    """How much a sentence tells, ≥ 0: promises, preferences, who somebody is, names, kin, times and numbers; a question half as
    much, small talk nothing."""
    letters = sum(map(str.isalnum, text))
    if letters < _LEAST_LETTERS or _SMALL_TALK.search(text):
        return 0.0
    worth = 0.5 + sum(value for pattern, value in _WORTH if pattern.search(text))
    return worth / 2 if text.rstrip("”’」』\"')） ")[-1:] in ("?", "？") else worth


def in_confidence(former: Summary, said: Sequence[Message], summariser: Summariser, budget: int) -> Summary:
    """The next summary, made apart of what was said in each scope, and of what is kept from whom: so that nothing of the one gets
    into the words of the other. ``budget``: for each."""
    parts = {(line.scope, line.kept_from): None for line in former.lines}
    parts |= {(message.scope, message.kept_from): None for message in said}
    made: list[SummaryLine] = []
    for scope, kept_from in parts:
        own = Summary(tuple(line for line in former.lines if (line.scope, line.kept_from) == (scope, kept_from)))
        new = [message for message in said if (message.scope, message.kept_from) == (scope, kept_from)]
        summary = summariser.summarise(own, new, budget) if new else own
        made += [replace(line, scope=scope, kept_from=kept_from) for line in summary.lines]
    return Summary(tuple(_in_order(made)))


def _in_order(lines: Sequence[SummaryLine]) -> Sequence[SummaryLine]:
    """As they were said, where all are somebody's."""
    return sorted(lines, key=lambda line: line.index or 0) if all(line.index is not None for line in lines) else lines


def summary_value(summary: Summary) -> list[Any]:
    """The summary as JSON."""
    return [
        [line.index, line.speaker, line.text, line.at.isoformat() if line.at else None, line.scope, list(line.kept_from)]
        for line in summary.lines
    ]


def summary_of(value: Any) -> Summary:
    """The summary of such JSON. Raises :class:`ValueError` or :class:`TypeError` for what is none."""
    return Summary(
        tuple(
            SummaryLine(
                text=text,
                speaker=speaker,
                index=index,
                at=datetime.fromisoformat(at) if at else None,
                scope=confided[0] if confided else None,
                kept_from=tuple(confided[1]) if confided else (),
            )
            for index, speaker, text, at, *confided in value or ()
        )
    )


def lines_after(lines: Mapping[int, Message], first: int, stop: int) -> list[Message]:
    """The messages with numbers from ``first`` to below ``stop``, in order."""
    return [lines[index] for index in sorted(lines) if first <= index < stop]
