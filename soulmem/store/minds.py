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


def home_folder() -> Path:
    """Where soulmem keeps what it is not told to put elsewhere: the user's data folder, or ``SOULMEM_HOME`` if that is set."""
    home = os.environ.get("SOULMEM_HOME")
    return _path(home) if home else platformdirs.user_data_path("soulmem")


def minds_folder() -> Path:
    """Where named minds are: ``minds`` in :func:`home_folder`."""
    return home_folder() / "minds"


def mind_path(name_or_path: str | Path) -> Path:
    """The file of a mind, there or not. What has a path separator or ends in ``.mind`` is a path; anything else is a name,
    whatever lies in the current folder.

    A name of letters, digits, spaces, ``.``, ``-`` and ``_`` (in any script); others raise :class:`InputError`.
    """
    if isinstance(name_or_path, Path):
        return name_or_path.expanduser()
    if _looks_like_path(name_or_path):
        return _path(name_or_path)
    if not _is_name(name_or_path):
        advice = "Use letters, digits, spaces, '-' and '_', or give the path of a file: one with a slash, or ending in .mind."
        raise InputError(f"{name_or_path!r} cannot be the name of a mind", advice=advice)
    return minds_folder() / f"{name_or_path}{SUFFIX}"


def _looks_like_path(text: str) -> bool:
    separators = {os.sep, os.altsep or os.sep, "/"}
    return any(sign in text for sign in separators) or text.endswith(SUFFIX)


def _path(text: str) -> Path:
    try:
        if "\0" not in text:
            return Path(text).expanduser()
    except RuntimeError as error:  # ~ of a user who is not there
        raise InputError(f"{text!r} cannot be the path of a mind: {error}", advice="Give the path in full.") from error
    raise InputError(f"{text!r} cannot be the path of a mind", advice="A path has no NUL.")


def _is_name(text: str) -> bool:
    fits = _NAME.fullmatch(text) and not text.endswith((" ", "."))
    return bool(fits) and text.lower() not in _RESERVED and len(text.encode()) <= 200


def list_minds() -> list[str]:
    """The names of the minds in :func:`minds_folder`, sorted. A file that no name leads to is left out."""
    folder = minds_folder()
    if not folder.is_dir():
        return []
    files = [file for file in folder.iterdir() if file.name.endswith(SUFFIX) and file.is_file()]
    names = [file.name.removesuffix(SUFFIX) for file in files]
    return sorted(name for name in names if _is_name(name) and not _looks_like_path(name))
