"""Structured scores over a whole mind, against plain sums over plain floats: every typed field, tags and the string channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from rapidfuzz.distance import JaroWinkler, Levenshtein

from soulmem.embed.fields import field_texts, note_fields, pool
from soulmem.embed.hashing import HashingEmbedder
from soulmem.indexing import indexed
from soulmem.model.changes import Change
from soulmem.model.notes import (
    AbstractSituation,
    ActionType,
    Context,
    Environment,
    Event,
    Location,
    Note,
    Participant,
    Procedure,
    Semantic,
    SpecificSituation,
    derived_id,
)
from soulmem.model.queries import SemanticUnit, SituationUnit, SubQuery, TimeSpan
from soulmem.recall.image import Images
from soulmem.recall.structured import similar_to_query
from soulmem.settings import Settings
from soulmem.soul import Soul

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
BASELINE = 0.1
DEFAULTS = Settings()
EMBEDDER = HashingEmbedder()
WORDS = ("harbour", "lantern", "peanut", "ferry", "violin", "rain", "cellar")

WORD = st.sampled_from(WORDS)
TEXT = st.lists(WORD, min_size=1, max_size=3).map(" ".join)
MAYBE = st.one_of(st.just(""), TEXT)
LOCATION = st.builds(Location, TEXT, MAYBE)
PARTICIPANT = st.builds(Participant, TEXT, MAYBE)
ENVIRONMENT = st.builds(Environment, TEXT, MAYBE)
EVENT = st.builds(lambda action, initiator, target: Event(action, 1.0, initiator, target), TEXT, MAYBE, MAYBE)


def bodies() -> Iterator[Semantic | SpecificSituation | AbstractSituation | Procedure]:
    """Notes with every combination of fields that a pass over seven words gives, the same for every run."""
    for number in range(14):
        one, two, three = (WORDS[(number * step + step) % 7] for step in (1, 2, 3))
        yield Semantic(f"{one} {two}", aliases=(three,) if number % 2 else (), description=f"{two} {one}" if number % 3 else "")
        yield SpecificSituation(
            f"{three} {one} {two}",
            AT - timedelta(days=number),
            AT - timedelta(days=number - 2),
            Context(
                location=Location(one, two if number % 2 else "") if number % 3 else None,
                participants=(Participant(two, three if number % 2 else ""), Participant(one))[: number % 3],
                environment=Environment(three, one if number % 2 else "") if number % 4 else None,
                event=(Event(two, 1.0, one if number % 2 else "", three if number % 3 else ""),) if number % 5 else (),
            ),
        )
        patterns = (Location(one, two), Participant(two, three), Environment(three, one), Event(one, 1.0, two, ""))
        yield AbstractSituation(patterns[number % 4])
        yield Procedure(f"{one} {three}", ActionType.SPEAK)


def noted(number: int, body: Semantic | SpecificSituation | AbstractSituation | Procedure) -> Note:
    tags = (WORDS[number % 7], WORDS[number % 5])[: number % 3]
    return Note(
        id=derived_id("similarity", number),
        key=f"n{number}",
        body=body,
        tags=tuple(dict.fromkeys(tags)),
        created_at=AT,
        decayed_at=AT,
    )


NOTES = [noted(number, body) for number, body in enumerate(bodies())]


@pytest.fixture(scope="module")
def soul(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    path = tmp_path_factory.mktemp("similarity") / "a.mind"
    with Soul.create(path, embedder=HashingEmbedder(), clock=lambda: AT) as made:
        made.store.apply(indexed(Change(command="test", what="notes", at=AT, notes=tuple(NOTES)), made.embedder))
        yield made


# -- the reference: lists of floats, None where a side has nothing -------------------------------------------------------------

Vector = list[float]


def unit(vector: Vector) -> Vector | None:
    length = sum(value * value for value in vector) ** 0.5
    return [value / length for value in vector] if length > 0 else None


@lru_cache
def vector_of(text: str) -> Vector:
    return EMBEDDER.queries([text])[0].astype(float).tolist()


def mean(texts: Sequence[str]) -> Vector | None:
    rows = [vector_of(text) for text in texts if text]
    return unit([sum(column) for column in zip(*rows, strict=True)]) if rows else None


def near(asked: Sequence[str], had: Sequence[str]) -> float | None:
    one, other = mean(asked), mean(had)
    if one is None or other is None:
        return None
    return calibrated(one, other)


def calibrated(one: Vector, other: Vector) -> float:
    cosine = sum(a * b for a, b in zip(one, other, strict=True))
    return min(max((cosine - BASELINE) / (1.0 - BASELINE), 0.0), 1.0)


def share(*parts: tuple[float | None, float]) -> float | None:
    there = [(value, weight) for value, weight in parts if value is not None]
    return sum(value * weight for value, weight in there) / sum(weight for _, weight in there) if there else None


def largest(*values: float | None) -> float:
    return max((value for value in values if value is not None), default=0.0)


def alike(texts: Sequence[str], names: Sequence[str]) -> float:
    pairs = [(text, name) for text in texts for name in names if text and name]
    return max((max(JaroWinkler.similarity(a, b), Levenshtein.normalized_similarity(a, b)) for a, b in pairs), default=0.0)


def with_string(dense: float, likeness: float) -> float:
    return max(dense, 0.6 * dense + 0.4 * likeness)


def event_of(action: float | None, initiator: float | None, target: float | None) -> float | None:
    if action is not None and initiator is not None and target is None:
        return 0.4 * initiator + 0.6 * action
    if action is not None and target is not None and initiator is None:
        return 0.4 * target + 0.6 * action
    return share((initiator, 0.3), (target, 0.3), (action, 0.4))


def context_score(asked: SituationUnit, context: Context) -> float:
    place, around = context.location, context.environment
    environment = asked.environment
    return largest(
        share(
            (near([one.name for one in asked.locations], [place.name] if place else []), 0.6),
            (near([one.coordinates for one in asked.locations[:1]], [place.coordinates] if place else []), 0.4),
        ),
        share(
            (near([one.name for one in asked.participants], [one.name for one in context.participants]), 0.6),
            (near([one.role for one in asked.participants], [one.role for one in context.participants]), 0.4),
        ),
        share(
            (near([environment.atmosphere] if environment else [], [around.atmosphere] if around else []), 0.5),
            (near([environment.tone] if environment else [], [around.tone] if around else []), 0.5),
        ),
        event_of(
            near([one.action for one in asked.events], [one.action for one in context.event]),
            near([one.initiator for one in asked.events], [one.initiator for one in context.event]),
            near([one.target for one in asked.events], [one.target for one in context.event]),
        ),
    )


def overlap(asked: SituationUnit, body: SpecificSituation) -> float:
    assert body.time_start and body.time_end
    shares = []
    for span in asked.time_spans:
        assert span.start and span.end
        both = (min(span.end, body.time_end) - max(span.start, body.time_start)).total_seconds()
        shares.append(
            max(both, 0.0) / min((span.end - span.start).total_seconds(), (body.time_end - body.time_start).total_seconds())
        )
    return max(shares, default=0.0)


def pattern_texts(pattern: Location | Participant | Environment | Event) -> tuple[Context, str]:
    match pattern:
        case Location():
            return Context(location=pattern), pattern.name
        case Participant():
            return Context(participants=(pattern,)), pattern.name
        case Environment():
            return Context(environment=pattern), ""
        case Event():
            return Context(event=(pattern,)), pattern.action


def variant(asked: SemanticUnit | SituationUnit, note: Note, own: float | None) -> float:
    """``own``: the likeness of the narrative to what a pattern is as a whole."""
    body = note.body
    if isinstance(asked, SemanticUnit):
        if isinstance(body, Procedure):
            of_description = near([asked.description], [body.content]) if asked.description else None
            return share((near([asked.concept_identifier], [body.content]), 0.5), (of_description, 0.5)) or 0.0
        if not isinstance(body, Semantic):
            return 0.0
        concept = largest(near([asked.concept_identifier], [body.content]), near([asked.concept_identifier], body.aliases))
        described = near([asked.description], [body.description]) if asked.description else None
        dense = share((concept, 0.5), (described, 0.5)) or 0.0
        return with_string(dense, alike([asked.concept_identifier], [body.content, *body.aliases]))
    if isinstance(body, SpecificSituation):
        return largest(near([asked.narrative], [body.narrative]), context_score(asked, body.context))
    if not isinstance(body, AbstractSituation):
        return 0.0
    context, name = pattern_texts(body.pattern)
    same = {
        Location: [one.name for one in asked.locations],
        Participant: [one.name for one in asked.participants],
        Event: [one.action for one in asked.events],
    }.get(type(body.pattern), [])
    return with_string(largest(own, context_score(asked, context)), alike(same, [name]))


def scored(query: SubQuery, soul: Soul) -> dict[str, tuple[float, float]]:
    found = similar_to_query(query, Images(soul.store).current(), EMBEDDER, BASELINE, DEFAULTS, AT)
    return {one.id: (one.channels.get("variant", 0.0), one.channels.get("dense", 0.0)) for one in found}


@lru_cache
def whole_pattern(note: Note) -> Vector | None:
    fields = note_fields(note)
    texts = field_texts(fields)
    vector = pool(fields, dict(zip(texts, EMBEDDER.passages(texts), strict=True))).get("v_self")
    return None if vector is None else vector.astype(float).tolist()


def own_likeness(query: SituationUnit, note: Note) -> float | None:
    had, asked = whole_pattern(note), mean([query.narrative])
    return None if had is None or asked is None else calibrated(had, asked)


SEMANTIC = st.builds(lambda name, more: SemanticUnit(concept_identifier=name, description=more), TEXT, MAYBE)
SITUATION = st.builds(
    lambda narrative, place, people, around, events: SituationUnit(
        narrative=narrative, locations=place, participants=people, environment=around, events=events
    ),
    MAYBE,
    st.one_of(st.just(()), LOCATION.map(lambda one: (one,))),
    st.lists(PARTICIPANT, max_size=2).map(tuple),
    st.one_of(st.none(), ENVIRONMENT),
    st.lists(EVENT, max_size=1).map(tuple),
)
TAGS = st.lists(WORD, max_size=2, unique=True).map(tuple)
LAWS = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@LAWS
@given(st.one_of(st.lists(SEMANTIC, min_size=1, max_size=2), st.lists(SITUATION, min_size=1, max_size=2)), TAGS)
def test_scores_are_the_sums_of_the_specification(
    soul: Soul, units: list[SemanticUnit] | list[SituationUnit], tags: tuple[str, ...]
) -> None:
    of = "Semantic" if isinstance(units[0], SemanticUnit) else "Situation"
    found = scored(SubQuery(tags=tags, units=tuple(units), of=of), soul)
    for note in NOTES:
        of_kind = isinstance(note.body, Semantic | Procedure) == (of == "Semantic")
        if not of_kind:
            assert note.id not in found or found[note.id] == (0.0, 0.0)
            continue
        owns = [own_likeness(one, note) if isinstance(one, SituationUnit) else None for one in units]
        expected = sum(variant(one, note, own) for one, own in zip(units, owns, strict=True)) / len(units)
        tagged = near(tags, note.tags)
        whole = expected if tagged is None else 0.3 * tagged + 0.7 * expected
        got = found.get(note.id, (0.0, 0.0))
        assert got[0] == pytest.approx(expected, abs=2e-6), note.body
        assert got[1] == pytest.approx(whole, abs=2e-6), note.body


@pytest.mark.parametrize("days", [0, 3, 9, 40])
def test_a_span_of_time_is_a_signal_of_its_own(soul: Soul, days: int) -> None:
    span = TimeSpan(start=AT - timedelta(days=days + 1), end=AT - timedelta(days=days))
    unit_ = SituationUnit(time_spans=(span,))
    found = scored(SubQuery(units=(unit_,), of="Situation"), soul)
    for note in NOTES:
        if isinstance(note.body, SpecificSituation):
            assert found.get(note.id, (0.0, 0.0))[0] == pytest.approx(overlap(unit_, note.body), abs=2e-6)
