"""What using a memory does to it (SPEC §8)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from soulmem.graph.decay import due_at, half_life_hours, reinforced
from soulmem.model.notes import Category, NoteType
from soulmem.settings import Settings


def reinforced_values(row: Mapping[str, Any], at: datetime, settings: Settings) -> dict[str, Any]:
    """New values of a note's envelope after a used recall at ``at``. ``row``: of ``recall.envelopes``."""
    category = Category(row["category"]) if row["category"] else None
    count = row["retrieval_count"]
    before = half_life_hours(NoteType(row["type"]), category, count, row["pinned"], settings)
    after = half_life_hours(NoteType(row["type"]), category, count + 1, row["pinned"], settings)
    moment = max(at, row["decayed_at"])
    strength = reinforced(row["strength"], row["decayed_at"], moment, before, settings)
    return {
        "retrieval_count": count + 1,
        "last_accessed_at": moment,
        "strength": strength,
        "decayed_at": moment,
        "due_at": due_at(strength, moment, after, settings),
    }
