"""Names of minds and where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from soulmem.errors import InputError
from soulmem.store import list_minds, mind_path, minds_folder


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SOULMEM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.mark.parametrize("name", ["wren", "小红", "my mind-2", "v1.5", "Ünïcode_x"])
def test_names_are_in_the_folder(home, name):
    assert mind_path(name) == home / "minds" / f"{name}.mind"


@pytest.mark.parametrize("path", ["./x.mind", "x.mind", "/abs/x", "a/b.mind", "../x"])
def test_what_has_a_separator_is_a_path(path):
    assert mind_path(path) == Path(path)


def test_a_file_here_never_hides_a_name(home, tmp_path):
    for name in ("wren", "小红"):
        (tmp_path / name).write_bytes(b"KUZU")
        assert mind_path(name) == home / "minds" / f"{name}.mind"
    (tmp_path / "wren.mind").write_bytes(b"KUZU")
    assert mind_path("wren") == home / "minds" / "wren.mind"
    assert mind_path("wren.mind") == Path("wren.mind")
    assert mind_path(Path("any")) == Path("any")


@pytest.mark.parametrize("path", ["a/b\0c", "\0.mind", "~nobody-of-this-name/x.mind"])
def test_a_path_that_cannot_be_is_refused(path):
    with pytest.raises(InputError, match="path of a mind"):
        mind_path(path)


@pytest.mark.parametrize(
    "name", ["", " ", ".", "..", ".hidden", "-x", "a\0b", "a:b", "a*", "a\nb", "x ", "x.", "CON", "nul", "长" * 100]
)
def test_other_names_are_refused(name):
    with pytest.raises(InputError):
        mind_path(name)


def test_minds_are_listed_by_name(home):
    assert list_minds() == []
    (home / "minds" / "folder.mind").mkdir(parents=True)
    for name in ("b", "a", "小"):
        (home / "minds" / f"{name}.mind").write_bytes(b"x")
    (home / "minds" / "a.mind.wal").write_bytes(b"x")
    for other in ("notes.txt", "x.mind.mind", "-x.mind", ".mind"):
        (home / "minds" / other).write_bytes(b"x")
    assert list_minds() == ["a", "b", "小"]


def test_the_folder_is_the_users_without_the_variable(monkeypatch):
    monkeypatch.delenv("SOULMEM_HOME")
    assert minds_folder().name == "minds" and "soulmem" in str(minds_folder())
