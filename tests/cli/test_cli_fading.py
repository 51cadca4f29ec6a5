"""What fades, on the command line: what is left of it, the original, and what a model may guess."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from cli_mind import Run, parsed

QUESTION = "小白钻进衣柜里发抖"
KEY = "sit_wardrobe"


@pytest.fixture(autouse=True)
def fading(run: Run) -> None:
    """The situation fades: of a graph that somebody wrote it would not."""
    assert run("unpin", KEY).exit_code == 0


def faded(run: Run, *more: str) -> dict[str, object]:
    """The situation, as it is told when half of it is forgotten."""
    found = parsed(run("ask", QUESTION, "--at", _soon(run), "--json", "--peek", *more))
    memory: dict[str, object] = next(memory for memory in found["memories"] if memory["key"] == KEY)
    return memory


def _soon(run: Run) -> str:
    """A day after the note was written: half of it is forgotten then."""
    written = datetime.fromisoformat(parsed(run("show", KEY, "--json"))["note"]["decayed_at"])
    return (written + timedelta(days=1)).isoformat()


def test_ask_tells_what_is_left_and_with_original_what_was_written(run: Run) -> None:
    memory = faded(run)
    assert memory["fading"] == "Revised"
    assert memory["masked"] is True
    assert "〔…" in str(memory["text"])
    original = faded(run, "--original")
    assert original["text"] == memory["original"] == original["original"]
    assert original["masked"] is False


def test_show_tells_what_is_left_and_with_original_what_was_written(run: Run) -> None:
    at = _soon(run)
    shown = run("show", KEY, "--at", at).stdout
    assert "〔…" in shown
    assert "Revised" in shown
    assert "--original" in shown
    whole = run("show", KEY, "--at", at, "--original").stdout
    assert "〔…" not in whole
    view = parsed(run("show", KEY, "--at", at, "--json"))
    assert view["hidden"]
    assert view["present"] == view["texts"]["narrative"] == faded(run)["text"]
    assert view["original"] == view["note"]["body"]["narrative"]


def test_a_model_guesses_once_and_what_it_cannot_guess_is_told(run: Run, tmp_path: Path) -> None:
    at = _soon(run)
    gaps = len(parsed(run("show", KEY, "--at", at, "--json"))["hidden"])
    words = [f"词{number}" for number in range(gaps)]
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"text": "不知道。", "repeat": True}]), encoding="utf-8")
    model = {"SOULMEM_MODEL_NAME": f"scripted:{script}"}
    only = ("ask", QUESTION, "--at", at)
    told = run(*only, "--no-model", **model)
    assert told.exit_code == 0
    assert "guessed" not in told.stderr
    run("undo")
    told = run(*only, **model)
    assert told.exit_code == 0
    assert "was not guessed" in told.stderr
    assert parsed(run("show", KEY, "--json"))["note"]["revision"] is None
    run("undo")
    answer = {"lines": [{"line": number, "blanks": words} for number in range(1, 12)]}
    script.write_text(json.dumps([{"json": answer, "repeat": True}]), encoding="utf-8")
    run(*only, **model)
    revision = parsed(run("show", KEY, "--json"))["note"]["revision"]
    assert "词0" in revision["narrative"]
    assert "a model guessed" in run("show", KEY).stdout
    assert run("undo").exit_code == 0
    assert parsed(run("show", KEY, "--json"))["note"]["revision"] is None
