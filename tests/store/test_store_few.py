"""A few words are looked up and written by their index, many at once: both leave the same, and the log is folded in time."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_minds import NOW

from soulmem.model.changes import Change
from soulmem.model.messages import Chat, Message, Role
from soulmem.store import check

CHAT = Chat(id="c", file="live:c", format="live", sha256="", messages=10_000, ingested_at=NOW)


def message(number: int) -> Message:
    return Message(
        id=f"m{number}", chat="c", index=number, file="live:c", line=number + 1, speaker="Bo", role=Role.USER, text="x"
    )


def change(number: int, words: dict[str, int]) -> Change:
    said = message(number)
    vectors = {said.id: {}}
    return Change(command="t", what="t", at=NOW, chats=(CHAT,), messages=(said,), terms={said.id: words}, vectors=vectors)


def word(number: int) -> str:
    """Every second one is Chinese."""
    return f"w{number}" if number % 2 else chr(0x4E00 + number)


def occurrences(store, number):
    text = "MATCH (t:Term)-[o:OCCURS]->(m:Message) WHERE m.id = $id RETURN t.text, o.tf"
    return dict(store.cypher(text, {"id": f"m{number}"}, limit=None).rows)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([0, 1, 4, 5, 6, 9, 10, 11, 14, 63, 64, 65, 66, 130]), min_size=1, max_size=3), st.integers(0, 60))
def test_any_number_of_words_old_and_new_is_counted_and_found(store, sizes, shift):
    first = 10 * store.query("store.message_corpus")[0]["count"]
    for place, size in enumerate(sizes):
        words = {word(shift * place + n): 1 + n % 3 for n in range(size)}
        store.apply(change(first + place, words))
        assert occurrences(store, first + place) == words
    assert [line for line in check(store) if "vector" not in line] == []


@pytest.mark.parametrize("size", [3, 70])
def test_words_taken_away_are_counted_down(store, size):
    words = {word(n): 1 for n in range(size)}
    store.apply(change(1, words))
    store.apply(change(2, words))
    store.apply(Change(command="t", what="t", at=NOW, terms={"m1": {}}))
    assert occurrences(store, 1) == {} and occurrences(store, 2) == words
    assert {row["message_df"] for row in store.query("store.word_counts") if row["text"] in words} == {1}


def test_the_log_is_folded_by_what_was_written_not_only_by_its_size(store):
    log = store.path.with_name(f"{store.path.name}.wal")
    sizes = []
    for number in range(12):
        store.apply(change(number, {f"w{number * 7 + n}": 1 for n in range(300)}))
        sizes.append(log.stat().st_size if log.exists() else 0)
    assert any(after < before for before, after in pairwise(sizes)), "a checkpoint was taken"
    assert max(sizes) < 16 * 2**20
