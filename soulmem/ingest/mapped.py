"""The bytes of a file: small ones read, large ones left on the disk, so that a reader that goes through them holds only what it
keeps."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from soulmem.ingest.on_disk import OnDisk

#: Files of more bytes are left on the disk.
MAPPED = 32 * 2**20

Data = bytes | OnDisk

#: Files are gone through in pieces of so many bytes.
PIECE = 2**20


def contents(path: Path) -> Data:
    """The bytes of ``path``."""
    data = OnDisk(path)
    return bytes(data) if len(data) <= MAPPED else data


def digest(data: Data) -> str:
    """SHA-256 (hex) of ``data``.

    :raises FormatError: it lies on the disk, and is not what it was when it was opened."""
    hashed = sha256()
    for piece in byte_pieces(data):
        hashed.update(piece)
    if isinstance(data, OnDisk):
        data.check()
    return hashed.hexdigest()


def byte_pieces(data: Data, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """The bytes from ``start`` up to ``end`` in pieces; of a file on the disk no more than one is held."""
    end = len(data) if end is None else end
    for begin in range(start, end, PIECE):
        yield bytes(data[begin : min(begin + PIECE, end)])


def byte_lines(data: Data, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """The lines of ``data`` from ``start`` on that are not empty, with their 1-based numbers, without white space around them."""
    for number, line in enumerate(_raw_lines(data, start), start=1):
        if bare := line.strip(b" \t\r"):
            yield number, bare


def _raw_lines(data: Data, start: int) -> Iterator[bytes]:
    begun: list[bytes] = []
    for piece in byte_pieces(data, start):
        first, *others = piece.split(b"\n")
        begun.append(first)
        for line in others:
            yield b"".join(begun)
            begun = [line]
    yield b"".join(begun)
