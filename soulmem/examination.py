"""Examining a mind that may be damaged, from outside: the engine does not survive every damage, so it is opened in a process of
its own."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from soulmem.errors import MindDamagedError
from soulmem.quality import Remark


@dataclass(frozen=True, slots=True)
class Examination:
    """What is wrong with a mind, in words; which links wait for a note that is not there yet; and what could be better in how it
    is made."""

    findings: tuple[str, ...]
    waiting: tuple[str, ...]
    remarks: tuple[Remark, ...] = ()


def examined(path: Path) -> Examination:
    """Examine the mind at ``path``. Raises what opening it raises, and :class:`MindDamagedError` if the engine dies of it."""
    # Spawned, not forked: neither the engine nor its threads survive a fork.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        try:
            return process.submit(_examine, path).result()
        except BrokenProcessPool as error:
            what = "the file is damaged: the engine crashes when it reads it"
            raise MindDamagedError(what, place=str(path), advice="Restore a backup, or an export.") from error


def _examine(path: Path) -> Examination:
    from soulmem.backup import cut_off_copies
    from soulmem.soul import Soul
    from soulmem.store.recovery import cut_off

    with Soul.open(path, read_only=True) as soul:
        left = (*map(_told, cut_off(soul.store.path)), *map(_told_copy, cut_off_copies(soul.store.path)))
        return Examination((*soul.check(), *left), soul.waiting(), soul.remarks())


def _told(left: Path) -> str:
    what = f"{left.name} is left of a write that was cut off, and may hold what was forgotten since"
    return f"{what}: it goes when the mind is opened for writing"


def _told_copy(left: Path) -> str:
    what = f"{left} is left of a backup or restoring that was cut off, and may hold what was forgotten since"
    return f"{what}: it goes with the next backup, restore or forget"
