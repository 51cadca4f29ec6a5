"""The two states of a talk, and the work that waits for the quiet one. Pure: the time is given."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from soulmem.settings import Settings


class State(StrEnum):
    """While there is talk the mind is *working*; after some quiet it is *idle*."""

    WORKING = "working"
    IDLE = "idle"


class Task(StrEnum):
    """What is done when a mind is idle, in this order."""

    SUMMARY = "summary"
    VECTORS = "vectors"


def state_at(last: datetime | None, at: datetime, settings: Settings) -> State:
    """The state at ``at``, when something was last said at ``last`` (``None``: never).

    A clock that was set back does not make a mind idle: there is talk until the quiet has passed.
    """
    if last is None or at - last >= timedelta(seconds=settings.idle_quiet_seconds):
        return State.IDLE
    return State.WORKING


def idle_at(last: datetime | None, settings: Settings) -> datetime | None:
    """From when on the mind is idle if nothing more is said; ``None``: it is."""
    return None if last is None else last + timedelta(seconds=settings.idle_quiet_seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """What waits: ``summaries`` that are due, ``vectors`` of observed lines."""

    summaries: int = 0
    vectors: int = 0


def due(waiting: Waiting, state: State, *, forced: bool = False) -> tuple[Task, ...]:
    """The tasks to be done now: none while there is talk, unless forced."""
    if state is State.WORKING and not forced:
        return ()
    amounts = {Task.SUMMARY: waiting.summaries, Task.VECTORS: waiting.vectors}
    return tuple(task for task in Task if amounts[task])
