"""The biography: every note in it once, with where it comes from, and nothing that Markdown would take for its own."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.export.biography import Life, biography
from soulmem.model.links import Link, SituationLink, TrigToAction
from soulmem.model.messages import Message, Role
from soulmem.model.notes import (
    AbstractSituation,
    ActionType,
    Body,
    Category,
    Event,
    Note,
    Procedure,
    Semantic,
    SpecificSituation,
)

AT = datetime(2026, 11, 1, tzinfo=UTC)


def note(key: str, body: Body, *sources: str) -> Note:
    return Note(id=f"id-{key}", key=key, body=body, created_at=AT, decayed_at=AT, sources=sources)


def link(source: str, target: str, payload: SituationLink | TrigToAction) -> Link:
    return Link(id=f"{source}-{target}", source=f"id-{source}", target=f"id-{target}", payload=payload, created_at=AT)


def said(id: str, line: int) -> Message:
    return Message(id=id, chat="c", index=line, file="chats/a.jsonl", line=line, speaker="Bo", role=Role.USER, text="x")


def life(*notes: Note, links: tuple[Link, ...] = (), sources: tuple[Message, ...] = ()) -> Life:
    return Life(name="m", notes=notes, links=links, sources={one.id: one for one in sources}, lines=len(sources), at=AT)


def section(text: str, title: str) -> str:
    """What stands below a title, up to the next of any level."""
    return re.split(r"^#+ .*$", text.split(f" {title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def test_all_that_is_remembered_stands_where_it_belongs() -> None:
    text = biography(
        life(
            note("sem_self", Semantic("Wren", aliases=("Wrenny",), description="I keep the engines.")),
            note("sem_home", Semantic("Bo lives in Leeds", category=Category.IDENTITY), "m1", "m2"),
            note(
                "sem_old", Semantic("Bo lives in York", category=Category.IDENTITY, valid_until=datetime(2026, 5, 1, tzinfo=UTC))
            ),
            note("sem_cat", Semantic("the cat", description="Grey.")),
            note("sit_fog", SpecificSituation("The radar died.", time_start=datetime(2024, 10, 3, tzinfo=UTC))),
            note("abs_fog", AbstractSituation(Event("comes down", 1.0, "fog", "the sea"))),
            note("proc_count", Procedure("Count rivets.", ActionType.THINK)),
            links=(link("sit_fog", "abs_fog", SituationLink()), link("abs_fog", "proc_count", TrigToAction(0.9))),
            sources=(said("m1", 7), said("m2", 9)),
        )
    )
    assert text.startswith("# Wren\n\n*also Wrenny*\n\n> I keep the engines.\n")
    assert "**Bo lives in Leeds** `sem_home · a.jsonl:7 +1`" in section(text, "Who and what")
    assert "York" not in section(text, "Who and what")
    assert "**Bo lives in York**; until 2026-05-01 `sem_old`" in section(text, "No longer so")
    assert "**the cat** — Grey. `sem_cat`" in section(text, "People, places and things")
    assert "- 2024-10-03: The radar died. `sit_fog`" in section(text, "2024-10")
    assert "- Count rivets. `proc_count`\n  - when fog · comes down · the sea (90%)" in section(text, "What I think")
    assert "(remembered: 1) `abs_fog`" in section(text, "What keeps coming back")


def test_what_a_file_states_stands_with_its_place() -> None:
    """An example of a card has the field it stands in, and no line that the file does not have."""
    shown = replace(note("proc_a", Procedure("Wave.", ActionType.SKILL), "m1"), origins=("chats/a.jsonl: first_mes",))
    stated = replace(note("sem_b", Semantic("the cat")), origins=("x/graph.json:12", "x/more.json:3"))
    text = biography(life(shown, stated, sources=(said("m1", 1),)))
    assert "`proc_a · a.jsonl: first_mes`" in text and "`sem_b · graph.json:12 +1`" in text


def test_a_chinese_mind_is_told_in_chinese() -> None:
    text = biography(
        life(note("sem_self", Semantic("罗小红")), note("sem_a", Semantic("阿哲爱吃辣", category=Category.PREFERENCE)))
    )
    assert text.startswith("# 罗小红\n") and "## 我知道的事" in text and "### 喜好" in text


def test_an_empty_mind_has_a_name() -> None:
    assert biography(life()).startswith("# m\n\n*Written 2026-11-01 from 0 notes and 0 lines.")


@pytest.mark.parametrize(
    "hostile", ["# not a title", "<script>alert(1)</script>", "[a](javascript:x)", "*a* _b_ `c` |d|", "1. e", "- f\n# g"]
)
def test_what_is_said_is_no_markdown(hostile: str) -> None:
    text = biography(life(note("sem_a", Semantic(hostile)), note("sit_b", SpecificSituation(hostile))))
    assert not re.search(r"(?<!\\)<|(?<!\\)\[|^#+ (not|g)|^\d\. |(?<![\\*-])(?<!\*)\*[ab]", text, re.MULTILINE)


@given(st.lists(st.text(max_size=20), max_size=8))
def test_every_note_is_there_once(texts: list[str]) -> None:
    notes = [note(f"key_{n}_end", Semantic(text) if n % 2 else SpecificSituation(text)) for n, text in enumerate(texts)]
    found = biography(life(*notes))
    assert all(found.count(f"`key_{n}_end`") == 1 for n in range(len(texts)))
    assert found == biography(life(*notes[::-1]))
