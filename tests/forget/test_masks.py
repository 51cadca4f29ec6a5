"""What stands of a text as it fades: laws for any text, then what a person would read."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from soulmem.errors import InputError
from soulmem.forget.masks import Anchor, Clarity, Unit, masked, opacity, words_of
from soulmem.settings import Settings

CONSTANTS = Settings()
DEGREES = st.floats(0.0, 1.0)

#: Real sentences of both languages, mixed ones, other scripts, signs, and anything at all.
_SENTENCES = (
    "Last May, Jon's well-known cat ate 3.5 kg of salmon at 10:30 in Paris, and I cried!",
    "去年五月，小雨的猫在医院门口吃了三斤鱼，我哭了一整夜。",
    "我在Netflix上看了Friends第10季，好好笑😂😂 https://example.org/a?b=c",
    "👩‍👩‍👧 café naïve — مرحبا بالعالم، שָׁלוֹם! ไทย नमस्ते दुनिया",
    "\u202eabc\u202c\u200b x\u0301y 　全角　空格\n\n\t…… []〔…〕 […] 12,345.67 ¿",
    "",
    "。",
    "\ud800 lone",
)
TEXTS = st.one_of(
    st.sampled_from(_SENTENCES),
    st.lists(st.sampled_from(_SENTENCES), max_size=3).map(" ".join),
    st.text(max_size=40),
    st.text(alphabet="猫狗去年五月小雨的我a b1.,'-。", max_size=40),
)


@st.composite
def texts_with_units(draw: st.DrawFn) -> tuple[str, tuple[Unit, ...]]:
    text = draw(TEXTS.filter(bool))
    ends = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).filter(lambda two: two[0] != two[1]).map(sorted)
    unit = st.builds(
        lambda span, gist, anchor, pace: Unit(span[0], span[1], gist, anchor, pace),
        ends,
        st.sampled_from(["", "somebody", "某人"]),
        st.sampled_from([None, *Anchor]),
        st.floats(0.1, 4.0),
    )
    return text, tuple(draw(st.lists(unit, max_size=6)))


@given(TEXTS, DEGREES)
@hypothesis_settings(max_examples=80, deadline=None)
def test_so_many_words_go_as_the_degree_says(text: str, missing: float) -> None:
    found = masked(text, missing, CONSTANTS)
    assert found.total == len(words_of(text))
    assert found.count == round(missing * found.total)


@given(texts_with_units(), DEGREES)
@hypothesis_settings(max_examples=80, deadline=None)
def test_the_originals_put_back_are_the_text_and_what_is_clear_is_as_it_was(
    given_text: tuple[str, tuple[Unit, ...]], missing: float
) -> None:
    text, units = given_text
    found = masked(text, missing, CONSTANTS, units)
    assert found.original == text
    assert found.filled([segment.original for segment in found.blanks]) == text
    assert all(segment.shown == segment.original for segment in found.segments if segment.clarity is Clarity.CLEAR)
    assert all(segment.original for segment in found.segments)
    assert (found.text == text) == (found.count == 0) or "…" in text


@given(texts_with_units(), DEGREES, DEGREES)
@hypothesis_settings(max_examples=80, deadline=None)
def test_what_is_masked_stays_masked_as_it_fades(given_text: tuple[str, tuple[Unit, ...]], one: float, other: float) -> None:
    text, units = given_text
    less, more = (masked(text, missing, CONSTANTS, units) for missing in sorted((one, other)))
    assert set(less.hidden) <= set(more.hidden)


@given(texts_with_units(), DEGREES)
@hypothesis_settings(max_examples=40, deadline=None)
def test_the_same_gives_the_same(given_text: tuple[str, tuple[Unit, ...]], missing: float) -> None:
    text, units = given_text
    assert masked(text, missing, CONSTANTS, units) == masked(text, missing, CONSTANTS, units[::-1])


@given(texts_with_units())
@hypothesis_settings(max_examples=40, deadline=None)
def test_nothing_is_missing_at_first_and_all_at_last(given_text: tuple[str, tuple[Unit, ...]]) -> None:
    text, units = given_text
    assert masked(text, 0.0, CONSTANTS, units).text == text
    gone = masked(text, 1.0, CONSTANTS, units)
    assert gone.count == gone.total
    assert all(segment.clarity is not Clarity.GIST for segment in gone.segments)


@given(DEGREES, DEGREES, st.sampled_from([None, *Anchor]), st.floats(0.1, 4.0), st.floats(-1.0, 1.0))
def test_a_unit_only_grows_fainter(one: float, other: float, anchor: Anchor | None, pace: float, variation: float) -> None:
    unit = Unit(0, 1, "", anchor, pace)
    less, more = sorted((one, other))
    clear, faint = (opacity(unit, missing, CONSTANTS, variation) for missing in (less, more))
    assert 0.0 <= faint <= clear <= 1.0


def test_words_are_those_of_people_in_both_languages() -> None:
    text = _SENTENCES[0]
    assert [text[begin:end] for begin, end in words_of(text)] == [
        "Last", "May", "Jon's", "well-known", "cat", "ate", "3.5", "kg", "of", "salmon", "at", "10:30", "in", "Paris", "and", "I",
        "cried",
    ]  # fmt: skip
    text = "他来到网易杭研大厦，吃了3.5斤鱼😂"
    # 杭研 is in no dictionary: the model of unknown words finds it.
    assert [text[begin:end] for begin, end in words_of(text)] == [
        "他",
        "来到",
        "网易",
        "杭研",
        "大厦",
        "吃",
        "了",
        "3.5",
        "斤",
        "鱼",
    ]
    text = "cafe\u0301 नमस्ते a@b.org https://example.org/a?b=c。"
    assert [text[begin:end] for begin, end in words_of(text)] == [
        "cafe\u0301", "नमस्ते", "a@b.org", "https://example.org/a?b=c"
    ]  # fmt: skip


def test_blanks_side_by_side_are_one_but_not_over_lines_or_signs() -> None:
    assert masked("one two\nthree, four", 1.0, CONSTANTS).text == "[…]\n[…], […]"
    assert masked("一两个人，走了", 1.0, CONSTANTS).text == "〔…〕，〔…〕"


def test_a_unit_goes_whole_first_to_its_gist_then_to_nothing() -> None:
    text = "We met in May 2023."
    unit = Unit(10, 18, "in spring")
    seen = [masked(text, degree / 100, CONSTANTS, [unit]) for degree in range(101)]
    states = [
        "gist" if "in spring" in one.text else "clear" if {(10, 13), (14, 18)}.isdisjoint(one.hidden) else "blank" for one in seen
    ]
    assert [state for state, after in pairwise([*states, ""]) if state != after] == ["clear", "gist", "blank"]


def test_the_gist_of_a_larger_unit_stands_for_those_in_it_and_a_clear_one_stays_in_a_larger_that_is_gone() -> None:
    text = "the grey cat of my aunt"
    whole, cat = Unit(0, len(text), "a family pet"), Unit(9, 12, "an animal")
    both = replace_variation(CONSTANTS)
    assert masked(text, 0.6, both, [whole, cat]).text == "[… a family pet]"
    kept = Unit(9, 12, "an animal", Anchor.SPONTANEOUS)
    assert masked(text, 0.6, both, [whole, kept]).text == "[… a family pet] cat […]"
    quick = Unit(9, 12, "an animal", None, 3.0)
    assert masked(text, 0.3, both, [whole, quick]).text == "the grey [… an animal] of my aunt"


def replace_variation(settings: Settings) -> Settings:
    """All units of a pace at once."""
    return settings.with_values(unit_variation=1.0)


def test_anchors_keep_their_promise() -> None:
    plain, kept, forced = (Unit(0, 1, "", anchor) for anchor in (None, Anchor.SPONTANEOUS, Anchor.FORCED))
    at = {degree: [opacity(unit, degree, CONSTANTS) for unit in (plain, kept, forced)] for degree in (0.15, 0.6)}
    assert at[0.15][2] == 1.0 > at[0.15][1] > at[0.15][0]  # learned on purpose: strong at first …
    assert at[0.6][1] > at[0.6][0] > at[0.6][2]  # … and soon gone


def test_names_of_one_character_and_halves_of_words_go_with_the_whole_word() -> None:
    found = masked("小猫咪睡了", 1.0, CONSTANTS, [Unit(1, 2, "")])
    assert found.count == found.total
    found = masked("catalogue", 0.6, replace_variation(CONSTANTS), [Unit(0, 3, "an animal")])
    assert found.text == "[… an animal]"


@pytest.mark.parametrize("missing", [-0.1, 1.1, float("nan")])
def test_a_degree_out_of_range_is_refused(missing: float) -> None:
    with pytest.raises(InputError):
        masked("text", missing, CONSTANTS)


@pytest.mark.parametrize("unit", [Unit(0, 0), Unit(-1, 2), Unit(2, 1), Unit(0, 9), Unit(0, 2, pace=0.0)])
def test_a_unit_that_is_nowhere_is_refused(unit: Unit) -> None:
    with pytest.raises(InputError):
        masked("text", 0.5, CONSTANTS, [unit])


def test_as_many_answers_as_blanks() -> None:
    found = masked("one two, three", 1.0, CONSTANTS)
    assert found.filled(["a", "b"]) == "a, b"
    with pytest.raises(InputError):
        found.filled(["a"])


def test_a_long_text_takes_no_time_with_its_square() -> None:
    text = "a." * 50_000
    units = [Unit(place, place + 1) for place in range(0, 100_000, 100)]
    assert masked(text, 0.5, CONSTANTS, units).total == 50_000


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I am not married to Anton, he is my brother.", ["not"]),
        ("Bo doesn't drink wine on weekdays, and never beer.", ["doesn't", "never"]),
        ("我不吃香菜，也没有去过北京。", ["不", "没"]),
    ],
)
def test_what_is_not_so_never_comes_to_be_so(text: str, kept: list[str]) -> None:
    """What denies stays as long as any other word does."""
    for degree in range(101):
        shown = masked(text, degree / 100, Settings())
        words = [text[begin:end] for begin, end in words_of(text) if (begin, end) not in shown.hidden]
        others = [word for word in words if not any(one in word for one in kept)]
        assert not others or all(one in shown.text for one in kept), degree
