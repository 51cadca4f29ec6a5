"""A mind as it was: a private copy from which all that came later is taken back, for reading alone."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from soulmem.errors import NotFoundError
from soulmem.indexing import indexed, is_indexed, kept_vectors
from soulmem.settings import Settings
from soulmem.store import KuzuStore, open_store
from soulmem.store.undo import MOST, Journal, last_number, past_change

if TYPE_CHECKING:
    from soulmem.soul import Soul

_PREFIX = "soulmem-past-"
_OWNER = re.compile(rf"{_PREFIX}(\d+)-")


@dataclass(frozen=True, slots=True)
class Moment:
    """After operation ``number`` (0: before the first), at ``at``."""

    number: int
    at: datetime


def moment_of(store: Journal, as_of: int | datetime) -> Moment:
    """Which moment of a mind ``as_of`` means: the number of an operation, or a time. Raises :class:`NotFoundError`."""
    rows = {row["number"]: row["at"] for row in store.query("store.operation_heads", limit=MOST)}
    if isinstance(as_of, datetime):
        return Moment(max((number for number, at in rows.items() if at <= as_of), default=0), as_of)
    if as_of not in rows and as_of != 0:
        raise NotFoundError(f"the journal has no operation {as_of}", advice="What was written: soulmem log")
    return Moment(as_of, rows[as_of] if as_of else min(rows.values(), default=datetime.fromtimestamp(0).astimezone()))


@dataclass(frozen=True, slots=True)
class Past:
    """The copy in ``folder``, a private one. ``forgotten``: operations after ``moment`` of which some was forgotten for good: so
    what they changed is shown as it is now. ``kept``: from whom notes and lines are kept now, by id: the past tells no secret."""

    path: Path
    folder: Path
    moment: Moment
    forgotten: tuple[int, ...]
    kept: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def remove(self) -> None:
        """Remove the copy."""
        shutil.rmtree(self.folder, ignore_errors=True)


def past_of(path: Path, as_of: int | datetime, settings: Settings, now: datetime, soul: type[Soul]) -> Past:
    """Make the copy of the mind at ``path``. Raises :class:`UndoError` where it is not known what was before.

    Copies that a process left which was killed are removed.
    """
    for left in _left():
        shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
    copy = folder / path.name
    try:
        with open_store(path, read_only=True, settings=settings, now=now) as store:
            moment = moment_of(store, as_of)
            kept = _kept_now(store)
            store.copy_to(copy)
        with soul.open(copy, settings=settings) as mind:
            forgotten = _go_back(mind, moment)
        return Past(copy, folder, moment, forgotten, kept)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _kept_now(store: KuzuStore) -> dict[str, Sequence[str]]:
    rows = [*store.query("recall.restricted_notes"), *store.query("recall.restricted_lines")]
    return {row["id"]: tuple(row["kept_from"]) for row in rows if row["kept_from"]}


def _go_back(soul: Soul, moment: Moment) -> tuple[int, ...]:
    store = soul.store
    if moment.number == last_number(store):
        return ()
    change, forgotten = past_change(store, moment.number, moment.at)
    if is_indexed(change):
        change = indexed(change, soul.embedder, kept_vectors(store), present=store.notes)
    assert isinstance(store, KuzuStore)
    store.go_back(change, moment.number)
    return forgotten


def _left() -> Iterator[Path]:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        owner = _OWNER.match(folder.name)
        if owner and not _is_running(int(owner[1])):
            yield folder


def _is_running(process: int) -> bool:
    with suppress(PermissionError):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
    return True
