"""The same again, another value, a correction; and what a plan makes of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from talk import AT, facts, talk

from soulmem.consolidate.corrections import Corrected, corrected
from soulmem.consolidate.entries import fact_note
from soulmem.consolidate.facts import Fact
from soulmem.consolidate.merge import KnownFact, merge
from soulmem.consolidate.plan import Entry, Parts, Plan, Sign, change_of, numbered
from soulmem.consolidate.split import name_forms, split
from soulmem.consolidate.state import MOST_FAILURES, State, state_of


def merged(*lines: str, known: dict[str, list[KnownFact]] | None = None, **more: object):
    found = facts(*lines, **more)
    return merge(found, known or {}, {source: "c" for fact in found for source in fact.sources})


def known(fact: Fact, **more: object) -> dict[str, list[KnownFact]]:
    fields = {"said_at": fact.said_at, "chat": "c", "place": fact.place} | more
    return {fact.stem: [KnownFact(note=fact_note(fact, AT), **fields)]}  # type: ignore[arg-type]


@pytest.mark.parametrize("line", ["I live in Bergen.", "我不吃香菜。", "My sister Greta is well.", "I bought a canoe yesterday."])
def test_the_same_fact_said_twice_is_one_with_two_sources(line):
    found = merged(line, line)
    assert len(found.new) == 1 and len(found.new[0].sources) == 2 and not found.over


def test_what_the_mind_knows_is_said_again():
    (fact,) = facts("I live in Bergen.")
    found = merged("I live in Bergen.", known=known(replace(fact, place=-5)))
    assert not found.new and [again.says for _, again in found.again] == ["bergen"]


def test_a_later_value_holds_instead():
    found = merged("I live in Bergen.", "I live in Oslo.")
    oslo = next(fact for fact in found.new if "Oslo" in fact.text)
    bergen = next(fact for fact in found.new if "Bergen" in fact.text)
    assert [(new, old) for new, old, _, _ in found.over] == [(oslo.note_id, bergen.note_id)]


def test_there_and_back_again_the_last_holds():
    found = merged("I live in Bergen.", "I live in Oslo.", "I live in Bergen.")
    gone = {old for _, old, _, _ in found.over}
    (held,) = [fact for fact in found.new if fact.note_id not in gone]
    assert held.text == "Bo lives in Bergen" and held.place == 3


def test_liking_more_is_no_contradiction_and_no_longer_liking_is():
    assert not merged("I like jazz.", "I love jazz.").over
    assert len(merged("I like jazz.", "I hate jazz.").over) == 1


def test_two_sisters_are_two():
    assert not merged("My sister Greta is well.", "My sister Hanna is well.").over


def test_where_nobody_knows_which_is_newer_both_stay():
    (fact,) = facts("I live in Bergen.")
    found = merged("I live in Oslo.", known=known(fact, chat="other", said_at=None), sent_at=None)
    assert len(found.new) == 1 and not found.over


def test_what_is_read_later_but_was_said_before_does_not_hold():
    (fact,) = facts("I live in Bergen.")
    old = known(fact, chat="other", said_at=AT + timedelta(days=9))
    found = merged("I live in Oslo.", known=old)
    assert [(new, old_) for new, old_, _, _ in found.over] == [(old[fact.stem][0].note.id, found.new[0].note_id)]


def test_scopes_never_meet():
    (fact,) = facts("I live in Bergen.", scope="direct:Bo")
    found = merged("I live in Bergen.", known=known(fact))
    assert len(found.new) == 1 and not found.again and found.new[0].scope == "public"
    assert found.new[0].note_id != fact.note_id


@pytest.mark.parametrize(
    ("said", "better", "old", "new"),
    [
        ("我买了一辆三轮车，红色的，六百块。", "不是六百块，是五百块。", "六百块", "五百块"),
        ("I'm flying to Oslo on Friday.", "Not Friday, it's Saturday.", "Friday", "Saturday"),
    ],
)
def test_a_correction_holds_instead(said, better, old, new):
    zh = "块" in said
    lines = talk(
        ("安娜" if zh else "Ann", "嗯。" if zh else "Hm."),
        said,
        better,
        speaker="小波" if zh else "Bo",
        other="安娜" if zh else "Ann",
    )
    found = corrected(split(lines, name_forms(lines, {})), lines, name_forms(lines, {}))
    right = next(fact for fact in found.facts if new in fact.text)
    wrong = next(fact for fact in found.facts if old in fact.text)
    assert found.over[0][:2] == (right.note_id, wrong.note_id)
    assert right.sources == (lines[1].id, lines[2].id)


def test_a_correction_of_nothing_is_nothing():
    lines = talk("Not Friday, it's Saturday.")
    assert corrected((), lines, {}) == Corrected(facts=())


# -- the plan -----------------------------------------------------------------------------------------------------------------


def plan() -> Plan:
    notes = [fact_note(fact, AT) for fact in facts("I live in Bergen.", "I love old maps.")]
    from soulmem.consolidate.entries import link
    from soulmem.model.links import Sem

    links = (link(notes[0].id, notes[1].id, Sem("x"), AT), link(notes[0].id, "elsewhere", Sem("x"), AT))
    entries = [
        Entry(number=0, sign=Sign.NEW, kind="identity", text="a", why="b", parts=Parts(notes=(notes[0],), links=links)),
        Entry(number=0, sign=Sign.NEW, kind="preference", text="c", why="d", parts=Parts(notes=(notes[1],))),
    ]
    return Plan(at=AT, entries=numbered(entries), messages=2, state=State(cursors={"c": 2}).as_json())


def test_what_is_accepted_is_written_and_links_to_what_is_not_are_left_out():
    whole = change_of(plan())
    assert whole is not None and len(whole.notes) == 2 and len(whole.links) == 1
    part = change_of(plan(), {1})
    assert part is not None and len(part.notes) == 1 and not part.links
    assert part.meta == whole.meta


def test_a_plan_of_nothing_changes_nothing():
    assert change_of(Plan(at=AT)) is None


def test_the_state_is_kept_as_it_is_and_a_broken_one_is_a_new_one():
    state = State(cursors={"a": 3}, recalls=AT).failing("batch", talk("a"), "why")
    assert state_of(state.as_json()) == state
    for broken in (None, 3, "x", [], {"cursors": 3}):
        assert state_of(broken).cursors == {}


def test_the_third_failure_of_one_batch_skips_it():
    state, lines = State(), talk("a", "b")
    for _ in range(MOST_FAILURES - 1):
        state = state.failing("batch", lines, "why")
        assert state.cursor("c") == -1
    assert state.failing("another", lines, "why").cursor("c") == -1
    done = state.failing("batch", lines, "why")
    assert done.cursor("c") == 1 and done.skipped[0]["messages"] == 2 and not done.failed
