"""For all tests: no property fails for how busy the machine is; pytest's own timeout stops what hangs.

``HYPOTHESIS_PROFILE=thorough`` tries each property ten times as long.
"""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import settings

settings.register_profile("suite", deadline=None, max_examples=30)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


#: Folders of tests that take no time. They run last: with a long file at the end one worker would keep the others waiting.
SHORT = ("export", "forget", "graph", "model", "scopes", "text", "working")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.parent.name in SHORT)


def pytest_collection_finish() -> None:
    """What ten thousand tests are made of stays to the end: looking through it for garbage again and again finds none."""
    gc.freeze()
