"""Limits for what a person runs freely: memory, and the patience after Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from soulmem_cli.main import INTERRUPTED
from soulmem_cli.terminal import say

#: What a statement may take beyond the engine's own pool, bytes. Some of its functions (``range``) ask the system for memory.
STATEMENT_BYTES = 2**30
#: Seconds the engine has after Ctrl-C to let go of a statement.
_PATIENCE = 2.0


@contextmanager
def memory_limited(more_bytes: int = STATEMENT_BYTES) -> Iterator[None]:
    """Let this process take no more than ``more_bytes`` beyond what it has; on Linux. What asks for more fails, and says so."""
    taken = _data_bytes()
    if taken is None:
        yield
        return
    import resource

    before, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = taken + more_bytes
    if before != resource.RLIM_INFINITY and before <= wanted:
        yield
        return
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, most))


def _data_bytes() -> int | None:
    """Private memory of this process as its limit counts it, where the system says so."""
    if sys.platform != "linux":
        return None
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def stopped_by_ctrl_c() -> Iterator[None]:
    """Ctrl-C interrupts what runs inside. If that does not end within two seconds, the process ends: as after a crash, what was
    written before is kept, and nothing of what was not finished."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupted, done = threading.Event(), threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        if not interrupted.is_set():
            interrupted.set()
            raise KeyboardInterrupt

    threading.Thread(target=_end_if_it_goes_on, args=(interrupted, done), daemon=True).start()
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        done.set()
        interrupted.set()


def _end_if_it_goes_on(interrupted: threading.Event, done: threading.Event) -> None:
    interrupted.wait()
    if not done.wait(_PATIENCE):
        say("\nThe engine does not stop; ended.")
        os._exit(INTERRUPTED)
