"""Versions of a card: after any of them the mind has what the last one says. On plans alone; the mind is three dicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from soulmem.ingest.cards.card import card_of
from soulmem.ingest.cards.notes import document_of
from soulmem.ingest.contract import Document
from soulmem.ingest.plan_edit import Edit, Ground, gone_keys, plan_edit, without_earlier
from soulmem.ingest.plan_graph import KnownGraph, plan_graph
from soulmem.model.links import Link, Sem
from soulmem.model.notes import SELF_KEY, Note, Semantic, SpecificSituation, display_text

AT = datetime(2026, 11, 1, tzinfo=UTC)


def document(description: str, entries: Any = ()) -> Document:
    book = {"name": "B", "entries": [{"keys": [name], "content": what, "enabled": True} for name, what in entries]}
    data = {"name": "Ada Quill", "description": description, "first_mes": "Hi.", "character_book": book if entries else None}
    return document_of(card_of({"spec": "chara_card_v3", "data": data}), AT, "card-json")


@dataclass
class Mind:
    notes: dict[str, Note] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    version: Document | None = None

    def read(self, found: Document) -> Edit:
        edit = Edit()
        if self.version is not None:
            gone = gone_keys(found, self.version, ())
            ground = Ground(
                notes=self.notes,
                taken={key: note.id for key, note in self.notes.items()},
                links=list(self.links.values()),
            )
            edit = plan_edit(found, self.version, gone, ground, AT)
        plan = plan_graph(found, KnownGraph(notes=self.notes, link_ids=self.links.keys()), file="x")
        self.notes = {
            note.key: note for note in (*self.notes.values(), *plan.notes, *edit.named, *plan.told) if note.id not in edit.removed
        }
        links = {link.id: link for link in (*self.links.values(), *plan.links, *edit.links) if link.id not in edit.links_removed}
        ids = {note.id for note in self.notes.values()}
        self.links = {one: link for one, link in links.items() if {link.source, link.target} <= ids}
        self.version = found
        return edit

    def texts(self) -> list[str]:
        return sorted(display_text(note.body) for note in self.notes.values() if note.key != SELF_KEY)


STATEMENTS = st.lists(
    st.sampled_from([f"{name}: {value}" for name in ("Age", "Home", "Likes") for value in ("one", "two", "a long way")])
)
ENTRIES = st.lists(st.sampled_from(["Rock", "Lamp", "Tern"]), unique=True).flatmap(
    lambda names: st.tuples(*(st.tuples(st.just(name), st.sampled_from(["It is old.", "It is new."])) for name in names))
)


@given(st.lists(st.tuples(STATEMENTS, ENTRIES), min_size=2, max_size=4))
def test_after_any_versions_the_mind_has_what_the_last_one_says(versions: list[Any]) -> None:
    mind, fresh = Mind(), Mind()
    for statements, entries in versions:
        last = document("\n".join(("Ada Quill keeps a light.", *statements)), entries)
        edit = mind.read(last)
        assert edit.replaced <= len(edit.removed)
    fresh.read(last)
    assert mind.notes.keys() == fresh.notes.keys()
    assert mind.texts() == fresh.texts()
    assert mind.links.keys() == fresh.links.keys()
    assert mind.read(last) == Edit(), "the same again changes nothing"


@given(STATEMENTS, STATEMENTS, st.data())
def test_what_hangs_on_a_note_is_never_lost_where_something_takes_its_place(
    before: list[str], after: list[str], data: st.DataObject
) -> None:
    mind = Mind()
    mind.read(document("\n".join(("Ada Quill keeps a light.", *before))))
    there = Note(id="n", key="sit_talk", body=SpecificSituation("We talked."), created_at=AT, decayed_at=AT)
    mind.notes[there.key] = there
    known = data.draw(st.sampled_from([note for note in mind.notes.values() if isinstance(note.body, Semantic)]))
    mind.links["talk"] = Link(id="talk", source="n", target=known.id, payload=Sem("mentions"), created_at=AT)
    edit = mind.read(document("\n".join(("Ada Quill keeps a light.", *after))))
    heirs = [key for key, note in edit.heirs.items() if note.id == known.id]
    targets = {link.target for link in mind.links.values() if link.source == "n"}
    if known.key in mind.notes:
        assert targets == {known.id}
    elif heirs:
        assert targets == {mind.notes[heirs[0]].id}
    assert mind.notes["sit_talk"] == there


def test_a_character_loses_of_its_own_note_only_what_the_card_gave_it() -> None:
    old, new = document("Ada Quill keeps a light."), document("Ada Quill keeps two lights.")
    told = next(note for note in old.notes if note.key == SELF_KEY)
    assert isinstance(told.body, Semantic)
    kept = without_earlier(told, old, new)
    assert kept is not None and isinstance(kept.body, Semantic) and kept.body.description == ""
    own = Note(
        id="s", key=SELF_KEY, body=Semantic("Ada Quill", ("A.",), description="I am."), tags=("x",), created_at=AT, decayed_at=AT
    )
    assert without_earlier(own, old, new) == own
    assert without_earlier(None, old, new) is None
