from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.text.names import MOST_CANDIDATES, name_candidates, normal_name, resolve_overlaps
from soulmem.text.tokens import normal_form

MIXED = st.text(alphabet="小明红猫的 TomMel.,'-é好", max_size=30)


def found(text: str, *names: str) -> list[str]:
    return [span.name for span in resolve_overlaps(text, names)]


@settings(deadline=None)
@given(MIXED)
def test_candidates_are_unique_normal_and_in_the_text(text: str) -> None:
    candidates = name_candidates(text)
    assert len(candidates) == len(set(candidates))
    for name in candidates:
        assert name == normal_name(name) != ""
        assert name in " ".join(normal_form(text).split())


@settings(deadline=None)
@given(st.text(alphabet="小明红猫茶花", min_size=1, max_size=15))
def test_every_short_substring_of_a_chinese_run_is_a_candidate(run: str) -> None:
    substrings = {run[a:b] for a in range(len(run)) for b in range(a + 1, min(a + 12, len(run)) + 1)}
    assert set(name_candidates(run)) == substrings


@settings(deadline=None)
@given(st.lists(st.from_regex("[a-z]{1,6}", fullmatch=True), max_size=12))
def test_every_run_of_up_to_five_words_is_a_candidate(words: list[str]) -> None:
    runs = {" ".join(words[a:b]) for a in range(len(words)) for b in range(a + 1, min(a + 5, len(words)) + 1)}
    assert set(name_candidates(" ".join(words))) == runs


@settings(deadline=None)
@given(st.text())
def test_a_normal_name_is_its_own_normal_form(name: str) -> None:
    assert normal_name(normal_name(name)) == normal_name(name)


@settings(deadline=None)
@given(MIXED, st.lists(st.text(alphabet="小明红猫TomMel ", min_size=1, max_size=4), max_size=5))
def test_spans_do_not_overlap_and_hold_their_names(text: str, names: list[str]) -> None:
    form, last = normal_form(text), 0
    for span in resolve_overlaps(text, names):
        assert last <= span.begin < span.end
        assert " ".join(form[span.begin : span.end].split()) == span.name
        assert span.name in {normal_name(name) for name in names}
        last = span.end


@settings(deadline=None)
@given(MIXED)
def test_what_stands_in_a_text_is_among_its_candidates(text: str) -> None:
    candidates = name_candidates(text)
    for name in candidates:
        if len(name) > 1:
            assert found(text, name), name


@settings(deadline=None)
@given(MIXED, st.permutations(["小明", "明", "Tom", "Mel", "红猫"]))
def test_the_order_of_names_does_not_matter(text: str, names: list[str]) -> None:
    assert resolve_overlaps(text, names) == resolve_overlaps(text, sorted(names))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Melanie's kids", "Melanie"),
        ("Melanie’s kids", "melanie"),
        ("we saw NEW  YORK today", "New York"),
        ("I met Dr. Smith.", "Dr. Smith"),
        ("我和小明Tom去", "小明Tom"),
        ("café Zoë", "ZOË"),
        ("ｔｏｍ来了", "Tom"),
        ("阿尔·卡彭来了", "阿尔·卡彭"),
        ("Jean-Luc is here", "Jean-Luc"),
        ("《小王子》很好看", "《小王子》"),
        ("user_1 left", "user_1"),
        ("ラーメン食べたい", "ラーメン"),
    ],
)
def test_a_name_is_found(text: str, name: str) -> None:
    assert normal_name(name) in name_candidates(text)
    assert found(text, name) == [normal_name(name)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Melanie", "Mel"),
        ("among us", "Amon"),
        ("Tomorrow", "Tom"),
        ("the art", "he"),
        ("cafés", "café"),
        ("猫咪真可爱", "猫"),
        ("一只熊猫", "猫"),
    ],
)
def test_a_name_does_not_fire_inside_a_word(text: str, name: str) -> None:
    assert found(text, name) == []


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("小明明来了", ("小明", "小明明"), ["小明明"]),
        ("小明和小明明", ("小明", "小明明"), ["小明", "小明明"]),
        ("New York City, York", ("New York", "York", "New York City"), ["new york city", "york"]),
        ("养了一只猫", ("猫",), ["猫"]),
        ("猫、狗和熊猫", ("猫", "狗"), ["猫", "狗"]),
        ("Mel and Melanie", ("Mel", "Melanie"), ["mel", "melanie"]),
        ("nothing", (), []),
        ("", ("猫",), []),
        ("abc", ("", " ", "。"), []),
    ],
)
def test_overlaps(text: str, names: tuple[str, ...], expected: list[str]) -> None:
    assert found(text, *names) == expected


@pytest.mark.parametrize(
    "text", ["好" * 100_000, "ab " * 50_000, "\0\ud800" * 1000, "a'" * 10_000, "a\u0300" * 10_000, "小a" * 5000]
)
def test_long_and_hostile_texts_are_bounded(text: str) -> None:
    assert len(name_candidates(text)) <= MOST_CANDIDATES
    assert all(span.name == "ab ab" for span in resolve_overlaps(text, ["ab ab"]))


def test_both_ends_of_a_long_text_are_looked_at() -> None:
    text = "Alpha " + "x " * 5000 + "Omega"
    candidates = name_candidates(text)
    assert "alpha" in candidates
    assert "omega" in candidates
