"""Words of Chinese text: jieba's own cut is the law, and nothing of it may leak (files, logs, warnings)."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import jieba_oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.text import _jieba
from soulmem.text.tokens import cut_words

SENTENCES = [
    "今天我们去重庆吃麻辣火锅吧",
    "我叫张曼婷很高兴认识你",
    "他在清华大学研究自然语言处理",
    "结婚的和尚未结婚的",
    "龟龙麟凤齭龢䶮",
    "一二三四五六七八九十",
    "乒乓球拍卖完了",
]

#: Characters of the dictionary's words, so that random runs contain real words now and then.
HAN = st.text(alphabet=sorted(set("".join(SENTENCES) + "小明红的了在不是人大中国上下来去天地心猫狗茶")), max_size=40)


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("hmm", [True, False])
def test_cuts_as_jieba_does(sentence: str, hmm: bool) -> None:
    assert _jieba.cut(sentence, hmm=hmm) == jieba_oracle.cut(sentence, hmm)


@settings(deadline=None)
@given(HAN, st.booleans())
def test_cuts_random_runs_as_jieba_does(run: str, hmm: bool) -> None:
    assert _jieba.cut(run, hmm=hmm) == jieba_oracle.cut(run, hmm)


@settings(deadline=None, max_examples=50)
@given(st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FD5), max_size=30))
def test_cuts_rare_characters_as_jieba_does(run: str) -> None:
    assert _jieba.cut(run) == jieba_oracle.cut(run, True)


def test_the_sum_of_frequencies_is_jieba_s() -> None:
    assert _jieba._dictionary().tokenizer.total == jieba_oracle.total()


@pytest.mark.parametrize("text", ["我们去唱卡拉OK吧", "他穿T恤AA制付钱", "第3名是abc队的小明", "好，张曼婷说：OK。"])
def test_tags_mixed_text_as_jieba_does(text: str) -> None:
    assert _jieba.tagged(text) == jieba_oracle.tagged(text)


@settings(deadline=None, max_examples=50)
@given(HAN)
def test_tags_as_jieba_does(run: str) -> None:
    assert _jieba.tagged(run) == jieba_oracle.tagged(run)


@settings(deadline=None, max_examples=30)
@given(st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FD5), max_size=30))
def test_tags_rare_characters_as_jieba_does_and_again(run: str) -> None:
    assert _jieba.tagged(run) == _jieba.tagged(run) == jieba_oracle.tagged(run)


@settings(deadline=None)
@given(st.text(), st.booleans())
def test_words_joined_are_the_text(text: str, hmm: bool) -> None:
    assert "".join(cut_words(text, hmm=hmm)) == text


def test_long_runs_are_whole() -> None:
    run = "龘" * 5000 + "麻辣火锅" * 500
    assert "".join(cut_words(run)) == run


def test_english_words() -> None:
    assert [word for word in cut_words("I don't know, Mel’s cat!") if word.strip()] == [
        "I",
        "don't",
        "know",
        ",",
        "Mel’s",
        "cat",
        "!",
    ]


COLD = """
import sys, tempfile, threading
tempfile.tempdir = {tmp!r}
from soulmem.text.tokens import cut_words, search_terms
search_terms("no Chinese here, nor in 2024 カナ")
assert "jieba" not in sys.modules
before = set(sys.modules)
results = []
threads = [threading.Thread(target=lambda: results.append(tuple(cut_words("今天我们去吃麻辣火锅吧")))) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert len(results) == 8 and len(set(results)) == 1, results
assert "jieba" in sys.modules and "pkg_resources" not in set(sys.modules) - before
print("|".join(results[0]))
"""


def test_cold_start_is_silent_and_leaves_no_file(tmp_path: Path) -> None:
    """In a process of its own: jieba comes only with Chinese text, from 8 threads at once, without a word or a file."""
    script = COLD.format(tmp=str(tmp_path))
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.strip() == "今天|我们|去|吃|麻辣火锅|吧"
    assert list(tmp_path.iterdir()) == []


def test_threads_agree() -> None:
    texts = [chr(first) + "天地玄黄宇宙洪荒"[first % 8] * 2 for first in range(0x4E00, 0x5600)]
    expected = [jieba_oracle.cut(text, True) for text in texts]
    results: list[list[list[str]]] = [[] for _ in range(4)]

    def work(place: int) -> None:
        results[place] = [_jieba.cut(text) for text in texts]

    threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(result == expected for result in results)


def test_behind_many_characters_of_no_word_tags_are_those_of_the_dictionary() -> None:
    ending = "我叫张曼婷去北京"
    noise = "吗" * 10_400
    pairs = _jieba.tagged(noise + ending)
    assert "".join(word for word, _ in pairs) == noise + ending
    assert ("北京", "ns") in pairs
    assert ("张曼婷", "nr") not in pairs
    assert ("张曼婷", "nr") in _jieba.tagged(noise[:20] + "，" + ending)
