"""What is exported reads back as it was, and exports again to the same bytes."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.ingest import Document, read
from soulmem.ingest.graph_export import graph_json
from soulmem.model.changes import PendingLink
from soulmem.model.links import Link, LinkType, Payload, Sem, SituationLink, TrigToAction, is_legal
from soulmem.model.notes import (
    SELF_KEY,
    AbstractSituation,
    ActionType,
    Category,
    ConceptType,
    Context,
    Environment,
    Event,
    Feeling,
    Location,
    Note,
    NoteType,
    Participant,
    Procedure,
    Semantic,
    SpecificSituation,
)

# Imported at quite another time: nothing of the mind may depend on it.
LATER = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)

characters = st.characters(codec="utf-8", exclude_characters="\0")
words = st.text(characters, max_size=12)
filled = st.text(characters, min_size=1, max_size=12).filter(lambda text: bool(text.strip()))
shares = st.floats(0, 1)
moments = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=st.just(UTC))
ids = st.uuids().map(str)

locations = st.builds(Location, filled, words)
participants = st.builds(Participant, filled, words)
feelings = st.lists(st.builds(Feeling, filled, shares), max_size=2).map(tuple)
environments = st.builds(Environment, filled, words)
events = st.builds(Event, filled, shares, words, words)
contexts = st.builds(
    Context,
    st.none() | locations,
    st.lists(participants, max_size=2).map(tuple),
    feelings,
    feelings,
    st.none() | environments,
    st.lists(events, max_size=2).map(tuple),
)
semantics = st.builds(
    Semantic,
    filled,
    st.lists(words, max_size=2).map(tuple),
    st.sampled_from(ConceptType),
    words,
    st.none() | st.sampled_from(Category),
)


@st.composite
def specifics(draw: st.DrawFn) -> SpecificSituation:
    start, end = draw(st.none() | moments), draw(st.none() | moments)
    if start and end and end < start:
        start, end = end, start
    return SpecificSituation(draw(filled), start, end, draw(contexts))


bodies = st.one_of(
    semantics,
    specifics(),
    st.builds(AbstractSituation, st.one_of(locations, participants, environments, events)),
    st.builds(Procedure, filled, st.sampled_from(ActionType)),
)


@st.composite
def notes(draw: st.DrawFn) -> tuple[Note, ...]:
    keys = draw(st.lists(st.one_of(st.just(SELF_KEY), filled), max_size=5, unique=True))
    return tuple(_note(draw, key) for key in keys)


def _note(draw: st.DrawFn, key: str) -> Note:
    created = draw(moments)
    accessed = draw(st.none() | moments.filter(lambda moment: moment >= created)) if created.year < 9000 else None
    return Note(
        id=draw(ids),
        key=key,
        body=draw(bodies),
        created_at=created,
        tags=tuple(draw(st.lists(words, max_size=3))),
        retrieval_count=draw(st.integers(0, 2**53)),
        last_accessed_at=accessed,
        strength=draw(shares),
        decayed_at=draw(moments),
        due_at=draw(st.none() | moments),
        pinned=draw(st.booleans()),
        core=draw(st.booleans()),
        active=draw(st.booleans()),
        scope=draw(st.sampled_from(["public", "direct:Ada", "group:港口"])),
        sources=tuple(draw(st.lists(ids, max_size=2))),
    )


def _payload(draw: st.DrawFn, kind: LinkType) -> Payload:
    match kind:
        case LinkType.SEM:
            return Sem(draw(words), draw(shares))
        case LinkType.PROC:
            return TrigToAction(draw(shares))
        case LinkType.SITUATION:
            return SituationLink()


def _fields(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "id": draw(ids),
        "intensity": draw(st.floats(0, 1e6)),
        "created_at": draw(moments),
        "last_fired_at": draw(st.none() | moments),
        "fired_count": draw(st.integers(0, 2**53)),
    }


@st.composite
def graphs(draw: st.DrawFn) -> tuple[tuple[Note, ...], tuple[Link, ...], tuple[PendingLink, ...]]:
    """Notes with legal links between them, and links to keys that are not there; no two links alike."""
    found = draw(notes())
    types = {note.key: note.type for note in found}
    ends = [
        (source, target, kind)
        for source in found
        for target in found
        for kind in LinkType
        if source is not target and is_legal(kind, source.type, target.type)
    ]
    chosen = draw(st.lists(st.sampled_from(ends), unique=True, max_size=6)) if ends else []
    links = tuple(Link(source=s.id, target=t.id, payload=_payload(draw, kind), **_fields(draw)) for s, t, kind in chosen)
    absent = draw(st.lists(filled.filter(lambda key: key not in types), unique=True, max_size=2)) if found else []
    kinds = [kind for kind in LinkType if found and any(is_legal(kind, found[0].type, end) for end in NoteType)]
    pending = tuple(
        PendingLink(
            source_key=found[0].key, target_key=key, payload=_payload(draw, draw(st.sampled_from(kinds))), **_fields(draw)
        )
        for key in absent
    )
    return found, links, pending


def as_links(document: Document) -> tuple[list[Link], list[PendingLink]]:
    """The links of a document as the mind would hold them."""
    by_key = {note.key: note.id for note in document.notes}
    links: list[Link] = []
    pending: list[PendingLink] = []
    for stated in document.links:
        assert stated.id is not None
        fields: dict[str, Any] = {
            "id": stated.id,
            "payload": stated.payload,
            "intensity": stated.intensity,
            "created_at": stated.created_at,
            "last_fired_at": stated.last_fired_at,
            "fired_count": stated.fired_count,
        }
        if stated.source_key in by_key and stated.target_key in by_key:
            links.append(Link(source=by_key[stated.source_key], target=by_key[stated.target_key], **fields))
        else:
            pending.append(PendingLink(source_key=stated.source_key, target_key=stated.target_key, **fields))
    return links, pending


@given(graphs())
@settings(deadline=None, max_examples=60)
def test_round_trip(graph: tuple[tuple[Note, ...], tuple[Link, ...], tuple[PendingLink, ...]]) -> None:
    found, links, pending = graph
    text = graph_json(found, links, pending=pending)
    document = read(text.encode(), LATER)
    assert document.problems == ()
    assert document.notes == found
    links_again, pending_again = as_links(document)
    assert sorted(links_again, key=lambda link: link.id) == sorted(links, key=lambda link: link.id)
    assert sorted(pending_again, key=lambda link: link.id) == sorted(pending, key=lambda link: link.id)
    assert graph_json(document.notes, links_again, pending=pending_again) == text


@given(graphs(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=20)
def test_the_order_of_links_does_not_matter(
    graph: tuple[tuple[Note, ...], tuple[Link, ...], tuple[PendingLink, ...]], random: Any
) -> None:
    found, links, pending = graph
    shuffled = list(links)
    random.shuffle(shuffled)
    assert graph_json(found, shuffled, pending=pending) == graph_json(found, links, pending=pending)


def test_without_the_soulmem_keys_it_is_the_plain_format() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    note = Note(id=str(uuid.UUID(int=1)), key="sit", body=SpecificSituation("n"), created_at=at, decayed_at=at)
    skill = Note(id=str(uuid.UUID(int=2)), key="act", body=Procedure("c", ActionType.SKILL), created_at=at, decayed_at=at)
    link = Link(id=str(uuid.UUID(int=3)), source=note.id, target=skill.id, payload=TrigToAction(0.5), created_at=at)
    first, second = json.loads(graph_json([note, skill], [link]))
    assert list(first) == ["id", "tags", "mem_type", "mem_links", "soulmem"]
    assert first["mem_type"]["Situation"]["SpecificSituation"]["time_span"] is None
    assert second["mem_type"] == {"Procedure": {"action": {"content": "c", "action_type": {"Skill": {}}}}}
    (found,) = first["mem_links"]
    del found["soulmem"]
    assert found == {"from": "sit", "to": "act", "intensity": 1.0, "link_type": {"Proc": {"TrigToAction": {"prob": 0.5}}}}


def test_the_variant_written_is_that_of_the_ends() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    specific = Note(id=str(uuid.UUID(int=1)), key="a", body=SpecificSituation("n"), created_at=at, decayed_at=at)
    abstract = Note(id=str(uuid.UUID(int=2)), key="b", body=AbstractSituation(Location("x")), created_at=at, decayed_at=at)
    for source, target, variant in ((specific, abstract, "SpecificToAbstract"), (abstract, specific, "AbstractToSpecific")):
        link = Link(id=str(uuid.UUID(int=3)), source=source.id, target=target.id, payload=SituationLink(), created_at=at)
        assert f'"{variant}": {{}}' in graph_json([specific, abstract], [link])


def test_pending_links_whose_source_is_missing_stand_under_their_target() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    note = Note(id=str(uuid.UUID(int=1)), key="here", body=Semantic("c"), created_at=at, decayed_at=at)
    waiting = PendingLink(id=str(uuid.UUID(int=2)), source_key="there", target_key="here", payload=Sem("v"), created_at=at)
    document = read(graph_json([note], [], pending=[waiting]).encode(), LATER)
    assert [(link.source_key, link.target_key) for link in document.links] == [("there", "here")]


def test_ends_outside_the_notes_need_a_key() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    note = Note(id=str(uuid.UUID(int=1)), key="here", body=Semantic("c"), created_at=at, decayed_at=at)
    link = Link(id=str(uuid.UUID(int=2)), source=note.id, target="elsewhere", payload=Sem("v"), created_at=at)
    assert json.loads(graph_json([note], [link], {"elsewhere": "there"}))[0]["mem_links"][0]["to"] == "there"
    with pytest.raises(KeyError):
        graph_json([note], [link])
