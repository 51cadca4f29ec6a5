"""What is known of the use of each note: when it was recalled, how often, and what the user said to it. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

#: The stage under which what the user said to a memory is recorded beside the recalls; its score is the sign.
FEEDBACK = "feedback"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRecord:
    """``times``: when the note was recalled and used, oldest first. ``feedback``: sum of the user's +1 and −1.
    ``asleep``: whether it is."""

    note: str
    times: tuple[datetime, ...] = ()
    feedback: int = 0
    asleep: bool = False

    @property
    def frequency(self) -> float:
        """Recalls per hour from the first to the last, f = n / T; 0 as long as they span no time."""
        if len(self.times) < 2 or self.times[-1] <= self.times[0]:
            return 0.0
        return len(self.times) / ((self.times[-1] - self.times[0]) / timedelta(hours=1))


def records_of(rows: Iterable[Mapping[str, Any]]) -> tuple[NoteRecord, ...]:
    """Records by note id, from rows of ``note``, ``at``, ``stage``, ``score`` and ``asleep``."""
    times: dict[str, list[datetime]] = defaultdict(list)
    feedback: dict[str, int] = defaultdict(int)
    asleep: set[str] = set()
    for row in rows:
        if row["asleep"]:
            asleep.add(row["note"])
        if row["stage"] == FEEDBACK:
            feedback[row["note"]] += 1 if row["score"] > 0 else -1
        else:
            times[row["note"]].append(row["at"])
    notes = sorted(times.keys() | feedback.keys())
    return tuple(
        NoteRecord(note=note, times=tuple(sorted(times[note])), feedback=feedback[note], asleep=note in asleep) for note in notes
    )


def hot(records: Sequence[NoteRecord], top: int) -> tuple[NoteRecord, ...]:
    """The ``top`` notes recalled most often, the later used before the earlier, then by id. What is asleep is not hot."""
    used = [record for record in records if record.times and not record.asleep]
    return tuple(sorted(used, key=lambda record: (-len(record.times), -record.times[-1].timestamp(), record.note))[:top])
