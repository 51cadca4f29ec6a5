"""Reading structured questions: Query JSON (SPEC §2). The text is untrusted; every fault names its place in the file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from soulmem.embed.texts import plain_text
from soulmem.errors import FormatError, json_fault
from soulmem.model.notes import Environment, Event, Location, Participant
from soulmem.model.queries import (
    QueryCase,
    QueryConfig,
    QuerySuite,
    SemanticUnit,
    SituationUnit,
    SubQuery,
    TimeSpan,
    Unit,
)


class _Place:
    """A value with the path that leads to it, so that a complaint can say where."""

    __slots__ = ("path", "source", "value")

    def __init__(self, value: Any, path: str, source: str) -> None:
        self.value, self.path, self.source = value, path, source

    def fail(self, what: str) -> FormatError:
        return FormatError(f"{self.path or 'the file'}: {what}", place=self.source)

    def object(self) -> Mapping[str, Any]:
        if not isinstance(self.value, dict):
            raise self.fail(f"expected an object, found {_kind(self.value)}")
        return self.value

    def get(self, name: str, default: Any = None) -> _Place:
        value = self.object().get(name)
        return _Place(default if value is None else value, f"{self.path}.{name}" if self.path else name, self.source)

    def items(self) -> list[_Place]:
        """The elements; ``null`` is none, and a lone object is read as a list of itself."""
        if self.value is None:
            return []
        values = [self.value] if isinstance(self.value, dict) else self.value
        if not isinstance(values, list):
            raise self.fail(f"expected an array, found {_kind(self.value)}")
        return [_Place(value, f"{self.path}[{number}]", self.source) for number, value in enumerate(values)]

    def text(self) -> str:
        if self.value is None:
            return ""
        if not isinstance(self.value, str):
            raise self.fail(f"expected text, found {_kind(self.value)}")
        return plain_text(self.value)

    def number(self, low: float, high: float) -> float:
        good = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        if not good or not low <= self.value <= high:
            raise self.fail(f"expected a number from {low:g} to {high:g}, found {str(self.value)[:40]}")
        return float(self.value)

    def whole(self, low: int, high: int) -> int:
        number = self.number(low, high)
        if not number.is_integer():
            raise self.fail(f"expected a whole number, found {number:g}")
        return int(number)

    def texts(self) -> tuple[str, ...]:
        if isinstance(self.value, str):
            return (self.value,)
        return tuple(item.text() for item in self.items())


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "an array", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def read_suite(text: str, source: str = "<query>") -> QuerySuite:
    """A whole query file: cases with what must be found. ``source`` names the file in complaints.

    Raises:
        FormatError: not JSON, or not a query file; the message names the path inside the file.
    """
    root = _Place(_parse(text, source), "", source)
    if "test_cases" not in root.object():
        raise root.fail("not a query file: it has no test_cases")
    cases = root.get("test_cases").items()
    config = root.get("config", {})
    return QuerySuite(
        name=root.get("name").text(),
        description=root.get("description").text(),
        graph_path=root.get("graph_path").text(),
        config=QueryConfig(
            similarity_threshold=config.get("similarity_threshold", 0.35).number(0, 1),
            max_results=config.get("max_results", 4).whole(1, 1000),
            test_k_values=tuple(k.whole(1, 1000) for k in config.get("test_k_values", [1, 3, 5]).items()),
        ),
        cases=tuple(_case(case) for case in cases),
    )


def read_sub_queries(text: str, source: str = "<query>") -> tuple[SubQuery, ...]:
    """The sub-queries of one structured question.

    Accepts an array of sub-queries, an object with ``sub_queries`` (one case), one sub-query, or one bare unit; what a
    unit asks for is read from its fields, so an unwrapped one is never taken for an empty concept.
    """
    root = _Place(_parse(text, source), "", source)
    if isinstance(root.value, dict) and "test_cases" in root.value:
        cases = root.get("test_cases").items()
        if len(cases) != 1:
            raise root.fail(f"this is a query file with {len(cases)} cases, not one question; run it with --batch")
        root = cases[0]
    if isinstance(root.value, dict) and "sub_queries" in root.value:
        root = root.get("sub_queries")
    queries = tuple(_sub_query(item) for item in root.items())
    if not queries:
        raise root.fail("no question in it")
    return queries


def _parse(text: str, source: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"not JSON: {json_fault(error.msg)} at column {error.colno}", place=f"{source}:{error.lineno}"
        ) from error
    except RecursionError as error:
        raise FormatError("nested too deeply", place=source) from error
    except ValueError as error:
        raise FormatError("a number in it has too many digits", place=source) from error


def _case(case: _Place) -> QueryCase:
    queries = tuple(_sub_query(item) for item in case.get("sub_queries").items())
    expected: list[tuple[str, ...]] = [()] * len(queries)
    bonus: list[tuple[str, ...]] = [()] * len(queries)
    for item in case.get("expected_per_query").items():
        number = item.get("q", 0).whole(0, len(queries) - 1)
        expected[number] = item.get("ranking").texts()
        bonus[number] = item.get("bonus_ranking").texts()
    return QueryCase(
        name=case.get("name").text(),
        description=case.get("description").text(),
        sub_queries=queries,
        expected_per_query=tuple(expected),
        bonus_per_query=tuple(bonus),
        expected_combined=case.get("expected_combined_ranking").texts(),
        bonus_combined=case.get("bonus_combined_ranking").texts(),
        expected_actions=case.get("expected_actions").texts(),
        has_expected_abstract=bool(case.get("has_expected_abstract").value),
        expected_abstract=case.get("expected_abstract").texts(),
    )


def _sub_query(item: _Place) -> SubQuery:
    of, units = _variant(item.get("variant") if "variant" in item.object() else item)
    return SubQuery(
        priority=item.get("priority", 1).number(1e-6, 1e6),
        tags=item.get("tag").texts(),
        units=units,
        of=of,
    )


_SITUATION_FIELDS = {"narrative", "location", "participants", "time_span", "environment", "event"}


def _variant(place: _Place) -> tuple[str, tuple[Unit, ...]]:
    """``{"Semantic": […]}`` or ``{"Situation": […]}``, or a unit or list of units without that wrapping."""
    value = place.value
    if isinstance(value, dict) and "Semantic" in value and "Situation" in value:
        raise place.fail("both Semantic and Situation units; ask for each in a sub-query of its own")
    if isinstance(value, dict) and "Semantic" in value:
        return "Semantic", tuple(_semantic(unit) for unit in place.get("Semantic").items())
    if isinstance(value, dict) and "Situation" in value:
        return "Situation", tuple(_situation(unit) for unit in place.get("Situation").items())
    units = place.items()
    if units and all("concept_identifier" in unit.object() for unit in units):
        return "Semantic", tuple(_semantic(unit) for unit in units)
    if units and all(_SITUATION_FIELDS & unit.object().keys() for unit in units):
        return "Situation", tuple(_situation(unit) for unit in units)
    raise place.fail(
        "neither Semantic nor Situation units; expected concept_identifier, or one of " + ", ".join(sorted(_SITUATION_FIELDS))
    )


def _semantic(unit: _Place) -> SemanticUnit:
    if "concept_identifier" not in unit.object():
        raise unit.fail("a Semantic unit needs concept_identifier")
    return SemanticUnit(concept_identifier=unit.get("concept_identifier").text(), description=unit.get("description").text())


def _situation(unit: _Place) -> SituationUnit:
    if not _SITUATION_FIELDS & unit.object().keys():
        raise unit.fail("a Situation unit needs one of " + ", ".join(sorted(_SITUATION_FIELDS)))
    environment = unit.get("environment")
    return SituationUnit(
        narrative=unit.get("narrative").text(),
        locations=tuple(Location(x.get("name").text(), x.get("coordinates").text()) for x in unit.get("location").items()),
        participants=tuple(Participant(x.get("name").text(), x.get("role").text()) for x in unit.get("participants").items()),
        time_spans=tuple(TimeSpan(start=_time(x.get("start")), end=_time(x.get("end"))) for x in unit.get("time_span").items()),
        environment=Environment(environment.get("atmosphere").text(), environment.get("tone").text())
        if environment.value
        else None,
        events=tuple(_event(x) for x in unit.get("event").items()),
    )


def _event(event: _Place) -> Event:
    return Event(
        action=event.get("action").text(),
        action_intensity=event.get("action_intensity", 1.0).number(0, 1),
        initiator=event.get("initiator").text(),
        target=event.get("target").text(),
    )


def _time(place: _Place) -> datetime | None:
    text = place.text()
    if not text:
        return None
    try:
        when = datetime.fromisoformat(text)
        return when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise place.fail(f"not an RFC 3339 time: {text[:40]}") from error
