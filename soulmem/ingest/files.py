"""From what a user names to the files that are read: folders are walked, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

from soulmem.errors import NotFoundError

#: What a folder is searched for. A file named outright is read whatever its ending.
_ENDINGS = frozenset(
    {".json", ".jsonl", ".txt", ".md", ".html", ".zip", ".png", ".webp", ".charx", ".yaml", ".yml", ".jpg", ".jpeg"}
)
#: What systems put into folders and zips beside the files.
_ASIDE = frozenset({"__MACOSX"})


def found_files(paths: Iterable[str | Path]) -> tuple[Path, ...]:
    """The files among and below ``paths``, each once; exported messages before the graphs whose sources they are.

    Raises :class:`NotFoundError` for a path that does not exist, before anything is read.
    """
    files: dict[Path, None] = {}
    for named in map(Path, paths):
        if not named.exists():
            raise NotFoundError(f"no such file or folder: {named}")
        files |= dict.fromkeys(_below(named) if named.is_dir() else (named,))
    return tuple(sorted(files, key=lambda file: exported_first(file.name)))


def exported_first(name: str) -> bool:
    """A key that sorts exported messages first."""
    return not name.endswith(".messages.jsonl")


def is_read(file: PurePath) -> bool:
    """Whether a file in a folder, or in a zip, by its path there, may be one to read."""
    aside = any(part.startswith(".") or part in _ASIDE for part in file.parts)
    return not aside and file.suffix.lower() in _ENDINGS


def _below(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        if is_read(file.relative_to(folder)) and file.is_file():
            yield file
