"""From a question to a recollection: similarity, association, actions, merging, rendering (SPEC §4). Reads, never writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from soulmem.embed.contract import Embedder
from soulmem.graph.actions import rank_actions
from soulmem.graph.walk import Association, associate, best_paths
from soulmem.graph.walk import Step as Transition
from soulmem.model.notes import ActionType, Note, NoteType, Procedure, display_text
from soulmem.model.queries import SubQuery
from soulmem.model.results import Action, Memory, Recollection, SaidMessage, Source, Stage, Step
from soulmem.recall.association import LinkSource, SeenLink
from soulmem.recall.cue import understand
from soulmem.recall.lines import supporting_lines
from soulmem.recall.merge import Merged, association_scores, linked_seeds, merge_queries, seats
from soulmem.recall.render import render
from soulmem.recall.similarity import Candidate, envelope_retention, similar_to_text
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
    """What a recall reads with. ``clock`` gives seconds, for limits and timings only."""

    store: Store
    embedder: Embedder
    baseline: float
    settings: Settings
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
    links = LinkSource(reader.store, reader.settings, question.at)
    with timings.stage("association"):
        association = associate(merged.seeds, links.pull, reader.settings, reader.clock) if merged.seeds else None
    core = frozenset(row["id"] for row in reader.store.query("recall.core"))
    carried = association_scores(association, merged.seeds, core, reader.settings)
    chosen = seats(merged.seeds, carried, linked_seeds(association, merged.seeds), question.top)
    with timings.stage("notes"):
        notes = {note.id: note for note in reader.store.notes([*chosen, *sorted(core - chosen.keys())])}
        memories = _memories(chosen, core, notes, merged, carried, association, links, reader, question.at)
    with timings.stage("actions"):
        actions, self_knowledge = _actions(merged, carried, links, reader)
    recollection = Recollection(
        query=question.text,
        at=question.at,
        memories=memories,
        actions=actions,
        self_knowledge=self_knowledge,
        messages=lines,
        withheld=_withheld(merged, chosen, carried),
        limits=_limits(association, reader.settings),
    )
    with timings.stage("render"):
        rendered = render(recollection, reader.settings.render_budget)
    trace = Trace(
        candidates=merged.candidates, seeds=merged.seeds, association=association, carried=carried, settings=reader.settings
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
    lines = supporting_lines(cue, store, settings, question.messages) if question.messages else ()
    return merge_queries([(1.0, candidates)], settings, procedures_compete=False), lines


def _memories(
    chosen: Mapping[str, Stage],
    core: frozenset[str],
    notes: Mapping[str, Note],
    merged: Merged,
    carried: Mapping[str, float],
    association: Association | None,
    links: LinkSource,
    reader: Reader,
    at: datetime,
) -> tuple[Memory, ...]:
    paths = best_paths(association.graph, merged.seeds, tuple(chosen)) if association else {}
    keys = _keys(paths, notes, reader.store)
    sources = _sources([*chosen, *core], reader.store)
    stages = {note: Stage.CORE if note in core else stage for note, stage in chosen.items()} | dict.fromkeys(core, Stage.CORE)
    envelopes = {row["id"]: row for row in reader.store.query("recall.envelopes", ids=sorted(stages))}
    memories = [
        Memory(
            id=note_id,
            key=notes[note_id].key,
            type=notes[note_id].type,
            text=display_text(notes[note_id].body),
            score=round(max(merged.seeds.get(note_id, 0.0), carried.get(note_id, 0.0)), 6),
            stage=stage,
            channels=_channels(note_id, merged, association),
            retention=round(envelope_retention(envelopes[note_id], reader.settings, at), 6),
            path=tuple(_told(step, keys, links.links) for step in paths.get(note_id, ())),
            sources=sources.get(note_id, ()),
        )
        for note_id, stage in stages.items()
    ]
    return tuple(
        sorted(memories, key=lambda memory: (memory.stage is Stage.CORE and memory.score == 0.0, -memory.score, memory.key))
    )


def _channels(note: str, merged: Merged, association: Association | None) -> dict[str, float]:
    channels = dict(merged.candidates[note].channels) if note in merged.candidates else {}
    if association and note in association.graph.places:
        value = float(association.values[association.graph.places[note]])
        if value > 0:
            channels["association"] = round(value, 6)
    return channels


def _keys(paths: Mapping[str, Sequence[Transition]], notes: Mapping[str, Note], store: Store) -> dict[str, str]:
    """Keys of all notes on the paths."""
    ends = {end for steps in paths.values() for step in steps for end in (step.source, step.target)}
    keys = {note.id: note.key for note in notes.values()}
    missing = sorted(ends - keys.keys())
    return keys | ({row["id"]: row["key"] for row in store.query("recall.envelopes", ids=missing)} if missing else {})


def _told(step: Transition, keys: Mapping[str, str], links: Mapping[tuple[str, str], SeenLink]) -> Step:
    seen = links[(step.source, step.target)]
    return Step(
        source=keys[step.source], target=keys[step.target], type=seen.type, verb=seen.verb, weight=round(step.probability, 6)
    )


def _sources(ids: Sequence[str], store: Store) -> dict[str, tuple[Source, ...]]:
    """The lines each note was drawn from, in order."""
    found: dict[str, list[Source]] = {}
    for row in store.query("recall.sources", ids=list(ids)) if ids else []:
        source = Source(file=row["file"], line=row["line"], speaker=row["speaker"], time=row["sent_at"])
        found.setdefault(row["note"], []).append(source)
    return {note: tuple(sources) for note, sources in found.items()}


def _actions(
    merged: Merged, carried: Mapping[str, float], links: LinkSource, reader: Reader
) -> tuple[tuple[Action, ...], tuple[Action, ...]]:
    """The actions that fire, by type; and those only known of: reached from knowledge, or spoken of in the question."""
    scores = {**carried, **merged.seeds}
    wanted = sorted(
        {trigger.action for trigger in links.triggers} | {action for _, action in links.knows} | set(merged.procedures)
    )
    if not wanted:
        return (), ()
    rows = {row["id"]: row for row in reader.store.query("recall.envelopes", ids=sorted({*scores, *wanted}))}
    types = {note: NoteType(row["type"]) for note, row in rows.items()}
    bodies = {note.id: note for note in reader.store.notes(wanted)}
    action_types = {note.id: note.body.action_type for note in bodies.values() if isinstance(note.body, Procedure)}
    known = _known_procedures(merged, scores, links)
    ranked = rank_actions(scores, types, links.triggers, action_types, reader.settings, known_only=known)
    fired = tuple(
        _action(bodies[one.action], one.score) for kind in ActionType for one in ranked.ranked[kind] if one.action in bodies
    )
    limit = reader.settings.action_top_k
    aside = tuple(
        _action(bodies[note], merged.procedures.get(note, 0.0)) for note in ranked.self_knowledge[:limit] if note in bodies
    )
    return fired, aside


def _known_procedures(merged: Merged, scores: Mapping[str, float], links: LinkSource) -> list[str]:
    spoken_of = sorted(merged.procedures, key=lambda note: (-merged.procedures[note], note))
    reached = sorted((-scores[source], action) for source, action in links.knows if scores.get(source, 0.0) > 0)
    return [*spoken_of, *(action for _, action in reached)]


def _action(note: Note, score: float) -> Action:
    body = note.body
    assert isinstance(body, Procedure)
    return Action(id=note.id, key=note.key, action_type=body.action_type, text=body.content, score=round(score, 6))


def _withheld(merged: Merged, chosen: Mapping[str, Stage], carried: Mapping[str, float]) -> dict[str, int]:
    below = sum(1 for note in merged.candidates if note not in merged.seeds and note not in merged.procedures)
    return {"below_floor_or_cut": below, "no_seat": len((merged.seeds.keys() | carried.keys()) - chosen.keys())}


def _limits(association: Association | None, settings: Settings) -> dict[str, float | bool]:
    reached = association.limits if association else frozenset()
    return {
        "time_ms": settings.association_time_limit_ms,
        "nodes": settings.association_node_limit,
        "time_reached": "time" in reached,
        "nodes_reached": "nodes" in reached,
        "unsettled": round(association.unsettled, 6) if association else 0.0,
    }
