"""Which links are legal: the table of the specification, written out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from soulmem.model.links import (
    Link,
    LinkType,
    Payload,
    Sem,
    SituationLink,
    TrigToAction,
    is_legal,
    legal_ends,
    situation_variant,
    type_of,
)
from soulmem.model.notes import NoteType

SEMANTIC, SPECIFIC, ABSTRACT, PROCEDURE = NoteType

#: From (rows) and to (columns), both in the order of NoteType: s Sem, p Proc, t Situation.
TABLE = {
    SEMANTIC: ("s", "s", "s", "s"),
    SPECIFIC: ("s", "t", "t", "p"),
    ABSTRACT: ("s", "t", "t", "p"),
    PROCEDURE: ("s", "", "", ""),
}
LETTERS = {LinkType.SEM: "s", LinkType.PROC: "p", LinkType.SITUATION: "t"}


@pytest.mark.parametrize("link_type", list(LinkType))
@pytest.mark.parametrize("source", list(NoteType))
@pytest.mark.parametrize("target", list(NoteType))
def test_the_table_of_legal_links(link_type: LinkType, source: NoteType, target: NoteType) -> None:
    letters = dict(zip(NoteType, TABLE[source], strict=True))
    assert is_legal(link_type, source, target) == (LETTERS[link_type] in letters[target])


def test_how_many_pairs_each_kind_of_link_may_join() -> None:
    assert {link_type: len(legal_ends(link_type)) for link_type in LinkType} == {
        LinkType.SEM: 7,
        LinkType.PROC: 2,
        LinkType.SITUATION: 4,
    }
    for link_type in LinkType:
        assert all(is_legal(link_type, source, target) for source, target in legal_ends(link_type))
        assert legal_ends(link_type) == legal_ends(link_type)


@pytest.mark.parametrize(
    ("source", "target", "variant"),
    [
        (ABSTRACT, SPECIFIC, "AbstractToSpecific"),
        (SPECIFIC, ABSTRACT, "SpecificToAbstract"),
        (SPECIFIC, SPECIFIC, "SpecificToSpecific"),
        (ABSTRACT, ABSTRACT, "AbstractToAbstract"),
    ],
)
def test_the_ends_force_the_variant(source: NoteType, target: NoteType, variant: str) -> None:
    assert situation_variant(source, target) == variant


@pytest.mark.parametrize(
    ("payload", "link_type"),
    [(Sem("likes"), LinkType.SEM), (TrigToAction(0.5), LinkType.PROC), (SituationLink(), LinkType.SITUATION)],
)
def test_the_payload_decides_the_type(payload: Payload, link_type: LinkType) -> None:
    link = Link(id="l", source="a", target="b", payload=payload, created_at=datetime(2024, 1, 1, tzinfo=UTC))
    assert link.type is type_of(payload) is link_type
    assert (link.intensity, link.fired_count, link.last_fired_at) == (1.0, 0, None)


def test_the_words_of_the_format() -> None:
    assert [link_type.value for link_type in LinkType] == ["Sem", "Proc", "Situation"]
    assert Sem("likes").confidence == 1.0
