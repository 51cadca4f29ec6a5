"""Rows from links, and the weights of links."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import InputError
from soulmem.graph import link_weight, subgraph
from soulmem.settings import Settings

DEFAULT = Settings()


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.one_of(st.just(0.0), st.floats(0.01, 10.0))), max_size=60))
def test_rows_hold_the_links_and_sum_to_one(links: list[tuple[int, int, float]]) -> None:
    graph = subgraph([f"n{node}" for node in range(10)], *([one[part] for one in links] for part in range(3)))
    dense = np.zeros((10, 10))
    for source, target, weight in links:
        dense[source, target] += weight
    for node in range(10):
        targets, shares = graph.row(node)
        total = dense[node].sum()
        assert sorted({target for source, target, _ in links if source == node}) == targets.tolist()
        assert shares == pytest.approx(dense[node][targets] / total if total else np.zeros(len(targets)))
        assert shares.sum() == pytest.approx(1.0 if total else 0.0)
    assert graph.indptr.dtype == np.int64 and graph.indices.dtype == np.int32 and graph.weights.dtype == np.float64
    assert graph.loaded.all() and len(graph) == 10 and graph.places["n3"] == 3


def test_a_graph_cannot_be_changed() -> None:
    graph = subgraph(["a", "b"], [0], [1], [2.0])
    for array in (graph.indptr, graph.indices, graph.weights, graph.loaded):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_the_callers_arrays_are_not_frozen() -> None:
    loaded, weights = np.ones(2, dtype=np.bool_), np.ones(1)
    subgraph(["a", "b"], [0], [1], weights, loaded=loaded)
    loaded[0], weights[0] = False, 2.0


def test_empty_graphs() -> None:
    assert subgraph([], [], [], []).indptr.tolist() == [0]
    assert subgraph(["a"], [], [], []).indptr.tolist() == [0, 0]


@pytest.mark.parametrize(
    "arguments",
    [
        (["a", "a"], [], [], []),
        (["a"], [0], [1], [1.0]),
        (["a"], [-1], [0], [1.0]),
        (["a"], [0, 0], [0], [1.0]),
        (["a"], [0], [0], [1.0, 1.0]),
        (["a"], [0], [0], [-1.0]),
        (["a"], [0], [0], [math.nan]),
        (["a"], [0], [0], [math.inf]),
        ([], [0], [0], [1.0]),
    ],
    ids=str,
)
def test_wrong_links_are_refused(arguments: Any) -> None:
    with pytest.raises(InputError):
        subgraph(*arguments)


def test_masks_must_fit() -> None:
    with pytest.raises(InputError, match="not loaded"):
        subgraph(["a", "b"], [0], [1], [1.0], loaded=[False, True])
    with pytest.raises(InputError, match="shape"):
        subgraph(["a", "b"], [0], [1], [1.0], loaded=[True])
    assert subgraph(["a", "b"], [0], [1], [1.0], loaded=[True, False]).loaded.tolist() == [True, False]


def weight(link_type: str, confidence: float = 1.0, intensity: float = 1.0, procedure: bool = False, **values: float) -> float:
    return float(link_weight([link_type], [procedure], [confidence], [intensity], DEFAULT.with_values(**values))[0])


def test_weights_by_hand() -> None:
    # Situation: (1·1 + 0.8·0.8 + 0.7) / (1 + 0.8 + 0.7) = 2.34 / 2.5
    assert weight("Situation") == pytest.approx(0.936)
    # Sem of confidence 0.5: (1 + 0.5·0.8 + 0.3) / (1 + 0.8 + 0.3) = 1.7 / 2.1
    assert weight("Sem", 0.5) == pytest.approx(1.7 / 2.1)
    assert weight("Sem") == pytest.approx(1.0)
    # A link that faded to half: (0.5 + 0.8 + 0.3) / 2.1; one grown to the cap of 2: 3.1 / 2.1
    assert weight("Sem", intensity=0.5) == pytest.approx(1.6 / 2.1)
    assert weight("Sem", intensity=2.0) == pytest.approx(3.1 / 2.1)
    assert weight("Sem", intensity=0.0, confidence=0.0) == pytest.approx(0.3 / 2.1)


def test_nothing_flows_into_procedures() -> None:
    assert weight("Sem", procedure=True) == 0.0
    assert weight("Proc", procedure=True) == 0.0
    assert weight("Proc", math.nan) == 0.0


def test_the_confidence_of_a_situation_link_is_settled() -> None:
    assert weight("Situation", math.nan) == weight("Situation", 0.1) == pytest.approx(0.936)


def test_a_denominator_of_zero_gives_zero() -> None:
    assert weight("Sem", prior_intensity=0.0, prior_confidence=0.0, preference_semantic=0.0) == 0.0


def test_weights_of_many_links_are_those_of_each() -> None:
    types, procedures = ["Sem", "Situation", "Proc", "Sem"], [False, False, True, True]
    confidences, intensities = [0.2, math.nan, math.nan, 1.0], [0.3, 1.7, 1.0, 1.0]
    many = link_weight(types, procedures, confidences, intensities, DEFAULT)
    each = [weight(*one) for one in zip(types, confidences, intensities, procedures, strict=True)]
    assert many.tolist() == each
    assert link_weight([], [], [], [], DEFAULT).shape == (0,)


@pytest.mark.parametrize(
    ("link_type", "confidence", "intensity"),
    [
        ("Sem", 1.1, 1),
        ("Sem", -0.1, 1),
        ("Sem", math.nan, 1),
        ("Sem", 1, -1),
        ("Sem", 1, math.nan),
        ("Sem", 1, math.inf),
        ("Else", 1, 1),
    ],
)
def test_wrong_links_have_no_weight(link_type: str, confidence: float, intensity: float) -> None:
    with pytest.raises(InputError):
        weight(link_type, confidence, intensity)
