"""Which mind a notebook shows: the one that is named, else a shipped character who has lived for some months."""

from __future__ import annotations

import atexit
import os
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from soulmem import Soul
from soulmem.lived import CHARACTERS, live

#: Environment variable that names a mind for every notebook.
VARIABLE = "SOULMEM_NOTEBOOK_MIND"


def named(arguments: Mapping[str, Any]) -> str | None:
    """The mind of ``--mind NAME``, or of the environment; ``None``: neither names one."""
    given = arguments.get("mind") or os.environ.get(VARIABLE)
    return str(given) if given else None


def opened(mind: str | None, character: str = CHARACTERS[0]) -> tuple[Soul, datetime]:
    """The mind, open for reading, and the time for which it is looked at: now, or for a demonstration the end of its story."""
    if mind is not None:
        soul = Soul.open(mind, read_only=True)
        return soul, soul.clock()
    path, end = _demonstration(character)
    return Soul.open(path, read_only=True), end


@cache
def _demonstration(character: str) -> tuple[Path, datetime]:
    """Made once in a process, which takes some twenty seconds, and gone with it."""
    folder = TemporaryDirectory(prefix="soulmem-notebook-")
    atexit.register(folder.cleanup)
    path = Path(folder.name) / f"{character}.mind"
    with live(path, character) as soul:
        return path, soul.clock()
