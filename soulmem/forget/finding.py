"""Whether a text is left anywhere in a mind or beside it: in the bytes of the files, deleted texts and logs included, and in what
the engine makes of them. The text itself is written nowhere, and no query has it."""

from __future__ import annotations

import json
import re
import tempfile
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import IO
from zipfile import BadZipFile, ZipFile, is_zipfile

from soulmem.backup import MEMBER, backups_of, half_made
from soulmem.errors import InputError, NotFoundError, SoulmemError
from soulmem.text.tokens import normal_form

#: What the names of private copies of minds begin with, in the folder for temporary files.
TEMPORARY = "soulmem-"
#: Bytes that are looked through at once.
_CHUNK = 4 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """``count`` times in ``file``. ``inside``: (table.column, count) of where the mind has it, for the mind itself."""

    file: Path
    count: int
    inside: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What a search found; ``files``: how many were looked at. ``trouble``: why the mind was not looked into, but only at."""

    found: tuple[Found, ...]
    files: int
    trouble: str = ""


def searched(path: Path, text: str, also: Iterable[Path] = ()) -> Search:
    """Look for ``text``, in any case, in the mind ``path``, in all files that belong to it or were left beside it, in private
    copies that were left in the folder for temporary files, in its backups, and in ``also``. For a mind that this process does
    not have open.

    Raises :class:`InputError` for a text without letters and digits, :class:`NotFoundError` where there is not even a folder.
    """
    if not any(map(str.isalnum, text)):
        raise InputError("there is no text to look for")
    if not path.parent.is_dir():
        raise NotFoundError("there is no such mind, and no folder it could be in", place=str(path))
    inside, trouble = _inside(path, text) if path.exists() else ({}, "")
    files = sorted({*_beside(path), *_temporary(), *backups_of(path), *(file for file in also if file.is_file())})
    wanted = _encoded(text)
    found = []
    for file in files:
        parts = tuple(sorted(inside.items())) if file == path else ()
        count = max(_count(file, wanted), sum(number for _, number in parts))
        if count:
            found.append(Found(file=file, count=count, inside=parts))
    return Search(found=tuple(found), files=len(files), trouble=trouble)


def _beside(path: Path) -> Iterator[Path]:
    """The mind, its log and marks, copies, what was left of writes that were cut off, hidden files that begin with its name."""
    names = (path.name, f".{path.name}", f".{path.stem}.")
    folder = path.parent
    yield from (file for file in folder.iterdir() if file.is_file() and file.name.startswith(names))
    yield from (file for place in half_made(path) for file in place.rglob("*") if file.is_file())


def _temporary() -> Iterator[Path]:
    for folder in Path(tempfile.gettempdir()).glob(f"{TEMPORARY}*"):
        try:
            yield from (file for file in folder.rglob("*") if file.is_file())
        except OSError:  # another user's
            continue


# -- bytes ----------------------------------------------------------------------------------------------------------------------


def _encoded(text: str) -> list[bytes]:
    """``text``, composed or not, as UTF-8, as UTF-16 and as escaped in JSON; Latin letters in lower case, as the bytes they are
    looked for in."""
    forms = {form for one in _forms(text) for form in (one, one.lower(), one.upper(), one.title(), one.casefold())}
    encoded = {form.encode(code, "surrogatepass") for form in forms for code in ("utf-8", "utf-16-le", "utf-16-be")}
    return sorted({form.lower() for form in (*encoded, *(json.dumps(form)[1:-1].encode() for form in forms))})


def _forms(text: str) -> set[str]:
    stripped = text.strip()
    composed = {unicodedata.normalize(form, stripped) for form in ("NFC", "NFD", "NFKC")}
    return {stripped, *composed, normal_form(stripped), " ".join(stripped.split())}


def _count(file: Path, wanted: Sequence[bytes]) -> int:
    """How often a file has any of ``wanted``."""
    overlap = max(map(len, wanted)) - 1
    count, rest = 0, b""
    try:
        with _opened(file) as opened:
            while chunk := opened.read(_CHUNK):
                data = rest + chunk.lower()
                # What begins in the overlap is counted with the next chunk, where it is whole.
                count += len(_begins(data, wanted, len(data) - overlap))
                rest = data[max(len(data) - overlap, 0) :]
            return count + len(_begins(rest, wanted, len(rest)))
    except (FileNotFoundError, PermissionError, KeyError, BadZipFile, zlib.error):  # gone meanwhile, another user's, damaged
        return count


@contextmanager
def _opened(file: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file; of a backup those of the mind in it, which is packed there."""
    if file.suffix != ".zip" or not is_zipfile(file):
        with file.open("rb") as stream:
            yield stream
        return
    with ZipFile(file) as archive, archive.open(MEMBER) as stream:
        yield stream


def _begins(data: bytes, wanted: Sequence[bytes], stop: int) -> set[int]:
    """Where any of ``wanted`` begins in ``data`` before ``stop``."""
    found = set()
    for one in wanted:
        place = data.find(one)
        while 0 <= place < stop:
            found.add(place)
            place = data.find(one, place + 1)
    return found


# -- texts ----------------------------------------------------------------------------------------------------------------------


def _inside(path: Path, text: str) -> tuple[dict[str, int], str]:
    """Where the mind has the text; and why that is not known. In a process of its own: the engine does not survive every damage,
    and closing a file that it holds would let go of it."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        try:
            return process.submit(_looked, path, text).result(), ""
        except SoulmemError as error:
            return {}, error.what
        except BrokenProcessPool:
            return {}, "the file is damaged: the engine crashes when it reads it"


def _looked(path: Path, text: str) -> dict[str, int]:
    from soulmem.soul import Soul

    wanted = {normal_form(one) for one in _forms(text)}
    hashes = {sha256(one.encode("utf-8", "surrogatepass")).hexdigest() for one in _forms(text)}
    found: Counter[str] = Counter()
    with Soul.open(path, read_only=True) as soul:
        for table, column, value in soul.store.texts():
            plain = normal_form(_unescaped(value))
            number = sum(plain.count(one) for one in wanted)
            if number:
                found[f"{table}.{column}"] += number
            elif table == "Embedding" and column == "id" and value.rpartition("/")[2] in hashes:
                found["Embedding.id (its hash)"] += 1
    return dict(found)


_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


def _unescaped(value: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), value) if "\\u" in value else value
