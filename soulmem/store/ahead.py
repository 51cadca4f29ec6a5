"""Making the next thing while this one is in use."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_Made = TypeVar("_Made")


def ahead(makers: Iterable[Callable[[], _Made]]) -> Generator[_Made, None, None]:
    """What ``makers`` make, in order; each runs in another thread while the caller works with what the one before made.

    No more than one is made ahead; whoever stops early closes it, so that nothing is made any more. What a maker raises is raised
    where its thing would have come.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="ahead") as pool:
        waiting: Future[_Made] | None = None
        for make in makers:
            made = pool.submit(make)
            if waiting is not None:
                yield waiting.result()
            waiting = made
        if waiting is not None:
            yield waiting.result()
