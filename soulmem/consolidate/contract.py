"""What may take the place of the deterministic steps: a model that splits, a model that links. Their answers are untrusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from soulmem.model.messages import Message
from soulmem.model.notes import Note

#: How many facts of one person, and of all together, a model sees; it may supersede these and no others.
MOST_KNOWN_OF_ONE = 6
MOST_KNOWN = 30
#: So many messages of one chat a model is asked about at once (a window of talk), and in one consolidation: what fails then costs
#: little, and what is long is not cut off.
MOST_ASKED = 20
MOST_WITH_MODEL = 100
#: How many links between the new notes, and between them and old ones, may be proposed.
MOST_LINKS = 32
#: The notes most active in the cycle, which new ones may be linked to.
MOST_ACTIVE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A fact that a model may say is no longer so, by one of the same ``scope`` that was not said before ``said_at``."""

    id: str
    person: str
    text: str
    scope: str = "public"
    kept_from: tuple[str, ...] = ()
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitQuestion:
    """What a splitter is asked. ``messages``: what to draw notes from; ``context``: lines before them; ``known``: at most 30."""

    messages: tuple[Message, ...]
    context: tuple[Message, ...] = ()
    summary: str = ""
    known: tuple[Known, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkQuestion:
    """What a linker is asked: how the ``new`` notes hang together, and with the ``old`` ones (at most 8)."""

    new: tuple[Note, ...]
    old: tuple[Note, ...]


class Splitter(Protocol):
    """Draws notes from messages. The answer is what JSON gives (see :mod:`soulmem.consolidate.answers`), and is not trusted.

    It may raise: then nothing is changed, and after three times the batch is skipped.
    """

    def split(self, question: SplitQuestion) -> Mapping[str, Any] | Sequence[Any]: ...


class Linker(Protocol):
    """Proposes links between notes, by their ids. The answer is not trusted."""

    def link(self, question: LinkQuestion) -> Mapping[str, Any] | Sequence[Any]: ...
