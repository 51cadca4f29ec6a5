"""Lines from standard input as they come, with what else may happen meanwhile: quiet, the end, a signal to stop."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from queue import Empty, SimpleQueue
from typing import BinaryIO

from soulmem_cli.main import INTERRUPTED, TERMINATED

_CHUNK = 65_536
#: A line that has no end is cut here; bytes.
MOST_BYTES = 8_000_000


class Sign(Enum):
    """What comes in place of a line."""

    QUIET = "quiet"
    END = "end"
    INTERRUPTED = "interrupted"
    TERMINATED = "terminated"


class _Wake(Enum):
    """Wakes who waits for a line."""

    UP = "up"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, or SIGTERM, where it may cut into what is being done."""


#: The exit codes of what was stopped.
STOPPED = {Sign.INTERRUPTED: INTERRUPTED, Sign.TERMINATED: TERMINATED}


class Feed:
    """The lines of ``stream``, read by a thread of their own, so that waiting for them can be ended.

    A signal to stop never cuts into what is being done: it is found when the next line is asked for, before lines that wait.
    Only inside :meth:`interruptible` Ctrl-C does.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._queue: SimpleQueue[bytes | Sign | _Wake] = SimpleQueue()
        self._stop: Sign | None = None
        self._is_interruptible = False
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def next(self, quiet_seconds: float | None) -> bytes | Sign:
        """The next line without its end; :attr:`Sign.QUIET` if none comes in that time (``None``: wait for ever)."""
        while self._stop is None:
            try:
                found = self._queue.get(timeout=quiet_seconds)
            except Empty:
                return Sign.QUIET
            if self._stop is None and not isinstance(found, _Wake):
                return found
        return self._stop

    def drop_interrupt(self) -> bool:
        """Go on as if Ctrl-C had not been pressed; whether it was."""
        if self._stop is not Sign.INTERRUPTED:
            return False
        self._stop = None
        return True

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Inside, Ctrl-C and SIGTERM raise :class:`Interrupted`, at once; Ctrl-C is over with that."""
        self._is_interruptible = True
        try:
            if self._stop is not None:
                raise Interrupted
            yield
        finally:
            self._is_interruptible = False
            self.drop_interrupt()

    @property
    def is_stopped(self) -> bool:
        """Whether a signal to stop has come."""
        return self._stop is not None

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """Inside, SIGTERM, a closed terminal and Ctrl-C end the feed in place of the process."""
        signs = {signal.SIGINT: Sign.INTERRUPTED, signal.SIGTERM: Sign.TERMINATED}
        if hasattr(signal, "SIGHUP"):  # the terminal was closed
            signs[signal.SIGHUP] = Sign.TERMINATED

        def stop(number: int, frame: object) -> None:
            self._stop = signs[signal.Signals(number)]
            if self._is_interruptible:
                self._is_interruptible = False
                raise Interrupted
            self._queue.put(_Wake.UP)  # wakes who waits; a simple queue may be put to from here

        before = {number: signal.signal(number, stop) for number in signs}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _read(self, stream: BinaryIO) -> None:
        rest = b""
        for chunk in _chunks(stream):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._queue.put(line.removesuffix(b"\r"))
            if len(rest) > MOST_BYTES:
                self._queue.put(rest)
                rest = b""
        if rest:
            self._queue.put(rest.removesuffix(b"\r"))
        self._queue.put(Sign.END)


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    """What has come in, as it comes: not through the buffer of the stream, which nobody may hold when the process ends."""
    try:
        number = stream.fileno()
    except OSError:  # a stream in memory
        yield stream.read()
        return
    while chunk := os.read(number, _CHUNK):
        yield chunk
