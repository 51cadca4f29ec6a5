"""Names of minds, and where their files are."""

from __future__ import annotations

import os
import re
from pathlib import Path

import platformdirs

from soulmem.errors import InputError

SUFFIX = ".mind"

_NAME = re.compile(r"[\w][\w .\-]*")
#: Names that Windows gives to devices, whatever their suffix.
_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))})


def minds_folder() -> Path:
    """Where named minds are: ``minds`` in the user's data folder, or in ``SOULMEM_HOME`` if that is set."""
    home = os.environ.get("SOULMEM_HOME")
    return (Path(home).expanduser() if home else platformdirs.user_data_path("soulmem")) / "minds"


def mind_path(name_or_path: str | Path) -> Path:
    """The file of a mind, there or not. What has a path separator, ends in ``.mind`` or exists as a file is a path; anything else
    is a name.

    A name of letters, digits, spaces, ``.``, ``-`` and ``_`` (in any script); others raise :class:`InputError`.
    """
    if isinstance(name_or_path, Path):
        return name_or_path.expanduser()
    if _looks_like_path(name_or_path):
        return Path(name_or_path).expanduser()
    name = name_or_path
    if not _NAME.fullmatch(name) or name.endswith((" ", ".")) or name.lower() in _RESERVED or len(name.encode()) > 200:
        advice = "Use letters, digits, spaces, '-' and '_', or give the path of a file."
        raise InputError(f"{name_or_path!r} cannot be the name of a mind", advice=advice)
    return minds_folder() / f"{name}{SUFFIX}"


def _looks_like_path(text: str) -> bool:
    separators = {os.sep, os.altsep or os.sep, "/"}
    return any(sign in text for sign in separators) or text.endswith(SUFFIX) or _is_file(text)


def _is_file(text: str) -> bool:
    try:
        return bool(text) and Path(text).is_file()
    except (OSError, ValueError):  # too long for a file name, or with a NUL
        return False


def list_minds() -> list[str]:
    """The names of the minds in :func:`minds_folder`, sorted."""
    folder = minds_folder()
    if not folder.is_dir():
        return []
    return sorted(file.name.removesuffix(SUFFIX) for file in folder.iterdir() if file.name.endswith(SUFFIX) and file.is_file())
