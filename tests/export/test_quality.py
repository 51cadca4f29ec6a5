"""What is told of how a mind is made."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from soulmem.mending import mended
from soulmem.model.links import Link, Sem, SituationLink, TrigToAction
from soulmem.model.notes import (
    AbstractSituation,
    ActionType,
    Body,
    ConceptType,
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
    told = [replace(note(f"sem_{n}", Semantic("Bo keeps three hens in the yard")), sources=("line",)) for n in range(2)]
    assert [one for one in remarks(told, ()) if one.flaw is Flaw.NEAR_DUPLICATE] == [], "one line told in two ways"
    old = replace(NOTES[1], id="x", key="sem_then", body=Semantic("fog", valid_until=AT))
    assert [one for one in remarks((*NOTES, old), LINKS) if one.flaw is Flaw.NEAR_DUPLICATE] == []


def test_what_stands_in_a_text_where_something_else_belongs() -> None:
    wrong = (
        "{{char}} likes tea",
        "born in [INSERT TOWN]",
        "<USER> is a friend",
        "Name: TBD",
        "Lorem ipsum dolor",
        "她叫{{user}}",
    )
    right = ("[laughs] and {curly}", "the todo list", "<b>bold</b>", "[name] of a ship", "a {{", "Tbd., the dog")
    notes = [note(f"sem_{n}", Semantic(text)) for n, text in enumerate((*wrong, *right))]
    found = [one.key for one in remarks(notes, ()) if one.flaw is Flaw.STANDS_IN]
    assert found == [f"sem_{n}" for n in range(len(wrong))]
    assert [one.flaw for one in remarks([NOTES[0], note("sem_x", Semantic("")), *NOTES[1:]], LINKS)] == [Flaw.EMPTY, Flaw.ORPHAN]


def test_one_name_of_two_and_what_no_walk_comes_to() -> None:
    more = (note("sem_mei", Semantic("Mei", description="a painter")), note("sem_mei_2", Semantic("mei", description="a cat")))
    links = [link("sem_self", one.key, Sem("knows")) for one in more]
    assert remarks((*NOTES, *more), (*LINKS, *links)) == [Remark(Flaw.SAME_NAME, "sem_mei_2", "sem_mei")]
    far = note("sem_far", Semantic("Wren fears moths", concept_type=ConceptType.ABSTRACT))
    assert remarks((*NOTES, far), (*LINKS, link("sem_far", "sem_fog", Sem("of")))) == [Remark(Flaw.UNREACHED, "sem_far")]


def test_examples_of_a_card_did_not_happen() -> None:
    shown = replace(NOTES[2], sources=("m1",))
    notes = [shown if one is NOTES[2] else one for one in NOTES]
    assert remarks(notes, LINKS, {"m1", "m2"}) == [Remark(Flaw.NEVER_HAPPENED, "sit_fog")]
    assert remarks(notes, LINKS, {"m2"}) == []


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["m1", "m2"])), max_size=8), st.randoms(use_true_random=False))
def test_mended_no_note_is_there_twice_and_no_link_or_line_is_lost(said: list[tuple[str, str]], shuffle: Any) -> None:
    notes = [replace(note(f"sem_{n}", Semantic(text)), sources=(source,)) for n, (text, source) in enumerate(said)]
    ends = [(one.key, other.key) for one in notes for other in notes if one is not other and shuffle.random() < 0.4]
    links = [link(source, target, Sem("near")) for source, target in ends]
    change, repairs = mended(notes, links, "Wren", AT)
    gone = {update.note for update in change.updates if update.values.get("active") is False} if change else set()
    text = {one.key: said[n][0] for n, one in enumerate(notes)}
    assert len({text[one.key] for one in notes}) == len(notes) - len(gone) == len(notes) - len(repairs)
    cut = set(change.links_removed) if change else set()
    after = [*(one for one in links if one.id not in cut), *(change.links if change else ())]
    assert {(text[one.source], text[one.target]) for one in after} == {
        (text[a], text[b]) for a, b in ends if text[a] != text[b] or not {a, b} & gone
    }
    assert not {end for one in after for end in (one.source, one.target)} & gone
    lines = {(text[one.key], source) for one in notes if one.key not in gone for source in one.sources}
    lines |= {(text[owner], source) for owner, source in (change.sources_added if change else ())}
    assert lines == {(one, source) for one, source in said}


def test_the_name_stands_where_a_macro_was_and_only_if_it_is_known() -> None:
    notes = (*NOTES, note("proc_x", Procedure("{{Char}} waves; <BOT> grins at {{user}}", ActionType.SKILL)))
    change, repairs = mended(notes, LINKS, "Wren", AT)
    assert change is not None and [one.key for one in repairs] == ["proc_x"]
    assert [update.values for update in change.updates] == [{"content": "Wren waves; Wren grins at {{user}}"}]
    assert mended(notes, LINKS, "", AT) == (None, ()) and mended(NOTES, LINKS, "Wren", AT) == (None, ())


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
