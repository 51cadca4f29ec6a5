"""What a mind exported is read into one that has, or gets, the talks it came from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from soul_minds import AT, took

from soulmem.soul import Soul

CHATS = Path(__file__).parents[1] / "ingest" / "chats"
OPEN = b"Ann: I move to Zanzibar.\nWren: Nice.\n"


@pytest.fixture
def minds(tmp_path: Path) -> Iterator[tuple[Soul, Soul]]:
    with (
        Soul.create(tmp_path / "a.mind", embedder="hashing", clock=lambda: AT, name="Wren") as one,
        Soul.create(tmp_path / "b.mind", embedder="hashing", clock=lambda: AT, name="Wren") as other,
    ):
        yield one, other


def told(soul: Soul, heard_in: str) -> str:
    """All that may be heard of in a scope."""
    return soul.export_graph(heard_in=heard_in) + soul.export_messages(heard_in=heard_in)


@pytest.mark.parametrize("name", ["script.txt", "sillytavern.jsonl", "chatgpt.json"])
def test_a_talk_is_read_after_a_graph_that_came_without_it(minds: tuple[Soul, Soul], name: str) -> None:
    first, second = minds
    chat = (CHATS / name).read_bytes()
    took(first, chat, name)
    took(second, first.export_graph().encode(), "graph.json")
    report = took(second, chat, name)
    assert report.new > 0 and not report.skipped
    for soul in minds:
        took(soul, chat, name)
    assert second.check() == ()
    situations = [row["id"] for row in second.store.query("store.all_specific")]
    assert situations == [row["id"] for row in first.store.query("store.all_specific")]
    by_first = {note.id: note.sources for note in first.store.notes(situations)}
    assert {note.id: note.sources for note in second.store.notes(situations)} == by_first


def test_what_an_export_keeps_from_somebody_is_kept_of_the_lines_that_are_there(minds: tuple[Soul, Soul]) -> None:
    knowing, other = minds
    took(knowing, OPEN + b"Ann: Don't tell Bo.\n", "chat.txt")
    took(other, OPEN, "chat.txt")
    assert "Zanzibar" in told(other, "direct:bo")
    took(other, knowing.export_messages().encode(), "x.messages.jsonl")
    assert "Zanzibar" not in told(other, "direct:bo")
    assert "Zanzibar" in told(other, "direct:ann")
    took(other, knowing.export_graph().encode(), "x.json")
    assert "Zanzibar" not in told(other, "direct:bo")
    other.undo()
    other.undo()
    assert "Zanzibar" in told(other, "direct:bo")
    assert other.check() == ()


def test_what_a_graph_keeps_from_somebody_is_kept_of_the_lines_its_notes_were_drawn_from(minds: tuple[Soul, Soul]) -> None:
    knowing, other = minds
    took(knowing, OPEN + b"Ann: Don't tell Bo.\n", "chat.txt")
    took(other, OPEN, "chat.txt")
    took(other, knowing.export_graph().encode(), "x.json")
    assert "Zanzibar" not in told(other, "direct:bo")
    assert "Zanzibar" in told(other, "direct:ann")
