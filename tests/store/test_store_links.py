"""Links that are updated and cut: found by their ids, with their ends known or not, few or many at once."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import timedelta

import pytest
from store_minds import NOW, SETTINGS, change, contents, empty_change, links_of, note

from soulmem.errors import StoreError
from soulmem.model.changes import LinkUpdate
from soulmem.model.links import Sem, TrigToAction
from soulmem.store import check, open_store
from soulmem.store.apply import BULK_LINKS
from soulmem.store.journal import PACKED_FROM, packed, unpacked

NOTES = tuple(note(number) for number in range(24))
LINKS = links_of(NOTES, 3 * BULK_LINKS)
LATER = NOW + timedelta(days=1)


@pytest.mark.parametrize("hinted", [False, True], ids=["looked for", "hinted"])
@pytest.mark.parametrize("number", [3, 2 * BULK_LINKS])
def test_links_are_updated_and_nothing_else_is(store, number, hinted):
    store.apply(change(len(NOTES), links=LINKS))
    chosen = LINKS[::3][:number] if number < BULK_LINKS else LINKS[:number]
    hints = {link.id: link.source for link in chosen} if hinted else {}
    updates = tuple(LinkUpdate(link=link.id, values=_values(link)) for link in chosen)
    store.apply(empty_change(link_updates=updates, link_sources=hints))
    expected = {link.id: link for link in LINKS} | {link.id: _changed(link) for link in chosen}
    assert {link.id: link for link in store.links()} == expected
    assert check(store) == []


def _values(link) -> dict:
    values = {"intensity": 0.125, "last_fired_at": LATER, "fired_count": 7}
    return values | ({"confidence": 0.25} if isinstance(link.payload, Sem) else {})


def _changed(link):
    payload = replace(link.payload, confidence=0.25) if isinstance(link.payload, Sem) else link.payload
    return replace(link, intensity=0.125, last_fired_at=LATER, fired_count=7, payload=payload)


@pytest.mark.parametrize("hinted", [False, True], ids=["looked for", "hinted"])
@pytest.mark.parametrize("number", [1, BULK_LINKS + 5])
def test_links_are_cut_and_no_others(store, number, hinted):
    store.apply(change(len(NOTES), links=LINKS))
    cut = [link.id for link in LINKS[2 : 2 + number]]
    hints = {link.id: link.source for link in LINKS} if hinted else {}
    store.apply(empty_change(links_removed=tuple(cut), link_sources=hints))
    assert {link.id for link in store.links()} == {link.id for link in LINKS} - set(cut)
    assert check(store) == []


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        ({"links_removed": ("nowhere",)}, "the link 'nowhere' is not in the mind"),
        ({"link_updates": (LinkUpdate(link="nowhere", values={"intensity": 1.0}),)}, "the link 'nowhere' is not in the mind"),
        ({"link_updates": (LinkUpdate(link=LINKS[0].id, values={"verb": "is"}),)}, "not a column that an update may change"),
        ({"link_updates": (LinkUpdate(link=LINKS[0].id, values={"intensity": None}),)}, "may not be empty"),
        ({"link_updates": (LinkUpdate(link=LINKS[0].id, values={"intensity": float("nan")}),)}, "may not be nan"),
        (
            {"link_updates": (LinkUpdate(link=LINKS[0].id, values={}),), "links_removed": (LINKS[0].id,)},
            "updated and removed in one change",
        ),
    ],
)
def test_what_cannot_be_done_to_a_link_is_refused_whole(refusing, parts, what):
    store, before = refusing
    with pytest.raises(StoreError, match=what):
        store.apply(replace(change(1, 100), chats=(), **parts))
    assert contents(store) == before


@pytest.fixture(scope="module")
def refusing(empty_mind, tmp_path_factory):
    """One mind for all that is refused, and what is in it before and after."""
    path = tmp_path_factory.mktemp("refusing") / "refusing.mind"
    shutil.copy(empty_mind, path)
    with open_store(path, settings=SETTINGS, now=NOW) as store:
        store.apply(change(len(NOTES), links=LINKS))
        yield store, contents(store)


def test_a_probability_is_updated(store):
    link = next(link for link in LINKS if isinstance(link.payload, TrigToAction))
    store.apply(change(len(NOTES), links=LINKS))
    store.apply(empty_change(link_updates=(LinkUpdate(link=link.id, values={"prob": 0.5}),)))
    assert next(one for one in store.links() if one.id == link.id).payload == TrigToAction(0.5)


@pytest.mark.parametrize("length", [1, PACKED_FROM])
def test_what_is_packed_is_unpacked(length):
    value = {"format": 1, "updated": {"a": {"content": "猫" * length}}}
    text = packed(value)
    assert unpacked(text) == value and len(text) < PACKED_FROM
