"""Who heard what was said in a chat that is read, and what was told there in confidence: as in live talk."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from soulmem.ingest.contract import SaidLine
from soulmem.ingest.plan_chat import ChatPlan
from soulmem.model.changes import NoteUpdate
from soulmem.model.messages import Message, Role
from soulmem.scopes.contexts import PUBLIC, person_of
from soulmem.store.contract import Store
from soulmem.text.confidences import confidence
from soulmem.text.names import normal_name
from soulmem.working.closing import kept_updates, lines_kept
from soulmem.working.confiding import Confided, confided

#: So many lines before it may be meant by a request that says nothing else.
REACH = 20
#: With fewer speakers beside the character a chat is no group.
GROUP = 2


@dataclass(frozen=True, slots=True)
class HeardChats:
    """Plans whose new lines say who may hear of them, and the ``updates`` by which what the mind has already is kept."""

    plans: tuple[ChatPlan, ...]
    updates: tuple[NoteUpdate, ...] = ()


def heard_chats(
    store: Store, plans: Sequence[ChatPlan], lines: Sequence[Sequence[SaidLine]], own: Collection[str], present: Sequence[str]
) -> HeardChats:
    """``plans`` with what was told in confidence. ``lines``: those of the file, for each plan; ``own``: names of the character;
    ``present``: who heard all of it without speaking."""
    character = frozenset(map(normal_name, own))
    said = [confidences(_present(plan, present), _near(store, plan), character) for plan in plans]
    kept = lines_kept(store, [one for chat in said for one in chat])
    found: list[ChatPlan] = []
    for plan, chat, of_file in zip(plans, said, lines, strict=True):
        members = Members(of_file, character)
        heard = [kept.pop(one.said.id, one.said) for one in chat]
        new = [_as_read(line, as_read) for line, as_read in zip(heard, plan.new, strict=True)]
        found.append(replace(plan, new=tuple(_with(line, members.at(line.index)) if _is_closed(line) else line for line in new)))
    return HeardChats(tuple(found), kept_updates(store, kept))


def _as_read(line: Message, read: Message) -> Message:
    """``line`` with the role and the session in which it was ``read``."""
    is_same = line.role is read.role and line.session == read.session
    return line if is_same else replace(line, role=read.role, session=read.session)


def _present(plan: ChatPlan, names: Sequence[str]) -> ChatPlan:
    return replace(plan, new=tuple(_with(line, names) for line in plan.new)) if names else plan


def confidences(plan: ChatPlan, known: Mapping[str, Message], own: Collection[str]) -> list[Confided]:
    """What the new lines of ``plan`` ask, each after those that stand before it in the file. ``known``: the lines of the mind
    that are near them; ``own``: normal names of the character, whose lines not every file marks."""
    window: deque[Message] = deque(maxlen=REACH)
    found: list[Confided] = []
    lines = [_by_character(one) if normal_name(one.speaker) in own else one for one in _in_order(plan, known)]
    asked = confided if own or any(line.role is Role.CHARACTER for line in lines) else _confided_to_somebody
    for line in lines:
        is_new = line.id not in known
        one = asked(line, _beside(window, line)) if is_new and not line.hidden else Confided(line)
        if is_new:
            found.append(one)
        if one.before:
            meant = {other.id: other.kept_from for other in one.before}
            window = deque((replace(other, kept_from=meant.get(other.id, other.kept_from)) for other in window), maxlen=REACH)
        if not line.hidden:
            window.append(one.said)
    return found


def _in_order(plan: ChatPlan, known: Mapping[str, Message]) -> Iterator[Message]:
    """The lines of the file that are looked at, as they stand there."""
    if not known:
        yield from plan.new
        return
    there = {index: known[one] for index, one in plan.existing.items() if one in known}
    lines = there | {line.index: line for line in plan.new}
    for index in sorted(lines):
        yield lines[index]


def _by_character(line: Message) -> Message:
    return line if line.role is Role.CHARACTER else replace(line, role=Role.CHARACTER)


def _confided_to_somebody(said: Message, lines: Sequence[Message]) -> Confided:
    """As :func:`confided`, where the file does not say whose lines the character's are: anybody else may have answered."""
    own = normal_name(said.speaker)
    one = confided(said, _by_others(lines, own))
    if one.said.kept_from or not lines or not lines[-1].kept_from:
        return one
    told = normal_name(
        next((line.speaker for line in reversed(lines) if confidence(line.text, speaker=line.speaker)), lines[-1].speaker)
    )
    if told == own:
        return one
    answer = confided(_by_character(said), _by_others(lines, told)).said
    return replace(one, said=replace(said, kept_from=tuple(name for name in answer.kept_from if name != own)))


def _by_others(lines: Sequence[Message], speaker: str) -> list[Message]:
    """``lines`` as if all were the character's but those of ``speaker``."""
    return [line if normal_name(line.speaker) == speaker else _by_character(line) for line in lines]


def _beside(lines: Iterable[Message], said: Message) -> list[Message]:
    """Lines that stand before ``said`` in the file; those that were read with another chat as if of this."""
    return [line if line.chat == said.chat else replace(line, session=said.session) for line in lines]


def _near(store: Store, plan: ChatPlan) -> dict[str, Message]:
    """The lines of the mind that stand shortly before new ones in the file."""
    if not plan.existing or not plan.new:
        return {}
    wanted: dict[str, None] = {}
    last: deque[str] = deque(maxlen=REACH)
    new = {line.index for line in plan.new}
    for index in sorted({*plan.existing, *new}):
        if index in new:
            wanted |= dict.fromkeys(last)
            last.clear()
        else:
            last.append(plan.existing[index])
    return {line.id: line for line in store.messages(list(wanted))}


def _is_closed(line: Message) -> bool:
    """Whether it matters who of a group heard a line."""
    return person_of(line.scope) is None and (bool(line.kept_from) or line.scope != PUBLIC)


def _with(line: Message, present: Sequence[str]) -> Message:
    more = dict.fromkeys((*line.present, *(name for name in present if name != line.speaker)))
    return line if len(more) == len(line.present) else replace(line, present=tuple(more))


class Members:
    """Who was in a group when a line of it was said: whoever speaks before it and after it."""

    def __init__(self, lines: Sequence[SaidLine], own: Collection[str]) -> None:
        self._first: dict[str, int] = {}
        self._last: dict[str, int] = {}
        for line in lines:
            is_person = line.role in (Role.USER, Role.CHARACTER) and normal_name(line.speaker) not in own
            if is_person and not line.hidden:
                self._first.setdefault(line.speaker, line.index)
                self._last[line.speaker] = line.index

    def at(self, index: int) -> tuple[str, ...]:
        """The members who were there at this line; none where the chat is no group."""
        if len(self._first) < GROUP:
            return ()
        return tuple(name for name, first in self._first.items() if first <= index <= self._last[name])
