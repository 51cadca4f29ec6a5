"""A mind written out as Parquet files: whole, or not at all."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from soulmem.errors import InputError
from soulmem.export.forms import TABLES
from soulmem.soul import Soul

AT = datetime(2026, 5, 8, 12, tzinfo=UTC)


@contextmanager
def most_bytes(number: int) -> Iterator[None]:
    """No file becomes longer: as if the disk were full. Nor is bytecode written, of which half would be kept."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    writes_bytecode, sys.dont_write_bytecode = not sys.dont_write_bytecode, True
    resource.setrlimit(resource.RLIMIT_FSIZE, (number, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        sys.dont_write_bytecode = not writes_bytecode


def test_where_the_disk_is_full_nothing_is_written_and_that_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "out.parquet"
    with Soul.create(tmp_path / "a.mind", embedder="hashing", clock=lambda: AT) as soul:
        soul.ingest_bytes(b"Bo: I live in Halden.\nAnn: I know.\n", name="chat.txt")
        with pytest.raises(InputError, match=r"cannot write .*out\.parquet: File too large"), most_bytes(512):
            soul.export(folder)
        assert not folder.exists() and not list(tmp_path.glob(".out*"))
        soul.export(folder)
    assert {file.stem: pl.read_parquet(file).is_empty() for file in folder.iterdir()}.keys() == set(TABLES)
