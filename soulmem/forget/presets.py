"""Memories to choose from: half-lives that go together, by the name of whoever remembers like that."""

from __future__ import annotations

from collections.abc import Mapping

from soulmem.errors import InputError
from soulmem.settings import Settings, names

#: What a preset is set, and shown, as.
NAME = "forget.preset"

#: Preset → how many times as long as by default everything is remembered.
PRESETS: Mapping[str, float] = {"human": 1.0, "elephant": 8.0, "goldfish": 0.125}

#: As it is without any being set.
DEFAULT = "human"

#: What a preset sets: all half-lives but that of what is pinned, which is kept by everyone.
HALF_LIVES = tuple(name for name in names() if name.startswith("half_life_") and name != "half_life_pinned_hours")


def preset_values(preset: str) -> dict[str, float | None]:
    """The constants that a preset sets; ``None`` takes one away: ``human`` is as by default. Raises :class:`InputError`."""
    if preset not in PRESETS:
        raise InputError(f"there is no preset {preset[:40]!r}", advice=f"There are: {', '.join(PRESETS)}.")
    if preset == DEFAULT:
        return dict.fromkeys(HALF_LIVES)
    return dict(_scaled(PRESETS[preset]))


def preset_of(settings: Settings) -> str | None:
    """The preset whose half-lives these are; ``None``: of none, they were set one by one."""
    own = {name: getattr(settings, name) for name in HALF_LIVES}
    return next((preset for preset, factor in PRESETS.items() if _scaled(factor) == own), None)


def _scaled(factor: float) -> dict[str, float]:
    usual = Settings()
    return {name: getattr(usual, name) * factor for name in HALF_LIVES}
