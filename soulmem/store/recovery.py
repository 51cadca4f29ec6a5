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
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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


def new_of(path: Path) -> Path:
    """A database file that is being written, to take the place of ``path``."""
    return Path(f"{path}.new")


#: Who may read a mind, and what is made of it: its owner alone.
PRIVATE = 0o600


def private(path: Path) -> BinaryIO:
    """A new file for a copy of a mind, open for writing, that its owner alone may read."""
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb")


def guard_log(path: Path) -> None:
    """Let those read the log of a mind who may read the mind: the engine makes it for all."""
    with suppress(FileNotFoundError):
        mode, log = stat.S_IMODE(path.stat().st_mode), log_of(path)
        if stat.S_IMODE(log.stat().st_mode) & ~mode:
            log.chmod(mode)


def cut_off(path: Path) -> list[Path]:
    """What a process that was killed left beside a mind, and may hold what the mind held."""
    look, new = _look_of(path), new_of(path)
    return [file for one in (new, look) for file in (one, *leftovers(one)) if file.exists()]


def remove_cut_off(path: Path) -> None:
    """Remove :func:`cut_off`. For who has the mind open for writing: nobody else writes such files then."""
    if cut_off(path):
        remove(new_of(path))
        remove(_look_of(path))


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


#: A mark is a few numbers; more is none of ours.
_MARK_BYTES = 200


def read_mark(path: Path) -> Mark | None:
    """The mark on a mind; ``None`` if there is none, or none that can be: it was not finished, so the commit had not begun."""
    try:
        with mark_of(path).open("rb") as file:
            values = json.loads(file.read(_MARK_BYTES))
        mark = Mark(values["operation"], values["log_bytes"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
    numbers = (mark.operation, mark.log_bytes)
    possible = all(type(number) is int for number in numbers) and 1 <= mark.operation < 2**63 and 0 <= mark.log_bytes < 2**63
    return mark if possible else None


def take_back(path: Path, mark: Mark) -> None:
    """Undo the commit: the log as long as it was. What was copied into the file belongs to nothing: a rewrite frees it."""
    shadow_of(path).unlink(missing_ok=True)
    log = log_of(path)
    if mark.log_bytes == 0:
        log.unlink(missing_ok=True)
    elif log.exists() and log.stat().st_size > mark.log_bytes:
        os.truncate(log, mark.log_bytes)


def _look_of(path: Path) -> Path:
    return Path(f"{path}.look")


def remove_look(path: Path) -> None:
    """Remove a copy to look at that was left by a process which was killed."""
    remove(_look_of(path))


@contextmanager
def copied(path: Path, file: BinaryIO) -> Iterator[Path]:
    """A copy of a closed mind, to look at what the engine makes of it. ``file``: the mind, open and held.

    Raises :class:`StoreError` if there is no room for it.
    """
    copy = _look_of(path)
    remove(copy)
    try:
        try:
            _copy(path, file, copy)
        except OSError as error:
            room = f"{path.stat().st_size / 2**20:.0f} MiB"
            what = (
                f"a write that was cut off must be cleared up first, which takes {room} of room beside the mind: {error.strerror}"
            )
            raise StoreError(what, place=str(path), advice="Make room, and open it again. Nothing is lost.") from error
        yield copy
    finally:
        remove(copy)


def _copy(path: Path, file: BinaryIO, copy: Path) -> None:
    for of in (log_of, shadow_of):
        if of(path).exists():
            shutil.copy(of(path), of(copy))
    with private(copy) as target:
        shutil.copyfileobj(file, target)


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("r+b")
    except OSError as error:
        what = f"a write that was cut off must be cleared up first, and the file cannot be written: {error.strerror}"
        raise StoreError(what, place=str(path), advice="Open it once where it, and its folder, may be written.") from error


@contextmanager
def held(path: Path) -> Iterator[BinaryIO]:
    """The mind, open, and no other process can open it inside.

    The system gives up a process's locks on a file when *any* descriptor of it is closed. So this is nothing to do while the
    process has the mind open, and inside, the file must not be opened again.
    """
    with _opened(path) as file:
        if fcntl is not None:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                advice = "Close the other program that has it open."
                raise MindLockedError("another process holds the mind", place=str(path), advice=advice) from error
        yield file


def leftovers(path: Path) -> list[Path]:
    """What belonged to a mind that is not there itself any more."""
    return [file for file in (log_of(path), shadow_of(path), mark_of(path)) if file.exists()]


def taken(path: Path) -> StoreError:
    """The error that says that a new mind cannot be made at ``path``."""
    return StoreError("something is there already", place=str(path), advice="Open it, or choose another name.")


def put(new: Path, path: Path) -> None:
    """Give ``new``, a closed database, the name ``path``. Raises :class:`StoreError` if something is there already."""
    try:
        os.link(new, path)
        new.unlink()
    except FileExistsError as error:
        raise taken(path) from error
    except FileNotFoundError as error:
        raise StoreError("another process is making a mind of this name", place=str(path), advice="Try again.") from error
    except OSError:  # a file system without links
        if path.exists():
            raise taken(path) from None
        new.rename(path)
