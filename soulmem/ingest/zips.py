"""Zip files of chats and graphs: their members, as if they lay in a folder. Nothing is unpacked to disk.

What could be meant to do harm is left out with a word: names that lead elsewhere (``../``), links, members that are encrypted,
that are larger than a file may be, or that swell far beyond what text does.
"""

from __future__ import annotations

import lzma
import stat
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath, PurePosixPath
from zipfile import BadZipFile, ZipFile, ZipInfo

from soulmem.errors import FormatError
from soulmem.ingest import byaf
from soulmem.ingest.encodings import HEAD_BYTES
from soulmem.ingest.files import is_read, is_within, kept_folders, kept_for, rank
from soulmem.ingest.formats import MAX_FILE_BYTES
from soulmem.ingest.reading_order import Unread, by_rank

#: A member of more than so many bytes may not be more than so many times its size in the file.
LARGE, MOST_SWELLING = 10 * 2**20, 200
#: All members together, and how many there may be.
MOST_BYTES, MOST_MEMBERS = 4 * 2**30, 100_000

_MAGIC = b"PK\x03\x04"
#: What a zip has at its top that is itself a character card (CHARX), and no folder of files.
_CARD = "card.json"
_PIECE = 2**20
#: How the modules that unpack say that a zip is damaged, or made in a way they do not know.
_DAMAGE = (
    BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    IndexError,
    RuntimeError,
    NotImplementedError,
)
_ENCRYPTED, _IS_UTF8 = 0x1, 0x800


#: How the names of the members are put in order.
Ordered = Callable[[Sequence[Unread[str]]], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Member:
    """A file within the zip, or a folder that is passed over. ``refused``, ``aside``: why it is not read; then ``data`` is
    empty."""

    name: str
    data: bytes = b""
    refused: str | None = None
    aside: str | None = None


def is_zip(path: Path) -> bool:
    """Whether this is a zip of files, rather than a card or another kind of document that is a zip inside."""
    with path.open("rb") as file:
        if file.read(4) != _MAGIC:
            return False
    try:
        with ZipFile(path) as archive:
            names = set(archive.namelist())
    except _DAMAGE:
        return path.suffix.lower() == ".zip"
    return _CARD not in names and "[Content_Types].xml" not in names


def members(path: Path, ordered: Ordered = by_rank) -> Iterator[Member]:
    """The members that may be chats or graphs, in the order that ``ordered`` puts them in, and those that are refused.

    :raises FormatError: the file is damaged, or too large as a whole."""
    try:
        with ZipFile(path) as archive:
            infos = _named_apart(info for info in archive.infolist() if not info.is_dir())
            _check_whole(infos.values())
            aside = kept_folders(PurePosixPath(name) for name in infos if is_read(PurePosixPath(name)))
            scenes = [infos[name] for name in infos if byaf.is_scenario(name)] if byaf.is_archive(infos) else []
            for name in ordered([_unread(archive, name, infos[name], aside) for name in sorted(infos)]):
                if (why := _harm(name, infos[name])) is not None:
                    yield Member(name, refused=why)
                elif is_read(PurePosixPath(name)) and not is_within(PurePosixPath(name), aside):
                    member = _read(archive, name, infos[name])
                    yield _with_scenes(archive, member, scenes) if scenes and byaf.is_character(name) else member
            yield from (Member(f"{folder}/", aside=kept_for(folder)) for folder in sorted(aside))
    except _DAMAGE as error:
        raise FormatError(f"a damaged zip file: {error}") from error


def _unread(archive: ZipFile, name: str, info: ZipInfo, aside: Collection[PurePath]) -> Unread[str]:
    place = PurePosixPath(name)
    kept = _harm(name, info) is None and is_read(place) and not is_within(place, aside)

    def data() -> bytes:
        return _read(archive, name, info).data if kept else b""

    return Unread(name, place, rank(name, partial(_start, archive, name, info)), data)


def _with_scenes(archive: ZipFile, character: Member, scenes: Iterable[ZipInfo]) -> Member:
    """The character of an archive of Backyard AI, with what its scenarios say of it."""
    found = (_read(archive, info.filename, info) for info in scenes if _harm(info.filename, info) is None)
    return replace(character, data=byaf.with_scenarios(character.data, [one.data for one in found if one.refused is None]))


def _named_apart(given: Iterable[ZipInfo]) -> dict[str, ZipInfo]:
    """The members by name. A zip may hold several of one name: the second is called ``NAME (2).txt``, and so on."""
    named: dict[str, ZipInfo] = {}
    number = Counter[str]()
    for info in given:
        stated = name = _name(info)
        while name in named:
            number[stated] += 1  # goes on where it was: thousands may be of one name
            name = _numbered(PurePosixPath(stated), number[stated] + 1)
        named[name] = info
    return named


def _numbered(path: PurePosixPath, number: int) -> str:
    return str(path.with_name(f"{path.stem} ({number}){path.suffix}")) if path.name else f"{path} ({number})"


def _check_whole(infos: Iterable[ZipInfo]) -> None:
    given = list(infos)
    total = sum(info.file_size for info in given)
    if len(given) > MOST_MEMBERS or total > MOST_BYTES:
        raise FormatError(
            f"a zip file of {len(given)} members and {total / 2**20:.0f} MB unpacked",
            advice=f"At most {MOST_MEMBERS} members and {MOST_BYTES // 2**20} MB are read. Split it.",
        )


def _name(info: ZipInfo) -> str:
    """The name as it was meant: old programs write other encodings than they say."""
    if info.flag_bits & _IS_UTF8:
        return info.filename
    try:
        raw = info.filename.encode("cp437")
    except UnicodeEncodeError:
        return info.filename
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return info.filename


def _harm(name: str, info: ZipInfo) -> str | None:
    parts = name.replace("\\", "/").split("/")
    if ".." in parts or parts[0] == "" or parts[0].endswith(":"):
        return "its name leads out of the zip file"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "a link, not a file"
    if info.flag_bits & _ENCRYPTED:
        return "encrypted"
    if info.file_size > MAX_FILE_BYTES:
        return f"{info.file_size / 2**20:.0f} MB unpacked; at most {MAX_FILE_BYTES // 2**20} MB are read"
    if info.file_size > LARGE and info.file_size > MOST_SWELLING * max(info.compress_size, 1):
        return f"it unpacks to {info.file_size // max(info.compress_size, 1)} times its size, as no text does"
    return None


def _start(archive: ZipFile, name: str, info: ZipInfo) -> bytes:
    """The first bytes of a member that may be read; none of others, nor of one that is damaged, which is told when it is read."""
    if _harm(name, info) is not None or not is_read(PurePosixPath(name)):
        return b""
    try:
        with archive.open(info) as file:
            return file.read(HEAD_BYTES)
    except _DAMAGE:
        return b""


def _read(archive: ZipFile, name: str, info: ZipInfo) -> Member:
    pieces: list[bytes] = []
    size = 0
    try:
        with archive.open(info) as file:
            while piece := file.read(_PIECE):
                size += len(piece)
                if size > info.file_size:
                    return Member(name, refused="it is larger than the zip file says")
                pieces.append(piece)
    except _DAMAGE as error:
        return Member(name, refused=f"damaged: {error}")
    return Member(name, b"".join(pieces))
