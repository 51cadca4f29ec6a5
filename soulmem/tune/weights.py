"""Weights: what of the settings may be tuned, in which range; and the points that sweeps over them make."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from itertools import product

from soulmem.errors import InputError
from soulmem.settings import Settings

#: A combination of weights: name → value, what is not named being as it is.
Point = Mapping[str, float]

#: More points than this are refused unless asked for.
MOST_POINTS = 1000

#: What the engine is started with cannot change from one recall to the next.
_OF_THE_ENGINE = frozenset({"buffer_pool_bytes", "max_db_bytes", "bulk_size"})

_SHARES = frozenset(
    {"lexical_weight", "dense_weight", "retention_floor", "similarity_floor", "bm25_b", "string_blend_alpha", "tag", "variant"}
    | {"preference_semantic", "preference_situation", "situation_link_confidence", "recall_boost", "sleep_below", "wake_above"}
    | {"mask_from", "revise_from", "gist_below", "blank_below"}
)
_SHARE_PREFIXES = ("sem_", "sit_")
#: On (1) or off (0).
_SWITCHES = frozenset({"idle_consolidate"})
#: What must be at least one to find anything.
_COUNTS = frozenset(
    {"max_results", "association_top_k", "association_node_limit", "action_top_k", "merged_top_k", "render_budget"}
)
_ABOVE_ZERO = frozenset(
    {"residue_threshold", "association_time_limit_ms", "spontaneous_pace", "forced_pace", "figure_pace", "unit_variation"}
)
_MOST = 1e9


def _tunable() -> dict[str, float]:
    numbers = {field.name: field.default for field in fields(Settings) if field.name not in _OF_THE_ENGINE}
    return {name: value for name, value in numbers.items() if isinstance(value, int | float) and not isinstance(value, bool)}


#: The names that may be tuned, with their defaults.
TUNABLE: Mapping[str, float] = _tunable()


def is_whole(name: str) -> bool:
    """Whether this weight is a whole number."""
    return isinstance(TUNABLE[name], int)


def bounds(name: str) -> tuple[float, float]:
    """The least and the largest value a weight may have."""
    if name == "damping":
        return 0.0, math.nextafter(1.0, 0.0)  # at 1 the walk never ends
    if name in _SHARES or name in _SWITCHES or name.startswith(_SHARE_PREFIXES):
        return 0.0, 1.0
    if name in _COUNTS:
        return 1.0, _MOST
    if name in _ABOVE_ZERO or name.startswith("half_life_"):
        return 1e-9, _MOST
    return 0.0, _MOST


def checked(name: str, value: object) -> float:
    """``value`` as this weight takes it. Raises :class:`InputError`: no such weight, no number, or out of its range."""
    if name not in TUNABLE:
        raise unknown_name(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError(f"{name}: {str(value)[:40]!r} is not a number")
    low, high = bounds(name)
    if not low <= value <= high:
        raise InputError(f"{name}: {value:g} is out of its range, {_range(name)}")
    if not is_whole(name):
        return float(value)
    if not float(value).is_integer():
        raise InputError(f"{name}: {value:g} is not a whole number")
    return int(value)


def _range(name: str) -> str:
    low, high = bounds(name)
    if high >= _MOST:
        return "above 0" if 0 < low < 1 else f"{low:g} or more"
    return "0 or more and less than 1" if high < 1.0 else f"{low:g} to {high:g}"


def unknown_name(name: str) -> InputError:
    """The error for a weight that is not there; names those that are meant perhaps."""
    near = get_close_matches(name, TUNABLE, n=3, cutoff=0.5) or [one for one in TUNABLE if name and name in one][:3]
    advice = f"Perhaps {' or '.join(near)}?" if near else f"There are: {', '.join(TUNABLE)}."
    return InputError(f"there is no weight called {name[:60]!r}", advice=advice)


def parsed_value(text: str) -> tuple[str, float]:
    """``name=value``."""
    name, value = _split(text, "name=value")
    return name, checked(name, _number(name, value))


def parsed_sweep(text: str, most: int = MOST_POINTS) -> tuple[str, tuple[float, ...]]:
    """``name=from:to:step`` (both ends included) or ``name=v1,v2,v3``; a value that comes twice counts once."""
    name, values = _split(text, "name=from:to:step or name=v1,v2,v3")
    if ":" in values:
        return name, tuple(checked(name, _as_whole(name, value)) for value in _steps(name, values, most))
    return name, tuple(dict.fromkeys(checked(name, _number(name, value)) for value in values.split(",")))


def _split(text: str, shape: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    name = name.strip()
    if not equals or not name:
        raise InputError(f"{text[:60]!r} is not of the form {shape}")
    if name not in TUNABLE:
        raise unknown_name(name)
    return name, value.strip()


def _number(name: str, text: str) -> float:
    # Python's own float() would take "1_0" and "١" too.
    if not re.fullmatch(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*", text, re.ASCII):
        raise InputError(f"{name}: {text[:40]!r} is not a number")
    return _as_whole(name, float(text))


def _as_whole(name: str, value: float) -> float:
    return int(value) if is_whole(name) and value.is_integer() else value


def _steps(name: str, text: str, most: int) -> Iterator[float]:
    parts = text.split(":")
    if len(parts) != 3:
        raise InputError(f"{name}: {text[:60]!r} is not of the form from:to:step")
    start, stop, step = (float(_number(name, part)) for part in parts)
    if not all(map(math.isfinite, (start, stop, step))) or step <= 0 or stop < start:
        raise InputError(f"{name}: {text[:60]!r} leads nowhere: the step must be above 0, and the end not before the beginning")
    last = math.floor((stop - start) / step + 1e-9)
    check_number(last + 1, most)
    return (round(start + place * step, 12) for place in range(last + 1))


def check_number(points: int, most: int) -> None:
    """Raises :class:`InputError` where there are more points than ``most``."""
    if points > most:
        advice = f"Take larger steps or sweep fewer weights at once, or allow as many with --most {points}."
        raise InputError(f"{points} combinations of weights are more than {most}", advice=advice)


def grid(
    fixed: Point, sweeps: Mapping[str, Sequence[float]], of_file: Sequence[Point] = (), most: int = MOST_POINTS
) -> tuple[Point, ...]:
    """All combinations of the swept values, over each of the file's own points, in order: the last sweep changes fastest.

    ``fixed`` and ``sweeps`` are above what the file says. At least one point, which may be empty. Raises :class:`InputError`:
    a name that is both fixed and swept, or more than ``most`` combinations.
    """
    both = sorted(fixed.keys() & sweeps.keys())
    if both:
        raise InputError(f"{', '.join(both)}: either set or swept, not both")
    inner = [{name: value for name, value in point.items() if name not in {*fixed, *sweeps}} for point in of_file or ({},)]
    inner = list({tuple(sorted(point.items())): point for point in inner}.values())
    check_number(math.prod(map(len, sweeps.values()), start=len(inner)), most)
    combinations = [dict(zip(sweeps, values, strict=True)) for values in product(*sweeps.values())]
    return tuple({**point, **fixed, **swept} for point in inner for swept in combinations)


def told(point: Point) -> str:
    """A point in words."""
    return ", ".join(f"{name}={value:.6g}" for name, value in point.items()) or "as they are"
