"""A mind as it is seen from the contexts that are asked in, kept up to date like the mind itself."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from soulmem.recall.image import Image, Images
from soulmem.scopes.contexts import normal_scope
from soulmem.scopes.seen import Kept, SeenStore, Unheard, unheard
from soulmem.store.contract import Store

#: Of so many contexts what was read is kept; those asked in longest ago are let go of.
MOST_KEPT = 8


@dataclass(frozen=True, slots=True)
class View:
    """A mind as it is seen from one context: a ``store`` to read with, and the ``image`` for recalls. Where nothing is held back,
    both are those of the mind itself. ``unheard``: what is held back."""

    store: Store
    image: Image
    unheard: Unheard


@dataclass(slots=True)
class _Kept:
    store: SeenStore
    images: Images


class Views:
    """The views of one mind that is open. Safe from any thread."""

    def __init__(self, store: Store, images: Images, kept: Kept | None = None) -> None:
        """``kept``: from whom something is kept beside what the mind says, by id of the note or line."""
        self._store = store
        self._beside: Kept = kept or {}
        self._images = images
        self._guard = threading.Lock()
        self._known: dict[str, Unheard] = {}
        self._kept: dict[str, _Kept] = {}

    def unheard(self, scope: str) -> Unheard:
        """What is held back in ``scope`` now."""
        with self._guard:
            return self._unheard(normal_scope(scope))

    def of(self, scope: str) -> View:
        """The mind as it is seen in ``scope`` now."""
        normal = normal_scope(scope)
        with self._guard:
            held = self._unheard(normal)
            if not held:
                self._kept.pop(normal, None)
                return View(self._store, self._images.current(), held)
            kept = self._current(normal, held)
            return View(kept.store, kept.images.current(), held)

    def _unheard(self, scope: str) -> Unheard:
        number = self._store.query("store.last_operation")[0]["number"] or 0
        known = self._known.pop(scope, None)
        if known is None or known.number != number:
            known = unheard(self._store, scope, self._beside)
        self._known[scope] = known
        for other in list(self._known)[:-MOST_KEPT]:
            del self._known[other]
            self._kept.pop(other, None)
        return known

    def _current(self, scope: str, held: Unheard) -> _Kept:
        """What was read in this context, as far as nothing that is in it came to be held back, and nothing that was is not."""
        kept = self._kept.get(scope)
        if kept is not None and kept.store.unheard.notes <= held.notes:
            more = held.notes - kept.store.unheard.notes
            if not any(note in kept.images.known.table.places for note in more):
                kept.store.unheard = held
                return kept
        store = SeenStore(self._store, held)
        self._kept[scope] = _Kept(store, Images(store))
        return self._kept[scope]
