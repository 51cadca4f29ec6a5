"""New facts beside what the mind knows: the same again, another value, or something new (SPEC §6.2, §9)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from soulmem.consolidate.facts import Fact, same_form, says_of
from soulmem.model.messages import Message
from soulmem.model.notes import Note
from soulmem.text.language import has_cjk

#: A correction is about something said at most so many lines before.
CORRECTION_REACH = 6

_NOT_BUT_ZH = re.compile(r"不是(?P<old>[^，,。；！？\s]{1,12})[，,\s]*(?:而)?是(?P<new>[^，,。；！？\s]{1,12})")
_NOT_BUT_EN = re.compile(
    r"\bnot\s+(?:on\s+|at\s+|in\s+)?(?P<old>[\w' -]{1,30}?)(?:\s*[,;]\s*|\s+but\s+)(?:it's\s+|it\s+is\s+|but\s+"
    r"|that's\s+)?(?:on\s+|at\s+|in\s+)?(?P<new>[\w' -]{1,30}?)(?=[.,!?;]|$)",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFact:
    """A fact the mind has: its note, since when it was said (``None``: unknown), at which line of which chat it was said last."""

    note: Note
    said_at: datetime | None = None
    chat: str = ""
    place: int = -1
    superseded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What becomes of the facts. ``new``: to be made notes; ``again``: (known fact, fact) said again; ``over``: (id of the
    note that holds, id of the note that no longer does, since when, why)."""

    new: tuple[Fact, ...] = ()
    again: tuple[tuple[KnownFact, Fact], ...] = ()
    over: tuple[tuple[str, str, datetime | None, str], ...] = ()
    known: tuple[Note, ...] = ()


@dataclass(slots=True)
class _Table:
    """The facts of each stem, known and new, while they are merged."""

    known: dict[str, list[KnownFact]] = field(default_factory=lambda: defaultdict(list))
    new: dict[str, list[Fact]] = field(default_factory=lambda: defaultdict(list))
    over: list[tuple[str, str, datetime | None, str]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)


def merge(facts: Sequence[Fact], known: Mapping[str, Sequence[KnownFact]], chat_of: Mapping[str, str]) -> Merged:
    """Facts in the order they were said, beside the ``known`` ones of their stems. ``chat_of``: message id → chat id.

    The same fact is kept once. Of two values of a slot that holds one, the one said later holds, if it is known which that is:
    by the order of lines in one chat, else by times; otherwise both stay. Facts heard in different scopes never meet.
    """
    table = _Table()
    for stem, found in known.items():
        table.known[stem] = [one for one in found if not one.superseded]
    again: list[tuple[KnownFact, Fact]] = []
    for fact in facts:
        same = next((one for one in table.known[fact.stem] if _is_same(one.note, fact)), None)
        if same is not None and same.note.id not in table.gone:
            again.append((same, fact))
        elif not _repeats(fact, table):
            _add(fact, table, chat_of)
    new = tuple(fact for facts_ in table.new.values() for fact in facts_)
    order = {fact.note_id: number for number, fact in enumerate(facts)}
    return Merged(
        new=tuple(sorted(new, key=lambda fact: order.get(fact.note_id, len(order)))), again=tuple(again), over=tuple(table.over)
    )


def stand_ins(facts: Sequence[Fact], merged: Merged) -> dict[str, str]:
    """The id of the note that says it in the end, for the note each of ``facts`` would have become."""
    told = {(fact.stem, fact.heard, fact.says): fact.note_id for fact in merged.new}
    told |= {(fact.stem, fact.heard, fact.says): known.note.id for known, fact in merged.again}
    made = {fact.note_id for fact in merged.new}
    keys = {fact.note_id: (fact.stem, fact.heard, fact.says) for fact in facts}
    return {id_: id_ if id_ in made else told[key] for id_, key in keys.items() if id_ in made or key in told}


def is_heard_alike(note: Note, fact: Fact) -> bool:
    """Whether a note was heard where the fact was, and is kept from the same people."""
    return (note.scope, frozenset(note.kept_from)) == fact.heard


def _is_same(note: Note, fact: Fact) -> bool:
    return is_heard_alike(note, fact) and says_of(note.key, fact.stem) == fact.says


def _repeats(fact: Fact, table: _Table) -> bool:
    """Whether a fact of this batch says it already; then that one gets its line as a source too."""
    for number, other in enumerate(table.new[fact.stem]):
        if other.heard == fact.heard and other.says == fact.says and other.note_id not in table.gone:
            sources = tuple(dict.fromkeys((*other.sources, *fact.sources)))
            # The key stays that of the line that said it first.
            table.new[fact.stem][number] = replace(other, sources=sources, said_at=fact.said_at, place=fact.place)
            return True
    return False


def _add(fact: Fact, table: _Table, chat_of: Mapping[str, str]) -> None:
    if fact.contradicts:
        chat = chat_of.get(fact.sources[-1], "") if fact.sources else ""
        for one in table.known[fact.stem]:
            if is_heard_alike(one.note, fact) and one.note.id not in table.gone:
                _contradict(fact, one.note.id, _later(fact, chat, one.said_at, one.chat, one.place), table)
        for other in table.new[fact.stem]:
            other_chat = chat_of.get(other.sources[-1], "") if other.sources else ""
            if other.heard == fact.heard and other.note_id not in table.gone:
                _contradict(fact, other.note_id, _later(fact, chat, other.said_at, other_chat, other.place), table)
    table.new[fact.stem].append(fact)


def _contradict(fact: Fact, other: str, later: bool | None, table: _Table) -> None:
    if later is None:
        return
    new, old = (fact.note_id, other) if later else (other, fact.note_id)
    table.gone.add(old)
    table.over.append((new, old, fact.said_at, f"{fact.slot}: {fact.text}" if later else f"{fact.slot}: said before"))


def _later(fact: Fact, chat: str, said_at: datetime | None, other_chat: str, place: int) -> bool | None:
    """Whether ``fact`` was said later than another; ``None`` where nobody knows."""
    if chat and chat == other_chat and fact.place != place:
        return fact.place > place
    if fact.said_at is None or said_at is None or fact.said_at == said_at:
        return None
    return fact.said_at > said_at


# -- corrections --------------------------------------------------------------------------------------------------------------


def corrected(facts: Sequence[Fact], messages: Sequence[Message]) -> tuple[tuple[Fact, ...], tuple[tuple[str, str, str], ...]]:
    """``facts`` with what was corrected right after it was said: 不是四千二，是三千八; *not the noon, it's the one-forty*.

    Also (id of the note that holds, id of the note that does not, why) for each. A correction needs what it corrects: the fact
    that has the old value, said a few lines before at most.
    """
    found = list(facts)
    over: list[tuple[str, str, str]] = []
    places = {message.id: number for number, message in enumerate(messages)}
    for number, message in enumerate(messages):
        for old, new in _corrections(message):
            target = _corrected_fact(found, old, number, places)
            if target is not None:
                better = replace(
                    target,
                    text=target.text.replace(old, new),
                    value=target.value.replace(old, new),
                    sources=(*target.sources, message.id),
                    said_at=message.sent_at,
                    place=message.index,
                )
                found.append(better)
                over.append((better.note_id, target.note_id, f"{message.speaker}: {message.text[:80]}"))
    return tuple(found), tuple(over)


def _corrections(message: Message) -> Iterator[tuple[str, str]]:
    if message.hidden:
        return
    pattern = _NOT_BUT_ZH if has_cjk(message.text) else _NOT_BUT_EN
    for match in pattern.finditer(message.text):
        old, new = match["old"].strip(), match["new"].strip()
        if len(old) > 1 and new and same_form(old) != same_form(new):
            yield old, new


def _corrected_fact(facts: Iterable[Fact], old: str, number: int, places: Mapping[str, int]) -> Fact | None:
    for fact in reversed(list(facts)):
        place = places.get(fact.sources[-1], -CORRECTION_REACH * 2) if fact.sources else -CORRECTION_REACH * 2
        if number - CORRECTION_REACH <= place < number and old in fact.text:
            return fact
    return None
