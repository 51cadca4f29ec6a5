"""What the instruments ask of a mind: :class:`soulmem.Soul` is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol, Self

from soulmem.model.queries import SubQuery
from soulmem.model.results import Recollection
from soulmem.settings import Settings
from soulmem.store.contract import Store
from soulmem.tune.profile import Profile


class Mind(Protocol):
    """A mind that can be asked, with settings that may change between two questions."""

    store: Store
    settings: Settings

    @property
    def profile(self) -> Profile: ...

    def remembering(self) -> Self:
        """The same mind, which reads nothing twice: see :mod:`soulmem.tune.remembered`."""
        ...

    def recall(self, text: str, top: int = 10, messages: int = 0, at: datetime | None = None) -> Recollection: ...

    def recall_queries(
        self, queries: Sequence[SubQuery], top: int = 10, at: datetime | None = None, name: str = ""
    ) -> Recollection: ...


#: Opens a mind for reading. To be used by several processes it must be picklable: ``functools.partial(Soul.open, path, …)``.
OpenMind = Callable[[], AbstractContextManager[Mind]]
