"""A mind as a character card (specification V3) with a lorebook, as other programs read it.

Who the character is becomes the description; what it knows, what it remembers and how it acts become entries of the book, each
found by the names in it. Of a card that the mind was made from, every field is kept; the book then has its entries first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from soulmem.ingest.lorebooks.entry import OWN, raw_entries
from soulmem.model.links import Link, TrigToAction
from soulmem.model.notes import (
    SELF_KEY,
    AbstractSituation,
    Category,
    ConceptType,
    Environment,
    Event,
    Location,
    Note,
    Participant,
    Procedure,
    Semantic,
    SpecificSituation,
    display_text,
)
from soulmem.text.stopwords import FUNCTION_CHARACTERS, stop_words
from soulmem.text.tokens import cut_words

SPEC, SPEC_VERSION = "chara_card_v3", "3.0"
_OLDER = ("chara_card_v2", "2.0")

#: Names shorter than this, in letters of an alphabet, would be found in every text.
_LEAST_LETTERS = 2
#: Words of a pattern that are shorter tell too little.
_LEAST_LETTERS_OF_A_WORD = 4
_MOST_KEYS = 12

_EMPTY: Mapping[str, Any] = {
    "name": "",
    "description": "",
    "personality": "",
    "scenario": "",
    "first_mes": "",
    "mes_example": "",
    "creator_notes": "",
    "system_prompt": "",
    "post_history_instructions": "",
    "alternate_greetings": [],
    "group_only_greetings": [],
    "tags": [],
    "creator": "",
    "character_version": "",
    "extensions": {},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A card, how many entries its book has, and what it has no place for: how many exchanges of chats (which stay in the mind)
    it leaves out."""

    card: Mapping[str, Any]
    entries: int
    left_out: int


def card_of(
    notes: Sequence[Note],
    links: Sequence[Link],
    *,
    name: str,
    at: datetime,
    kept: Mapping[str, Any] | None = None,
    lore: Sequence[Mapping[str, Any]] = (),
    titled: str = "",
) -> Exported:
    """The card of a mind. ``name``: of the character where it does not know it; ``kept``: the ``data`` of the card that the mind
    was made from; ``lore``: the entries of lorebooks besides, and what they are ``titled`` where the card has no book."""
    now = [note for note in notes if note.active and not _is_over(note, at)]
    data = dict(_EMPTY) | dict(kept or {})
    own = next((note.body for note in now if note.key == SELF_KEY), None)
    if isinstance(own, Semantic):
        data |= _identity(own, data)
    data["name"] = data["name"] or name
    book = dict(data.get("character_book") or {})
    kept_entries = [entry for entry in book.get("entries") or [] if isinstance(entry, Mapping)]
    besides = list(_besides(lore, kept_entries))
    known = {str(entry.get("content", "")).strip() for entry in (*kept_entries, *besides)}
    drawn = [*besides, *(entry for entry in _entries(now, links) if entry["content"].strip() not in known)]
    entries = [*kept_entries, *_numbered(drawn, kept_entries)]
    if titled and not kept_entries:
        book["name"] = book.get("name") or titled
    data["character_book"] = {"extensions": {}, **book, "entries": entries}
    if drawn or not kept:
        data["modification_date"] = int(at.timestamp())
    return Exported(
        card={"spec": SPEC, "spec_version": SPEC_VERSION, "data": data},
        entries=len(entries),
        left_out=sum(isinstance(note.body, SpecificSituation) and bool(note.sources) for note in now),
    )


def as_older(card: Mapping[str, Any]) -> dict[str, Any]:
    """The same card for programs that read only specification V2."""
    spec, version = _OLDER
    return {**card, "spec": spec, "spec_version": version}


def _is_over(note: Note, at: datetime) -> bool:
    return isinstance(note.body, Semantic) and note.body.valid_until is not None and note.body.valid_until <= at


def _identity(own: Semantic, data: Mapping[str, Any]) -> dict[str, Any]:
    """Who the character is; what a card said of it comes before what the mind says."""
    nickname = {"nickname": own.aliases[0]} if own.aliases and not data.get("nickname") else {}
    return {"name": data["name"] or own.content, "description": data["description"] or own.description, **nickname}


def _besides(lore: Iterable[Mapping[str, Any]], kept: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The entries of ``lore`` that are not among those ``kept``, each once. One that is switched off stands in for none that is
    on."""
    there = {mark for entry in kept for mark in _marks(entry)}
    for entry in lore:
        marks = _marks(entry)
        if not marks <= there:
            there |= marks
            yield entry


def _marks(entry: Mapping[str, Any]) -> frozenset[tuple[frozenset[str], str, bool]]:
    """What makes two entries of books one, whatever program wrote them: keys and content; one that is on is also what it would
    be if it were off."""
    return frozenset(
        (frozenset(raw.keys), "\n".join(raw.content.split("\r\n")).strip(), on)
        for raw in raw_entries([entry])
        for on in {False, raw.enabled}
    )


def _numbered(entries: Iterable[Mapping[str, Any]], kept: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Entries with numbers that come after those that are there, and so their order, where they have none of their own."""
    numbers = [number for entry in kept for number in (entry.get("id"),) if isinstance(number, int)]
    orders = [order for entry in kept for order in (entry.get("insertion_order"),) if isinstance(order, int | float)]
    first, order = max(numbers, default=-1) + 1, int(max(orders, default=-1)) + 1
    for place, entry in enumerate(entries):
        yield {"insertion_order": order + place, **entry, "id": first + place}


def _entries(notes: Sequence[Note], links: Sequence[Link]) -> Iterator[dict[str, Any]]:
    by_id = {note.id: note for note in notes}
    named = _named_beside(by_id, links)
    for note in sorted(notes, key=lambda note: note.key):
        match note.body:
            case Semantic() as body if note.key != SELF_KEY and (body.description or body.category is not None):
                keys, also = _semantic_keys(body, named[note.id]), _secondary_keys(note, body)
                names = _keys([body.content, *body.aliases])
                yield _entry(note, keys, _semantic_text(body), names=names, constant=note.core, secondary=also)
            case SpecificSituation() as body if not note.sources:
                yield _entry(note, _situation_keys(body, named[note.id]), _dated(body))
            case AbstractSituation():
                yield from _habits(note, by_id, links)


def _named_beside(notes: Mapping[str, Note], links: Sequence[Link]) -> dict[str, list[str]]:
    """Note → the names of what it is linked with."""
    found: dict[str, list[str]] = {note: [] for note in notes}
    for link in links:
        for one, other in ((link.source, link.target), (link.target, link.source)):
            body = notes[other].body if one in notes and other in notes else None
            if isinstance(body, Semantic) and notes[other].key != SELF_KEY and body.category is None:
                found[one].append(body.content)
    return found


def _semantic_keys(body: Semantic, beside: Sequence[str]) -> list[str]:
    """A concept is found by its own names, a fact by those of what it is about."""
    is_fact = body.category not in (None, Category.KNOWLEDGE)
    return _keys([*beside, *body.aliases] if is_fact and beside else [body.content, *body.aliases])


def _secondary_keys(note: Note, body: Semantic) -> tuple[str, ...]:
    """Of what a lorebook told: which of its tags were keys there."""
    return note.tags if note.key.startswith("lore_") and body.concept_type is ConceptType.ENTITY else ()


def _semantic_text(body: Semantic) -> str:
    """What a note says; its name before it, where it does not say that itself."""
    if not body.description or body.content.casefold() in body.description.casefold():
        return body.description or body.content
    return f"{body.content}: {body.description}"


def _situation_keys(body: SpecificSituation, beside: Sequence[str]) -> list[str]:
    place = [body.context.location.name] if body.context.location else []
    return _keys([*beside, *(person.name for person in body.context.participants), *place])


def _dated(body: SpecificSituation) -> str:
    when = body.time_start or body.time_end
    return f"({when:%Y-%m-%d}) {body.narrative}" if when else body.narrative


def _habits(note: Note, notes: Mapping[str, Note], links: Sequence[Link]) -> Iterator[dict[str, Any]]:
    """What the character does when a pattern comes up."""
    assert isinstance(note.body, AbstractSituation)
    found = [
        (-link.payload.prob, notes[link.target].key, act.content)
        for link in links
        if link.source == note.id and isinstance(link.payload, TrigToAction) and link.target in notes
        if isinstance(act := notes[link.target].body, Procedure)
    ]
    acts = [act for _, _, act in sorted(found)]
    if acts:
        text = f"{display_text(note.body)} → {{{{char}}}}:\n" + "\n".join(f"- {act}" for act in acts)
        yield _entry(note, _keys(_pattern_names(note.body)), text)


def _pattern_names(body: AbstractSituation) -> list[str]:
    """The words of a pattern that tell something: nobody writes the whole of it."""
    match body.pattern:
        case Location(name=name) | Participant(name=name):
            texts = [name]
        case Environment(atmosphere=atmosphere, tone=tone):
            texts = [atmosphere, tone]
        case Event(action=action, target=target):
            texts = [action, target]
    words = [word for text in texts for word in cut_words(text)]
    return [word for word in words if len(word) >= (_LEAST_LETTERS_OF_A_WORD if word.isascii() else 2)]


def _keys(names: Iterable[str]) -> list[str]:
    """What an entry is found by, each once."""
    plain = (" ".join(name.split()) for name in names)
    long = (name for name in plain if len(name) >= (_LEAST_LETTERS if name.isascii() else 1))
    fit = dict.fromkeys(name for name in long if name.casefold() not in stop_words() and name not in FUNCTION_CHARACTERS)
    return list(fit)[:_MOST_KEYS]


def _title(note: Note) -> str:
    """What an entry is called: a concept by its name; of others the text says it."""
    body = note.body
    return body.content if isinstance(body, Semantic) and body.category in (None, Category.KNOWLEDGE) else ""


def _entry(
    note: Note,
    keys: list[str],
    content: str,
    *,
    names: Sequence[str] = (),
    constant: bool = False,
    secondary: Sequence[str] = (),
) -> dict[str, Any]:
    """``names``: of the note, where they are keys; of what the other keys name it only tells."""
    return {
        "keys": keys,
        "content": content,
        "extensions": {OWN: {"key": note.key, "names": [key for key in keys if key in names]}},
        "enabled": True,
        "case_sensitive": False,
        "use_regex": False,
        "constant": constant or not keys,
        "name": _title(note),
        "selective": bool(secondary),
        "secondary_keys": list(secondary),
        "position": "after_char",
    }
