"""What a recall gives. Field names are a contract: ``ask --json`` prints them as they are here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeVar

from soulmem.model.links import LinkType
from soulmem.model.messages import Message
from soulmem.model.notes import ActionType, NoteType


class Stage(StrEnum):
    """How a memory came in: found by likeness, by walking from what was found, by both, or always there."""

    SIMILARITY = "similarity"
    ASSOCIATION = "association"
    BOTH = "both"
    CORE = "core"


class Fading(StrEnum):
    """How far a note has faded: not noticeably; so that parts of it do not show; so that a model may guess them."""

    NO_ACTION = "NoAction"
    MASK_ONLY = "MaskOnly"
    REVISED = "Revised"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The line a memory was drawn from. ``line`` is 1-based in ``file``."""

    file: str
    line: int
    speaker: str
    time: datetime | None


class _OfFile(Protocol):
    """What stands in a file."""

    @property
    def file(self) -> str: ...


_Line = TypeVar("_Line", bound=_OfFile)


def spoken_lines(lines: Iterable[_Line], origins: Iterable[str]) -> list[_Line]:
    """The lines that a note was drawn from, but for those of a file whose field is among its ``origins``: these are the examples
    in that field of a card, which nobody said."""
    fields = tuple(origins)
    return [one for one in lines if not any(place.startswith(f"{one.file}: ") for place in fields)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One link of the path from a seed to a memory. ``weight``: its transition probability in the walk, 0..1."""

    source: str
    target: str
    type: LinkType
    verb: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A note that came to mind. ``score`` 0..1. ``channels``: the parts of the score, by name. ``retention`` 0..1.
    ``asleep``: it was so faint that only a question that reaches it directly finds it. ``path``: from the seed to this note,
    empty for a seed. ``valid_from``, ``valid_until``: when a fact began and ceased to hold; one that holds no longer has both in
    its ``text`` too. ``text``: what is left of it now; ``original``: as it was written; ``missing``: the missing degree, 0..1;
    ``masked``: parts of it do not show; ``revised``: parts of it were guessed. ``kept_from``: who must not hear of it,
    ``*``: whoever did not hear it. ``sources``: the lines it was drawn from; ``origins``: where it was read, if a file states it
    (``file:line`` or ``file: field``). ``contradicts``: keys of the memories of the same recollection that say otherwise, where
    nobody knows which is newer."""

    id: str
    key: str
    type: NoteType
    text: str
    score: float
    stage: Stage
    channels: Mapping[str, float] = field(default_factory=dict)
    retention: float = 1.0
    original: str = ""
    missing: float = 0.0
    fading: Fading = Fading.NO_ACTION
    masked: bool = False
    revised: bool = False
    asleep: bool = False
    path: tuple[Step, ...] = ()
    sources: tuple[Source, ...] = ()
    origins: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    kept_from: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """How the character tends to act here. ``score``: probability-weighted, comparable within one ``action_type``. ``sources``,
    ``origins``: as of a memory."""

    id: str
    key: str
    action_type: ActionType
    text: str
    score: float
    sources: tuple[Source, ...] = ()
    origins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidMessage:
    """A raw line that supports the answer. ``index`` is its 0-based number in its chat, ``line`` its 1-based line in ``file``."""

    file: str
    line: int
    index: int
    speaker: str
    time: datetime | None
    text: str
    score: float
    channels: Mapping[str, float] = field(default_factory=dict)
    scope: str = "public"
    kept_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """All that a question woke.

    ``memories`` best first; ``actions`` by type, best first; ``self_knowledge``: ways of acting reached from knowledge, which
    do not fire; ``messages``: supporting lines, best first; ``withheld``: what was not returned, counted by reason;
    ``limits``: the limits the walk ran into; ``heard_in``: the scope it was asked in, ``None`` for all there is; ``rendered``:
    the text for a person or a model.
    """

    query: str
    at: datetime
    memories: tuple[Memory, ...] = ()
    actions: tuple[Action, ...] = ()
    self_knowledge: tuple[Action, ...] = ()
    messages: tuple[SaidMessage, ...] = ()
    summary: str = ""
    window: tuple[Message, ...] = ()
    withheld: Mapping[str, int] = field(default_factory=dict)
    limits: Mapping[str, float | bool] = field(default_factory=dict)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    heard_in: str | None = None
    rendered: str = ""
