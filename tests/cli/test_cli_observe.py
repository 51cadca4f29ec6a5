"""``soulmem observe`` and ``soulmem window``: what is printed, what is refused, and exit codes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from cli_mind import Run, Start, findings, parsed

LINES = (
    "小红：我明天给你打电话。\n"
    "Bo: I moved to Leeds in May.\n"
    "nobody says this\n"
    '{"speaker": "Bo", "text": "I love tea.", "id": "a", "scope": "direct:Bo", "time": "2026-05-01T10:00:00Z", "tag": true}\n'
    '{"speaker": "Bo", "text": "I love tea.", "id": "a"}\n'
    "\n"
    '{"speaker": "Bo", "text": "I hate tea.", "id": "a"}\n'
    '{"speaker": "Bo", "txt": "?"}'
)


def test_each_line_is_acknowledged_or_told(run: Run) -> None:
    result = run("observe", "--json", "--at", "2026-05-01T12:00:00Z", input=LINES)
    assert result.exit_code == 1
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["line"] for one in told] == [1, 2, 3, 4, 5, 7, 8]
    assert ["error" in one for one in told] == [False, False, True, False, False, True, True]
    assert told[0].keys() == {
        "line",
        "message",
        "chat",
        "index",
        "speaker",
        "role",
        "time",
        "scope",
        "present",
        "kept_from",
        "known",
        "events",
        "removed",
    }
    assert [told[place]["role"] for place in (0, 1)] == ["character", "user"]
    assert (told[3]["time"], told[3]["scope"], told[3]["events"]) == (
        "2026-05-01T10:00:00Z",
        "direct:Bo",
        [{"what": "tagged", "index": 2}],
    )
    assert told[4]["known"] and told[4]["message"] == told[3]["message"]
    assert "line 3: " in result.stderr and "line 7: " in result.stderr and "line 8: " in result.stderr


def test_what_is_left_out_of_a_users_line_is_told_and_nothing_more_is_left_out(run: Run) -> None:
    lines = "Bo: How do I close a <head> tag? I am allergic to peanuts.\nBo: <think>hm</think>Yes.\n"
    result = run("observe", "--json", "--chat", "tags", input=lines)
    assert [json.loads(line)["removed"] for line in result.stdout.splitlines()] == [[], ["<think>"]]
    assert "line 2: left out of what was said: <think>" in result.stderr and "line 1" not in result.stderr
    said = [one["text"] for one in parsed(run("window", "--chat", "tags", "--json"))["messages"]]
    assert said == ["How do I close a <head> tag? I am allergic to peanuts.", "Yes."]


def test_lines_of_others_and_other_talks(run: Run) -> None:
    acknowledged = run(
        "observe", "--speaker", "Wren", "--as", "Wren", "--chat", "pub", "--scope", "group:pub", input="hello there\n"
    )
    assert acknowledged.exit_code == 0 and acknowledged.stdout.startswith("1 ")
    view = parsed(run("window", "--chat", "pub", "--json"))
    assert [(said["speaker"], said["role"], said["scope"]) for said in view["messages"]] == [("Wren", "character", "group:pub")]
    assert view.keys() == {"chat", "messages", "tagged", "summary", "state", "said", "last_at", "summary_due"}
    assert parsed(run("window", "--json"))["said"] == 0
    assert run("observe", "--scope", "secret", input="A: b\n").exit_code == 2
    assert run("observe", "--chat", " ", input="A: b\n").exit_code == 1


def test_the_window_is_shown_to_a_person(run: Run, home: Path) -> None:
    lines = "".join(f"Bo: I promise to bring {n} lamps on Monday.\n" for n in range(41))
    assert run("observe", "--at", "2026-05-01", input=lines).exit_code == 0
    shown = run("window", "--at", "2026-05-01").stdout
    assert "41 messages" in shown and "working" in shown and "0 lamps" in shown and shown.count("*") == 1
    assert "idle" in run("window", "--at", "2026-05-02").stdout
    assert findings(home / "minds" / "小红.mind") == ()


def test_an_acknowledgement_does_not_wait_for_the_next_line(process: Start) -> None:
    running = process("observe", "--json", stdin=subprocess.PIPE)
    assert running.stdin is not None and running.stdout is not None
    for number in (1, 2):
        running.stdin.write(f"Bo: line {number}\n".encode())
        running.stdin.flush()
        assert json.loads(running.stdout.readline())["line"] == number
    running.stdin.close()
    assert running.wait() == 0


def test_nothing_fed_is_nothing_done(run: Run) -> None:
    result = run("observe", input="")
    assert (result.exit_code, result.stdout) == (0, "")


def test_garbage_is_told_line_by_line(run: Run) -> None:
    result = run("observe", input=b"\xff\xfe\n" + b"\x00\x01\x1b[31m\n" + b"Bo: fine\n")
    assert result.exit_code == 1 and len(result.stdout.splitlines()) == 1
    assert "not UTF-8" in result.stderr and "\x1b" not in result.output
