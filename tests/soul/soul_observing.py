"""Talks for the tests of observing, and a definition of what a window holds after one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta

from soul_minds import AT

from soulmem.working.observer import Line

SPEAKERS = ("Ann", "Bo", "小红")
SAYINGS = (
    "I promise to bring {} plums to Halden on Monday.",
    "我答应你带{}个苹果。",
    "Greta has {} lamps.",
    "ok {}",
    "我最喜欢{}号房间。",
)


def talk(number: int, seed: int = 1) -> list[Line]:
    """So many lines, each with its own token and text, a minute apart; some tagged."""
    chance = random.Random(seed)
    return [
        Line(
            text=chance.choice(SAYINGS).format(n),
            speaker=chance.choice(SPEAKERS),
            at=AT + timedelta(minutes=n),
            token=f"line-{n}",
            tag=chance.random() < 0.05,
        )
        for n in range(number)
    ]


def texts_of(lines: Sequence[Line]) -> list[str]:
    return [line.text for line in lines]
