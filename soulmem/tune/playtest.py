"""Playtests: a dialogue is held with a mind turn by turn, and written down what came to mind and why; beside it, what vectors
alone would have brought. Nothing is written to the mind."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from soulmem.model.queries import SubQuery
from soulmem.model.results import Action, Memory, Recollection, Stage, Step
from soulmem.recall.recollect import Trace
from soulmem.recall.render import render
from soulmem.settings import Settings
from soulmem.tune.dialogues import Dialogue
from soulmem.views import NearNote

#: Time between two turns of a dialogue.
TURN = timedelta(minutes=1)
#: The arms of a playtest.
FULL, VECTORS = "full", "vectors"


class Played(Protocol):
    """What a playtest asks of a mind: :class:`soulmem.Soul` is one."""

    settings: Settings

    def traced(
        self, text: str, *, queries: Sequence[SubQuery] = (), top: int = 10, messages: int = 0, at: datetime | None = None
    ) -> tuple[Recollection, Trace]: ...

    def nearest(self, text: str, top: int = 10) -> tuple[NearNote, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A line of the dialogue as it went: ``speaker`` is ``user`` or ``character``."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """What a reply is to be made of: what was said so far, last the line to be answered, and what is remembered to it."""

    role: str
    talk: tuple[Spoken, ...]
    remembered: str


#: Puts what was said into questions for the mind; none: the line is asked as it is.
Asker = Callable[[Sequence[Spoken]], Sequence[SubQuery]]
#: Answers in the character's place.
Replier = Callable[[Cue], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A note that only the walk brought, and the way to it."""

    key: str
    score: float
    path: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTurn:
    """One turn. ``queries``: what was asked (none: the line itself); ``seeds``: key → score; ``remembered``: what a reply is
    made of, by arm; ``replies``: by arm, without a model empty; ``answered``: what the file lets the character answer."""

    number: int
    said: str
    answered: str | None
    queries: tuple[SubQuery, ...]
    seeds: dict[str, float]
    memories: tuple[Memory, ...]
    association: tuple[Carried, ...]
    actions: tuple[Action, ...]
    vectors: tuple[NearNote, ...]
    remembered: dict[str, str]
    replies: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Playtest:
    """A dialogue, played. ``at``: the time of the first turn; ``model``: who replied, ``None`` for nobody."""

    name: str
    role: str
    at: datetime
    model: str | None
    turns: tuple[PlayedTurn, ...]


def play(
    dialogue: Dialogue,
    open_mind: Callable[[], AbstractContextManager[Played]],
    *,
    at: datetime,
    top: int = 10,
    ask: Asker | None = None,
    reply: Replier | None = None,
    model: str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Playtest:
    """Hold ``dialogue`` with a mind. Both arms hear the same lines of the user; each goes on from its own replies, or, where
    nobody replies, from those of the file."""
    talks: dict[str, list[Spoken]] = {FULL: [], VECTORS: []}
    turns: list[PlayedTurn] = []
    with open_mind() as mind:
        for number, turn in enumerate(dialogue.turns):
            for talk in talks.values():
                talk.append(Spoken(speaker="user", text=turn.said))
            queries = tuple(ask(talks[FULL])) if ask else ()
            found, trace = mind.traced(turn.said, queries=queries, top=top, at=at + number * TURN)
            near = mind.nearest(turn.said, top)
            remembered = {FULL: found.rendered, VECTORS: _rendered(found, near, mind.settings)}
            replies = _replies(dialogue.role, talks, remembered, reply)
            turns.append(_turn(number, turn.said, turn.answered, queries, found, trace, near, remembered, replies))
            for arm, talk in talks.items():
                answer = replies.get(arm) or turn.answered
                if answer:
                    talk.append(Spoken(speaker="character", text=answer))
            if progress:
                progress(dialogue.name, number + 1, len(dialogue.turns))
    return Playtest(name=dialogue.name, role=dialogue.role, at=at, model=model if reply else None, turns=tuple(turns))


def _replies(role: str, talks: dict[str, list[Spoken]], remembered: dict[str, str], reply: Replier | None) -> dict[str, str]:
    if reply is None:
        return {}
    return {arm: reply(Cue(role=role, talk=tuple(talk), remembered=remembered[arm])) for arm, talk in talks.items()}


def _rendered(found: Recollection, near: Sequence[NearNote], settings: Settings) -> str:
    """What vectors alone bring, told as a recollection is."""
    memories = tuple(
        Memory(id=one.id, key=one.key, type=one.type, text=one.text, score=one.score, stage=Stage.SIMILARITY) for one in near
    )
    return render(Recollection(query=found.query, at=found.at, memories=memories), settings.render_budget)


def _turn(
    number: int,
    said: str,
    answered: str | None,
    queries: tuple[SubQuery, ...],
    found: Recollection,
    trace: Trace,
    near: tuple[NearNote, ...],
    remembered: dict[str, str],
    replies: dict[str, str],
) -> PlayedTurn:
    keys = {candidate.id: candidate.key for candidate in trace.candidates.values()}
    return PlayedTurn(
        number=number + 1,
        said=said,
        answered=answered,
        queries=queries,
        seeds={keys.get(note, note): round(score, 6) for note, score in sorted(trace.seeds.items(), key=_best_first)},
        memories=found.memories,
        association=tuple(
            Carried(key=memory.key, score=memory.score, path=memory.path)
            for memory in found.memories
            if memory.stage is Stage.ASSOCIATION
        ),
        actions=found.actions,
        vectors=near,
        remembered=remembered,
        replies=replies,
    )


def _best_first(seed: tuple[str, float]) -> tuple[float, str]:
    return -seed[1], seed[0]


# -- blind comparison ---------------------------------------------------------------------------------------------------------

#: Which arm is A and which B, by turn.
Order = dict[int, tuple[str, str]]


def blind_order(played: Playtest, seed: int) -> Order:
    """Which arm is shown as A and which as B, drawn anew for each turn."""
    drawn = random.Random(seed)
    return {turn.number: (FULL, VECTORS) if drawn.random() < 0.5 else (VECTORS, FULL) for turn in played.turns}


def blind_sheet(played: Playtest, order: Order) -> str:
    """A sheet (Markdown) on which a person who does not know which is which marks the better of A and B in every turn."""
    what = "answers" if played.model else "remembers"
    lines = [f"# {_inline(played.name)}", "", f"Who talks with the character: {_inline(played.role) or '–'}", ""]
    lines += [f"Mark in every turn which character {what} better: A, B, or both alike.", ""]
    for turn in played.turns:
        told = turn.replies or turn.remembered
        lines += [f"## {turn.number}", "", *_quoted(turn.said), ""]
        for letter, arm in zip("AB", order[turn.number], strict=True):
            lines += [f"**{letter}**", "", *_quoted(told[arm] or "–"), ""]
        lines += ["Better: [ ] A   [ ] B   [ ] alike", ""]
    return "\n".join(lines)


def _quoted(text: str) -> list[str]:
    return [f"> {line}" for line in text.splitlines()]


def _inline(text: str) -> str:
    return " ".join(text.split())
