"""What a user sees when the engine breaks off: an error that says what to do, not a segmentation fault.

A damaged file can make the engine end the whole process. So the command runs in a child of the process that was started, forked
before anything is loaded, which takes a few milliseconds. The parent passes on the signals it is sent, and ends as the child
did; only where the child was ended by a fault it says so. Where the system cannot do that, the command runs as it is.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

#: Signals by which a process that does what it must not is ended.
FAULTS = frozenset(
    getattr(signal, name) for name in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGFPE", "SIGILL") if hasattr(signal, name)
)
#: Interrupts that are no further apart are one, seconds.
ONE_INTERRUPT = 1.0
_PASSED_ON = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")


def guarded(run: Callable[[], int]) -> int:
    """The exit code of ``run``; 1 where a fault ended it, which is told."""
    if not hasattr(os, "fork") or not hasattr(signal, "sigwaitinfo"):
        return run()
    watched = {signal.SIGCHLD, *(getattr(signal, name) for name in _PASSED_ON)}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    # Before there is a child: setting it drops a signal that has come already, of one that has ended at once.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    is_alive, held = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(held)
        _interrupt_once()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        _end_with_parent(is_alive)
        try:
            return run()
        finally:  # what is left is to end
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.close(is_alive)
    return _as_ended(_waited(child, watched))


def _interrupt_once() -> None:
    """An interrupt that another process sends to the whole group comes twice, the second time through the parent, and would break
    off what is closed after the first."""
    last = -ONE_INTERRUPT

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before >= ONE_INTERRUPT:
            signal.default_int_handler(number, frame)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)


def _end_with_parent(is_alive: int) -> None:
    """Whoever kills the process that was started means this one: nothing goes on behind their back."""

    def wait() -> None:
        os.read(is_alive, 1)
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=wait, name="guard", daemon=True).start()


def _waited(child: int, watched: set[signal.Signals]) -> int:
    """How the child ended. What is typed at a terminal reaches it by itself, what another process sends is passed on."""
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        came = signal.sigwaitinfo(watched)
        if came.si_signo != signal.SIGCHLD and came.si_pid:
            os.kill(child, came.si_signo)


def _as_ended(code: int) -> int:
    """The exit code, where a fault ended the child with a word about it; another signal ends this process too."""
    if code >= 0:
        return code
    if -code in FAULTS:
        sys.stderr.write(
            f"soulmem: error: the engine broke off ({signal.Signals(-code).name}): the file of the mind is probably damaged\n"
            "  See what is wrong with it with: soulmem doctor. Or take a backup instead: soulmem restore.\n"
        )
        return 1
    with suppress(OSError):  # of SIGKILL nothing can be set
        signal.signal(-code, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
    os.kill(os.getpid(), -code)
    return 128 - code
