"""Observing: a line that is said becomes a message of the mind, passes the window, and can be recalled at once.

A line is acknowledged when its message, its words, the window and, where one was due, the summary are written, in one
transaction. Vectors are computed later, when the mind is idle (:meth:`Observer.idle`); words find the line until then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from soulmem.embed import Embedder
from soulmem.embed.texts import plain_text
from soulmem.errors import InputError, MindDamagedError
from soulmem.model.changes import Change, NoteUpdate
from soulmem.model.messages import Message, Role, fingerprint
from soulmem.scopes.contexts import checked_scope
from soulmem.settings import Settings
from soulmem.store.contract import Store
from soulmem.text.confidences import Confidence
from soulmem.text.counts import counted
from soulmem.working.closing import kept_updates, lines_kept
from soulmem.working.confiding import NOTHING_ASKED, Confided, confided
from soulmem.working.state import State, Task, Waiting, due, state_at
from soulmem.working.summary import Extractive, Summariser, Summary, in_confidence, lines_after, summary_of, summary_value
from soulmem.working.talk import (
    DEFAULT,
    PREFIX,
    Talk,
    at_hand,
    chat_file,
    chat_id,
    chat_name,
    ended,
    heard,
    heard_hidden,
    heard_instead,
    live_chat,
    message_id,
    summary_meta,
    talk_meta,
    talk_of,
    talk_value,
    unsaid,
)
from soulmem.working.window import Event, Happening, Window

if TYPE_CHECKING:
    from soulmem.consolidate.consolidate import ConsolidationReport
    from soulmem.scopes.seen import Unheard

#: Lines whose vectors are written together when the mind is idle.
VECTORS_AT_ONCE = 64

Updates = tuple[NoteUpdate, ...]

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line as it is said. ``at``: when, timezone-aware. ``scope``: ``public``, ``direct:<person>`` or ``group:<id>``;
    ``present``: who hears it besides those who speak; ``kept_from``: who must not hear of it, whatever it asks, normal names,
    ``*``: whoever did not hear it. ``tag``: a summary is due when it slides out of the window. ``hidden``: kept, but not said.
    ``token``: the observer's own name for the line: a second try with it adds nothing. ``replaces``: the id, or the token, of
    the last message, which is said again otherwise. ``removed``: what was taken out of the text, as it is no talk
    (``<think>``)."""

    text: str
    speaker: str
    at: datetime
    role: Role = Role.USER
    scope: str = "public"
    present: tuple[str, ...] = ()
    kept_from: tuple[str, ...] = ()
    tag: bool = False
    hidden: bool = False
    token: str | None = None
    replaces: str | None = None
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A line that is in the mind. ``events``: what it did to the window; ``known``: it was there before, by its token.
    ``removed``: what a model or a program had wrapped around the words, and was taken out of them, by its marks."""

    message: Message
    events: tuple[Event, ...] = ()
    known: bool = False
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowView:
    """The window of a talk as it is now: its messages, oldest first, the ids of those that are ``tagged``, the summary of what
    came before, and whether the mind is working or idle. ``said``: how many messages the talk has had."""

    chat: str
    messages: tuple[Message, ...] = ()
    tagged: tuple[str, ...] = ()
    summary: str = ""
    state: State = State.IDLE
    said: int = 0
    last_at: datetime | None = None
    summary_due: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleReport:
    """What idle work did: ``state`` it found, ``tasks`` done, how many ``summaries`` and ``vectors`` were made, and how many
    notes fell ``asleep``; what the talk was consolidated to, and why it could not be (``trouble``); ``problems``: what a model
    failed at, and the rules did instead."""

    state: State
    tasks: tuple[Task, ...] = ()
    summaries: int = 0
    vectors: int = 0
    asleep: int = 0
    consolidation: ConsolidationReport | None = None
    trouble: str = ""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Present:
    """A talk as it stands: ``lines`` are the messages of the window and those since the last summary, by number."""

    talk: Talk
    summary: Summary = field(default_factory=Summary)
    lines: Mapping[int, Message] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Step:
    """What one line makes of a talk. ``kept``: lines before it that it asks to be kept, as they are now; ``asks``: what it
    asks, and whom it allows to be told."""

    present: Present
    message: Message
    events: tuple[Event, ...]
    updates: Updates = ()
    cleared: tuple[str, ...] = ()
    kept: tuple[Message, ...] = ()
    asks: Confidence = NOTHING_ASKED


class Observer:
    """Observes talks for an open mind. All of it is in the mind: another observer goes on where this one stopped."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        embedder: Callable[[], Embedder],
        clock: Callable[[], datetime],
        summariser: Summariser | None = None,
    ) -> None:
        self._clock = clock
        self._store = store
        self._settings = settings
        self._embedder = embedder
        self.summariser: Summariser = summariser or Extractive()
        self._kept: dict[str, tuple[Any, Present]] = {}

    # -- talk -----------------------------------------------------------------------------------------------------------------

    def observe(self, lines: Sequence[Line], chat: str = DEFAULT) -> list[Observed]:
        """Take ``lines`` in, all of them or none. Raises :class:`InputError` for one that cannot be."""
        name, checked, now = chat_name(chat), [checked_line(line) for line in lines], self._clock()
        with self._store.turn():
            present = self.present(name)
            steps: dict[str, _Step] = {}
            observed: list[Observed] = []
            for line in checked:
                known = self._known(name, line, steps)
                if known is None:
                    step = said_step(name, present, line, self.summariser, self._settings)
                    step = replace(step, present=replace(step.present, talk=at_hand(step.present.talk, now)))
                    present, steps[step.message.id] = step.present, step
                observed.append(known or Observed(message=step.message, events=step.events, removed=line.removed))
            if steps:
                self._write(name, present, list(steps.values()), max(line.at for line in checked))
            if any(step.asks.told for step in steps.values()):
                self.reread()
        return observed

    def _known(self, name: str, line: Line, steps: Mapping[str, _Step]) -> Observed | None:
        """The message that this line's token has brought in before. Raises :class:`InputError` if that was another line."""
        if line.token is None:
            return None
        identity = message_id(chat_id(name), 0, line.token)
        if identity in steps:
            message = steps[identity].message
        elif self._store.query("working.message", id=identity):
            message = self._store.messages([identity])[0]
        else:
            return None
        if (message.speaker, message.text) != (line.speaker, line.text):
            what = f"the id {line.token[:60]!r} was given to another line before"
            raise InputError(what, advice="Give every line an id of its own; a line said again otherwise replaces the former.")
        return Observed(message=message, known=True)

    def _write(self, name: str, present: Present, steps: Sequence[_Step], at: datetime) -> None:
        from soulmem.forget.unsaid import unsaid_by
        from soulmem.indexing import message_words  # who only looks at a window does without
        from soulmem.text.tokens import term_counts

        made = {step.message.id for step in steps}
        gone = {note for step in steps for note in step.cleared}
        drawn = unsaid_by(self._store, sorted(gone - made), at)
        marked = lines_kept(self._store, [Confided(step.message, step.kept, step.asks) for step in steps])
        messages = tuple(marked.pop(one.id, one) for one in (step.message for step in steps))
        messages = tuple(replace(one, hidden=True) if one.id in gone else one for one in messages)
        number = len(messages)
        change = Change(
            command="observe",
            what=f"{chat_file(name)}: {counted(number, 'message')}",
            at=at,
            chats=(live_chat(name, present.talk.next_index, at),),
            messages=messages,
            updates=(
                *(update for step in steps for update in step.updates if update.note not in made),
                *drawn.updates,
                *(update for update in kept_updates(self._store, marked) if update.note not in drawn.removed.notes),
            ),
            removed=drawn.removed,
            terms={one.id: term_counts(message_words(one)) for one in messages if not one.hidden}
            | {note: {} for note in gone - made},
        )
        self._apply(name, change, present)

    def _apply(self, name: str, change: Change, present: Present) -> None:
        written, before = self._kept[name]
        meta: dict[str, Any] = {talk_meta(name): talk_value(present.talk)}
        if present.summary != before.summary or (written is None and present.summary.lines):
            meta[summary_meta(name)] = summary_value(present.summary)
        self._store.apply(self._indexed(replace(change, meta=meta)))
        self._kept[name] = (meta[talk_meta(name)], present)

    def _indexed(self, change: Change) -> Change:
        """``change`` with the words and vectors of the notes whose texts it changes; lines bring their own words."""
        from soulmem.indexing import SEARCHED, indexed, kept_vectors

        if not any(update.values.keys() & SEARCHED for update in change.updates):
            return change
        made = indexed(replace(change, messages=()), self._embedder(), kept_vectors(self._store), present=self._store.notes)
        return replace(made, messages=change.messages, terms={**made.terms, **change.terms})

    def end_talk(self, at: datetime, chat: str = DEFAULT) -> tuple[Event, ...]:
        """The talk has ended, or turns to something else: its last message is tagged. What that did; nothing, if it was."""
        name = chat_name(chat)
        with self._store.turn():
            present = self.present(name)
            talk, events = ended(present.talk)
            if events:
                change = Change(command="observe", what=f"{chat_file(name)}: end of talk", at=at)
                self._apply(name, change, replace(present, talk=talk))
        return events

    def retract(self, at: datetime, chat: str = DEFAULT) -> Message | None:
        """Take back the last message of the window, as if it had not been said: it is kept, hidden, and what was drawn from it
        alone goes. ``None``: there is none."""
        from soulmem.forget.unsaid import unsaid_by

        name = chat_name(chat)
        with self._store.turn():
            present = self.present(name)
            talk, events = unsaid(present.talk)
            if not events:
                return None
            former = present.lines[events[0].index]
            drawn = unsaid_by(self._store, [former.id], at)
            change = Change(
                command="observe",
                what=f"{chat_file(name)}: 1 message taken back",
                at=at,
                updates=(_hiding(former.id), *drawn.updates),
                removed=drawn.removed,
                terms={former.id: {}},
            )
            self._apply(name, change, _without(replace(present, talk=talk), former.index))
        return replace(former, hidden=True)

    def cleared(self, read: Callable[[str], int]) -> dict[str, Any]:
        """Recorded values by which the summaries go of which all is consolidated. ``read``: how far a chat is, by its id."""
        values: dict[str, Any] = {}
        for name in self.talks():
            present = self.present(name)
            if present.summary.lines and read(chat_id(name)) >= present.talk.summarised - 1:
                values[summary_meta(name)] = summary_value(Summary())
        return values

    def summaries(self) -> dict[str, Summary]:
        """The summaries of all talks, by the ids of their chats."""
        return {chat_id(name): self.present(name).summary for name in self.talks()}

    def reread(self) -> None:
        """Read all talks anew: another has changed what is recorded of them."""
        self._kept.clear()

    # -- looking --------------------------------------------------------------------------------------------------------------

    def present(self, name: str) -> Present:
        """The talk as the mind has it, read only if it was changed by another than this observer."""
        value = self._store.meta(talk_meta(name))
        if name in self._kept and self._kept[name][0] == value:
            return self._kept[name][1]
        present = self._read(name, value)
        self._kept[name] = (value, present)
        return present

    def _read(self, name: str, value: Any) -> Present:
        capacity = self._settings.window_capacity
        if value is None:
            return self._restored(name, Present(Talk(window=Window(capacity))))
        try:
            talk, summary = talk_of(value, capacity), summary_of(self._store.meta(summary_meta(name)))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            what = f"what the mind recorded of the talk {name!r} cannot be read"
            raise MindDamagedError(what, place=str(self._store.path), advice="Restore a backup, or name another talk.") from error
        first = min([talk.summarised, *(held.index for held in talk.window.held)])
        return Present(talk, summary, {message.index: message for message in self._said(name, first)})

    def _said(self, name: str, first: int) -> list[Message]:
        rows = self._store.query("working.said", chat=chat_id(name), first=first)
        return self._store.messages([row["id"] for row in rows])

    def _restored(self, name: str, present: Present) -> Present:
        """The talk of a chat that came in from an export, which has its messages and not its window."""
        rows = self._store.query("store.chats_by_ids", ids=[chat_id(name)])
        if not rows:
            return present
        for message in self._said(name, 0):
            talk = replace(present.talk, next_index=message.index)
            talk, _ = heard(talk, message.sent_at or talk.last_at or _NEVER)
            present = replace(present, talk=talk, lines={**present.lines, message.index: message})
        number = max([present.talk.next_index, *(row["messages"] for row in rows)])
        present = replace(present, talk=at_hand(replace(present.talk, next_index=number), self._clock()))
        return summarised(present, self.summariser, self._settings) if self.summariser.at_once else present

    def window(self, at: datetime, chat: str = DEFAULT, unheard: Unheard | None = None) -> WindowView:
        """The window of a talk, as it is at ``at``; without what is ``unheard``."""
        name = chat_name(chat)
        with self._store.turn():
            present = self.present(name)
        talk = present.talk
        held = [(present.lines[one.index], one.tagged) for one in talk.window.held if one.index in present.lines]
        if unheard:
            return _heard_view(name, present, held, unheard, state_at(talk.last_at, at, self._settings))
        return WindowView(
            chat=name,
            messages=tuple(message for message, _ in held),
            tagged=tuple(message.id for message, tagged in held if tagged),
            summary=present.summary.text,
            state=state_at(talk.active_at, at, self._settings),
            said=talk.window.said,
            last_at=talk.last_at,
            summary_due=talk.is_summary_due,
        )

    def talks(self) -> tuple[str, ...]:
        """The names of the talks that were observed."""
        return tuple(row["file"].removeprefix(PREFIX) for row in self._store.query("working.talks", prefix=PREFIX))

    # -- idle work ------------------------------------------------------------------------------------------------------------

    def idle(self, at: datetime, *, forced: bool = False) -> IdleReport:
        """Do what waits for quiet, if there is quiet, or ``forced``: due summaries, vectors of observed lines."""
        talks = {name: self.present(name).talk for name in self.talks()}
        last = max((talk.active_at for talk in talks.values() if talk.active_at), default=None)
        state = state_at(last, at, self._settings)
        summaries = [name for name, talk in talks.items() if talk.is_summary_due]
        vectors = [row["id"] for row in self._store.query("working.without_vector", prefix=PREFIX)] if self._has_vectors else []
        tasks = due(Waiting(summaries=len(summaries), vectors=len(vectors)), state, forced=forced)
        return IdleReport(
            state=state,
            tasks=tasks,
            summaries=sum(self._summarise(name, at) for name in summaries) if Task.SUMMARY in tasks else 0,
            vectors=self._embed(vectors, at) if Task.VECTORS in tasks else 0,
        )

    @property
    def _has_vectors(self) -> bool:
        return self._store.embedder() is not None

    def _summarise(self, name: str, at: datetime) -> bool:
        """Make the summary that is due. What is said meanwhile waits for the next; what was taken back meanwhile is not in it."""
        before = self.present(name)
        made = summarised(before, self.summariser, self._settings).summary
        with self._store.turn():
            now = self.present(name)
            if (now.summary, now.talk.summarised) != (before.summary, before.talk.summarised):
                return False
            for index in before.lines.keys() - now.lines.keys():
                made = made.without(index)
            talk = replace(now.talk, summarised=before.talk.due)
            present = _current(replace(now, talk=talk, summary=made))
            self._apply(name, Change(command="observe", what=f"{chat_file(name)}: summary", at=at), present)
        return True

    def _embed(self, ids: Sequence[str], at: datetime) -> int:
        """Compute and write the vectors of these messages, some at a time, so that talk need not wait long."""
        from soulmem.indexing import kept_vectors, vectors_of

        done = 0
        for start in range(0, len(ids), VECTORS_AT_ONCE):
            with self._store.turn():
                messages = [one for one in self._store.messages(ids[start : start + VECTORS_AT_ONCE]) if not one.hidden]
                made = vectors_of((), messages, self._embedder(), kept_vectors(self._store), None)
                if made.columns:
                    what = f"vectors of {counted(len(made.columns), 'observed line')}"
                    self._store.apply(Change(command="observe", what=what, at=at, vectors=made.columns, embeddings=made.new))
                    done += len(made.columns)
        return done


def said_step(name: str, present: Present, line: Line, summariser: Summariser, settings: Settings) -> _Step:
    """What saying ``line`` makes of a talk. Pure. Raises :class:`InputError` for one that replaces what is not the last."""
    if line.hidden:
        talk = heard_hidden(present.talk)
        return _Step(replace(present, talk=talk), _message(name, present.talk, talk, line), ())
    former = _replaced(name, present, line.replaces) if line.replaces is not None else None
    talk, events = heard_instead(present.talk, line.at) if former else heard(present.talk, line.at, tag=line.tag)
    before = [present.lines[index] for index in sorted(present.lines)]
    kept = confided(_message(name, present.talk, talk, line), [one for one in before if one != former])
    message = kept.said
    summary = _confided_summary(present, kept)
    after = Present(talk, summary, {**present.lines, **{one.index: one for one in kept.before}, message.index: message})
    if former:
        after = _without(after, former.index)
    if talk.is_summary_due and summariser.at_once:
        after = summarised(after, summariser, settings)
        events = (*events, Event(Happening.SUMMARISED, message.index))
    if former is None:
        return _Step(_current(after), message, events, kept=kept.before, asks=kept.asks)
    hidden = (_hiding(former.id),)
    return _Step(_current(after), message, events, hidden, (former.id,), kept=kept.before, asks=kept.asks)


def _confided_summary(present: Present, kept: Confided) -> Summary:
    """The summary, where what a model wrote of lines that are kept now is kept too: which of its words are from where, nobody
    knows."""
    told = [one for one in kept.before if one.index < present.talk.summarised]
    return present.summary.kept_from(kept.said.scope, kept.said.kept_from) if told else present.summary


def summarised(present: Present, summariser: Summariser, settings: Settings) -> Present:
    """The talk with the summary that is due: the former one and all that was said since, up to where it fell due."""
    talk = present.talk
    if not talk.is_summary_due:
        return present
    lines = lines_after(present.lines, talk.summarised, talk.due)
    summary = in_confidence(present.summary, lines, summariser, settings.summary_budget)
    return _current(replace(present, talk=replace(talk, summarised=talk.due), summary=summary))


def _current(present: Present) -> Present:
    """Without lines that neither the window nor the next summary needs."""
    talk = present.talk
    first = min([talk.summarised, *(held.index for held in talk.window.held)])
    if all(index >= first for index in present.lines):
        return present
    return replace(present, lines={index: line for index, line in present.lines.items() if index >= first})


def _without(present: Present, index: int) -> Present:
    """The talk without what was said in message ``index``."""
    lines = {other: line for other, line in present.lines.items() if other != index}
    return replace(present, summary=present.summary.without(index), lines=lines)


def _replaced(name: str, present: Present, identity: str) -> Message:
    held = present.talk.window.held
    last = present.lines.get(held[-1].index) if held else None
    if last is None or last.id not in (identity, message_id(chat_id(name), 0, identity)):
        what = f"the message {identity[:60]!r} is not the last of the talk, and only that can be said again otherwise"
        raise InputError(what, advice="Take back what was said after it first.")
    return last


def _message(name: str, before: Talk, after: Talk, line: Line) -> Message:
    chat, index = chat_id(name), before.next_index
    return Message(
        id=message_id(chat, index, line.token, fingerprint(line.speaker, line.text, line.at)),
        chat=chat,
        index=index,
        file=chat_file(name),
        line=index + 1,
        speaker=line.speaker,
        role=line.role,
        text=line.text,
        sent_at=line.at,
        hidden=line.hidden,
        scope=line.scope,
        present=line.present,
        kept_from=line.kept_from,
        session=after.session,
    )


def _hiding(message: str) -> NoteUpdate:
    return NoteUpdate(note=message, values={"hidden": True})


def checked_line(line: Line) -> Line:
    """The line as it is kept: without what a program or a model wrapped around it. Raises :class:`InputError`."""
    from soulmem.ingest.chat_text import heard, speaker_name

    words = heard(plain_text(line.text), by_character=line.role is Role.CHARACTER)
    text = words.text
    speaker = " ".join(speaker_name(plain_text(line.speaker)).split())
    if not text:
        raise InputError("the line says nothing", advice="Give it a text.")
    if not speaker:
        raise InputError("the line does not say who speaks", advice="Name the speaker.")
    if line.at.tzinfo is None:
        raise InputError(f"the time {line.at} has no time zone", advice="Give a timezone-aware time.")
    checked_scope(plain_text(line.scope))
    if line.token is not None and not line.token:
        raise InputError("the id of the line is empty", advice="Give it one, or none.")
    present = tuple(dict.fromkeys(name for one in line.present if (name := " ".join(plain_text(one).split()))))
    return replace(
        line,
        text=text,
        speaker=speaker,
        scope=plain_text(line.scope),
        present=present,
        at=line.at.astimezone(UTC),
        removed=(*line.removed, *words.removed),
    )


def _heard_view(name: str, present: Present, held: Sequence[tuple[Message, bool]], unheard: Unheard, state: State) -> WindowView:
    """The window without what may not be heard, and without what would tell that there is any."""
    heard = [(unheard.numbered(message), tagged) for message, tagged in held if message.id not in unheard.lines]
    gone = sum(line.chat == chat_id(name) and not line.hidden for line in unheard.lines.values())
    lines = tuple(line for line in present.summary.lines if unheard.hears_summary(chat_id(name), line))
    return WindowView(
        chat=name,
        messages=tuple(message for message, _ in heard),
        tagged=tuple(message.id for message, tagged in heard if tagged),
        summary=Summary(lines).text,
        state=state,
        said=max(present.talk.window.said - gone, len(heard)),
        last_at=heard[-1][0].sent_at if heard else None,
    )
