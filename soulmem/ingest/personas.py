"""Personas of SillyTavern, as it backs them up: ``personas`` (picture → name), ``persona_descriptions`` and ``default_persona``.

Who the user is, is knowledge of the character: a note of the user by name, with the description of the persona. Of several
personas the default one is read; the others may belong to talks with other characters, and are told.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.cards.card import clean_name
from soulmem.ingest.cards.payload import json_of
from soulmem.ingest.cards.words import Words, readable, words_for
from soulmem.ingest.chat_text import said
from soulmem.ingest.contract import Document, Format, KeyedLink, Problem
from soulmem.ingest.derive import Concept
from soulmem.ingest.encodings import head
from soulmem.ingest.json_places import first_names
from soulmem.ingest.lorebooks.chunks import parts
from soulmem.model.links import Sem
from soulmem.model.notes import SELF_KEY, Category, ConceptType, Note, Semantic, derived_id

_NAMES = {"personas", "persona_descriptions"}
#: So many of the other personas are told by name.
_TOLD = 10


def sniff(data: bytes) -> float:
    """How sure it is that ``data`` begins like such a backup."""
    opening, names = first_names(head(data))
    return 1.0 if opening == "{" and set(names) >= _NAMES else 0.0


def read(data: bytes, at: datetime) -> Document:
    """The user, as the default persona is; the only one, where none is the default.

    :raises FormatError: there is no persona in it, or none of several is the default."""
    value, mended = json_of(data)
    personas = _personas(value)
    picture = _chosen(value, personas)
    name = personas[picture]
    problems = [*mended, *_told(personas, picture)]
    description = _description(value, picture)
    words = words_for((description,))
    notes, links = _notes(name, readable(said(description, name, None), None, words), words, at)
    return Document(
        format=FORMAT.name,
        read=len(notes) + len(links) + sum(problem.skipped for problem in problems),
        notes=notes,
        links=links,
        places=dict.fromkeys((note.key for note in notes), f"persona {name}"),
        problems=tuple(problems),
        user_name=name,
        introduced=(notes[0].key,),
        nameless=True,
        items={"personas": 1},
        worlds=_worlds(value, picture),
    )


def _personas(value: Any) -> dict[str, str]:
    """Picture → name, of personas that have one."""
    stated = value.get("personas") if isinstance(value, dict) else None
    named = stated.items() if isinstance(stated, dict) else ()
    found = {picture: clean_name(name) for picture, name in named if isinstance(name, str)}
    if not any(found.values()):
        raise FormatError("there is no persona with a name in it")
    return {picture: name for picture, name in found.items() if name}


def _chosen(value: Mapping[str, Any], personas: Mapping[str, str]) -> str:
    default = value.get("default_persona")
    if isinstance(default, str) and default in personas:
        return default
    if len(personas) > 1:
        raise FormatError(
            f"none of these personas is the default one, so who the user is cannot be told: {_listed(list(personas.values()))}",
            advice="Choose a default persona in SillyTavern (the crown) and make the backup again.",
        )
    return next(iter(personas))


def _told(personas: Mapping[str, str], picture: str) -> list[Problem]:
    others = [name for one, name in personas.items() if one != picture]
    if not others:
        return []
    what = f"the user is {personas[picture]}, the default persona; the others were not read: {_listed(others)}"
    return [Problem(None, what, skipped=False)]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
    return ", ".join(names[:_TOLD]) + more


def _about(value: Mapping[str, Any], picture: str) -> Any:
    """What is said of a persona: members, or in old backups a text."""
    stated = value.get("persona_descriptions")
    return stated.get(picture) if isinstance(stated, dict) else None


def _description(value: Mapping[str, Any], picture: str) -> str:
    about = _about(value, picture)
    text = about.get("description") if isinstance(about, dict) else about
    return text if isinstance(text, str) else ""


def _worlds(value: Mapping[str, Any], picture: str) -> tuple[str, ...]:
    """The lorebook that a persona is linked with."""
    about = _about(value, picture)
    world = about.get("lorebook") if isinstance(about, dict) else None
    return (world,) if isinstance(world, str) and world.strip() else ()


def _notes(name: str, text: str, words: Words, at: datetime) -> tuple[tuple[Note, ...], tuple[KeyedLink, ...]]:
    """A note of the user, whom the character talks with, and further ones that a long description goes on in."""
    key = Concept(name=name, aliases=(), concept_type=ConceptType.ENTITY, kind="speaker", places=()).key
    first, *others = parts(text)
    bodies = [(key, Semantic(name, (), ConceptType.ENTITY, first, Category.IDENTITY), ("user",))]
    for number, part in enumerate(others, start=2):
        mark = derived_id("persona", name, part)[:6]
        body = Semantic(f"{name} ({number})", (), ConceptType.ABSTRACT, part, Category.IDENTITY)
        bodies.append((f"{key}_{number}_{mark}", body, (name,)))
    notes = tuple(
        Note(id=derived_id("note", key), key=key, body=body, created_at=at, decayed_at=at, tags=tags)
        for key, body, tags in bodies
    )
    ends = [(SELF_KEY, key, words.talks), *((key, one, words.has_part) for one, _, _ in bodies[1:])]
    links = tuple(
        KeyedLink(source_key=source, target_key=target, payload=Sem(verb, 1.0), intensity=1.0, created_at=at, line=None)
        for source, target, verb in ends
    )
    return notes, links


FORMAT = Format("personas", "personas of SillyTavern: who the user is (.json)", sniff, read)
