"""What fires together: nothing that a private talk tells of notes that others may hear of."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from soulmem.consolidate.wiring import DIRECT
from soulmem.model.notes import ConceptType, Note, NoteType, Semantic
from soulmem.model.results import Memory, Stage
from soulmem.recall.plastic import PRIVATE, uses_of
from soulmem.scopes.contexts import PUBLIC

AT = datetime(2026, 3, 8, 12, tzinfo=UTC)
SCOPES = st.sampled_from(["public", "direct:Bo", "direct:ann", "group:tea"])
HEARD = st.lists(st.tuples(SCOPES, st.sampled_from([(), ("ann",)]), st.sampled_from(Stage)), max_size=6)


def _used(heard: list[tuple[str, tuple[str, ...], Stage]], heard_in: str | None) -> list[str]:
    body = Semantic(content="x", aliases=(), concept_type=ConceptType.ENTITY)
    notes = [
        Note(id=f"n{place}", key=f"n{place}", body=body, scope=scope, kept_from=kept, created_at=AT, decayed_at=AT)
        for place, (scope, kept, _) in enumerate(heard)
    ]
    memories = [
        Memory(id=f"n{place}", key=f"n{place}", type=NoteType.SEMANTIC, text="x", score=0.5, stage=stage)
        for place, (_, _, stage) in enumerate(heard)
    ]
    uses = uses_of(memories, notes, heard_in)
    assert [(use.note, use.score) for use in uses] == [(memory.id, memory.score) for memory in memories]
    return [use.stage for use in uses]


@given(HEARD, SCOPES)
def test_in_a_private_talk_only_notes_of_that_talk_fire(heard: list[tuple[str, tuple[str, ...], Stage]], heard_in: str) -> None:
    for (scope, _, stage), recorded in zip(heard, _used(heard, heard_in), strict=True):
        own = scope.casefold() == heard_in.casefold() and scope != PUBLIC
        assert recorded == (stage if own or heard_in == PUBLIC else PRIVATE)


@given(HEARD)
def test_what_the_owner_asks_fires_openly_unless_something_private_comes_up(
    heard: list[tuple[str, tuple[str, ...], Stage]],
) -> None:
    closed = [scope != PUBLIC or bool(kept) for scope, kept, _ in heard]
    for (_, _, stage), is_closed, recorded in zip(heard, closed, _used(heard, None), strict=True):
        assert recorded == (stage if is_closed or not any(closed) else PRIVATE)


def test_what_is_used_in_private_is_not_hit_directly() -> None:
    assert PRIVATE not in DIRECT
