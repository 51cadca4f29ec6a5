"""Whether a text is left anywhere in a mind or beside it: in the bytes of the files, deleted texts and logs included, and in what
the engine makes of them. The text itself is written nowhere, and no query has it."""

from __future__ import annotations

import json
import re
import tempfile
import unicodedata
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import IO
from zipfile import BadZipFile, ZipFile, is_zipfile

from soulmem.backup import MEMBER, backups_of, half_made
from soulmem.errors import InputError, NotFoundError, SoulmemError
from soulmem.text.mentions import loosely, phrase_words
from soulmem.text.tokens import normal_form

#: What the names of private copies of minds begin with, in the folder for temporary files.
TEMPORARY = "soulmem-"
#: Bytes that are looked through at once.
_CHUNK = 4 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """``count`` times in ``file``. ``inside``: (table.column, count) of where the mind has it, for the mind itself. ``between``:
    so many of these are the end of one stored text and the beginning of the next, which lie side by side in the file, and tell
    nothing."""

    file: Path
    count: int
    inside: tuple[tuple[str, int], ...] = ()
    between: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What a search found; ``files``: how many were looked at. ``trouble``: why the mind was not looked into, but only at."""

    found: tuple[Found, ...]
    files: int
    trouble: str = ""

    @property
    def is_left(self) -> bool:
        """Whether the text is left anywhere."""
        return any(found.count > found.between for found in self.found)


def searched(path: Path, text: str, also: Iterable[Path] = ()) -> Search:
    """Look for ``text``, in any case, in the mind ``path``, in all files that belong to it or were left beside it, in private
    copies that were left in the folder for temporary files, in its backups, and in ``also``. For a mind that this process does
    not have open.

    Raises :class:`InputError` for a text without letters and digits, :class:`NotFoundError` where there is no mind, nothing that
    was left of it, and no backup.
    """
    if not any(map(str.isalnum, text)):
        raise InputError("there is no text to look for")
    own = {*(_beside(path) if path.parent.is_dir() else ()), *backups_of(path)}
    if not own:
        raise NotFoundError("there is no such mind", place=str(path), advice="The minds you have: soulmem minds")
    wanted = _encoded(text)
    inside, between, trouble = _inside(path, text) if path.exists() else ({}, 0, "the mind itself is not there")
    files = sorted({*own, *_temporary(), *(file for file in also if file.is_file())})
    found = []
    for file in files:
        parts = tuple(sorted(inside.items())) if file == path else ()
        if count := max(len(_places(file, wanted)), sum(number for _, number in parts)):
            found.append(Found(file=file, count=count, inside=parts, between=between if file == path else 0))
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


#: So many separators may stand between the words of what is looked for.
_SEPARATORS = 8
#: What may: white space, hyphens, marks of Markdown; escaped in JSON or not.
_BETWEEN = [
    chr(code) for code in range(0x3001) if chr(code).isspace() or chr(code) in "-_*~`\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Bytes in which a text may stand: its ``first`` word; ``whole``: all of it from there; ``most``: as long as it may be."""

    first: bytes
    whole: re.Pattern[bytes]
    most: int


def _encoded(text: str) -> list[_Wanted]:
    """``text``, composed or not, as UTF-8, as UTF-16 and as escaped in JSON; Latin letters in lower case, as the bytes they are
    looked for in; its words separated by anything that separates words."""
    forms = {form for one in _forms(text) for form in (one, one.lower(), one.upper(), one.title(), one.casefold())}
    split = sorted({tuple(phrase_words(form)) for form in forms})
    coders: tuple[Callable[[str], bytes], ...] = (
        *(partial(str.encode, encoding=code, errors="surrogatepass") for code in _CODES),
        _escaped,
    )
    return list({one.whole.pattern: one for words in split for coder in coders for one in [_wanted(words, coder)]}.values())


_CODES = ("utf-8", "utf-16-le", "utf-16-be")


def _escaped(text: str) -> bytes:
    return json.dumps(text)[1:-1].encode()


def _wanted(words: Sequence[str], coder: Callable[[str], bytes]) -> _Wanted:
    coded = [coder(word).lower() for word in words]
    separators = {coder(one).lower() for one in _BETWEEN} | ({_escaped(one) for one in _BETWEEN} if coder("a") == b"a" else set())
    between = b"(?:%b){1,%d}" % (b"|".join(map(re.escape, sorted(separators))), _SEPARATORS)
    most = sum(map(len, coded)) + (len(coded) - 1) * _SEPARATORS * max(map(len, separators))
    return _Wanted(coded[0], re.compile(between.join(map(re.escape, coded)), re.DOTALL), most)


def _forms(text: str) -> set[str]:
    stripped = text.strip()
    composed = {unicodedata.normalize(form, stripped) for form in ("NFC", "NFD", "NFKC")}
    return {stripped, *composed, normal_form(stripped), " ".join(stripped.split())}


def _places(file: Path, wanted: Sequence[_Wanted]) -> list[tuple[int, int]]:
    """Where a file has any of ``wanted``: beginnings and ends, of what overlaps the first."""
    overlap = max(one.most for one in wanted) - 1
    found: dict[int, int] = {}
    offset, rest = 0, b""
    with suppress(
        FileNotFoundError, PermissionError, KeyError, BadZipFile, zlib.error
    ):  # gone meanwhile, another user's, damaged
        with _opened(file) as opened:
            while chunk := opened.read(_CHUNK):
                data = rest + chunk.lower()
                # What begins in the overlap is found with the next chunk, where it is whole.
                keep = max(len(data) - overlap, 0)
                found |= {offset + begin: offset + end for begin, end in _begins(data, wanted, keep)}
                offset, rest = offset + keep, data[keep:]
        found |= {offset + begin: offset + end for begin, end in _begins(rest, wanted, len(rest))}
    apart: list[tuple[int, int]] = []
    for begin, end in sorted(found.items()):
        if not apart or begin >= apart[-1][1]:
            apart.append((begin, end))
    return apart


@contextmanager
def _opened(file: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file; of a backup those of the mind in it, which is packed there."""
    if file.suffix != ".zip" or not is_zipfile(file):
        with file.open("rb") as stream:
            yield stream
        return
    with ZipFile(file) as archive, archive.open(MEMBER) as stream:
        yield stream


def _begins(data: bytes, wanted: Sequence[_Wanted], stop: int) -> Iterator[tuple[int, int]]:
    """Beginning and end of any of ``wanted`` that begins in ``data`` before ``stop``."""
    for one in wanted:
        place = data.find(one.first)
        while 0 <= place < stop:
            if match := one.whole.match(data, place):
                yield match.span()
            place = data.find(one.first, place + 1)


# -- between texts --------------------------------------------------------------------------------------------------------------

#: Around so many finds it is looked whether they lie between two texts; so many bytes before and behind.
_LOOKED_AT = 200
_AROUND = 2048
#: Shorter texts prove nothing: they may be parts of what is looked for.
_LEAST_BYTES = 12


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The bytes of a find, and what lies ``before`` and ``behind`` it."""

    before: bytes
    found: bytes
    behind: bytes

    def splits(self) -> Iterator[int]:
        """Where two texts may meet: within a word."""
        for place in range(1, len(self.found)):
            ends = self.found[place - 1 : place + 1]
            if not ends.isspace() and not any(byte in b" -_*~`\n\t\r" for byte in ends):
                yield place


def _surroundings(file: Path, places: Sequence[tuple[int, int]]) -> list[_Surroundings]:
    if len(places) > _LOOKED_AT:
        return []
    found = []
    with file.open("rb") as stream:
        for begin, end in places:
            first = max(begin - _AROUND, 0)
            stream.seek(first)
            data = stream.read(end - first + _AROUND)
            found.append(_Surroundings(data[: begin - first], data[begin - first : end - first], data[end - first :]))
    return found


class _Neighbours:
    """Which finds are the end of one stored text and the beginning of the next."""

    def __init__(self, surroundings: Sequence[_Surroundings]) -> None:
        self._places = [
            (one, place, one.before + one.found[:place], one.found[place:] + one.behind)
            for one in surroundings
            for place in one.splits()
        ]
        self._ended: set[int] = set()
        self._begun: set[int] = set()

    def meet(self, value: str) -> None:
        """Take note of a stored text."""
        data = value.encode("utf-8", "surrogatepass")
        if len(data) < _LEAST_BYTES:
            return
        for number, (one, place, before, behind) in enumerate(self._places):
            if len(data) >= place and before.endswith(data):
                self._ended.add(number)
            if len(data) >= len(one.found) - place and behind.startswith(data):
                self._begun.add(number)

    @property
    def count(self) -> int:
        """How many of the finds lie between two texts."""
        return len({id(self._places[number][0]) for number in self._ended & self._begun})


# -- texts ----------------------------------------------------------------------------------------------------------------------


def _inside(path: Path, text: str) -> tuple[dict[str, int], int, str]:
    """Where the mind has the text; how many finds lie between two texts; and why that is not known. In a process of its own: the
    engine does not survive every damage, and closing a file that it holds would let go of it."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        try:
            return *process.submit(_looked, path, text).result(), ""
        except SoulmemError as error:
            return {}, 0, error.what
        except BrokenProcessPool:
            return {}, 0, "the file is damaged: the engine crashes when it reads it"


def _looked(path: Path, text: str) -> tuple[dict[str, int], int]:
    from soulmem.soul import Soul

    wanted = re.compile(loosely(phrase_words(normal_form(text.strip()))))
    hashes = {sha256(one.encode("utf-8", "surrogatepass")).hexdigest() for one in _forms(text)}
    found: Counter[str] = Counter()
    neighbours = _Neighbours(_surroundings(path, _places(path, _encoded(text))))
    with Soul.open(path, read_only=True) as soul:
        for table, column, value in soul.store.texts():
            neighbours.meet(value)
            number = sum(1 for _ in wanted.finditer(normal_form(_unescaped(value))))
            if number:
                found[f"{table}.{column}"] += number
            elif table == "Embedding" and column == "id" and value.rpartition("/")[2] in hashes:
                found["Embedding.id (its hash)"] += 1
    return dict(found), neighbours.count


_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\[nrt]")


def _unescaped(value: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else " ", value) if "\\" in value else value
