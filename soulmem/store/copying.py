"""A copy of a mind that is in use. To be made by a process of its own: when any of its descriptors is closed, the system gives up
a process's locks on a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from soulmem.errors import StoreError
from soulmem.store.recovery import log_of, mark_of, remove, shadow_of

#: How often a mind that is just being written to is tried, and how long is waited between, seconds.
TRIES = 60
PAUSE_SECONDS = 0.25
_CHUNK = 2**20


def copy_quiet(mind: Path, copy: Path, pause: Callable[[float], None]) -> None:
    """Copy a mind with its log at a moment when nobody writes to its file. ``pause`` waits so many seconds.

    Between two checkpoints the engine writes to its log only: a file that stayed as it was, and the log as long as it was then,
    are a mind as it was at that moment. Raises :class:`StoreError` where no such moment comes.
    """
    for _ in range(TRIES):
        before = _state(mind)
        if before is not None:
            log_bytes = before[-1]
            _copied(mind, copy, None)
            _copied(log_of(mind), log_of(copy), log_bytes)
            after = _state(mind)
            if after is not None and after[:-1] == before[:-1] and after[-1] >= log_bytes:
                return
            remove(copy)
        pause(PAUSE_SECONDS)
    raise StoreError("the mind is written to all the time", place=str(mind), advice="Try again in a quieter moment.")


def _state(mind: Path) -> tuple[int, ...] | None:
    """What changes when the mind's file is written to, and the length of its log; ``None`` while it is written to."""
    if shadow_of(mind).exists() or mark_of(mind).exists():
        return None
    there = mind.stat()
    try:
        log = log_of(mind).stat()
        return (there.st_ino, there.st_size, there.st_mtime_ns, log.st_ino, log.st_size)
    except FileNotFoundError:
        return (there.st_ino, there.st_size, there.st_mtime_ns, 0, 0)


def _copied(source: Path, target: Path, most: int | None) -> None:
    if most == 0:
        return
    try:
        with source.open("rb") as stream, target.open("wb") as out:
            for chunk in chunks(stream, most):
                out.write(chunk)
    except FileNotFoundError:
        target.unlink(missing_ok=True)  # the log went with a checkpoint: seen afterwards


def chunks(stream: IO[bytes], most: int | None) -> Iterator[bytes]:
    """The next ``most`` bytes of a stream, or all that are left, in pieces."""
    left = most
    while chunk := stream.read(_CHUNK if left is None else min(_CHUNK, left)):
        left = None if left is None else left - len(chunk)
        yield chunk
