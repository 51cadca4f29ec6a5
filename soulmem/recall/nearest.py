"""What vectors alone bring: the measure that recall is compared with."""

from __future__ import annotations

import numpy as np

from soulmem.embed.contract import Embedder
from soulmem.recall.image import Image
from soulmem.recall.scoring import calibrate
from soulmem.views import NearNote


def nearest(text: str, image: Image, embedder: Embedder, baseline: float, top: int) -> tuple[NearNote, ...]:
    """The ``top`` active notes nearest to ``text`` by their vectors, best first, ties by key; none for a text without content."""
    vector = embedder.queries([text])[0]
    if not vector.any():
        return ()
    table = image.table
    scores = calibrate(image.dense.cosines(vector), baseline)
    places = np.flatnonzero(table.active & ~np.isnan(scores)).tolist()
    best = sorted(places, key=lambda place: (-scores[place], table.keys[place]))[:top]
    told = image.telling.of([table.ids[place] for place in best])
    return tuple(
        NearNote(
            id=table.ids[place],
            key=table.keys[place],
            type=table.type(place),
            text=told[table.ids[place]].original,
            score=round(float(scores[place]), 6),
        )
        for place in best
    )
