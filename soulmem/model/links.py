"""Links: how notes lead to each other. Three link tables, legality by the types of their ends (SPEC §1)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from soulmem.model.notes import NoteType


class LinkType(StrEnum):
    """The typed link tables of a mind, by their table names."""

    SEM = "Sem"
    PROC = "Proc"
    SITUATION = "Situation"


@dataclass(frozen=True, slots=True)
class Sem:
    """A worded relation; ``confidence`` 0..1."""

    verb: str
    confidence: float = 1.0


#: The verbs of links between facts that contradict each other, of which nobody knows which is newer: Chinese, English.
CONTRADICTS = ("与…矛盾", "contradicts")


@dataclass(frozen=True, slots=True)
class TrigToAction:
    """A situation triggers a procedure with probability ``prob`` 0..1."""

    prob: float


@dataclass(frozen=True, slots=True)
class SituationLink:
    """Situation to situation. The variant follows from the types of the ends (:func:`situation_variant`)."""


Payload = Sem | TrigToAction | SituationLink

_TYPES: dict[type, LinkType] = {Sem: LinkType.SEM, TrigToAction: LinkType.PROC, SituationLink: LinkType.SITUATION}


def type_of(payload: Payload) -> LinkType:
    """The link table a payload belongs to."""
    return _TYPES[type(payload)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A directed link from ``source`` to ``target`` (note ids). ``intensity`` ≥ 0; 1 is an ordinary link."""

    id: str
    source: str
    target: str
    payload: Payload
    created_at: datetime
    intensity: float = 1.0
    last_fired_at: datetime | None = None
    fired_count: int = 0

    @property
    def type(self) -> LinkType:
        return type_of(self.payload)


def is_legal(link_type: LinkType, source: NoteType, target: NoteType) -> bool:
    """Whether a link of this type may go from a ``source`` to a ``target`` (SPEC §1).

    Sem: Semantic → any; Situation → Semantic; Procedure → Semantic. Proc: Situation → Procedure.
    Situation: Situation → Situation. Procedure → Situation and Procedure → Procedure are always illegal.
    """
    match link_type:
        case LinkType.SEM:
            return source is NoteType.SEMANTIC or target is NoteType.SEMANTIC
        case LinkType.PROC:
            return source.is_situation and target is NoteType.PROCEDURE
        case LinkType.SITUATION:
            return source.is_situation and target.is_situation


def situation_variant(source: NoteType, target: NoteType) -> str:
    """``AbstractToSpecific`` and so on, from the types of the ends; both must be situations."""
    return f"{source.value.removesuffix('Situation')}To{target.value.removesuffix('Situation')}"


def legal_ends(link_type: LinkType) -> list[tuple[NoteType, NoteType]]:
    """All (source, target) note types a link of this type may join, in a fixed order."""
    return [(s, t) for s in NoteType for t in NoteType if is_legal(link_type, s, t)]
