"""Short-term activation: what was used a moment ago comes to mind more easily. Kept by an open mind, never written."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable
from datetime import datetime, timedelta

from soulmem.settings import Settings

#: Below this nothing is left of it.
_LEAST = 1e-3


class Activation:
    """How active each note still is: 1 when it is used, falling by e every ``activation_time_constant_minutes``.

    Safe from any thread.
    """

    def __init__(self, settings: Settings) -> None:
        self._constant = timedelta(minutes=settings.activation_time_constant_minutes)
        self._gain = settings.activation_gain
        self._used: dict[str, datetime] = {}
        self._guard = threading.Lock()

    def used(self, notes: Iterable[str], at: datetime) -> None:
        """These notes were used at ``at``."""
        with self._guard:
            for note in notes:
                self._used[note] = max(at, self._used.get(note, at))

    def at(self, at: datetime) -> dict[str, float]:
        """By what the score of each active note is multiplied at ``at``: 1 + gain · exp(−Δt / time constant), > 1."""
        with self._guard:
            used = dict(self._used)
        levels = {note: math.exp(-max((at - when) / self._constant, 0.0)) for note, when in used.items()}
        return {note: 1.0 + self._gain * level for note, level in levels.items() if level > _LEAST}

    def clear(self) -> None:
        """Forget what was used."""
        with self._guard:
            self._used.clear()
