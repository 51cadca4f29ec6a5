"""Where the notes of a file were read, for whoever asks what a memory comes from (pure)."""

from __future__ import annotations

from dataclasses import replace

from soulmem.ingest.contract import Document


def with_origins(document: Document, file: str) -> Document:
    """``document`` whose notes say where in ``file`` they stand, but for those that say where they were read before."""
    placed = document.places
    return replace(
        document,
        notes=tuple(
            replace(note, origins=(origin(file, placed[note.key]),)) if note.key in placed and not note.origins else note
            for note in document.notes
        ),
    )


def origin(file: str, place: int | str) -> str:
    """A place in a file as people write it: ``file:line``, or ``file: part``."""
    if isinstance(place, int):
        return f"{file}:{place}"
    return f"{file}: {place}" if place else file
