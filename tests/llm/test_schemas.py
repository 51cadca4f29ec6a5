"""What answers become: placeholders emptied, sources and ids checked, links legal, times absolute."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.llm.schemas import (
    MOST_LINKS,
    MOST_QUERIES,
    LinksForm,
    QueriesForm,
    SplitForm,
    is_placeholder,
    proposed_links,
    proposed_notes,
    read_span,
    structured_queries,
)
from soulmem.model.links import Sem, TrigToAction, is_legal, type_of
from soulmem.model.notes import ActionType, Category, NoteType, Semantic, SpecificSituation

LAWS = settings(deadline=None, max_examples=60)

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", " ", "unknown", "N/A", "（不详）", "未知。", "None", "…", "not mentioned", "？"])
def test_placeholders(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize("text", ["无锡", "空调", "Nona", "nothing compares", "林晚", "C"])
def test_words_that_are_none(text: str) -> None:
    assert not is_placeholder(text)


def split(**parts: Any) -> SplitForm:
    return SplitForm.model_validate(parts)


LINES = {0: "[0] 林晚: 先泡茶再说话", 3: "[3] 阿哲: 昨晚通宵，修3号线的信号机", 4: "[4] 阿哲: 地铁的信号维修，干了五年"}


def test_notes_are_plain_values() -> None:
    fact = {
        "content": "阿哲",
        "aliases": "哲哥、阿哲",
        "description": "阿哲在地铁做信号维修。",
        "category": "Identity",
        "messages": [4],
        "supersedes": "f1",
    }
    situation = {
        "narrative": "阿哲通宵修信号机。",
        "time_start": "2026-03-07",
        "location": "3号线",
        "participants": ["阿哲", {"name": "未知"}],
        "emotions": [{"name": "疲惫", "intensity": "80%"}],
        "atmosphere": "n/a",
        "events": {"action": "修信号机", "initiator": "阿哲"},
        "messages": [3, 77],
    }
    procedure = {"content": "先泡茶再说话", "action_type": "skill", "messages": [0]}
    proposed = proposed_notes(
        split(facts=[fact], situations=[situation], procedures=procedure), messages=LINES, known={"f1"}, now=NOW
    )
    known, happened, done = proposed.notes
    assert isinstance(known.body, Semantic) and isinstance(happened.body, SpecificSituation)
    assert (known.body.aliases, known.body.category, known.supersedes) == (("哲哥",), Category.IDENTITY, "f1")
    assert happened.messages == (3,) and happened.body.time_end == datetime(2026, 3, 8, tzinfo=UTC)
    context = happened.body.context
    assert [one.name for one in context.participants] == ["阿哲"] and context.emotions[0].intensity == 0.8
    assert context.environment is None and context.event[0].initiator == "阿哲"
    assert done.body.action_type is ActionType.SKILL  # type: ignore[union-attr]
    assert not proposed.dropped


def test_what_has_no_source_or_comes_twice_is_dropped_and_only_known_facts_are_superseded() -> None:
    fact = {"content": "a", "messages": [1], "supersedes": "f9"}
    proposed = proposed_notes(
        split(facts=[fact, fact, {"content": "b", "messages": [2]}, {"content": "c"}]),
        messages={1: "[1] a: a and b"},
        known={"f1"},
        now=NOW,
    )
    assert [(note.body.content, note.supersedes) for note in proposed.notes] == [("a", None)]  # type: ignore[union-attr]
    assert len(proposed.dropped) == 4 and "f9" in proposed.dropped[0]


@pytest.mark.parametrize(
    ("start", "end", "span"),
    [
        ("2026-03-07", "", ("2026-03-07", "2026-03-08")),
        ("2026-03-07", "2026-03-09", ("2026-03-07", "2026-03-10")),
        ("2026年3月7日", "", ("2026-03-07", "2026-03-08")),
        ("2025-12", "", ("2025-12-01", "2026-01-01")),
        ("2025", "", ("2025-01-01", "2026-01-01")),
        ("2026-03-07T18:30", "", ("2026-03-07T18:30", None)),
        ("2026-03-07T18:30Z", "2026-03-07 20:00", ("2026-03-07T18:30", "2026-03-07T20:00")),
        ("2026-03-07T18:30+08:00", "", ("2026-03-07T10:30", None)),
        ("2026-03-07", "2026-03-01", ("2026-03-07", "2026-03-08")),
        ("", "2026-03-07", (None, "2026-03-08")),
        ("yesterday", "soon", (None, None)),
        ("0001-01-01", "9999-12-31", (None, None)),
        ("2026-02-31", "", (None, None)),
        ("2026-13", "", (None, None)),
    ],
)
def test_times_of_a_model(start: str, end: str, span: tuple[str | None, str | None]) -> None:
    expected = tuple(None if text is None else datetime.fromisoformat(text).replace(tzinfo=UTC) for text in span)
    assert read_span(start, end, NOW) == expected


@LAWS
@given(st.text(), st.text())
def test_any_texts_give_a_span_or_none(start: str, end: str) -> None:
    first, last = read_span(start, end, NOW)
    assert first is None or last is None or first < last
    assert all(moment is None or abs(moment - NOW) < timedelta(days=40_000) for moment in (first, last))


TYPES = {
    "n1": NoteType.SEMANTIC,
    "n2": NoteType.SPECIFIC,
    "n3": NoteType.PROCEDURE,
    "o1": NoteType.ABSTRACT,
    "o2": NoteType.PROCEDURE,
}
ENDS = st.sampled_from([*TYPES, "n9", "[n1]", "x"])
LINKS = st.lists(
    st.fixed_dictionaries(
        {
            "source": ENDS,
            "target": ENDS,
            "type": st.sampled_from(["Sem", "proc", "Situation", "", "Friend"]),
            "prob": st.floats() | st.text(),
        }
    ),
    max_size=60,
)


@LAWS
@given(LINKS)
def test_links_are_legal_distinct_and_not_too_many(links: list[dict[str, Any]]) -> None:
    proposed = proposed_links(LinksForm.model_validate({"links": links}), TYPES, most=5)
    pairs = [(link.source, link.target) for link in proposed.links]
    assert len(set(pairs)) == len(pairs) <= 5
    for link in proposed.links:
        assert link.source != link.target
        assert is_legal(type_of(link.payload), TYPES[link.source], TYPES[link.target])
        if isinstance(link.payload, TrigToAction):
            assert 0 <= link.payload.prob <= 1
    assert len(proposed.links) + len(proposed.dropped) == len(links)


def test_a_link_of_the_wrong_type_is_mended_where_only_one_is_right() -> None:
    links = [
        {"source": "n2", "target": "n3", "type": "Sem", "prob": 60},
        {"source": "n1", "target": "[n2]", "type": "knows", "verb": "saw"},
    ]
    found = proposed_links(LinksForm.model_validate({"links": links}), TYPES).links
    assert [link.payload for link in found] == [TrigToAction(0.6), Sem("saw", 0.5)]
    assert MOST_LINKS == 32


def test_queries_are_structured_and_the_most_important_first() -> None:
    concepts = [{"name": f"c{number}", "priority": number / 10} for number in range(1, 10)]
    situations = [
        {"narrative": "他们去看船了吗？"},
        {"narrative": "他们去看船", "location": "码头", "priority": 1},
        {"tone": "unknown"},
    ]
    found = structured_queries(QueriesForm.model_validate({"concepts": concepts, "situations": situations}), NOW)
    assert len(found) == MOST_QUERIES
    assert found[0].of == "Situation" and found[0].units[0].locations[0].name == "码头"  # type: ignore[union-attr]
    assert [query.priority for query in found] == sorted((query.priority for query in found), reverse=True)


def test_what_shares_no_word_with_its_lines_is_invented() -> None:
    facts = [
        {"content": "Amina", "description": "Amina is a skilled warrior.", "messages": [1]},
        {"content": "Tomas", "messages": [1]},
    ]
    situations = [{"narrative": "他们都看到你那个茶", "messages": [2]}, {"narrative": "阿哲修信号机", "messages": [2]}]
    lines = {1: "[1] Tomas: I do nights too", 2: "[2] 阿哲: 修3号线的信号机"}
    proposed = proposed_notes(split(facts=facts, situations=situations), messages=lines, known=set(), now=NOW)
    assert len(proposed.notes) == 2 and all("its lines say nothing of it" in told for told in proposed.dropped)


@pytest.mark.parametrize(
    "fact",
    [
        {"content": "2026-03-08 12:13", "messages": [1]},
        {
            "content": "The facts of the conversation are: 1. Tomas lives in Leeds. 2. Wren is the host of a night show.",
            "messages": [1],
        },
    ],
)
def test_a_time_or_a_sentence_is_no_name(fact: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="a name is needed"):
        split(facts=[fact])


def test_ids_and_sentences_are_no_verbs() -> None:
    links = [
        {"source": "n1", "target": "n2", "verb": verb} for verb in ("n1", "It is! I honestly didn't expect an answer from you.")
    ]
    for link in links:
        found = proposed_links(LinksForm.model_validate({"links": [link]}), TYPES).links
        assert found[0].payload == Sem("relates to", 0.5)
