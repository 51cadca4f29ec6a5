"""Which notes and links of graph files are new: the same mind whatever the order of the files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.ingest.contract import Document, KeyedLink
from soulmem.ingest.plan_graph import GraphPlan, KnownGraph, link_id, plan_graph
from soulmem.model.changes import PendingLink
from soulmem.model.links import Link, Payload, Sem, SituationLink, TrigToAction, is_legal, type_of
from soulmem.model.notes import (
    AbstractSituation,
    ActionType,
    Body,
    Environment,
    Note,
    NoteType,
    Procedure,
    Semantic,
    SpecificSituation,
    derived_id,
)

LAWS = settings(deadline=None, max_examples=60)
AT = datetime(2024, 6, 1, tzinfo=UTC)

BODIES: dict[NoteType, Body] = {
    NoteType.SEMANTIC: Semantic("tea"),
    NoteType.SPECIFIC: SpecificSituation("we drank tea"),
    NoteType.ABSTRACT: AbstractSituation(Environment("calm")),
    NoteType.PROCEDURE: Procedure("pour", ActionType.SKILL),
}
PAYLOADS: tuple[Payload, ...] = (Sem("about", 0.5), TrigToAction(0.7), SituationLink())


def note(key: str, type_: NoteType = NoteType.SEMANTIC, **changes: object) -> Note:
    plain = Note(id=derived_id("note", key), key=key, body=BODIES[type_], created_at=AT, decayed_at=AT)
    return replace(plain, **changes)  # type: ignore[arg-type]


def link(source: str, target: str, payload: Payload = PAYLOADS[0], **changes: object) -> KeyedLink:
    plain = KeyedLink(source_key=source, target_key=target, payload=payload, intensity=1.0, created_at=AT, line=7)
    return replace(plain, **changes)  # type: ignore[arg-type]


def document(notes: Iterable[Note] = (), links: Iterable[KeyedLink] = ()) -> Document:
    notes, links = tuple(notes), tuple(links)
    return Document(format="graph-json", read=len(notes), notes=notes, links=links)


@dataclass
class Mind:
    """What a mind holds of notes, links and links that wait; it refuses an id twice and a link without ends."""

    notes: dict[str, Note] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    pending: dict[str, PendingLink] = field(default_factory=dict)
    messages: frozenset[str] = frozenset()

    def plan(self, doc: Document, file: str = "g.json") -> GraphPlan:
        known = KnownGraph(
            notes=self.notes,
            note_ids={one.id for one in self.notes.values()},
            link_ids=frozenset(self.links),
            pending=tuple(self.pending.values()),
            message_ids=self.messages,
        )
        return plan_graph(doc, known, file=file)

    def read(self, doc: Document, file: str = "g.json") -> GraphPlan:
        plan = self.plan(doc, file)
        for new in plan.notes:
            assert new.key not in self.notes
            self.notes[new.key] = new
        types = {one.id: one.type for one in self.notes.values()}
        for made in plan.links:
            assert made.id not in self.links
            assert is_legal(made.type, types[made.source], types[made.target])
            self.links[made.id] = made
        for waiting in plan.connected:
            del self.pending[waiting]
        for waiting_link in plan.pending:
            assert waiting_link.id not in self.pending and waiting_link.id not in self.links
            self.pending[waiting_link.id] = waiting_link
        return plan


# -- by hand -------------------------------------------------------------------------------------------------------------------


def test_notes_and_the_links_among_them() -> None:
    mind = Mind()
    stated = link("a", "b", Sem("likes", 0.25), intensity=1.5, fired_count=3, last_fired_at=AT)
    plan = mind.read(document([note("a"), note("b")], [stated]))
    assert [one.key for one in plan.notes] == ["a", "b"]
    (made,) = plan.links
    assert (made.source, made.target, made.payload) == (note("a").id, note("b").id, Sem("likes", 0.25))
    assert (made.intensity, made.fired_count, made.last_fired_at, made.created_at) == (1.5, 3, AT, AT)
    assert plan.pending == plan.connected == plan.problems == () and plan.existing == 0


def test_the_same_file_twice_adds_nothing() -> None:
    mind = Mind()
    doc = document([note("a"), note("b")], [link("a", "b"), link("a", "later")])
    mind.read(doc)
    again = mind.read(doc)
    assert again.notes == again.links == again.pending == again.connected == again.problems == ()
    assert again.existing == 4


def test_a_link_waits_for_its_target_and_is_connected_when_it_arrives() -> None:
    mind = Mind()
    early = mind.read(document([note("a")], [link("a", "b", intensity=0.5)]), "first.json")
    (waiting,) = early.pending
    assert (waiting.source_key, waiting.target_key, waiting.place) == ("a", "b", "first.json:7")
    late = mind.read(document([note("b")]), "second.json")
    assert late.connected == (waiting.id,)
    (made,) = late.links
    assert (made.id, made.source, made.target, made.intensity) == (waiting.id, note("a").id, note("b").id, 0.5)
    assert not mind.pending


def test_a_link_to_a_note_of_the_mind_is_made_at_once() -> None:
    mind = Mind()
    mind.read(document([note("b")]))
    plan = mind.read(document([note("a")], [link("a", "b"), link("b", "a", Sem("is"))]))
    assert len(plan.links) == 2 and plan.pending == ()


def test_a_waiting_link_that_the_file_states_again_is_connected_once() -> None:
    mind = Mind()
    mind.read(document([note("a")], [link("a", "b")]))
    plan = mind.read(document([note("a"), note("b")], [link("a", "b")]))
    assert len(plan.links) == len(plan.connected) == 1
    assert plan.existing == 2


def test_links_that_differ_in_verb_or_kind_are_different_links() -> None:
    ids = {link_id("a", "b", payload) for payload in (Sem("likes"), Sem("knows"), TrigToAction(0.1), SituationLink())}
    assert len(ids | {link_id("b", "a", Sem("likes"))}) == 5
    assert link_id("a", "b", Sem("likes", 0.1)) == link_id("a", "b", Sem("likes", 0.9))
    assert link_id("a", "b", TrigToAction(0.1)) == link_id("a", "b", TrigToAction(0.9))


def test_a_link_keeps_the_id_it_brings() -> None:
    plan = Mind().read(document([note("a"), note("b")], [link("a", "b", id="mine")]))
    assert plan.links[0].id == "mine"


@pytest.mark.parametrize("source", list(NoteType))
@pytest.mark.parametrize("target", list(NoteType))
@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: type_of(payload).value)
def test_an_illegal_link_is_refused_with_the_reason(source: NoteType, target: NoteType, payload: Payload) -> None:
    """The same verdict whether both ends are there or the target comes later."""
    at_once = Mind().read(document([note("a", source), note("b", target)], [link("a", "b", payload)]))
    later = Mind()
    later.read(document([note("a", source)], [link("a", "b", payload)]))
    arrived = later.read(document([note("b", target)]))
    if is_legal(type_of(payload), source, target):
        assert len(at_once.links) == len(arrived.links) == 1
        assert at_once.problems == arrived.problems == ()
        return
    assert at_once.links == arrived.links == ()
    assert at_once.problems[0].line == 7
    for plan in (at_once, arrived):
        (problem,) = plan.problems
        assert problem.skipped
        assert f"{type_of(payload).value} link may not go from {source} to {target}" in problem.what
    assert not later.pending


def test_what_the_mind_has_otherwise_is_kept_and_told() -> None:
    mind = Mind()
    mind.read(document([note("a")]))
    plan = mind.read(document([note("a", body=Semantic("coffee")), note("b")], [link("a", "b")]))
    assert mind.notes["a"].body == Semantic("tea")
    (problem,) = plan.problems
    assert problem.what.startswith("a: ") and "kept" in problem.what and problem.skipped
    assert [one.key for one in plan.notes] == ["b"] and len(plan.links) == 1
    assert plan.existing == 0


def test_an_id_that_belongs_to_another_note_is_refused() -> None:
    mind = Mind()
    mind.read(document([note("a")]))
    plan = mind.read(document([note("b", id=note("a").id)]))
    assert plan.notes == ()
    assert plan.problems[0].what.startswith("b: ") and plan.problems[0].skipped


def test_sources_that_are_not_in_the_mind_are_left_out_and_told() -> None:
    mind = Mind(messages=frozenset({"m1", "m3"}))
    plan = mind.read(document([note("a", sources=("m1", "m2", "m3", "m4")), note("b", sources=("m3",)), note("c")]))
    assert [one.sources for one in plan.notes] == [("m1", "m3"), ("m3",), ()]
    (problem,) = plan.problems
    assert problem.what.startswith("a: 2 source messages") and not problem.skipped
    plan = Mind().read(document([note(key, sources=("m1", "m2")) for key in "abc"]))
    (problem,) = plan.problems
    assert problem.what.startswith("3 notes (a and others): 6 source messages are not in the mind")


# -- any order of files --------------------------------------------------------------------------------------------------------


def made_up(seed: int) -> list[Document]:
    """A small graph cut into files: each note in one of them, its links beside it; some links lead nowhere, some are illegal."""
    rng = np.random.default_rng(seed)
    notes = [note(f"n{number}", list(NoteType)[rng.integers(4)]) for number in range(rng.integers(1, 7))]
    keys = [*(one.key for one in notes), "nowhere"]
    links = {
        (source.key, target, type_of(payload)): link(source.key, target, payload)
        for source in notes
        for target, payload in ((keys[rng.integers(len(keys))], PAYLOADS[rng.integers(3)]) for _ in range(rng.integers(4)))
        if target != source.key
    }
    home = {one.key: int(rng.integers(3)) for one in notes}
    return [
        document(
            [one for one in notes if home[one.key] == file],
            [one for one in links.values() if home[one.source_key] == file],
        )
        for file in range(3)
    ]


def after(files: Sequence[Document]) -> Mind:
    mind = Mind()
    for doc in files:
        mind.read(doc)
    return mind


def bare(mind: Mind) -> tuple[object, ...]:
    return mind.notes, mind.links, mind.pending


@LAWS
@given(st.integers(0, 2**32 - 1))
def test_any_order_of_the_files_gives_the_same_mind(seed: int) -> None:
    files = made_up(seed)
    minds = [bare(after(order)) for order in permutations(files)]
    at_once = document([one for doc in files for one in doc.notes], [one for doc in files for one in doc.links])
    whole = bare(after([at_once]))
    assert all(mind == whole for mind in minds)


@LAWS
@given(st.integers(0, 2**32 - 1))
def test_every_link_is_made_or_waits_or_is_illegal(seed: int) -> None:
    files = made_up(seed)
    mind = after(files)
    for stated in (one for doc in files for one in doc.links):
        identity = link_id(stated.source_key, stated.target_key, stated.payload)
        ends = [mind.notes.get(key) for key in (stated.source_key, stated.target_key)]
        complete = [end for end in ends if end is not None]
        legal = len(complete) == 2 and is_legal(type_of(stated.payload), complete[0].type, complete[1].type)
        assert (identity in mind.links) == legal
        assert (identity in mind.pending) == (len(complete) < 2)


@LAWS
@given(st.integers(0, 2**32 - 1))
def test_reading_all_files_again_adds_nothing(seed: int) -> None:
    files = made_up(seed)
    mind = after(files)
    for doc in files:
        plan = mind.plan(doc)
        assert plan.notes == plan.links == plan.pending == plan.connected == ()
        assert plan.existing + sum(problem.skipped for problem in plan.problems) == len(doc.notes) + len(doc.links)


@LAWS
@given(st.integers(0, 2**32 - 1))
def test_every_item_is_counted_once(seed: int) -> None:
    mind = Mind()
    for doc in made_up(seed):
        plan = mind.read(doc)
        arrived = len(plan.connected)
        refused = sum(problem.skipped and problem.line is not None for problem in plan.problems)
        direct = len([made for made in plan.links if made.id not in plan.connected])
        assert len(plan.notes) + direct + len(plan.pending) + plan.existing + refused == len(doc.notes) + len(doc.links)
        assert len(plan.links) - direct <= arrived
