"""The entry point. Nothing heavy is imported here, so that ``soulmem --version`` and completion answer at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``soulmem`` with ``arguments`` (by default those of the process) and return its exit code.

    0: done. 1: what was given, or the mind, is at fault. 2: the command was not understood. 130: Ctrl-C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == ["--version"]:
        from soulmem._version import __version__

        sys.stdout.write(f"soulmem {__version__}\n")
        return 0
    _write_utf8()
    try:
        return _flushed(_run(given))
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: list[str]) -> int:
    from soulmem_cli.app import app

    try:
        app.main(arguments, prog_name="soulmem")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


def _flushed(code: int) -> int:
    """``code``, or 1 when whoever reads the output went away before the end of it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more when it ends, and would complain there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _write_utf8() -> None:
    """Files and pipes get UTF-8 whatever the locale is; what a terminal cannot show is escaped rather than fatal."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
