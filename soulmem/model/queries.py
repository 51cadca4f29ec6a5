"""Structured questions: what a model, a test file or a program asks when it knows what kind of memory it wants (SPEC §2, §3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from soulmem.model.notes import Environment, Event, Location, Participant


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticUnit:
    """Asks for a concept. ``description`` narrows it; empty means unknown."""

    concept_identifier: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpan:
    """Half-open span; either end may be absent."""

    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SituationUnit:
    """Asks for a situation by what is known of it. All parts may be empty."""

    narrative: str = ""
    locations: tuple[Location, ...] = ()
    participants: tuple[Participant, ...] = ()
    time_spans: tuple[TimeSpan, ...] = ()
    environment: Environment | None = None
    events: tuple[Event, ...] = ()


Unit = SemanticUnit | SituationUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class SubQuery:
    """One part of a structured question.

    ``priority`` > 0 weighs it in the merge. All ``units`` are of one kind, ``of``; without units it asks by tags alone.
    """

    priority: float = 1.0
    tags: tuple[str, ...] = ()
    units: tuple[Unit, ...] = ()
    of: str = "Semantic"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryConfig:
    """How a query file wants to be run."""

    similarity_threshold: float = 0.35
    max_results: int = 4
    test_k_values: tuple[int, ...] = (1, 3, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryCase:
    """One structured question with what must, and what may, be found. Rankings hold note keys."""

    name: str
    description: str = ""
    sub_queries: tuple[SubQuery, ...]
    expected_per_query: tuple[tuple[str, ...], ...] = ()
    bonus_per_query: tuple[tuple[str, ...], ...] = ()
    expected_combined: tuple[str, ...] = ()
    bonus_combined: tuple[str, ...] = ()
    expected_actions: tuple[str, ...] = ()
    has_expected_abstract: bool = False
    expected_abstract: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuerySuite:
    """A query file. ``graph_path`` is relative to the file."""

    name: str
    description: str = ""
    graph_path: str
    config: QueryConfig
    cases: tuple[QueryCase, ...]
