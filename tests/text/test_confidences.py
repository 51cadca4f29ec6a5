"""What is asked to be kept, and what is not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.text.confidences import Confidence, confidence

KNOWN = ("Bo", "小明", "韩梅梅")

KEPT = [
    ("Don't tell Bo.", ("bo",), True),
    ("Please don't tell Bo that I am moving to York.", ("bo",), False),
    ("I'm pregnant. Don’t tell Bo and Ann Smith!", ("bo", "ann smith"), False),
    ("don't tell anyone", ("*",), True),
    ("Keep it between us, ok?", ("*",), True),
    ("My mom must not know.", ("mom",), True),
    ("Keep this from my boss please", ("boss",), True),
    ("Not a word to anyone.", ("*",), True),
    ("Don't tell him yet.", ("*",), True),
    ("You mustn't tell Bo.", ("bo",), True),
    ("Don't let Bo find out", ("bo",), True),
    ("Don't mention this to Ann", ("ann",), True),
    ("This is a secret.", ("*",), True),
    ("Just between you and me: I hate plums.", ("*",), False),
    ("别告诉小明", ("小明",), True),
    ("我怀孕了，别告诉小明。", ("小明",), False),
    ("别告诉小明我怀孕了", ("小明",), False),
    ("不要让妈妈知道", ("妈妈",), True),
    ("这是秘密", ("*",), True),
    ("这是我们的秘密哦", ("*",), True),
    ("别跟别人说", ("*",), True),
    ("别告诉他", ("*",), True),
    ("瞒着我爸", ("爸爸",), True),
    ("对小红保密", ("小红",), True),
    ("千万不要说出去", ("*",), True),
    ("不要和王老师说我逃课了", ("王老师",), False),
    ("谁都别说", ("*",), True),
    ("别告诉李雷，我喜欢韩梅梅", ("李雷",), False),
    ("替我保密", ("*",), True),
]


@pytest.mark.parametrize(("text", "names", "is_bare"), KEPT)
def test_a_request_to_keep_something(text, names, is_bare):
    assert confidence(text, KNOWN) == Confidence(kept_from=names, is_bare=is_bare)


@pytest.mark.parametrize(
    "text",
    [
        "Don't tell me you forgot!",
        "I don't tell Bo everything.",
        'He said "don\'t tell Bo".',
        "I never tell lies.",
        "Why don't you tell Bo?",
        "I can't tell Bo and Ann apart",
        "The secret garden is a good book.",
        "If you don't tell Bo, I will.",
        "I love Bo.",
        "别告诉我你忘了",
        "我没告诉小明",
        "他说“别告诉小明”。",
        "我知道小明。",
        "",
        "…",
    ],
)
def test_what_is_no_request(text):
    assert not confidence(text, KNOWN)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("You can tell Bo now.", ("bo",)),
        ("It's ok to tell Bo", ("bo",)),
        ("Bo knows now", ("bo",)),
        ("It's no longer a secret.", ("*",)),
        ("可以告诉小明了", ("小明",)),
        ("小明已经知道了", ("小明",)),
        ("不用瞒着小明了", ("小明",)),
        ("已经不是秘密了", ("*",)),
    ],
)
def test_what_may_be_told_now(text, names):
    found = confidence(text, KNOWN)
    assert (found.told, found.kept_from) == (names, ())


def test_whom_it_does_not_make_clear_counts_as_anybody():
    assert confidence("别告诉欧阳无忌我喜欢韩梅梅", KNOWN).kept_from == ("*",)


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    found = confidence(text, KNOWN)
    assert all(name == name.strip() and name for name in (*found.kept_from, *found.told))


@pytest.mark.parametrize("text", ["don't tell " + "Bo and " * 20_000, "别告诉" + "小" * 100_000, "keep it from A" + " A" * 9_000])
def test_a_long_line_takes_no_time(text):
    start = time.perf_counter()
    confidence(text, KNOWN)
    assert time.perf_counter() - start < 2.0
