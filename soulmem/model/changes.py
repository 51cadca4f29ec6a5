"""Changes: what a plan proposes and the store applies in one transaction, with one :class:`Operation` in the journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.model.links import Link, Payload
from soulmem.model.messages import Chat, Message
from soulmem.model.notes import Note

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingLink:
    """A link one of whose ends (named by key) is not in the mind yet. ``place`` says where it was read (``file:line``)."""

    id: str
    source_key: str
    target_key: str
    payload: Payload
    created_at: datetime
    intensity: float = 1.0
    last_fired_at: datetime | None = None
    fired_count: int = 0
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One note that a recall used: at which stage it came in, with which score."""

    note: str
    stage: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRecord:
    """A recall whose result was used."""

    id: str
    at: datetime
    query: str
    uses: tuple[Use, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteUpdate:
    """New values for some columns of one note. Columns are those of ``schema/001_mind.cypher``; scalars and lists of texts."""

    note: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkUpdate:
    """New values for some columns of one link (``intensity``, ``last_fired_at``, ``fired_count``, ``confidence``, ``prob``)."""

    link: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseding:
    """A fact that is no longer so: from ``at`` on the Semantic note ``new`` holds instead of ``old``, which stays (SPEC §9).
    ``reason``: in words, for whoever asks why; ``corrects``: ``old`` was said wrong, and never was so."""

    new: str
    old: str
    at: datetime
    reason: str = ""
    corrects: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """What goes for good, by id; notes and messages with their words, vectors and all links at them. ``sources``: (note, message)
    pairs; ``supersedes``: (new, old) pairs, of which only that the one supersedes the other is forgotten; ``meta``: names.
    """

    notes: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    chats: tuple[str, ...] = ()
    recalls: tuple[str, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    supersedes: tuple[tuple[str, str], ...] = ()
    meta: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Everything one transaction writes. Empty parts write nothing.

    ``vectors``: note or message id → vector column (``v_content`` …) → unit vector, shape (dimension,), float32; of a note that
    is there they replace all it had.
    ``terms``: note or message id → term → how often it occurs. ``names``: Semantic note id → its case-folded names.
    ``embeddings``: cache id → vector. ``own_vectors``: cache id → the new message or situation whose own vector it is: it is kept
    there alone. ``pictures``: id → text (:mod:`soulmem.ingest.cards.pictures`), which stays when this
    is taken back. ``sources_added``: (note id, message id) pairs for notes that are already there.
    ``connected``: ids of pending links that ``links`` now replaces. ``meta``: name → JSON-able value. ``links_removed``: ids.
    ``uses_added``: (recall id, use) of recalls that are there already.
    ``link_sources``: link id → the note it leaves, of links that are updated or removed, where that is known: others are looked
    for among all links, which takes some 10 ms for 100,000. ``removed``: what goes besides links. ``undoes``: the number of the
    operation that this takes back.
    """

    command: str
    what: str
    at: datetime
    notes: tuple[Note, ...] = ()
    updates: tuple[NoteUpdate, ...] = ()
    links: tuple[Link, ...] = ()
    link_updates: tuple[LinkUpdate, ...] = ()
    links_removed: tuple[str, ...] = ()
    link_sources: Mapping[str, str] = field(default_factory=dict)
    supersedes: tuple[Superseding, ...] = ()
    pending: tuple[PendingLink, ...] = ()
    connected: tuple[str, ...] = ()
    chats: tuple[Chat, ...] = ()
    messages: tuple[Message, ...] = ()
    sources_added: tuple[tuple[str, str], ...] = ()
    recalls: tuple[RecallRecord, ...] = ()
    uses_added: tuple[tuple[str, Use], ...] = ()
    vectors: Mapping[str, Mapping[str, Vector]] = field(default_factory=dict)
    terms: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    embeddings: Mapping[str, Vector] = field(default_factory=dict)
    own_vectors: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)
    removed: Removal = Removal()
    undoes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One entry of the journal. ``number`` counts from 1 without gaps. ``undoes``: the number of the operation that this one took
    back; ``undone_by``: that of the one which took this back, where it is undone now."""

    number: int
    at: datetime
    command: str
    what: str
    undoes: int | None = None
    undone_by: int | None = None
