"""Which texts of a note make which of its vectors (SPEC §3, "Vectors of a note").

The columns are those of ``schema/vectors.cypher``. Names and roles of participants have a column each and are weighed against
each other when a query is scored (``sit_participant_name``, ``sit_participant_role``), so a query may ask for either; each
column is the plain mean over the participants. Emotions and senses are stored, not scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from soulmem.embed.texts import full_rows, is_blank, units_of
from soulmem.model.changes import Vector
from soulmem.model.notes import (
    AbstractSituation,
    Body,
    Environment,
    Event,
    Location,
    Note,
    Participant,
    Procedure,
    Semantic,
    SpecificSituation,
)

#: Texts with their weights (> 0) in the mean.
WeightedTexts = tuple[tuple[float, str], ...]

_Part = tuple[str, float, str]


def note_fields(note: Note) -> dict[str, WeightedTexts]:
    """Vector column → the texts whose weighted mean it is. Blank texts are left out; a column without any text is absent."""
    return _by_column([*(("v_tags", 1.0, tag) for tag in note.tags), *_body_parts(note.body)])


def field_texts(fields: Mapping[str, WeightedTexts]) -> list[str]:
    """All texts of ``fields``, each once, in order: what has to be embedded (as passages)."""
    return list(dict.fromkeys(text for parts in fields.values() for _, text in parts))


def pool(fields: Mapping[str, WeightedTexts], vectors: Mapping[str, Vector]) -> dict[str, Vector]:
    """Column → unit vector, shape (dimension,): the weighted mean of its texts' unit vectors, brought to length 1.

    ``vectors`` must hold every text of ``fields`` (:class:`KeyError` otherwise). A column whose mean is zero is absent.
    """
    return pool_all({"": fields}, vectors)[""]


def pool_all(owners: Mapping[str, Mapping[str, WeightedTexts]], vectors: Mapping[str, Vector]) -> dict[str, dict[str, Vector]]:
    """Owner → its columns as by :func:`pool`. Columns of the same texts share a vector: the same people talk all the time."""
    different = dict.fromkeys(parts for columns in owners.values() for parts in columns.values())
    alone = [parts for parts in different if _is_one(parts)]
    mixed = [parts for parts in different if not _is_one(parts)]
    units = dict(zip(alone, full_rows(vectors[parts[0][1]] for parts in alone), strict=True))
    units |= zip(mixed, units_of(_mixed(parts, vectors) for parts in mixed), strict=True)
    pooled: dict[str, dict[str, Vector]] = {}
    for owner, columns in owners.items():
        rows = {name: units[parts] for name, parts in columns.items()}
        pooled[owner] = {name: row for name, row in rows.items() if row is not None}
    return pooled


def _is_one(parts: WeightedTexts) -> bool:
    """Whether the mean is that of one text: its vector itself."""
    return len(parts) == 1 and parts[0][0] == 1.0


def _mixed(parts: WeightedTexts, vectors: Mapping[str, Vector]) -> NDArray[np.float64]:
    return _weighted_sum([(weight, vectors[text]) for weight, text in parts])


def _weighted_sum(parts: Sequence[tuple[float, Vector]]) -> NDArray[np.float64]:
    weights = np.array([weight for weight, _ in parts], dtype=np.float64)
    total: NDArray[np.float64] = weights @ np.array([row for _, row in parts], dtype=np.float64)
    return total


def mean_vector(parts: Sequence[tuple[float, Vector]]) -> Vector | None:
    """The weighted mean of vectors of one shape (dimension,), brought to length 1; ``None`` if there is none or it is zero."""
    return next(units_of([_weighted_sum(parts)])) if parts else None


def _by_column(parts: Iterable[_Part]) -> dict[str, WeightedTexts]:
    columns: dict[str, list[tuple[float, str]]] = {}
    for column, weight, text in parts:
        if weight > 0 and not is_blank(text):
            columns.setdefault(column, []).append((weight, text))
    return {column: tuple(texts) for column, texts in columns.items()}


def _body_parts(body: Body) -> list[_Part]:
    match body:
        case Semantic():
            return [("v_content", 1.0, body.content), *_all("v_aliases", body.aliases), ("v_description", 1.0, body.description)]
        case SpecificSituation():
            return list(_specific_parts(body))
        case AbstractSituation():
            parts = _pattern_parts(body.pattern)
            return [*parts, *(("v_self", weight, text) for _, weight, text in parts)]
        case Procedure():
            return [("v_content", 1.0, body.content)]


def _specific_parts(body: SpecificSituation) -> Iterator[_Part]:
    context = body.context
    yield "v_narrative", 1.0, body.narrative
    if context.location:
        yield from _pattern_parts(context.location)
    for person in context.participants:
        yield from _pattern_parts(person)
    if context.environment:
        yield from _pattern_parts(context.environment)
    for event, weight in zip(context.event, _event_weights(context.event), strict=True):
        yield from ((column, weight, text) for column, _, text in _pattern_parts(event))


def _pattern_parts(pattern: Location | Participant | Environment | Event) -> list[_Part]:
    match pattern:
        case Location(name, coordinates):
            return [("v_location_name", 1.0, name), ("v_location_coordinates", 1.0, coordinates)]
        case Participant(name, role):
            return [("v_participant_name", 1.0, name), ("v_participant_role", 1.0, role)]
        case Environment(atmosphere, tone):
            return [("v_atmosphere", 1.0, atmosphere), ("v_tone", 1.0, tone)]
        case Event(action, _, initiator, target):
            return [("v_event_action", 1.0, action), ("v_event_initiator", 1.0, initiator), ("v_event_target", 1.0, target)]


def _event_weights(events: Sequence[Event]) -> list[float]:
    """The events' intensities; all alike where none has any, since they still happened."""
    weights = [max(event.action_intensity, 0.0) for event in events]
    return weights if any(weights) else [1.0] * len(events)


def _all(column: str, texts: Iterable[str]) -> Iterator[_Part]:
    return ((column, 1.0, text) for text in texts)
