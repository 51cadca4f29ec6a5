"""What makes a change findable: its terms, names and vectors, with the embedder that needs no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime

import numpy as np
import pytest

from soulmem.embed.cache import cache_id
from soulmem.embed.fields import note_fields
from soulmem.embed.hashing import HashingEmbedder
from soulmem.indexing import indexed, message_passage, message_words, names_of
from soulmem.model.changes import Change, Vector
from soulmem.model.links import Link, Sem
from soulmem.model.messages import Message, Role
from soulmem.model.notes import (
    AbstractSituation,
    ActionType,
    Body,
    Context,
    Event,
    Location,
    Note,
    Participant,
    Procedure,
    Semantic,
    SpecificSituation,
    searched_text,
)
from soulmem.text.tokens import term_counts

AT = datetime(2024, 5, 6, 7, 8, tzinfo=UTC)
EMBEDDER = HashingEmbedder()

BODIES: dict[str, Body] = {
    "tea": Semantic("Green Tea", ("green  tea", "绿茶", ""), description="a hot drink"),
    "storm": SpecificSituation(
        "The lamp went out.",
        context=Context(location=Location("tower", "north"), participants=(Participant("Ada", "keeper"), Participant("Bo"))),
    ),
    "night": AbstractSituation(Event("relight", 0.5, "Ada", "lamp")),
    "pour": Procedure("pour the tea slowly", ActionType.SKILL),
}
NOTES = tuple(
    Note(id=name, key=f"key_{name}", body=body, created_at=AT, decayed_at=AT, tags=("evening",)) for name, body in BODIES.items()
)


def message(name: str, text: str, *, hidden: bool = False, sent_at: datetime | None = AT) -> Message:
    return Message(
        id=name, chat="c", index=0, file="f", line=1, speaker="Ada", role=Role.USER, text=text, hidden=hidden, sent_at=sent_at
    )


MESSAGES = (message("said", "The storm is over"), message("whispered", "never shown", hidden=True))
LINK = Link(id="l", source="tea", target="pour", payload=Sem("needs"), created_at=AT)
CHANGE = Change(command="ingest", what="test", at=AT, notes=NOTES, messages=MESSAGES, links=(LINK,))


def test_every_note_and_every_said_message_is_findable_and_nothing_hidden() -> None:
    found = indexed(CHANGE, EMBEDDER)
    assert found.terms.keys() == found.vectors.keys() == {*BODIES, "said"}
    for note in NOTES:
        assert found.terms[note.id] == term_counts(searched_text(note))
        assert found.vectors[note.id].keys() == note_fields(note).keys()
    assert found.terms["said"] == term_counts(message_words(MESSAGES[0]))
    assert found.vectors["said"].keys() == {"v_text"}


def test_vectors_are_unit_vectors_of_the_embedder() -> None:
    for columns in indexed(CHANGE, EMBEDDER).vectors.values():
        for vector in columns.values():
            assert vector.shape == (EMBEDDER.dimension,) and vector.dtype == np.float32
            assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-6)


def test_a_note_is_nearest_to_its_own_words() -> None:
    found = indexed(CHANGE, EMBEDDER)
    query = EMBEDDER.queries(["green tea"])[0]
    closeness = {name: max(float(vector @ query) for vector in columns.values()) for name, columns in found.vectors.items()}
    assert max(closeness, key=closeness.__getitem__) == "tea"
    assert closeness["tea"] == pytest.approx(1.0, abs=1e-6)


def test_only_concepts_have_names_each_once_in_normal_form() -> None:
    found = indexed(CHANGE, EMBEDDER)
    assert found.names == {"tea": ("green tea", "绿茶")}
    assert [names_of(note) for note in NOTES] == [("green tea", "绿茶"), (), (), ()]


def test_what_the_change_was_before_it_still_is() -> None:
    before = Change(command="x", what="y", at=AT, notes=NOTES[:1], terms={"old": {"word": 2}}, names={"old": ("word",)})
    found = indexed(before, EMBEDDER)
    assert found.terms.keys() == {"old", "tea"} and found.terms["old"] == {"word": 2}
    assert found.names.keys() == {"old", "tea"}
    written = {"terms", "names", "vectors", "embeddings"}
    for field in fields(Change):
        if field.name not in written:
            assert getattr(found, field.name) == getattr(before, field.name)


def test_nothing_new_needs_no_embedder() -> None:
    class Absent(HashingEmbedder):
        def passages(self, texts: Sequence[str]) -> np.ndarray:
            raise AssertionError("asked for vectors of nothing")

    found = indexed(Change(command="x", what="y", at=AT, messages=MESSAGES[1:]), Absent())
    assert found.terms == {} and found.vectors == {} and found.embeddings == {}


def test_what_was_embedded_before_is_taken_from_the_mind() -> None:
    first = indexed(CHANGE, EMBEDDER)
    kept = dict(first.embeddings)
    assert all(name.startswith("hashing/passage/") for name in kept)
    asked: list[str] = []

    def known(ids: Sequence[str]) -> Mapping[str, Vector]:
        asked.extend(ids)
        return {id_: kept[id_] for id_ in ids if id_ in kept}

    again = indexed(CHANGE, EMBEDDER, known)
    assert again.embeddings == {}
    assert set(asked) == kept.keys()
    for owner, columns in first.vectors.items():
        for column, vector in columns.items():
            assert np.array_equal(again.vectors[owner][column], vector)


def test_one_text_is_embedded_once_however_often_it_occurs() -> None:
    counted: list[str] = []

    class Counting(HashingEmbedder):
        def passages(self, texts: Sequence[str]) -> np.ndarray:
            counted.extend(texts)
            return super().passages(texts)

    indexed(CHANGE, Counting())
    assert len(counted) == len(set(counted))
    assert {"evening", "Green Tea", "Ada: The storm is over"} <= set(counted)
    assert cache_id("hashing", "passage", "evening") in indexed(CHANGE, EMBEDDER).embeddings


def test_the_order_of_the_notes_does_not_matter() -> None:
    turned = Change(command="ingest", what="test", at=AT, notes=NOTES[::-1], messages=MESSAGES[::-1], links=(LINK,))
    one, other = indexed(CHANGE, EMBEDDER), indexed(turned, EMBEDDER)
    assert one.terms == other.terms and one.names == other.names
    for owner, columns in one.vectors.items():
        for column, vector in columns.items():
            assert np.array_equal(other.vectors[owner][column], vector)


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    found = indexed(CHANGE, EMBEDDER, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (len(found.embeddings), len(found.embeddings))
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.parametrize(
    ("text", "sent_at", "words"),
    [
        ("hello", AT, "Ada\n6 May 2024\nhello"),
        ("你好", AT, "Ada\n2024年5月6日\n你好"),
        ("hello", None, "Ada\n\nhello"),
    ],
)
def test_a_message_is_found_by_who_said_it_and_when(text: str, sent_at: datetime | None, words: str) -> None:
    assert message_words(message("m", text, sent_at=sent_at)) == words
    assert message_passage(message("m", text)) == f"Ada: {text}"


def test_a_message_can_be_found_by_its_date() -> None:
    terms = indexed(Change(command="x", what="y", at=AT, messages=MESSAGES[:1]), EMBEDDER).terms["said"]
    for text in ("May", "2024", "Ada", "storm"):
        assert term_counts(text).keys() <= terms.keys()


def test_a_blank_note_has_words_and_vectors_of_nothing() -> None:
    blank = Note(id="b", key="b", body=Semantic("  "), created_at=AT, decayed_at=AT)
    found = indexed(Change(command="x", what="y", at=AT, notes=(blank,)), EMBEDDER)
    assert (found.terms["b"], found.names["b"], found.vectors["b"]) == ({}, (), {})
