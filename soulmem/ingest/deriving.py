"""What the mind has of a chat, read for :func:`soulmem.ingest.derive.derive`; ingest and consolidation derive alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from soulmem.ingest.derive import (
    NOTHING_BEFORE,
    Concept,
    Derived,
    KnownSituation,
    concept_key,
    derive,
    exchanges,
    found_concepts,
    heard_of,
)
from soulmem.ingest.known_names import also_named, names_in_full, not_shared
from soulmem.model.messages import Message
from soulmem.model.notes import SELF_KEY, Note, Semantic
from soulmem.scopes.contexts import PUBLIC
from soulmem.scopes.seen import seen_in
from soulmem.store.contract import Store
from soulmem.text.given_names import given_name_of
from soulmem.text.names import normal_name

NOTHING_PLANNED: Mapping[str, str] = {}


def derive_from(
    store: Store,
    messages: Sequence[Message],
    situations: Sequence[KnownSituation],
    at: datetime,
    before: Mapping[str, KnownSituation] = NOTHING_BEFORE,
    planned: Mapping[str, str] = NOTHING_PLANNED,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Derived, tuple[Concept, ...], dict[str, str]]:
    """What ``messages`` (chat after chat, in order) leave beside the ``situations`` of these chats; the concepts, and whose names
    they are already: normal name → note id. ``before``: as :func:`~soulmem.ingest.derive.derive` takes it, ``progress`` as
    :func:`~soulmem.ingest.derive.found_concepts` does. ``planned``: names of notes that are going to be written."""
    entities = [(row["name"], row["id"]) for row in store.query("ingest.entity_names")]
    concepts, heard = found_concepts(messages, situations, progress, [name for name, _ in entities]), heard_of(messages)
    names = dict(planned) | names_of_mind(store, [form for concept in concepts for form in (concept.name, *concept.aliases)])
    names = not_shared(store, concepts, _by_alias(store, concepts, names))
    names |= names_in_full(store, messages, [one.name for one in concepts if one.kind == "name"], names, entities)
    wanted = sorted({key for one in concepts for key in (one.key, concept_key(one, heard))})
    runs = {run.key: run.id for run in exchanges(messages)}
    taken = {row["key"]: row["id"] for row in store.query("store.keys", keys=[*wanted, *runs])}
    written = frozenset(taken[key] for key in runs.keys() & taken.keys()) - {situation.id for situation in situations}
    links = frozenset(store.columns("ingest.link_ids")["id"])
    derived = derive(
        messages,
        concepts,
        situations=situations,
        names=names,
        keys=frozenset(taken.keys() - runs.keys()),
        at=at,
        link_ids=links,
        before=before,
        written=written,
    )
    return replace(derived, told=also_named(store, messages, concepts, names)), concepts, names


@dataclass(frozen=True, slots=True)
class Before:
    """What the mind has of the chats that go on: the ``situations``, and by chat the one that its first line goes on from."""

    situations: Sequence[KnownSituation] = ()
    last: Mapping[str, KnownSituation] = field(default_factory=dict)


def talks_of(messages: Iterable[Message]) -> list[list[Message]]:
    """Messages by who may hear of them, those for everybody first: what was said in different scopes, or is kept from others, is
    never looked at together."""
    found: dict[tuple[str, frozenset[str]], list[Message]] = defaultdict(list)
    for message in messages:
        found[message.scope, frozenset(message.kept_from)].append(message)
    return [found[heard] for heard in sorted(found, key=lambda heard: heard != _OPEN)]


#: How that was heard of which everybody may hear.
_OPEN = (PUBLIC, frozenset[str]())


def derive_talks(
    store: Store,
    messages: Sequence[Message],
    before: Callable[[Store, Sequence[Message]], Before],
    at: datetime,
    progress: Callable[[int, int], None] | None = None,
    own: Mapping[str, str] = NOTHING_PLANNED,
) -> Derived:
    """What ``messages`` leave, each talk by itself (:func:`talks_of`): what is told in private adds nothing to what others hear.
    ``before``: what there is of a talk in the mind, as it is seen there; ``own``: names of the character that are written with
    this (normal name → note id)."""
    planned = dict(own)
    found = Derived()
    for talk in talks_of(messages):
        seen, heard = seen_in(store, talk[0].scope), (talk[0].scope, frozenset(talk[0].kept_from))
        known = before(seen, talk)
        derived, _, _ = derive_from(seen, talk, known.situations, at, known.last, planned, progress)
        if heard == _OPEN:
            planned = _names(derived.notes) | dict(own)
        else:
            derived = _within(store, derived, heard)
        found = Derived(
            notes=(*found.notes, *derived.notes),
            links=(*found.links, *derived.links),
            sources_added=(*found.sources_added, *derived.sources_added),
            told=(*found.told, *derived.told),
        )
    return found


def _names(notes: Iterable[Note]) -> dict[str, str]:
    """Normal name → note, of notes that are going to be written."""
    named = [(note.id, note.body) for note in notes if isinstance(note.body, Semantic)]
    aliases = {normal_name(name): id_ for id_, body in named for name in body.aliases}
    return aliases | {normal_name(body.content): id_ for id_, body in named}


def _within(store: Store, derived: Derived, heard: tuple[str, frozenset[str]]) -> Derived:
    """``derived`` without links between notes of which others may hear too."""
    own = {note.id for note in derived.notes}
    ends = {end for link in derived.links for end in (link.source, link.target)} - own
    own |= {note.id for note in store.notes(sorted(ends)) if (note.scope, frozenset(note.kept_from)) == heard}
    return replace(derived, links=tuple(link for link in derived.links if own & {link.source, link.target}))


def names_of_mind(store: Store, forms: Sequence[str]) -> dict[str, str]:
    """Normal name → id of the Semantic note of the mind that has it, of those among ``forms``; what the character is called is
    the character, whatever else has that name."""
    wanted = sorted({normal_name(form) for form in forms} - {""})
    rows = store.query("recall.names", names=wanted) if wanted else []
    own = {row["id"] for row in store.query("store.keys", keys=[SELF_KEY])} if rows else set()
    return {row["name"]: row["id"] for row in sorted(rows, key=lambda row: row["id"] in own)}


def _by_alias(store: Store, concepts: Sequence[Concept], names: Mapping[str, str]) -> dict[str, str]:
    """``names`` with those of concepts that the mind has under another of their names only, and of one note only; unless that is
    called by another full name (Kit Harris is not Kit Marlow, though either may be called Kit)."""
    found = dict(names)
    for concept in concepts:
        normal = normal_name(concept.name)
        owners = {names[form] for alias in concept.aliases if (form := normal_name(alias)) in names}
        if normal and normal not in found and len(owners) == 1 and not _is_another(store, concept, *owners):
            found[normal] = owners.pop()
    return found


def _is_another(store: Store, concept: Concept, owner: str) -> bool:
    own = given_name_of(normal_name(concept.name))
    bodies = (note.body for note in store.notes([owner])) if own else ()
    return any(
        isinstance(body, Semantic)
        and normal_name(body.content) != normal_name(concept.name)
        and given_name_of(normal_name(body.content)) == own
        for body in bodies
    )
