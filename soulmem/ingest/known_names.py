"""People whom the mind knows by another name than a new talk has for them: *Kit* in one chat, *Kit Marlow* in the next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from soulmem.consolidate.same import is_drawn
from soulmem.ingest.called import also_called
from soulmem.ingest.derive import Concept
from soulmem.model.messages import Message
from soulmem.model.notes import Note, Semantic
from soulmem.store.contract import Store
from soulmem.text.given_names import given_name_of, persons_of
from soulmem.text.names import normal_name


def names_in_full(
    store: Store,
    messages: Sequence[Message],
    named: Iterable[str],
    names: Mapping[str, str],
    entities: Sequence[tuple[str, str]],
) -> dict[str, str]:
    """Normal name → id of the note of the mind that has the given name, or the full name, of who is ``named`` in ``messages``.

    Only where both certainly are one (:func:`~soulmem.text.given_names.persons_of`) by all lines that name them, and somebody who
    speaks here said the other name too. ``names``: those that are somebody's already; ``entities``: (normal name, note id) of
    all people, places and things of the mind.
    """
    owners: dict[str, set[str]] = defaultdict(set)
    for name, id_ in entities:
        owners[name].add(id_)
        if given := given_name_of(name):
            owners[given].add(id_)
    here = {normal_name(name): name for name in named}
    new = {normal: name for normal, name in here.items() if normal not in names}
    pairs = ((normal, owners.get(normal) or owners.get(given_name_of(normal)) or set[str]()) for normal in new)
    single = {normal: next(iter(some)) for normal, some in pairs if len(some) == 1}
    notes = {note.id: note for note in store.notes(sorted(set(single.values()))) if _is_heard_alike(note, messages)}
    known = [*owners, *here]
    return {
        normal: id_ for normal, id_ in single.items() if id_ in notes and _is_one(store, new[normal], notes[id_], messages, known)
    }


def not_shared(store: Store, concepts: Sequence[Concept], names: Mapping[str, str]) -> dict[str, str]:
    """``names`` (normal name → note id) without the given names of which ``concepts`` have another full name than the note that
    is also called so: it may be either's."""
    full: dict[str, set[str]] = defaultdict(set)
    for normal in (normal_name(concept.name) for concept in concepts):
        full[given_name_of(normal)].add(names.get(normal, normal))
    doubted = {name: id_ for name, id_ in names.items() if full.get(name, {id_}) - {id_}}
    bodies = {note.id: note.body for note in store.notes(sorted(set(doubted.values())))}
    own = {id_: normal_name(body.content) for id_, body in bodies.items() if isinstance(body, Semantic)}
    return {name: id_ for name, id_ in names.items() if name not in doubted or given_name_of(own.get(id_, "")) != name}


def _is_heard_alike(note: Note, messages: Sequence[Message]) -> bool:
    """Whether a concept was drawn from what was heard as these lines of one talk."""
    heard = {(line.scope, frozenset(line.kept_from)) for line in messages}
    return is_drawn(note) and heard == {(note.scope, frozenset(note.kept_from))}


def _is_one(store: Store, name: str, note: Note, messages: Sequence[Message], known: Sequence[str]) -> bool:
    there = store.messages(note.sources)
    for other in _other_names(note, name):
        here = [line for line in messages if name in line.text]
        told = [line for line in there if other in line.text]
        if not {line.speaker for line in told} & {line.speaker for line in messages}:
            continue
        texts = [line.text for line in (*here, *told)]
        places = {form: [place for place, text in enumerate(texts) if form in text] for form in (name, other)}
        if persons_of(places, texts, known):
            return True
    return False


def _other_names(note: Note, name: str) -> list[str]:
    """The names of a note that are the given name of ``name``, or the other way round."""
    body = note.body
    forms = (body.content, *body.aliases) if isinstance(body, Semantic) else ()
    return [form for form in forms if _are_full_and_given(form, name)]


def _are_full_and_given(one: str, other: str) -> bool:
    names = normal_name(one), normal_name(other)
    return names[0] == given_name_of(names[1]) or names[1] == given_name_of(names[0])


def also_named(
    store: Store, messages: Sequence[Message], concepts: Sequence[Concept], names: Mapping[str, str]
) -> tuple[Note, ...]:
    """The notes of the mind that ``concepts`` of ``messages`` are, with the full or given name that they have there and nobody
    else has. ``names``: normal name → note id."""
    more: dict[str, list[str]] = defaultdict(list)
    for concept in concepts:
        owner = names.get(normal_name(concept.name)) if concept.kind == "name" else None
        if owner is not None:
            forms = (concept.name, *concept.aliases)
            more[owner] += (form for form in forms if names.get(normal_name(form), owner) == owner)
    found = (
        also_called(note, [form for form in more[note.id] if _other_names(note, form)])
        for note in store.notes(sorted(more))
        if _is_heard_alike(note, messages)
    )
    return tuple(note for note in found if note is not None)
