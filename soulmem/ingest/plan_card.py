"""What a card or a lorebook means in this mind: whose it is, and what the character gains by it (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.cards.macros import CHARACTER, with_character
from soulmem.ingest.cards.words import words_for
from soulmem.ingest.contract import Document, KeyedLink, Problem
from soulmem.ingest.plan_chat import ChatPlan
from soulmem.ingest.whose import is_one, names_of
from soulmem.model.notes import SELF_KEY, Note, Semantic, display_text
from soulmem.text.names import normal_name


def in_mind(document: Document, known: Mapping[str, Note]) -> Document:
    """``document`` as it is in a mind that has ``known`` (key → note) of its character, and of those whom it introduces.

    :raises FormatError: it is the card of somebody else."""
    mine = known.get(SELF_KEY)
    if document.nameless:
        document = _named(document, mine)
    if document.about_self and mine is not None and isinstance(mine.body, Semantic):
        return _gained(document, mine, mine.body)
    return _introduced(document, known) if document.introduced else document


def _introduced(document: Document, known: Mapping[str, Note]) -> Document:
    """``document`` with those whom it introduces as the mind knows them: what it knows stays, and it gains the rest."""
    notes, keys, problems = list[Note](), dict[str, str](), list[Problem]()
    for note in document.notes:
        mine = known.get(note.key) if note.key in document.introduced else None
        if mine is None or not isinstance(mine.body, Semantic) or not isinstance(note.body, Semantic):
            notes.append(note)
            continue
        keys[note.key] = mine.key
        notes.append(_with_description(mine, mine.body, note, note.body))
        if mine.body.description not in ("", note.body.description):
            problems.append(Problem(None, f"{mine.key}: the description that the mind has was kept", skipped=False))
    return replace(
        document,
        notes=tuple(notes),
        links=tuple(_between(link, keys) for link in document.links),
        introduced=tuple(keys.get(key, key) for key in document.introduced),
        problems=(*document.problems, *problems),
    )


def _with_description(mine: Note, body: Semantic, note: Note, told: Semantic) -> Note:
    if body.description:
        return mine
    body = replace(body, description=told.description, category=body.category or told.category)
    origins = tuple(dict.fromkeys((*mine.origins, *note.origins)))
    return replace(mine, body=body, tags=tuple(dict.fromkeys((*mine.tags, *note.tags))), origins=origins)


def _between(link: KeyedLink, keys: Mapping[str, str]) -> KeyedLink:
    source, target = keys.get(link.source_key, link.source_key), keys.get(link.target_key, link.target_key)
    return replace(link, source_key=source, target_key=target)


def with_sources(notes: Iterable[Note], document: Document, chats: Sequence[ChatPlan]) -> tuple[Note, ...]:
    """``notes`` with the messages they were drawn from."""
    if not chats or not document.drawn:
        return tuple(notes)
    ids = {**chats[0].existing, **{message.index: message.id for message in chats[0].new}}
    return tuple(
        replace(note, sources=tuple(ids[index] for index in document.drawn.get(note.key, ()) if index in ids))
        if note.key in document.drawn
        else note
        for note in notes
    )


# A card or a lorebook that does not name the character.


def _named(document: Document, mine: Note | None) -> Document:
    own = mine.body.content if mine is not None and isinstance(mine.body, Semantic) else ""
    name = own or words_for(display_text(note.body) for note in document.notes[:50]).nobody
    return replace(
        document,
        notes=tuple(_renamed(note, name) for note in document.notes),
        messages=tuple(
            replace(line, text=with_character(line.text, name), speaker=with_character(line.speaker, name))
            for line in document.messages
        ),
    )


def _renamed(note: Note, name: str) -> Note:
    return replace(note, body=_replaced(note.body, name), tags=tuple(with_character(tag, name) for tag in note.tags))


def _replaced(value: Any, name: str) -> Any:
    """``value`` with the name in all of its texts."""
    if isinstance(value, tuple):
        return tuple(_replaced(one, name) for one in value)
    if type(value) is str:
        return with_character(value, name) if CHARACTER in value else value
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{part.name: _replaced(getattr(value, part.name), name) for part in fields(value)})
    return value


# What the character gains.


def _gained(document: Document, mine: Note, body: Semantic) -> Document:
    told = next((note for note in document.notes if note.key == SELF_KEY), None)
    if told is None or not isinstance(told.body, Semantic):
        return document
    problems = [*_other_name(mine, body, told.body, document.nameless)]
    if body.description and told.body.description and told.body.description != body.description:
        problems.append(Problem(None, "sem_self: the description that the mind has was kept", skipped=False))
    names = dict.fromkeys((*body.aliases, told.body.content, *told.body.aliases))
    new = replace(
        body,
        aliases=tuple(name for name in names if normal_name(name) != normal_name(body.content)),
        description=body.description or told.body.description,
        category=body.category or told.body.category,
    )
    note = replace(
        mine,
        body=new,
        tags=tuple(dict.fromkeys((*mine.tags, *told.tags))),
        origins=tuple(dict.fromkeys((*mine.origins, *told.origins))),
    )
    notes = tuple(note if one is told else one for one in document.notes)
    return replace(document, notes=notes, problems=(*document.problems, *problems))


def _other_name(mine: Note, body: Semantic, told: Semantic, nameless: bool) -> Iterable[Problem]:
    """A problem, where the card is of a character with another name.

    :raises FormatError: and the mind knows more of itself than a name, so that the two cannot be one."""
    if nameless or is_one(names_of(body), names_of(told)):
        return ()
    if body != Semantic(content=body.content) or mine.tags:
        raise FormatError(
            f"this is the card of {told.content}, and the mind is that of {body.content}: nothing of it was taken",
            advice=f"Make a mind for {told.content} with soulmem init, and ingest the card there.",
        )
    what = f"the mind is that of {body.content}, the card says {told.content}: taken as another name of the same"
    return (Problem(None, what, skipped=False),)
