"""Which mind a command works on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

import click

from soulmem_cli.options import Chosen
from soulmem_cli.terminal import say

if TYPE_CHECKING:
    from soulmem.soul import Soul


def chosen_mind() -> str:
    """The mind that ``--mind`` or the environment names, else the only one there is.

    Raises :class:`NotFoundError` when there is none, :class:`click.UsageError` when there is more than one.
    """
    chosen = click.get_current_context().ensure_object(Chosen).mind
    if chosen:
        return named(chosen)
    from soulmem.store import list_minds

    minds = list_minds()
    if len(minds) == 1:
        return minds[0]
    if not minds:
        from soulmem.errors import NotFoundError

        raise NotFoundError("there is no mind yet", advice="Make one with: soulmem init NAME")
    raise click.UsageError(
        f"There are {len(minds)} minds: {', '.join(minds)}.\n"
        f"Choose one with --mind, as in: soulmem --mind {shlex.quote(minds[0])} …, or set SOULMEM_MIND."
    )


def named(mind: str) -> str:
    """``mind``, if it can be the name of one or a path; else :class:`click.UsageError`. That is looked at only now, since it
    takes importing the store."""
    from soulmem.errors import InputError
    from soulmem.store import mind_path

    try:
        mind_path(mind)
    except InputError as error:
        raise click.UsageError(str(error)) from error
    return mind


@contextmanager
def opened(*, read_only: bool = False, as_of: int | datetime | None = None) -> Iterator[Soul]:
    """The chosen mind, open, and closed at the end whatever happens; with ``as_of`` as it was then, for reading alone."""
    mind = chosen_mind()
    from soulmem.soul import Soul
    from soulmem.store import load_engine

    load_engine()
    with Soul.open(mind, read_only=read_only, as_of=as_of) as soul:
        if soul.past is not None and soul.past.forgotten:
            numbers = ", ".join(map(str, soul.past.forgotten))
            say(f"Some of what these operations wrote was forgotten for good, so what they changed is as it is now: {numbers}.")
        yield soul
