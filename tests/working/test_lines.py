"""Lines fed to observe: what they say, what is filled in, and what is refused."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.errors import FormatError
from soulmem.model.messages import Role
from soulmem.working.lines import Unsaid, line_of

AT = datetime(2026, 5, 1, 12, tzinfo=UTC)
UNSAID = Unsaid(at=AT, scope="group:pub", character=frozenset({"wren", "小红"}))


@pytest.mark.parametrize(
    ("text", "speaker", "said", "role"),
    [
        ("Bo: I moved to Leeds.", "Bo", "I moved to Leeds.", Role.USER),
        ("小红：我喜欢辣的：真的", "小红", "我喜欢辣的：真的", Role.CHARACTER),
        ("WREN: “Not me.”", "WREN", "Not me.", Role.CHARACTER),
        ("旁白：天黑了。", "旁白", "天黑了。", Role.NARRATOR),
    ],
)
def test_a_script_line(text: str, speaker: str, said: str, role: Role) -> None:
    line = line_of(text, UNSAID)
    assert (line.speaker, line.text, line.role, line.at, line.scope) == (speaker, said, role, AT, "group:pub")


def test_a_time_may_stand_before_it() -> None:
    assert line_of("[2024-05-31 18:30] Bo: hi", UNSAID).at == datetime(2024, 5, 31, 18, 30, tzinfo=UTC)
    with pytest.raises(FormatError, match="time"):
        line_of("[2024-15-31 18:30] Bo: hi", UNSAID)


def test_who_speaks_may_be_said_for_all() -> None:
    assert line_of("just this", Unsaid(at=AT, speaker="Wren", character=frozenset({"wren"}))).role is Role.CHARACTER
    with pytest.raises(FormatError, match="who speaks"):
        line_of("just this", UNSAID)


def test_a_json_line_says_everything() -> None:
    given = {"speaker": "Bo", "text": "hi", "role": "assistant", "time": "2024-05-31T18:30:00+08:00", "scope": "direct:Bo"}
    line = line_of(json.dumps(given | {"id": "x", "tag": True, "hidden": True, "replaces": "y"}), UNSAID)
    assert line.at == datetime(2024, 5, 31, 10, 30, tzinfo=UTC)
    assert (line.role, line.scope, line.token, line.tag, line.hidden, line.replaces) == (
        Role.CHARACTER,
        "direct:Bo",
        "x",
        True,
        True,
        "y",
    )
    assert line_of('{"speaker": "Bo", "text": "hi", "role": "system"}', UNSAID).hidden


@pytest.mark.parametrize(
    "value",
    [
        {"text": "hi"},
        {"speaker": "Bo", "text": 3},
        {"speaker": "Bo", "text": "hi", "scop": "direct:Bo"},
        {"speaker": "Bo", "text": "hi", "tag": 1},
        {"speaker": "Bo", "text": "hi", "role": "boss"},
        {"speaker": "Bo", "text": "hi", "time": "soon"},
        {"speaker": ["Bo"], "text": "hi"},
    ],
)
def test_what_is_wrong_is_said(value: dict[str, Any]) -> None:
    with pytest.raises(FormatError):
        line_of(json.dumps(value), UNSAID)


@given(st.text(max_size=200))
def test_any_text_is_a_line_or_refused(text: str) -> None:
    for candidate in (text, "{" + text, "{" * 5000 + text):
        with suppress(FormatError):
            assert line_of(candidate, UNSAID).speaker


@pytest.mark.parametrize(("name", "speaker"), [("Ruben", "Ruben Castell"), ("castell", "Ruben Castell"), ("Rubens", "Rubens")])
def test_a_short_form_of_its_name_is_the_character(name: str, speaker: str) -> None:
    unsaid = Unsaid(at=AT, called={"ruben": "Ruben Castell", "castell": "Ruben Castell"})
    for text in (f"{name}: Hello.", json.dumps({"speaker": name, "text": "Hello."})):
        line = line_of(text, unsaid)
        assert (line.speaker, line.role) == (speaker, Role.CHARACTER if speaker != name else Role.USER)
