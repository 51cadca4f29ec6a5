"""Constants that a user has set for one mind, kept in it as the recorded value ``settings``: they come before its profile."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from logging import getLogger
from typing import Any

from soulmem.errors import InputError
from soulmem.model.changes import Change
from soulmem.settings import Settings
from soulmem.tune.weights import checked, told

#: The recorded value that holds them.
META = "settings"


def read_values(value: Any) -> tuple[dict[str, float], tuple[str, ...]]:
    """The constants in a recorded value (``None``: none), and what of it cannot be used, in words."""
    if value is None:
        return {}, ()
    if not isinstance(value, dict):
        return {}, ("the recorded settings are none",)
    values: dict[str, float] = {}
    ignored: list[str] = []
    for name, number in value.items():
        try:
            values[name] = checked(name, number)
        except InputError as error:
            ignored.append(error.what)
    return values, tuple(ignored)


def with_own(settings: Settings, value: Any) -> Settings:
    """``settings`` with the constants of a recorded value over them; what cannot be used of it is logged as a warning."""
    values, ignored = read_values(value)
    if ignored:
        getLogger(__name__).warning("soulmem: ignored in the settings of this mind: %s", "; ".join(ignored))
    return settings.with_values(**values)


def changed(value: Any, values: Mapping[str, float | None], at: datetime) -> Change:
    """The change that sets ``values`` over those recorded as ``value``; ``None`` takes one away, also one of no meaning any more.

    Raises :class:`InputError`: nothing to set, no such constant, or out of its range.
    """
    if not values:
        raise InputError("there is nothing to set")
    before = dict(value) if isinstance(value, dict) else {}
    for name in values:
        if values[name] is None and name not in before:
            checked(name, getattr(Settings(), name, None))
    new = {name: checked(name, number) for name, number in values.items() if number is not None}
    kept = {name: number for name, number in before.items() if name not in values}
    gone = [name for name, number in values.items() if number is None]
    parts = [*([told(new)] if new else []), *(f"{name} as before" for name in gone)]
    return Change(command="config", what=f"settings: {', '.join(parts)}", at=at, meta={META: {**kept, **new} or None})
