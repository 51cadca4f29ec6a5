"""How the notes that come to mind stand now (SPEC §8): what is left of their texts, computed whenever it is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from soulmem.forget.present import Present, present
from soulmem.forget.units import Concept, concept_of
from soulmem.model.notes import REVISABLE, SELF_KEY, ConceptType
from soulmem.recall.image import Image
from soulmem.recall.told import Told
from soulmem.settings import Settings
from soulmem.text.names import name_candidates

#: What is heard by everybody may stand for a name wherever that is said.
_PUBLIC = "public"
#: The names in so many texts are kept.
_MOST_KEPT = 2000


def presents(image: Image, told: Mapping[str, Told], missing: Mapping[str, float], settings: Settings) -> dict[str, Present]:
    """How each of the notes ``told`` stands whose texts may fade. ``missing``: the missing degree of each, 0..1."""
    table = image.table
    able = {note: one for note, one in told.items() if table.type(table.places[note]) in REVISABLE}
    hazy = {note: one.texts for note, one in able.items() if missing[note] >= settings.mask_from}
    names = _names(image, hazy) if hazy else {}
    return {note: present(one.texts, missing[note], settings, names.get(note, {})) for note, one in able.items()}


def _names(image: Image, texts: Mapping[str, Sequence[str]]) -> dict[str, dict[str, Concept]]:
    """For each of these notes the names that may stand in its texts, with what they stand for."""
    owners = {note: _owners(image, said) for note, said in texts.items()}
    wanted = sorted({owner for names in owners.values() for found in names.values() for owner in found})
    rows = {row["id"]: row for row in image.store.query("recall.concepts", ids=wanted)} if wanted else {}
    known = {note: _concept(row) for note, row in rows.items()}
    # What a note states as a whole (a fact, a belief) is no name in it, though it is found by it.
    stated = {note for note, row in rows.items() if row["concept_type"] != ConceptType.ENTITY}
    return {
        note: {
            name: _one(found, known, note)
            for name, found in names.items()
            if any(owner in known for owner in found) and not (note in found and note in stated)
        }
        for note, names in owners.items()
    }


def _owners(image: Image, texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    kept = image.standing
    found: dict[str, tuple[str, ...]] = {}
    for text in texts:
        if text not in kept:
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            kept[text] = {name: owners for name, owners in image.names.of(name_candidates(text)).items() if owners}
        found |= kept.get(text, {})
    return found


def _concept(row: Mapping[str, Any]) -> Concept:
    """What is known of a concept only privately, or was so once, stands for nothing."""
    is_told = row["scope"] == _PUBLIC and row["valid_until"] is None
    concept = concept_of(row["description"] if is_told else "", row["tags"])
    return replace(concept, is_person=concept.is_person or row["key"] == SELF_KEY)


def _one(owners: Sequence[str], known: Mapping[str, Concept], note: str) -> Concept:
    """What a name stands for; of several that have it, what is so of all. A note's own description stands beside its name."""
    found = [known[owner] for owner in owners if owner in known]
    first = found[0]
    if len(found) == 1 and note not in owners:
        return first
    return Concept(is_person=all(one.is_person for one in found), tags=first.tags if len(found) == 1 else ())
