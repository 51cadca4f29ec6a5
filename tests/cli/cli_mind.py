"""What the tests of the command line share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import Result

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

#: ``run(*arguments, input=…, VARIABLE=…)``: a command, run to its end.
Run = Callable[..., Result]


def beginning(chat: Path, lines: int) -> bytes:
    """The first lines of a chat file, its header included."""
    return b"".join(chat.read_bytes().splitlines(keepends=True)[:lines])


def parsed(result: Result) -> Any:
    """The JSON a command printed; it must have succeeded and told nothing else on standard output."""
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)
