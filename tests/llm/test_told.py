"""What a text really is: an error, a refusal, thinking, another language; and what looks like one and is none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import CallTrouble, ModelCallError
from soulmem.llm.told import check_no_error, error_status, is_foreign, is_refusal, without_thinking

LAWS = settings(deadline=None, max_examples=60)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Error 429: Too Many Requests", 429),
        ("Error code: 500 - {'error': {'message': 'x'}}", 500),
        ("error: 503 service unavailable", 503),
        ("HTTP 502 Bad Gateway", 502),
        ("HTTP/1.1 504 Gateway Time-out", 504),
        ("429 Too Many Requests", 429),
        ("Rate limit exceeded, try again in 20s", 429),
        ("错误：429 请求过于频繁", 429),
        ("请求过于频繁，请稍后再试", 429),
        ('{"error": {"message": "overloaded", "code": 529}}', 529),
        ('{"error": "no such thing"}', 500),
        ("<html><head><title>Welcome</title></head></html>", 500),
        ("[Error 401] invalid key", 401),
        ("She paid 429 yuan.", None),
        ("The error was mine, she said at 5:00.", None),
        ("429 people came to the show.", None),
        ("错了，我没去过。", None),
        ('{"summary": "there was an error"}', None),
        ("", None),
    ],
)
def test_errors_told_as_text(text: str, status: int | None) -> None:
    assert error_status(text) == status


def test_an_error_as_text_is_a_failed_call_without_its_key() -> None:
    with pytest.raises(ModelCallError) as caught:
        check_no_error("Error 429: quota of sk-abcdefghijklmnop is used up")
    assert caught.value.passing and caught.value.trouble is CallTrouble.BUSY
    assert "sk-abc" not in str(caught.value)
    with pytest.raises(ModelCallError) as caught:
        check_no_error("Error 401: no")
    assert not caught.value.passing


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("I'm sorry, but I can't assist with that.", True),
        ("I cannot provide that information.", True),
        ("I'm unable to help with this request as an AI language model.", True),
        ("作为一个AI语言模型，我没有感情。", True),
        ("对不起，我无法满足您的要求。", True),
        ("I'm sorry, I can't come tonight.", False),
        ("对不起，我不能去了，明天还要上班。", False),
        ("我是小智。", False),
        ("I can't help laughing when you do that.", False),
        ("她说她不能原谅他。", False),
    ],
)
def test_refusals_and_what_a_character_may_say(text: str, refused: bool) -> None:
    assert is_refusal(text) == refused


@LAWS
@given(
    st.text(st.characters(exclude_characters="<>", exclude_categories=["Cs"])), st.text(st.characters(exclude_characters="<>"))
)
def test_thinking_is_taken_out(thought: str, said: str) -> None:
    for name in ("think", "thinking", "reasoning"):
        assert without_thinking(f"<{name}>{thought}</{name}>{said}") == said.strip()
    assert without_thinking(f"<think>{thought}") == ""
    assert without_thinking(said) == said.strip()


ZH = "阿哲说他昨晚又是通宵，地铁停运以后才能下去干活，修3号线的信号机。"
EN = "Tomas works nights at the hospital in Sheffield, seven on and seven off."


@pytest.mark.parametrize(
    ("text", "source", "foreign"),
    [
        (ZH, EN, True),
        (EN, ZH, True),
        (ZH, ZH, False),
        (EN, EN, False),
        ("阿哲喜欢 Radiohead 和 Pink Floyd 的现场", ZH, False),
        ("Radiohead", ZH, False),
        ("Томас работает ночью в больнице", EN, True),
        ("", ZH, False),
        (EN, "12345 !!", False),
    ],
)
def test_answers_in_another_language(text: str, source: str, foreign: bool) -> None:
    assert is_foreign(text, source) == foreign


@LAWS
@given(st.text(min_size=1))
def test_a_text_is_never_foreign_to_itself(text: str) -> None:
    assert not is_foreign(text, text)
