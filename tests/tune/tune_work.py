"""Work that other processes can import: they know modules, not tests."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack

from soulmem.errors import QueryError


def begin(ending: ExitStack) -> Callable[[int], tuple[int, int]]:
    return do


def do(task: int) -> tuple[int, int]:
    if task == -1:
        raise QueryError("no such thing", place="a.json:3", advice="Do this.")
    if task == -2:
        os._exit(7)
    time.sleep(0.02 if task % 2 else 0.0)  # so that results would come out of order
    return task, os.getpid()
