"""A talk with the character, turn by turn: what is said is observed and brings memories to mind; the reply is made of them, and
is observed too. Only what the reply drew on is remembered better for it, and only once the turn is over."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from soulmem.asking import NOTHING_ANSWERS, asked
from soulmem.errors import InputError, UndoError
from soulmem.llm.answers import spoken
from soulmem.llm.contract import Model, Prompt
from soulmem.model.messages import Message, Role
from soulmem.model.queries import SubQuery
from soulmem.model.results import Memory, Recollection, SaidMessage
from soulmem.recall.explain import Explanation
from soulmem.recall.render import render
from soulmem.recall.used import used_memories
from soulmem.replying import reply_prompt
from soulmem.scopes.contexts import PUBLIC, normal_scope, person_of
from soulmem.soul import Soul
from soulmem.working.observer import Line, checked_line
from soulmem.working.talk import chat_name

if TYPE_CHECKING:
    from soulmem.forget.for_good import ForgetReport

#: Lines of earlier talks that support an answer, beside what is in the window.
SUPPORTING = 3


#: So many turns of a talk can be taken back, one after the other.
KEPT_TURNS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What somebody said (``heard``) and what it brought to mind; ``reply``: what the character answered, once it has, and
    ``used`` what of that it drew on; ``replaced``: ids of former replies. ``settled``: the turn is over, and ``recalled`` the
    number of the operation by which it was remembered better what was used."""

    heard: Message
    found: Recollection
    reply: Message | None = None
    used: tuple[Memory, ...] = ()
    replaced: tuple[str, ...] = ()
    settled: bool = False
    recalled: int | None = None

    @property
    def lines(self) -> tuple[Message, ...]:
        """What was said in it."""
        return (self.heard,) if self.reply is None else (self.heard, self.reply)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """A turn that was taken back: its ``lines``. ``is_reinforced``: what it used stays remembered better, because something else
    has changed that since."""

    lines: tuple[Message, ...]
    is_reinforced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Who talks in a mind, as far as is known: the character by its own name, and the user."""

    user: str | None
    character: str | None


def known_names(soul: Soul, scope: str | None = None) -> Names:
    """Who talked in this mind before, as far as that tells who talks in ``scope`` now: the person of a direct one, else who
    spoke last, if that was there; ``None``: the owner talks, in public."""
    spoken = soul.store.query("working.last_speakers")
    named = {row["role"]: row["speaker"] for row in spoken}
    last = next((row["scope"] for row in reversed(spoken) if row["role"] == Role.USER), PUBLIC)
    is_here = normal_scope(last) == normal_scope(scope or PUBLIC)
    user = named.get(Role.USER) if is_here else person_of(scope or PUBLIC)
    own = soul.own_names()
    # By the name it spoke under last, if that is one of its own or a part of one: 小红 of 罗小红.
    speakers = [row["speaker"] for row in reversed(spoken) if row["role"] == Role.CHARACTER]
    usual = next((one for one in speakers if any(one.casefold() in name.casefold() for name in own)), None)
    return Names(user=user, character=usual or (own[0] if own else named.get(Role.CHARACTER)))


class Conversation:
    """A talk between ``user`` and ``character`` in a mind that is open for writing.

    ``scope``: who hears it, ``public``, ``direct:<person>`` or ``group:<id>``: nothing comes to mind, is summed up or is given
    to the model that must not be heard there. Without one the lines are public, and the owner of the mind talks, to whom all
    comes to mind. ``present``: who hears it without speaking. ``model`` replies; without one :meth:`prompt` says what would be
    given to it, and :meth:`say` takes a reply from elsewhere. While ``incognito`` nothing of the talk is kept, and nothing is
    remembered better.

    A reply for which a secret came to mind is kept from whom that is kept; one to the owner, for which anything came to mind that
    not everybody may hear, is heard by ``owner`` alone: by default ``user``, another name where it is not sure that they own the
    mind.

    Raises :class:`InputError` for names, a scope or a chat that cannot be.
    """

    def __init__(
        self,
        soul: Soul,
        *,
        user: str,
        character: str,
        chat: str = "default",
        scope: str | None = None,
        present: Sequence[str] = (),
        model: Model | None = None,
        top: int = 10,
        incognito: bool = False,
        owner: str | None = None,
    ) -> None:
        self.soul = soul
        self.chat, self.scope, self.top = chat_name(chat), scope or PUBLIC, top
        #: In which scope the talk is, ``None``: the owner of the mind talks.
        self.heard_in = scope
        self.listeners = tuple(present)
        self.user, self.character = (self._line("…", name, Role.USER, soul.clock()).speaker for name in (user, character))
        if self.user.casefold() == self.character.casefold():
            raise InputError(f"you and the character cannot both be called {self.user}", advice="Name yourself: --as NAME")
        self.owner = owner or self.user
        self.model = model
        #: Why the model could not say what the line that was heard last should bring to mind.
        self.trouble = ""
        #: What the model could not guess of memories that the turn before used, and why.
        self.problems: tuple[str, ...] = ()
        self._incognito = incognito
        self._aside: list[Message] = []
        self._turns: list[Turn] = []
        self._turns_aside: list[Turn] = []
        #: The turn that was taken back last, as long as nothing was said since: it may still be forgotten.
        self._taken_back: Turn | None = None
        #: Whether anything of this talk is in the mind.
        self.is_kept = False
        there = self.soul.window(self.chat).messages
        self._turns += _last_turn([line for line in there if scope is None or line.scope == self.scope])

    # -- the talk -------------------------------------------------------------------------------------------------------------

    @property
    def incognito(self) -> bool:
        """Whether what is said now is kept nowhere."""
        return self._incognito

    @incognito.setter
    def incognito(self, incognito: bool) -> None:
        if incognito != self._incognito:
            self.settle()
            self._incognito, self._turns_aside, self._aside = incognito, [], []

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of this talk that can be taken back, the last one last; while incognito those that are kept nowhere."""
        return tuple(self._present_turns)

    @property
    def turn(self) -> Turn | None:
        """The last turn, if anything was said that was not taken back."""
        return self._present_turns[-1] if self._present_turns else None

    @property
    def present(self) -> Turn:
        """The last turn. Raises :class:`InputError` where nothing was said yet."""
        if self.turn is None:
            raise InputError("nothing was said yet in this talk, or it was taken back")
        return self.turn

    def lines(self) -> tuple[Message, ...]:
        """The lines of the talk that are still in the window and may be heard here, oldest first; incognito ones last."""
        return self._with_present(self.soul.window(self.chat, heard_in=self.heard_in).messages)

    def _with_present(self, window: Sequence[Message]) -> tuple[Message, ...]:
        """``window`` and incognito lines, with the line said just now, also where it asks to be kept from who listens."""
        turn = self._turns[-1] if self._turns and not self._incognito else None
        last = (turn.heard,) if turn is not None and not turn.settled and turn.heard.id not in {one.id for one in window} else ()
        return (*window, *last, *self._aside)

    def hear(self, text: str, at: datetime | None = None) -> Recollection:
        """Take in what the user says, and give what it brings to mind. The turn before is over with it."""
        when = at or self.soul.clock()
        line = self._line(text, self.user, Role.USER, when)
        self.problems = ()
        self.settle()
        self._taken_back = None
        heard = self._taken(line)
        self._present_turns.append(Turn(heard=heard, found=Recollection(query=heard.text, at=when)))
        del self._present_turns[:-KEPT_TURNS]
        found = self._recollected(heard.text, when)
        self._change(found=found)
        return found

    def prompt(self) -> Prompt:
        """What a model is given, to reply to the line that was heard last."""
        turn = self.present
        said = [line for line in self.lines() if turn.reply is None or line.id != turn.reply.id]
        remembered = render(replace(turn.found, window=()), self.soul.settings.render_budget)
        lines = [(line.speaker, line.text, line.sent_at) for line in said]
        return reply_prompt(self.character, lines, remembered, turn.found.at)

    def pieces(self) -> Generator[str, None, None]:
        """What the model replies, as it comes; :meth:`say` it when it is whole.

        Raises :class:`InputError` where nothing was said or no model is there, :class:`ModelError` where it fails.
        """
        prompt = self.prompt()
        if self.model is None:
            raise InputError("no model replies here", advice="Name one: soulmem config set model.name …")
        own = {self.character, *self.soul.own_names()}
        yield from spoken(self.model.stream(prompt), own, {self.user, *(line.speaker for line in self.lines())} - own)

    def reply(self, at: datetime | None = None) -> Generator[str, None, str]:
        """The model's reply in pieces, observed when it is whole; asked again, it takes the place of the former.

        Raises as :meth:`pieces` does: nothing is observed then. Nor is it where the pieces are not taken to the end.
        """
        pieces: list[str] = []
        for piece in self.pieces():
            pieces.append(piece)
            yield piece
        said = "".join(pieces).strip()
        self.say(said, at)
        return said

    def say(self, text: str, at: datetime | None = None) -> tuple[Memory, ...]:
        """The character's reply, from whoever made it; a second one takes the place of the first. Gives the memories it used."""
        turn = self.present
        line = self._line(text, self.character, Role.CHARACTER, at or self.soul.clock())
        if self.heard_in is None and not self._incognito and not self.soul.is_public(turn.found):
            line = replace(line, scope=f"direct:{self.owner}")  # what is told to the owner of the mind is not told to all
        if not self._incognito:
            line = replace(line, kept_from=self.soul.kept_from(turn.found, self.chat))
        said = self._taken(line, turn.reply)
        self._unlearned(turn, at)
        former = (turn.reply.id,) if turn.reply else ()
        used = used_memories(turn.found.memories, said.text)
        self._change(reply=said, used=used, replaced=(*turn.replaced, *former), settled=False, recalled=None)
        return used

    def why(self, key: str) -> Explanation:
        """Why the note ``key`` came to mind in the last turn, or did not. Raises :class:`NotFoundError`."""
        return self.soul.why(key, self.present.heard.text, top=self.top, at=self.present.found.at, heard_in=self.heard_in)

    def settle(self, *, complete: bool = True) -> None:
        """The turn is over: what its reply used is remembered better, and, with ``complete``, a model may guess what is forgotten
        of it."""
        turn = self.turn
        if turn is None or turn.settled:
            return
        self._change(settled=True)
        if turn.used and not self._incognito:
            operation = self.soul.commit(turn.found, turn.used, complete=complete)
            self.problems = self.soul.problems
            self._change(recalled=operation.number if operation else None)

    def undo(self, at: datetime | None = None) -> TakenBack:
        """Take back the last turn as if it had not been said: its lines are kept, hidden, and what it used is as it was before.
        Once more, the turn before it.

        Raises :class:`InputError` where there is none, or where something else was said in this talk since.
        """
        turn = self.present
        if self._incognito:
            self._drop_aside(turn)
            return TakenBack(lines=turn.lines)
        held = self.soul.window(self.chat).messages
        if tuple(line.id for line in held[-len(turn.lines) :]) != tuple(line.id for line in turn.lines):
            raise InputError("the last lines of the talk are not those of this turn any more", advice="Nothing was taken back.")
        is_reinforced = not self._unlearned(turn, at)
        self._taken_back = self._turns.pop()
        for _ in turn.lines:
            self.soul.retract(self.chat, at)
        return TakenBack(lines=turn.lines, is_reinforced=is_reinforced)

    def forget_last(self, at: datetime | None = None) -> ForgetReport | None:
        """Forget the last turn that stands for good, with all that was drawn from it alone and the replies that were replaced
        (:meth:`Soul.forget_messages`). ``None``: it was incognito, and kept nowhere."""
        turn = self.present
        if self._incognito:
            self._drop_aside(turn)
            return None
        self._unlearned(turn, at)
        self._turns.pop()
        return self._forgotten(turn, at)

    def forget_taken_back(self, at: datetime | None = None) -> ForgetReport:
        """Forget the turn that :meth:`undo` took back last for good, as :meth:`forget_last` does. Raises :class:`InputError`
        where there is none, or something was said since."""
        turn = self._taken_back
        if turn is None:
            raise InputError("no turn was just taken back", advice="Nothing was forgotten.")
        self._taken_back = None
        return self._forgotten(turn, at)

    def _forgotten(self, turn: Turn, at: datetime | None) -> ForgetReport:
        return self.soul.forget_messages([*(line.id for line in turn.lines), *turn.replaced], at)

    def feedback(self, sign: int, at: datetime | None = None) -> tuple[Memory, ...]:
        """What the user says to the memories the reply used, or, where it used none, to those that came to mind: ``sign`` +1 or
        −1. While incognito it is kept nowhere."""
        turn = self.present
        told = turn.used or tuple(memory for memory in turn.found.memories if memory.score > 0)
        if not self._incognito:
            self.soul.feedback([memory.id for memory in told], sign, at)
        return told

    def end(self, at: datetime | None = None) -> None:
        """The talk is over for now. Whatever ended it, no model is waited for."""
        self.settle(complete=False)
        if self.is_kept:
            self.soul.end_talk(self.chat, at)

    # -- inside ---------------------------------------------------------------------------------------------------------------

    @property
    def _present_turns(self) -> list[Turn]:
        return self._turns_aside if self._incognito else self._turns

    def _change(self, **fields: Any) -> None:
        """Give the last turn these fields."""
        self._present_turns[-1] = replace(self.present, **fields)

    def _drop_aside(self, turn: Turn) -> None:
        self._turns_aside.pop()
        self._aside = [line for line in self._aside if line.id not in {said.id for said in turn.lines}]

    def _unlearned(self, turn: Turn, at: datetime | None) -> bool:
        """Take back that it was remembered better what ``turn`` used; whether nothing of that is left."""
        if turn.recalled is None:
            return True
        try:
            self.soul.undo(turn.recalled, at)
        except UndoError:
            return False
        return True

    def _recollected(self, text: str, at: datetime) -> Recollection:
        view = self.soul.window(self.chat, heard_in=self.heard_in)
        lines, summary = self._with_present(view.messages), view.summary
        queries = self._queries(lines, at)
        most = SUPPORTING + len(lines)
        asking: dict[str, Any] = {"messages": most, "at": at, "chat": None, "heard_in": self.heard_in}
        found, _ = self.soul.traced(text, queries=queries, top=self.top, **asking)
        said = self.soul.recall(text, **asking) if queries else found
        found = replace(found, messages=_from_before(said, lines), summary=summary, window=lines)
        return replace(found, rendered=render(found, self.soul.settings.render_budget))

    def _queries(self, lines: Sequence[Message], at: datetime) -> tuple[SubQuery, ...]:
        """What the model would have come to mind; nothing without one, or where it is of no help."""
        if self.model is None:
            return ()
        spoken_lines = [(line.speaker, line.text) for line in lines]
        queries, why = asked(self.model, self.character, spoken_lines, at, lambda query: self._is_answered(query, at))
        self.trouble = "" if queries or why == NOTHING_ANSWERS else why
        return queries

    def _is_answered(self, query: SubQuery, at: datetime) -> bool:
        return self.soul.is_answered(query, at, heard_in=self.heard_in)

    def _line(self, text: str, speaker: str, role: Role, at: datetime) -> Line:
        return checked_line(Line(text=text, speaker=speaker, role=role, at=at, scope=self.scope, present=self.listeners))

    def _taken(self, line: Line, former: Message | None = None) -> Message:
        if self._incognito:
            return self._taken_aside(line, former)
        said = self.soul.observe_many([replace(line, replaces=former.id if former else None)], self.chat)[0].message
        self.is_kept = True
        return said

    def _taken_aside(self, line: Line, former: Message | None) -> Message:
        if former:
            self._aside = [other for other in self._aside if other.id != former.id]
        number = self._aside[-1].index + 1 if self._aside else 0
        said = Message(
            id=f"aside-{number}",
            chat="",
            index=number,
            file="",
            line=0,
            speaker=line.speaker,
            role=line.role,
            text=line.text,
            sent_at=line.at,
        )
        self._aside.append(said)
        return said


def _last_turn(lines: Sequence[Message]) -> list[Turn]:
    """The last turn of a talk that goes on: the user's last line, and the reply to it if there is one; what came to mind then is
    not known any more."""
    reply = lines[-1] if len(lines) > 1 and lines[-1].role is Role.CHARACTER else None
    heard = lines[-2] if reply else lines[-1] if lines else None
    if heard is None or heard.role is not Role.USER or heard.sent_at is None:
        return []
    return [Turn(heard=heard, found=Recollection(query=heard.text, at=heard.sent_at), reply=reply)]


def _from_before(found: Recollection, lines: Sequence[Message]) -> tuple[SaidMessage, ...]:
    """The supporting lines but for those of the window, which are given anyway."""
    there = {(line.file, line.index) for line in lines}
    return tuple(said for said in found.messages if (said.file, said.index) not in there)[:SUPPORTING]
