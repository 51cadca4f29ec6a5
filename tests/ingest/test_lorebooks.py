"""Lorebooks of every dialect: entries, names, patterns, and what is left out."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from card_files import DIALECTS, TEXT, book, card
from hypothesis import given
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.ingest import Document, detect, read
from soulmem.ingest.cards.macros import CHARACTER
from soulmem.ingest.lorebooks import entry as entry_module
from soulmem.ingest.lorebooks.chunks import PART, parts
from soulmem.ingest.lorebooks.keys import Budget, Pattern, checked, literal_names
from soulmem.ingest.lorebooks.mentions import Names
from soulmem.model.links import Sem
from soulmem.model.notes import SELF_KEY, Category, Note, Semantic

AT = datetime(2026, 1, 1, tzinfo=UTC)


def document(value: Any, format: str | None = None) -> Document:
    return read(json.dumps(value).encode(), AT, format)


def semantics(found: Document) -> dict[str, Semantic]:
    """The notes of entries by what they are called."""
    return {
        note.body.content: note.body for note in found.notes if isinstance(note.body, Semantic) and note.key.startswith("lore_")
    }


def note_named(found: Document, name: str) -> Note:
    return next(note for note in found.notes if isinstance(note.body, Semantic) and note.body.content == name)


def mentions(found: Document) -> set[tuple[str, str]]:
    names = {note.key: note.body.content for note in found.notes if isinstance(note.body, Semantic)}
    return {
        (names[link.source_key], names[link.target_key])
        for link in found.links
        if isinstance(link.payload, Sem) and link.payload.verb in ("mentions", "提到")
    }


def problems(found: Document) -> str:
    return "\n".join(problem.what for problem in found.problems)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_says_the_same(dialect: str) -> None:
    data = json.dumps(DIALECTS[dialect]).encode()
    assert detect(data).name == "lorebook"
    found = read(data, AT)
    (body,) = semantics(found).values()
    assert (body.content, set(body.aliases), body.description) == ("Gull Rock", {"the rock"}, TEXT)
    assert body.category is Category.KNOWLEDGE
    note = note_named(found, "Gull Rock")
    assert note.core
    assert note.tags == ("sea",)
    assert all("switched off" in problem.what and not problem.skipped for problem in found.problems)
    assert found.read == len(found.notes) + len(found.links)
    (kept,) = found.kept.values()
    assert kept["book"] == DIALECTS[dialect]
    assert [link.source_key for link in found.links if link.target_key.startswith("lorebook_")] == [SELF_KEY]


def test_a_book_in_a_card_and_alone_is_one() -> None:
    alone = document(DIALECTS["version 2"])
    inside = document(card(character_book=DIALECTS["version 2"]))
    assert {note.key: note.id for note in alone.notes}.items() <= {note.key: note.id for note in inside.notes}.items()


def test_entries_that_are_off_or_empty_are_told_by_name() -> None:
    entries = [{"keys": ["d"], "content": "On.", "enabled": "true"}, "nonsense", {"keys": ["c"], "content": " "}]
    found = document({"entries": entries})
    assert list(semantics(found)) == ["d"]
    assert "entry 2: is no entry" in problems(found)
    assert "entry 3 (c): has no content" in problems(found)
    found = document(
        book(
            {"keys": ["a"], "content": "Off.", "enabled": False, "name": "Old tower"},
            {"keys": ["b"], "content": "@@dont_activate\nOff too."},
            {"keys": ["c"], "content": "On."},
        )
    )
    assert list(semantics(found)) == ["c"]
    assert "entry 1 (Old tower): is switched off; not stored" in problems(found)
    assert "Off" not in "".join(str(note.body) for note in found.notes)


def test_a_book_of_nothing_is_refused() -> None:
    for value in ({"spec": "lorebook_v3", "data": {}}, [], {"entries": 3}):
        with pytest.raises(FormatError):
            document(value, "lorebook")


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        ({"name": "The Rock", "keys": ["rock"]}, "The Rock"),
        ({"comment": "rock", "keys": ["rock"]}, "rock"),
        ({"comment": "DO NOT TOUCH (by me)", "keys": ["rock"]}, "rock"),
        ({"keys": ["gulls"], "content": "The Gulls cry."}, "Gulls"),
        ({"comment": "Weather", "keys": []}, "Weather"),
        ({"keys": [], "content": "It rains.\nAlways."}, "It rains."),
        ({"keys": ["/a+/"], "comment": "", "content": "Patterns only."}, "Patterns only."),
    ],
)
def test_what_an_entry_is_called(entry: dict[str, Any], title: str) -> None:
    assert next(iter(semantics(document(book({"content": "Something here.", **entry}))))) == title


def test_entries_lead_to_those_they_mention() -> None:
    found = document(
        book(
            {"keys": ["lamp"], "content": "The lamp was made by the Keeper."},
            {"keys": ["Keeper"], "content": "She lives below the lamp, not in a lamplight."},
            {"keys": ["light"], "content": "Nothing else."},
            {"keys": ["/kee\\w+r/i"], "name": "Order", "content": "An order."},
        )
    )
    assert mentions(found) == {("lamp", "Keeper"), ("lamp", "Order"), ("Keeper", "lamp")}
    assert next(iter(found.kept.values()))["patterns"] == {note_named(found, "Order").key: ["/kee\\w+r/i"]}


def test_chinese_names_are_found_within_sentences() -> None:
    found = document(
        book({"keys": ["灯塔"], "content": "灯塔由守灯人看管。"}, {"keys": ["守灯人"], "content": "她住在海边，喜欢喝茶。"})
    )
    assert mentions(found) == {("灯塔", "守灯人")}


def test_a_long_entry_is_cut_and_every_word_of_it_kept() -> None:
    paragraphs = [
        f"Paragraph {number} tells of the sea. " + "The waves are high and the wind is cold. " * 8 for number in range(100)
    ]
    text = "\n\n".join(paragraphs)
    assert len(text) > 30_000
    found = document(book({"keys": ["sea"], "content": text, "constant": True}))
    notes = [note for note in found.notes if note.key.startswith("lore_")]
    assert all(len(note.body.description) <= PART for note in notes if isinstance(note.body, Semantic))
    assert sum(note.core for note in notes) == 1
    assert "parts 1 are core notes" in problems(found)
    for number in range(100):
        assert sum(f"Paragraph {number} " in str(note.body) for note in notes) == 1
    first = notes[0].key
    assert {link.target_key for link in found.links if link.source_key == first} >= {note.key for note in notes[1:]}


@given(st.text(alphabet=st.sampled_from("ab. \n。，"), max_size=600), st.integers(20, 100))
def test_parts_hold_all_words_in_order(text: str, most: int) -> None:
    found = parts(text, most)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_a_dialogue_is_what_is_told_in_it() -> None:
    content = '{{user}}: "What is Eldoria?"\n{{char}}: *Turning.* "Eldoria is here." *She points.* "It is a wood."'
    found = document(book({"keys": ["Eldoria"], "content": content}))
    assert semantics(found)["Eldoria"].description == "“What is Eldoria?” — Eldoria is here. It is a wood."


def test_the_character_is_named_when_the_mind_is_known() -> None:
    found = document(book({"keys": ["rock"], "content": "{{char}} and {{user}} live on it."}))
    assert found.nameless
    assert semantics(found)["rock"].description == f"{CHARACTER} and the user live on it."


def test_not_everything_can_always_be_in_mind() -> None:
    found = document(
        book(*({"keys": [f"name {number}"], "content": f"Text {number}.", "constant": True} for number in range(25)))
    )
    assert sum(note.core for note in found.notes) == 20
    assert "entry 21 (name 20): is always there" in problems(found)


def test_one_entry_twice_is_one() -> None:
    found = document(book({"keys": ["a", "b"], "content": "Same."}, {"keys": ["a"], "content": "Same."}))
    assert len(semantics(found)) == 1
    assert "stands there twice" in problems(found)


# Patterns.


@pytest.mark.parametrize(
    ("key", "text", "is_in"),
    [
        ("/gull(s)?/i", "GULLS", True),
        ("/^gull$/m", "a\ngull\nb", True),
        ("/(?<bird>gull) \\k<bird>/", "gull gull", True),
        ("/\\u{1F600}/u", "😀", True),
        ("/a\\/b/", "a/b", True),
        ("/[\\p{L}]+ rock/u", "é rock", True),
        ("/gull/", "GULL", False),
    ],
)
def test_patterns_of_javascript(key: str, text: str, is_in: bool) -> None:
    pattern = checked(key, Budget())
    assert isinstance(pattern, Pattern)
    assert pattern.is_in(text, Budget()) is is_in


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("/(/", "no valid pattern"),
        ("/a/q", "flag"),
        ("/(a+)+$/", "too long"),
        ("/(a|aa)+$/", "too long"),
        ("/((a{1000}){1000}){1000}/", "repeats too often"),
        ("/a{999999999999999999999}/", "repeats too often"),
        ("/(?R)/", "JavaScript"),
        ("/(cat){e<=3}/", "JavaScript"),
        ("/" + "a" * 2000 + "/", "characters"),
        ("/" + "(" * 400 + ")" * 400 + "/", "no valid pattern"),
    ],
)
def test_patterns_that_cannot_be_used(key: str, why: str) -> None:
    assert why in str(checked(key, Budget()))
    found = document(book({"keys": ["rock", key], "content": TEXT}))
    assert "rock" in semantics(found)
    assert f"(rock): the pattern {key[:60]} is not used" in problems(found)
    assert not next(iter(found.kept.values()))["patterns"]


def test_all_patterns_of_a_book_share_their_time() -> None:
    budget = Budget(0.01)
    pattern = checked("/a/", Budget())
    assert isinstance(pattern, Pattern)
    assert pattern.is_in("a", budget)
    budget.take(1.0)
    assert pattern.is_in("a", budget) is None
    assert "take too long together" in str(checked("/b/", budget))


@given(st.text(max_size=60), st.sampled_from(("", "i", "gim")))
def test_any_pattern_is_used_or_told(source: str, flags: str) -> None:
    found = checked(f"/{source}/{flags}", Budget(0.5))
    assert isinstance(found, str | Pattern)


def test_patterns_that_are_a_choice_of_words_are_names() -> None:
    assert literal_names("/\\b(wood|dark forest)s?\\b/i") == ("wood", "dark forest")
    assert literal_names("/rock/") == ("rock",)
    assert literal_names("/r.ck/") == ()
    found = document(book({"keys": ["/(wood|forest)/i"], "content": "Trees."}))
    assert semantics(found)["wood"].aliases == ("forest",)


def test_use_regex_with_plain_words_means_words() -> None:
    found = document(book({"keys": ["wood", "for.st"], "content": "Trees.", "use_regex": True}))
    assert semantics(found)["wood"].aliases == ()
    assert list(next(iter(found.kept.values()))["patterns"].values()) == [["for.st"]]


# Odd values.


def test_odd_keys() -> None:
    found = document(book({"keys": ["a" * 300, "", None, {"x": 1}, 7, "tide"], "content": TEXT}))
    (body,) = semantics(found).values()
    assert {body.content, *body.aliases} == {"7", "tide"}
    assert "a key of 300 characters was left out" in problems(found)
    assert "a key that is no text was left out" in problems(found)
    assert semantics(document(book({"keys": "sea, tide，flood", "content": TEXT})))["sea"].aliases == ("tide", "flood")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(("keys", "key", "content", "entries", "name", "comment", "constant", "enabled", "data", "type")),
                inner,
                max_size=5,
            )
        ),
        max_leaves=15,
    )
)
def test_any_book_is_read_or_refused(value: Any) -> None:
    for one in (
        value,
        {"entries": value},
        {"entries": [value]},
        {"entries": {"0": {"keys": value, "content": "x", "enabled": True}}},
    ):
        try:
            found = document(one, "lorebook")
        except FormatError:
            continue
        assert len({note.key for note in found.notes}) == len(found.notes)


@given(st.lists(st.text(alphabet="ab 灯塔.", min_size=2, max_size=6), max_size=4), st.text(alphabet="ab 灯塔.\n", max_size=40))
def test_names_found_stand_in_the_text(names: list[str], text: str) -> None:
    plain = [" ".join(name.split()) for name in names]
    found = Names({name: [number] for number, name in enumerate(plain)}).owners_in(text)
    assert all(
        plain[number].casefold() in " ".join(text.split(" ")).replace("\n", " ") or plain[number] in " ".join(text.split())
        for number in found
    )


def test_more_entries_than_the_limit_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_module, "MOST_ENTRIES", 3)
    found = document(book(*({"keys": [f"name {number}"], "content": f"Text {number}."} for number in range(5))))
    assert len(semantics(found)) == 3
    assert "the last 2 were left out" in problems(found)


def test_a_name_that_every_new_entry_has_is_no_name() -> None:
    entries = [{"keys": [key], "name": "New entry", "content": f"It is a {key}."} for key in ("Tern", "Gull")]
    assert set(semantics(document(book(*entries)))) == {"Tern", "Gull"}


def test_a_part_that_stands_twice_in_an_entry_is_one_note() -> None:
    part = "Birds nest on the rock. " * (PART // 24)
    found = document(book({"keys": ["Rock"], "content": f"{part}\n\n{part}\n\n{part}"}))
    texts = [body.description for body in semantics(found).values()]
    assert len(texts) == len(set(texts))
