"""``soulmem chat``: what is seen, what is kept, and what ends it."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import subprocess
import termios
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from cli_mind import Run, Start, findings, parsed

#: A small pipe, so that a long reply waits in the middle for whoever reads it.
_PIPE_BYTES = 4096

Script = Callable[..., dict[str, str]]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Variables by which a scripted model replies so."""

    def write(*replies: Any) -> dict[str, str]:
        path = tmp_path / "script.jsonl"
        answers = [{"for": "queries", "json": {"concepts": []}, "repeat": True}]
        answers += [{"for": "reply", **(one if isinstance(one, dict) else {"text": one})} for one in replies]
        path.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in answers), encoding="utf-8")
        return {"SOULMEM_MODEL_NAME": f"scripted:{path}"}

    return write


def said(run: Run, *options: str) -> list[str]:
    """The lines in the window of the talk."""
    return [f"{line['speaker']}: {line['text']}" for line in parsed(run("window", "--json", *options))["messages"]]


# -- lines ----------------------------------------------------------------------------------------------------------------------


def test_a_talk_is_read_from_lines_and_kept(run: Run, script: Script) -> None:
    result = run("chat", input="你还记得面馆吗？\r\n\n   \n//斜杠\n/nosuch\n", **script("记得，牛肉面馆。", "哦？"))
    assert result.exit_code == 0 and result.stdout == "小红: 记得，牛肉面馆。\n小红: 哦？\n"
    assert said(run) == ["阿哲: 你还记得面馆吗？", "小红: 记得，牛肉面馆。", "阿哲: /斜杠", "小红: 哦？"]
    assert "阿哲 talks with 小红" in result.stderr and "no such command" in result.stderr and "阿哲> " not in result.stderr
    assert "3 calls" not in result.stderr and "4 calls" in result.stderr
    view = parsed(run("window", "--json"))
    assert view["tagged"] == [view["messages"][-1]["id"]], "the talk has ended"


def test_who_talked_in_another_scope_is_not_taken_for_the_owner(run: Run) -> None:
    assert run("observe", "--chat", "bob", "--scope", "direct:Bob", "--at", "2030-05-01", input="Bob: I failed.\n").exit_code == 0
    assert "User talks with 小红" in run("chat", "--incognito", input="").stderr
    assert "Ann talks with 小红" in run("chat", "--incognito", "--scope", "direct:Ann", input="").stderr


def test_without_a_model_the_material_is_shown_and_a_reply_can_be_given(run: Run) -> None:
    result = run("chat", "--as", "Mei", "--at", "2026-05-01T10:00:00Z", input="陈伯在哪里？\n/reply 陈伯在拾页书坊。\n/reply\n")
    assert result.exit_code == 0 and "【相关记忆】" in result.stdout and "陈伯" in result.stdout
    assert "without a model" in result.stderr and "小红 said it" in result.stderr and "says nothing" in result.stderr
    messages = parsed(run("window", "--json"))["messages"]
    assert [(line["speaker"], line["sent_at"]) for line in messages] == [
        ("Mei", "2026-05-01T10:00:00Z"),
        ("小红", "2026-05-01T10:00:00Z"),
    ]


def test_what_came_to_mind_and_why_on_request(run: Run, script: Script) -> None:
    asked = ("陈伯在哪里？", "/memories", "/why", "/why sem_self", "/why nothere", "/prompt", "/show", "还有呢？")
    lines = "".join(f"{one}\n" for one in (*asked, "/feedback +", "/feedback ?", "/help", "/quit", "没说"))
    result = run("chat", input=lines, **script("陈伯在拾页书坊。", "拾页书坊。"))
    assert result.exit_code == 0
    before, _, after = result.stderr.partition("What comes to mind is shown.")
    assert "used:" not in before and "used:" in after and "陈伯" in after, "dimmed lines are words to a person"
    assert "sem_self" in result.stdout and "[reply]" in result.stdout and "similarity" in result.stdout
    assert "no note 'nothere'" in result.stderr and "/feedback + or" in result.stderr and "/forget last" in result.stderr
    assert "Noted for: " in result.stderr and said(run)[-1] == "小红: 拾页书坊。"


def test_commands_before_anything_was_said_say_so(run: Run, script: Script) -> None:
    commands = ("/again", "/undo", "/forget last", "/why", "/memories", "/prompt", "/reply x", "/feedback +")
    result = run("chat", input="".join(f"{one}\n" for one in commands) + "/forget\n", **script())
    assert result.exit_code == 0 and result.stdout == ""
    assert result.stderr.count("nothing was said yet") == len(commands) and "/forget last: " in result.stderr
    assert said(run) == []


def test_again_undo_and_forget(run: Run, script: Script, home: Path) -> None:
    lines = "第一句话\n/again\n第二句紫葡萄味的话\n/again\n/again\n/undo\n第三句紫葡萄味的话\n/forget last\n"
    answers = ("一甲", "一乙", "二甲", {"error": 400}, "二丙。", "三紫葡萄")
    result = run("chat", input=lines, **script(*answers))
    assert result.exit_code == 0 and "HTTP status 400" in result.stderr
    assert said(run) == ["阿哲: 第一句话", "小红: 一乙"]
    assert "Taken back: 2 lines" in result.stderr and "Forgotten for good: 2 messages" in result.stderr
    assert findings(home / "minds" / "小红.mind") == () and parsed(run("log", "--json"))
    data = b"".join(file.read_bytes() for file in sorted((home / "minds").iterdir()))
    assert "第三句".encode() not in data and "三紫葡萄".encode() not in data and "第二句".encode() in data


def test_a_failing_model_leaves_the_line_said_and_the_talk_going(run: Run, script: Script) -> None:
    refusal = "I'm sorry, but I can't assist with that request."
    result = run("chat", input="一\n二\n三\n/again\n", **script({"error": 401}, "", refusal, "好。"))
    assert result.exit_code == 0 and result.stdout == "小红: 好。\n"
    assert result.stderr.count("error: ") == 3 and "refused" in result.stderr
    assert said(run) == ["阿哲: 一", "阿哲: 二", "阿哲: 三", "小红: 好。"]


def test_incognito_is_kept_nowhere(run: Run, script: Script) -> None:
    before = parsed(run("stats", "--json"))
    result = run("chat", "--incognito", input="紫葡萄\n/again\n/undo\n/forget last\n秘密\n", **script("甲", "乙", "丙"))
    assert result.exit_code == 0 and "Nothing is kept" in result.stderr and result.stdout.count("小红: ") == 3
    after = parsed(run("stats", "--json"))
    assert {name: after[name] for name in after if name != "bytes"} == {name: before[name] for name in before if name != "bytes"}
    run("chat", input="说\n/incognito\n不说\n/incognito\n又说\n", **script("1", "2", "3"))
    assert [line.partition(": ")[2] for line in said(run)] == ["说", "1", "又说", "3"]


def test_what_a_terminal_would_obey_is_shown(run: Run, script: Script) -> None:
    result = run("chat", "--show", input="\x1b[31m红\x07\n", **script("\x1b]0;t\x07 好\u202e的\r\n第二行。"))
    assert result.exit_code == 0 and "\x1b" not in result.output and "\x07" not in result.output and "\u202e" not in result.output
    assert "好" in result.stdout and "第二行。" in result.stdout


def test_a_talk_has_no_end_of_budget(run: Run, script: Script) -> None:
    few = {"SOULMEM_MODEL_BUDGET_CALLS": "2"}
    result = run("chat", input="一\n二\n三\n/again\n/again\n", **script("1", "2", "3", "4", "5"), **few)
    assert [line.partition(": ")[2] for line in result.stdout.splitlines()] == ["1", "2", "3", "4", "5"]


def test_very_long_and_broken_lines(run: Run, script: Script) -> None:
    long = "长" * 200_000
    result = run("chat", input=long.encode() + b"\n\xff\xfe \xe4\xbd\xa0\n", **script("嗯。", "什么？"))
    assert result.exit_code == 0 and result.stdout.count("小红: ") == 2
    window = said(run)
    assert len(window[0]) > 200_000 and "你" in window[2]


@pytest.mark.parametrize("options", [("--as", "小红"), ("--as", " "), ("--scope", "x"), ("--chat", " "), ("--top", "0")])
def test_what_cannot_be_is_refused_at_once(run: Run, options: tuple[str, ...]) -> None:
    result = run("chat", *options, input="hello\n")
    assert result.exit_code in (1, 2) and "Traceback" not in result.output and said(run) == []


# -- what ends it ---------------------------------------------------------------------------------------------------------------

LONG = "面馆当然记得。" + "".join(f"这是第{number}句话。" for number in range(3000))


def replying(process: Start, variables: dict[str, str], **settings: Any) -> subprocess.Popen[bytes]:
    """A talk in the middle of a long reply."""
    running = process("chat", stdin=subprocess.PIPE, bufsize=0, variables=variables, **settings)
    assert running.stdin is not None and running.stdout is not None
    fcntl.fcntl(running.stdout, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    running.stdin.write("你还记得面馆吗？\n".encode())
    assert running.stdout.read(24)
    return running


def rest_of(running: subprocess.Popen[bytes]) -> tuple[str, str]:
    assert running.stdin is not None
    out, err = running.communicate(timeout=60)
    return out.decode(errors="replace"), err.decode()


def test_ctrl_c_stops_the_reply_and_the_talk_goes_on(run: Run, process: Start, script: Script) -> None:
    running = replying(process, script(LONG, "好。"))
    running.send_signal(signal.SIGINT)
    assert running.stdin is not None
    running.stdin.write(b"/again\n")
    out, err = rest_of(running)
    assert running.returncode == 0, err
    assert "Stopped: this was not said" in err and out.endswith("\n小红: 好。\n") and "第2999句" not in out
    assert said(run) == ["阿哲: 你还记得面馆吗？", "小红: 好。"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 143), (signal.SIGKILL, -9)])
def test_killed_in_the_middle_of_a_reply_what_was_heard_is_kept(
    run: Run, process: Start, script: Script, home: Path, number: signal.Signals, code: int
) -> None:
    running = replying(process, script(LONG))
    running.send_signal(number)
    _, err = rest_of(running)
    assert running.returncode == code and "Traceback" not in err
    assert said(run) == ["阿哲: 你还记得面馆吗？"]
    assert findings(home / "minds" / "小红.mind") == ()


def test_whoever_reads_goes_away_and_the_talk_ends_in_good_order(run: Run, process: Start, script: Script, home: Path) -> None:
    running = replying(process, script(LONG))
    assert running.stdout is not None and running.stderr is not None
    running.stdout.close()
    assert running.wait(60) == 1 and b"Traceback" not in running.stderr.read()
    assert not list((home / "minds").glob("*.wal"))
    view = parsed(run("window", "--json"))
    assert len(view["messages"]) == len(view["tagged"]) == 1


def test_a_turn_is_over_when_the_talk_is(run: Run, process: Start, script: Script) -> None:
    """By SIGTERM too what was used is remembered better."""
    running = process("chat", stdin=subprocess.PIPE, bufsize=0, variables=script("陈伯在拾页书坊修旧书。"))
    assert running.stdin is not None and running.stdout is not None
    running.stdin.write("陈伯在哪里？\n".encode())
    assert running.stdout.readline().decode() == "小红: 陈伯在拾页书坊修旧书。\n"
    running.stdin.write(b"/memories\n")
    assert running.stdout.readline()
    running.send_signal(signal.SIGTERM)
    rest_of(running)
    assert parsed(run("stats", "--json"))["recalls"] == 1


def test_on_a_terminal(process: Start, script: Script, run: Run) -> None:
    """Prompts, Chinese, Ctrl-C at the prompt."""
    import pty

    ours, theirs = pty.openpty()

    def own_terminal() -> None:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    with ExitStack() as ending:
        ending.callback(os.close, ours)
        variables = script("记得。", "再见。")
        running = process(
            "chat", "--show", stdin=theirs, stdout=theirs, stderr=theirs, variables=variables, preexec_fn=own_terminal
        )
        os.close(theirs)
        seen = b""

        def until(text: str) -> None:
            nonlocal seen
            with suppress(OSError):
                while text.encode() not in seen and select.select([ours], [], [], 60)[0] and (more := os.read(ours, 65536)):
                    seen += more
            assert text.encode() in seen, seen.decode(errors="replace")
            seen = seen.partition(text.encode())[2]

        until("阿哲> ")
        os.write(ours, "你还记得面馆吗？\n".encode())
        until("\x1b[2m")
        until("小红: 记得。\r\n")
        until("阿哲> ")
        os.write(ours, b"\x03")
        until("\r\n")
        with suppress(OSError):
            while select.select([ours], [], [], 60)[0] and (more := os.read(ours, 65536)):
                seen += more
        assert running.wait(60) == 130 and b"Traceback" not in seen
    assert said(run) == ["阿哲: 你还记得面馆吗？", "小红: 记得。"]
