"""A talk with the character, turn by turn: what is said is observed and brings memories to mind; the reply is made of them, and
is observed too. Only what the reply drew on is remembered better for it, and only once the turn is over."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from soulmem.asking import NOTHING_ANSWERS, asked
from soulmem.errors import InputError
from soulmem.llm.answers import spoken
from soulmem.llm.contract import Model, Prompt
from soulmem.model.messages import Message, Role
from soulmem.model.queries import SubQuery
from soulmem.model.results import Memory, Recollection, SaidMessage
from soulmem.recall.explain import Explanation
from soulmem.recall.recollect import Trace
from soulmem.recall.render import render
from soulmem.recall.used import used_memories
from soulmem.replying import reply_prompt
from soulmem.soul import Soul

#: Lines of earlier talks that support an answer, beside what is in the window.
SUPPORTING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What somebody said (``heard``) and what it brought to mind; ``reply``: what the character answered, once it has."""

    heard: Message
    found: Recollection
    trace: Trace
    reply: Message | None = None
    used: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Who talks in a mind, as far as is known: the character by its own name, and the user who spoke last."""

    user: str | None
    character: str | None


def known_names(soul: Soul) -> Names:
    """Who talked in this mind before."""
    spoken = soul.store.query("working.last_speakers")
    named = {row["role"]: row["speaker"] for row in spoken}
    own = soul.own_names()
    return Names(user=named.get(Role.USER), character=own[0] if own else named.get(Role.CHARACTER))


class Conversation:
    """A talk between ``user`` and ``character`` in a mind that is open for writing.

    ``model`` replies; without one :meth:`prompt` says what would be given to it, and :meth:`say` takes a reply from elsewhere.
    While ``incognito`` nothing of the talk is kept, and nothing is remembered better.
    """

    def __init__(
        self,
        soul: Soul,
        *,
        user: str,
        character: str,
        chat: str = "default",
        scope: str = "public",
        model: Model | None = None,
        top: int = 10,
        incognito: bool = False,
    ) -> None:
        self.soul = soul
        self.user, self.character = user, character
        self.chat, self.scope, self.top = chat, scope, top
        self.model = model
        self.turn: Turn | None = None
        #: Why the model could not say what the line that was heard last should bring to mind.
        self.trouble = ""
        self._incognito = incognito
        self._aside: list[Message] = []

    # -- the talk -------------------------------------------------------------------------------------------------------------

    @property
    def incognito(self) -> bool:
        """Whether what is said now is kept nowhere."""
        return self._incognito

    @incognito.setter
    def incognito(self, incognito: bool) -> None:
        if incognito != self._incognito:
            self.settle()
            self._incognito, self.turn, self._aside = incognito, None, []

    @property
    def present(self) -> Turn:
        """The last turn. Raises :class:`InputError` where nothing was said yet."""
        if self.turn is None:
            raise InputError("nothing was said yet in this talk, or it was taken back")
        return self.turn

    def lines(self) -> tuple[Message, ...]:
        """The lines of the talk that are still in the window, oldest first; incognito ones last."""
        return (*self.soul.window(self.chat).messages, *self._aside)

    def hear(self, text: str, at: datetime | None = None) -> Recollection:
        """Take in what the user says, and give what it brings to mind. The turn before is over with it."""
        self.settle()
        when = at or self.soul.clock()
        heard = self._taken(text, self.user, Role.USER, when)
        lines, summary = self.lines(), self.soul.window(self.chat).summary
        queries = self._queries(lines, when)
        found, trace = self.soul.traced(text, queries=queries, top=self.top, messages=SUPPORTING + len(lines), at=when, chat=None)
        said = self.soul.recall(text, messages=SUPPORTING + len(lines), at=when, chat=None) if queries else found
        found = replace(found, messages=_from_before(said, lines), summary=summary, window=lines)
        found = replace(found, rendered=render(found, self.soul.settings.render_budget))
        self.turn = Turn(heard=heard, found=found, trace=trace)
        return found

    def prompt(self) -> Prompt:
        """What a model is given, to reply to the line that was heard last."""
        turn = self.present
        said = [*self.lines()]
        if turn.reply and said and said[-1].id == turn.reply.id:
            said.pop()
        remembered = render(replace(turn.found, window=()), self.soul.settings.render_budget)
        lines = [(line.speaker, line.text, line.sent_at) for line in said]
        return reply_prompt(self.character, lines, remembered, turn.found.at)

    def reply(self, at: datetime | None = None) -> Generator[str, None, str]:
        """The model's reply in pieces, observed when it is whole; asked again, it takes the place of the former.

        Raises :class:`InputError` where nothing was said or no model is there, :class:`ModelError` where it fails: nothing is
        observed then.
        """
        if self.model is None:
            raise InputError("no model replies here", advice="Name one: soulmem config set model.name …")
        pieces: list[str] = []
        for piece in spoken(self.model.stream(self.prompt())):
            pieces.append(piece)
            yield piece
        said = "".join(pieces).strip()
        if said:
            self.say(said, at)
        return said

    def say(self, text: str, at: datetime | None = None) -> tuple[Memory, ...]:
        """The character's reply, from whoever made it; a second one takes the place of the first. Gives the memories it used."""
        turn = self.present
        said = self._taken(text, self.character, Role.CHARACTER, at or self.soul.clock(), turn.reply)
        used = used_memories(turn.found.memories, text)
        self.turn = replace(turn, reply=said, used=used)
        return used

    def why(self, key: str) -> Explanation:
        """Why the note ``key`` came to mind in the last turn, or did not. Raises :class:`NotFoundError`."""
        return self.soul.why(key, self.present.heard.text, top=self.top, at=self.present.found.at)

    def settle(self) -> None:
        """The turn is over: what its reply used is remembered better."""
        turn = self.turn
        if turn and turn.used and not self._incognito:
            self.soul.commit(turn.found, turn.used)
        if turn:
            self.turn = replace(turn, used=())

    def undo(self, at: datetime | None = None) -> tuple[Message, ...]:
        """Take back the last turn as if it had not been said: its lines are kept, hidden, and nothing is remembered better."""
        turn, self.turn = self.present, None
        lines = [line for line in (turn.reply, turn.heard) if line is not None]
        if self._incognito:
            del self._aside[len(self._aside) - len(lines) :]
        else:
            for _ in lines:
                self.soul.retract(self.chat, at)
        return tuple(reversed(lines))

    def feedback(self, sign: int, at: datetime | None = None) -> tuple[Memory, ...]:
        """What the user says to the memories the reply used, or, where it used none, to those that came to mind: ``sign`` +1 or
        −1."""
        turn = self.present
        told = turn.used or tuple(memory for memory in turn.found.memories if memory.score > 0)
        if not self._incognito:
            self.soul.feedback([memory.id for memory in told], sign, at)
        return told

    def end(self, at: datetime | None = None) -> None:
        """The talk is over for now."""
        self.settle()
        self.soul.end_talk(self.chat, at)

    # -- inside ---------------------------------------------------------------------------------------------------------------

    def _queries(self, lines: Sequence[Message], at: datetime) -> tuple[SubQuery, ...]:
        """What the model would have come to mind; nothing without one, or where it is of no help."""
        if self.model is None:
            return ()
        spoken_lines = [(line.speaker, line.text) for line in lines]
        queries, why = asked(self.model, self.character, spoken_lines, at, lambda query: self.soul.is_answered(query, at))
        self.trouble = "" if queries or why == NOTHING_ANSWERS else why
        return queries

    def _taken(self, text: str, speaker: str, role: Role, at: datetime, former: Message | None = None) -> Message:
        if not self._incognito:
            return self.soul.observe(
                text,
                speaker=speaker,
                role=role,
                at=at,
                scope=self.scope,
                chat=self.chat,
                replace=former.id if former else None,
            ).message
        if former:
            self._aside.pop()
        number = len(self._aside)
        line = Message(
            id=f"aside-{number}", chat="", index=number, file="", line=0, speaker=speaker, role=role, text=text, sent_at=at
        )
        self._aside.append(line)
        return line


def _from_before(found: Recollection, lines: Sequence[Message]) -> tuple[SaidMessage, ...]:
    """The supporting lines but for those of the window, which are given anyway."""
    there = {(line.file, line.index) for line in lines}
    return tuple(said for said in found.messages if (said.file, said.index) not in there)[:SUPPORTING]
