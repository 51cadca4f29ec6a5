"""Several talks that are consolidated together: what one tells is held against what the others do, whichever was read first."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from talk import AT

from soulmem.model.notes import Semantic
from soulmem.soul import Soul

TALKS = {
    "another home": ("I live in Bremen.", "I moved to Kiel.", "It rains again."),
    "a job that ends": ("I work as a cartographer at the harbour office.", "I quit my job.", "It rains again."),
    "said again": ("My sister is Clara. I live in Bremen.", "My sister is Clara.", "I live in Bremen."),
    "另一个家": ("我住在重庆。", "我搬到成都了。", "又下雨了。"),
}


def _chat(text: str, month: int) -> bytes:
    header = {"user_name": "Jasper", "character_name": "Ann", "create_date": f"2026-{month:02d}-02T10:00:00Z"}
    said = {"name": "Jasper", "is_user": True, "send_date": f"2026-{month:02d}-02T10:00:00Z", "mes": text, "extra": {}}
    answer = {"name": "Ann", "is_user": False, "send_date": f"2026-{month:02d}-02T10:01:00Z", "mes": "Nice.", "extra": {}}
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in (header, said, answer)).encode()


def _facts(soul: Soul) -> set[tuple[str, bool, int]]:
    """What every fact says, whether it holds still, and in how many lines it was said."""
    rows = soul.store.query("store.all_semantic")
    notes = soul.store.notes([row["id"] for row in rows if row["key"].startswith("fact_")])
    bodies = [(note.body, len(note.sources)) for note in notes]
    return {(body.content, body.valid_until is None, number) for body, number in bodies if isinstance(body, Semantic)}


@pytest.mark.parametrize("texts", TALKS.values(), ids=TALKS.keys())
def test_talks_consolidated_together_are_as_if_one_after_the_other(mind: Callable[[], Soul], texts: tuple[str, ...]) -> None:
    single = mind()
    for month, text in enumerate(texts, start=3):
        single.ingest_bytes(_chat(text, month), name=f"{month}.jsonl")
        single.consolidate(at=AT, from_start=True)
    expected = _facts(single)
    assert expected
    soul = mind()
    for place in (2, 0, 1):
        soul.ingest_bytes(_chat(texts[place], place + 3), name=f"{place + 3}.jsonl")
    report = soul.consolidate(at=AT, from_start=True)
    assert _facts(soul) == expected
    told = [entry.text for entry in report.entries if entry.kind == "concept"]
    assert len(told) == len(set(told)), "a concept stands once in the plan"
    assert soul.check() == ()


def test_talks_heard_by_different_people_never_meet(mind: Callable[[], Soul]) -> None:
    soul = mind()
    soul.ingest_bytes(_chat("I live in Bremen.", 3), name="open.jsonl")
    soul.ingest_bytes(_chat("I moved to Kiel.", 7), name="private.jsonl", scope="direct:jasper")
    report = soul.consolidate(at=AT, from_start=True)
    assert not [entry for entry in report.entries if entry.kind == "superseded"]
    assert {(content, holds) for content, holds, _ in _facts(soul)} == {
        ("Jasper lives in Bremen", True),
        ("Jasper moved to Kiel and lives there", True),
    }


def test_live_talks_that_were_not_consolidated_yet_meet_too(mind: Callable[[], Soul]) -> None:
    soul = mind()
    for chat, text, month in (("two", "I moved to Kiel.", 5), ("one", "I live in Bremen.", 3)):
        at = AT.replace(month=month)
        soul.observe(text, speaker="Jasper", chat=chat, at=at)
        soul.observe("Oh.", speaker="Ann", role="character", chat=chat, at=at)
    soul.consolidate(at=AT.replace(month=6))
    assert {(content, holds) for content, holds, _ in _facts(soul)} == {
        ("Jasper lives in Bremen", False),
        ("Jasper moved to Kiel and lives there", True),
    }
