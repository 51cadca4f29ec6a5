"""Notes: their texts, types and ids."""

from __future__ import annotations

import dataclasses
import uuid
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.model.notes import (
    NAMESPACE,
    SELF_KEY,
    AbstractSituation,
    ActionType,
    Body,
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
    derived_id,
    display_text,
    pattern_kind,
    pattern_text,
    searched_text,
)

AT = datetime(2024, 1, 1, tzinfo=UTC)


def note(body: Body, *tags: str) -> Note:
    return Note(id="n", key="k", body=body, created_at=AT, decayed_at=AT, tags=tags)


# -- ids -----------------------------------------------------------------------------------------------------------------------


def test_derived_ids_never_change() -> None:
    """Golden values: an id that changed would make every file that was read new again."""
    assert str(NAMESPACE) == "6f1c6f0e-2f0b-5d2a-9a5e-5b0a3a7d7c11"
    assert derived_id() == "b4626235-c6c1-5345-9413-6674d0ce72bf"
    assert derived_id("message", "chat", "ab", 0) == "42a09e15-ade3-598a-8949-35ec9ce13950"
    assert derived_id("note", "sem_小红") == "78e76da9-6b28-5bad-9a71-6a55d97cc32f"


@settings(deadline=None, max_examples=40)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5) | st.integers(), max_size=4))
def test_a_derived_id_is_a_uuid_of_its_parts(parts: list[str | int]) -> None:
    found = derived_id(*parts)
    assert found == derived_id(*parts) == str(uuid.UUID(found))
    assert uuid.UUID(found).version == 5
    assert derived_id(*parts, "more") != found


def test_the_borders_of_the_parts_count() -> None:
    assert len({derived_id("ab", "c"), derived_id("a", "bc"), derived_id("abc"), derived_id("c", "ab")}) == 4


# -- names the store and the files share ----------------------------------------------------------------------------------------


def test_the_words_of_the_format() -> None:
    assert [type_.value for type_ in NoteType] == ["Semantic", "SpecificSituation", "AbstractSituation", "Procedure"]
    assert [kind.value for kind in ConceptType] == ["Entity", "Abstract"]
    assert [kind.value for kind in ActionType] == ["Speak", "Think", "Skill"]
    assert {category.value for category in Category} == {
        "identity", "date", "preference", "relation", "event", "state", "knowledge",
    }  # fmt: skip
    assert SELF_KEY == "sem_self"


def test_situations_are_the_specific_and_the_abstract_ones() -> None:
    assert [type_ for type_ in NoteType if type_.is_situation] == [NoteType.SPECIFIC, NoteType.ABSTRACT]


@pytest.mark.parametrize(
    ("body", "type_"),
    [
        (Semantic("x"), NoteType.SEMANTIC),
        (SpecificSituation("x"), NoteType.SPECIFIC),
        (AbstractSituation(Location("x")), NoteType.ABSTRACT),
        (Procedure("x", ActionType.SPEAK), NoteType.PROCEDURE),
    ],
)
def test_the_body_decides_the_type(body: Body, type_: NoteType) -> None:
    assert note(body).type is type_


def test_a_note_is_new_public_and_awake_unless_said_otherwise() -> None:
    fresh = note(Semantic("x"))
    assert (fresh.strength, fresh.retrieval_count, fresh.scope, fresh.active) == (1.0, 0, "public", True)
    assert not fresh.pinned and not fresh.core
    assert fresh.last_accessed_at is None and fresh.due_at is None and fresh.sources == ()


def test_notes_are_values() -> None:
    assert note(Semantic("x")) == note(Semantic("x"))
    assert len({note(Semantic("x")), note(Semantic("x")), note(Semantic("y"))}) == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        note(Semantic("x")).strength = 0.5  # type: ignore[misc]


# -- texts ---------------------------------------------------------------------------------------------------------------------

PATTERNS: list[tuple[Location | Participant | Environment | Event, str, str]] = [
    (Location("灯塔", "54,-3"), "Location", "灯塔 · 54,-3"),
    (Location("tower"), "Location", "tower"),
    (Participant("Ada", "keeper"), "Participant", "Ada · keeper"),
    (Environment("cold", "tense"), "Environment", "cold · tense"),
    (Environment(tone="tense"), "Environment", "tense"),
    (Environment(), "Environment", ""),
    (Event("relight", 0.4, "Ada", "lamp"), "Event", "Ada · relight · lamp"),
    (Event("shout", initiator="Ada"), "Event", "Ada · shout"),
]


@pytest.mark.parametrize(("pattern", "kind", "text"), PATTERNS)
def test_a_pattern_is_told_by_its_fields(pattern: Location | Participant | Environment | Event, kind: str, text: str) -> None:
    assert pattern_kind(AbstractSituation(pattern)) == kind
    assert pattern_text(pattern) == display_text(AbstractSituation(pattern)) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (Semantic("tea", ("cha",), description="hot"), "tea（hot）"),
        (Semantic("tea", ("cha",)), "tea"),
        (SpecificSituation("we drank tea", context=Context(location=Location("tower"))), "we drank tea"),
        (Procedure("pour", ActionType.SKILL), "pour"),
    ],
)
def test_a_note_in_one_line(body: Body, text: str) -> None:
    assert display_text(body) == text


STORM = SpecificSituation(
    "the lamp went out",
    AT,
    AT,
    Context(
        location=Location("tower", "54,-3"),
        participants=(Participant("Ada", "keeper"), Participant("Bo")),
        emotions=(Feeling("fear", 0.9),),
        sensory_data=(Feeling("salt"),),
        environment=Environment("cold", ""),
        event=(Event("relight", 0.5, "Ada", "lamp"), Event("shout")),
    ),
)


def test_a_situation_is_found_by_all_its_words_but_feelings_and_senses() -> None:
    found = searched_text(note(STORM, "night", ""))
    assert found.split("\n") == [
        "night", "the lamp went out", "tower", "54,-3", "Ada", "keeper", "Bo", "cold", "Ada", "relight", "lamp", "shout",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (Semantic("tea", ("cha", ""), description="hot"), ["drink", "tea", "cha", "hot"]),
        (AbstractSituation(Event("relight", 1.0, "Ada", "lamp")), ["drink", "Ada · relight · lamp"]),
        (AbstractSituation(Environment()), ["drink"]),
        (Procedure("pour", ActionType.SKILL), ["drink", "pour"]),
    ],
)
def test_the_words_a_note_is_found_by(body: Body, words: list[str]) -> None:
    assert searched_text(note(body, "drink")).split("\n") == words


@pytest.mark.parametrize("body", [Semantic("tea"), STORM, *(AbstractSituation(pattern) for pattern, _, _ in PATTERNS)])
def test_what_is_shown_can_be_searched(body: Body) -> None:
    assert set(display_text(body).split()) <= set(searched_text(note(body)).split())
