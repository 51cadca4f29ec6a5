"""Files: read with a word about what is wrong, and written whole: a crash leaves the old file or the new one."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from soulmem.errors import FormatError, InputError

#: Who may read a file, where nothing is said: everybody whom the process lets.
_ORDINARY = 0o666


def read_text(path: Path) -> str:
    """The text (UTF-8) of ``path``.

    Raises :class:`InputError` where it cannot be read, :class:`FormatError` for another encoding.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise FormatError("not UTF-8 text", place=str(path), advice="Save it as UTF-8.") from error


def write_whole(path: Path, content: str | bytes, *, mode: int | None = None) -> None:
    """Write ``content`` (a text as UTF-8) to ``path``. ``mode``: its permissions; ``None``: those of the file that is there, or
    the usual.

    Where a link leads to is written, the link stays; a device or pipe is written to as it is. Raises :class:`InputError` where
    writing is not possible.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        target = path.resolve()
        there = target.stat() if target.exists() else None
        if there is not None and not stat.S_ISREG(there.st_mode):
            with target.open("wb") as stream:
                stream.write(data)
            return
        _replace(target, data, mode if mode is not None else _usual(there))
    except (OSError, RuntimeError) as error:
        told = error.strerror if isinstance(error, OSError) else "its links lead in a circle"
        raise InputError(f"cannot write {path}: {told or error}") from error


def _replace(target: Path, data: bytes, mode: int) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _usual(there: os.stat_result | None) -> int:
    if there is not None:
        return stat.S_IMODE(there.st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return _ORDINARY & ~mask
