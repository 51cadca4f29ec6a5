"""What the two README pages tell people to type is understood, and says which mind is meant."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from soulmem_cli.app import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "README.zh.md"]


def typed(page: str) -> list[list[str]]:
    """What stands after the prompts of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [shlex.split(line) for line in re.findall(r"^\$ (.+)$", text, re.MULTILINE)]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_is_understood(page: str) -> None:
    commands = [words[1:] for words in typed(page) if words[0] == "soulmem"]
    assert len(commands) >= 5
    for name, *arguments in commands:
        command = app.get_command(click.Context(app), name)
        assert command is not None
        command.make_context(name, list(arguments), parent=click.Context(app, **app.context_settings))


@pytest.mark.parametrize("page", PAGES)
def test_the_mind_is_named_right_after_it_was_made(page: str) -> None:
    made, named = typed(page)[:2]
    assert made[:2] == ["soulmem", "init"]
    assert named == ["export", f"SOULMEM_MIND={made[2]}"]


@pytest.mark.parametrize("page", PAGES)
def test_numbers_do_not_depend_on_the_day(page: str) -> None:
    days = [words[words.index("--at") + 1] for words in typed(page) if words[1] in ("ask", "ingest")]
    assert len(days) >= 3 and all(re.fullmatch(r"2026-07-0\d", day) for day in days)


@pytest.mark.parametrize("page", PAGES)
def test_the_files_named_are_there(page: str) -> None:
    files = [word for words in typed(page) for word in words if word.startswith("fixtures/")]
    assert files and all((ROOT / file).exists() for file in files)
