"""The channels over a whole mind, against the same sums written out again; many notes, so that they come as arrays."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.embed.fields import field_texts, note_fields, pool
from soulmem.embed.hashing import HashingEmbedder
from soulmem.graph import Subgraph, associate
from soulmem.graph.decay import Envelope
from soulmem.indexing import indexed
from soulmem.model.changes import Change
from soulmem.model.links import Link, Sem
from soulmem.model.notes import Category, Note, Semantic, SpecificSituation, derived_id, searched_text
from soulmem.recall.dense import COLUMNS
from soulmem.recall.image import Image, Images
from soulmem.settings import Settings
from soulmem.soul import Soul
from soulmem.text.tokens import term_counts

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
NUMBER = 2300
DEFAULTS = Settings()
WORDS = ("harbour", "lantern", "peanut", "ferry", "violin", "rain", "cellar", "orchard", "salt", "ink", "moth")


def made(number: int) -> Note:
    """Every third has no description, every ninth is an episode; several are alike to the letter."""
    first, second = WORDS[number % 11], WORDS[number % 7]
    body = (
        SpecificSituation(f"{first} {second} {number % 40}")
        if number % 9 == 0
        else Semantic(f"{first} {number % 5}", description=f"{second} {first}" if number % 3 else "", category=Category.RELATION)
    )
    return Note(
        id=derived_id("channels", number), key=f"n{number}", body=body, created_at=AT, decayed_at=AT - timedelta(hours=number)
    )


NOTES = {note.id: note for note in map(made, range(NUMBER))}
IDS = tuple(NOTES)
#: No link leads from an episode to an episode: those have another type.
PAIRS = [(n, (7 * n + 1) % NUMBER) for n in range(NUMBER) if n % 9 or (7 * n + 1) % NUMBER % 9]


@pytest.fixture(scope="module")
def soul(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    path = tmp_path_factory.mktemp("channels") / "many.mind"
    links = tuple(Link(id=f"{n}", source=IDS[n], target=IDS[m], payload=Sem(f"v{n % 3}", 0.5), created_at=AT) for n, m in PAIRS)
    with Soul.create(path, embedder=HashingEmbedder(), clock=lambda: AT) as made_soul:
        change = Change(command="test", what="many", at=AT, notes=tuple(NOTES.values()), links=links)
        made_soul.store.apply(indexed(change, made_soul.embedder))
        yield made_soul


@pytest.fixture
def image(soul: Soul) -> Image:
    return Images(soul.store).current()


def test_cosines_are_those_of_the_nearest_vector_asked_once_or_often(image: Image) -> None:
    embedder = HashingEmbedder()
    question = embedder.queries(["lantern ferry 3"])[0]
    first, later = image.dense.cosines(question), image.dense.cosines(question)
    np.testing.assert_allclose(first, later, atol=2e-6)
    texts = list(dict.fromkeys(text for note in NOTES.values() for text in field_texts(note_fields(note))))
    vectors = dict(zip(texts, embedder.passages(texts), strict=True))
    for note, cosine in zip(image.table.ids, later, strict=True):
        own = pool(note_fields(NOTES[note]), vectors)
        columns = [own[f"v_{name}"] for name in COLUMNS[NOTES[note].type] if f"v_{name}" in own]
        assert cosine == pytest.approx(max(float(vector @ question) for vector in columns), abs=2e-6)


def test_notes_that_are_alike_are_equally_near(image: Image) -> None:
    question = HashingEmbedder().queries(["harbour 3 moth"])[0]
    image.dense.cosines(question)
    cosines = image.dense.cosines(question)
    alike: dict[object, set[float]] = {}
    for note, cosine in zip(image.table.ids, cosines.tolist(), strict=True):
        alike.setdefault(NOTES[note].body, set()).add(cosine)
    assert len(alike) < NUMBER and all(len(found) == 1 for found in alike.values())


@pytest.mark.parametrize("terms", [("lantern",), ("moth", "salt", "nowhere"), ("ferry", "ferry", "3"), ()])
def test_bm25_is_the_sum_over_the_terms(image: Image, terms: tuple[str, ...]) -> None:
    counts = {note.id: term_counts(searched_text(note)) for note in NOTES.values()}
    lengths = {note: sum(found.values()) for note, found in counts.items()}
    mean = sum(lengths.values()) / NUMBER
    weights = {}
    for term in sorted(set(terms)):
        frequency = sum(term in found for found in counts.values())
        weights[term] = math.log(1.0 + (NUMBER - frequency + 0.5) / (frequency + 0.5))
    for _ in range(2):  # looked up, and known
        score, coverage = image.words.bm25(terms, DEFAULTS)
        for place, note in enumerate(image.table.ids):
            scale = DEFAULTS.bm25_k1 * (1.0 - DEFAULTS.bm25_b + DEFAULTS.bm25_b * lengths[note] / mean)
            there = [(weight, counts[note].get(term, 0)) for term, weight in weights.items() if term in counts[note]]
            expected = sum(weight * tf * (DEFAULTS.bm25_k1 + 1.0) / (tf + scale) for weight, tf in there)
            assert score[place] == pytest.approx(expected)
            assert coverage[place] == pytest.approx(sum(w for w, _ in there) / (sum(weights.values()) or 1.0))


def test_retentions_are_those_of_the_envelopes(image: Image) -> None:
    places = np.arange(NUMBER)
    found = image.table.retentions(places, AT, DEFAULTS)
    for place, retention in zip(places.tolist(), found.tolist(), strict=True):
        note = NOTES[image.table.ids[place]]
        category = note.body.category if isinstance(note.body, Semantic) else None
        envelope = Envelope(type=note.type, category=category, decayed_at=note.decayed_at)
        assert retention == pytest.approx(envelope.retention(AT, DEFAULTS), abs=1e-9)


def test_links_are_pulled_as_they_are_asked_for(soul: Soul) -> None:
    """A few notes bring the notes they lead to; a walk over many reads all; what was given before stays as it was."""
    image = Images(soul.store).current()
    links = image.links.at(AT, DEFAULTS)
    pairs = {(IDS[n], IDS[m]) for n, m in PAIRS}
    nothing = links.graph([IDS[4]])
    assert not nothing.loaded.any() and len(nothing.indices) == 0
    few = links.load([IDS[4], IDS[5]])
    loaded = {few.ids[place] for place in np.flatnonzero(few.loaded).tolist()}
    assert loaded == {IDS[4], IDS[5]} | {target for source, target in pairs if source in {IDS[4], IDS[5]}}
    assert linked(few) == {(source, target) for source, target in pairs if source in loaded}
    whole = links.load(IDS)
    assert linked(whole) == pairs and whole.loaded.all()
    assert not nothing.loaded.any() and len(linked(few)) < len(pairs)
    kind, verb = image.links.between(image.table.places[IDS[4]], image.table.places[IDS[29]])
    assert (kind.value, verb) == ("Sem", "v1")


def linked(graph: Subgraph) -> set[tuple[str, str]]:
    return {(source, graph.ids[target]) for place, source in enumerate(graph.ids) for target in graph.row(place)[0].tolist()}


@settings(deadline=None, max_examples=25, derandomize=True)
@given(
    st.dictionaries(st.sampled_from(IDS), st.floats(0.1, 1.0), min_size=1, max_size=4),
    st.lists(st.lists(st.sampled_from(IDS), max_size=6), max_size=4),
    st.sampled_from([1e-3, 1e-5]),
)
def test_a_walk_is_that_over_all_links_to_the_last_bit(
    soul: Soul, seeds: dict[str, float], before: list[list[str]], threshold: float
) -> None:
    chosen = DEFAULTS.with_values(residue_threshold=threshold, association_time_limit_ms=600_000.0)
    images = Images(soul.store)
    whole = images.current().links.at(AT, chosen)
    whole.load(IDS)
    some = Images(soul.store).current().links.at(AT, chosen)
    for notes in before:
        some.load(notes)
    expected, found = (associate(seeds, links, chosen, lambda: 0.0) for links in (whole, some))
    assert expected.rounds == 0 and not found.limits
    assert found.values.tolist() == expected.values.tolist()
