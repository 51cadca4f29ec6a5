"""Private folders for copies of minds that are being made, and what a killed process left of them.

Such a folder bears a lock that its process holds: the system lets go of it when the process ends, however it ends. So a folder
whose lock is free is rubbish, and may hold what a mind has forgotten since.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

try:
    import fcntl
except ImportError:  # Windows: there a folder counts as left when it has grown old
    fcntl = None  # type: ignore[assignment]

#: What comes in the names of such folders after the name of what is made there.
_MARK = ".soulmem-"
_LOCK = "lock"
#: A folder without a lock that can be tried is left if it was not touched for so long, seconds.
_OLD_SECONDS = 24 * 3600.0
#: So long a process may take between making the folder and its lock, seconds.
_YOUNG_SECONDS = 10.0


@contextmanager
def workplace(folder: Path, name: str) -> Iterator[Path]:
    """A new private folder in ``folder``, for making ``name``. It goes with all that is in it."""
    place = Path(mkdtemp(dir=folder, prefix=f".{name}{_MARK}"))
    try:
        with (place / _LOCK).open("wb") as lock:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def workplaces(folder: Path, names: tuple[str, ...] = ("",)) -> list[Path]:
    """All such folders in ``folder``, in use or left, for making what begins with one of ``names``."""
    begins = tuple(f".{name}" for name in names)
    found = folder.glob(f".*{_MARK}*") if folder.is_dir() else ()
    return sorted(place for place in found if place.name.startswith(begins) and place.is_dir() and not place.is_symlink())


def left_behind(folders: Iterable[Path], names: tuple[str, ...] = ("",)) -> list[Path]:
    """Those of :func:`workplaces` in ``folders`` whose process is gone."""
    return [place for folder in dict.fromkeys(folders) for place in workplaces(folder, names) if _is_left(place)]


def remove_left_behind(folders: Iterable[Path]) -> None:
    """Remove :func:`left_behind`, whatever was made there."""
    for place in left_behind(folders):
        shutil.rmtree(place, ignore_errors=True)  # another user's stay


def _is_left(place: Path) -> bool:
    with suppress(OSError):
        idle = time.time() - place.stat().st_mtime
        if not (place / _LOCK).exists():
            return idle > _YOUNG_SECONDS
        return _is_free(place / _LOCK) if fcntl is not None else idle > _OLD_SECONDS
    return False


def _is_free(lock: Path) -> bool:
    handle = os.open(lock, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True
