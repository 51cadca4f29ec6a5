"""What becomes of the notes of a card or a lorebook when another version of it is read, and of names that it tells of (pure).

What it says no longer goes. What took its place takes over what hung on it besides: links from talk, lines, and how often it
was recalled. What nothing took the place of and talk had named stays as the bare name that talk knows. What the card did not
write, or what was changed since, is not touched.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from soulmem.ingest.contract import Document
from soulmem.ingest.plan_graph import link_id
from soulmem.model.changes import Use
from soulmem.model.links import Link, Sem
from soulmem.model.notes import (
    SELF_KEY,
    AbstractSituation,
    Body,
    ConceptType,
    Event,
    Note,
    Semantic,
    SpecificSituation,
    derived_id,
    display_text,
)
from soulmem.text.names import normal_name
from soulmem.text.tokens import term_counts

#: Two statements of one kind that share so much of their words are one that was changed (shared words by all words, 0..1).
ALIKE = 0.4
#: Tag of what talk knows by its name only.
_NAMED = "name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What the mind has of what is edited. ``notes``: by key, those that the earlier version wrote, and those of the new one that
    are there; ``taken``: ids of notes by all keys that may be needed; ``links``: all; ``uses``: (recall id, use), all."""

    notes: Mapping[str, Note]
    taken: Mapping[str, str]
    links: Sequence[Link]
    uses: Sequence[tuple[str, Use]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """``removed``: ids of notes that go; ``replaced``: how many of them something took the place of, ``joined``: how many became
    one with another note. ``heirs``: key of a note → the note whose place it takes; ``named``: notes of what stays as a bare
    name. ``links``: in the place of those that go with these notes; ``links_removed``: of the earlier version, between notes
    that stay. ``sources``, ``uses``: for the heirs; ``meta``: recorded values that the new version does without."""

    removed: tuple[str, ...] = ()
    replaced: int = 0
    joined: int = 0
    heirs: Mapping[str, Note] = field(default_factory=dict)
    named: tuple[Note, ...] = ()
    links: tuple[Link, ...] = ()
    links_removed: tuple[str, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    uses: tuple[tuple[str, Use], ...] = ()
    meta: tuple[str, ...] = ()


def gone_keys(document: Document, earlier: Document, also: Collection[str]) -> tuple[str, ...]:
    """Keys of the notes that ``earlier`` made and ``document`` does not. ``also``: what other files that the mind keeps make."""
    now = {note.key for note in document.notes} | set(also) | {SELF_KEY}
    return tuple(note.key for note in earlier.notes if note.key not in now)


def plan_edit(
    document: Document,
    earlier: Document,
    gone: Sequence[str],
    ground: Ground,
    at: datetime,
    joined: Sequence[tuple[Note, str]] = (),
) -> Edit:
    """The edit that makes of what ``earlier`` left in the mind what ``document`` says; ``gone``: of :func:`gone_keys`;
    ``joined``: notes that become one with another, by its key: who is the character, with ``sem_self``; what talk had named, with
    its entry."""
    made = {note.key: note for note in earlier.notes}
    old = {key: note for key in gone if (note := ground.notes.get(key)) is not None and is_as_made(note, made[key])}
    ids = {note.id: key for key, note in old.items()}
    own = {link_id(one.source_key, one.target_key, one.payload) for one in earlier.links}
    one_with = {note.id: _id_of(key, ground) for note, key in joined}
    leaving = ids.keys() | one_with.keys()
    grown = [link for link in ground.links if link.id not in own and leaving & {link.source, link.target}]
    pairs = _pairs(document, earlier, old)
    hung = {ids[end] for link in grown for end in (link.source, link.target) if end in ids}
    hung |= {key for key, note in old.items() if note.sources and isinstance(note.body, Semantic)}
    named = {key: _bare(note, ground, at) for key, note in old.items() if key in hung and key not in pairs and _is_name(note)}
    heirs = {old[key].id: _id_of(other, ground) for key, other in pairs.items()}
    heirs |= {old[key].id: note.id for key, note in named.items()} | one_with
    moved = {one.id: one for link in grown if (one := _moved(link, heirs, leaving)) is not None}
    there = {link.id for link in ground.links}
    return Edit(
        removed=tuple(note.id for note in (*old.values(), *(note for note, _ in joined))),
        replaced=len(pairs),
        joined=len(joined),
        heirs=_best_known(joined) | {other: old[key] for key, other in pairs.items()},
        named=tuple({note.id: note for note in named.values() if note.key not in ground.taken}.values()),
        links=tuple(link for link in moved.values() if link.id not in there),
        links_removed=tuple(sorted(_dropped(document, own, ground, ids))),
        sources=(
            *_sources(old, pairs, named, heirs),
            *((one_with[note.id], source) for note, _ in joined for source in note.sources),
        ),
        uses=tuple(_uses(ground, heirs)),
    )


def _uses(ground: Ground, heirs: Mapping[str, str]) -> Iterator[tuple[str, Use]]:
    """What was recalled, as what takes its place: once in each recall, as well as the best of those that are one."""
    best: dict[tuple[str, str], Use] = {}
    for recall, use in ground.uses:
        heir = heirs.get(use.note)
        if heir is not None and ((known := best.get((recall, heir))) is None or known.score < use.score):
            best[recall, heir] = replace(use, note=heir)
    yield from ((recall, use) for (recall, _), use in best.items())


def _best_known(joined: Sequence[tuple[Note, str]]) -> dict[str, Note]:
    """Key of an entry → the one of those that become one with it that was recalled most."""
    some = sorted(joined, key=lambda one: (one[0].retrieval_count, one[0].key))
    return {key: note for note, key in some if key != SELF_KEY}


def as_heir(note: Note, before: Note) -> Note:
    """``note`` as known as the one whose place it takes."""
    return replace(
        note,
        retrieval_count=before.retrieval_count,
        last_accessed_at=before.last_accessed_at,
        strength=max(note.strength, before.strength),
        scope=before.scope,
        kept_from=before.kept_from,
        pinned=note.pinned or before.pinned,
    )


def without_earlier(mine: Note | None, earlier: Document, document: Document) -> Note | None:
    """What the character knows of itself without what the earlier card alone told it; by its new name, where the card gave it
    the old one."""
    told, now = (next((note for note in one.notes if note.key == SELF_KEY), None) for one in (earlier, document))
    if mine is None or told is None or now is None:
        return mine
    body, before, after = mine.body, told.body, now.body
    if not (isinstance(body, Semantic) and isinstance(before, Semantic) and isinstance(after, Semantic)):
        return mine
    dropped = {normal_name(alias) for alias in before.aliases} - {normal_name(name) for name in (after.content, *after.aliases)}
    renamed = after.content if _is_renamed(body, before, after) else body.content
    aliases = dict.fromkeys((*body.aliases, body.content))
    return replace(
        mine,
        body=replace(
            body,
            content=renamed,
            aliases=tuple(one for one in aliases if normal_name(one) not in dropped | {normal_name(renamed)}),
            description="" if body.description == before.description else body.description,
        ),
        tags=tuple(tag for tag in mine.tags if tag not in told.tags or tag in now.tags),
    )


def _is_renamed(body: Semantic, before: Semantic, after: Semantic) -> bool:
    """Whether the character has its name of the card, and the card now gives it another that has a word of it."""
    own, old, new = (normal_name(one.content) for one in (body, before, after))
    return own == old != new and bool(set(old.split()) & set(new.split()) or old in new or new in old)


def is_as_made(note: Note, made: Note) -> bool:
    """Whether a note says what the card made it say; it may have gained names since, and the character another name."""
    one, other = note.body, made.body
    if isinstance(one, Semantic) and isinstance(other, Semantic):
        return (one.content, one.description) == (other.content, other.description)
    return _without_people(one) == _without_people(other)


def _without_people(body: Body) -> Body:
    """A situation without who was in it: no edit changes that, and a card puts the character there by its name of the day."""
    if isinstance(body, SpecificSituation) and body.context is not None:
        return replace(body, context=replace(body.context, participants=()))
    if isinstance(body, AbstractSituation) and isinstance(body.pattern, Event):
        return AbstractSituation(replace(body.pattern, target=""))
    return body


# What takes the place of what.


def _pairs(document: Document, earlier: Document, old: Mapping[str, Note]) -> dict[str, str]:
    """Key of a note that goes → key of the one that takes its place."""
    before = {note.key for note in earlier.notes}
    new = [note for note in document.notes if note.key not in before]
    places, were = _places(document), _places(earlier)
    found: dict[str, str] = {}
    by_place: dict[tuple[str, ...], tuple[list[Note], list[Note]]] = defaultdict(lambda: ([], []))
    for note in old.values():
        by_place[_place(note, were)][0].append(note)
    for note in new:
        by_place[_place(note, places)][1].append(note)
    for gone, come in by_place.values():
        if len(gone) == len(come) == 1:
            found[gone[0].key] = come[0].key
        else:
            found |= _alike(gone, come)
    return found


def _places(document: Document) -> dict[str, str]:
    """Key of a note → as what the character has it (*age*)."""
    return {
        link.target_key: link.payload.verb
        for link in document.links
        if link.source_key == SELF_KEY and isinstance(link.payload, Sem)
    }


def _place(note: Note, places: Mapping[str, str]) -> tuple[str, ...]:
    """What notes of two versions have in common that stand for the same: an entry its title, a statement its attribute."""
    title = normal_name(note.body.content) if _is_entry(note) and isinstance(note.body, Semantic) else ""
    return (note.type.value, title, "" if title else places.get(note.key, ""), note.key.split("_", 1)[0])


def _is_entry(note: Note) -> bool:
    return note.key.startswith("lore_")


def _is_name(note: Note) -> bool:
    return isinstance(note.body, Semantic) and note.body.concept_type is ConceptType.ENTITY and _is_entry(note)


def _alike(gone: Sequence[Note], come: Sequence[Note]) -> Iterator[tuple[str, str]]:
    """Pairs that share most of their words, the most alike first; each note once."""
    words = {note.key: frozenset(term_counts(display_text(note.body))) for note in (*gone, *come)}
    pairs = sorted(
        ((_shared(words[one.key], words[other.key]), one.key, other.key) for one in gone for other in come),
        key=lambda pair: (-pair[0], *pair[1:]),
    )
    used: set[str] = set()
    for share, one, other in pairs:
        if share >= ALIKE and not used & {one, other}:
            used |= {one, other}
            yield one, other


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


# What hangs on it.


def _id_of(key: str, ground: Ground) -> str:
    return ground.taken.get(key) or derived_id("note", key)


def _bare(note: Note, ground: Ground, at: datetime) -> Note:
    """What stays of an entry that talk has named: its name."""
    body = note.body
    assert isinstance(body, Semantic)
    key = bare_key(note)
    return Note(
        id=_id_of(key, ground),
        key=key,
        body=Semantic(body.content, body.aliases, body.concept_type),
        tags=(_NAMED,),
        created_at=note.created_at,
        decayed_at=at,
        scope=note.scope,
        kept_from=note.kept_from,
        sources=note.sources,
    )


def bare_key(note: Note) -> str:
    """The key of what stays of an entry that talk has named."""
    name = normal_name(note.body.content) if isinstance(note.body, Semantic) else ""
    return "sem_" + (re.sub(r"\W+", "_", name).strip("_")[:40] or note.id[:8])


def _moved(link: Link, heirs: Mapping[str, str], leaving: Collection[str]) -> Link | None:
    """The link at what takes the place; ``None`` where nothing does, or it would lead to itself."""
    source, target = heirs.get(link.source, link.source), heirs.get(link.target, link.target)
    if source == target or source in leaving or target in leaving:
        return None
    return replace(link, id=link_id(source, target, link.payload), source=source, target=target)


def _dropped(document: Document, own: Collection[str], ground: Ground, gone: Collection[str]) -> Iterator[str]:
    """Links of the earlier version between notes that stay, which the new one has not."""
    now = {link_id(one.source_key, one.target_key, one.payload) for one in document.links}
    for link in ground.links:
        if link.id in own and link.id not in now and link.source not in gone and link.target not in gone:
            yield link.id


def _sources(
    old: Mapping[str, Note], pairs: Mapping[str, str], named: Mapping[str, Note], heirs: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """The lines that entries were named in, for what takes their place; examples of a card belong to what they show."""
    for key in pairs.keys() | named.keys():
        if _is_entry(old[key]):
            yield from ((heirs[old[key].id], source) for source in old[key].sources)
