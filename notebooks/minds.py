"""Which mind a notebook shows: the one that is named, else a shipped character who has lived for some months."""

from __future__ import annotations

import atexit
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import marimo as mo

from soulmem import Soul, SoulmemError
from soulmem.lived import CHARACTERS, live

#: Environment variable that names a mind, for the commands too.
VARIABLE = "SOULMEM_MIND"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a notebook was called with: ``--mind NAME`` (else what the environment names), ``--at`` the time for which the mind is
    looked at, ``--from`` the day with which a week begins, ``--character`` of the demonstration."""

    mind: str | None = None
    at: datetime | None = None
    start: date | None = None
    character: str = CHARACTERS[0]


def asked(arguments: Mapping[str, Any]) -> Asked:
    """What the arguments and the environment say."""
    mind = arguments.get("mind") or os.environ.get(VARIABLE)
    at, start = arguments.get("at"), arguments.get("from")
    moment = datetime.fromisoformat(str(at)) if at else None
    return Asked(
        mind=str(mind) if mind else None,
        at=moment.replace(tzinfo=moment.tzinfo or UTC) if moment else None,
        start=date.fromisoformat(str(start)) if start else None,
        character=str(arguments.get("character") or CHARACTERS[0]),
    )


def opened(wanted: Asked, character: str) -> tuple[Soul, datetime]:
    """The mind, open for reading, and the time for which it is looked at: by default now, for a demonstration the end of its
    story."""
    path, end = (wanted.mind, None) if wanted.mind else _demonstration(character)
    try:
        soul = Soul.open(path, read_only=True)
    except SoulmemError as error:
        if mo.running_in_notebook():
            raise
        raise SystemExit(str(error)) from error  # a script says it in words
    return soul, wanted.at or end or soul.clock()


@cache
def _demonstration(character: str) -> tuple[Path, datetime]:
    """Made once in a process, which takes some twenty seconds, and gone with it."""
    folder = TemporaryDirectory(prefix="soulmem-notebook-")
    atexit.register(folder.cleanup)
    path = Path(folder.name) / f"{character}.mind"
    with live(path, character) as soul:
        return path, soul.clock()
