"""A mind's profile: the weights that differ from the defaults there, kept in the mind as the recorded value ``profile``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from soulmem.errors import InputError
from soulmem.model.changes import Change
from soulmem.settings import Settings
from soulmem.tune.weights import Point, checked, told

#: The recorded value that holds it.
META = "profile"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """``weights``: name → value; ``measured``: what they were chosen by, as it was recorded; ``ignored``: what in the record
    cannot be used, in words."""

    weights: Point = field(default_factory=dict)
    measured: Mapping[str, Any] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()


def read_profile(value: Any) -> Profile:
    """The profile in a recorded value; ``None``: an empty one. What is unknown or out of range is left out, and said so."""
    if value is None:
        return Profile()
    stated = value.get("weights") if isinstance(value, dict) else None
    if not isinstance(stated, dict):
        return Profile(ignored=("the recorded profile is not one: it has no weights",))
    weights: dict[str, float] = {}
    ignored: list[str] = []
    for name, number in stated.items():
        try:
            weights[name] = checked(name, number)
        except InputError as error:
            ignored.append(error.what)
    measured = value.get("measured")
    return Profile(weights=weights, measured=measured if isinstance(measured, dict) else {}, ignored=tuple(ignored))


def with_profile(settings: Settings, value: Any) -> Settings:
    """``settings`` with the weights of a recorded profile over them; what cannot be used of it is logged as a warning."""
    profile = read_profile(value)
    if profile.ignored:
        from logging import getLogger

        getLogger(__name__).warning("soulmem: ignored in the profile of this mind: %s", "; ".join(profile.ignored))
    return settings.with_values(**profile.weights)


def saved(weights: Point, measured: Mapping[str, Any], at: datetime) -> Change:
    """The change that records a profile."""
    value = {"weights": {name: checked(name, number) for name, number in weights.items()}, "measured": dict(measured)}
    return Change(command="tune", what=f"profile: {told(value['weights'])}", at=at, meta={META: value})


def removed(at: datetime) -> Change:
    """The change that records that there is none."""
    return Change(command="tune", what="profile removed", at=at, meta={META: None})
