"""soulmem: the memory of a character, in one file.

>>> from soulmem import Soul                                  # doctest: +SKIP
>>> soul = Soul.create("aria.mind", name="Aria")              # a new mind
>>> soul.ingest("chats/")                                     # chats and graphs, as they are
>>> found = soul.recall("What did she promise?", messages=3)  # reads, changes nothing
>>> print(found.rendered)                                     # for a person or a model
>>> soul.commit(found)                                        # what was used is remembered better
>>> soul.close()

The names below are the public ones; they are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from soulmem._version import __version__

if TYPE_CHECKING:
    from soulmem.errors import SoulmemError
    from soulmem.model.results import Action, Memory, Recollection, SaidMessage
    from soulmem.settings import Settings
    from soulmem.soul import Soul
    from soulmem.working.observer import Line, Observed, WindowView

__all__ = [
    "Action",
    "Line",
    "Memory",
    "Observed",
    "Recollection",
    "SaidMessage",
    "Settings",
    "Soul",
    "SoulmemError",
    "WindowView",
    "__version__",
]

_HOMES = {
    "Action": "soulmem.model.results",
    "Line": "soulmem.working.observer",
    "Memory": "soulmem.model.results",
    "Observed": "soulmem.working.observer",
    "Recollection": "soulmem.model.results",
    "SaidMessage": "soulmem.model.results",
    "Settings": "soulmem.settings",
    "Soul": "soulmem.soul",
    "SoulmemError": "soulmem.errors",
    "WindowView": "soulmem.working.observer",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'soulmem' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
