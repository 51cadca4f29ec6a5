from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from snowballstemmer.english_stemmer import EnglishStemmer

from soulmem.text.language import Language, has_cjk, language
from soulmem.text.stopwords import stop_words
from soulmem.text.tokens import is_stop, normal_form, search_terms, term_counts

ENGLISH = EnglishStemmer()  # in Python: another implementation

#: Words with every ending of Porter2, and words that only look like it.
SUFFIXES = """
s es ied ies us ss eed eedly ed edly ing ingly y tional enci anci abli entli izer ization ational ation ator alism aliti
alli fulness ousli ousness iveness iviti biliti bli logi fulli lessli li alize icate iciti ical ful ness ative al ance ence
er ic able ible ant ement ment ent ism ate iti ous ive ize sion tion e l ll a b f h j k o p q u v w x z ' 's
"""

LATIN_WORD = st.from_regex(r"[a-z]{1,12}", fullmatch=True)


@settings(deadline=None)
@given(LATIN_WORD, st.sampled_from(SUFFIXES.split()))
def test_latin_words_are_stemmed_as_porter2_does(start: str, suffix: str) -> None:
    word = start + suffix
    bare = re.sub("'s?$", "", word)
    assert search_terms(word) == [ENGLISH.stemWord(bare)]


@settings(deadline=None)
@given(st.text(alphabet="猫辣茶火锅麻我的去北京天安门", min_size=2, max_size=20))
def test_every_bigram_and_every_content_character_is_a_term(run: str) -> None:
    counts = term_counts(run)
    for place in range(len(run) - 1):
        assert counts[run[place : place + 2]] >= Counter(run[i : i + 2] for i in range(len(run) - 1))[run[place : place + 2]]
    for character in "猫辣茶火锅麻去北京天安门":
        assert counts[character] == run.count(character)
    assert counts["我"] == counts["的"] == 0


@settings(deadline=None, max_examples=300)
@given(st.text())
def test_any_text_gives_terms_that_are_clean(text: str) -> None:
    for term in search_terms(text):
        assert term
        assert len(term) <= 64
        assert term == term.strip()
        assert not any(unicodedata.category(character) in {"Cc", "Cs", "Zs"} for character in term)


@settings(deadline=None)
@given(st.lists(st.text(max_size=20), max_size=5))
def test_lines_are_indexed_independently(lines: list[str]) -> None:
    parts = [term for line in lines for term in search_terms(line)]
    assert search_terms("\n".join(lines)) == parts


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec="ascii")))
def test_case_does_not_matter(text: str) -> None:
    assert search_terms(text.upper()) == search_terms(text.lower()) == search_terms(text)


@settings(deadline=None)
@given(st.text())
def test_full_width_is_half_width(text: str) -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    assert search_terms(wide) == search_terms(normal_form(wide))
    assert normal_form(normal_form(text)) == normal_form(text)


@given(st.text(alphabet="，！？：；（）～\u3000…é\u0301\u3099かﬁ①한a", max_size=40))
def test_narrow_signs_change_no_normal_form(text: str) -> None:
    folded = unicodedata.normalize("NFKC", text).casefold()
    assert normal_form(text) == unicodedata.normalize("NFKC", folded)


@settings(deadline=None)
@given(st.text())
def test_counts_are_the_terms(text: str) -> None:
    assert term_counts(text) == Counter(search_terms(text))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("辣", "她最爱吃麻辣火锅"),
        ("麻辣", "她最爱吃麻辣火锅"),
        ("猫", "家里的猫咪"),
        ("张曼婷", "你好，我叫张曼婷。"),
        ("清华大学", "他在清华大学读书"),
        ("adoption agencies", "an adoption agency"),
        ("Melanie", "Melanie's kids"),
        ("Melanie", "Melanie’s kids"),
        ("cafe", "a small Café"),
        ("CAFÉ", "cafe\u0301"),
        ("naive", "naïve"),
        ("strasse", "Straße"),
        ("LGBTQ", "the lgbtq group"),
        ("v2", "release V2, 3pm"),
        ("3pm", "release V2, 3pm"),
        ("2024", "in 2024."),
        ("10000", "10,000 people"),
        ("2023-5-8", "2023-05-08"),
        ("c++", "I like C++!"),
        ("USA", "the U.S.A. team"),
        ("ラーメン", "ラーメンを食べる"),
        ("한국", "한국어"),
        ("😀", "so happy 😀😀"),
        ("👍", "👍🏽"),
        ("ｗｉｄｅ", "wide"),
        ("ab", "a\u200bb"),
        ("Tom", "小明Tom"),
        ("T恤", "一件T恤"),
        ("приветы", "приветы"),
        ("हिन्दी", "मेरी हिन्दी"),
    ],
)
def test_is_found(query: str, text: str) -> None:
    assert set(search_terms(query)) & set(search_terms(text)) - {term for term in search_terms(text) if is_stop(term)}


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", []),
        (" \t\n!?…—", []),
        (
            "麻辣火锅很麻辣",
            ["麻辣火锅", "麻辣", "麻辣", "辣火", "火锅", "锅很", "很麻", "麻辣", "麻", "辣", "火", "锅", "麻", "辣"],
        ),
        ("running runs ran", ["run", "run", "ran"]),
        ("x\0y\ud800z", ["x", "y", "z"]),
        ("a_b well-known", ["a", "b", "well", "known"]),
        ("don't I'll they're", ["don't", "i", "they"]),
        ("3.5 at 09:05", ["3", "5", "at", "9", "5"]),
        ("❤️🇨🇳", ["❤", "🇨", "🇳"]),
        ("カタカナ", ["カタカナ", "カタ", "タカ", "カナ"]),
    ],
)
def test_terms(text: str, terms: list[str]) -> None:
    assert search_terms(text) == terms


@pytest.mark.parametrize(
    "term", ["the", "we", "me", "our", "was", "veri", "becaus", "我们", "什么", "的", "我的", "是不是", "他在"]
)
def test_function_words(term: str) -> None:
    assert is_stop(term)


@pytest.mark.parametrize("term", ["adopt", "cat", "辣", "猫", "麻辣", "2024", "melani", "人", "去", "😀"])
def test_content_words(term: str) -> None:
    assert not is_stop(term)


def test_every_function_word_is_recognised_among_its_terms() -> None:
    for word in stop_words():
        assert is_stop(word)
        if word.isascii():
            assert all(is_stop(term) for term in search_terms(word)), word


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "a" + "\u0300\u0316" * 50_000,
        "龘" * 50_000,
        "\u200b" * 100_000,
        "\0" * 100_000,
        "'" * 100_000,
        "a'" * 50_000,
        "a." * 50_000,
        "1," * 50_000,
        "\ud83d" * 100_000,
        "😀\u200d" * 50_000,
        "ﷺ" * 3_000,
    ],
)
def test_hostile_text_ends(text: str) -> None:
    assert all(len(term) <= 64 for term in search_terms(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天天气很好", Language.ZH),
        ("What a nice day", Language.EN),
        ("今天去了 New York 看 Broadway 的演出", Language.ZH),
        ("She said 你好 to everyone in the whole room", Language.EN),
        ("ラーメンを食べたいです", Language.OTHER),
        ("안녕하세요", Language.OTHER),
        ("Привет, как дела", Language.OTHER),
        ("12345 !?", Language.OTHER),
        ("", Language.OTHER),
        ("Café déjà vu", Language.EN),
    ],
)
def test_language(text: str, expected: Language) -> None:
    assert language(text) is expected


@given(st.text())
def test_has_cjk_is_about_ideographs(text: str) -> None:
    named = any(
        "CJK UNIFIED" in unicodedata.name(c, "") or "CJK COMPATIBILITY IDEOGRAPH" in unicodedata.name(c, "") for c in text
    )
    assert has_cjk(text) or not named


def test_noise_is_counted_up_to_a_bound_and_from_its_beginning() -> None:
    words = [str(number) for number in range(1_000_000, 1_100_001)]
    assert list(term_counts(" ".join([*words, words[0]])).items()) == [(words[0], 2), *((word, 1) for word in words[1:-1])]


def test_a_word_is_the_same_whatever_signs_and_spaces_stand_around_it() -> None:
    assert search_terms("runs,\u3000(running)\x1crun's\u2028RUN.") == ["run"] * 4
