"""Cases of forgetting with known answers (Forget JSON, SPEC §2). The text is untrusted.

``{"name", "description", "config": {"base_half_life_hours", "active_factor", "max_activation_cap"}, "test_cases": [{"name",
"kind", …}]}``. Every case is of a note that was written at hour 0: ``mem_kind`` (``situation`` or ``semantic``), ``category`` of
a semantic one, which fades by the half-life of its category instead of the file's. By ``kind``:

- ``time_monotonic``: ``time_offsets_hours``, over which what is missing never falls; ``activation_count`` (0).
- ``activation``: ``activation_counts``, over which what is missing at ``time_offset_hours`` never rises, and stays past the cap.
- ``magnitude``: at ``time_offset_hours``, after ``activation_count``, ``expected_missing_degree`` is missing, ± ``tolerance``.
- ``branch``: ``expected_branches`` (NoAction, MaskOnly, Revised) at each of ``time_offsets_hours``.
- ``effect``: what becomes of ``text`` at ``time_offset_hours``: ``expected`` {``should_forget``, ``min_action``}.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from soulmem.errors import FormatError, InputError
from soulmem.model.notes import Category
from soulmem.model.results import Fading

#: A time since a note was written, hours; further than this is beyond the calendar.
Hours = Annotated[float, Field(ge=0, le=8e6, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Positive = Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Curve(_Model):
    """Of a note in a file: what it is forgotten by."""

    base_half_life_hours: Positive = 24.0
    active_factor: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] = 0.1
    max_activation_cap: Count = 50


class _Case(_Model):
    name: Annotated[str, Field(min_length=1)]
    mem_kind: Literal["situation", "semantic"] = "situation"
    category: Category | None = None


class TimeMonotonic(_Case):
    """T1: what is missing never falls while time goes on."""

    kind: Literal["time_monotonic", "T1"]
    time_offsets_hours: Annotated[list[Hours], Field(min_length=2)]
    activation_count: Count = 0


class Activation(_Case):
    """T2: what is missing never rises with the number of recalls, and is the same from the cap on."""

    kind: Literal["activation", "T2"]
    activation_counts: Annotated[list[Count], Field(min_length=2)]
    time_offset_hours: Hours = 72.0


class Magnitude(_Case):
    """T3: how much is missing."""

    kind: Literal["magnitude", "T3"]
    time_offset_hours: Hours
    activation_count: Count = 0
    expected_missing_degree: Annotated[float, Field(ge=0, le=1)]
    tolerance: Annotated[float, Field(ge=0, le=1)] = 0.001


class Branch(_Case):
    """T4: how the text is shown."""

    kind: Literal["branch", "T4"]
    time_offsets_hours: Annotated[list[Hours], Field(min_length=1)]
    expected_branches: list[Fading]
    activation_count: Count = 0

    @model_validator(mode="after")
    def _as_many(self) -> Branch:
        if len(self.expected_branches) != len(self.time_offsets_hours):
            raise ValueError("expected_branches: one for each of time_offsets_hours is needed")
        return self


class Expected(_Model):
    """What must become of a text."""

    should_forget: bool
    min_action: Fading = Fading.NO_ACTION


class Effect(_Case):
    """T5: what becomes of a text."""

    kind: Literal["effect", "T5"]
    text: Annotated[str, Field(min_length=1, max_length=100_000)]
    time_offset_hours: Hours
    activation_count: Count = 0
    expected: Expected


Case = TimeMonotonic | Activation | Magnitude | Branch | Effect


class _File(_Model):
    name: str = ""
    config: Curve = Curve()
    test_cases: Annotated[list[Annotated[Case, Field(discriminator="kind")]], Field(min_length=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetFile:
    """A file of cases."""

    path: Path
    name: str
    curve: Curve
    cases: tuple[Case, ...]


def read_forget(path: Path) -> ForgetFile:
    """The cases of a file. Raises :class:`InputError` or :class:`FormatError` with what is wrong and where."""
    try:
        root: Any = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {error}", place=str(path)) from error
    try:
        found = _File.model_validate(root)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        advice = "Forget JSON has test_cases, each with a name and a kind: see docs/forgetting.md."
        raise FormatError(f"{where}: {first['msg']}", place=str(path), advice=advice) from error
    return ForgetFile(path=path, name=found.name or path.stem, curve=found.config, cases=tuple(found.test_cases))
