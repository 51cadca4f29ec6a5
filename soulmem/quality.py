"""How well a mind is made: what a character cannot use, or has twice. Pure; advice, not damage (that is :meth:`Soul.check`)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from soulmem.model.links import Link, LinkType
from soulmem.model.notes import (
    SELF_KEY,
    AbstractSituation,
    ConceptType,
    Note,
    NoteType,
    Procedure,
    Semantic,
    SpecificSituation,
    display_text,
)
from soulmem.text.names import normal_name

#: Texts of one type that are at least so alike (Levenshtein ratio, 0..1) are nearly the same.
NEARLY_SAME = 0.93
#: Shorter texts, in letters, are compared as a whole only: two names differ by a letter.
LEAST_LETTERS = 12
#: Each text is compared with so many that stand next to it, sorted from the front and from the back.
NEIGHBOURS = 6


class Flaw(StrEnum):
    """What may be wrong with how a note is made."""

    NO_TRIGGER = "no trigger"
    NO_INSTANCE = "no instance"
    ORPHAN = "orphan"
    EMPTY = "empty"
    PLACEHOLDER = "placeholder"
    STANDS_IN = "stands in"
    NEAR_DUPLICATE = "near duplicate"
    SAME_NAME = "same name"
    UNREACHED = "unreached"
    NEVER_HAPPENED = "never happened"
    NO_SELF = "no self"


@dataclass(frozen=True, slots=True, order=True)
class Remark:
    """A ``flaw`` of the note ``key`` (empty: of the mind); ``other``: the key of the note that it is nearly the same as."""

    flaw: Flaw
    key: str
    other: str = ""

    def __str__(self) -> str:
        return _TOLD[self.flaw].format(key=self.key, other=self.other)


_TOLD = {
    Flaw.NO_TRIGGER: "{key}: nothing triggers this action; link a situation to it",
    Flaw.NO_INSTANCE: "{key}: this pattern has no situation; tell one time it happened where it comes from, and read it again",
    Flaw.ORPHAN: "{key}: nothing is linked with it, so no walk comes to it",
    Flaw.EMPTY: "{key}: says nothing at all; write what it is with soulmem edit, or forget it",
    Flaw.PLACEHOLDER: "{key}: says nothing but that something is not known; write what it is with soulmem edit, or forget it",
    Flaw.STANDS_IN: "{key}: has {other} where a name or a text belongs; write it with soulmem edit ({{{{char}}}}: doctor --fix)",
    Flaw.NEAR_DUPLICATE: "{key}: nearly the same as {other}; doctor --fix joins what is all the same, soulmem edit changes one",
    Flaw.SAME_NAME: "{key}: has the very name of {other}; if they are two, tell them apart with soulmem edit --name",
    Flaw.UNREACHED: "{key}: is about the character, and no walk from sem_self comes to it; link it in the graph it came from",
    Flaw.NEVER_HAPPENED: "{key}: is an example of a card, and stands among what happened; forget it and read the card again",
    Flaw.NO_SELF: "the mind has no sem_self: the character does not know who it is",
}


def remarks(notes: Sequence[Note], links: Iterable[Link], examples: Collection[str] = ()) -> list[Remark]:
    """What could be better, sorted; empty for a mind that is well made. Archived notes are left out. ``examples``: ids of lines
    that a card shows and nobody said."""
    alive = [note for note in notes if note.active]
    known = {note.id for note in alive}
    inside = [link for link in links if link.source in known and link.target in known]
    found = [*_links(alive, inside), *_placeholders(alive), *_duplicates(alive), *_same_names(alive)]
    found += [*_unreached(alive, inside), *_never_happened(alive, frozenset(examples))]
    if alive and all(note.key != SELF_KEY for note in alive):
        found.append(Remark(Flaw.NO_SELF, ""))
    return sorted(found)


def _links(notes: Sequence[Note], links: Sequence[Link]) -> Iterator[Remark]:
    linked = {end for link in links for end in (link.source, link.target)}
    triggered = {link.target for link in links if link.type is LinkType.PROC}
    kinds = {note.id: note.type for note in notes}
    pairs = [(kinds[link.source], kinds[link.target], link) for link in links]
    instanced = {link.target for source, target, link in pairs if (source, target) == (NoteType.SPECIFIC, NoteType.ABSTRACT)}
    instanced |= {link.source for source, target, link in pairs if (source, target) == (NoteType.ABSTRACT, NoteType.SPECIFIC)}
    for note in notes:
        if isinstance(note.body, Procedure) and note.id not in triggered:
            yield Remark(Flaw.NO_TRIGGER, note.key)
        elif isinstance(note.body, AbstractSituation) and note.id not in instanced:
            yield Remark(Flaw.NO_INSTANCE, note.key)
        elif note.id not in linked and note.key != SELF_KEY:
            yield Remark(Flaw.ORPHAN, note.key)


#: What stands in a text where something else belongs. In brackets only words that are asked to be replaced; what is written in
#: small letters is a word of a language.
_STANDS_IN = re.compile(
    r"\{\{[^{}\n]{1,40}\}\}|<(?:USER|BOT|CHAR)>|\[(?:NAME|CHAR|USER|(?:INSERT|YOUR|FILL|ADD)\b[^\]\n]{0,40})\]|\bTBD\b|\bTODO\b"
    r"|(?i:\blorem\s+ipsum\b)|【(?:待填|待补充|填写|姓名)】"
)


def _placeholders(notes: Sequence[Note]) -> Iterator[Remark]:
    from soulmem.llm.schemas import is_placeholder

    for note in notes:
        body = note.body
        text = body.content if isinstance(body, Semantic) else display_text(body)
        if not text.strip():
            yield Remark(Flaw.EMPTY, note.key)
        elif is_placeholder(text):
            yield Remark(Flaw.PLACEHOLDER, note.key)
        elif found := _STANDS_IN.search(display_text(body)):
            yield Remark(Flaw.STANDS_IN, note.key, found[0])


def _same_names(notes: Sequence[Note]) -> Iterator[Remark]:
    """Two that are called the same and are told differently: a question for the one finds both."""
    first: dict[tuple[str, str], Note] = {}
    for note in sorted(notes, key=lambda one: one.key):
        body = note.body
        if not isinstance(body, Semantic) or body.concept_type is not ConceptType.ENTITY or not normal_name(body.content):
            continue
        known = first.setdefault((normal_name(body.content), note.scope), note)
        if known is not note and display_text(known.body) != display_text(body):
            yield Remark(Flaw.SAME_NAME, note.key, known.key)


def _unreached(notes: Sequence[Note], links: Sequence[Link]) -> Iterator[Remark]:
    """Facts that begin with the name of the character, have links, and lie where no walk from ``sem_self`` comes."""
    own = next((note for note in notes if note.key == SELF_KEY), None)
    if own is None or not isinstance(own.body, Semantic) or not own.body.content.strip():
        return
    reached = _reached(own.id, links)
    linked = {end for link in links for end in (link.source, link.target)}
    name = own.body.content.casefold()
    for note in notes:
        is_about = isinstance(note.body, Semantic) and note.body.content.casefold().startswith(name)
        if is_about and note.id in linked and note.id not in reached:
            yield Remark(Flaw.UNREACHED, note.key)


def _reached(start: str, links: Sequence[Link]) -> set[str]:
    onward: dict[str, list[str]] = {}
    for link in links:
        onward.setdefault(link.source, []).append(link.target)
    reached, waiting = {start}, [start]
    while waiting:
        for target in onward.get(waiting.pop(), ()):
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached


def _never_happened(notes: Sequence[Note], examples: frozenset[str]) -> Iterator[Remark]:
    for note in notes:
        if isinstance(note.body, SpecificSituation) and note.sources and examples.issuperset(note.sources):
            yield Remark(Flaw.NEVER_HAPPENED, note.key)


def _duplicates(notes: Sequence[Note]) -> Iterator[Remark]:
    """What is told twice; not what was drawn from one line in two ways: of a card, who the character is and its traits."""
    for kind in NoteType:
        texts = sorted((_normal(_compared(note)), note.key) for note in notes if note.type is kind)
        texts = [(text, key) for text, key in texts if text]
        found = set(_near(texts)) | set(_near(sorted((text[::-1], key) for text, key in texts)))
        drawn = {note.key: {*note.sources, *note.origins} for note in notes if note.type is kind}
        yield from (Remark(Flaw.NEAR_DUPLICATE, key, other) for key, other in found if drawn[key].isdisjoint(drawn[other]))


def _compared(note: Note) -> str:
    """What two notes must not both say. An exchange of a chat is what was said, however alike; an old fact is not the new one."""
    body = note.body
    if isinstance(body, SpecificSituation):
        return "" if note.sources else f"{body.narrative} {body.time_start or body.time_end or ''}"
    if isinstance(body, Semantic):
        return f"{display_text(body)} {body.valid_from or ''} {body.valid_until or ''}"
    return display_text(body)


def _near(texts: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Pairs of keys whose texts, neighbours in order, are nearly the same (the sorted-neighbourhood method)."""
    for place, (text, key) in enumerate(texts):
        for other, other_key in texts[place + 1 : place + 1 + NEIGHBOURS]:
            if _nearly_same(text, other):
                first, second = sorted((key, other_key))
                yield first, second


def _nearly_same(text: str, other: str) -> bool:
    from rapidfuzz.distance import Levenshtein

    if text == other:
        return True
    # Two short ones are two names; two with other numbers say other things, however alike.
    if min(len(text), len(other)) < LEAST_LETTERS or _NUMBER.findall(text) != _NUMBER.findall(other):
        return False
    return Levenshtein.normalized_similarity(text, other, score_cutoff=NEARLY_SAME) >= NEARLY_SAME


_NUMBER = re.compile(r"\d+")
_WORDS = re.compile(r"[^\w]+")


def _normal(text: str) -> str:
    return _WORDS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
