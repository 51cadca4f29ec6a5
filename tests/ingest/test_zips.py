"""Zips: whatever their bytes are, members are read or refused, and nothing else happens."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from warnings import catch_warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.ingest import zips
from soulmem.ingest.zips import Member, is_zip, members

NAMES = ("a.txt", "b/c.json", "d.png", ".hidden.txt", "__MACOSX/a.txt", "b/.d/e.txt", "空.jsonl")


def good(compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name in NAMES:
            archive.writestr(name, f"Ada: this is {name}\n" * 20)
        archive.writestr("folder/", "")
    return buffer.getvalue()


GOOD = {kind: good(kind) for kind in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA)}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("zips") / "x.zip"


def found(path: Path, data: bytes) -> list[Member] | None:
    path.write_bytes(data)
    try:
        return list(members(path)) if is_zip(path) else None
    except FormatError:
        return None


@pytest.mark.parametrize("kind", GOOD)
def test_members_are_those_that_a_folder_would_give(path: Path, kind: int) -> None:
    read = found(path, GOOD[kind])
    assert read is not None
    assert [(one.name, one.refused) for one in read] == [("d.png", None), ("a.txt", None), ("b/c.json", None), ("空.jsonl", None)]
    assert read[1].data == b"Ada: this is a.txt\n" * 20


@given(st.binary(max_size=300), st.booleans())
@settings(deadline=None, max_examples=150)
def test_any_bytes(path: Path, data: bytes, magic: bool) -> None:
    found(path, b"PK\x03\x04" + data if magic else data)


def changes() -> st.SearchStrategy[list[tuple[int, int]]]:
    return st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=6)


@given(st.sampled_from(sorted(GOOD)), changes(), st.none() | st.integers(0, 10**6))
@settings(deadline=None, max_examples=300)
def test_a_good_zip_damaged_anywhere(path: Path, kind: int, changed: list[tuple[int, int]], cut: int | None) -> None:
    data = bytearray(GOOD[kind])
    for place, value in changed:
        data[place % len(data)] = value
    read = found(path, bytes(data if cut is None else data[: cut % len(data)]))
    for one in read or ():
        assert one.refused is None or one.data == b""


def test_too_much_in_all_is_refused_before_anything_is_unpacked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(GOOD[zipfile.ZIP_DEFLATED])
    for name, most in (("MOST_MEMBERS", 3), ("MOST_BYTES", 100)):
        with monkeypatch.context() as limits:
            limits.setattr(zips, name, most)
            with pytest.raises(FormatError, match="members"):
                list(members(path))


def test_what_is_encrypted_is_refused(path: Path) -> None:
    data = bytearray(GOOD[zipfile.ZIP_STORED])
    for place in range(len(data) - 10):
        for magic, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            if data[place : place + 4] == magic:
                data[place + flags] |= 1
    read = found(path, bytes(data))
    assert read is not None
    assert {one.refused for one in read} == {"encrypted"}


def test_members_of_one_name_are_all_read(path: Path) -> None:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, catch_warnings(action="ignore"):
        for text in ("Ada: one\n", "Ada: two\n", "Ada: three\n"):
            archive.writestr("b/chat.txt", text)
        archive.writestr("b/chat (2).txt", "Ada: four\n")
    read = found(path, buffer.getvalue())
    assert read is not None and sorted(one.data for one in read) == sorted(
        [b"Ada: one\n", b"Ada: two\n", b"Ada: three\n", b"Ada: four\n"]
    )
    assert len({one.name for one in read}) == 4 and read[0].name.startswith("b/chat")


def test_thousands_of_one_name_take_no_longer_than_as_many_names(path: Path) -> None:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive, catch_warnings(action="ignore"):
        for _ in range(15_000):
            archive.writestr("a.txt", b"")
    read = found(path, buffer.getvalue())
    assert {one.name for one in read or ()} == {"a.txt", *(f"a ({number}).txt" for number in range(2, 15_001))}


def test_a_card_in_json_comes_before_the_chats(path: Path) -> None:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "Ada: hi")
        archive.writestr("z.json", '{"spec": "chara_card_v2", "data": {"name": "Ada Quill"}}')
    assert [one.name for one in found(path, buffer.getvalue()) or ()] == ["z.json", "a.txt"]
