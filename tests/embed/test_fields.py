"""Which texts make which vector of a note, and that the vectors are their weighted means."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.embed.fields import WeightedTexts, field_texts, mean_vector, note_fields, pool, pool_all
from soulmem.embed.hashing import HashingEmbedder
from soulmem.model.changes import Vector
from soulmem.model.notes import (
    AbstractSituation,
    ActionType,
    Body,
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

SCHEMA = Path(__file__).parents[2] / "schema" / "vectors.cypher"


def note(body: Body, *tags: str) -> Note:
    day = datetime(2024, 5, 1, tzinfo=UTC)
    return Note(id="n", key="n", body=body, tags=tags, created_at=day, decayed_at=day)


FULL: dict[NoteType, tuple[Body, ...]] = {
    NoteType.SEMANTIC: (Semantic("小红", ("红红", "Red"), description="海边长大的女孩"),),
    NoteType.SPECIFIC: (
        SpecificSituation(
            "她们去赶海",
            context=Context(
                Location("青岛", "36N 120E"),
                (Participant("外婆", "长辈"), Participant("小红")),
                (Feeling("joy", 0.9),),
                (Feeling("salt", 0.4),),
                Environment("热闹", "轻松"),
                (Event("捡", 0.25, "小红", "贝壳"), Event("笑", 0.75, "外婆")),
            ),
        ),
    ),
    NoteType.ABSTRACT: (
        AbstractSituation(Location("海边", "东边")),
        AbstractSituation(Participant("外婆", "长辈")),
        AbstractSituation(Environment("雨天", "忧郁")),
        AbstractSituation(Event("责备", 0.2, "老师", "学生")),
    ),
    NoteType.PROCEDURE: (Procedure("沉默一会儿再开口", ActionType.SPEAK),),
}

EXPECTED: list[tuple[Body, dict[str, tuple[tuple[float, str], ...]]]] = [
    (
        FULL[NoteType.SEMANTIC][0],
        {"v_content": ((1, "小红"),), "v_aliases": ((1, "红红"), (1, "Red")), "v_description": ((1, "海边长大的女孩"),)},
    ),
    (
        FULL[NoteType.SPECIFIC][0],
        {
            "v_narrative": ((1, "她们去赶海"),),
            "v_location_name": ((1, "青岛"),),
            "v_location_coordinates": ((1, "36N 120E"),),
            "v_participant_name": ((1, "外婆"), (1, "小红")),
            "v_participant_role": ((1, "长辈"),),
            "v_atmosphere": ((1, "热闹"),),
            "v_tone": ((1, "轻松"),),
            "v_event_action": ((0.25, "捡"), (0.75, "笑")),
            "v_event_initiator": ((0.25, "小红"), (0.75, "外婆")),
            "v_event_target": ((0.25, "贝壳"),),
        },
    ),
    (
        FULL[NoteType.ABSTRACT][0],
        {"v_location_name": ((1, "海边"),), "v_location_coordinates": ((1, "东边"),), "v_self": ((1, "海边"), (1, "东边"))},
    ),
    (
        FULL[NoteType.ABSTRACT][3],
        {
            "v_event_action": ((1, "责备"),),
            "v_event_initiator": ((1, "老师"),),
            "v_event_target": ((1, "学生"),),
            "v_self": ((1, "责备"), (1, "老师"), (1, "学生")),
        },
    ),
    (FULL[NoteType.PROCEDURE][0], {"v_content": ((1, "沉默一会儿再开口"),)}),
]


@pytest.mark.parametrize(("body", "fields"), EXPECTED)
def test_the_fields_of_a_note(body: Body, fields: dict[str, tuple[tuple[float, str], ...]]) -> None:
    assert note_fields(note(body)) == fields
    assert note_fields(note(body, "海", "", "夏天")) == {"v_tags": ((1, "海"), (1, "夏天")), **fields}


@pytest.mark.parametrize("note_type", NoteType)
def test_the_columns_are_those_of_the_schema(note_type: NoteType) -> None:
    """Every column of the schema is filled by some note of its table, and nothing else is."""
    columns = set(re.findall(rf"ALTER TABLE {note_type} ADD (\w+)", SCHEMA.read_text(encoding="utf-8")))
    assert columns == {column for body in FULL[note_type] for column in note_fields(note(body, "tag"))}


@pytest.mark.parametrize(
    "body",
    [
        Semantic("", ("", " ")),
        SpecificSituation(
            "\n", context=Context(Location(""), (Participant(""),), (Feeling("joy"),), (), Environment(), (Event(""),))
        ),
        AbstractSituation(Environment()),
        Procedure("\x00", ActionType.THINK),
    ],
)
def test_a_column_without_text_is_absent(body: Body) -> None:
    assert note_fields(note(body, "", "\t")) == {}
    assert pool({}, {}) == {}


def test_events_without_intensity_still_happened() -> None:
    body = SpecificSituation("x", context=Context(event=(Event("run", 0.0), Event("fall", 0.0))))
    assert note_fields(note(body))["v_event_action"] == ((1, "run"), (1, "fall"))
    body = SpecificSituation("x", context=Context(event=(Event("run", 0.0), Event("fall", 0.5))))
    assert note_fields(note(body))["v_event_action"] == ((0.5, "fall"),)


def test_texts_are_listed_once_in_order() -> None:
    assert field_texts({"a": ((1, "x"), (1, "y")), "b": ((1, "y"), (0.5, "z")), "c": ((1, "x"),)}) == ["x", "y", "z"]


WEIGHTED = st.lists(
    st.tuples(st.floats(0.01, 1), st.sampled_from(["tea", "猫", "rain", "小红 likes tea"])), min_size=1, max_size=6
)


@given(st.dictionaries(st.sampled_from(["v_tags", "v_content", "v_self"]), WEIGHTED.map(tuple)))
@settings(deadline=None, max_examples=150)
def test_pooling_is_the_weighted_mean_brought_to_length_one(fields: dict[str, tuple[tuple[float, str], ...]]) -> None:
    texts = field_texts(fields)
    vectors: dict[str, Vector] = dict(zip(texts, HashingEmbedder().passages(texts), strict=True))
    pooled = pool(fields, vectors)
    assert set(pooled) == set(fields)
    for column, parts in fields.items():
        total = [math.fsum(weight * float(vectors[text][place]) for weight, text in parts) for place in range(256)]
        length = math.sqrt(math.fsum(value * value for value in total))
        assert pooled[column] == pytest.approx([value / length for value in total], abs=1e-6)
        assert pooled[column].dtype == np.float32


@given(st.dictionaries(st.text(max_size=3), st.dictionaries(st.sampled_from(["v_tags", "v_content"]), WEIGHTED.map(tuple))))
@settings(deadline=None, max_examples=60)
def test_many_are_pooled_as_each_alone(owners: dict[str, dict[str, WeightedTexts]]) -> None:
    texts = [text for fields in owners.values() for text in field_texts(fields)]
    vectors: dict[str, Vector] = dict(zip(texts, HashingEmbedder().passages(texts), strict=True))
    together = pool_all(owners, vectors)
    assert list(together) == list(owners)
    for owner, fields in owners.items():
        alone = pool(fields, vectors)
        assert {column: row.tobytes() for column, row in together[owner].items()} == {
            column: row.tobytes() for column, row in alone.items()
        }


def test_what_cancels_out_or_is_zero_is_absent() -> None:
    vectors = {"up": np.float32([0, 1]), "down": np.float32([0, -1]), "nothing": np.float32([0, 0])}
    assert pool({"a": ((1, "up"), (1, "down")), "b": ((1, "nothing"),), "c": ((2, "up"), (1, "down"))}, vectors).keys() == {"c"}
    assert mean_vector([]) is None


def test_a_text_without_a_vector_is_an_error() -> None:
    with pytest.raises(KeyError, match="tea"):
        pool({"a": ((1, "tea"),)}, {})
