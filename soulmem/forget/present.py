"""The texts of a note as they stand now: in which of three stages it is, and what that leaves of them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from soulmem.forget.masks import Masked, masked
from soulmem.forget.units import Concept, units_of
from soulmem.model.results import Fading
from soulmem.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """``missing``: the missing degree of the note, 0..1; ``texts``: as they stand, in the order of the note's; ``masks``: what is
    hidden in each, none while nothing fades."""

    missing: float
    fading: Fading
    texts: tuple[str, ...]
    masks: tuple[Masked, ...] = ()

    @property
    def hidden(self) -> tuple[str, ...]:
        """What does not show, piece by piece."""
        return tuple(segment.original for text in self.masks for segment in text.blanks)


def fading_of(missing: float, settings: Settings) -> Fading:
    """The stage of a note of which so much is ``missing``."""
    if missing < settings.mask_from:
        return Fading.NO_ACTION
    return Fading.MASK_ONLY if missing < settings.revise_from else Fading.REVISED


def present(texts: Sequence[str], missing: float, settings: Settings, names: Mapping[str, Concept]) -> Present:
    """``texts`` of a note as they stand when so much of it is ``missing``. ``names``: normal name → what it stands for."""
    fading = fading_of(missing, settings)
    if fading is Fading.NO_ACTION:
        return Present(missing=missing, fading=fading, texts=tuple(texts))
    masks = tuple(masked(text, missing, settings, units_of(text, names, settings)) for text in texts)
    return Present(missing=missing, fading=fading, texts=tuple(one.text for one in masks), masks=masks)
