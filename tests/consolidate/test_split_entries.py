"""How a plan speaks of what came up again."""

from __future__ import annotations

from dataclasses import replace

from talk import AT, talk

from soulmem.consolidate.entries import Ground, derived_entries, link
from soulmem.ingest.derive import Derived
from soulmem.model.links import Sem
from soulmem.model.notes import ConceptType, Note, Semantic


def note(name: str) -> Note:
    body = Semantic(content=name, concept_type=ConceptType.ENTITY)
    return Note(id=name, key=f"sem_{name}", body=body, scope="public", created_at=AT, strength=1.0, decayed_at=AT)


def text(names: list[str], lines: int, links: int) -> str:
    """What the entry says where so many lines name each of ``names``, and so many links are new between them."""
    said = talk(*(f"Line {number}" for number in range(lines)))
    known = {name: note(name) for name in names}
    made = tuple(link("Wren", "Tomas", Sem(f"knows {number}", 0.5), AT) for number in range(links))
    derived = Derived(links=made, sources_added=tuple((name, one.id) for name in names for one in said))
    ground = Ground(at=AT, messages={one.id: one for one in said}, names={}, old=known)
    (entry,) = derived_entries(derived, ground)
    return entry.text


def test_those_who_came_up_are_called_by_name():
    assert text(["Wren", "Tomas"], 2, 0) == "Wren and Tomas came up in 2 more lines"
    assert text(["Wren"], 1, 0) == "Wren came up in 1 more line"
    assert text(["Wren", "Tomas", "Ann", "Bo", "Cleo"], 3, 0) == "Wren, Tomas, Ann and 2 others came up in 3 more lines"


def test_links_are_named_only_where_there_are_some():
    assert text([], 0, 1) == "1 new link between what is known"
    assert text(["Wren"], 2, 3) == "Wren came up in 2 more lines; 3 new links between what is known"


def test_who_is_not_at_hand_is_still_counted():
    said = talk("A line")
    derived = Derived(sources_added=(("gone", said[0].id),))
    (entry,) = derived_entries(derived, replace(Ground(at=AT, messages={}, names={}, old={})))
    assert entry.text == "What is known came up in 1 more line"
