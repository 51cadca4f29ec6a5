"""Large files are gone through without being held, and read the same as small ones."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from chat_files import FORMAT_OF, chat_bytes
from hypothesis import given
from hypothesis import strategies as st

from soulmem.ingest import Document, ingest, mapped, on_disk, read
from soulmem.ingest.ingest import Ingest
from soulmem.ingest.on_disk import OnDisk
from soulmem.soul import Soul

AT = datetime(2026, 1, 1, tzinfo=UTC)


@given(st.binary(max_size=200), st.integers(1, 60))
def test_pieces_are_all_of_it(data: bytes, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mapped, "PIECE", size)
        pieces = list(mapped.byte_pieces(data))
        assert b"".join(pieces) == data
        assert {len(piece) for piece in pieces[:-1]} <= {size}
        assert b"".join(mapped.byte_pieces(data, 3, max(3, len(data) - 4))) == data[3:-4]
        assert mapped.digest(data) == sha256(data).hexdigest()


@pytest.mark.parametrize("file", FORMAT_OF)
def test_a_file_on_the_disk_reads_as_one_that_is_held(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / file
    path.write_bytes(chat_bytes(file))
    monkeypatch.setattr(mapped, "MAPPED", 10)
    monkeypatch.setattr(mapped, "PIECE", 50)
    data = mapped.contents(path)
    assert isinstance(data, OnDisk)
    assert bytes(data) == chat_bytes(file)
    assert mapped.digest(data) == sha256(chat_bytes(file)).hexdigest()
    assert read(data, AT) == read(chat_bytes(file), AT)


@given(st.binary(max_size=200))
def test_lines_of_bytes(data: bytes) -> None:
    expected = [(number, line.strip(b" \t\r")) for number, line in enumerate(data.split(b"\n"), start=1)]
    assert list(mapped.byte_lines(data)) == [(number, line) for number, line in expected if line]


@given(st.binary(max_size=60), st.binary(max_size=3), *[st.integers(-70, 70) for _ in range(2)])
def test_a_file_on_the_disk_is_a_sequence_of_bytes(large: Path, data: bytes, what: bytes, start: int, end: int) -> None:
    large.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_disk, "_WINDOW", 7)
        on = OnDisk(large)
        assert (len(on), on[start:end], on[:], bytes(on)) == (len(data), data[start:end], data, data)
        with pytest.raises(ValueError, match="forwards"):
            on[::-1]
        if what:
            assert (on.find(what, start, end), on.rfind(what, start, end)) == (
                data.find(what, start, end),
                data.rfind(what, start, end),
            )
        if -len(data) <= start < len(data):
            assert on[start] == data[start]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("large") / "file"


@pytest.mark.parametrize("left", [0, 100, -1])
def test_a_file_that_shrinks_or_grows_while_it_is_read_is_refused(
    left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_bytes(b"\n".join(json.dumps({"name": "Ada", "mes": f"line {n}"}).encode() for n in range(300)))
    monkeypatch.setattr(mapped, "MAPPED", 10)
    monkeypatch.setattr(mapped, "PIECE", 500)

    def changing(data: Any, at: datetime, *_: Any) -> Document:
        with path.open("r+b") as file:
            file.truncate(left) if left >= 0 else file.seek(0, 2) and file.write(b"\nmore")
        return read(data, at)

    monkeypatch.setattr(ingest, "read", changing)
    with Soul.create(tmp_path / "a.mind", embedder="hashing") as soul:
        (report,) = Ingest(store=soul.store, embedder=lambda: soul.embedder, at=AT).files(path, None)
        assert report.refused is not None and "changed while it was read" in report.refused
        assert soul.stats()["messages"] == 0
