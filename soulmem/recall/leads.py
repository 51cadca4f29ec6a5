"""What one note leads to: the walk from it alone, as an association from a single memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from soulmem.graph.walk import associate, best_paths
from soulmem.model.notes import display_text
from soulmem.model.results import Step
from soulmem.recall.image import Image
from soulmem.settings import Settings
from soulmem.views import LedNote


def leads(note: str, image: Image, settings: Settings, at: datetime, top: int, clock: Callable[[], float]) -> tuple[LedNote, ...]:
    """The ``top`` notes that the walk from ``note`` (an id) carries most to, best first, each with the most probable path."""
    found = associate({note: 1.0}, image.links.at(at, settings), settings, clock)
    best = found.top(top, without=(note,))
    paths = best_paths(found.graph, (note,), tuple(led for led, _ in best))
    texts = {led.id: display_text(led.body) for led in image.store.notes([led for led, _ in best])}
    table = image.table

    def step(source: str, target: str, weight: float) -> Step:
        kind, verb = image.links.between(table.places[source], table.places[target])
        ends = table.keys[table.places[source]], table.keys[table.places[target]]
        return Step(source=ends[0], target=ends[1], type=kind, verb=verb, weight=round(weight, 6))

    return tuple(
        LedNote(
            id=led,
            key=table.keys[table.places[led]],
            type=table.type(table.places[led]),
            text=texts[led],
            score=round(score, 6),
            path=tuple(step(one.source, one.target, one.probability) for one in paths.get(led, ())),
        )
        for led, score in best
    )
