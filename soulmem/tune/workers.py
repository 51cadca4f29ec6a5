"""Work spread over processes: the results come in the order of the work, whoever did what, and nobody is left behind."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from soulmem.errors import StoreError

Task = TypeVar("Task")
Result = TypeVar("Result")

#: A process of its own takes seconds to begin; it is worth it from so many answers on.
_WORTH_A_PROCESS = 40


@dataclass(frozen=True, slots=True)
class _Failed:
    error: Exception


def processes(answers: int) -> int:
    """How many processes are worth beginning for so many answers: at most one for each processor."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, answers // _WORTH_A_PROCESS))


def spread(
    begin: Callable[[ExitStack], Callable[[Task], Result]],
    tasks: Sequence[Task],
    jobs: int,
    done: Callable[[Task], None] | None = None,
) -> list[Result]:
    """The result of every task, in the order of ``tasks``.

    ``begin(ending)`` makes the function that does a task, in each process once; what must be closed goes into ``ending``. With
    one job all is done in this process; with more, ``begin``, tasks and results must be picklable. ``done`` is told of every
    task that is done. The first error of a worker is raised here; then, as on Ctrl-C, all processes are ended at once.
    """
    jobs = min(jobs, len(tasks))
    if jobs > 1:
        return _Pool(begin, tasks, jobs, done).run()
    results = []
    with ExitStack() as ending:
        work = begin(ending)
        for task in tasks:
            results.append(work(task))
            if done:
                done(task)
    return results


class _Pool(Generic[Task, Result]):
    """Processes that ask for a task whenever they have done one."""

    def __init__(
        self,
        begin: Callable[[ExitStack], Callable[[Task], Result]],
        tasks: Sequence[Task],
        jobs: int,
        done: Callable[[Task], None] | None,
    ) -> None:
        self._begin, self._tasks, self._jobs, self._done = begin, tasks, jobs, done
        self._results: dict[int, Result] = {}
        self._next = 0

    def run(self) -> list[Result]:
        # Spawned, not forked: neither the engine nor its threads survive a fork.
        context = get_context("spawn")
        lines: dict[Connection, Any] = {}
        try:
            with _no_interrupts():
                for _ in range(self._jobs):
                    ours, theirs = context.Pipe()
                    process = context.Process(target=_serve, args=(theirs,), daemon=True)
                    process.start()
                    theirs.close()
                    lines[ours] = process
            for line, process in lines.items():
                self._send(line, process, self._begin)
                self._hand_out(line, process)
            while len(self._results) < len(self._tasks):
                ready = wait(list(lines))
                for line in [line for line in lines if line in ready]:
                    self._take(line, lines[line])
        finally:
            _end(lines)
        return [self._results[number] for number in range(len(self._tasks))]

    def _hand_out(self, line: Connection, process: Any) -> None:
        if self._next < len(self._tasks):
            self._send(line, process, (self._next, self._tasks[self._next]))
            self._next += 1

    def _send(self, line: Connection, process: Any, value: Any) -> None:
        try:
            line.send(value)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise _ended(process) from error

    def _take(self, line: Connection, process: Any) -> None:
        try:
            number, result = line.recv()
        except (EOFError, ConnectionResetError) as error:
            raise _ended(process) from error
        if isinstance(result, _Failed):
            raise result.error
        self._results[number] = result
        if self._done:
            self._done(self._tasks[number])
        self._hand_out(line, process)


def _ended(process: Any) -> StoreError:
    process.join(1.0)
    what = f"a worker process ended before its work was done (exit code {process.exitcode})"
    return StoreError(what, advice="Try fewer processes: --jobs 1.")


def _end(lines: dict[Connection, Any]) -> None:
    for line, process in lines.items():
        line.close()
        process.terminate()
    for process in lines.values():
        process.join()
        process.close()


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Ctrl-C waits until this is over, so that no process is started and then forgotten. Those started within never see it: they
    are ended by this one. Only the main thread is ever interrupted."""
    came: list[int] = []
    is_main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, lambda number, _: came.append(number)) if is_main else None
    blocked = None
    try:
        if hasattr(signal, "pthread_sigmask"):
            # Handlers do not survive the start of another program, but what is blocked stays blocked there; unless
            # multiprocessing begins its own helper in between, which unblocks it.
            resource_tracker.ensure_running()
            blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        yield
    finally:
        if blocked is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        if is_main:
            signal.signal(signal.SIGINT, handler or signal.SIG_DFL)
    if came:
        raise KeyboardInterrupt


def _serve(line: Connection) -> None:
    """A worker's life: it is told what it is to do, then takes tasks until there is none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begin: Callable[[ExitStack], Callable[[Task], Result]] | None = _received(line)
    if begin is None:
        return
    with ExitStack() as ending:
        work: Callable[[Task], Result] | None = None
        while (given := _received(line)) is not None:
            number, task = given
            try:
                work = work or begin(ending)
                line.send((number, work(task)))
            except Exception as error:  # noqa: BLE001 - it is raised again where the work was asked for
                line.send((number, _Failed(error)))
                return


def _received(line: Connection) -> Any:
    try:
        return line.recv()
    except EOFError:  # whoever asked is gone
        return None
