"""What the tests of the command line share."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from click.testing import Result

from soulmem.examination import _examine

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

#: ``run(*arguments, input=…, VARIABLE=…)``: a command, run to its end.
Run = Callable[..., Result]
#: ``start(*arguments, stdin=…, variables={…})``: ``soulmem`` as a process of its own.
Start = Callable[..., subprocess.Popen[bytes]]


def beginning(chat: Path, lines: int) -> bytes:
    """The first lines of a chat file, its header included."""
    return b"".join(chat.read_bytes().splitlines(keepends=True)[:lines])


def on_a_terminal(start: Start, *arguments: str, typed: Sequence[str] = (), **settings: Any) -> str:
    """What ``soulmem`` shows on a terminal on which these lines are typed; it must succeed."""
    import pty

    ours, theirs = pty.openpty()
    running = start(*arguments, stdin=theirs, stdout=theirs, stderr=theirs, **settings)
    os.close(theirs)
    os.write(ours, "".join(f"{line}\n" for line in typed).encode())
    seen = b""
    with suppress(OSError):  # the other side is gone
        while more := os.read(ours, 65536):
            seen += more
    os.close(ours)
    text = seen.decode("utf-8")
    assert running.wait() == 0, text
    return text


def findings(mind: Path) -> tuple[str, ...]:
    """What ``soulmem doctor`` finds wrong with a mind that the engine can open: without the process it takes for it."""
    return _examine(mind).findings


def parsed(result: Result) -> Any:
    """The JSON a command printed; it must have succeeded and told nothing else on standard output."""
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)
