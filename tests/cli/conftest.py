"""A mind made once by the command line itself, with the hashing embedder; each test works on a copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from cli_mind import FIXTURES, Run, beginning
from click.testing import CliRunner, Result

from soulmem_cli.app import app


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one mind, 小红: her graph, and the beginning of her chat."""
    home = tmp_path_factory.mktemp("made")
    runner = CliRunner(env={"SOULMEM_HOME": str(home), "SOULMEM_MIND": None})
    for arguments, input in (
        (["init", "小红", "--embedder", "hashing"], None),
        (["ingest", str(FIXTURES / "xiaohong" / "graph.json")], None),
        (["ingest", "-"], beginning(FIXTURES / "xiaohong" / "chat.jsonl", 60)),
    ):
        result = runner.invoke(app, arguments, input=input)
        assert result.exit_code == 0, result.output
    return home


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is looked for in the folder for temporary files is not what another test has put there."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    """A home of the test's own, with the mind 小红 in it."""
    return Path(shutil.copytree(made, tmp_path / "home"))


@pytest.fixture
def environment(home: Path, tmp_path: Path) -> dict[str, str | None]:
    return {
        "SOULMEM_HOME": str(home),
        "SOULMEM_MIND": None,
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "COLUMNS": None,
        "NO_COLOR": None,
        "FORCE_COLOR": None,
    }


@pytest.fixture
def run(environment: dict[str, str | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command as it would be run in an empty folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)

    def run_it(*arguments: str, input: str | bytes | None = None, **more: str | None) -> Result:
        return CliRunner(env=environment | more).invoke(app, list(arguments), input=input)

    return run_it


@pytest.fixture
def process(environment: dict[str, str | None], tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start ``soulmem`` as a process of its own."""
    variables = {name: value for name, value in (dict(os.environ) | environment).items() if value is not None}
    with ExitStack() as ending:

        def start(*arguments: str, **settings: Any) -> subprocess.Popen[bytes]:
            settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | settings
            env = variables | settings.pop("variables", {})
            running = subprocess.Popen([sys.executable, "-m", "soulmem_cli", *arguments], env=env, cwd=tmp_path, **settings)
            ending.enter_context(running)
            ending.callback(running.kill)
            return running

        yield start
