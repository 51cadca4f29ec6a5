"""What using a memory does to it (SPEC §8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from soulmem.graph.decay import Envelope
from soulmem.model.notes import Category, NoteType, Revision
from soulmem.settings import Settings


def envelope_of(row: Mapping[str, Any]) -> Envelope:
    """The envelope in a row of ``recall.envelopes``."""
    return Envelope(
        type=NoteType(row["type"]),
        category=Category(row["category"]) if row["category"] else None,
        retrieval_count=row["retrieval_count"],
        pinned=row["pinned"],
        core=row["core"],
        asleep=row["asleep"],
        strength=row["strength"],
        decayed_at=row["decayed_at"],
        due_at=row["due_at"],
        created_at=row["created_at"],
    )


def revised_values(revision: Revision | None) -> dict[str, Any]:
    """New values of a note's columns when a model has guessed what was forgotten of it; none where it has not."""
    if revision is None:
        return {}
    values = {field.name: getattr(revision, field.name) for field in fields(revision)}
    return {f"revised_{name}": value for name, value in values.items() if value is not None}


def reinforced_values(before: Envelope, at: datetime, settings: Settings) -> dict[str, Any]:
    """New values of a note's envelope after a used recall at ``at``: it is stronger, and wakes if it was asleep."""
    after = before.reinforced(at, settings)
    return {
        "retrieval_count": after.retrieval_count,
        "last_accessed_at": max(at, before.created_at) if before.created_at is not None else after.decayed_at,
        "strength": after.strength,
        "decayed_at": after.decayed_at,
        "due_at": after.due_at,
        "asleep": after.asleep,
    }
