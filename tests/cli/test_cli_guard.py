"""Whatever ends a command, whoever started it is told in order: a fault of the engine is an error with advice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(not hasattr(signal, "sigwaitinfo"), reason="the system cannot wait for signals")

#: A signal that comes right before a process sleeps is not noticed until it has slept.
WAIT = "while True: time.sleep(0.01)"
FAULTS = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGFPE", "SIGILL")


@contextmanager
def guarded(code: str, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A process that runs ``code``, of a function that returns an exit code, guarded."""
    body = "".join(f"    {line}\n" for line in code.splitlines())
    program = f"import os, signal, sys, time\nfrom soulmem_cli.guard import guarded\ndef run():\n{body}\nsys.exit(guarded(run))"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, stderr=pipe, text=True, **options) as running:
        yield running


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_an_error_with_advice(name: str) -> None:
    with guarded(f"os.kill(os.getpid(), signal.{name})") as running:
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (1, "")
    assert err.startswith("soulmem: error: the engine broke off")
    assert name in err
    assert "soulmem doctor" in err
    assert "soulmem restore" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("code", [0, 1, 2, 130])
def test_another_end_is_as_it_was(code: int) -> None:
    with guarded(f"print(sys.stdin.read(), end='')\nreturn {code}") as running:
        assert running.communicate("said", timeout=60) == ("said", "")
    assert running.returncode == code


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_is_passed_on(name: str) -> None:
    code = f"signal.signal(signal.{name}, lambda *_: sys.exit(7))\nprint('ready', flush=True)\n{WAIT}"
    with guarded(code) as running:
        assert running.stdout is not None
        running.stdout.readline()
        running.send_signal(getattr(signal, name))
        assert running.wait(60) == 7


def test_an_interrupt_of_the_whole_group_is_one() -> None:
    """It comes to the command by itself and then from the process that was started: what is being closed goes on."""
    code = """
try:
    print(os.getpid(), flush=True)
    while True: time.sleep(0.01)
except KeyboardInterrupt:
    print('interrupted', flush=True)
    sys.stdin.readline()
    time.sleep(0.01)
    print('closed')
    return 130"""
    with guarded(code) as running:
        assert running.stdout is not None
        os.kill(int(running.stdout.readline()), signal.SIGINT)
        assert running.stdout.readline() == "interrupted\n"
        running.send_signal(signal.SIGINT)
        assert running.communicate("\n", timeout=60) == ("closed\n", "")
    assert running.returncode == 130


def test_a_signal_that_ends_the_command_ends_what_was_started() -> None:
    with guarded("os.kill(os.getpid(), signal.SIGKILL)") as running:
        assert running.wait(60) == -signal.SIGKILL


def test_nothing_goes_on_behind_the_back_of_who_kills_it() -> None:
    with guarded("print(os.getpid(), flush=True)\ntime.sleep(60)") as running:
        assert running.stdout is not None
        child = int(running.stdout.readline())
        assert child != running.pid
        running.kill()
        assert running.stdout.read() == ""  # its end of the pipe is closed: it is gone
