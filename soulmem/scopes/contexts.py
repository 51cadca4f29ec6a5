"""Contexts: where something is asked or said, who listens there, and what may be heard there (SPEC §9). Pure.

A line or note has a *scope* (``public``, ``direct:<person>``, ``group:<id>``). A context is such a scope too: whoever asks there
hears what is public, what was said there, and, alone with the character, what was said in a group while they were present. A
confidence (``kept_from``) takes away from that, and gives nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from soulmem.errors import InputError
from soulmem.text.callings import is_same, may_mean
from soulmem.text.names import normal_name

PUBLIC = "public"
#: In ``kept_from``: everybody who did not hear it.
EVERYBODY = "*"

_DIRECT, _GROUP = "direct:", "group:"


def is_scope(scope: str) -> bool:
    """Whether this is ``public``, ``direct:<person>`` or ``group:<id>``."""
    kind, colon, name = scope.partition(":")
    return scope == PUBLIC or (colon == ":" and kind in ("direct", "group") and bool(normal_name(name)))


def checked_scope(scope: str) -> str:
    """``scope``, if it is one. Raises :class:`InputError`."""
    if not is_scope(scope):
        raise InputError(f"{scope[:60]!r} is not a scope", advice="A scope is public, direct:<person> or group:<id>.")
    return scope


def normal_scope(scope: str) -> str:
    """What two scopes share that are the same: ``direct:Bo`` and ``direct:bo``."""
    kind, colon, name = scope.partition(":")
    return f"{kind}{colon}{normal_name(name)}"


def person_of(scope: str) -> str | None:
    """With whom somebody is alone in ``scope``; ``None``: it is not direct."""
    return scope.removeprefix(_DIRECT) if scope.startswith(_DIRECT) else None


@dataclass(frozen=True, slots=True)
class Heard:
    """How something was heard: its ``scope`` (normal form), ``kept_from`` (normal names, ``*``), and who heard it: ``audience``,
    normal names; ``None``: nobody knows."""

    scope: str
    kept_from: frozenset[str] = frozenset()
    audience: frozenset[str] | None = None


#: Of a name all names that somebody of that name has.
Called = Callable[[str], Collection[str]]


@dataclass(frozen=True, slots=True)
class Context:
    """Where a question is asked. ``scope``: normal form; ``person``: alone with whom, by all names that are surely theirs;
    ``listeners``: all names that those who listen there may have; ``members``: who was ever heard there, for a group;
    ``others``: names by which somebody else speaks, so that these mean them alone."""

    scope: str
    person: frozenset[str] = frozenset()
    listeners: frozenset[str] = frozenset()
    members: frozenset[str] = field(default=frozenset())
    others: frozenset[str] = field(default=frozenset())

    def hears(self, heard: Heard) -> bool:
        """Whether what was heard so may be heard here."""
        return self._is_near(heard) and self._is_trusted(heard)

    def asks_who_heard(self, scope: str, kept_from: Collection[str]) -> bool:
        """Whether it depends on the audience of a line of this ``scope`` (normal form) if it may be heard here."""
        return EVERYBODY in kept_from or bool(self.person and scope.startswith(_GROUP))

    def _is_near(self, heard: Heard) -> bool:
        if heard.scope in (PUBLIC, self.scope):
            return True
        if heard.scope.startswith(_DIRECT):
            return heard.scope.removeprefix(_DIRECT) in self.person
        return bool(self.person & (heard.audience or frozenset()))

    def _is_trusted(self, heard: Heard) -> bool:
        if not heard.kept_from:
            return True
        if self.scope == PUBLIC or _is_meant(heard.kept_from, self.listeners, self.others):
            return False
        return EVERYBODY not in heard.kept_from or self._was_there(heard)

    def _was_there(self, heard: Heard) -> bool:
        """Whether all who listen here heard it themselves."""
        audience = heard.audience or frozenset()
        if self.person:
            told = heard.scope.startswith(_DIRECT) and heard.scope.removeprefix(_DIRECT) in self.person
            return told or bool(self.person & audience)
        return heard.scope == self.scope and self.members <= audience


@lru_cache(maxsize=4096)
def _is_meant(kept_from: frozenset[str], listeners: frozenset[str], others: frozenset[str]) -> bool:
    """Whether one of those who listen may be one of those it is kept from: Bob Smith is kept from what is kept from Bob, unless
    somebody else is just Bob."""
    return bool(kept_from & listeners) or any(
        is_same(name, one) or (name not in others and may_mean(name, one))
        for name in kept_from - {EVERYBODY}
        for one in listeners
    )


def listening(scope: str, members: Iterable[str]) -> frozenset[str]:
    """Who hears what is said in ``scope``, by name; in public that is nobody in particular."""
    normal = normal_scope(scope)
    if normal.startswith(_DIRECT):
        return frozenset((normal.removeprefix(_DIRECT),))
    return frozenset(members) if normal.startswith(_GROUP) else frozenset()


def context_of(
    scope: str,
    members: Iterable[str] = (),
    sure: Called = lambda name: (),
    may: Called = lambda name: (),
    speakers: Collection[str] = (),
) -> Context:
    """The context of ``scope``. ``members``: who was heard in that group; ``sure`` and ``may``: the names that somebody surely
    has, and those that they may have, by one of their names; ``speakers``: by which names people speak (normal forms)."""
    normal = normal_scope(scope)
    if normal == PUBLIC:
        return Context(normal)
    if normal.startswith(_DIRECT):
        name = normal.removeprefix(_DIRECT)
        listeners = frozenset((name, *sure(name), *may(name)))
        person, there = frozenset((name, *sure(name))), frozenset[str]()
    else:
        person, there = frozenset[str](), frozenset(members)
        listeners = frozenset(other for name in there for other in (name, *may(name)))
    return Context(normal, person, listeners, there, frozenset(speakers) - listeners)


@dataclass(frozen=True, slots=True)
class Said:
    """A line, as far as who may hear of it depends on it."""

    chat: str
    session: int
    scope: str
    speaker: str
    is_character: bool = False
    present: tuple[str, ...] = ()
    kept_from: tuple[str, ...] = ()
    hidden: bool = False

    @property
    def place(self) -> tuple[str, int, str]:
        """The sitting it was said in."""
        return (self.chat, self.session, normal_scope(self.scope))


class Sittings:
    """Who was there: whoever speaks in a sitting hears all of it; who is named present hears the line."""

    def __init__(self, lines: Iterable[Said]) -> None:
        self._spoke: dict[tuple[str, int, str], set[str]] = {}
        self._members: dict[str, set[str]] = {}
        for line in lines:
            if line.hidden:
                continue
            speaker = normal_name(line.speaker)
            scope = normal_scope(line.scope)
            self._spoke.setdefault(line.place, set()).add(speaker)
            there = {normal_name(name) for name in line.present}
            self._members.setdefault(scope, set()).update(there if line.is_character else {speaker, *there})

    def members(self, scope: str) -> frozenset[str]:
        """Who was ever heard, or named present, in a scope; not the character."""
        return frozenset(self._members.get(normal_scope(scope), ()))

    def heard(self, line: Said) -> Heard:
        """How ``line`` was heard."""
        audience = self._spoke.get(line.place, set()) | {normal_name(line.speaker), *map(normal_name, line.present)}
        return Heard(normal_scope(line.scope), kept_names(line.kept_from), frozenset(audience))


def kept_names(names: Iterable[str]) -> frozenset[str]:
    """``kept_from`` in normal forms."""
    return frozenset(EVERYBODY if name == EVERYBODY else normal_name(name) for name in names)


def drawn_from(kept: Sequence[Sequence[str]], *, is_name: bool = False) -> tuple[str, ...]:
    """From whom that is kept which was drawn from lines that are kept from these. What was said in confidence is kept, whatever
    else the note says; a name (``is_name``) only where it is never spoken openly."""
    names = dict.fromkeys(name for line in kept for name in line)
    return tuple(name for name in names if not is_name or all(name in line for line in kept))


def heard_mark(scope: str, kept_from: Iterable[str]) -> tuple[str, ...]:
    """What tells ids and keys of what was heard in private from those of the same heard in public; nothing for that."""
    kept = sorted(kept_from)
    return () if scope == PUBLIC and not kept else (scope, *kept)


def note_heard(scope: str, kept_from: Sequence[str], sources: Sequence[Heard]) -> Heard:
    """How a note was heard that was drawn from lines heard as ``sources``: whoever heard all of those of its own scope."""
    normal = normal_scope(scope)
    own = [heard.audience or frozenset() for heard in sources if heard.scope == normal]
    return Heard(normal, kept_names(kept_from), frozenset.intersection(*own) if own else None)


def people(names: Mapping[str, Collection[str]], apart: Collection[str]) -> tuple[Called, Called]:
    """(names somebody surely has, names they may have), both by one of their names. ``names``: id of a note about somebody or
    something → its names, normal forms. What two notes are called is surely neither's; and two names of ``apart``, by which
    people speak, are surely two people."""
    owners: dict[str, list[str]] = {}
    for note, called in names.items():
        for name in called:
            owners.setdefault(name, []).append(note)

    def may(name: str) -> Collection[str]:
        return {other for note in owners.get(name, ()) for other in names[note]}

    def sure(name: str) -> Collection[str]:
        mine = owners.get(name, [])
        if len(mine) != 1:
            return ()
        return {other for other in names[mine[0]] if len(owners[other]) == 1 and not (name in apart and other in apart)}

    return sure, may
