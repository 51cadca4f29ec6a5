"""Whatever a card or a lorebook says, reading it takes no longer than its length allows, and YAML is read or refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import outcome


@given(st.text(alphabet=st.sampled_from("ab: \n-[]{}&*!'\"|>#?%@,0"), max_size=80))
@settings(deadline=None, max_examples=100)
def test_any_yaml(text: str) -> None:
    outcome(("name: Ada\ncontext: " + text).encode(), "card-yaml")


def test_ten_thousand_levels_of_yaml_are_refused() -> None:
    assert outcome(b"a: {" * 10_000, "card-yaml") is None


@pytest.mark.parametrize(
    "unit",
    [
        "(",
        '"',
        '["',
        "[",
        "a: ",
        'a("b" + ',
        "**",
        "<a",
        ". A",
        "「",
        "{{",
        "{{a",
        "<START>",
        "{{user}}: ",
        "\n",
        "- ",
        "...",
        "<!--",
        "é",
        ";a:b",
    ],
)
def test_no_text_takes_longer_than_its_length_allows(unit: str) -> None:
    """A reader that takes the square of a text's length would take minutes here."""
    text = (unit * 30_000)[:30_000]
    value = {
        "name": "Ada",
        "description": text,
        "scenario": text,
        "mes_example": text,
        "first_mes": text[:1000],
        "personality": "",
    }
    outcome(json.dumps(value).encode(), "card-json")
    outcome(json.dumps({"entries": [{"keys": [text[:100]], "content": text, "enabled": True}]}).encode(), "lorebook")
