"""Changes of the journal as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from soulmem_cli.as_json import line

if TYPE_CHECKING:
    from soulmem.history import Changed


def shown_change(change: Changed) -> str:
    """``strength: 1.0 → 0.5``; of what only came or went: ``+ source: …``, ``- source: …``."""
    if change.before is None and isinstance(change.after, str):
        return f"+ {change.field}: {change.after}"
    if change.after is None and isinstance(change.before, str):
        return f"- {change.field}: {change.before}"
    return f"{change.field}: {_value(change.before)} → {_value(change.after)}"


def _value(value: Any) -> str:
    if value is None:
        return "none"
    return value if isinstance(value, str) else line(value)
