"""Values of the library as JSON: stable names, nothing escaped that need not be, times as RFC 3339 in UTC."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

import click


def plain(value: Any) -> Any:
    """``value`` in what JSON has: dataclasses become objects by their field names, numbers that are none become null."""
    if value is None or isinstance(value, bool | int) or type(value) is str:
        return value
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, datetime):
        return rfc3339(value)
    return _plain_many(value)


def _plain_many(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Set):
        return sorted(plain(item) for item in value)
    if hasattr(value, "tolist"):  # numpy
        return plain(value.tolist())
    return str(value)


def rfc3339(moment: datetime) -> str:
    """``moment`` in UTC, with ``Z``; one without a zone is UTC, as the engine keeps it."""
    aware = moment.astimezone(UTC) if moment.tzinfo else moment
    return aware.replace(tzinfo=None).isoformat() + "Z"


def line(value: Any) -> str:
    """``value`` as one line of JSON."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False)


def print_json(value: Any) -> None:
    """``value`` to standard output, for programs and readable."""
    click.echo(json.dumps(plain(value), ensure_ascii=False, allow_nan=False, indent=2))


def print_json_line(value: Any) -> None:
    """``value`` to standard output on one line, at once."""
    click.echo(line(value))
