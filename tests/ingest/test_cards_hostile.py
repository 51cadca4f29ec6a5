"""Whatever a card or a lorebook says, reading it takes no longer than its length allows, and YAML is read or refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import outcome

from soulmem.ingest.formats import read

AT = datetime(2026, 11, 1, tzinfo=UTC)


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


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_json_has_no_word_for_are_told_and_not_kept(number: str) -> None:
    card = (
        '{"spec": "chara_card_v2", "data": {"name": "Ada", "description": "Ada is old.", "extensions": {"a": [1, %s], "b": 0.5}}}'
    )
    book = '{"entries": {"0": {"key": ["lamp"], "content": "It was lit in 1811.", "order": %s}}}'
    for text, path in ((card, "extensions.a[1]"), (book, "entries.0.order")):
        document = read(text.replace("%s", number).encode(), AT)
        assert document == read(text.replace("%s", number).encode(), AT), "read again it is the same"
        assert any(f"{path}: " in one.what and "no number in JSON" in one.what for one in document.problems)
        assert json.loads(json.dumps(document.kept, allow_nan=False)) == document.kept
    assert read(card.replace("%s", number).encode(), AT).kept["card"]["card"]["data"]["extensions"] == {"a": [1, None], "b": 0.5}
