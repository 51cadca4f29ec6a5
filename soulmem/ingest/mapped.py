"""The bytes of a file: small ones read, large ones mapped, so that a reader that goes through them holds only what it keeps."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from pathlib import Path

#: Files of more bytes are mapped.
MAPPED = 32 * 2**20

Data = bytes | mmap

#: Files are gone through in pieces of so many bytes.
PIECE = 2**20


def contents(path: Path) -> Data:
    """The bytes of ``path``."""
    with path.open("rb") as file:
        if path.stat().st_size <= MAPPED:
            return file.read()
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def digest(data: Data) -> str:
    """SHA-256 (hex) of ``data``."""
    hashed = sha256()
    for piece in byte_pieces(data):
        hashed.update(piece)
    return hashed.hexdigest()


def byte_pieces(data: Data, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """The bytes from ``start`` up to ``end`` in pieces; of a mapped file no more than one is kept in memory."""
    end = len(data) if end is None else end
    for begin in range(start, end, PIECE):
        yield bytes(data[begin : min(begin + PIECE, end)])
        _let_go(data, begin, begin + PIECE)


def _let_go(data: Data, begin: int, end: int) -> None:
    """Tell the system that a stretch of a mapped file is read, and need not be kept in memory."""
    if isinstance(data, mmap) and hasattr(data, "madvise"):
        from mmap import MADV_DONTNEED, PAGESIZE

        first = begin // PAGESIZE * PAGESIZE
        last = min(end, len(data)) // PAGESIZE * PAGESIZE
        if last > first:
            data.madvise(MADV_DONTNEED, first, last - first)
