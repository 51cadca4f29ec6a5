"""``soulmem consolidate``: the plan as a diff, written whole or in part; with a model, without one, and with one that fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_mind import Run, findings, parsed
from click.testing import CliRunner

from soulmem_cli.app import app
from soulmem_cli.commands import consolidate

TALK = "Bo: I live in Bergen.\nAnn: I love old maps.\nBo: My sister is called Mia.\n"
AT = ("--at", "2026-03-08T12:00:00Z")
LATER = ("--at", "2026-03-08T13:00:00Z")
FIELDS = {"at", "dry_run", "messages", "left", "entries", "operation", "problems", "skipped"}
ENTRY = {"number", "sign", "kind", "text", "why", "sources", "accepted"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one mind, Ann, that has heard a talk."""
    home = tmp_path_factory.mktemp("heard")
    runner = CliRunner(env={"SOULMEM_HOME": str(home), "SOULMEM_MIND": None})
    for arguments, input in ((["init", "Ann", "--embedder", "hashing"], None), (["observe", *AT], TALK)):
        result = runner.invoke(app, arguments, input=input)
        assert result.exit_code == 0, result.output
    return home


@pytest.fixture
def script(tmp_path: Path, environment: dict[str, str | None]):
    """Configure a model that gives these answers."""

    def scripted(*answers: object, **settings: str) -> None:
        path = tmp_path / "answers.json"
        path.write_text(json.dumps(answers), encoding="utf-8")
        environment["SOULMEM_MODEL_NAME"] = f"scripted:{path}"
        environment["SOULMEM_MODEL_ATTEMPTS"] = "1"
        environment.update(settings)

    return scripted


def test_a_dry_run_shows_the_plan_and_writes_nothing(run: Run) -> None:
    before = run("export").stdout
    shown = run("consolidate", "--dry-run", *LATER)
    assert shown.exit_code == 0 and "nothing was written" in shown.stderr
    lines = shown.stdout.splitlines()
    assert any(line.startswith("+") and "Bo lives in Bergen" in line and "[live:default:1]" in line for line in lines)
    assert run("export").stdout == before


def test_json_has_its_fields_and_nothing_else_is_on_standard_output(run: Run) -> None:
    plan = parsed(run("consolidate", "--dry-run", "--json", *LATER))
    assert plan.keys() == FIELDS and {frozenset(entry) for entry in plan["entries"]} == {frozenset(ENTRY)}
    assert (plan["dry_run"], plan["messages"], plan["left"], plan["operation"]) == (True, 3, 0, None)
    done = parsed(run("consolidate", "--json", *LATER))
    assert done["operation"] and [entry["text"] for entry in done["entries"]] == [entry["text"] for entry in plan["entries"]]
    again = parsed(run("consolidate", "--json", *LATER))
    assert (again["messages"], again["operation"], again["entries"]) == (0, None, [])


@pytest.mark.parametrize("option", ["--accept", "--reject"])
def test_the_plan_is_written_in_part(run: Run, option: str) -> None:
    plan = parsed(run("consolidate", "--dry-run", "--json", *LATER))["entries"]
    number = next(entry["number"] for entry in plan if entry["text"] == "Ann loves old maps")
    others = f"1-{number - 1}" if option == "--accept" else str(number)
    done = parsed(run("consolidate", option, others, "--json", *LATER))
    left_out = {entry["number"] for entry in done["entries"] if not entry["accepted"]}
    assert left_out == ({entry["number"] for entry in plan} - set(range(1, number)) if option == "--accept" else {number})
    told = run("list", "--json").stdout
    assert "Bo lives in Bergen" in told and "Ann loves old maps" not in told
    assert parsed(run("consolidate", "--json", *LATER))["entries"] == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--accept", "0"], "'0' is not a number"), (["--accept", "3-1"], "'3-1'"), (["--reject", "one"], "'one'"),
        (["--accept", "1", "--reject", "2"], "not both"), (["--reject", "999"], "no entry 999"), (["--accept", ""], "''"),
    ],
)  # fmt: skip
def test_numbers_that_are_none_are_refused(run: Run, arguments: list[str], told: str) -> None:
    result = run("consolidate", *arguments, *LATER)
    assert result.exit_code == 2 and told in result.stderr and result.stdout == ""


def test_an_empty_mind_has_nothing_to_consolidate(run: Run) -> None:
    assert run("init", "empty", "--embedder", "hashing").exit_code == 0
    report = parsed(run("consolidate", "--mind", "empty", "--json"))
    assert (report["messages"], report["entries"], report["operation"]) == (0, [], None)
    assert "nothing was to be written" in run("consolidate", "--mind", "empty").stderr


BERGEN = {
    "facts": [{"content": "Bo", "description": "Bo is at home in Bergen", "category": "identity", "messages": [1]}],
}


def test_a_model_draws_the_memories_and_its_cost_is_told(run: Run, script) -> None:
    script({"for": "split", "json": BERGEN}, {"for": "link", "json": {"links": []}})
    result = run("consolidate", *LATER)
    assert result.exit_code == 0 and "Bo is at home in Bergen" in result.stdout
    assert "2 calls" in result.stderr and "tokens" in result.stderr and "calls" not in result.stdout


def test_no_model_asks_nobody(run: Run, script) -> None:
    script({"error": "unreachable", "repeat": True})
    result = run("consolidate", "--no-model", *LATER)
    assert result.exit_code == 0 and "Bo lives in Bergen" in result.stdout and "call" not in result.stderr


def test_in_part_the_model_is_asked_once(run: Run, script) -> None:
    script({"for": "split", "json": BERGEN}, {"for": "link", "json": {"links": []}})
    result = run("consolidate", "--reject", "1", *LATER)
    assert result.exit_code == 0 and "2 calls" in result.stderr and "anew" in result.stderr
    assert "Bo is at home in Bergen" in result.stdout and "(left out)" in result.stdout


def test_prompts_are_shown_and_nobody_is_asked(run: Run, script) -> None:
    script({"error": "unreachable", "repeat": True})
    before = run("export").stdout
    result = run("consolidate", "--prompts", *LATER)
    assert result.exit_code == 0 and "[split]" in result.stdout and "Bo: I live in Bergen." in result.stdout
    assert run("export").stdout == before and "failed" not in run("log").stdout
    assert run("consolidate", "--no-model", *LATER).exit_code == 0
    assert "nothing to consolidate" in run("consolidate", "--prompts", *LATER).stderr


def test_prompts_without_a_model_say_what_to_set(run: Run) -> None:
    result = run("consolidate", "--prompts", *LATER)
    assert result.exit_code == 1 and "model.name" in result.stderr and result.stdout == ""


def test_a_provider_that_is_down_is_told_and_what_happens_next(run: Run, script, home: Path) -> None:
    script({"error": "unreachable", "repeat": True})
    before = run("export").stdout
    for _ in range(2):
        result = run("consolidate", *LATER)
        assert result.exit_code == 1 and result.stdout == ""
        assert "unreachable" in result.stderr and "the third time without the model" in result.stderr
        assert "Traceback" not in result.stderr and run("export").stdout == before
    dry = run("consolidate", "--dry-run", "--no-model", *LATER)
    assert dry.exit_code == 0
    result = run("consolidate", *LATER)
    assert result.exit_code == 0 and "Bo lives in Bergen" in result.stdout and "consolidated without it" in result.stderr
    assert findings(home / "minds" / "Ann.mind") == ()


def test_an_answer_that_is_none_is_told_and_the_rules_do_it(run: Run, script) -> None:
    script({"text": "I cannot help with that.", "repeat": True})
    result = run("consolidate", *LATER)
    assert result.exit_code == 0 and "Bo lives in Bergen" in result.stdout and "without the model" in result.stderr


@pytest.mark.parametrize(
    ("more", "done", "told"),
    [
        ((), False, "Interrupted: nothing of it is in the mind; the same messages are consolidated the next time."),
        ((), True, "Interrupted: all of it is in the mind already, as operation "),
        (("--dry-run",), False, ""),
    ],
)
def test_ctrl_c_tells_what_is_in_the_mind(
    run: Run, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], done: bool, told: str
) -> None:
    whole = consolidate._run

    def interrupted(*how: Any) -> None:
        if done:
            whole(*how)
        raise KeyboardInterrupt

    before = parsed(run("log", "--json"))
    monkeypatch.setattr(consolidate, "_run", interrupted)
    result = run("consolidate", *more, *LATER)
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr.startswith(f"\n{told}") and (bool(told) or result.stderr == "\n")
    assert (parsed(run("log", "--json")) != before) == done
