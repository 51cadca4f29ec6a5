"""The Cypher shell."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from cli_mind import Start, on_a_terminal
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem_cli.shell import is_complete


@pytest.mark.parametrize("text", ["", "\n", "RETURN 1;", "RETURN ';';", "RETURN 1; // more", "// nothing", "RETURN `;`;\n"])
def test_what_is_complete(text: str) -> None:
    assert is_complete(text)


@pytest.mark.parametrize(
    "text", ["RETURN 1", "RETURN ';'", "RETURN ';", "RETURN 1 // ;", "/* ;", "RETURN `;", "RETURN 1; RETURN 2"]
)
def test_what_goes_on(text: str) -> None:
    assert not is_complete(text)


@given(st.text(st.characters(codec="utf-8", exclude_characters="'\\")))
@settings(deadline=None)
def test_nothing_inside_a_string_ends_a_statement(text: str) -> None:
    assert not is_complete(f"RETURN '{text}'")
    assert is_complete(f"RETURN '{text}';")


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
def test_a_session(process: Start, tmp_path: Path) -> None:
    typed = [
        ".tables",
        "RETURN 'a;b'",
        "AS letters;",
        "RETURN oh;",
        ".nothing",
        "MATCH (n:Semantic) DELETE n;",
        ".queries",
        ".quit",
    ]
    seen = on_a_terminal(process, "cypher", typed=typed)
    assert "SpecificSituation" in seen and "letters" in seen
    assert seen.count("error: ") == 2 and "--write" in seen
    assert "There is no .nothing." in seen
    assert "look.links_out" in seen
    history = (tmp_path / "state" / "soulmem" / "cypher_history").read_text(encoding="utf-8")
    assert [line for line in history.splitlines() if line in typed] == typed
