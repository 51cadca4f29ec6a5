"""Which lorebook that a mind keeps another one is a version of; what files tell apart is none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from soulmem.ingest.contract import Document
from soulmem.ingest.earlier import earlier_version
from soulmem.ingest.lorebooks.reader import book_document
from soulmem.model.notes import Semantic

AT = datetime(2026, 11, 1, tzinfo=UTC)


def book(name: str, *entries: str, off: bool = False) -> Document:
    """A lorebook of entries that are written ``Title: text``."""
    split = [one.split(": ") for one in entries]
    made = [
        {"uid": at, "key": [title], "comment": title, "content": text, "disable": off} for at, (title, text) in enumerate(split)
    ]
    return book_document({"name": name, "entries": {str(one["uid"]): one for one in made}}, AT)


ROCK, LAMP, SEA = "Rock: It is grey.", "Lamp: It was lit in 1811.", "Sea: It is cold."
OTHER_ROCK, MILL, WEIR = "Rock: It is red here.", "Mill: It grinds.", "Weir: It is old."


@pytest.mark.parametrize(
    ("old", "new", "is_one"),
    [
        (book("Gull", ROCK, LAMP), book("Gull", OTHER_ROCK, MILL, WEIR, SEA), True),
        (book("Gull", ROCK, LAMP), book("Gull", MILL, WEIR), False),
        (book("Gull", ROCK, LAMP), book("Gull", ROCK, LAMP, off=True), True),
        (book("", ROCK, LAMP), book("", ROCK, LAMP, off=True), False),
        (book("", ROCK, LAMP), book("", OTHER_ROCK, LAMP), True),
        (book("", ROCK), book("", ROCK, MILL, WEIR), True),
        (book("", ROCK), book("", OTHER_ROCK, MILL, WEIR), False),
        (book("", ROCK, LAMP, SEA), book("", OTHER_ROCK, MILL, WEIR), False),
        (book("Gull", ROCK), book("Mill", OTHER_ROCK, MILL, WEIR), False),
        (book("Gull", ROCK, LAMP), book("Gull 2", ROCK, LAMP, SEA), True),
    ],
)
def test_versions_of_a_lorebook(old: Document, new: Document, is_one: bool) -> None:
    assert (earlier_version(new, old.kept, {}, AT) is not None) is is_one
    assert new.notes == () or (earlier_version(old, new.kept, {}, AT) is not None) is is_one, "in either order"
    assert earlier_version(old, old.kept, {}, AT) is None, "the same is no other version"


def test_of_several_books_it_is_the_one_of_its_name() -> None:
    gull, mill = book("Gull", ROCK), book("Mill", ROCK, MILL)
    found = earlier_version(book("Gull", OTHER_ROCK, MILL), {**gull.kept, **mill.kept}, {}, AT)
    assert found is not None and found.name in gull.kept
    assert found.also == {note.key for note in mill.notes}


def test_two_entries_of_one_title_are_two_and_the_book_is_called_by_it_once() -> None:
    found = book("", ROCK, OTHER_ROCK, ROCK)
    texts = {note.body.description for note in found.notes if isinstance(note.body, Semantic) and note.body.content == "Rock"}
    assert texts == {"It is grey.", "It is red here."}
    assert sum("stands there twice" in problem.what for problem in found.problems) == 1
    (called,) = (
        note.body.content for note in found.notes if note.key.startswith("lorebook_") and isinstance(note.body, Semantic)
    )
    assert called == "Lorebook: Rock"
