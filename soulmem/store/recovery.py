"""The mark that a bulk load is being committed, and how to take back one that was cut off.

The engine writes rows loaded with ``COPY FROM`` straight into the file, and keeps them with the checkpoint that ends the commit.
Its log has everything else of the transaction. So a process killed between the two leaves half a transaction: read again, the
log brings back the rows that were created one by one, but not those that were copied. Measured with Kùzu 0.11.3.

Hence the mark, a small file beside the mind (``NAME.mind.bulk``) that is there only while such a commit runs. It says which
journal entry is being written (itself a copied row: if it is there, all are) and how long the log was before. Whoever opens a
mind with a mark looks whether the entry is there, and cuts the log back if it is not: the whole transaction, or none of it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from soulmem.errors import MindLockedError, StoreError

try:
    import fcntl
except ImportError:  # Windows: opening a file that the engine holds fails there by itself
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Mark:
    """``operation``: the number of the journal entry. ``log_bytes``: length of the log before the commit."""

    operation: int
    log_bytes: int


def log_of(path: Path) -> Path:
    """The write-ahead log of a database file."""
    return Path(f"{path}.wal")


def shadow_of(path: Path) -> Path:
    """The pages a checkpoint is about to write into a database file."""
    return Path(f"{path}.shadow")


def mark_of(path: Path) -> Path:
    """The mark of a bulk commit, there or not."""
    return Path(f"{path}.bulk")


def remove(path: Path) -> None:
    """Remove a database file with all that belongs to it; the log first, which would break whatever took the file's place."""
    for file in (log_of(path), shadow_of(path), mark_of(path), path):
        file.unlink(missing_ok=True)


@contextmanager
def marked(path: Path, operation: int) -> Iterator[None]:
    """Inside, the mind bears the mark. It is left there if the commit fails."""
    log = log_of(path)
    mark = Mark(operation, log.stat().st_size if log.exists() else 0)
    with mark_of(path).open("w", encoding="utf-8") as file:
        json.dump(asdict(mark), file)
        file.flush()
        os.fsync(file.fileno())
    yield
    mark_of(path).unlink()


def read_mark(path: Path) -> Mark | None:
    """The mark on a mind; ``None`` if there is none or it was not finished: then the commit had not begun."""
    try:
        values = json.loads(mark_of(path).read_text(encoding="utf-8"))
        return Mark(int(values["operation"]), int(values["log_bytes"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def take_back(path: Path, mark: Mark) -> None:
    """Undo the commit: the log as long as it was. What was copied into the file belongs to nothing: a rewrite frees it."""
    shadow_of(path).unlink(missing_ok=True)
    log = log_of(path)
    if mark.log_bytes == 0:
        log.unlink(missing_ok=True)
    elif log.exists() and log.stat().st_size > mark.log_bytes:
        os.truncate(log, mark.log_bytes)


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """A copy of a closed mind, to look at what the engine makes of it."""
    copy = Path(f"{path}.look")
    remove(copy)
    try:
        for of in (log_of, shadow_of):
            if of(path).exists():
                shutil.copyfile(of(path), of(copy))
        shutil.copyfile(path, copy)
        yield copy
    finally:
        remove(copy)


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("r+b")
    except OSError as error:
        what = f"a write that was cut off must be cleared up first, and the file cannot be written: {error.strerror}"
        raise StoreError(what, place=str(path), advice="Open it once where it, and its folder, may be written.") from error


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Inside, no other process can open the mind. Not while this process has it open: that would give up the engine's lock."""
    with _opened(path) as file:
        if fcntl is not None:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                advice = "Close the other program that has it open."
                raise MindLockedError("another process holds the mind", place=str(path), advice=advice) from error
        yield
