"""``soulmem config`` on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from cli_mind import Run
from click.testing import Result

from soulmem_cli.commands.config import command

SUBCOMMANDS = ("show", "get", "set", "unset", "path", "test")


@pytest.fixture
def configured(run: Run, tmp_path: Path) -> Run:
    """Run with a configuration of the test's own."""

    def run_it(*arguments: str, **more: str | None) -> Result:
        none: dict[str, str | None] = {"SOULMEM_MODEL_NAME": None, "SOULMEM_MODEL_BASE_URL": None}
        return run("config", *arguments, **none | {"SOULMEM_CONFIG": str(tmp_path / "config.toml")} | more)

    return run_it


def parsed(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_has_help_with_an_example_and_explains_its_options(run: Run, name: str) -> None:
    assert isinstance(command, click.Group) and set(command.commands) == set(SUBCOMMANDS)
    result = run("config", name, "--help")
    assert result.exit_code == 0 and "soulmem config" in result.output.partition("\n")[2]
    assert all(option.help for option in command.commands[name].params if isinstance(option, click.Option))


def test_set_get_show_unset(configured: Run, tmp_path: Path) -> None:
    result = configured("set", "model.name", "openai/test")
    assert (result.exit_code, result.stdout) == (0, "") and "openai/test" in result.stderr
    assert parsed(configured("set", "model.timeout_seconds", "9", "--json")) == {"name": "model.timeout_seconds", "value": 9.0}
    assert configured("get", "model.name").stdout == "openai/test\n"
    assert parsed(configured("get", "model.timeout_seconds", "--json"))["value"] == 9.0
    rows = {row["name"]: (row["value"], row["origin"]) for row in parsed(configured("show", "--json", SOULMEM_MODEL_SCHEMA="no"))}
    assert rows["model.name"] == ("openai/test", "file") and rows["model.schema"] == ("no", "environment")
    assert rows["model.attempts"][1] == "default"
    told = configured("show").stdout
    assert "openai/test  (file)" in told and all(line.endswith(("(default)", "(file)")) for line in told.splitlines())
    assert parsed(configured("unset", "model.name", "--json")) == {"name": "model.name", "was_set": True}
    assert configured("get", "model.name").stdout == ""
    assert parsed(configured("path", "--json")) == {"path": str(tmp_path / "config.toml"), "exists": True}


def test_the_environment_is_named_where_it_comes_before_what_is_set(configured: Run) -> None:
    result = configured("set", "model.name", "openai/a", SOULMEM_MODEL_NAME="openai/b")
    assert "SOULMEM_MODEL_NAME" in result.stderr and result.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["set", "model.nam", "x"], "model.name"),
        (["set", "model.name", "sk-ant-abcdefghijk"], "ANTHROPIC_API_KEY"),
        (["set", "model.api_key", "x"], "SOULMEM_MODEL_API_KEY"),
        (["set", "model.temperature", "hot"], "model.temperature"),
        (["set", "damping", "0.5"], "--mind"),
        (["get", "nothing"], "model.name"),
        (["unset", "nothing"], "model.name"),
        (["--mind", "小红", "set", "model.name", "a/b"], "--mind"),
        (["--mind", "小红", "set", "dampin", "0.5"], "damping"),
        (["--mind", "小红", "set", "damping", "1"], "damping"),
        (["--mind", "小红", "set", "damping", "much"], "damping"),
        (["--mind", "小红", "unset", "dampin"], "damping"),
        (["test"], "model.name"),
    ],
)
def test_what_is_wrong_is_exit_code_1_and_says_what_to_do(configured: Run, arguments: list[str], told: str) -> None:
    result = configured(*arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("soulmem: error: ") and told in result.stderr
    assert "Traceback" not in result.stderr and "abcdefghijk" not in result.stderr


def test_constants_of_a_mind_are_one_operation_each_and_in_force(configured: Run, run: Run) -> None:
    before = parsed(run("log", "--json"))
    assert configured("--mind", "小红", "set", "max_results", "6").exit_code == 0
    assert configured("set", "--mind", "小红", "damping", "0.5").exit_code == 0
    rows = {row["name"]: (row["value"], row["origin"]) for row in parsed(configured("--mind", "小红", "show", "--json"))}
    assert rows["max_results"] == (6, "mind") and rows["damping"] == (0.5, "mind") and rows["bm25_b"][1] == "default"
    assert configured("--mind", "小红", "get", "max_results").stdout == "6\n"
    log = parsed(run("log", "--json"))
    assert [entry["command"] for entry in log[:2]] == ["config", "config"] and len(log) == len(before) + 2
    assert "damping=0.5" in log[0]["what"]
    assert parsed(configured("--mind", "小红", "unset", "damping", "--json"))["was_set"] is True
    assert parsed(configured("--mind", "小红", "unset", "damping", "--json"))["was_set"] is False
    assert configured("--mind", "小红", "get", "damping").stdout == "0.65\n"
    assert configured("--mind", "小红", "get", "max_results").stdout == "6\n"


def test_only_a_mind_that_is_named_is_changed(configured: Run, run: Run) -> None:
    before = parsed(run("log", "--json"))
    assert configured("set", "model.name", "a/b", SOULMEM_MIND="小红").exit_code == 0
    assert parsed(run("log", "--json")) == before


def test_what_only_a_mind_has_is_of_the_one_in_the_environment(configured: Run) -> None:
    assert configured("set", "max_results", "6", SOULMEM_MIND="小红").exit_code == 0
    assert configured("get", "max_results", SOULMEM_MIND="小红").stdout == "6\n"
    assert configured("--mind", "小红", "get", "max_results").stdout == "6\n"
    assert "--mind NAME" in configured("set", "max_results", "6", SOULMEM_MIND=None).stderr


def scripted(tmp_path: Path, *answers: Any) -> dict[str, str | None]:
    (tmp_path / "answers.json").write_text(json.dumps(list(answers)))
    return {"SOULMEM_MODEL_NAME": f"scripted:{tmp_path / 'answers.json'}"}


RIGHT = {"json": {"name": "Odile", "city": "Lisbon"}}


def test_a_model_is_tried(configured: Run, tmp_path: Path) -> None:
    value = parsed(configured("test", "--json", **scripted(tmp_path, RIGHT)))
    assert value["is_right"] is True and value["output_tokens"] > 0 and value["cost"] is None
    result = configured("test", **scripted(tmp_path, {"json": {"name": "Lisbon", "city": "Odile"}}))
    assert result.exit_code == 0 and "not right" in result.stderr and "cost not known" in result.stderr


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"error": 401}, "401"),
        ({"error": "timeout"}, "timeout"),
        ("It is Odile, in Lisbon.", "model.schema"),
        ("Error 429: Too Many Requests", "429"),
        ("", "answered nothing"),
    ],
)
def test_a_model_that_fails_is_exit_code_1_with_one_call(configured: Run, tmp_path: Path, answer: Any, told: str) -> None:
    result = configured("test", **scripted(tmp_path, answer))
    assert (result.exit_code, result.stdout) == (1, "")
    assert told in result.stderr and "Traceback" not in result.stderr and "no more answers" not in result.stderr


@pytest.mark.parametrize(
    "text", ["{", '["a", 1]', '[{"text": "a", "json": 1}]', '[{"txt": "a"}]', '[{"error": 200}]', '{"error": "x"}']
)
def test_a_script_that_is_none(configured: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "answers.json").write_text(text)
    result = configured("test", SOULMEM_MODEL_NAME=f"scripted:{tmp_path / 'answers.json'}")
    assert result.exit_code == 1 and "answers.json" in result.stderr
    assert configured("test", SOULMEM_MODEL_NAME="scripted:nowhere").exit_code == 1


def test_a_dry_run_shows_the_prompt(configured: Run) -> None:
    result = configured("test", "--dry-run", "--language", "zh", SOULMEM_MODEL_NAME="openai/none")
    assert result.exit_code == 0 and "<sentence>\n林晚去年搬到了杭州。\n</sentence>" in result.stdout


def test_paths_need_nothing_heavy() -> None:
    told = "import sys; sys.stderr.write(' '.join(sys.modules))"
    code = f"from soulmem_cli.main import main; assert main(['config', 'path']) == 0\n{told}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert not {"kuzu", "numpy", "litellm", "pydantic", "rich"} & set(done.stderr.split())
