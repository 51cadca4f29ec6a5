"""Ctrl-C, and what is told of it: where the mind stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class ToldInterrupt(KeyboardInterrupt):
    """Ctrl-C with a text for the user. That of any other :class:`KeyboardInterrupt` is not told: Python's own codecs give it
    one (*decoding with 'utf-8' codec failed*)."""


@contextmanager
def telling_interrupts(told: Callable[[], str]) -> Iterator[None]:
    """Inside, Ctrl-C becomes a :class:`ToldInterrupt` with the text that ``told`` gives then; ``""``: nothing is to be told."""
    try:
        yield
    except KeyboardInterrupt as stop:
        raise ToldInterrupt(told()) from stop
