"""The configuration file: whole, private, without keys, and kept as its owner wrote it."""

from __future__ import annotations

import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from soulmem.config import OPTIONS, checked_text, config_path, configured, model_settings, read_file, set_value, unset_value
from soulmem.errors import InputError
from soulmem.llm.settings import ModelSettings

LAWS = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
KEY = "sk-proj-abcdefghijklmnopqrst"

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "model.name": st.sampled_from(["openai/gpt-4o-mini", 'ollama_chat/"odd" \\name', "scripted:回答.jsonl", "a/#b"]),
    "model.base_url": st.sampled_from(["http://127.0.0.1:1/v1", "https://host.example/v1"]),
    "model.timeout_seconds": st.floats(0.001, 86_400),
    "model.temperature": st.floats(0, 2),
    "model.max_tokens": st.integers(1, 10**9),
    "model.schema": st.sampled_from(["auto", "yes", "no"]),
}
SETTINGS = st.lists(
    st.sampled_from(list(VALUES)).flatmap(lambda name: st.tuples(st.just(name), st.none() | VALUES[name])), max_size=8
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "config.toml"


@LAWS
@given(SETTINGS)
def test_what_was_set_last_is_what_is_read(tmp_path: Path, steps: list[tuple[str, Any]]) -> None:
    file = tmp_path / "c.toml"
    file.unlink(missing_ok=True)
    expected: dict[str, Any] = {}
    for name, value in steps:
        if value is None:
            assert unset_value(name, file) == (expected.pop(name, None) is not None)
        else:
            text = repr(value) if isinstance(value, float) else str(value)
            expected[name] = set_value(name, text, file)
            assert expected[name] == value
        assert read_file(file) == expected
    for one in configured({"SOULMEM_CONFIG": str(file)}):
        assert one.value == expected.get(one.name, OPTIONS[one.name].default)
        assert one.origin == ("file" if one.name in expected else "default")


def test_every_setting_of_the_model_can_be_configured() -> None:
    assert {f"model.{name}" for name in ModelSettings.__dataclass_fields__} == set(OPTIONS)
    assert model_settings({"SOULMEM_CONFIG": "nowhere.toml"}) == ModelSettings()


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_the_file_is_for_its_owner_alone(file: Path) -> None:
    set_value("model.name", "a/b", file)
    file.chmod(0o666)
    set_value("model.name", "a/c", file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [one.name for one in file.parent.iterdir()] == ["config.toml"]


def test_comments_and_order_stay(file: Path) -> None:
    file.parent.mkdir()
    file.write_text('# mine\n[model]\n# the good one\ntemperature = 0.5\nname = "a/b"  # for now\n')
    set_value("model.temperature", "0.7", file)
    set_value("model.max_tokens", "9", file)
    assert file.read_text() == '# mine\n[model]\n# the good one\ntemperature = 0.7\nname = "a/b"  # for now\nmax_tokens = 9\n'
    unset_value("model.temperature", file)
    assert "temperature" not in file.read_text() and "# mine" in file.read_text()


@pytest.mark.parametrize(
    "text", ['model.name = "a/b"', 'model = {name = "a/b"}', '[model]\nname = """\na/b"""', '["model"]\n"name" = "a/b"']
)
def test_toml_that_others_write_is_read_and_changed(file: Path, text: str) -> None:
    file.parent.mkdir()
    file.write_text(text)
    assert read_file(file) == {"model.name": "a/b"}
    set_value("model.schema", "no", file)
    set_value("model.name", "c/d", file)
    assert tomllib.loads(file.read_text()) == {"model": {"name": "c/d", "schema": "no"}}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("model.timeout_seconds", "0"),
        ("model.timeout_seconds", "soon"),
        ("model.timeout_seconds", "inf"),
        ("model.temperature", "2.1"),
        ("model.temperature", "-1"),
        ("model.temperature", "nan"),
        ("model.max_tokens", "1.5"),
        ("model.max_tokens", "0"),
        ("model.max_tokens", "1_0"),
        ("model.attempts", "21"),
        ("model.schema", "maybe"),
        ("model.base_url", "localhost:80"),
        ("model.base_url", "ftp://a/b"),
        ("model.base_url", "http://a:b c"),
        ("model.name", " "),
        ("model.name", "a\nb"),
    ],
)
def test_values_that_will_not_do_are_refused_and_nothing_is_written(file: Path, name: str, text: str) -> None:
    with pytest.raises(InputError, match=name):
        set_value(name, text, file)
    assert not file.exists()


@pytest.mark.parametrize(
    ("name", "text", "variable"),
    [
        ("model.name", KEY, "SOULMEM_MODEL_API_KEY"),
        ("model.name", "sk-ant-api03-abcdefgh", "ANTHROPIC_API_KEY"),
        ("model.base_url", "https://me:opensesame@host/v1", "SOULMEM_MODEL_API_KEY"),
        ("model.base_url", f"https://host/v1?key={KEY}", "SOULMEM_MODEL_API_KEY"),
        ("model.api_key", "x", "SOULMEM_MODEL_API_KEY"),
        ("openai.token", "x", "SOULMEM_MODEL_API_KEY"),
    ],
)
def test_keys_are_refused_without_being_quoted(file: Path, name: str, text: str, variable: str) -> None:
    with pytest.raises(InputError) as caught:
        set_value(name, text, file)
    assert variable in str(caught.value)
    assert text == "x" or text not in str(caught.value)
    assert not file.exists()


def test_unknown_names_are_refused_with_the_near_ones(file: Path) -> None:
    with pytest.raises(InputError, match=r"Perhaps model\.temperature"):
        set_value("model.temprature", "1", file)
    file.parent.mkdir()
    file.write_text("[model]\ntemprature = 1\n")
    with pytest.raises(InputError, match=r"config\.toml") as caught:
        read_file(file)
    assert "model.temperature" in str(caught.value)
    assert unset_value("model.temprature", file) and read_file(file) == {}


@pytest.mark.parametrize(
    "text", ["[model", "name = [1]", "[model]\nname = true", "[model]\nmax_tokens = 2024-01-01", "\x00", "[a.b]\nc = 1"]
)
def test_files_that_are_wrong_name_their_place(file: Path, text: str) -> None:
    file.parent.mkdir()
    file.write_text(text)
    with pytest.raises(InputError, match=r"config\.toml"):
        read_file(file)
    with pytest.raises(InputError):
        set_value("model.schema", "no", file)
    assert file.read_text() == text


def test_the_environment_comes_first(file: Path) -> None:
    set_value("model.name", "a/b", file)
    environment = {"SOULMEM_CONFIG": str(file), "SOULMEM_MODEL_NAME": "c/d", "SOULMEM_MODEL_MAX_TOKENS": "7"}
    said = model_settings(environment)
    assert (said.name, said.max_tokens) == ("c/d", 7)
    with pytest.raises(InputError, match="SOULMEM_MODEL_MAX_TOKENS"):
        model_settings(environment | {"SOULMEM_MODEL_MAX_TOKENS": "many"})


def test_the_path(tmp_path: Path) -> None:
    assert config_path({"SOULMEM_CONFIG": str(tmp_path / "x.toml")}) == tmp_path / "x.toml"
    assert config_path({}).name == "config.toml" and "soulmem" in str(config_path({}))


@given(st.text())
@settings(deadline=None, max_examples=60)
def test_any_text_is_a_value_or_refused(text: str) -> None:
    for name in OPTIONS:
        try:
            value = checked_text(name, text)
        except InputError:
            continue
        assert value == checked_text(name, str(value))
