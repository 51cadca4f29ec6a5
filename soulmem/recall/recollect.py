"""From a question to a recollection: similarity, association, actions, merging, rendering (SPEC §4). Reads, never writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from soulmem.embed.contract import Embedder
from soulmem.graph.actions import rank_actions
from soulmem.graph.walk import Association, Limit, associate, best_paths
from soulmem.graph.walk import Step as Transition
from soulmem.model.links import LinkType
from soulmem.model.notes import ActionType, Note, Procedure, display_text
from soulmem.model.queries import SubQuery
from soulmem.model.results import Action, Memory, Recollection, SaidMessage, Source, Stage, Step
from soulmem.recall.association import LinkSource
from soulmem.recall.cue import understand
from soulmem.recall.lines import supporting_lines
from soulmem.recall.merge import Merged, association_scores, linked_seeds, merge_queries, seats
from soulmem.recall.render import render
from soulmem.recall.similarity import Candidate, note_retention, similar_to_text
from soulmem.recall.structured import similar_to_query
from soulmem.settings import Settings
from soulmem.store.contract import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A free ``text``, or ``sub_queries``. ``top``: most memories returned, ``messages``: most supporting lines; ``also``: ids of
    notes that are scored whatever the channels bring, to be explained."""

    text: str
    sub_queries: tuple[SubQuery, ...] = ()
    at: datetime
    top: int = 10
    messages: int = 0
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What a recall reads with. ``links(at)``: where the walk's links come from; ``clock`` gives seconds, for limits and
    timings only."""

    store: Store
    embedder: Embedder
    baseline: float
    settings: Settings
    links: Callable[[datetime], LinkSource]
    clock: Callable[[], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How a recollection came about, for explanation. ``candidates``: all that any channel brought, merged over the queries;
    ``seeds``: note id → score; ``association``: the walk, ``None`` without seeds."""

    candidates: Mapping[str, Candidate] = field(default_factory=dict)
    seeds: Mapping[str, float] = field(default_factory=dict)
    association: Association | None = None
    carried: Mapping[str, float] = field(default_factory=dict)
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
        merged, lines = _similar(question, reader)
    links = reader.links(question.at)
    with timings.stage("association"):
        association = associate(merged.seeds, links.pull, reader.settings, reader.clock) if merged.seeds else None
    with timings.stage("notes"):
        found = _Found(question, reader, merged, association, links)
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
        withheld=found.withheld(),
        limits=_limits(association, reader.settings),
    )
    with timings.stage("render"):
        rendered = render(recollection, reader.settings.render_budget)
    trace = Trace(
        candidates=merged.candidates,
        seeds=merged.seeds,
        association=association,
        carried=found.carried,
        settings=reader.settings,
    )
    return replace(recollection, rendered=rendered, timings_ms=dict(timings)), trace


def _similar(question: Question, reader: Reader) -> tuple[Merged, tuple[SaidMessage, ...]]:
    """Candidates of the free text or of every sub-query, merged; and the supporting lines, if asked for."""
    store, settings = reader.store, reader.settings
    if question.sub_queries:
        found = [
            (query.priority, similar_to_query(query, store, reader.embedder, reader.baseline, settings, question.at))
            for query in question.sub_queries
        ]
        return merge_queries(found, settings, procedures_compete=True), ()
    cue = understand(question.text, store, reader.embedder, question.at)
    candidates = similar_to_text(cue, store, reader.baseline, settings, question.at, question.also)
    lines = supporting_lines(cue, store, reader.baseline, settings, question.messages) if question.messages else ()
    return merge_queries([(1.0, candidates)], settings, procedures_compete=False), lines


class _Found:
    """What similarity and the walk found, made into what is returned. Notes are fetched once, for memories and actions."""

    def __init__(
        self, question: Question, reader: Reader, merged: Merged, association: Association | None, links: LinkSource
    ) -> None:
        self._question, self._reader = question, reader
        self._merged, self._association, self._links = merged, association, links
        self._core = frozenset(row["id"] for row in reader.store.query("recall.core"))
        self.carried = association_scores(association, merged.seeds, self._core, reader.settings)
        self._scores = {**self.carried, **merged.seeds}
        self._chosen = seats(merged.seeds, self.carried, linked_seeds(association, merged.seeds), question.top)
        self._triggers = links.triggers(list(self._scores))
        self._knows = links.known_procedures(list(self._scores))
        procedures = {one.action for one in self._triggers} | {action for _, action in self._knows} | set(merged.procedures)
        wanted = [*self._chosen, *self._scores, *self._core, *sorted(procedures)]
        self._notes = {note.id: note for note in reader.store.notes(list(dict.fromkeys(wanted)))}

    def memories(self) -> tuple[Memory, ...]:
        """The chosen notes and the core ones, best first; core notes that were not found come last."""
        seeds = self._merged.seeds
        paths = best_paths(self._association.graph, seeds, tuple(self._chosen)) if self._association else {}
        stages = self._chosen | dict.fromkeys(sorted(self._core), Stage.CORE)
        sources = _sources(list(stages), self._reader.store)
        memories = [self._memory(note, stage, paths.get(note, ()), sources.get(note, ())) for note, stage in stages.items()]
        return tuple(sorted(memories, key=_rank))

    def _memory(self, note_id: str, stage: Stage, path: Sequence[Transition], sources: tuple[Source, ...]) -> Memory:
        note = self._notes[note_id]
        return Memory(
            id=note_id,
            key=note.key,
            type=note.type,
            text=display_text(note.body),
            score=round(self._scores.get(note_id, 0.0), 6),
            stage=stage,
            channels=self._channels(note_id),
            retention=round(note_retention(note, self._reader.settings, self._question.at), 6),
            path=tuple(self._told(step) for step in path),
            sources=sources,
        )

    def _channels(self, note: str) -> dict[str, float]:
        channels = dict(self._merged.candidates[note].channels) if note in self._merged.candidates else {}
        if self._association and note in self._association.graph.places:
            value = float(self._association.values[self._association.graph.places[note]])
            channels |= {"association": round(value, 6)} if value > 0 else {}
        return channels

    def _told(self, step: Transition) -> Step:
        link = self._links.link(step.source, step.target)
        return Step(
            source=link["source_key"],
            target=link["target_key"],
            type=LinkType(link["type"]),
            verb=link["verb"] or "",
            weight=round(step.probability, 6),
        )

    def actions(self) -> tuple[tuple[Action, ...], tuple[Action, ...]]:
        """The actions that fire, by type; and those only known of: spoken of in the question, or reached from knowledge."""
        types = {note.id: note.type for note in self._notes.values()}
        kinds = {note.id: note.body.action_type for note in self._notes.values() if isinstance(note.body, Procedure)}
        triggers = [one for one in self._triggers if one.action in kinds]
        ranked = rank_actions(self._scores, types, triggers, kinds, self._reader.settings, known_only=self._known(kinds))
        fired = tuple(_action(self._notes[one.action], one.score) for kind in ActionType for one in ranked.ranked[kind])
        aside = ranked.self_knowledge[: self._reader.settings.action_top_k]
        spoken = self._merged.procedures
        return fired, tuple(_action(self._notes[note], spoken.get(note, 0.0)) for note in aside)

    def _known(self, kinds: Mapping[str, ActionType]) -> list[str]:
        spoken = self._merged.procedures
        reached = sorted((-self._scores[source], action) for source, action in self._knows)
        known = [*sorted(spoken, key=lambda note: (-spoken[note], note)), *(action for _, action in reached)]
        return [note for note in known if note in kinds]

    def withheld(self) -> dict[str, int]:
        """How many notes were found but not returned, by reason."""
        merged = self._merged
        below = sum(1 for note in merged.candidates if note not in merged.seeds and note not in merged.procedures)
        return {"below_floor_or_cut": below, "no_seat": len(self._scores.keys() - self._chosen.keys())}


def _rank(memory: Memory) -> tuple[bool, float, bool, str]:
    """Best first; of equals what was found directly before what it led to, then by key."""
    return (memory.score == 0.0, -memory.score, memory.stage is Stage.ASSOCIATION, memory.key)


def _sources(ids: Sequence[str], store: Store) -> dict[str, tuple[Source, ...]]:
    """The lines each note was drawn from, in order."""
    found: dict[str, list[Source]] = {}
    for row in store.query("recall.sources", ids=list(ids)) if ids else []:
        source = Source(file=row["file"], line=row["line"], speaker=row["speaker"], time=row["sent_at"])
        found.setdefault(row["note"], []).append(source)
    return {note: tuple(sources) for note, sources in found.items()}


def _action(note: Note, score: float) -> Action:
    body = note.body
    assert isinstance(body, Procedure)
    return Action(id=note.id, key=note.key, action_type=body.action_type, text=body.content, score=round(score, 6))


def _limits(association: Association | None, settings: Settings) -> dict[str, float | bool]:
    reached = association.limits if association else frozenset()
    return {
        "time_ms": settings.association_time_limit_ms,
        "nodes": settings.association_node_limit,
        "time_reached": Limit.TIME in reached,
        "nodes_reached": Limit.NODES in reached,
        "unsettled": round(association.unsettled, 6) if association else 0.0,
    }
