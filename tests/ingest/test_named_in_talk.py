"""Which of what was drawn from talk is an entry that is read afterwards."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from soulmem.ingest.contract import Document
from soulmem.ingest.named_in_talk import same_as_entries, with_joined
from soulmem.model.notes import Category, ConceptType, Note, Semantic

AT = datetime(2026, 11, 1, tzinfo=UTC)


def drawn(name: str, *aliases: str, tag: str = "name") -> Note:
    key = f"sem_{name.casefold().replace(' ', '_')}"
    return Note(id=key, key=key, body=Semantic(name, aliases), tags=(tag,), sources=("line",), created_at=AT, decayed_at=AT)


def entry(name: str, *aliases: str) -> Note:
    key = f"lore_{name.casefold().replace(' ', '_')}"
    body = Semantic(name, aliases, ConceptType.ENTITY, f"{name} is old.", Category.KNOWLEDGE)
    return Note(id=key, key=key, body=body, created_at=AT, decayed_at=AT)


def joined(entries: list[Note], notes: list[Note]) -> dict[str, str]:
    return {note.key: key for note, key in same_as_entries(entries, notes)}


PIER = entry("North Pier", "Pier")


@pytest.mark.parametrize(
    ("note", "is_one"),
    [
        (drawn("North Pier"), True),
        (drawn("north pier", tag="topic"), True),
        (drawn("Pier", tag="speaker"), True),
        (drawn("The Landing", "pier"), True),
        (drawn("South Pier"), False),
        (replace(drawn("Pier"), scope="direct:kim"), False),
        (replace(drawn("Pier"), kept_from=("kim",)), False),
        (replace(drawn("Pier"), body=Semantic("Pier", description="Where the boats lie.")), False),
        (replace(drawn("Pier"), sources=()), False),
        (replace(drawn("Pier"), key="pier"), False),
    ],
)
def test_an_entry_is_what_talk_has_only_a_name_of(note: Note, is_one: bool) -> None:
    assert joined([PIER], [note]) == ({note.key: PIER.key} if is_one else {})


def test_several_are_one_and_each_is_one_with_one_only() -> None:
    rock = entry("Rock", "Stone", "The Pair")
    lamp = entry("Lamp", "The Pair")
    notes = [
        drawn("Rock"),
        drawn("Stone"),
        drawn("Lamp"),
        drawn("The Pair"),
        drawn("Isle", "Rock", "Lamp"),
        drawn("Lamp", "Rock"),
    ]
    assert joined([rock, lamp], notes) == {"sem_rock": rock.key, "sem_stone": rock.key, "sem_lamp": lamp.key}


def test_what_another_note_tells_of_stays_apart() -> None:
    other = replace(entry("Old Pier", "Pier"), id="other", key="lore_other")
    assert joined([PIER], [other, drawn("Pier"), drawn("North Pier")]) == {"sem_north_pier": PIER.key}
    told = replace(drawn("Pier"), id="told", body=Semantic("Pier", description="Where the boats lie."))
    assert joined([PIER], [told, drawn("pier")]) == {}


def test_it_is_told() -> None:
    document = Document(format="lorebook", read=1)
    assert with_joined(document, ()) is document
    (problem,) = with_joined(document, [(drawn(f"Pier {number}"), "lore_pier") for number in range(7)]).problems
    assert not problem.skipped
    assert problem.what.startswith("Pier 0, Pier 1, Pier 2, Pier 3, Pier 4 and 2 more: named in talk")
