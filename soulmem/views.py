"""What is shown of a mind to a person: rows of lists, one note with all that hangs on it, counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from soulmem.model.links import LinkType
from soulmem.model.notes import Note, NoteType
from soulmem.model.results import Fading, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRow:
    """A note in a list. ``text``: what is left of it now; ``original``: as it was written; ``retention`` 0..1. ``valid_until``:
    when a fact ceased to hold, or will."""

    id: str
    key: str
    type: NoteType
    text: str
    original: str
    retention: float
    retrieval_count: int
    tags: tuple[str, ...]
    scope: str = "public"
    kept_from: tuple[str, ...] = ()
    valid_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkView:
    """A link seen from one of its ends; ``other`` is the key of the far end."""

    id: str
    other: str
    other_type: NoteType
    type: LinkType
    verb: str | None
    confidence: float | None
    prob: float | None
    intensity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LedNote:
    """A note that another leads to. ``text``: as it was written; ``score``: the share (0..1) of a walk from that one which is
    found here; ``path``: the most probable way there."""

    id: str
    key: str
    type: NoteType
    text: str
    score: float
    path: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """A line a note was drawn from."""

    file: str
    line: int
    speaker: str
    time: datetime | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SupersededView:
    """A fact (its key) that holds instead of another since ``at``, or that other one."""

    key: str
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView:
    """A note with its links, its sources, its retention now (0..1), and how many links wait for it or start at it and wait.

    ``present``: what is left of its text now, ``original``: as it was written; ``texts``: name of a
    text that fades (content, narrative …) → what is left of it; ``missing``: its missing degree (0..1),
    ``fading``: its stage, ``hidden``: what does not show, piece by piece. ``superseded_by``: what holds instead of it;
    ``supersedes``: what it holds instead of; ``edited``: when it was changed by hand."""

    note: Note
    retention: float
    present: str
    original: str
    texts: Mapping[str, str]
    missing: float
    fading: Fading
    hidden: tuple[str, ...]
    links_out: tuple[LinkView, ...]
    links_in: tuple[LinkView, ...]
    sources: tuple[SourceView, ...]
    pending: int
    superseded_by: tuple[SupersededView, ...] = ()
    supersedes: tuple[SupersededView, ...] = ()
    edited: tuple[datetime, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NearNote:
    """A note by how near its vectors are to those of a text. ``score``: calibrated cosine, 0..1."""

    id: str
    key: str
    type: NoteType
    text: str
    score: float
