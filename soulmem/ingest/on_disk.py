"""A large file that stays on the disk: what is asked of it is read, and it is noticed when somebody changes it meanwhile.

It is not mapped: the system ends a program (``SIGBUS``) that looks at a part of a mapped file which was cut off.
"""

from __future__ import annotations

import os
from pathlib import Path
from threading import Lock
from typing import overload
from weakref import finalize

from soulmem.errors import FormatError

_WINDOW = 2**20


class OnDisk:
    """The bytes of a file, as a sequence of which slices are read. It is open until nothing uses it any more.

    :raises FormatError: by anything that reads it, when the file is not what it was in the beginning."""

    __slots__ = ("__weakref__", "_as_it_was", "_file", "_lock", "_size")

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        finalize(self, os.close, self._file)
        self._lock = Lock()
        self._as_it_was = self._stamp()
        self._size = self._as_it_was[0]

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> bytes: ...
    def __getitem__(self, place: int | slice) -> int | bytes:
        if isinstance(place, slice):
            begin, end, step = place.indices(self._size)
            if step != 1:
                raise ValueError("a file is read forwards, and without gaps")
            return self._read(begin, max(0, end - begin))
        begin = place + self._size if place < 0 else place
        if not 0 <= begin < self._size:
            raise IndexError(place)
        return self._read(begin, 1)[0]

    def __bytes__(self) -> bytes:
        return self[:]

    def find(self, what: bytes, start: int = 0, end: int | None = None) -> int:
        """Where ``what`` begins for the first time within ``start`` … ``end``; -1 if nowhere."""
        begin, end, _ = slice(start, end).indices(self._size)
        for window in range(begin, end, _WINDOW):
            found = self[window : min(end, window + _WINDOW + len(what) - 1)].find(what)
            if found >= 0:
                return window + found
        return -1

    def rfind(self, what: bytes, start: int = 0, end: int | None = None) -> int:
        """Where ``what`` begins for the last time within ``start`` … ``end``; -1 if nowhere."""
        begin, end, _ = slice(start, end).indices(self._size)
        for window in reversed(range(begin, end, _WINDOW)):
            found = self[window : min(end, window + _WINDOW + len(what) - 1)].rfind(what)
            if found >= 0:
                return window + found
        return -1

    def check(self) -> None:
        """:raises FormatError: the file was changed since it was opened."""
        if self._stamp() != self._as_it_was:
            raise self._changed()

    def _stamp(self) -> tuple[int, int]:
        found = os.fstat(self._file)
        return found.st_size, found.st_mtime_ns

    def _read(self, begin: int, size: int) -> bytes:
        parts: list[bytes] = []
        try:
            with self._lock:
                os.lseek(self._file, begin, os.SEEK_SET)
                while size > 0 and (part := os.read(self._file, size)):
                    parts.append(part)
                    size -= len(part)
        except OSError as error:
            raise FormatError(f"cannot be read any more: {error.strerror or error}") from error
        if size:
            raise self._changed()
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _changed(self) -> FormatError:
        return FormatError(
            "the file was changed while it was read; nothing of it was taken",
            advice="Read it again when the program that writes it has finished.",
        )
