"""Commands that forget for good, prove it, and look back: what goes is shown, nothing is done unasked, the past is only read."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_mind import Run, parsed

SECRET = "Bo: I hid the zanzibarian quince under the stairs.\n"


@pytest.fixture
def talk(run: Run) -> None:
    assert run("observe", input=f"Bo: My sister Greta lives in Halden.\n{SECRET}").exit_code == 0


def number(run: Run) -> int:
    return int(parsed(run("log", "--limit", "1", "--json"))[0]["number"])


@pytest.mark.usefixtures("talk")
def test_what_goes_is_shown_and_nothing_is_done_unasked(run: Run) -> None:
    before = number(run)
    shown = run("forget", "--about", "quince", "--dry-run")
    assert shown.exit_code == 0 and "Lines that go (1)\n  live:default:2" in shown.stdout and "zanzibarian" in shown.stdout
    refused = run("forget", "--about", "quince")
    assert refused.exit_code == 2 and "--dry-run" in refused.stderr and "-y" in refused.stderr
    assert run("forget", "--until", "2026-01-01").exit_code == run("forget", "--about", "x", "--at", "2026-01-01").exit_code == 2
    assert number(run) == before and run("doctor", "--find", "zanzibarian").exit_code == 1


@pytest.mark.usefixtures("talk")
def test_forgotten_for_good_it_is_nowhere_in_the_past_either(run: Run) -> None:
    then = number(run)
    plan = parsed(run("forget", "--about", "zanzibarian", "--dry-run", "--json"))
    done = parsed(run("forget", "--about", "zanzibarian", "-y", "--json"))
    assert plan.keys() == done.keys() and plan["operation"] is None and done["operation"]["command"] == "forget"
    assert (plan["messages"], plan["entries"], plan["gone_messages"]) == (1, done["entries"], done["gone_messages"])
    found = run("doctor", "--find", "-", input="zanzibarian\n")
    assert found.exit_code == 0 and "It is nowhere" in found.stdout
    assert "zanzibarian" not in run("list", "--as-of", str(then), "--json").stdout
    nothing = run("forget", "--about", "zanzibarian", "-y")
    assert nothing.exit_code == 0 and "nothing of the kind" in nothing.stdout


@pytest.mark.usefixtures("talk")
def test_what_is_found_is_said_with_its_place(run: Run) -> None:
    result = run("doctor", "--find", "ZANZIBARIAN", "--json")
    assert result.exit_code == 1 and '"Message.text"' in result.stdout


def test_nothing_is_looked_for_in_a_mind_that_does_not_exist(run: Run) -> None:
    result = run("--mind", "notthere", "doctor", "--find", "quince")
    assert result.exit_code == 1 and "there is no such mind" in result.stderr and result.stdout == ""
    Path("left.mind.before-002").write_text("quince")
    found = run("doctor", "--find", "quince", "--mind", "./left.mind")
    assert found.exit_code == 1 and "left.mind.before-002: 1 time" in found.stdout
    assert "the mind itself is not there" in found.stderr


def test_a_note_that_is_not_there_is_refused(run: Run) -> None:
    result = run("forget", "--note", "nobody", "-y")
    assert result.exit_code == 1 and "nobody" in result.stderr and "Traceback" not in result.stderr


def test_the_past_is_read_and_the_difference_told(run: Run) -> None:
    before = number(run)
    stats = parsed(run("stats", "--json"))
    assert run("ask", "小红").exit_code == 0
    assert run("ingest", "-", input=b'[{"id": "sem_new", "mem_type": {"Semantic": {"content": "a new thing"}}}]').exit_code == 0
    then = parsed(run("stats", "--as-of", str(before), "--json"))
    assert then["notes"] == stats["notes"] and then["operations"] == before
    assert run("show", "sem_new", "--as-of", str(before)).exit_code == 1
    assert "sem_new" not in run("list", "--as-of", str(before), "--limit", "9999").stdout
    assert run("ask", "小红", "--as-of", str(before)).exit_code == 0 and number(run) == before + 2
    assert run("cypher", "MATCH (n) DELETE n", "--write", "--as-of", "1").exit_code == 2
    assert run("stats", "--as-of", "yesterday").exit_code == 2 and run("stats", "--as-of", "9999").exit_code == 1
    text = run("diff", str(before)).stdout
    assert "+ note sem_new: a new thing" in text and "retrieval_count: 0 → 1" in text
    found = parsed(run("diff", str(before), str(before + 1), "--json"))
    assert found["notes"]["added"] == [] and found["notes"]["changed"] and found["first"] == before
    assert run("diff", str(before), str(before)).stdout == "Nothing is different.\n" and run("diff", "9999").exit_code == 1


def test_the_history_of_a_note_goes_from_its_birth_to_now(run: Run) -> None:
    run("ask", "小红")
    key = parsed(run("diff", str(number(run) - 1), "--json"))["notes"]["changed"][0]["name"]
    run("undo")
    events = parsed(run("show", key, "--history", "--json"))
    assert [event["born"] for event in events] == [True, *[False] * (len(events) - 1)]
    asked, undone = events[-2:]
    assert asked["command"] == "ask" and asked["undone_by"] == undone["number"]
    (up,) = [change for change in asked["changes"] if change["field"] == "retrieval_count"]
    (down,) = [change for change in undone["changes"] if change["field"] == "retrieval_count"]
    assert (up["before"], up["after"]) == (down["after"], down["before"])
    assert "retrieval_count: " in run("show", key, "--history").stdout and run("show", "nobody", "--history").exit_code == 1
