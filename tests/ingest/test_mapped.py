"""Large files are gone through without being held, and read the same as small ones."""

from __future__ import annotations

from hashlib import sha256
from mmap import mmap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.ingest import mapped


@given(st.binary(max_size=200), st.integers(1, 60))
def test_pieces_are_all_of_it(data: bytes, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mapped, "PIECE", size)
        pieces = list(mapped.byte_pieces(data))
        assert b"".join(pieces) == data
        assert {len(piece) for piece in pieces[:-1]} <= {size}
        assert b"".join(mapped.byte_pieces(data, 3, max(3, len(data) - 4))) == data[3:-4]
        assert mapped.digest(data) == sha256(data).hexdigest()


def test_a_large_file_is_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"0123456789" * 2000)
    monkeypatch.setattr(mapped, "MAPPED", 10)
    monkeypatch.setattr(mapped, "PIECE", 4096)
    data = mapped.contents(tmp_path / "file")
    assert isinstance(data, mmap)
    assert b"".join(mapped.byte_pieces(data)) == b"0123456789" * 2000
    assert mapped.digest(data) == sha256(data[:]).hexdigest()
