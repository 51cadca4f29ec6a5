"""From what a user names to the files that are read: folders are walked, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

from soulmem.errors import NotFoundError

# Images and the like, which can only be cards.
_CARDS = frozenset({".png", ".webp", ".charx", ".yaml", ".yml", ".jpg", ".jpeg"})
#: What a folder is searched for. A file named outright is read whatever its ending.
_ENDINGS = frozenset({".json", ".jsonl", ".txt", ".md", ".html", ".zip"}) | _CARDS
#: What systems put into folders and zips beside the files.
_ASIDE = frozenset({"__MACOSX"})


def found_files(paths: Iterable[str | Path]) -> tuple[Path, ...]:
    """The files among and below ``paths``, each once; exported messages before the graphs whose sources they are, cards before
    the chats of their characters.

    Raises :class:`NotFoundError` for a path that does not exist, before anything is read.
    """
    files: dict[Path, None] = {}
    for named in map(Path, paths):
        if not named.exists():
            raise NotFoundError(f"no such file or folder: {named}")
        files |= dict.fromkeys(_below(named) if named.is_dir() else (named,))
    return tuple(sorted(files, key=lambda file: rank(file.name)))


def rank(name: str) -> int:
    """A key that sorts exported messages first, then what can only be cards: chats are read by whom the mind knows already."""
    if name.endswith(".messages.jsonl"):
        return 0
    return 1 if PurePath(name).suffix.lower() in _CARDS else 2


def is_read(file: PurePath) -> bool:
    """Whether a file in a folder, or in a zip, by its path there, may be one to read."""
    aside = any(part.startswith(".") or part in _ASIDE for part in file.parts)
    return not aside and file.suffix.lower() in _ENDINGS


def _below(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        if is_read(file.relative_to(folder)) and file.is_file():
            yield file
