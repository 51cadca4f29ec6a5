"""A mind that is exported and read into an empty one is the same mind, byte for byte, and recalls the same."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from soul_minds import AT, SITUATION, TALK, TEA, Minds, chat, concept, episode, graph, opened, said, sem, shown, took, way, whole

from soulmem.soul import Soul
from soulmem.store import KuzuStore

QUESTIONS = ("What did she promise?", "ferry at night in the storm", "Tomas and the moth song in February", "Gasket", "the radio")


def copied(soul: Soul, empty: Soul) -> Soul:
    """``empty`` with all that ``soul`` exports."""
    graph_text, message_text = whole(soul)
    took(empty, message_text.encode(), "m.messages.jsonl")
    report = took(empty, graph_text.encode(), "m.json")
    assert report.problems == ()
    return empty


@pytest.fixture(scope="module")
def lived_file(tmp_path_factory: pytest.TempPathFactory, wren_file: Path) -> Path:
    """Wren after some use: recalls committed, links that wait, a chat that was read twice under other names."""
    path = tmp_path_factory.mktemp("lived") / "lived.mind"
    shutil.copy(wren_file, path)
    with opened(path) as soul:
        took(soul, chat(*TALK), "talk")
        took(soul, chat(*TALK[:4], *TALK[4:][::-1]), "talk again")
        took(soul, graph(concept("sem_new", "the new pier", [("sem_nowhere", sem()), ("sem_ferry", sem("for"))])))
        for days, question in enumerate(QUESTIONS):
            soul.commit(soul.recall(question, at=AT + timedelta(days=days)))
    return path


@pytest.fixture
def lived(minds: Minds, lived_file: Path) -> Soul:
    return minds(lived_file)


def test_export_import_export_is_the_same_and_recalls_the_same(minds: Minds, lived: Soul) -> None:
    twin = copied(lived, minds())
    assert whole(twin) == whole(lived)
    waiting, twins = ([replace(link, place="") for link in soul.store.pending()] for soul in (lived, twin))
    assert waiting == twins
    assert len(waiting) == 2
    at = AT + timedelta(days=30)
    for question in QUESTIONS:
        theirs, ours = lived.recall(question, messages=5, at=at), twin.recall(question, messages=5, at=at)
        assert theirs.memories
        assert shown(theirs) == shown(ours)


def test_reading_an_export_into_its_own_mind_changes_nothing(lived: Soul) -> None:
    before = whole(lived)
    for part, name in zip(reversed(before), ("m.messages.jsonl", "m.json"), strict=True):
        report = took(lived, part.encode(), name)
        assert (report.new, report.skipped) == (0, 0)
    assert whole(lived) == before


def test_files_beside_each_other_are_read_in_the_right_order(minds: Minds, lived: Soul, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    told = lived.export(tmp_path / "out" / "mind.json", messages=True)
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["mind.json", "mind.messages.jsonl"]
    stats = lived.stats()
    assert (told["notes"], told["links"]) == (sum(stats["notes"].values()), sum(stats["links"].values()))
    assert told["messages"] == stats["messages"]
    twin = minds()
    report = twin.ingest(tmp_path / "out")
    assert [file.problems for file in report.files] == [(), ()]
    assert whole(twin) == whole(lived)


def test_a_copied_mind_goes_on_with_the_same_chats(minds: Minds, mind: Soul) -> None:
    took(mind, chat(*TALK[:4]), "talk")
    twin = copied(mind, minds())
    for soul in (mind, twin):
        grown = took(soul, chat(*TALK), "talk")
        assert (grown.new, grown.existing) == (2, 4)
    assert whole(twin) == whole(mind)


def test_a_newer_export_of_the_same_mind_brings_what_is_new(minds: Minds, mind: Soul) -> None:
    took(mind, chat(*TALK[:4]), "talk")
    twin = copied(mind, minds())
    took(mind, chat(*TALK), "talk")
    copied(mind, twin)
    assert twin.export_messages() == mind.export_messages()
    assert json.loads(twin.export_graph())


def test_the_graph_alone_says_that_its_sources_are_missing(minds: Minds, mind: Soul) -> None:
    took(mind, chat(*TALK), "talk")
    twin = minds()
    report = took(twin, mind.export_graph().encode())
    assert report.skipped == 0 and any("source messages" in problem.what for problem in report.problems)
    assert twin.recall("lighthouse").memories


def test_messages_without_their_chat_or_twice_are_told(mind: Soul, minds: Minds) -> None:
    took(mind, chat(*TALK), "talk")
    lines = mind.export_messages().splitlines(keepends=True)
    orphaned = "".join([lines[0], *lines[2:]])
    report = took(minds(), orphaned.encode())
    assert (report.new, report.skipped) == (0, len(TALK))
    doubled = "".join([*lines, lines[1], lines[-1]])
    report = took(minds(), doubled.encode())
    assert (report.new, report.skipped) == (1 + len(TALK), 2)


def test_every_kind_of_note_and_odd_texts_come_back(minds: Minds, mind: Soul) -> None:
    odd = (
        concept('a "quoted"\nkey', "x' OR 1=1 --", aliases=["$name", "`", "\\", "𝒳", "‮rtl"], tags=["", " "]),
        episode("sit", "tab\tand\r\nlines", [("sit2", SITUATION)], time_span={"start": "0001-01-01T00:00:00Z"}),
        episode("sit2", "x", time_span={"end": "9999-12-31T23:59:59.999999Z"}),
        way("do", "{}", "Skill"),
    )
    took(mind, graph(*odd, *TEA))
    assert whole(copied(mind, minds())) == whole(mind)


def test_an_empty_mind_exports_an_empty_graph(mind: Soul, minds: Minds) -> None:
    graph_text, message_text = whole(mind)
    assert json.loads(graph_text) == []
    twin = minds()
    assert took(twin, message_text.encode()).read == took(twin, graph_text.encode()).read == 0
    assert whole(twin) == whole(mind)


@pytest.mark.parametrize("export", [Soul.export_graph, Soul.export_messages])
def test_an_export_is_of_one_moment_whoever_writes_meanwhile(
    lived: Soul, monkeypatch: pytest.MonkeyPatch, export: Callable[[Soul], str]
) -> None:
    before, read = export(lived), KuzuStore.query
    writer = Thread(target=lambda: took(lived, chat(said("Bo", "The new pier is open.", 9)), "pier.jsonl"))

    def written_between(store: KuzuStore, name: str, /, **given: object) -> list[dict[str, Any]]:
        rows = read(store, name, **given)
        if not writer.ident:
            writer.start()
            writer.join(0.5)
        return rows

    monkeypatch.setattr(KuzuStore, "query", written_between)
    assert export(lived) == before
    writer.join()
    assert export(lived) != before
