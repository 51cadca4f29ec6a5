"""Evidence among the lines of conversations: what may lend to what, and what must not matter."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.recall.evidence import (
    EvidenceWeights,
    Lines,
    channel_score,
    evidence_scores,
    neighbour_score,
    session_score,
    standard,
    term_masses,
    walk_seeds,
    with_walk,
)

WEIGHTS = EvidenceWeights()
LAWS = settings(deadline=None, max_examples=40)


def made_up(seed: int) -> Lines:
    """Lines of some chats, in order: sessions never fall within a chat, numbers may have gaps where lines were hidden."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[int, int, int]] = []
    session = 0
    for chat in range(rng.integers(1, 4)):
        index = 0
        for _ in range(rng.integers(1, 9)):
            rows.append((chat, session, index))
            index += int(rng.choice((1, 1, 1, 2, 3)))
            session += int(rng.choice((0, 0, 1)))
        session += 1
    size = len(rows)
    return Lines(
        bm25=np.round(np.maximum(rng.normal(size=size), 0.0) * 5.0, 3),
        cosine=np.where(rng.random(size) < 0.2, np.nan, np.round(rng.random(size), 3)),
        chat=np.array([row[0] for row in rows]),
        session=np.array([row[1] for row in rows]),
        index=np.array([row[2] for row in rows]),
        named=(rng.random(size) < 0.3).astype(np.float64),
        in_time=np.maximum(rng.random(size) - 0.5, 0.0),
        asks=(rng.random(size) < 0.3).astype(np.float64),
    )


conversations = st.integers(0, 2**32 - 1).map(made_up)


def small(**changes: np.ndarray) -> Lines:
    """Six lines: two sessions of one chat, and a second chat."""
    lines = Lines(
        bm25=np.array([0.0, 9.0, 0.0, 0.0, 2.0, 1.0]),
        cosine=np.array([0.2, 0.9, 0.1, 0.3, 0.5, 0.4]),
        chat=np.array([0, 0, 0, 0, 1, 1]),
        session=np.array([0, 0, 0, 1, 2, 2]),
        index=np.array([0, 1, 2, 3, 0, 1]),
        named=np.zeros(6),
        in_time=np.zeros(6),
        asks=np.zeros(6),
    )
    return replace(lines, **changes)


def taken(lines: Lines, order: np.ndarray) -> Lines:
    names = ("bm25", "cosine", "chat", "session", "index", "named", "in_time", "asks")
    return Lines(**{name: getattr(lines, name)[order] for name in names})


# -- standard scores -----------------------------------------------------------------------------------------------------------


@LAWS
@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=20), st.floats(0.1, 100.0), st.floats(-100.0, 100.0))
def test_standard_scores_forget_scale_and_origin(values: list[int], scale: float, shift: float) -> None:
    numbers = np.array(values, dtype=np.float64)
    found = standard(numbers)
    if len(set(values)) == 1:
        assert not found.any()
        return
    assert found.mean() == pytest.approx(0.0, abs=1e-9)
    assert found.std() == pytest.approx(1.0)
    assert standard(numbers * scale + shift) == pytest.approx(found, abs=1e-6)
    assert np.argsort(found, kind="stable").tolist() == np.argsort(numbers, kind="stable").tolist()


def test_no_lines_have_no_scores() -> None:
    nothing = np.zeros(0)
    none = np.zeros(0, dtype=np.int64)
    lines = Lines(bm25=nothing, cosine=nothing, chat=none, session=none, index=none, named=nothing, in_time=nothing, asks=nothing)
    assert all(len(part) == 0 for part in evidence_scores(lines, WEIGHTS).values())


def test_the_line_after_a_question_takes_part_in_what_was_asked() -> None:
    quiet, asking = small(), small(asks=np.array([0.0, 1.0, 0.0, 1.0, 0.0, 0.0]))
    gained = evidence_scores(asking, WEIGHTS)["answer"]
    base = channel_score(quiet, WEIGHTS)
    assert not evidence_scores(quiet, WEIGHTS)["answer"].any()
    assert gained[2] == pytest.approx(WEIGHTS.answer * base[1])  # line 2 follows the question in line 1
    assert gained[[0, 1, 3, 4, 5]].tolist() == [0.0] * 5  # line 4 belongs to another chat than the question in line 3


@LAWS
@given(conversations, st.floats(0.1, 10.0), st.floats(-2.0, 2.0))
def test_the_channels_scales_do_not_matter(lines: Lines, scale: float, shift: float) -> None:
    other = replace(lines, bm25=lines.bm25 * scale, cosine=lines.cosine * scale + shift)
    assert channel_score(other, WEIGHTS) == pytest.approx(channel_score(lines, WEIGHTS), abs=1e-6)


@LAWS
@given(conversations)
def test_a_silent_channel_leaves_the_word_to_the_other(lines: Lines) -> None:
    without_vectors = replace(lines, cosine=np.full(len(lines.cosine), np.nan))
    assert channel_score(without_vectors, WEIGHTS).tolist() == standard(lines.bm25).tolist()
    cosine = np.nan_to_num(lines.cosine)
    without_words = replace(lines, bm25=np.zeros(len(lines.bm25)), cosine=cosine)
    assert channel_score(without_words, WEIGHTS).tolist() == standard(cosine).tolist()


def test_a_line_without_a_vector_is_as_good_as_the_worst() -> None:
    cosine = np.array([0.2, np.nan, 0.1, 0.3, 0.5, 0.4])
    found = channel_score(small(bm25=np.zeros(6), cosine=cosine), WEIGHTS)
    assert found[1] == found[2] == found.min()


def test_words_and_vectors_share_by_the_weight_of_words() -> None:
    lines = small()
    only_words = channel_score(lines, replace(WEIGHTS, lexical=1.0))
    only_vectors = channel_score(lines, replace(WEIGHTS, lexical=0.0))
    assert only_words == pytest.approx(standard(lines.bm25))
    assert only_vectors == pytest.approx(standard(lines.cosine))


# -- neighbours ----------------------------------------------------------------------------------------------------------------


def lent(base: np.ndarray, lines: Lines, distance: int) -> list[float]:
    """Neighbour by neighbour: only over lines that follow each other without a gap, in one session of one chat."""
    runs: list[list[int]] = [[0]]
    for before, after in pairwise(range(len(base))):
        follows = lines.chat[before] == lines.chat[after] and lines.index[after] - lines.index[before] == 1
        if follows and lines.session[before] == lines.session[after]:
            runs[-1].append(after)
        else:
            runs.append([after])
    return [
        sum(base[run[other]] for other in (place - distance, place + distance) if 0 <= other < len(run))
        for run in runs
        for place in range(len(run))
    ]


@LAWS
@given(conversations, st.integers(1, 2), st.integers(0, 2**32 - 1))
def test_neighbours_lend_only_within_a_run_of_one_session(lines: Lines, distance: int, seed: int) -> None:
    base = np.random.default_rng(seed).normal(size=len(lines.index))
    assert neighbour_score(base, lines, distance) == pytest.approx(lent(base, lines, distance))


@pytest.mark.parametrize("distance", [1, 2])
def test_what_neighbours_give_they_also_take(distance: int) -> None:
    lines = small()
    one = neighbour_score(np.eye(6)[1], lines, distance)
    for place in range(6):
        assert one[place] == neighbour_score(np.eye(6)[place], lines, distance)[1]


def test_the_borders_of_sessions_chats_and_gaps() -> None:
    ones = np.ones(6)
    assert neighbour_score(ones, small()).tolist() == [1.0, 2.0, 1.0, 0.0, 1.0, 1.0]
    assert neighbour_score(ones, small(), distance=2).tolist() == [1.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    sessions_by_chat = small(session=np.array([0, 0, 0, 0, 0, 0]), index=np.array([0, 1, 2, 3, 4, 5]))
    assert neighbour_score(ones, sessions_by_chat).tolist() == [1.0, 2.0, 2.0, 1.0, 1.0, 1.0]
    hidden_between = small(index=np.array([0, 2, 3, 4, 0, 1]))
    assert neighbour_score(ones, hidden_between).tolist() == [0.0, 1.0, 1.0, 0.0, 1.0, 1.0]


# -- sessions ------------------------------------------------------------------------------------------------------------------


@LAWS
@given(conversations, st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_a_session_is_as_good_as_its_best_lines(lines: Lines, best: int, seed: int) -> None:
    base = np.random.default_rng(seed).normal(size=len(lines.index))
    found = session_score(base, lines.session, best)
    numbers = sorted(set(lines.session.tolist()))
    means = [float(np.mean(sorted(base[lines.session == number], reverse=True)[:best])) for number in numbers]
    expected = standard(np.array(means))
    assert found == pytest.approx([expected[numbers.index(number)] for number in lines.session.tolist()])


def test_one_session_alone_says_nothing() -> None:
    assert not session_score(np.array([3.0, 1.0]), np.array([7, 7]), 3).any()


# -- all together --------------------------------------------------------------------------------------------------------------


@LAWS
@given(conversations)
def test_every_score_is_a_number_and_the_total_is_the_sum_of_its_parts(lines: Lines) -> None:
    parts = dict(evidence_scores(lines, WEIGHTS))
    total = parts.pop("total")
    assert np.isfinite(total).all()
    assert total == pytest.approx(sum(parts.values()), abs=1e-9)


@LAWS
@given(conversations, st.randoms(use_true_random=False))
def test_the_order_and_the_numbers_of_chats_do_not_matter(lines: Lines, random: object) -> None:
    chats = sorted(set(lines.chat.tolist()))
    shuffled = list(chats)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    order = np.concatenate([np.flatnonzero(lines.chat == chat) for chat in shuffled])
    moved = taken(lines, order)
    sessions = {number: place for place, number in enumerate(dict.fromkeys(moved.session.tolist()))}
    renamed = replace(
        moved,
        chat=np.array([shuffled.index(chat) for chat in moved.chat.tolist()]),
        session=np.array([sessions[number] for number in moved.session.tolist()]),
    )
    before, after = evidence_scores(lines, WEIGHTS), evidence_scores(renamed, WEIGHTS)
    for name, values in before.items():
        assert after[name] == pytest.approx(values[order], abs=1e-9)


@LAWS
@given(conversations, st.sampled_from(("named", "in_time")), st.integers(0, 7))
def test_a_named_speaker_and_a_named_time_only_add_and_only_to_their_lines(lines: Lines, what: str, place: int) -> None:
    place %= len(lines.index)
    marks = np.zeros(len(lines.index))
    without = evidence_scores(replace(lines, **{what: marks}), WEIGHTS)["total"]
    marks = marks.copy()
    marks[place] = 1.0
    given_ = evidence_scores(replace(lines, **{what: marks}), WEIGHTS)["total"] - without
    assert np.delete(given_, place) == pytest.approx(0.0, abs=1e-12)
    assert given_[place] >= 0.0
    if np.ptp(without) > 1e-6:
        assert given_[place] > 0.0


def test_half_in_the_time_gives_half_of_it() -> None:
    base = evidence_scores(small(), WEIGHTS)["total"]
    half = evidence_scores(small(in_time=np.full(6, 0.5)), WEIGHTS)["total"] - base
    whole = evidence_scores(small(in_time=np.ones(6)), WEIGHTS)["total"] - base
    assert whole == pytest.approx(2.0 * half)


def test_the_best_line_pulls_its_neighbour_and_its_session_up() -> None:
    total = evidence_scores(small(), WEIGHTS)["total"]
    alone = channel_score(small(), WEIGHTS)
    assert int(np.argmax(total)) == 1
    assert alone[0] < alone[5] and total[0] > total[5]


def test_weights_of_nothing_leave_the_channels() -> None:
    none = EvidenceWeights(neighbour=0.0, second_neighbour=0.0, session=0.0, speaker=0.0, time=0.0)
    lines = small(named=np.ones(6), in_time=np.ones(6))
    assert evidence_scores(lines, none)["total"].tolist() == channel_score(lines, none).tolist()


# -- the walk over words


def occurrences(seed: int) -> tuple[np.ndarray, dict[str, float]]:
    """Which of some words stand in which lines, shape (lines, words), and the seeds among the lines."""
    rng = np.random.default_rng(seed)
    stands = rng.random((rng.integers(2, 12), rng.integers(1, 9))) < 0.4
    masses = rng.random(len(stands)) * (rng.random(len(stands)) < 0.6)
    masses[0] += 0.1
    return stands, {str(line): mass for line, mass in enumerate(masses / masses.sum()) if mass}


@given(st.integers(0, 2**32 - 1))
@LAWS
def test_the_walk_is_two_steps_of_a_walk_by_matrices(seed):
    stands, seeds = occurrences(seed)
    lines, frequencies = len(stands), stands.sum(0)
    rows = [(str(i), f"w{j}", int(frequencies[j])) for i, j in zip(*np.nonzero(stands), strict=True) if str(i) in seeds]
    masses = term_masses(seeds, rows, lines)
    idf = np.log(1 + (lines - frequencies + 0.5) / (frequencies + 0.5))
    weighted = stands * idf
    out = weighted / (weighted.sum(1, keepdims=True) + 6.0)
    back = np.divide(stands, frequencies, out=np.zeros(stands.shape), where=frequencies > 0)
    start = np.array([seeds.get(str(line), 0.0) for line in range(lines)])
    arrived = np.array([sum(masses.get(f"w{j}", 0.0) for j in np.flatnonzero(row)) for row in stands])
    assert arrived == pytest.approx(back @ (out.T @ start), abs=1e-12)
    assert arrived.sum() <= 1.0 + 1e-12


def test_seeds_are_the_best_lines_and_their_masses_sum_to_one():
    assert walk_seeds(np.array([]), 3) == {}
    assert walk_seeds(np.zeros(2), 3) == {0: 0.5, 1: 0.5}
    seeds = walk_seeds(np.array([1.0, 5.0, 2.0, 5.0]), 3)
    assert list(seeds) == [1, 3, 2] and sum(seeds.values()) == pytest.approx(1.0) and seeds[1] == seeds[3] > seeds[2] > 0


def test_what_arrives_everywhere_alike_changes_nothing():
    parts = evidence_scores(small(), WEIGHTS)
    same = with_walk(parts, np.full(6, 0.2), WEIGHTS)
    assert (same["total"] == parts["total"]).all()
    led = with_walk(parts, np.array([0.0, 0, 0, 0, 0, 0.5]), WEIGHTS)
    gained = led["total"] - parts["total"]
    assert gained.argmax() == 5 and gained[5] > 0 > gained[0]
