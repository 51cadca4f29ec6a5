"""What was never said is nowhere: a word in each place of each format, looked for in all that a mind holds, and in its bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from never_said import TEXTS, planted, word

from soulmem.ingest.report import FileReport
from soulmem.model.messages import Message
from soulmem.soul import Soul

AT = datetime(2026, 1, 1, tzinfo=UTC)
CARDS = ("card-json", "lorebook")
CHATS = tuple(format for format in TEXTS if format not in CARDS)


@dataclass(frozen=True, slots=True)
class Held:
    """Everything a mind holds, as text."""

    soul: Soul
    reports: dict[str, FileReport]
    graph: str
    messages: tuple[Message, ...]
    terms: str
    journal: str


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("never") / "all.mind"


@pytest.fixture(scope="module")
def held(path: Path) -> Iterator[Held]:
    with Soul.create(path, embedder="hashing", clock=lambda: AT) as soul:
        reports = {format: soul.ingest_bytes(planted(format), name=f"{format}.file") for format in (*CARDS, *CHATS)}
        ids = [row["id"] for row in soul.store.query("store.all_messages")]
        yield Held(
            soul,
            reports,
            soul.export_graph(),
            tuple(soul.store.messages(ids)),
            repr(soul.cypher("MATCH (t:Term) RETURN t.text", limit=None).rows),
            repr(soul.log()),
        )


@pytest.mark.parametrize("format", TEXTS)
def test_each_file_is_read_as_its_format(held: Held, format: str) -> None:
    report = held.reports[format]
    assert (report.refused, report.format) == (None, format.split(" ")[0])


@pytest.mark.parametrize("format", TEXTS)
def test_what_was_never_said_is_no_note_no_message_and_no_word(held: Held, format: str) -> None:
    texts = held.graph, repr(held.messages), held.terms, held.journal
    for of in ("NEVER", "ASIDE"):
        assert [word(of, format) in text.casefold() for text in texts] == [False] * 4


@pytest.mark.parametrize("format", TEXTS)
def test_what_was_said_is_all_there(held: Held, format: str) -> None:
    said = word("SAID", format)
    assert said in held.terms
    if format in CHATS:
        stated = planted(format).decode().count(said) - planted(format).decode().count(f'"{said} one", "{word("NEVER", format)}"')
        assert sum(message.text.count(said) for message in held.messages if not message.hidden) == stated
    else:
        assert said in held.graph


@pytest.mark.parametrize("format", TEXTS)
def test_what_is_hidden_is_kept_so_and_recalled_by_nobody(held: Held, format: str) -> None:
    hidden = word("HIDDEN", format)
    number = planted(format).decode().count(hidden)
    assert [message.hidden for message in held.messages if hidden in message.text] == [True] * number
    if format in CHATS:
        assert hidden not in held.graph.casefold()
        if number:
            recalled = held.soul.recall(f"What about {hidden}?", top=50, messages=50)
            assert hidden not in repr((recalled.memories, recalled.messages)).casefold()


def test_chats_leave_nothing_of_it_in_the_bytes_of_the_mind(held: Held, path: Path) -> None:
    held.soul.close()
    data = b"".join(file.read_bytes() for file in sorted(path.parent.rglob("*")) if file.is_file()).lower()
    for format in CHATS:
        assert word("SAID", format).encode() in data, "the bytes tell what they hold"
        assert word("NEVER", format).encode() not in data
