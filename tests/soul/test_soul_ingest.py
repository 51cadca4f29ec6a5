"""What files leave in a mind: the same file twice leaves nothing new, whatever its name, and nothing is ever wiped."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from soul_minds import (
    AT,
    FIXTURES,
    TALK,
    TEA,
    Json,
    Minds,
    chat,
    check_sums,
    concept,
    episode,
    graph,
    proc,
    said,
    sem,
    took,
    way,
    whole,
)

from soulmem.errors import NotFoundError
from soulmem.soul import Soul


def texts(soul: Soul) -> list[str]:
    """What the messages of the mind say, as exported."""
    lines = [json.loads(line) for line in soul.export_messages().splitlines()[1:]]
    return [line["message"]["text"] for line in lines if "message" in line]


def nodes(soul: Soul) -> list[Json]:
    found: list[Json] = json.loads(soul.export_graph())
    return found


@pytest.mark.parametrize("character", ["wren", "xiaohong"])
def test_shipped_graphs_come_in_whole_and_once(mind: Soul, character: str) -> None:
    file = FIXTURES / character / "graph.json"
    stated = json.loads(file.read_text(encoding="utf-8"))
    links = sum(len(one["mem_links"]) for one in stated)
    first = check_sums(mind.ingest(file).files[0])
    assert (first.read, first.new, first.existing, first.skipped) == (len(stated) + links, len(stated) + links, 0, 0)
    assert {one["id"]: one["mem_type"] for one in nodes(mind)}.keys() == {one["id"] for one in stated}
    before = whole(mind)
    again = check_sums(mind.ingest(file).files[0])
    assert (again.read, again.new, again.existing) == (first.read, 0, first.read)
    assert whole(mind) == before
    assert len(mind.log()) == 1


def test_a_shipped_chat_comes_in_whole_and_once(mind: Soul) -> None:
    lines = (FIXTURES / "xiaohong" / "chat.jsonl").read_bytes().splitlines(keepends=True)[:81]
    first = took(mind, b"".join(lines), "chat.jsonl")
    assert (first.read, first.new) == (80, 80) and first.derived > 0
    assert mind.stats()["messages"] == 80
    before = whole(mind)
    for name in ("chat.jsonl", "elsewhere/copy.jsonl"):
        again = took(mind, b"".join(lines), name)
        assert (again.new, again.existing, again.derived) == (0, 80, 0)
        assert whole(mind) == before


def test_a_grown_chat_adds_its_tail_and_a_shrunken_one_wipes_nothing(mind: Soul) -> None:
    took(mind, chat(*TALK[:3]), "talk")
    grown = took(mind, chat(*TALK), "talk")
    assert (grown.new, grown.existing) == (3, 3)
    assert texts(mind) == [line["mes"] for line in TALK]
    before = whole(mind)
    for kept in range(len(TALK)):
        report = mind.ingest_bytes(chat(*TALK[:kept]), name="talk")
        assert report.new == 0
        assert whole(mind) == before


def test_a_chat_that_grew_line_by_line_is_the_chat_read_at_once(minds: Minds) -> None:
    slowly, at_once = minds(), minds()
    for number in range(1, len(TALK) + 1):
        assert took(slowly, chat(*TALK[:number]), "talk").new == 1
    took(at_once, chat(*TALK), "talk")
    assert texts(slowly) == texts(at_once)
    ids = [{line["message"]["id"] for line in map(json.loads, m.export_messages().splitlines()[2:])} for m in (slowly, at_once)]
    assert ids[0] == ids[1]


def test_an_edited_line_adds_one_and_keeps_the_old_one(mind: Soul) -> None:
    took(mind, chat(*TALK), "talk")
    edited = list(TALK)
    edited[3] = said("Bo", "I love the ferry after all.", 3)
    report = took(mind, chat(*edited), "talk")
    assert (report.new, report.existing) == (1, len(TALK) - 1)
    assert sorted(texts(mind)) == sorted([*(line["mes"] for line in TALK), "I love the ferry after all."])
    (told,) = report.problems
    assert told.what.startswith("the mind has another version of this line; both are kept; soulmem forget --about")
    assert TALK[3]["mes"].rstrip("!") in told.what and not told.skipped and report.skipped == 0
    assert took(mind, chat(*edited), "talk").problems == took(mind, chat(*TALK), "talk").problems == (), "nothing is new"
    assert took(mind, chat(*edited, said("Bo", "Good night.", 90)), "talk").problems == ()
    several = [*edited[:3], *(said("Bo", f"Another {number}.", 3 + number) for number in range(len(TALK) - 3))]
    (told,) = took(mind, chat(*several), "talk").problems
    assert f"another version of this line and of {len(TALK) - 4} more; both" in told.what


def test_a_branch_adds_only_what_differs(mind: Soul) -> None:
    took(mind, chat(*TALK), "talk")
    branch = [*TALK[:4], said("Ann", "Then we walk round the bay.", 9), said("Bo", "All the way?", 10)]
    report = took(mind, chat(*branch), "talk - branch")
    assert (report.new, report.existing) == (2, 4)
    before = whole(mind)
    for lines, name in ((TALK, "talk"), (branch, "talk - branch"), (branch, "another name")):
        assert took(mind, chat(*lines), name).new == 0
    assert whole(mind) == before


def test_two_chats_with_the_same_greeting_stay_two(mind: Soul) -> None:
    greeting = said("Ann", "Hello, who is there?")
    took(mind, chat(greeting, said("Bo", "Me, with the bread.")), "monday")
    report = took(mind, chat(greeting, said("Bo", "The postman."), said("Ann", "Come in.")), "tuesday")
    assert (report.new, report.existing) == (2, 1)
    assert mind.stats()["chats"] == 2
    before = whole(mind)
    assert took(mind, chat(greeting, said("Bo", "Me, with the bread.")), "monday").new == 0
    assert whole(mind) == before


def test_five_speakers_stay_five(mind: Soul) -> None:
    speakers = ["Ann", "Bo", "Cleo", "Dmitri", "小红"]
    took(mind, chat(*(said(name, f"My boat is number {place}.", place) for place, name in enumerate(speakers * 2))), "party")
    named = {one["mem_type"]["Semantic"]["content"] for one in nodes(mind) if "speaker" in one["tags"]}
    assert named == set(speakers)
    assert {message.speaker for message in mind.recall("whose boat is that?", messages=50).messages} == set(speakers)


def test_hidden_lines_and_other_swipes_are_not_remembered(mind: Soul) -> None:
    hidden = said("Ann", "The zeppelin secret is under the floor.", 7, is_system=True)
    swiped = said("Ann", "We take the early boat.", 8, swipes=["We take the zeppelin.", "We take the early boat."], swipe_id=1)
    took(mind, chat(*TALK, hidden, swiped), "talk")
    assert "zeppelin" not in mind.export_graph()
    assert texts(mind).count(hidden["mes"]) == 1, "kept, so that numbers agree with the file"
    found = mind.recall("zeppelin", messages=50)
    assert all("zeppelin" not in text for text in (found.rendered, *(message.text for message in found.messages)))
    assert [message.index for message in mind.recall("early boat", messages=1).messages] == [7]


def test_strict_refuses_whole_and_leaves_the_mind_as_it_was(mind: Soul) -> None:
    took(mind, graph(*TEA), "tea")
    before, operations = whole(mind), len(mind.log())
    bad_nodes = graph(concept("sem_new", "new"), {"id": "bad", "mem_type": {"Nope": {}}})
    bad_links = graph(concept("sem_new", "new", [("sem_tea", {"Nope": {}})]))
    differs = graph(concept("sem_new", "new"), concept("sem_tea", "black tea"))
    illegal = graph(way("sing", "Sing."), concept("sem_new", "new", [("sing", proc(0.5))]))
    broken_chat = chat(*TALK) + b'{"name": "Bo", "mes": 3}\n'
    for data in (bad_nodes, bad_links, differs, illegal, broken_chat):
        report = check_sums(mind.ingest_bytes(data, strict=True))
        assert report.refused is not None and report.new == report.existing == 0 and report.problems
        assert (whole(mind), len(mind.log())) == (before, operations)
        loose = took(mind, data, dry_run=True)
        assert loose.new > 0 and loose.skipped > 0


@pytest.mark.parametrize("data", [graph(*TEA), chat(*TALK)])
def test_a_dry_run_tells_the_truth_and_changes_nothing(mind: Soul, data: bytes) -> None:
    before = whole(mind)
    promised = took(mind, data, dry_run=True)
    assert whole(mind) == before and mind.log() == ()
    assert took(mind, data) == promised
    assert took(mind, data, dry_run=True) == took(mind, data)


def test_links_wait_for_files_that_come_in_any_order(minds: Minds) -> None:
    files = [graph(*TEA[start : start + 3]) for start in range(0, len(TEA), 3)]
    want = minds()
    took(want, graph(*TEA))
    expected = ranked(want)
    for seed in range(2):
        soul = minds()
        order = random.Random(seed).sample(files, len(files))
        for number, file in enumerate(order):
            took(soul, file, f"part {number}")
        assert soul.stats()["pending_links"] == 0
        assert without_origins(soul) == without_origins(want)
        assert ranked(soul) == expected


def ranked(soul: Soul) -> list[tuple[str, float]]:
    return [(memory.key, memory.score) for memory in soul.recall("green tea").memories]


def without_origins(soul: Soul) -> Any:
    """What a mind holds, wherever it was read."""
    nodes = json.loads(soul.export_graph())
    for node in nodes:
        node["soulmem"].pop("origins")
    return nodes


def test_a_link_to_nowhere_waits_and_is_told(mind: Soul) -> None:
    report = took(mind, graph(concept("sem_a", "anchor", [("sem_later", sem())])))
    assert (report.new, mind.stats()["pending_links"], mind.show("sem_a").pending) == (2, 1, 1)
    late = took(mind, graph(concept("sem_later", "later")), "later")
    assert (late.read, late.new) == (1, 1), "the link is none of this file's items"
    assert (mind.stats()["pending_links"], [link.other for link in mind.show("sem_a").links_out]) == (0, ["sem_later"])


def test_a_waiting_link_that_turns_out_illegal_is_dropped_and_told(mind: Soul) -> None:
    took(mind, graph(concept("sem_a", "anchor"), episode("sit_a", "anchored", [("sem_later", proc(0.5))])))
    late = took(mind, graph(concept("sem_later", "later")), "later")
    assert (late.read, late.new, late.skipped) == (1, 1, 0)
    assert any("sit_a → sem_later" in problem.what for problem in late.problems)
    assert mind.stats()["pending_links"] == 0


def test_folders_are_walked_and_a_bad_file_does_not_stop_the_others(mind: Soul, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    (folder / "deep" / "Lin").mkdir(parents=True)
    (folder / "a.json").write_bytes(graph(*TEA))
    (folder / "b.json").write_text('{"nothing": "known"}')
    (folder / "c.jsonl").write_bytes(b"\xff\x00\xfe\x13")
    (folder / "d.txt").write_bytes(b"")
    (folder / "deep" / "Lin" / "talk.jsonl").write_bytes(chat(*TALK))
    (folder / ".hidden.jsonl").write_bytes(chat(*TALK))
    (folder / "picture.png").write_bytes(b"\x89PNG")
    report = mind.ingest(folder)
    names = [Path(file.path).name for file in report.files]
    assert sorted(names) == ["a.json", "b.json", "c.jsonl", "d.txt", "picture.png", "talk.jsonl"]
    unread = [file for file in report.files if file.format is None]
    assert {Path(file.path).name for file in unread} == {"b.json", "c.jsonl", "d.txt", "picture.png"}
    assert all(check_sums(file).read == 0 and len(file.problems) == 1 and not file.refused for file in unread)
    assert (mind.stats()["messages"], mind.note("sem_tea").key) == (len(TALK), "sem_tea")
    before = whole(mind)
    assert all(file.new == 0 for file in mind.ingest(folder, folder / "a.json").files)
    assert whole(mind) == before


def test_a_path_that_is_not_there_is_an_error_before_anything_is_read(mind: Soul, tmp_path: Path) -> None:
    good = tmp_path / "a.json"
    good.write_bytes(graph(*TEA))
    with pytest.raises(NotFoundError, match="missing"):
        mind.ingest(good, tmp_path / "missing.json")
    assert mind.log() == ()


def test_problems_name_their_lines(mind: Soul) -> None:
    data = chat(*TALK[:2]) + b"this is no JSON\n" + chat(TALK[2]).splitlines(keepends=True)[1]
    report = took(mind, data)
    assert (report.read, report.new, report.skipped) == (4, 3, 1)
    assert [problem.line for problem in report.problems if problem.skipped] == [4]
    lines = graph(concept("a", "x"), concept("b", "", [("a", {"Nope": {}})]), concept("c", "y", [("a", {"Nope": {}})])).decode()
    report = took(mind, lines.encode())
    bad = [lines.splitlines()[problem.line - 1] for problem in report.problems if problem.line]
    assert len(bad) == report.skipped > 0 and all("{" in line for line in bad)


def test_the_time_of_ingest_is_the_birth_of_what_states_none(mind: Soul) -> None:
    earlier = AT.replace(year=2020)
    took(mind, graph(concept("a", "x")), at=earlier)
    took(mind, graph(concept("b", "y")))
    assert (mind.note("a").created_at, mind.note("b").created_at) == (earlier, AT)


def test_a_forced_format_is_used_and_an_unknown_one_refused(mind: Soul) -> None:
    assert took(mind, b"Ann: hello there\nBo: and you\n", format="script").new == 2
    before = whole(mind)
    for data, format in ((graph(*TEA), "sillytavern"), (chat(*TALK), "graph-json"), (chat(*TALK), "nothing")):
        assert mind.ingest_bytes(data, format=format).refused
    assert whole(mind) == before
