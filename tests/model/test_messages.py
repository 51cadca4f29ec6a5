"""Fingerprints: the same line is the same line in any file, and no other line is."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.model.messages import Role, fingerprint

AT = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
TEXT = st.text(st.characters(exclude_characters="\x1f"), max_size=8)
LAWS = settings(deadline=None, max_examples=60)


def test_fingerprints_never_change() -> None:
    """Golden values: a fingerprint that changed would make every chat that was read new again."""
    assert fingerprint("Ann", "hello", None) == "064110a5180a884cb6c589dc8d3afe56c83eb880a845e9fc5fcabe46b6b9eef3"
    assert fingerprint("小红", "你好", AT) == "224a48429358f5f319f1610c7e5186c61a4bf90bde670db360e31b64a532abb9"


@LAWS
@given(TEXT, TEXT, TEXT, TEXT, st.booleans(), st.booleans())
def test_two_lines_have_one_fingerprint_only_if_they_are_one_line(
    speaker: str, text: str, other_speaker: str, other_text: str, timed: bool, other_timed: bool
) -> None:
    one = fingerprint(speaker, text, AT if timed else None)
    other = fingerprint(other_speaker, other_text, AT if other_timed else None)
    form = unicodedata.normalize
    same = (form("NFC", speaker), form("NFC", text), timed) == (form("NFC", other_speaker), form("NFC", other_text), other_timed)
    assert (one == other) == same
    assert len(one) == 64 and int(one, 16) >= 0


@LAWS
@given(TEXT, TEXT)
def test_the_unicode_form_does_not_matter(speaker: str, text: str) -> None:
    decomposed = fingerprint(unicodedata.normalize("NFD", speaker), unicodedata.normalize("NFD", text), AT)
    assert decomposed == fingerprint(unicodedata.normalize("NFC", speaker), unicodedata.normalize("NFC", text), AT)


def test_even_a_broken_text_has_one() -> None:
    assert fingerprint("\ud800", "x", None) != fingerprint("\ud801", "x", None)


def test_the_roles() -> None:
    assert [role.value for role in Role] == ["user", "character", "narrator", "system"]
