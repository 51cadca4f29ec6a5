"""Keys are never shown: laws over keys of every look, anywhere in a text; and what is no key stays readable."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.llm.secrets import key_for, looks_like_key, reason, redacted, variable_for

LAWS = settings(deadline=None, max_examples=60)

PREFIXES = ["sk-", "sk-ant-api03-", "sk-proj-", "sk-or-v1-", "gsk_", "AIza", "hf_", "xai-", "ghp_", "eyJ"]
BASE62 = string.ascii_letters + string.digits


def runs(alphabet: str, least: int, most: int) -> st.SearchStrategy[str]:
    return st.text(alphabet, min_size=least, max_size=most)


@st.composite
def keys(draw: st.DrawFn) -> str:
    """Keys as providers make them: with their prefixes, or hexadecimal, or a UUID."""
    kind = draw(st.integers(0, 3))
    if kind == 0:
        prefix = draw(
            st.sampled_from(["sk-", "sk-ant-api03-", "sk-proj-", "sk-or-v1-", "gsk_", "AIza", "hf_", "xai-", "ghp_", "eyJ"])
        )
        return prefix + draw(runs(BASE62, 20, 60))
    if kind == 1:
        return draw(st.binary(min_size=16, max_size=32).filter(is_mixed).map(bytes.hex))
    if kind == 2:
        return str(draw(st.uuids()))
    return draw(runs(BASE62, 40, 64).filter(lambda run: is_mixed(run.encode()) and has_digits(run)))


def is_mixed(data: bytes) -> bool:
    """As a random key is: not the same few characters again and again."""
    return len(set(data)) >= 12


def has_digits(run: str) -> bool:
    return sum(map(str.isdigit, run)) >= 4 and sum(map(str.isalpha, run)) >= 8


ERROR = '{"error": {"message": "no '
PROSE = st.sampled_from(["", "Incorrect API key provided: ", "Bearer ", "错误：密钥 ", ERROR, "a" * 290 + " ", "x=", "("])
AFTER = st.sampled_from(["", ".", '"}}', " is wrong", "，请检查", "\n", ")", "&model=a"])


@LAWS
@given(PROSE, keys(), AFTER)
def test_no_key_in_any_reason(before: str, key: str, after: str) -> None:
    for text in (redacted(before + key + after, environment={}), reason(before + key + after, environment={})):
        assert key not in text
        assert key[:24] not in text and key[-16:] not in text


@LAWS
@given(st.text(min_size=6).filter(lambda key: key.strip() == key and "*" not in key), PROSE, AFTER)
def test_what_is_known_to_be_a_key_is_never_shown_whatever_its_look(key: str, before: str, after: str) -> None:
    assert key not in redacted(before + key + after, [key], {})
    assert key not in redacted(before + key + after, [], {"SOME_API_KEY": key})


@LAWS
@given(keys())
def test_what_looks_like_a_key_is_refused_as_a_setting(key: str) -> None:
    assert looks_like_key(key)
    assert looks_like_key(f"https://host/v1?k={key}")


@pytest.mark.parametrize(
    "plain",
    [
        "openai/gpt-4o-mini-2024-07-18",
        "anthropic/claude-3-5-sonnet-20241022",
        "ollama_chat/qwen3:4b-instruct-2507-q4_K_M",
        "openrouter/meta-llama/llama-3.3-70b-instruct",
        "bedrock/anthropic.claude-3-5-sonnet-20240620-v1:0",
        "scripted:answers/first.jsonl",
        "http://127.0.0.1:11434/v1",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "deepseek/deepseek-reasoner",
        "0.7",
    ],
)
def test_names_and_addresses_are_no_keys(plain: str) -> None:
    assert not looks_like_key(plain)
    assert redacted(f"model {plain} failed", environment={}) == f"model {plain} failed"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("POST http://me:opensesame@host:1/v1", "POST http://***@host:1/v1"),
        ("url https://h/v1?api_key=hunter2&x=1", "url https://h/v1?api_key=***&x=1"),
        ('{"x-api-key": "hunter2"}', '{"x-api-key": "***"}'),
        ("Incorrect API key provided: sk-abcd****wxyz.", "Incorrect API key provided: ***"),
    ],
)
def test_what_is_announced_as_a_key_is_blacked_out(text: str, shown: str) -> None:
    assert redacted(text, environment={}) == shown


def test_reasons_are_one_short_line() -> None:
    told = reason("a\n\nb " * 500, environment={})
    assert len(told) == 300 and "\n" not in told and told.endswith("…")


def test_a_key_belongs_into_the_variable_of_its_provider() -> None:
    assert variable_for("sk-ant-abc", None) == "ANTHROPIC_API_KEY"
    assert variable_for("sk-abc", "deepseek/deepseek-chat") == "DEEPSEEK_API_KEY"
    assert variable_for("sk-abc", None) == "SOULMEM_MODEL_API_KEY"


def test_a_providers_key_does_not_go_to_another_server() -> None:
    environment = {"OPENAI_API_KEY": "theirs"}
    assert key_for("openai/m", None, environment) == "theirs"
    assert key_for("openai/m", "http://127.0.0.1:9/v1", environment) == "none"
    assert key_for("openai/m", "http://127.0.0.1:9/v1", environment | {"SOULMEM_MODEL_API_KEY": "mine"}) == "mine"
    assert key_for("openai/m", None, environment | {"SOULMEM_MODEL_API_KEY": "mine"}) == "mine"
    assert key_for("nobody/m", None, {}) is None
