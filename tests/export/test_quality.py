"""What is told of how a mind is made."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from soulmem.model.links import Link, Sem, SituationLink, TrigToAction
from soulmem.model.notes import (
    AbstractSituation,
    ActionType,
    Body,
    Environment,
    Note,
    Procedure,
    Semantic,
    SpecificSituation,
)
from soulmem.quality import Flaw, Remark, remarks

AT = datetime(2026, 11, 1, tzinfo=UTC)


def note(key: str, body: Body) -> Note:
    return Note(id=key, key=key, body=body, created_at=AT, decayed_at=AT)


def link(source: str, target: str, payload: SituationLink | TrigToAction | Sem) -> Link:
    return Link(id=f"{source}-{target}", source=source, target=target, payload=payload, created_at=AT)


NOTES = (
    note("sem_self", Semantic("Wren")),
    note("sem_fog", Semantic("fog")),
    note("sit_fog", SpecificSituation("The radar died halfway over.")),
    note("abs_fog", AbstractSituation(Environment("thick fog"))),
    note("proc_count", Procedure("Count rivets.", ActionType.THINK)),
)
LINKS = (
    link("sem_self", "sem_fog", Sem("fears")),
    link("sit_fog", "abs_fog", SituationLink()),
    link("abs_fog", "proc_count", TrigToAction(0.9)),
)


def test_a_mind_that_is_well_made_gets_no_remarks() -> None:
    assert remarks(NOTES, LINKS) == []
    assert remarks((), ()) == []


def test_every_link_that_is_taken_away_leaves_a_flaw() -> None:
    flaws = [remarks(NOTES, [other for other in LINKS if other is not one]) for one in LINKS]
    assert flaws == [
        [Remark(Flaw.ORPHAN, "sem_fog")],
        [Remark(Flaw.NO_INSTANCE, "abs_fog"), Remark(Flaw.ORPHAN, "sit_fog")],
        [Remark(Flaw.NO_TRIGGER, "proc_count")],
    ]
    assert remarks(NOTES[1:], LINKS[1:]) == [Remark(Flaw.NO_SELF, ""), Remark(Flaw.ORPHAN, "sem_fog")]


def test_placeholders_in_both_languages() -> None:
    more = [note("sem_a", Semantic("unknown")), note("sem_b", Semantic("不详")), note("sem_c", Semantic("the unknown soldier"))]
    links = [link("sem_self", one.key, Sem("knows")) for one in more]
    assert [one.key for one in remarks((*NOTES, *more), (*LINKS, *links)) if one.flaw is Flaw.PLACEHOLDER] == ["sem_a", "sem_b"]


def doubles(*texts: str) -> list[tuple[str, str]]:
    notes = [note(f"sem_{n}", Semantic(text)) for n, text in enumerate(texts)]
    return [(one.key, one.other) for one in remarks(notes, ()) if one.flaw is Flaw.NEAR_DUPLICATE]


def test_what_is_nearly_the_same() -> None:
    assert doubles("Bo keeps three hens in the yard", "bo keeps three hens in the yard!") == [("sem_0", "sem_1")]
    assert doubles("Ba keeps three hens in the yard", "Bo keeps three hens in the yard") == [("sem_0", "sem_1")]
    assert doubles("the ferry leaves at 7 from here", "the ferry leaves at 9 from here") == []
    assert doubles("Ann", "Anna") == doubles("小红", "小白") == []
    old = replace(NOTES[1], id="x", key="sem_then", body=Semantic("fog", valid_until=AT))
    assert [one for one in remarks((*NOTES, old), LINKS) if one.flaw is Flaw.NEAR_DUPLICATE] == []


@given(st.lists(st.text(min_size=1, max_size=30), max_size=12), st.randoms(use_true_random=False))
def test_equal_texts_are_always_found_whatever_the_order(texts: list[str], shuffle: object) -> None:
    notes = [note(f"sem_{n}", Semantic(text)) for n, text in enumerate(texts)]
    mixed = list(notes)
    shuffle.shuffle(mixed)  # type: ignore[attr-defined]
    found = remarks(notes, ())
    assert found == remarks(mixed, ())
    twice = {text for text in texts if texts.count(text) > 1 and text.strip() and any(sign.isalnum() for sign in text)}
    pairs = {frozenset((one.key, one.other)) for one in found if one.flaw is Flaw.NEAR_DUPLICATE}
    for text in twice:
        keys = [one.key for one in notes if isinstance(one.body, Semantic) and one.body.content == text]
        assert any(frozenset(keys[:2]) & pair for pair in pairs)
