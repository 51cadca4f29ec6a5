"""Cards of one name: versions of one character, or two."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.ingest.namesakes import other_maker

ONE = {"name": "Ada", "creator": "Pim", "description": "Ada keeps the lighthouse on Gull Rock.", "first_mes": "Hello there!"}
TWO = {"name": "Ada", "creator": "Joss", "description": "Ada mends clocks in a cellar in Delft.", "first_mes": "Hello there!"}
SHARED = "The lamp was lit on the first of May."


def kept(data: Any) -> dict[str, Any]:
    return {"card": {"spec": "chara_card_v2", "data": data}}


def test_made_by_two_and_nothing_in_common_are_two() -> None:
    assert other_maker(kept(ONE), kept(TWO)) == ("Pim", "Joss")
    assert other_maker(kept(TWO), kept(ONE)) == ("Joss", "Pim")


@pytest.mark.parametrize("maker", ["", None, 3, " pim ", ["Joss"]])
def test_where_the_makers_do_not_say_so_they_may_be_one(maker: Any) -> None:
    assert other_maker(kept(ONE), kept({**TWO, "creator": maker})) is None
    assert other_maker(kept({**TWO, "creator": maker}), kept(ONE)) is None


@pytest.mark.parametrize("field", ["description", "scenario", "mes_example", "alternate_greetings", "character_book"])
def test_one_sentence_in_common_makes_them_versions(field: str) -> None:
    def saying(data: dict[str, Any]) -> dict[str, Any]:
        book = {"entries": [{"keys": ["lamp"], "content": SHARED, "enabled": True}]}
        value = {"alternate_greetings": ["Hm.", SHARED], "character_book": book}.get(field, f"{data.get(field, '')}\n{SHARED}")
        return data | {field: value}

    assert other_maker(kept(saying(ONE)), kept(saying(TWO))) is None


ANYTHING = st.recursive(st.none() | st.booleans() | st.text(max_size=20), lambda inner: st.lists(inner, max_size=3))
DATA = st.dictionaries(st.sampled_from(sorted({*ONE, "character_book"})), ANYTHING, max_size=6)


@given(DATA, DATA)
def test_whatever_they_hold_it_is_symmetric_and_never_of_itself(one: dict[str, Any], other: dict[str, Any]) -> None:
    found, back = other_maker(kept(one), kept(other)), other_maker(kept(other), kept(one))
    assert back == (found and found[::-1])
    assert other_maker(kept(one), kept(one)) is None
    assert other_maker(kept(one), None) is None and other_maker(one, kept(other)) is None
