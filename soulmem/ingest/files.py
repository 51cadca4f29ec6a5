"""From what a user names to the files that are read: folders are walked, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from soulmem.errors import NotFoundError

#: What a folder is searched for. A file named outright is read whatever its ending.
_ENDINGS = frozenset({".json", ".jsonl", ".txt", ".md", ".png", ".webp", ".charx", ".yaml", ".yml", ".jpg", ".jpeg"})


def found_files(paths: Iterable[str | Path]) -> tuple[Path, ...]:
    """The files among and below ``paths``, each once; exported messages before the graphs whose sources they are.

    Raises :class:`NotFoundError` for a path that does not exist, before anything is read.
    """
    files: dict[Path, None] = {}
    for named in map(Path, paths):
        if not named.exists():
            raise NotFoundError(f"no such file or folder: {named}")
        files |= dict.fromkeys(_below(named) if named.is_dir() else (named,))
    return tuple(sorted(files, key=lambda file: not file.name.endswith(".messages.jsonl")))


def _below(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
        if file.is_file() and not hidden and file.suffix.lower() in _ENDINGS:
            yield file
