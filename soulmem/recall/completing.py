"""The notes that a recall used and whose blanks a model may guess, as it is asked about them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from soulmem.forget.completion import Completion, Hazy, complete
from soulmem.llm.contract import Model
from soulmem.model.notes import REVISABLE
from soulmem.recall.faded import presents
from soulmem.recall.image import Image
from soulmem.settings import Settings


def guessed(
    image: Image, notes: Sequence[str], at: datetime, settings: Settings, model: Model, character: str, about: str
) -> Completion:
    """What ``model`` believes of these notes as they stand at ``at``; of those of which nothing was guessed before."""
    table = image.table
    there = [note for note in notes if note in table.places]
    told = {note: one for note, one in image.telling.of(there).items() if not one.is_revised}
    kept = table.retentions(table.places_of(told), at, settings).tolist()
    missing = {note: round(1.0 - retention, 6) for note, retention in zip(told, kept, strict=True)}
    hazy = [
        Hazy(
            note=note,
            key=table.keys[table.places[note]],
            missing=missing[note],
            texts=dict(zip(REVISABLE[table.type(table.places[note])], standing.masks, strict=True)),
        )
        for note, standing in presents(image, told, missing, settings).items()
        if standing.masks
    ]
    return complete(model, character, about, hazy, lambda name, note: _is_taken(image, name, note))


def _is_taken(image: Image, name: str, note: str) -> bool:
    return bool(set(image.names.of([name])[name]) - {note})
