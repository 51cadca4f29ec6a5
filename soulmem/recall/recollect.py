"""From a question to a recollection: similarity, association, actions, merging, rendering (SPEC §4). Reads, never writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from soulmem.embed.contract import Embedder
from soulmem.forget.present import Present
from soulmem.graph.actions import rank_actions
from soulmem.graph.walk import Association, Limit, associate, best_paths
from soulmem.graph.walk import Step as Transition
from soulmem.model.messages import Message
from soulmem.model.notes import ActionType, NoteType
from soulmem.model.queries import SituationUnit, SubQuery
from soulmem.model.results import Action, Fading, Memory, Recollection, SaidMessage, Stage, Step
from soulmem.recall.cue import Cue, understand
from soulmem.recall.faded import presents
from soulmem.recall.image import Image
from soulmem.recall.lines import supporting_lines
from soulmem.recall.merge import Merged, association_scores, linked_seeds, merge_queries, seats
from soulmem.recall.render import render
from soulmem.recall.similarity import Candidate, best_of, similar_to_text
from soulmem.recall.speakers import told_by_name
from soulmem.recall.table import Bools, NoteTable
from soulmem.recall.then import ALWAYS, Span, spans_asked
from soulmem.recall.told import Told, in_one_line, with_validity
from soulmem.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A free ``text``, or ``sub_queries``. ``top``: most memories returned, ``messages``: most supporting lines; ``also``: ids of
    notes that are scored whatever the channels bring, to be explained; ``activation``: note id → by what its score is multiplied,
    since it was used a moment ago; ``window`` and ``summary``: what was said last, and before, which comes along unasked;
    ``original``: whether memories are told as they were written, whatever was forgotten of them since; ``heard_in``: the
    scope it is asked in, for the record: the reader reads what may be heard there."""

    text: str
    sub_queries: tuple[SubQuery, ...] = ()
    at: datetime
    top: int = 10
    messages: int = 0
    also: tuple[str, ...] = ()
    activation: Mapping[str, float] = field(default_factory=dict)
    window: tuple[Message, ...] = ()
    summary: str = ""
    original: bool = False
    heard_in: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What a recall reads with. ``clock`` gives seconds, for limits and timings only."""

    image: Image
    embedder: Embedder
    baseline: float
    settings: Settings
    clock: Callable[[], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How a recollection came about, for explanation. ``candidates``: all that any channel brought, merged over the queries;
    ``seeds``: note id → score; ``association``: the walk, ``None`` without seeds; ``held``: facts that hold no longer;
    ``hidden``: note id → what of its text does not show."""

    candidates: Mapping[str, Candidate] = field(default_factory=dict)
    seeds: Mapping[str, float] = field(default_factory=dict)
    association: Association | None = None
    carried: Mapping[str, float] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    hidden: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    settings: Settings


class _Timings(dict[str, float]):
    """Milliseconds by stage."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = self._clock()
        yield
        self[name] = round((self._clock() - start) * 1000.0, 3)


def recollect(question: Question, reader: Reader) -> tuple[Recollection, Trace]:
    """Recall ``question``. The same mind, question and time give the same recollection (timings apart)."""
    timings = _Timings(reader.clock)
    with timings.stage("similarity"):
        merged, lines, held = _similar(question, reader)
    with timings.stage("association"):
        association = _walk(merged.seeds, question.at, reader) if merged.seeds else None
    with timings.stage("notes"):
        found = _Found(question, reader, merged, association, held)
        memories = found.memories()
    with timings.stage("actions"):
        actions, self_knowledge = found.actions()
    recollection = Recollection(
        query=question.text,
        at=question.at,
        memories=memories,
        actions=actions,
        self_knowledge=self_knowledge,
        messages=lines,
        summary=question.summary,
        window=question.window,
        withheld=found.withheld(),
        heard_in=question.heard_in,
        limits=_limits(association, reader.settings) | {"index_gaps": reader.image.gaps},
    )
    with timings.stage("render"):
        rendered = render(recollection, reader.settings.render_budget)
    trace = Trace(
        candidates=merged.candidates,
        seeds=merged.seeds,
        association=association,
        carried=found.carried,
        held=held,
        hidden=found.hidden,
        settings=reader.settings,
    )
    return replace(recollection, rendered=rendered, timings_ms=dict(timings)), trace


def _similar(question: Question, reader: Reader) -> tuple[Merged, tuple[SaidMessage, ...], frozenset[str]]:
    """Candidates of the free text or of every sub-query, merged; the supporting lines, if asked for; and the facts that held
    neither now nor at a time that the question names."""
    image, settings = reader.image, reader.settings
    if question.sub_queries:
        from soulmem.recall.structured import similar_to_query  # a free text does without

        found = [
            (
                query.priority,
                similar_to_query(query, image, reader.embedder, reader.baseline, settings, question.at, question.activation),
            )
            for query in question.sub_queries
        ]
        _, held = _held(image.table, question.at, _spans(question.sub_queries))
        return merge_queries(found, settings, procedures_compete=True, held=held), (), held
    cue = understand(question.text, image.names.of, reader.embedder, question.at)
    mask, held = _held(image.table, question.at, spans_asked(cue.text, cue.times, question.at))
    candidates = [
        similar_to_text(one, image, reader.baseline, settings, question.at, question.also, question.activation, mask)
        for one in (cue, *_by_name(cue, reader, question.at))
    ]
    lines = (
        supporting_lines(cue, image.store, reader.embedder, reader.baseline, settings, question.messages)
        if question.messages
        else ()
    )
    return merge_queries([(1.0, best_of(candidates))], settings, procedures_compete=False, held=held), lines, held


def _by_name(cue: Cue, reader: Reader, at: datetime) -> Iterator[Cue]:
    """The question once more, as a note would put it: by the names of those who talk, if it says *I* or *you*. The names only
    stand for the pronouns, so whose they are does not come to mind for that."""
    told = told_by_name(cue.text, reader.image.store) if cue.vector is not None else None
    if told:
        again = understand(told.question, reader.image.names.of, reader.embedder, at)
        others = {note: name for note, name in again.names.items() if name not in told.names}
        yield replace(again, names={**cue.names, **others}, times=cue.times)


def _held(table: NoteTable, at: datetime, spans: Sequence[Span]) -> tuple[Bools, frozenset[str]]:
    """The facts to hold back from a question at ``at`` that names these times: by place, and their ids."""
    asked = (min(start for start, _ in spans), max(stop for _, stop in spans)) if spans else None
    mask = table.held_back(at, asked)
    return mask, frozenset(table.ids[place] for place in np.flatnonzero(mask).tolist())


def _spans(queries: Sequence[SubQuery]) -> list[Span]:
    """The times that sub-queries name; one without a beginning has always been, one without an end goes on."""
    units = (unit for query in queries for unit in query.units if isinstance(unit, SituationUnit))
    return [(span.start or ALWAYS[0], span.end or ALWAYS[1]) for unit in units for span in unit.time_spans]


def _walk(seeds: Mapping[str, float], at: datetime, reader: Reader) -> Association:
    """The walk from the seeds, over what is kept of the links; what else it comes to is pulled."""
    return associate(seeds, reader.image.links.at(at, reader.settings), reader.settings, reader.clock)


class _Found:
    """What similarity and the walk found, made into what is returned."""

    def __init__(
        self, question: Question, reader: Reader, merged: Merged, association: Association | None, held: frozenset[str]
    ) -> None:
        self._settings, self._at, self._original = reader.settings, question.at, question.original
        self._image = reader.image
        self._table, self._links = reader.image.table, reader.image.links
        self._merged, self._association, self._held = merged, association, held
        core = (
            self._table.ids[place]
            for place in np.flatnonzero(self._table.core & self._table.active & ~self._table.asleep).tolist()
        )
        self._core = [note for note in core if note not in held]
        self.carried = association_scores(association, merged.seeds, held.union(self._core), reader.settings)
        self._scores = {**self.carried, **merged.seeds}
        self._chosen = seats(merged.seeds, self.carried, linked_seeds(association, merged.seeds), question.top)
        self._telling, self._secrets = reader.image.telling, reader.image.secrets
        self.hidden: dict[str, tuple[str, ...]] = {}

    def memories(self) -> tuple[Memory, ...]:
        """The chosen notes and the core ones, best first; core notes that were not found come last."""
        seeds = self._merged.seeds
        paths = best_paths(self._association.graph, seeds, tuple(self._chosen)) if self._association else {}
        stages = self._with_others(self._chosen) | dict.fromkeys(self._core, Stage.CORE)
        told = self._telling.of(stages)
        places = self._table.places_of(stages)
        retentions = self._table.retentions(places, self._at, self._settings).round(6).tolist()
        kept = dict(zip(stages, retentions, strict=True))
        missing = {note: 1.0 - retention for note, retention in kept.items()}
        standing = presents(self._image, told, missing, self._settings)
        self.hidden = {note: present.hidden for note, present in standing.items() if present.hidden}
        memories = [
            self._memory(note, stage, paths.get(note, ()), told[note], standing.get(note), kept[note])
            for note, stage in stages.items()
        ]
        return tuple(_side_by_side(sorted(memories, key=_rank)))

    def _with_others(self, chosen: Mapping[str, Stage]) -> dict[str, Stage]:
        """The chosen notes, and with a fact those that contradict it, where nobody knows which is newer: none is told alone."""
        stages = dict(chosen)
        for note, stage in chosen.items():
            for other in self._others(note):
                stages.setdefault(other, stage)
                self._scores.setdefault(other, self._scores.get(note, 0.0))
        return stages

    def _others(self, note: str) -> list[str]:
        """The facts that contradict this one and hold as well."""
        table = self._table
        if table.type(table.places[note]) is not NoteType.SEMANTIC:
            return []
        others = self._links.contradicted(note)
        return [other for other in others if other not in self._held and table.active[table.places[other]]]

    def _memory(
        self, note: str, stage: Stage, path: Sequence[Transition], told: Told, present: Present | None, retention: float
    ) -> Memory:
        place = self._table.places[note]
        since, until = self._table.validity(place)
        is_over = until is not None and until <= self._at
        whole = with_validity(told.original, since, until) if is_over else told.original
        text = in_one_line(present.texts) if present else whole
        if present and is_over:
            text = with_validity(text, since, until)
        return Memory(
            id=note,
            key=self._table.keys[place],
            type=self._table.type(place),
            text=whole if self._original else text,
            original=whole,
            missing=round(present.missing, 6) if present else 0.0,
            fading=present.fading if present else Fading.NO_ACTION,
            masked=bool(present and present.hidden) and not self._original,
            revised=told.is_revised and not self._original,
            score=round(self._scores.get(note, 0.0), 6),
            stage=stage,
            channels=self._channels(note),
            retention=retention,
            asleep=bool(self._table.asleep[place]),
            path=tuple(self._told(step) for step in path),
            sources=told.sources,
            origins=told.origins,
            valid_from=since,
            valid_until=until,
            kept_from=self._secrets.get(note, ()),
            contradicts=tuple(self._table.keys[self._table.places[other]] for other in self._others(note)),
        )

    def _channels(self, note: str) -> dict[str, float]:
        channels = dict(self._merged.candidates[note].channels) if note in self._merged.candidates else {}
        if self._association and note in self._association.graph.places:
            value = float(self._association.values[self._association.graph.places[note]])
            channels |= {"association": round(value, 6)} if value > 0 else {}
        return channels

    def _told(self, step: Transition) -> Step:
        source, target = self._table.places[step.source], self._table.places[step.target]
        kind, verb = self._links.between(source, target)
        keys = self._table.keys
        return Step(source=keys[source], target=keys[target], type=kind, verb=verb, weight=round(step.probability, 6))

    def actions(self) -> tuple[tuple[Action, ...], tuple[Action, ...]]:
        """The actions that fire, by type; and those only known of: spoken of in the question, or reached from knowledge."""
        table, spoken = self._table, self._merged.procedures
        triggers = self._links.triggers(list(self._scores))
        kinds = {one.action: table.action_type(table.places[one.action]) for one in triggers}
        types = {note: table.type(table.places[note]) for note in self._scores}
        ranked = rank_actions(self._scores, types, triggers, kinds, self._settings, known_only=self._known())
        fired = [one for kind in ActionType for one in ranked.ranked[kind]]
        aside = ranked.self_knowledge[: self._settings.action_top_k]
        told = self._telling.of([*(one.action for one in fired), *aside])
        return (
            tuple(self._action(one.action, one.score, told) for one in fired),
            tuple(self._action(note, spoken.get(note, 0.0), told) for note in aside),
        )

    def _known(self) -> list[str]:
        spoken = self._merged.procedures
        knows = self._links.known_procedures(list(self._scores))
        reached = sorted((-self._scores[source], action) for source, action in knows)
        return [*sorted(spoken, key=lambda note: (-spoken[note], note)), *(action for _, action in reached)]

    def _action(self, note: str, score: float, told: Mapping[str, Told]) -> Action:
        place = self._table.places[note]
        kind = self._table.action_type(place)
        return Action(
            id=note,
            key=self._table.keys[place],
            action_type=kind,
            text=told[note].original,
            score=round(score, 6),
            sources=told[note].sources,
            origins=told[note].origins,
        )

    def withheld(self) -> dict[str, int]:
        """How many notes were found but not returned, by reason; ``asleep``: that a link leads to from what was found, and that
        nothing is carried to."""
        merged = self._merged
        superseded = self._held & merged.candidates.keys()
        left = merged.candidates.keys() - merged.seeds.keys() - merged.procedures.keys() - superseded
        return {
            "below_floor_or_cut": len(left),
            "no_seat": len(self._scores.keys() - self._chosen.keys()),
            "asleep": len(self._links.asleep_near(list(self._scores)) - self._scores.keys()),
            "superseded": sum(merged.candidates[note].relevance >= self._settings.similarity_floor for note in superseded),
        }


def _side_by_side(memories: Sequence[Memory]) -> Iterator[Memory]:
    """Those that contradict a memory right behind it."""
    left = {memory.key: memory for memory in memories}
    for memory in memories:
        for key in (memory.key, *memory.contradicts):
            if key in left:
                yield left.pop(key)


def _rank(memory: Memory) -> tuple[bool, float, bool, str]:
    """Best first; of equals what was found directly before what it led to, then by key."""
    return (memory.score == 0.0, -memory.score, memory.stage is Stage.ASSOCIATION, memory.key)


def _limits(association: Association | None, settings: Settings) -> dict[str, float | bool]:
    reached = association.limits if association else frozenset()
    return {
        "time_ms": settings.association_time_limit_ms,
        "nodes": settings.association_node_limit,
        "time_reached": Limit.TIME in reached,
        "nodes_reached": Limit.NODES in reached,
        "unsettled": round(association.unsettled, 6) if association else 0.0,
    }
