"""What the suites share that make their minds, or need none: their files, and whether what was required is reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from soulmem.errors import InputError
from soulmem.tune.report import Requirement
from soulmem_cli.terminal import say


def check_taken(suite: str, refused: Mapping[str, Any]) -> None:
    """Refuse what was given for options that the suite does not take."""
    given = [name for name, value in refused.items() if value]
    if given:
        raise click.UsageError(f"The suite {suite} does not take {given[0]}.")


def check_batch(paths: Sequence[Path], batch: bool) -> None:
    """Refuse several files, or a folder, without --batch."""
    if not batch and (len(paths) > 1 or paths[0].is_dir()):
        raise click.UsageError("Several files, or a folder, are run as one with --batch.")


def suite_files(paths: Sequence[Path], batch: bool, kind: str, pattern: str) -> list[Path]:
    """The files named, and those of folders whose names fit ``pattern``; ``kind``: what they are called."""
    check_batch(paths, batch)
    files = [file for path in paths for file in (sorted(path.rglob(pattern)) if path.is_dir() else [path])]
    if not files:
        raise InputError(f"no {kind} ({pattern}) in {', '.join(map(str, paths))}")
    return list(dict.fromkeys(files))


def end_suite(metrics: Mapping[str, float], musts: Sequence[Requirement]) -> None:
    """Tell which requirements are missed; exit code 1 then."""
    failures = missed_measures(metrics, musts)
    for failure in failures:
        say(f"required: {failure}")
    if failures:
        raise click.exceptions.Exit(1)


def missed_measures(metrics: Mapping[str, float], musts: Sequence[Requirement]) -> list[str]:
    """Which requirements these measures miss, in words. Raises :class:`InputError` for a measure that is not there."""
    told = []
    for one in musts:
        if one.kind or one.measure not in metrics:
            raise InputError(f"{one.name}: nothing measures it here", advice=f"There are: {', '.join(metrics)}.")
        value = metrics[one.measure]
        if value < one.least - 1e-12:
            told.append(f"{one.name} is {value:.4f}, and must be at least {one.least:g}")
    return told
