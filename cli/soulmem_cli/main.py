"""The entry point. Nothing heavy is imported here, so that ``soulmem --version`` and completion answer at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

INTERRUPTED = 130
TERMINATED = 143


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``soulmem`` with ``arguments`` (by default those of the process) and return its exit code.

    0: done. 1: what was given, or the mind, is at fault. 2: the command was not understood. 130: Ctrl-C. 143: SIGTERM.
    Those of the process run guarded: see :mod:`soulmem_cli.guard`.
    """
    if arguments is not None or sys.argv[1:] == ["--version"]:
        return _ran(sys.argv[1:] if arguments is None else arguments)
    from soulmem_cli.guard import guarded

    _replace_closed()
    return guarded(lambda: _ran(sys.argv[1:]))


def _ran(arguments: Sequence[str]) -> int:
    given = list(arguments)
    _replace_closed()
    _write_utf8()
    _end_in_order()
    try:
        code = _run(given)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        return _unwritten(error)
    return code


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        from soulmem._version import __version__

        sys.stdout.write(f"soulmem {__version__}\n")
        return 0
    from soulmem_cli.app import app

    try:
        app.main(arguments, prog_name="soulmem")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


def _end_in_order() -> None:
    """SIGTERM ends the process as Ctrl-C does: what was opened is closed, what is temporary is removed."""
    import signal

    def end(number: int, frame: object) -> None:
        raise SystemExit(TERMINATED)

    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end)


def _unwritten(error: OSError) -> int:
    """The output could not be written to its end: because whoever reads it went away, which is no drama, or because there is no
    room for it, which is told."""
    # Python flushes once more when it ends, and would complain there.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if not isinstance(error, BrokenPipeError):
        sys.stderr.write(f"soulmem: error: cannot write the output: {error.strerror}\n")
    return 1


def _replace_closed() -> None:
    """Where a standard stream is closed, the next file opened would take its place, and be written to: a mind, for one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - open as long as the process


def _write_utf8() -> None:
    """Files and pipes get UTF-8 whatever the locale is; what a terminal cannot show is escaped rather than fatal."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
