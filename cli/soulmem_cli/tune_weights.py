"""Weights and thresholds as the command line gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import click

from soulmem.errors import InputError
from soulmem.tune.report import Requirement, parsed_requirement
from soulmem.tune.weights import Point, grid, parsed_sweep, parsed_value

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Sweeps:
    """Weights that are ``fixed``, and values to be tried; at most ``most`` combinations."""

    fixed: Point
    values: Mapping[str, Sequence[float]]
    most: int

    def points(self, of_file: Sequence[Point]) -> tuple[Point, ...]:
        """All combinations, over those the file asks for."""
        return grid(self.fixed, self.values, of_file, self.most)


def weights(given: Sequence[str]) -> Point:
    """``--set NAME=VALUE``, any number of them."""
    return _by_name("--set", given, parsed_value)


def swept(fixed: Point, given: Sequence[str], most: int) -> Sweeps:
    """``--sweep NAME=VALUES``, any number of them."""
    sweeps = Sweeps(fixed, _by_name("--sweep", given, partial(parsed_sweep, most=most)), most)
    _understood("--sweep", partial(sweeps.points, ()))
    return sweeps


def requirements(given: Sequence[str]) -> tuple[Requirement, ...]:
    """``--require METRIC>=VALUE``, any number of them."""
    return tuple(_understood("--require", partial(parsed_requirement, text)) for text in given)


def _by_name(option: str, given: Sequence[str], parse: Callable[[str], tuple[str, Value]]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for text in given:
        name, value = _understood(option, partial(parse, text))
        if name in found:
            raise click.UsageError(f"{option}: {name} is given twice.")
        found[name] = value
    return found


def _understood(option: str, read: Callable[[], Value]) -> Value:
    try:
        return read()
    except InputError as error:
        raise click.UsageError(f"{option}: {error}") from error
