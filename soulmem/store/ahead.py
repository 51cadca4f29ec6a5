"""Making the next things while this one is in use."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_Made = TypeVar("_Made")


def ahead(makers: Iterable[Callable[[], _Made]], most: int = 1) -> Generator[_Made, None, None]:
    """What ``makers`` make, in order; all in one other thread, while the caller works with what came before.

    No more than ``most`` (1 or more) are made ahead; whoever stops early closes it, so that nothing is made any more. What a
    maker raises is raised where its thing would have come.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="ahead") as pool:
        waiting: deque[Future[_Made]] = deque()
        for make in makers:
            waiting.append(pool.submit(make))
            if len(waiting) > most:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
