"""What the commands tell in a scope."""

from __future__ import annotations

import json

import pytest
from cli_mind import Run, parsed

AT = ("--at", "2026-05-01T10:00:00Z")
ALL = (("ask", "zebra", "--peek", "--json"), ("window", "--json"), ("export", "-"))


@pytest.fixture
def talked(run: Run) -> Run:
    assert run("observe", "--scope", "direct:Bo", *AT, input="Bo: The zebra is ill.\n").exit_code == 0
    assert run("observe", "--scope", "group:tea", "--present", "Kai", *AT, input="Ann: A zebra? 别告诉小明\n").exit_code == 0
    lines = json.dumps({"speaker": "Eve", "text": "I drink tea.", "present": ["小红"]})
    acknowledged = run("observe", "--json", *AT, input=f"{lines}\n")
    assert parsed(acknowledged)["present"] == ["小红"]
    return run


def test_every_command_tells_only_what_may_be_heard(talked: Run) -> None:
    for command in ALL:
        assert "zebra is ill" in talked(*command).stdout or command[0] == "export"
        for scope in ("public", "group:work", "direct:Eve", "direct:小明"):
            result = talked(*command, "--as-heard-in", scope)
            assert result.exit_code == 0
            assert "zebra is ill" not in result.stdout and "A zebra" not in result.stdout
    assert "zebra is ill" in talked(*ALL[0], "--as-heard-in", "direct:BO").stdout
    assert "A zebra" in talked(*ALL[0], "--as-heard-in", "direct:kai").stdout


def test_why_tells_a_note_that_is_held_back_like_one_that_is_not_there(talked: Run) -> None:
    assert talked("consolidate").exit_code == 0
    keys = [row["key"] for row in parsed(talked("list", "--json")) if row["scope"] == "direct:Bo"]
    assert keys
    for key in (*keys, "nowhere"):
        result = talked("ask", "zebra", "--why", key, "--as-heard-in", "public")
        assert result.exit_code == 1
        assert result.stderr.replace(key, "nowhere") == talked("ask", "zebra", "--why", "nowhere").stderr


def test_list_and_show_tell_from_whom_a_note_is_kept(talked: Run) -> None:
    assert talked("consolidate").exit_code == 0
    kept = [row for row in parsed(talked("list", "--json")) if row["kept_from"]]
    assert {tuple(row["kept_from"]) for row in kept} == {("小明",)}
    assert parsed(talked("show", kept[0]["key"], "--json"))["note"]["kept_from"] == ["小明"]
    assert "小明" in talked("show", kept[0]["key"]).stdout


@pytest.mark.parametrize("command", [("ask", "x"), ("window",), ("export", "-"), ("chat",), ("observe",)])
def test_what_is_no_scope_is_refused(run: Run, command: tuple[str, ...]) -> None:
    option = "--scope" if command[0] in ("chat", "observe") else "--as-heard-in"
    result = run(*command, option, "secret", input="")
    assert result.exit_code == 2
    assert "direct:PERSON" in result.stderr


def test_a_chat_in_a_scope_is_in_it(talked: Run) -> None:
    said = talked("chat", "--scope", "group:work", "--as", "Kim", "--no-model", *AT, input="Is the zebra ill?\n/prompt\n")
    assert "zebra is ill" not in said.stdout + said.stderr
    own = talked("chat", "--as", "Kim", "--no-model", *AT, input="Is the zebra ill?\n")
    assert "zebra is ill" in own.stdout
