"""Similarity of structured questions: every unit scored against every note by the typed fields both have (SPEC §3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

import numpy as np

from soulmem.embed.contract import Embedder
from soulmem.embed.fields import mean_vector, note_fields
from soulmem.model.changes import Vector
from soulmem.model.notes import Context, Note, SpecificSituation
from soulmem.model.queries import SemanticUnit, SituationUnit, SubQuery, Unit
from soulmem.recall.image import Image
from soulmem.recall.scoring import (
    Floats,
    blend_string,
    calibrate,
    lexical,
    relevance,
    semantic_score,
    situation_score,
    with_tags,
)
from soulmem.recall.similarity import Candidate, candidates_of
from soulmem.settings import Settings
from soulmem.store.contract import Store
from soulmem.text.times import overlap
from soulmem.text.tokens import is_stop, search_terms

_SITUATION_PARTS = (
    "narrative",
    "location_name",
    "location_coordinates",
    "participant_name",
    "participant_role",
    "atmosphere",
    "tone",
    "event_action",
    "event_initiator",
    "event_target",
)


def similar_to_query(
    query: SubQuery,
    image: Image,
    embedder: Embedder,
    baseline: float,
    settings: Settings,
    at: datetime,
    activation: Mapping[str, float] = {},
) -> list[Candidate]:
    """All notes with their score for one sub-query, best first; notes that score 0 are left out. ``activation``: see
    :func:`~soulmem.recall.similarity.candidates_of`."""
    vectors = _Vectors(embedder)
    scored = _Scored()
    tags = vectors.mean(query.tags)
    units: Sequence[Unit | None] = query.units or (None,)
    for unit in units:
        for ids, variant, tagged in _score_unit(unit, query.of, tags, vectors, image.store, baseline, settings):
            scored.add(ids, variant, tagged)
    ids, variant, tagged = scored.means(len(units))
    dense = (
        with_tags(variant, tagged if query.tags else np.full(len(ids), np.nan), settings)
        if query.units
        else np.nan_to_num(tagged)
    )
    places = image.table.places_of(ids)
    words = _words(query, image, settings)[places]
    keep = ((dense > 0) | (words > 0)) & (places >= 0)
    if not keep.any():
        return []
    channels = {"variant": variant[keep], "tags": np.nan_to_num(tagged[keep]), "dense": dense[keep], "words": words[keep]}
    fused = relevance(dense[keep], words[keep], settings)
    return candidates_of(places[keep], channels, fused, image.table, settings, at, activation)


def _words(query: SubQuery, image: Image, settings: Settings) -> Floats:
    """The lexical channel of every note."""
    terms = [term for term in search_terms(_text(query)) if not is_stop(term)]
    return lexical(*image.words.bm25(terms, settings))


class _Vectors:
    """Vectors of the texts of one question, each embedded once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.zero = [0.0] * embedder.dimension

    def mean(self, texts: Sequence[str]) -> Vector | None:
        """The unit mean of the texts' vectors; ``None`` where there is no text."""
        there = [text for text in texts if text.strip()]
        return mean_vector([(1.0, row) for row in self._embedder.queries(there)]) if there else None

    def parameter(self, vector: Vector | None) -> list[float]:
        """A vector for Cypher; where there is none the zero vector, whose cosines are not used."""
        return self.zero if vector is None else [float(value) for value in vector]


class _Scored:
    """Sums of variant and tag scores by note over the units of a sub-query."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[float, float]] = {}

    def add(self, ids: Sequence[str], variant: Floats, tags: Floats) -> None:
        for note, value, tag in zip(ids, variant.tolist(), tags.tolist(), strict=True):
            before = self._sums.get(note, (0.0, 0.0))
            self._sums[note] = (before[0] + value, before[1] + tag)

    def means(self, units: int) -> tuple[list[str], Floats, Floats]:
        ids = sorted(self._sums)
        sums = np.array([self._sums[note] for note in ids], dtype=np.float64).reshape(len(ids), 2) / units
        return ids, sums[:, 0], sums[:, 1]


Part = tuple[list[str], Floats, Floats]


def _score_unit(
    unit: Unit | None, of: str, tags: Vector | None, vectors: _Vectors, store: Store, baseline: float, settings: Settings
) -> list[Part]:
    """(ids, variant score, tag score or NaN) per note table. A table of another type scores 0 for the variant: left out."""
    if isinstance(unit, SituationUnit) or (unit is None and of == "Situation"):
        return _score_situations(unit if isinstance(unit, SituationUnit) else None, tags, vectors, store, baseline, settings)
    return _score_concepts(unit if isinstance(unit, SemanticUnit) else None, tags, vectors, store, baseline, settings)


def _score_concepts(
    unit: SemanticUnit | None, tags: Vector | None, vectors: _Vectors, store: Store, baseline: float, settings: Settings
) -> list[Part]:
    concept = vectors.mean([unit.concept_identifier]) if unit else None
    description = vectors.mean([unit.description]) if unit else None
    parameters = {
        "tags": vectors.parameter(tags),
        "concept": vectors.parameter(concept),
        "description": vectors.parameter(description),
    }
    given = {
        "tags": tags is not None,
        "content": concept is not None,
        "aliases": concept is not None,
        "description": description is not None,
    }
    parts: list[Part] = []
    for name in ("recall.cosines_semantic", "recall.cosines_procedure"):
        table = store.columns(name, **parameters)
        cosines = _calibrated(table, [column for column in given if column in table], given, baseline)
        if "aliases" not in cosines:
            cosines["aliases"] = np.full(len(table["id"]), np.nan)
        variant = semantic_score(cosines, described=description is not None, settings=settings)
        if unit and "names" in table:
            likeness = _likeness([unit.concept_identifier], cast("list[list[str]]", table["names"]))
            variant = blend_string(variant, likeness, settings.string_blend_alpha)
        parts.append((list(table["id"]), variant, cosines["tags"]))
    return parts


def _likeness(texts: Sequence[str], names: Sequence[Sequence[str]]) -> Floats:
    """The string channel: per note the best of Jaro–Winkler and normalised Levenshtein between any text and its names, 0..1."""
    wanted = [text.casefold() for text in texts if text]
    return np.array(
        [max((_alike(text, name.casefold()) for name in some if name for text in wanted), default=0.0) for some in names],
        dtype=np.float64,
    )


def _alike(one: str, other: str) -> float:
    from rapidfuzz.distance import JaroWinkler, Levenshtein

    return max(JaroWinkler.similarity(one, other), Levenshtein.normalized_similarity(one, other))


def _pattern_likeness(unit: SituationUnit, names: Sequence[Sequence[str]]) -> Floats:
    """The string channel of patterns: what identifies one (place, participant, action: the three ``names``) beside what the unit
    has of the same kind."""
    asked = (
        [location.name for location in unit.locations],
        [participant.name for participant in unit.participants],
        [event.action for event in unit.events],
    )
    kinds = [_likeness(texts, [[some[kind]] for some in names]) for kind, texts in enumerate(asked)]
    return np.asarray(np.max(kinds, axis=0))


def _score_situations(
    unit: SituationUnit | None, tags: Vector | None, vectors: _Vectors, store: Store, baseline: float, settings: Settings
) -> list[Part]:
    asked = {name: vectors.mean([text for _, text in texts]) for name, texts in _asked_texts(unit).items()} if unit else {}
    given = {"tags": tags is not None} | {name: asked.get(name) is not None for name in _SITUATION_PARTS}
    parameters = {"tags": vectors.parameter(tags)} | {name: vectors.parameter(asked.get(name)) for name in _SITUATION_PARTS}
    parts: list[Part] = []
    for name in ("recall.cosines_specific", "recall.cosines_abstract"):
        table = store.columns(name, **parameters)
        cosines = _calibrated(table, ["tags", *_SITUATION_PARTS], given, baseline)
        if unit and unit.time_spans and "time_start" in table:
            cosines["time"] = _time_overlaps(unit, table)
        variant = situation_score(cosines, settings)
        if unit and "names" in table:
            likeness = _pattern_likeness(unit, cast("list[list[str]]", table["names"]))
            variant = blend_string(variant, likeness, settings.string_blend_alpha)
        parts.append((list(table["id"]), variant, cosines["tags"]))
    return parts


def _asked_texts(unit: SituationUnit) -> dict[str, tuple[tuple[float, str], ...]]:
    """The unit's texts by part, as the fields of a situation note with the same content would have them."""
    context = Context(
        location=unit.locations[0] if unit.locations else None,
        participants=unit.participants,
        environment=unit.environment,
        event=unit.events,
    )
    fields = note_fields(_as_note(SpecificSituation(unit.narrative, context=context)))
    texts = {name.removeprefix("v_"): tuple(parts) for name, parts in fields.items()}
    for extra in unit.locations[1:]:
        texts["location_name"] = (*texts.get("location_name", ()), (1.0, extra.name))
    return texts


def _as_note(body: SpecificSituation) -> Note:
    from datetime import UTC

    moment = datetime.min.replace(tzinfo=UTC)
    return Note(id="", key="", body=body, created_at=moment, decayed_at=moment)


def _time_overlaps(unit: SituationUnit, table: Mapping[str, Any]) -> Floats:
    spans = unit.time_spans
    return np.array(
        [
            max((overlap(start, stop, span.start, span.end) for span in spans), default=0.0) if start or stop else np.nan
            for start, stop in zip(table["time_start"], table["time_end"], strict=True)
        ],
        dtype=np.float64,
    )


def _calibrated(
    table: Mapping[str, Any], columns: Sequence[str], given: Mapping[str, bool], baseline: float
) -> dict[str, Floats]:
    """Calibrated cosines by column; NaN everywhere for a part the question does not have."""
    rows = len(table["id"])
    return {
        name: calibrate(np.asarray(table[name], dtype=np.float64), baseline) if given[name] else np.full(rows, np.nan)
        for name in columns
    }


def _text(query: SubQuery) -> str:
    """All words of a sub-query, for the lexical channel."""
    words: list[str] = list(query.tags)
    for unit in query.units:
        if isinstance(unit, SemanticUnit):
            words += [unit.concept_identifier, unit.description]
        else:
            words += [text for parts in _asked_texts(unit).values() for _, text in parts]
    return "\n".join(words)
