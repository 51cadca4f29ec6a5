"""Where consolidation stands: how far each chat was read, which recalls were counted, which batch failed how often.

Kept as one value of the mind, ``Meta("consolidation")``::

    {"cursors": {chat id: number of its last line that was read},
     "recalls": time of the last recall that was counted (RFC 3339),
     "failed": {"batch": which, "times": how often, "until": {chat id: number of its last line in it}, "why": …},
     "skipped": [{"batch": …, "chats": […], "messages": how many, "first": …, "last": …, "why": …}]}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from soulmem.model.messages import Message
from soulmem.model.notes import derived_id

META = "consolidation"
#: A batch that failed so often is skipped.
MOST_FAILURES = 3
#: So many skipped batches are told of; of older ones there is the journal.
_MOST_SKIPPED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """See the module."""

    cursors: Mapping[str, int] = field(default_factory=dict)
    recalls: datetime | None = None
    failed: Mapping[str, Any] = field(default_factory=dict)
    skipped: tuple[Mapping[str, Any], ...] = ()

    def cursor(self, chat: str) -> int:
        """The number of the last line of this chat that was read; -1: none."""
        return self.cursors.get(chat, -1)

    @property
    def failures(self) -> int:
        """How often the batch has failed that is to be tried next."""
        times = self.failed.get("times")
        return times if type(times) is int else 0

    @property
    def until(self) -> Mapping[str, int]:
        """The last line in each chat of the batch that failed: it is tried again as it was, whatever was said since."""
        until = self.failed.get("until")
        return {str(chat): int(last) for chat, last in until.items()} if isinstance(until, Mapping) else {}

    def read(self, messages: Sequence[Message]) -> State:
        """This state when ``messages`` are read; the batch of them has not failed."""
        cursors = dict(self.cursors)
        for message in messages:
            cursors[message.chat] = max(cursors.get(message.chat, -1), message.index)
        return replace(self, cursors=cursors, failed={})

    def failing(self, batch: str, messages: Sequence[Message], why: str) -> State:
        """This state when ``batch`` has failed once more. The third time it is skipped: its lines count as read."""
        times = 1 + (self.failures if self.failed.get("batch") == batch else 0)
        if times < MOST_FAILURES:
            until = replace(self, cursors={}).read(messages).cursors
            return replace(self, failed={"batch": batch, "times": times, "until": dict(until), "why": why})
        skipped = {
            "batch": batch,
            "chats": sorted({message.chat for message in messages}),
            "messages": len(messages),
            "first": messages[0].index if messages else -1,
            "last": messages[-1].index if messages else -1,
            "why": why,
        }
        return replace(self.read(messages), skipped=(*self.skipped, skipped)[-_MOST_SKIPPED:])

    def as_json(self) -> dict[str, Any]:
        """The value that is kept."""
        return {
            "cursors": dict(self.cursors),
            "recalls": self.recalls.astimezone(UTC).isoformat() if self.recalls else None,
            "failed": dict(self.failed),
            "skipped": [dict(one) for one in self.skipped],
        }


def state_of(value: Any) -> State:
    """The state that was kept; a new one where there is none, or where it is broken: then everything is read again, which adds
    nothing that is there."""
    if not isinstance(value, Mapping):
        return State()
    cursors = value.get("cursors")
    recalls = value.get("recalls")
    return State(
        cursors={str(chat): int(last) for chat, last in cursors.items()} if isinstance(cursors, Mapping) else {},
        recalls=datetime.fromisoformat(recalls) if isinstance(recalls, str) and recalls else None,
        failed=value["failed"] if isinstance(value.get("failed"), Mapping) else {},
        skipped=tuple(one for one in value.get("skipped") or () if isinstance(one, Mapping)),
    )


def batch_name(messages: Sequence[Message]) -> str:
    """A name for these messages as a batch: the same messages, the same name."""
    return derived_id("batch", *(message.id for message in messages))
