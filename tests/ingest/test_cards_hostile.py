"""Whatever a file of a card or lorebook holds, its reader gives a document or says why not, and never fails in any other way."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from card_files import CARD, encoded, international_chunk, packed_chunk, png, text_chunk, webp, zipped
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.ingest import Document, read

AT = datetime(2026, 1, 1, tzinfo=UTC)
FORMATS = ("card-json", "card-png", "card-webp", "card-zip", "card-yaml", "lorebook")
BOOK = {**CARD["data"]["character_book"], "description": "x"}
YAML = "name: Ada\ncontext: |\n  Ada keeps a light.\n  You: Hi\n  Ada: Ho\ngreeting: 'Hello.'\n"
GOOD = {
    "card-json": json.dumps(CARD).encode(),
    "card-png": png(
        before=[packed_chunk(b"ccv3", encoded(CARD))],
        after=[text_chunk(b"chara", encoded(CARD)), international_chunk(b"chara", encoded(CARD), packed=True)],
    ),
    "card-webp": webp(b"ASCII\0\0\0" + json.dumps(CARD).encode()),
    "card-zip": zipped({"card.json": json.dumps(CARD).encode(), "assets/main.png": b"x"}),
    "card-yaml": YAML.encode(),
    "lorebook": json.dumps(BOOK).encode(),
}


def outcome(data: bytes, name: str | None) -> Document | None:
    try:
        document = read(data, AT, name)
    except FormatError:
        return None
    check(document)
    return document


def check(document: Document) -> None:
    """What every document of a card keeps to."""
    keys = [note.key for note in document.notes]
    assert len(set(keys)) == len({note.id for note in document.notes}) == len(keys)
    assert document.read == len(keys) + len(document.links) + len(document.messages) + sum(p.skipped for p in document.problems)
    assert [line.index for line in document.messages] == list(range(len(document.messages)))
    assert all(line.hidden and line.text and line.speaker for line in document.messages)
    assert all(problem.what and "\n" not in problem.what for problem in document.problems)
    for text in (*map(repr, document.notes), *(line.text + line.speaker for line in document.messages)):
        assert "\0" not in text
        text.encode("utf-8")
    json.dumps(dict(document.kept), ensure_ascii=False).encode("utf-8")


@given(st.binary(max_size=200), st.sampled_from(FORMATS))
@settings(deadline=None, max_examples=100)
def test_any_bytes(data: bytes, name: str) -> None:
    outcome(data, name)


@given(st.text(st.characters(codec=None), max_size=200), st.sampled_from(FORMATS))
@settings(deadline=None, max_examples=100)
def test_any_text(text: str, name: str) -> None:
    outcome(text.encode("utf-8", "surrogatepass"), name)


@given(st.sampled_from(FORMATS), st.data())
@settings(deadline=None, max_examples=120)
def test_good_files_with_damaged_bytes(name: str, data: st.DataObject) -> None:
    damaged = bytearray(GOOD[name])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged) - 1))
        damaged[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    outcome(bytes(damaged), name)
    outcome(bytes(damaged), None)


@pytest.mark.parametrize("name", FORMATS)
def test_good_files_cut_anywhere(name: str) -> None:
    whole = GOOD[name]
    assert outcome(whole, None) is not None
    for end in range(0, len(whole), max(1, len(whole) // 40)):
        outcome(whole[:end], name)
        outcome(whole[end:], name)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=12)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4), max_leaves=10
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key or index) within ``value``."""
    found: list[tuple[Any, Any]] = []
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        found.append((value, key))
        if isinstance(value[key], dict | list):
            found += places(value[key])
    return found


@given(st.sampled_from([("card-json", CARD), ("lorebook", BOOK)]), VALUES, st.data())
@settings(deadline=None, max_examples=120)
def test_one_value_replaced_by_another(good: tuple[str, Any], value: Any, data: st.DataObject) -> None:
    document = json.loads(json.dumps(good[1]))
    container, key = data.draw(st.sampled_from(places(document)))
    container[key] = value
    outcome(json.dumps(document).encode(), good[0])


@given(st.text(alphabet=st.sampled_from("ab: \n-[]{}&*!'\"|>#?%@,0"), max_size=80))
@settings(deadline=None, max_examples=100)
def test_any_yaml(text: str) -> None:
    outcome(("name: Ada\ncontext: " + text).encode(), "card-yaml")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("opening", ["[", '{"data":', '{"entries":[', "a: {"])
def test_ten_thousand_levels_are_refused(name: str, opening: str) -> None:
    assert outcome((opening * 10_000).encode(), name) is None


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
