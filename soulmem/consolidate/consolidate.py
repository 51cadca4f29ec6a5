"""Consolidation over a mind: read, plan, and write in one transaction. What is thought is in the pure modules beside this one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import accumulate, groupby
from typing import Any

import numpy as np

from soulmem.ageing import with_due
from soulmem.consolidate.answers import Learned, ProposedLink, links_of, split_of
from soulmem.consolidate.contract import (
    MOST_ACTIVE,
    MOST_ASKED,
    MOST_KNOWN,
    MOST_KNOWN_OF_ONE,
    MOST_WITH_MODEL,
    Known,
    Linker,
    LinkQuestion,
    SplitQuestion,
    Splitter,
)
from soulmem.consolidate.corrections import CORRECTION_REACH, corrected
from soulmem.consolidate.entries import (
    Ground,
    active_entries,
    anchored,
    derived_entries,
    fact_entries,
    fact_note,
    link,
    name_entries,
    owners_of,
    telling_words,
    with_aliases,
)
from soulmem.consolidate.facts import Fact, stem_of
from soulmem.consolidate.growth import Lived, learned_entries, pattern_entries, procedure_entries, procedure_id
from soulmem.consolidate.merge import KnownFact, Merged, is_known, merge, stand_ins
from soulmem.consolidate.plan import Entry, Parts, Plan, Sign, change_of, numbered, told_notes
from soulmem.consolidate.same import same_entries, same_names
from soulmem.consolidate.split import name_forms, split
from soulmem.consolidate.state import META, MOST_FAILURES, State, batch_name, state_of
from soulmem.consolidate.wiring import Ends, Use, Wire, coactivation_id, cut_entries, direct, hours, wiring_entries
from soulmem.embed import Embedder
from soulmem.errors import ModelAnswerError, SoulmemError
from soulmem.graph.plasticity import faded
from soulmem.indexing import indexed, kept_vectors
from soulmem.ingest.derive import Derived, KnownSituation
from soulmem.ingest.deriving import derive_from, names_of_mind, talks_of
from soulmem.model.changes import Change
from soulmem.model.messages import Message
from soulmem.model.notes import ConceptType, Note, NoteType, Semantic, display_text
from soulmem.recall.reinforce import envelope_of
from soulmem.scopes.seen import seen_in
from soulmem.settings import Settings
from soulmem.store.contract import Store
from soulmem.text.counts import counted
from soulmem.text.names import name_candidates, resolve_overlaps
from soulmem.text.spaces import single_spaced
from soulmem.working.summary import Summary

#: So many messages are consolidated at once; the rest the next time.
MOST_MESSAGES = 500
#: So many lines before the batch tell whom it speaks of, and so many of the last situations what recurs.
CONTEXT = 6
LAST_SITUATIONS = 100
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_BY_MODEL = "as the model has it"


def _stated_problems(answer: Any) -> tuple[str, ...]:
    """What whoever asked the model left out of its answer already."""
    stated = answer.get("problems") if isinstance(answer, Mapping) else None
    return tuple(map(str, stated)) if isinstance(stated, list | tuple) else ()


def told_failure(error: Exception) -> str:
    """Why a consolidation failed, as the mind keeps it: what a model's provider said, and no advice."""
    return error.what if isinstance(error, SoulmemError) else f"{type(error).__name__}: {error}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportEntry:
    """An entry of the plan, and whether it was (or would be) written. See :class:`~soulmem.consolidate.plan.Entry`."""

    number: int
    sign: str
    kind: str
    text: str
    why: str
    sources: tuple[str, ...]
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationReport:
    """What a consolidation did, or with ``dry_run`` would do. ``messages``: lines it read; ``left``: lines still to be read;
    ``operation``: the number in the journal, ``None`` when nothing was written; ``problems``: what was wrong with a model's
    answer; ``skipped``: how many batches were given up so far."""

    at: datetime
    dry_run: bool
    messages: int
    left: int
    entries: tuple[ReportEntry, ...] = ()
    operation: int | None = None
    problems: tuple[str, ...] = ()
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What was drawn from messages: facts; (id of a fact, id of the note it holds instead of, why); ways of acting; facts of
    ``earlier`` lines that are corrected."""

    facts: tuple[Fact, ...]
    over: tuple[tuple[str, str, str], ...] = ()
    learned: tuple[Learned, ...] = ()
    earlier: tuple[Fact, ...] = ()

    def __add__(self, other: _Drawn) -> _Drawn:
        return _Drawn(
            (*self.facts, *other.facts),
            (*self.over, *other.over),
            (*self.learned, *other.learned),
            (*self.earlier, *other.earlier),
        )


def _pieces(messages: Sequence[Message], context: Sequence[Message]) -> Iterator[tuple[list[Message], list[Message]]]:
    """``messages`` as a model is asked about them: at most :data:`MOST_ASKED` at once, all of one scope; and the lines before."""
    before = list(context)
    for _, of_scope in groupby(messages, key=lambda message: message.scope):
        some = list(of_scope)
        for first in range(0, len(some), MOST_ASKED):
            piece = some[first : first + MOST_ASKED]
            yield piece, before[-CONTEXT:]
            before += piece


def _chats(messages: Iterable[Message]) -> list[list[Message]]:
    """Messages by chat, what began earlier first; chats without times before those that have some."""
    found: dict[str, list[Message]] = defaultdict(list)
    for message in messages:
        found[message.chat].append(message)
    return sorted(found.values(), key=lambda chat: next((one.sent_at for one in chat if one.sent_at), _LONG_AGO))


def _in_order(chats: Sequence[Sequence[Fact]]) -> tuple[Fact, ...]:
    """The facts of some chats in the order they were said: those of one as its lines stand, whatever their times."""
    timed: list[tuple[datetime, Fact]] = []
    for facts in chats:
        times = accumulate((fact.said_at or _LONG_AGO for fact in facts), max)
        timed += zip(times, facts, strict=True)
    return tuple(fact for _, fact in sorted(timed, key=lambda pair: pair[0]))


def _by_rules(messages: Sequence[Message], context: Sequence[Message], forms: dict[str, str]) -> _Drawn:
    """What the rules draw from messages."""
    messages, context = _single_spaced(messages), _single_spaced(context)
    found = corrected(split(messages, forms, context), messages, forms, context)
    return _Drawn(found.facts, found.over, earlier=found.earlier)


def _single_spaced(messages: Sequence[Message]) -> list[Message]:
    texts = [single_spaced(message.text) for message in messages]
    pairs = zip(messages, texts, strict=True)
    return [message if message.text == text else replace(message, text=text) for message, text in pairs]


@dataclass(slots=True)
class Consolidation:
    """One consolidation of one mind. ``splitter`` and ``linker``: instead of the deterministic ones; ``summaries``: of chats that
    go on, by their ids; ``cleared``: the recorded values by which they go once all of them is consolidated."""

    store: Store
    embedder: Callable[[], Embedder]
    settings: Settings
    at: datetime
    splitter: Splitter | None = None
    linker: Linker | None = None
    summaries: Mapping[str, Summary] = field(default_factory=dict)
    cleared: Callable[[Callable[[str], int]], Mapping[str, Any]] = field(default=lambda read: {})
    from_start: bool = False
    problems: list[str] = field(default_factory=list)
    #: The mind as it is seen where the messages that are looked at were heard.
    _seen: Store = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._seen = self.store

    def run(self, *, dry_run: bool = False, accept: Collection[int] | None = None) -> ConsolidationReport:
        """Plan, and unless ``dry_run`` write what is accepted. What fails leaves the mind as it was; the third time the same
        messages fail they are skipped, and that is recorded."""
        with self.store.turn():
            state = state_of(self.store.meta(META))
            if self.from_start:
                state = replace(state, cursors={})
            batch, left = self._pending(state)
            self._give_up_model(state, batch)
            try:
                plan = self.plan(state, batch)
                operation = None if dry_run else self._apply(plan, accept)
            except Exception as error:
                if not dry_run and not self.store.read_only:
                    self._failed(state, batch, told_failure(error))
                raise
        return self._report(plan, accept, dry_run, left, operation, len(state.skipped))

    def _give_up_model(self, state: State, batch: Sequence[Message]) -> None:
        """The last try of lines that failed before is made without a model: better a plain memory than none."""
        times = state.failures if batch and state.failed.get("batch") == batch_name(batch) else 0
        if times == MOST_FAILURES - 1 and (self.splitter or self.linker):
            self.splitter = self.linker = None
            self.problems.append(f"{times} times the model failed on these lines: this time they were consolidated without it")

    def _apply(self, plan: Plan, accept: Collection[int] | None) -> int | None:
        change = change_of(plan, accept)
        if change is None or _is_idle(plan, change, self.store):
            return None
        change = replace(change, meta={**change.meta, **self.cleared(state_of(plan.state).cursor)} if plan.state else change.meta)
        told = told_notes(plan, accept)
        change = indexed(with_due(change, self.settings), self.embedder(), kept_vectors(self.store), also=told)
        return self.store.apply(change).number

    def _failed(self, state: State, batch: Sequence[Message], why: str) -> None:
        """Record that this batch failed; nothing else of the mind changes."""
        if batch:
            failed = state.failing(batch_name(batch), batch, why[:300])
            what = f"{counted(len(batch), 'message')} could not be consolidated: {why[:120]}"
            self.store.apply(Change(command="consolidate", what=what, at=self.at, meta={META: failed.as_json()}))

    def _report(
        self, plan: Plan, accept: Collection[int] | None, dry_run: bool, left: int, operation: int | None, skipped: int
    ) -> ConsolidationReport:
        entries = tuple(
            ReportEntry(
                number=entry.number,
                sign=entry.sign.value,
                kind=entry.kind,
                text=entry.text,
                why=entry.why,
                sources=entry.sources,
                accepted=accept is None or entry.number in accept,
            )
            for entry in plan.entries
        )
        return ConsolidationReport(
            at=self.at,
            dry_run=dry_run,
            messages=plan.messages,
            left=left,
            entries=entries,
            operation=operation,
            problems=tuple(self.problems),
            skipped=skipped,
        )

    # -- reading --------------------------------------------------------------------------------------------------------------

    def _pending(self, state: State) -> tuple[list[Message], int]:
        """The messages beyond the cursors, and how many more there may be: at most :data:`MOST_MESSAGES`, with a model fewer.
        What failed the last time is tried again as it was."""
        ids, left = self._unread(state, MOST_MESSAGES, state.until) if state.until else ([], 0)
        if not ids:
            ids, left = self._unread(state, MOST_WITH_MODEL if self.splitter else MOST_MESSAGES, None)
        return self.store.messages(ids), left

    def _unread(self, state: State, most: int, until: Mapping[str, int] | None) -> tuple[list[str], int]:
        """The ids of at most ``most`` unread messages, none beyond the lines ``until``; and how many more are unread."""
        ids: list[str] = []
        left = 0
        for row in self.store.query("consolidate.unread_chats"):
            chat, read, room = row["chat"], state.cursor(row["chat"]), most - len(ids)
            last = row["last"] if until is None else min(row["last"], until.get(chat, -1))
            is_open = room > 0 and last > read
            found = (
                self.store.query("consolidate.pending_messages", chat=chat, after=read, until=last, limit=room) if is_open else []
            )
            ids += [one["id"] for one in found]
            left += max(row["last"] - (found[-1]["index"] if found else read), 0)
        return ids, left

    def plan(self, state: State, batch: Sequence[Message]) -> Plan:
        """What is to be done with these messages, and with what was recalled since the last time; reads, but writes nothing."""
        uses = self._uses(state)
        ground = Ground(at=self.at, messages={}, names={}, old={})
        entries: list[Entry] = []
        for talk in talks_of(batch):
            made, ground = self._talk(_chats(talk), state, ground)
            entries += made
        wired, ground = self._wiring(uses, ground)
        entries += wired
        entries += self._growth(batch, ground)
        merged, ground = self._same(ground)
        entries += merged
        after = replace(state.read(batch), recalls=max((use.at for use in uses), default=state.recalls))
        known = frozenset(ground.old) | self._ends(entries)
        changed = after.as_json() if after != state else {}
        return Plan(at=self.at, entries=numbered(entries), messages=len(batch), state=changed, known=known)

    def _ends(self, entries: Iterable[Entry]) -> frozenset[str]:
        """Which ends of the planned links are notes of the mind."""
        ends = {end for entry in entries for one in entry.parts.links for end in (one.source, one.target)}
        ends |= {end for entry in entries for one in entry.parts.supersedes for end in (one.new, one.old)}
        return frozenset(row["id"] for row in self.store.query("ingest.ids", ids=sorted(ends))) if ends else frozenset()

    # -- messages -------------------------------------------------------------------------------------------------------------

    def _talk(self, chats: Sequence[list[Message]], state: State, ground: Ground) -> tuple[list[Entry], Ground]:
        """What was said in these chats, all heard by the same people: what one tells is held against what the others do."""
        said = chats[0][0]
        self._seen = seen_in(self.store, said.scope)
        messages = [message for chat in chats for message in chat]
        contexts = [self._context(chat) for chat in chats]
        derived, names = self._derived(chats)
        found = [self._facts(chat, before, names) for chat, before in zip(chats, contexts, strict=True)]
        drawn, facts = sum(found, _Drawn(())), _in_order([one.facts for one in found])
        derived = with_aliases(derived, facts, names)
        merged = self._merged(replace(drawn, facts=facts), messages)
        situations = {
            message: note.id for note in derived.notes if note.type is NoteType.SPECIFIC for message in note.sources
        } | self._quoting(messages)
        names |= names_of_mind(self._seen, [name for fact in facts for name in (*fact.names, *(fact.called or ()))])
        old = self._old(derived, names, state)
        heard = {message.id: message for some in (*contexts, messages) for message in some}
        ground = Ground(
            at=self.at,
            messages={**ground.messages, **heard},
            names={**ground.names, **names},
            old={**ground.old, **old},
            active=tuple(note for note in old.values() if note.id in self._active_ids(state)),
            situations={**ground.situations, **situations},
        )
        entries = list(derived_entries(derived, ground))
        ground = replace(ground, old={**ground.old, **{note.id: note for note in derived.told}})
        owners = owners_of(derived, names)
        entries += name_entries(facts, owners, ground)
        entries += fact_entries(merged, owners, ground)
        entries += self._learned(drawn.learned, said, ground)
        entries += self._linked(merged, ground)
        return [_within(entry, said, ground.old) for entry in anchored(entries, ground)], ground

    def _context(self, chat: Sequence[Message]) -> tuple[Message, ...]:
        """The lines of a chat before these."""
        first = chat[0]
        rows = self._seen.query("consolidate.lines_before", chat=first.chat, until=first.index - 1, limit=CORRECTION_REACH)
        ids = [row["id"] for row in reversed(rows)]
        return tuple(self.store.messages(ids))

    def _learned(self, learned: Sequence[Learned], said: Message, ground: Ground) -> list[Entry]:
        scope, kept_from = said.scope, said.kept_from
        ids = [procedure_id(one.content, scope, kept_from) for one in learned]
        known = {row["id"] for row in self.store.query("ingest.ids", ids=ids)} if ids else set()
        return list(learned_entries(learned, known, ground))

    def _derived(self, chats: Sequence[Sequence[Message]]) -> tuple[Derived, dict[str, str]]:
        """The exchanges and concepts of the messages that no situation quotes yet."""
        ids = [message.id for chat in chats for message in chat]
        quoted = {row["message"] for row in self.store.query("consolidate.situations_of", ids=ids)}
        situations: list[KnownSituation] = []
        before: dict[str, KnownSituation] = {}
        for chat in chats:
            known = self._last_situations(chat[0].chat)
            first = next((message.index for message in chat if message.id not in quoted), -1)
            if known and known[-1].last == first - 1:
                before[chat[0].chat] = known[-1]
            situations += known
        new = [message for chat in chats for message in chat if message.id not in quoted]
        derived, _, names = derive_from(self._seen, new, situations, self.at, before)
        return derived, names

    def _last_situations(self, chat: str) -> list[KnownSituation]:
        rows = self._seen.query("consolidate.last_situations", chat=chat, limit=LAST_SITUATIONS)
        return [
            KnownSituation(id=row["id"], text=row["narrative"], last=row["last"], session=row["session"])
            for row in reversed(rows)
        ]

    def _quoting(self, messages: Sequence[Message]) -> dict[str, str]:
        rows = self.store.query("consolidate.situations_of", ids=[message.id for message in messages])
        return {row["message"]: row["situation"] for row in rows}

    def _facts(self, messages: Sequence[Message], context: Sequence[Message], names: dict[str, str]) -> _Drawn:
        titles = self._titles(names | self._named([message.text for message in (*context, *messages) if not message.hidden]))
        forms = name_forms((*context, *messages), titles)
        if self.splitter is None:
            return _by_rules(messages, context, forms)
        drawn = _Drawn(())
        for some, before in _pieces(messages, context):
            drawn += self._by_model(self.splitter, some, before, forms)
        return drawn

    def _by_model(
        self, splitter: Splitter, messages: Sequence[Message], context: Sequence[Message], forms: dict[str, str]
    ) -> _Drawn:
        """What the splitter makes of messages of one scope; what the rules do where its answer is of no use. Raises where it
        cannot be reached."""
        said = tuple(message for message in messages if not message.hidden)
        if not said:
            return _Drawn(())
        question = SplitQuestion(
            messages=said,
            context=tuple(one for one in context if one.scope in ("public", said[0].scope) and _is_trusted(one, said[0])),
            summary=self._summary_of(messages),
            known=self._known_to(said, forms),
            names=forms,
        )
        try:
            answer = splitter.split(question)
        except ModelAnswerError as error:
            self.problems.append(f"{error.what}; the lines were split without the model")
            return _by_rules(messages, context, forms)
        found = split_of(answer, question)
        wrong = (*_stated_problems(answer), *found.problems)
        self.problems += wrong
        if wrong and not found.facts and not found.learned:
            self.problems.append("nothing of the answer could be taken; the lines were split without the model")
            return _by_rules(messages, context, forms)
        over = tuple((found.facts[number].note_id, old, _BY_MODEL) for number, old in found.over)
        return _Drawn(found.facts, over, found.learned)

    def _summary_of(self, messages: Sequence[Message]) -> str:
        """The summary of the chat these are of, as far as it was made of what was said in the same talk, or in public."""
        heard = {("public", frozenset[str]()), (messages[0].scope, frozenset(messages[0].kept_from))}
        summary = self.summaries.get(messages[0].chat, Summary())
        return Summary(tuple(line for line in summary.lines if (line.scope, frozenset(line.kept_from)) in heard)).text

    def _named(self, texts: Sequence[str]) -> dict[str, str]:
        """The names of the mind that stand in these texts."""
        wanted = sorted({name for text in texts for name in name_candidates(text)})
        known = [row["name"] for row in self._seen.query("recall.known_names", names=wanted)] if wanted else []
        standing = {span.name for text in texts for span in resolve_overlaps(text, known)} if known else set()
        return names_of_mind(self._seen, sorted(standing))

    def _titles(self, names: dict[str, str]) -> dict[str, str]:
        """Normal name → the name its note goes by; of people and things, not of facts and topics."""
        notes = {note.id: note for note in self._seen.notes(sorted(set(names.values())))}
        return {
            name: body.content
            for name, id_ in names.items()
            if id_ in notes
            and isinstance(body := notes[id_].body, Semantic)
            and body.concept_type is ConceptType.ENTITY
            and not body.category
        }

    def _known_to(self, said: Sequence[Message], forms: Mapping[str, str]) -> tuple[Known, ...]:
        """The facts that a model may supersede: of those who speak, then of those spoken of; at most 6 of each and 30 in all,
        those first that share most words with what is said, then the last ones. Of private talks only those of this one."""
        text = "\n".join(message.text for message in said)
        people = [forms.get(message.speaker, message.speaker) for message in said]
        named = self._named([message.text for message in said])
        people += [name for name in self._titles(named).values() if name not in people]
        words = telling_words(text)
        scopes = {"public", said[0].scope}
        found: dict[str, Known] = {}
        for person in dict.fromkeys(people):
            known = [one for one in self._known_of(person) if one.scope in scopes and one.id not in found]
            known.sort(key=lambda one: len(words & telling_words(one.text)), reverse=True)
            found |= {one.id: one for one in known[:MOST_KNOWN_OF_ONE]}
        return tuple(found.values())[:MOST_KNOWN]

    def _known_of(self, person: str) -> list[Known]:
        """The facts about somebody that hold, the last ones first."""
        stem = stem_of(person, "x").removesuffix("x_")
        rows = self._seen.query("consolidate.facts_of", stems=[stem])
        rows = sorted(rows, key=lambda row: (row["said_at"] or _LONG_AGO, row["id"]), reverse=True)
        said_at = {row["id"]: row["said_at"] for row in rows}
        notes = [note for note in self._seen.notes([row["id"] for row in rows]) if not _is_over(note)]
        return [
            Known(
                id=note.id,
                person=person,
                text=display_text(note.body),
                scope=note.scope,
                kept_from=note.kept_from,
                said_at=said_at[note.id],
            )
            for note in notes
        ]

    def _merged(self, drawn: _Drawn, messages: Sequence[Message]) -> Merged:
        """The facts beside what the mind knows of their slots, and of those they end or correct."""
        facts = drawn.facts
        stems = {fact.stem for fact in (*facts, *drawn.earlier)}
        stems |= {stem_of(fact.subject, slot) for fact in facts for slot, _ in fact.ends}
        known, notes = self._known_facts(sorted(stems))
        merged = merge(facts, known, {message.id: message.chat for message in messages})
        became = stand_ins(facts, merged) | {
            fact.note_id: one.note.id for fact in drawn.earlier for one in known[fact.stem] if is_known(one, fact)
        }
        done = {old for _, old, _, _ in merged.over}
        said = {became[fact.note_id]: fact.said_at for fact in facts if fact.note_id in became}
        pairs = dict.fromkeys((became[new], became.get(old, old), why) for new, old, why in drawn.over if new in became)
        more = tuple((new, old, said.get(new), why) for new, old, why in pairs if old not in {new, *done})
        gone = {*done, *(old for _, old, _, _ in more)}
        undecided = tuple(one for one in merged.undecided if not gone.intersection(one[:2]))
        wrong = merged.wrong.union(old for _, old, _, why in more if why != _BY_MODEL)
        return replace(merged, over=(*merged.over, *more), wrong=wrong, undecided=undecided, known=tuple(notes.values()))

    def _known_facts(self, stems: Sequence[str]) -> tuple[dict[str, list[KnownFact]], dict[str, Note]]:
        """The facts of the mind whose keys begin with these stems, by stem; and their notes by id."""
        rows = self._seen.query("consolidate.facts_of", stems=list(stems)) if stems else []
        notes = {note.id: note for note in self._seen.notes(sorted({row["id"] for row in rows}))}
        known: dict[str, list[KnownFact]] = defaultdict(list)
        for row in rows:
            note = notes[row["id"]]
            known[row["stem"]].append(
                KnownFact(
                    note=note,
                    said_at=row["said_at"],
                    first_at=row["first_at"],
                    chat=row["chat"] or "",
                    place=-1 if row["place"] is None else row["place"],
                    by=row["speakers"][0] if len(row["speakers"]) == 1 else "",
                    superseded=_is_over(note),
                )
            )
        return known, notes

    def _active_ids(self, state: State) -> list[str]:
        rows = self.store.query("consolidate.most_active", since=state.recalls or _LONG_AGO, limit=MOST_ACTIVE)
        return [row["note"] for row in rows]

    def _old(self, derived: Derived, names: dict[str, str], state: State) -> dict[str, Note]:
        """The notes of the mind that what is new is linked to."""
        new = {note.id for note in derived.notes}
        ids = [row["id"] for row in self.store.query("consolidate.core_notes")]
        ids += self._active_ids(state)
        ids += [id_ for id_ in names.values() if id_ not in new]
        ids += [end for one in derived.links for end in (one.source, one.target) if end not in new]
        return {note.id: note for note in self._seen.notes(list(dict.fromkeys(ids)))}

    def _linked(self, merged: Merged, ground: Ground) -> Iterator[Entry]:
        found = self._links_by_model(self.linker, merged, ground) if self.linker and merged.new else None
        if found is None:
            yield from active_entries(merged.new, ground)
        elif found:
            links = tuple(link(one.source, one.target, one.payload, self.at) for one in found)
            text = f"{counted(len(links), 'link')} between new facts and what was on the mind"
            yield Entry(number=0, sign=Sign.NEW, kind="link", text=text, why=_BY_MODEL, parts=Parts(links=links))

    def _links_by_model(self, linker: Linker, merged: Merged, ground: Ground) -> tuple[ProposedLink, ...] | None:
        """The links that the linker proposes; ``None`` where its answer is of no use. Raises where it cannot be reached."""
        new = tuple(fact_note(fact, self.at) for fact in merged.new)
        question = LinkQuestion(new=new, old=ground.active[:MOST_ACTIVE])
        try:
            answer = linker.link(question)
        except ModelAnswerError as error:
            self.problems.append(f"{error.what}; the notes were linked without the model")
            return None
        found, problems = links_of(answer, question)
        wrong = (*_stated_problems(answer), *problems)
        self.problems += wrong
        if wrong and not found:
            self.problems.append("nothing of the answer could be taken; the notes were linked without the model")
            return None
        return found

    # -- what was recalled ----------------------------------------------------------------------------------------------------

    def _uses(self, state: State) -> list[Use]:
        rows = self.store.query("consolidate.recalls_since", since=state.recalls or _LONG_AGO)
        return [Use(recall=row["recall"], at=row["at"], note=row["note"], stage=row["stage"]) for row in rows]

    def _wiring(self, uses: Sequence[Use], ground: Ground) -> tuple[list[Entry], Ground]:
        fired = sorted({use.note for use in direct(uses)})
        if not fired:
            return self._cuts(frozenset()), ground
        history = [
            Use(recall=row["recall"], at=row["at"], note=row["note"], stage="similarity")
            for row in self.store.query("consolidate.uses_together", ids=fired)
        ]
        notes = {note.id: note for note in self.store.notes(fired)}
        there = [use for use in uses if use.note in notes]
        entries = list(wiring_entries(there, history, self._wires(fired), _ends_of(notes), self.settings))
        renewed = frozenset(update.link for entry in entries for update in entry.parts.link_updates)
        return [*entries, *self._cuts(renewed)], replace(ground, old={**ground.old, **notes})

    def _wires(self, ids: Sequence[str]) -> list[Wire]:
        return [Wire(**row) for row in self.store.query("consolidate.links_at", ids=list(ids))]

    def _cuts(self, renewed: Collection[str]) -> list[Entry]:
        """Links that have faded, but for those that have just fired; and the notes they leave alone."""
        settings = self.settings
        rows = self.store.query(
            "consolidate.faded_links",
            now=self.at,
            half_life_hours=settings.half_life_link_hours,
            below=settings.plasticity_cut * 1.001,
        )
        own = [row for row in rows if row["id"] == coactivation_id(row["source"], row["target"])]
        wires = [Wire(**row) for row in own if row["id"] not in renewed]
        passed = np.array([hours(self.at) - hours(wire.since) for wire in wires])
        cut = faded(np.array([wire.intensity for wire in wires]), passed, settings) if wires else np.zeros(0, bool)
        gone = [wire for wire, is_cut in zip(wires, cut, strict=True) if is_cut]
        if not gone:
            return []
        ends = sorted({end for wire in gone for end in (wire.source, wire.target)})
        notes = {note.id: note for note in self.store.notes(ends)}
        return list(cut_entries(gone, self._lonely(gone, notes), _ends_of(notes)))

    def _lonely(self, gone: Sequence[Wire], notes: dict[str, Note]) -> list[str]:
        counts = {row["id"]: row["links"] for row in self.store.query("consolidate.linked_notes", ids=sorted(notes))}
        lost = Counter(end for wire in gone for end in {wire.source, wire.target})
        alone = [
            id_ for id_ in sorted(notes) if counts.get(id_, 0) <= lost[id_] and not notes[id_].core and not notes[id_].pinned
        ]
        if not alone:
            return []
        envelopes = {row["id"]: envelope_of(row) for row in self.store.query("recall.envelopes", ids=alone)}
        most = 1.0 - self.settings.archive_above
        return [id_ for id_ in alone if envelopes[id_].retention(self.at, self.settings) <= most and notes[id_].active]

    # -- growth ---------------------------------------------------------------------------------------------------------------

    def _growth(self, batch: Sequence[Message], ground: Ground) -> list[Entry]:
        chats = list(dict.fromkeys(message.chat for message in batch))
        rows = [
            row for chat in chats for row in self.store.query("consolidate.last_situations", chat=chat, limit=LAST_SITUATIONS)
        ]
        lived = self._lived([row["id"] for row in rows])
        if len(lived) < min(self.settings.pattern_situations, 3):
            return []
        patterns = {
            row["situation"]: row["pattern"]
            for row in self.store.query("consolidate.patterns_of", ids=[one.note.id for one in lived])
        }
        record = self.store.embedder()
        baseline = record.baseline if record else 0.0
        spoken = {message.id: message for one in lived for message in one.messages}
        ground = replace(ground, messages={**ground.messages, **spoken})
        free = [one for one in lived if one.note.id not in patterns and len(one.vector)]
        entries = list(pattern_entries(free, baseline, self.settings, ground))
        for entry in entries:
            patterns |= {one.source: one.target for one in entry.parts.links if one.target == entry.parts.notes[0].id}
        known = {row["id"]: row["id"] for row in self.store.query("consolidate.sayings")}
        made = procedure_entries(lived, {}, patterns, ground)
        return [*entries, *(entry for entry in made if entry.parts.notes[0].id not in known)]

    def _lived(self, ids: Sequence[str]) -> list[Lived]:
        if not ids:
            return []
        vectors = {row["id"]: row["narrative"] for row in self.store.query("recall.vectors_of_specific", ids=list(ids))}
        notes = self.store.notes(list(ids))
        messages = {
            said.id: said for said in self.store.messages(list(dict.fromkeys(one for note in notes for one in note.sources)))
        }
        return [
            Lived(
                note=note,
                vector=np.asarray(vectors[note.id] if vectors.get(note.id) is not None else (), dtype=np.float32),
                messages=tuple(messages[one] for one in note.sources if one in messages),
            )
            for note in reversed(notes)
        ]

    def _same(self, ground: Ground) -> tuple[list[Entry], Ground]:
        rows = self.store.query("consolidate.shared_names")
        if not rows:
            return [], ground
        notes = {note.id: note for note in self.store.notes(sorted({row["id"] for row in rows}))}
        pairs = same_names(rows, notes)
        if not pairs:
            return [], ground
        said = {message.id: message for message in self.store.messages([one for _, note in pairs for one in note.sources])}
        ground = replace(ground, messages={**ground.messages, **said}, old={**ground.old, **notes})
        return list(same_entries(pairs, self.store.links(), ground)), ground


def _within(entry: Entry, said: Message, old: Mapping[str, Note]) -> Entry:
    """The entry without links between notes of which others may hear too, who did not hear ``said``."""
    heard = (said.scope, frozenset(said.kept_from))
    if heard == ("public", frozenset()):
        return entry
    wider = {id_ for id_, note in old.items() if (note.scope, frozenset(note.kept_from)) != heard}
    links = tuple(one for one in entry.parts.links if not {one.source, one.target} <= wider)
    return replace(entry, parts=replace(entry.parts, links=links)) if links != entry.parts.links else entry


def _is_trusted(line: Message, said: Message) -> bool:
    """Whether nobody is kept from ``line`` who is not kept from ``said``."""
    return set(line.kept_from) <= set(said.kept_from)


def _is_over(note: Note) -> bool:
    """Whether something else holds instead of this note by now."""
    return isinstance(note.body, Semantic) and note.body.valid_until is not None


def _ends_of(notes: dict[str, Note]) -> Ends:
    return Ends(
        types={id_: note.type for id_, note in notes.items()},
        texts={id_: display_text(note.body) for id_, note in notes.items()},
        scopes={id_: note.scope for id_, note in notes.items()},
    )


def _is_idle(plan: Plan, change: Change, store: Store) -> bool:
    """Whether nothing would be written but what is there: then there is no operation either."""
    return not plan.entries and not plan.messages and (not change.meta or change.meta.get(META) == store.meta(META))
