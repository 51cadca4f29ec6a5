"""What is looked up by name, a few at a time, and kept: also that there is nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
Pairs = Iterable[tuple[str, T]]

#: So many names are kept; when there would be more, all are let go of.
MOST_KEPT = 100_000
#: Of a mind with more notes never all names are read.
MOST_WHOLE = 50_000
#: So often the engine looks names up before all are read: that takes as long as some of these.
ASKED_OF_ENGINE = 8


class Kept(Generic[T]):
    """Answers of ``some``, which gives (name, value) for those of the names it is asked for that there are. Safe from any thread.

    ``whole`` gives all there are; ``None`` where those are too many to keep.
    """

    def __init__(self, some: Callable[[Sequence[str]], Pairs[T]], whole: Callable[[], Pairs[T]] | None) -> None:
        self._some = some
        self._whole = whole
        self._known: dict[str, tuple[T, ...]] = {}
        self._is_whole = False
        self._asked = 0

    def __len__(self) -> int:
        """How many names are kept."""
        return len(self._known)

    def of(self, names: Iterable[str]) -> dict[str, tuple[T, ...]]:
        """The values of each of these names, in the order in which they were read; empty where there is none."""
        wanted = list(dict.fromkeys(names))
        known = self._known
        unknown = [] if self._is_whole else [name for name in wanted if name not in known]
        if unknown:
            known = self._read(known, unknown, wanted)
        return {name: known.get(name, ()) for name in wanted}

    def _read(self, known: dict[str, tuple[T, ...]], unknown: Sequence[str], wanted: Sequence[str]) -> dict[str, tuple[T, ...]]:
        self._asked += 1
        if self._whole and self._asked > ASKED_OF_ENGINE:
            self._known = _grouped((), self._whole())
            self._is_whole = True
            return self._known
        if len(known) + len(unknown) > MOST_KEPT:
            known = self._known = {}
            unknown = wanted
        known.update(_grouped(unknown, self._some(unknown)))
        return known


def _grouped(names: Iterable[str], pairs: Pairs[T]) -> dict[str, tuple[T, ...]]:
    found: dict[str, list[T]] = {name: [] for name in names}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return {name: tuple(values) for name, values in found.items()}
