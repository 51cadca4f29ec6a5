"""New minds without what it costs to make each of them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from soulmem.settings import Settings
from soulmem.soul import Soul

_files: dict[tuple[datetime, str | None], bytes] = {}


def created(path: Path, at: datetime, name: str | None = None, settings: Settings | None = None) -> Soul:
    """As ``Soul.create`` with the hashing embedder and a clock that stands still: a copy of one that was made once."""
    if (at, name) not in _files:
        Soul.create(path, embedder="hashing", name=name, settings=settings, clock=lambda: at).close()
        _files[at, name] = path.read_bytes()
    else:
        path.touch(0o600, exist_ok=False)
        path.write_bytes(_files[at, name])
    return Soul.open(path, settings=settings, clock=lambda: at)
