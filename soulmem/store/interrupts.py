"""Statements that can be stopped: by time, and by Ctrl-C at once.

The engine runs a statement without coming back to Python, so that Ctrl-C would wait for its end. It is run in a thread of its own
while the caller waits; what interrupts the waiting interrupts the engine. A few functions (``range`` above all) cannot be
interrupted while they make a single value.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from soulmem.errors import QueryError

Answer = TypeVar("Answer")

#: What the engine says of a statement that was interrupted, or whose time was over.
_INTERRUPTED = "Interrupted."
#: Seconds between looks at the thread: on some systems Ctrl-C is noticed only then.
_LOOK = 0.1


class Interruptible(Protocol):
    """A connection of the engine."""

    def set_query_timeout(self, timeout_in_ms: int) -> None: ...

    def interrupt(self) -> None: ...


def run_interruptibly(connection: Interruptible, run: Callable[[], Answer], *, timeout_seconds: float | None = None) -> Answer:
    """What ``run`` gives, which executes one statement on ``connection``. ``timeout_seconds`` > 0; ``None``: as long as it takes.

    Raises :class:`QueryError` when the time is over, and whatever interrupts the waiting, once the engine has let go of the
    statement.
    """
    outcome: list[Any] = []
    done = threading.Event()  # not join: interrupted, that takes a thread for ended which is not

    def work() -> None:
        try:
            outcome.extend((run(), None))
        except BaseException as error:  # noqa: BLE001 - raised again by who waits
            outcome.extend((None, error))
        finally:
            done.set()

    connection.set_query_timeout(0 if timeout_seconds is None else max(1, round(timeout_seconds * 1000)))
    thread = threading.Thread(target=work, name="statement", daemon=True)
    try:
        thread.start()
        while not done.wait(_LOOK):
            pass
    except BaseException:
        if thread.ident is not None:
            _stop(connection, done)
        raise
    finally:
        connection.set_query_timeout(0)
    answer, error = outcome
    if error is None:
        return answer  # type: ignore[no-any-return]
    if timeout_seconds is not None and str(error) == _INTERRUPTED:
        what = f"the statement was stopped: it took longer than {timeout_seconds:g} seconds"
        raise QueryError(what, advice="Ask for less, or allow more time (--timeout SECONDS).") from error
    raise error


def _stop(connection: Interruptible, done: threading.Event) -> None:
    """Nothing else may use the connection until its statement has ended, so this waits, whatever else interrupts."""
    while not done.is_set():
        with suppress(KeyboardInterrupt):
            connection.interrupt()  # again and again: one that comes before the statement is forgotten
            done.wait(_LOOK)
