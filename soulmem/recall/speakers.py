"""Whom a question is about, of those who speak in the chats: by name, or as *I* and *you* (我, 你)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from soulmem.model.messages import Role
from soulmem.recall.cue import Cue, shortened
from soulmem.store.contract import Store
from soulmem.text.names import normal_name
from soulmem.text.persons import Person, by_name, in_first_person, spoken_of, turned

#: What follows the owner in a name: 小红的妹妹, "Ann's sister".
_OF_SOMEBODY = re.compile(r"的|['’]s\b")

#: Who asks is the person who talks with the character; who is asked is the character.
_ROLES = {Person.FIRST: Role.USER, Person.SECOND: Role.CHARACTER}


@dataclass(frozen=True, slots=True)
class Speaker:
    """The speaker a question is about, by all ``names`` that they speak by, and the question as they would put it."""

    names: frozenset[str]
    question: str


def speaker_spoken_of(cue: Cue, store: Store) -> Speaker | None:
    """The speaker whom the question names, else the one its pronouns mean; nobody where that is not clear."""
    rows = store.query("recall.speakers")
    text = shortened(cue.text)
    named = _named({row["speaker"] for row in rows}, cue, store)
    if named:
        one = only_one(named, store)
        return Speaker(one, in_first_person(text, set[str]().union(*named.values()))) if one else None
    person = spoken_of(text)
    meant = only_one((row["speaker"] for row in rows if row["role"] == _ROLES[person]), store) if person else None
    return Speaker(meant, turned(text) if person is Person.SECOND else text) if meant else None


@dataclass(frozen=True, slots=True)
class ByName:
    """A question as a note would put it, and the names (normal forms) that stand in it for those who talk."""

    question: str
    names: frozenset[str]


def told_by_name(text: str, store: Store) -> ByName | None:
    """The question ``text`` by the names of those who talk with each other in this mind, the longest of each; ``None`` where it
    speaks of neither, or where it is not clear who they are."""
    short = shortened(text)
    if spoken_of(short) is None:
        return None
    rows = store.query("recall.speakers")
    speakers = {
        person: only_one((row["speaker"] for row in rows if row["role"] == role), store) for person, role in _ROLES.items()
    }
    names = {person: max(called, key=lambda name: (len(name), name)) for person, called in speakers.items() if called}
    told = by_name(short, names)
    return ByName(told, frozenset(map(normal_name, names.values()))) if told != short else None


def only_one(speakers: Iterable[str], store: Store) -> frozenset[str] | None:
    """The names of the only one who speaks; nobody where several do. Names of one note are one person's."""
    different = frozenset(speakers)
    if len(different) < 2:
        return different or None
    forms = {normal_name(speaker) for speaker in different}
    rows = store.query("recall.names", names=sorted(forms))
    people = {row["id"] for row in rows} | forms - {row["name"] for row in rows}
    return different if len(people) == 1 else None


def _named(speakers: Iterable[str], cue: Cue, store: Store) -> Mapping[str, set[str]]:
    """The speakers who stand in the question, and the names they stand there by; also as the owner in another name: whoever asks
    of *Ann's sister*, whom the mind knows by that name, asks about Ann."""
    by_name = {normal_name(speaker): speaker for speaker in sorted(speakers)} if cue.names else {}
    owners: list[dict[str, Any]] = store.query("recall.names", names=sorted(by_name)) if by_name else []
    named: dict[str, set[str]] = {}
    for row in owners:
        if row["id"] in cue.names:
            named.setdefault(by_name[row["name"]], set()).add(cue.names[row["id"]])
    for name in cue.names.values():
        owner = normal_name(_OF_SOMEBODY.split(name, maxsplit=1)[0])
        if owner != name and owner in by_name:
            named.setdefault(by_name[owner], set()).add(owner)
    return named
