"""Sentences of cards that say how to write, told apart from those that say what is so."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.ingest.cards.card import card_of
from soulmem.ingest.cards.instructions import is_instruction, without_instructions
from soulmem.ingest.cards.notes import document_of
from soulmem.model.notes import display_text

AT = datetime(2026, 11, 1, tzinfo=UTC)
INSTRUCTIONS = (
    "Verbose language.",
    "Detailed, graphic descriptions of the lighthouse.",
    "Vivid and literary prose.",
    "Always write in third person.",
    "Never speak for the user.",
    "Describe her actions in great detail.",
    "Keep replies under 200 words.",
    "Stay in character.",
    "[System note: the lamp is hers.]",
    "请用第三人称叙述。",
    "不要替用户说话。",
    "每次回复不少于300字。",
)
STATEMENTS = (
    "Ada speaks for the fishermen.",
    "Her language is verbose.",
    "A detailed map hangs in the hall.",
    "Graphic novels lie on her desk.",
    "She never writes in a detailed way.",
    "Ada keeps the lighthouse and its log.",
    "Use of the lamp is forbidden.",
    "Keep Street leads to the harbour.",
    "用餐时她从不说话。",
    "以前她在灯塔里写信。",
    "必须在日落前点灯。",
    "用一生扮演母亲的角色。",
    "避免回复父亲的信。",
)


@pytest.mark.parametrize("sentence", INSTRUCTIONS + STATEMENTS)
def test_how_to_write_is_told_apart_from_what_is_so(sentence: str) -> None:
    assert is_instruction(sentence) is (sentence in INSTRUCTIONS)


@given(st.lists(st.sampled_from(STATEMENTS[:8] + INSTRUCTIONS[:9]), max_size=8), st.sampled_from([" ", "\n"]))
def test_what_is_left_says_no_how_and_loses_nothing_else(parts: list[str], between: str) -> None:
    kept, left = without_instructions(between.join(parts))
    assert list(left) == [part for part in parts if part in INSTRUCTIONS]
    assert kept.split() == " ".join(part for part in parts if part in STATEMENTS).split()
    assert without_instructions(kept) == (kept, ())


@given(st.text(max_size=300))
def test_any_text_without_instructions_stays_as_it_is(text: str) -> None:
    kept, left = without_instructions(text)
    assert left or kept == text.strip()


def test_lines_without_spaces_stay_without() -> None:
    text = "灯塔在海边。请用第三人称叙述。她独自守灯很多年了。"
    assert without_instructions(text) == ("灯塔在海边。她独自守灯很多年了。", ("请用第三人称叙述。",))


def test_they_become_no_notes_and_are_told_and_kept() -> None:
    scenario = "The storm of 1811. Verbose language. Never speak for {{user}}. " + "The sea is grey and the gulls are loud. " * 20
    raw = {"name": "Ada", "description": "Ada keeps the light. Write long, detailed replies.", "scenario": scenario}
    document = document_of(card_of(raw), AT, "card-json")
    told = " ".join(display_text(note.body) for note in document.notes)
    assert "storm of 1811" in told and "keeps the light" in told
    assert not any(word in told for word in ("Verbose", "speak for", "detailed replies"))
    (problem,) = (one for one in document.problems if "how to write" in one.what)
    assert "3 sentences" in problem.what and not problem.skipped
    assert document.kept["card"]["card"] == raw
