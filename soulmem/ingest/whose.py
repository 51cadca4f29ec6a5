"""Whose a file of a folder is. A mind has one character; a folder may hold the cards, lorebooks and talks of others too (pure).

What is named outright is read as the user says. What only lies in a folder is read if it may be this character's: its own card,
talks in which it speaks, and whatever names nobody. It remembers no talk of others at which it was not. Where there are files of
others, a lorebook that names nobody is anybody's: one is read that the card, a talk or the persona of the user is linked with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from soulmem.errors import FormatError
from soulmem.ingest.cards.card import kept_card
from soulmem.ingest.contract import Document, Problem, SaidLine
from soulmem.ingest.namesakes import other_maker
from soulmem.model.messages import Role
from soulmem.model.notes import SELF_KEY, Note, Semantic
from soulmem.text.language import has_cjk
from soulmem.text.names import normal_name

_PARTS = re.compile(r"[\s·・•]+")
# What a program calls the other side of a talk, whoever it is.
_ANYBODY = frozenset({"assistant", "ai", "bot", "char", "character", "{{char}}", "model", "narrator", "助手", "角色"})
# What people say to each other under their names.
_OF_PEOPLE = frozenset({"whatsapp", "telegram", "discord", "qq", "qq-text", "csv"})
_READ_IT = "name it, or its format, to read it all the same"
#: So many others are told by name.
_TOLD = 3


def names_of(body: Semantic) -> tuple[str, ...]:
    """What a character is called."""
    return (body.content, *body.aliases)


def is_one(ours: Iterable[str], theirs: Iterable[str]) -> bool:
    """Whether a name of each may be one person's: all words of one name are in the other (*Ada*, *Ada Quill*), or a Chinese or
    Japanese full name ends with the other (林小红, 小红)."""
    known = [normal_name(name) for name in ours]
    others = [normal_name(name) for name in theirs]
    return any(_may_be_one(one, other) for one in known for other in others if one and other)


def _may_be_one(one: str, other: str) -> bool:
    words, others = _words(one), _words(other)
    if one == other or (words and words <= others) or (others and others <= words):
        return True
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) > 1 and has_cjk(shorter) and longer.endswith(shorter)


def _words(name: str) -> set[str]:
    """The words of a name that tell who it is: no single letters."""
    return {word for word in _PARTS.split(name) if len(word) > 1}


@dataclass(slots=True)
class Others:
    """What files told of whose the others are. ``worlds``: the lorebooks that cards which were passed over name, ``folders``:
    those in which SillyTavern has the talks of the ones who share the name of this character, ``linked``: the lorebooks that
    what was read names; all in normal form. ``met``: whether anything was passed over because it is of another character."""

    worlds: set[str] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)
    linked: set[str] = field(default_factory=set)
    met: bool = False

    def link(self, document: Document) -> None:
        """``document`` is read: what it names is this character's."""
        self.linked |= set(map(normal_name, document.worlds))


def own_part(document: Document, mine: Note | None, own_card: Any, place: Sequence[str], others: Others) -> Document | str:
    """What of a file in a folder is this mind's; or, where that is nothing, what it is instead.

    ``mine``: what the character knows itself as; ``own_card``: the card that the mind keeps; ``place``: the names of the folder
    and of the file (without its ending)."""
    if mine is None or not isinstance(mine.body, Semantic):
        return document
    if document.format == "lorebook":
        return _own_lorebook(document, mine.body, own_card, place, others)
    part = _own_file(document, mine.body, own_card, place, others)
    others.met = others.met or part is not document
    return part


def _own_file(document: Document, body: Semantic, own_card: Any, place: Sequence[str], others: Others) -> Document | str:
    names = names_of(body)
    if document.about_self:
        return _own_card(document, body, own_card, place, others)
    if normal_name(place[0]) in others.folders:
        return f"a talk of another character who is called {body.content}; {_READ_IT}"
    if is_one(names, place[:1]):
        return document  # a folder of the character's talks holds those from before it had its name
    return _own_talks(document, names)


def _own_card(document: Document, body: Semantic, own_card: Any, place: Sequence[str], others: Others) -> Document | str:
    told = next((note.body for note in document.notes if note.key == SELF_KEY), None)
    card = document.kept.get("card")
    if document.nameless or not isinstance(told, Semantic):
        return document
    if is_one(names_of(body), names_of(told)):
        if (makers := other_maker(card, own_card)) is None:
            return document
        others.folders.add(normal_name(place[-1]))
        others.worlds |= {normal_name(world) for world in _worlds(card)}
        return _namesake(told.content, makers)
    others.worlds |= {normal_name(world) for world in _worlds(card)}
    return f"the card of {told.content}, and the mind is that of {body.content}; make another mind for it (soulmem init)"


def check_same(document: Document, mine: Note | None, own_card: Any) -> None:
    """:raises FormatError: ``document`` is the card of another one who has the name of this character."""
    told = next((note.body for note in document.notes if note.key == SELF_KEY), None) if document.about_self else None
    if mine is None or not isinstance(mine.body, Semantic) or not isinstance(told, Semantic):
        return
    makers = other_maker(document.kept.get("card"), own_card)
    if makers is not None and is_one(names_of(mine.body), names_of(told)):
        raise FormatError(
            f"this is {_namesake(told.content, makers)}: nothing of it was taken",
            advice="Make another mind for it (soulmem init); if it is the same one, take back the card that was read before "
            "(soulmem log, soulmem undo N).",
        )


def _namesake(name: str, makers: tuple[str, str]) -> str:
    """What a card is that is of another one of this name."""
    return (
        f"the card of another {name}, made by {makers[0]}; that of this mind was made by {makers[1]}, and they share no sentence"
    )


def _own_lorebook(document: Document, body: Semantic, own_card: Any, place: Sequence[str], others: Others) -> Document | str:
    """A lorebook goes by the name of its file, as in SillyTavern, and by the one that stands in it."""
    book = normal_name(place[-1])
    called = {book, *(normal_name(str(value.get("name", ""))) for value in document.kept.values())} - {""}
    if called & (others.linked | set(map(normal_name, _worlds(own_card)))):
        return document
    if book in others.worlds:
        return f"a lorebook that belongs to the card of another character than {body.content}; {_READ_IT}"
    if others.met:
        return f"a lorebook that nothing links with {body.content}, beside files of other characters; {_READ_IT}"
    return document


def _worlds(kept: Any) -> list[str]:
    """The lorebooks that a kept card names: the one of SillyTavern that it is linked with, and its own."""
    data, _ = kept_card(kept)
    found = (_member(data.get("extensions"), "world"), _member(data.get("character_book"), "name"))
    return [world for world in found if isinstance(world, str) and world.strip()]


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _own_talks(document: Document, names: Sequence[str]) -> Document | str:
    people = document.format in _OF_PEOPLE
    if document.messages:
        strangers = _strangers(document.messages, document.character_name, names, people)
        return f"{_talk_of(strangers, names[0])}; {_READ_IT}" if strangers else document
    foreign = {
        one.name: strangers
        for one in document.conversations
        if (strangers := _strangers(one.messages, one.character_name, names, people))
    }
    if not foreign:
        return document
    if all(one.name in foreign or not one.messages for one in document.conversations):
        strangers = list(dict.fromkeys(name for found in foreign.values() for name in found))
        return f"{_talk_of(strangers, names[0])}; {_READ_IT}"
    own = tuple(one for one in document.conversations if one.name not in foreign)
    left = sum(one.read for one in document.conversations if one.name in foreign)
    problems = tuple(
        Problem(None, f"{name}: {_talk_of(strangers, names[0])}; left out", skipped=False) for name, strangers in foreign.items()
    )
    return replace(
        document, read=document.read - left, conversations=own, problems=(*document.problems, *problems), character_name=None
    )


def _strangers(lines: Sequence[SaidLine], character: str | None, names: Sequence[str], people: bool) -> list[str]:
    """The others of a talk in which the one with ``names`` does not speak; empty if it does, or may do: where nobody says which
    of them is the character. Among ``people`` it is one of them."""
    speakers = dict.fromkeys(line.speaker for line in lines)
    if is_one(names, (*speakers, character) if character else tuple(speakers)):
        return []
    if people:
        known = all(line.named and normal_name(line.speaker) not in _ANYBODY for line in lines if not line.hidden)
        return list(dict.fromkeys(line.speaker for line in lines if not line.hidden)) if known else []
    others = dict.fromkeys(line.speaker for line in lines if line.role is Role.CHARACTER and line.named)
    return [name for name in others if normal_name(name) not in _ANYBODY]


def _talk_of(strangers: Sequence[str], own: str) -> str:
    more = f" and {len(strangers) - _TOLD} more" if len(strangers) > _TOLD else ""
    return f"a talk of {', '.join(strangers[:_TOLD])}{more}, in which {own} does not speak"
