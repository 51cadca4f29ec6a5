"""From what a user names to the files that are read: folders are walked, in a fixed order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePath

from soulmem.errors import NotFoundError
from soulmem.ingest.encodings import HEAD_BYTES

# Images and the like, which can only be cards.
_CARDS = frozenset({".png", ".webp", ".charx", ".yaml", ".yml", ".jpg", ".jpeg"})
#: What a folder is searched for. A file named outright is read whatever its ending.
_ENDINGS = frozenset({".json", ".jsonl", ".txt", ".md", ".html", ".zip"}) | _CARDS
#: What systems put into folders and zips beside the files.
_ASIDE = frozenset({"__MACOSX"})


def found_files(paths: Iterable[str | Path]) -> tuple[Path, ...]:
    """The files among and below ``paths``, each once; exported messages before the graphs whose sources they are, cards and
    graphs before the chats of their characters.

    Raises :class:`NotFoundError` for a path that does not exist, before anything is read.
    """
    files: dict[Path, None] = {}
    for named in map(Path, paths):
        if not named.exists():
            raise NotFoundError(f"no such file or folder: {named}")
        files |= dict.fromkeys(_below(named) if named.is_dir() else (named,))
    return tuple(sorted(files, key=lambda file: rank(file.name, lambda: _start(file))))


def rank(name: str, start: Callable[[], bytes]) -> int:
    """A key that sorts exported messages first, then cards and graphs: chats are read by whom the mind knows already. ``start``:
    the first bytes of the file, which tell whether JSON is one."""
    if name.endswith(".messages.jsonl"):
        return 0
    ending = PurePath(name).suffix.lower()
    if ending in _CARDS:
        return 1
    return 1 if ending != ".jsonl" and _tells_who(start()) else 2


def _tells_who(start: bytes) -> bool:
    """Whether a file of JSON is a card or a graph."""
    from soulmem.ingest import graph_json
    from soulmem.ingest.cards import json_file

    if start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"[", b"\xff", b"\xfe"):
        return False
    return max(json_file.sniff(start), graph_json.sniff(start)) > 0.5


def _start(file: Path) -> bytes:
    """The first bytes of a regular file; none of what cannot be read, which is told when it is."""
    try:
        if not file.is_file():
            return b""
        with file.open("rb") as stream:
            return stream.read(HEAD_BYTES)
    except OSError:
        return b""


def is_read(file: PurePath) -> bool:
    """Whether a file in a folder, or in a zip, by its path there, may be one to read."""
    aside = any(part.startswith(".") or part in _ASIDE for part in file.parts)
    return not aside and file.suffix.lower() in _ENDINGS


def _below(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        if is_read(file.relative_to(folder)) and file.is_file():
            yield file
