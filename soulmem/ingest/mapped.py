"""The bytes of a file: small ones read, large ones mapped, so that a reader that goes through them holds only what it keeps."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from pathlib import Path

#: Files of more bytes are mapped.
MAPPED = 32 * 2**20

Data = bytes | mmap

_PIECE = 8 * 2**20


def contents(path: Path) -> Data:
    """The bytes of ``path``."""
    with path.open("rb") as file:
        if path.stat().st_size <= MAPPED:
            return file.read()
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def digest(data: Data) -> str:
    """SHA-256 (hex) of ``data``."""
    hashed = sha256()
    for begin in range(0, len(data), _PIECE):
        hashed.update(data[begin : begin + _PIECE])
        _let_go(data, begin, begin + _PIECE)
    return hashed.hexdigest()


def byte_lines(data: Data, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """The lines of ``data`` from ``start`` on that are not empty, with their 1-based numbers, without white space around them."""
    number, held = 0, 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        line, start, number = data[start:end].strip(b" \t\r"), end + 1, number + 1
        if line:
            yield number, line
        if start - held > _PIECE:
            _let_go(data, held, start)
            held = start


def _let_go(data: Data, begin: int, end: int) -> None:
    """Tell the system that a stretch of a mapped file is read, and need not be kept in memory."""
    if isinstance(data, mmap) and hasattr(data, "madvise"):
        from mmap import MADV_DONTNEED, PAGESIZE

        first = begin // PAGESIZE * PAGESIZE
        last = min(end, len(data)) // PAGESIZE * PAGESIZE
        if last > first:
            data.madvise(MADV_DONTNEED, first, last - first)
