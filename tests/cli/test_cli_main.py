"""The program as a whole: exit codes, errors, laziness, help, pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from cli_mind import Run, Start, on_a_terminal
from click.testing import CliRunner

from soulmem._version import __version__
from soulmem.errors import NotFoundError, QueryError
from soulmem_cli.app import COMMANDS, Commands, app
from soulmem_cli.interrupts import ToldInterrupt
from soulmem_cli.main import main

HEAVY = ("kuzu", "numpy", "pydantic", "rich", "numba", "polars", "pyarrow", "jieba", "litellm", "platformdirs")


def imported_by(code: str) -> set[str]:
    """The modules that are loaded once ``code`` has run in a process of its own."""
    told = f"{code}\nimport json, sys\nsys.stderr.write(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, check=True, text=True)
    return set(json.loads(done.stderr))


def test_the_version_imports_next_to_nothing() -> None:
    loaded = imported_by("from soulmem_cli.main import main; assert main(['--version']) == 0")
    assert not loaded & {*HEAVY, "click", "soulmem.soul"}


def test_help_imports_nothing_heavy() -> None:
    asked = [["--help"], ["ask", "--help"], ["--mind", "wren", "show", "--help"], ["init", "x", "--embedder", "e5", "--help"]]
    loaded = imported_by(f"from soulmem_cli.main import main; assert [main(words) for words in {asked}] == [0] * {len(asked)}")
    assert not loaded & {*HEAVY, "soulmem.soul", "soulmem.store"}
    assert "soulmem_cli.commands.ask" in loaded


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    fast = capsys.readouterr().out
    assert main(["--debug", "--version"]) == 0
    assert fast == capsys.readouterr().out == f"soulmem {__version__}\n"


def test_every_command_loads_and_no_module_is_forgotten() -> None:
    context = click.Context(app)
    for name in COMMANDS:
        command = app.get_command(context, name)
        assert isinstance(command, click.Command) and command.name is not None
    folder = Path(sys.modules["soulmem_cli.commands"].__path__[0])
    assert {file.stem for file in folder.glob("*.py")} - {"__init__"} == set(COMMANDS) == set(app.list_commands(context))
    assert app.get_command(context, "nothing") is None


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--help"])
    assert result.exit_code == 0
    usage, _, rest = result.output.partition("\n")
    assert usage.startswith(f"Usage: soulmem {name}")
    assert f"soulmem {name}" in rest
    assert CliRunner().invoke(app, [name, "-h"]).output == result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_and_argument_is_explained(name: str) -> None:
    command = app.get_command(click.Context(app), name)
    assert command is not None and command.get_short_help_str(limit=200)
    assert all(option.help for option in command.params if isinstance(option, click.Option))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_readme(name: str) -> None:
    readme = Path(__file__).resolve().parents[2] / "README.md"
    assert f"soulmem {name}" in readme.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ["nothing"],
        ["ask", "--no-such-option"],
        ["ingest"],
        ["show"],
        ["list", "--type", "Nothing"],
        ["list", "--limit", "0"],
        ["ask", "a", "--at", "soon"],
        ["ask", "a", "--query", "q.json"],
        ["ask", "--why", "a", "--batch", "b"],
        ["ask", "--query", "q.json", "--messages", "1"],
        ["cypher", "RETURN 1", "--json", "--csv"],
        ["query", "-p", "a=1"],
        ["export", "-", "--messages"],
        ["ingest", "-", "-"],
        ["completion", "cmd"],
        ["query", "no.such"],
        ["init", "new", "--embedder", "nothing"],
        ["--mind", "小红", "init", "new", "--embedder", "hashing"],
        ["demo", "--embedder", "nothing"],
        ["reembed", "nothing"],
        ["ingest", ".", "--format", "nothing"],
        ["ingest", ".", "--encoding", "klingon"],
        ["ingest", ".", "--encoding", "base64"],
        ["ingest", ".", "--at", "soon"],
        ["--mind", "a:b", "stats"],
        ["--mind", "", "stats"],
        ["stats", "--mind", "nul"],
        ["init", "a*b", "--embedder", "hashing"],
        ["demo", "--embedder", "hashing", "--keep", "a:b"],
        ["init", "", "--embedder", "hashing"],
        ["cypher", "RETURN 1", "-p", "x"],
        ["cypher", "RETURN 1", "--limit", "many"],
        ["list", "--limit", "99999999999999999999"],
        ["list", "--offset", "-1"],
        ["show", "a", "b"],
    ],
)
def test_what_is_not_understood_is_exit_code_2_and_says_why(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Error: " in result.stderr and "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--mind", "nobody", "stats"], "nobody"),
        (["show", "nobody"], "nobody"),
        (["ask", "a", "--why", "nobody"], "nobody"),
        (["ask", "--batch", "nowhere.jsonl"], "nowhere.jsonl"),
        (["ask", "--query", "nowhere.json"], "nowhere.json"),
        (["ingest", "nowhere"], "nowhere"),
        (["cypher", "MATCH (n"], ""),
        (["cypher", "RETURN '\udcff'"], "not text"),
        (["query", "mind.said", "-p", "speaker=\udcff", "-p", "word=a", "-p", "limit=1"], "not text"),
        (["query", "mind.said", "-p", "speaker=a"], "limit, word"),
        (["show", "\udcff"], "udcff"),
        (["reembed", "api:foo"], "SOULMEM_EMBED_BASE_URL"),
        (["cypher", "CREATE NODE TABLE X(id STRING PRIMARY KEY)"], "schema"),
        (["cypher", "CREATE NODE TABLE X(id STRING PRIMARY KEY)", "--write"], "schema"),
        (["cypher", "MATCH (n:Semantic) DETACH DELETE n"], "--write"),
        (["cypher", "COPY Semantic TO 'a.csv'"], ""),
        (["init", "小红", "--embedder", "hashing"], "小红"),
        (["export", "missing/graph.json"], "missing"),
    ],
)
def test_what_is_wrong_with_the_input_is_exit_code_1_without_a_traceback(run: Run, arguments: list[str], told: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("soulmem: error: ") and told in result.stderr
    assert "fault of soulmem" not in result.stderr and "Traceback" not in result.stderr


def test_debug_shows_where_an_error_came_from(run: Run) -> None:
    for arguments in (["--debug", "show", "nobody"], ["show", "nobody", "--debug"]):
        result = run(*arguments)
        assert isinstance(result.exception, NotFoundError), result.output


def raising(error: BaseException) -> Commands:
    """The program with one command, which raises ``error``."""

    class OneCommand(Commands):
        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
            def fail() -> None:
                raise error

            return click.Command("fail", callback=fail)

    return OneCommand("soulmem", params=app.params)


def invoked(error: BaseException, *arguments: str) -> Any:
    return CliRunner().invoke(raising(error), [*arguments, "fail"])


def test_errors_say_what_where_and_what_to_do() -> None:
    result = invoked(QueryError("no such thing", place="a.json:3", advice="Do this."))
    assert (result.exit_code, result.stderr) == (1, "soulmem: error: a.json:3: no such thing\n  Do this.\n")
    result = invoked(PermissionError(13, "Permission denied", "a.mind"))
    assert (result.exit_code, result.stderr) == (1, "soulmem: error: a.mind: Permission denied\n")


def test_a_fault_of_the_program_is_called_so_and_hides_nothing_from_debug() -> None:
    result = invoked(ZeroDivisionError("oh"))
    assert result.exit_code == 1
    assert "ZeroDivisionError: oh" in result.stderr and "--debug" in result.stderr
    assert isinstance(invoked(ZeroDivisionError("oh"), "--debug").exception, ZeroDivisionError)


def test_ctrl_c_is_exit_code_130() -> None:
    result = invoked(KeyboardInterrupt())
    assert (result.exit_code, result.stderr) == (130, "\n")
    assert invoked(KeyboardInterrupt(), "--debug").exit_code == 130


def test_of_an_interrupt_only_what_we_say_ourselves_is_told() -> None:
    result = invoked(KeyboardInterrupt("decoding with 'utf-8-sig' codec failed (KeyboardInterrupt: )"))
    assert (result.exit_code, result.stderr) == (130, "\n")
    result = invoked(ToldInterrupt("Half of it\x07 is there."))
    assert (result.exit_code, result.stderr) == (130, "\nHalf of it\\x07 is there.\n")


@pytest.mark.parametrize(("cause", "code", "told"), [(KeyboardInterrupt(), 130, "\n"), (EOFError(), 1, "Aborted!\n")])
@pytest.mark.parametrize("ask", [click.confirm, click.prompt])
def test_ctrl_c_at_a_question_is_exit_code_130_and_the_end_of_input_is_not(
    monkeypatch: pytest.MonkeyPatch, ask: Callable[[str], object], cause: BaseException, code: int, told: str
) -> None:
    def interrupted(*_: object) -> None:
        raise cause

    monkeypatch.setattr("click.termui._readline_prompt", interrupted)
    group = Commands("soulmem")
    monkeypatch.setattr(group, "get_command", lambda *_: click.Command("asks", callback=lambda: ask("Sure?")))
    result = CliRunner().invoke(group, ["asks"])
    assert result.exit_code == code and result.stderr.endswith(told) and "Traceback" not in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_in_the_middle_of_the_input(process: Start) -> None:
    running = process("ask", "--batch", "-", stdin=subprocess.PIPE)
    assert running.stdin is not None
    # More than a pipe holds: once it is written, the command is reading.
    running.stdin.write(b" " * 2**20)
    running.stdin.flush()
    running.send_signal(signal.SIGINT)
    _, told = running.communicate()
    assert (running.returncode, told) == (130, b"\n")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_ctrl_c_while_files_are_read_tells_what_of_them_is_there(process: Start, more: tuple[str, ...]) -> None:
    running = process("ingest", "-", *more, stdin=subprocess.PIPE)
    assert running.stdin is not None
    running.stdin.write(b" " * 2**20)
    running.stdin.flush()
    running.send_signal(signal.SIGINT)
    _, told = running.communicate()
    assert running.returncode == 130 and (b"nothing of the file that was being read is in the mind" in told) == (not more)
    assert process("doctor").wait() == 0


@pytest.mark.parametrize(("typed", "meant"), [("ingst", "ingest"), ("Ask", "ask"), ("restor", "restore"), ("xyzzy", None)])
def test_the_nearest_command_is_suggested(run: Run, typed: str, meant: str | None) -> None:
    told = run(typed, "x")
    assert told.exit_code == 2 and f"No such command {typed!r}." in told.stderr
    assert (f"Did you mean {meant!r}?" in told.stderr) == (meant is not None)


ENDLESS = "UNWIND range(1, 100000) AS i UNWIND range(1, 100000) AS j RETURN sum(i * j) AS s"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_stops_a_statement(process: Start) -> None:
    running = process("cypher", "--csv", stdin=subprocess.PIPE)
    assert running.stdin is not None and running.stdout is not None
    running.stdin.write(f"RETURN 1 AS a; {ENDLESS};".encode())
    running.stdin.close()
    assert running.stdout.readline() == b"a\r\n"  # the first statement is done
    running.send_signal(signal.SIGINT)
    assert running.wait() == 130
    assert process("doctor").wait() == 0


def test_a_statement_has_its_time(run: Run) -> None:
    result = run("cypher", ENDLESS, "--timeout", "0.2")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "longer than 0.2 seconds" in result.stderr and "--timeout" in result.stderr
    assert run("cypher", "RETURN 1", "--timeout", "0").exit_code == 2


@pytest.mark.skipif(sys.platform != "linux", reason="a limit that Linux has")
def test_a_statement_does_not_eat_the_machine(process: Start) -> None:
    running = process("cypher", "RETURN size(range(1, 50000000))")
    out, told = running.communicate()
    assert (running.returncode, out) == (1, b"") and b"more memory" in told


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
@pytest.mark.parametrize("arguments", [["--help"], ["list"], ["export", "-"]])
def test_a_reader_that_goes_away_is_no_drama(process: Start, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    running = process(*arguments, stdout=writing)
    os.close(writing)
    _, told = running.communicate()
    assert (running.returncode, told) == (1, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="shells of POSIX")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["--version", "ask 小白 --peek"])
def test_closed_streams_are_no_drama(environment: dict[str, str | None], tmp_path: Path, command: str, closed: str) -> None:
    variables = {name: value for name, value in (dict(os.environ) | environment).items() if value is not None}
    line = f"{sys.executable} -m soulmem_cli {command} {closed}"
    done = subprocess.run(line, shell=True, env=variables, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0 and b"Traceback" not in done.stderr and b"fault" not in done.stderr
    assert bool(done.stdout) == (closed == "2>&-")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [["--version"], ["list"], ["cypher", "RETURN 1", "--csv"]])
def test_a_full_disk_is_told(process: Start, arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        running = process(*arguments, stdout=full)
        _, told = running.communicate()
    assert running.returncode == 1
    assert b"No space left on device" in told and b"Traceback" not in told


def test_pipes_get_utf_8_whatever_the_locale_is(process: Start) -> None:
    running = process("list", "--json", variables={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    out, told = running.communicate()
    assert running.returncode == 0, told
    assert "小白" in out.decode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
@pytest.mark.parametrize(("no_color", "coloured"), [("1", False), ("", True)])
def test_a_terminal_gets_colours_unless_no_color_is_set(process: Start, no_color: str, coloured: bool) -> None:
    seen = on_a_terminal(process, "ask", "小白", "--peek", variables={"NO_COLOR": no_color, "TERM": "xterm-256color"})
    assert "小白" in seen
    assert ("\x1b[36m" in seen) == coloured


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run: Run, shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert f"_SOULMEM_COMPLETE={shell}_complete" in result.stdout


def test_completion_knows_commands_and_minds(process: Start) -> None:
    def completed(words: str, number: int) -> str:
        asked = {"_SOULMEM_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(number)}
        out, told = process(variables=asked).communicate()
        assert told == b""
        return out.decode("utf-8")

    assert {"plain,doctor", "plain,diff", "plain,demo"} == set(completed("soulmem d", 1).split())
    assert "plain,小红" in completed("soulmem ask --mind 小", 3)
