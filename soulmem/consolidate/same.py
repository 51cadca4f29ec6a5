"""Two notes for one person: a chat read before a graph named its speakers before the graph described them (pure)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from soulmem.consolidate.entries import Ground, aliases_of, link
from soulmem.consolidate.plan import Entry, Parts, Sign
from soulmem.indexing import content_update
from soulmem.model.changes import NoteUpdate
from soulmem.model.links import Link
from soulmem.model.notes import ConceptType, Note, Semantic
from soulmem.text.names import normal_name

#: Tags of concepts that were drawn from talk.
DRAWN = frozenset(("speaker", "name", "topic"))


def same_names(rows: Sequence[Mapping[str, str]], notes: Mapping[str, Note]) -> list[tuple[Note, Note]]:
    """(the note that stays, the note drawn from talk that is the same), of notes that share a name.

    The same is what was drawn from talk under the very name of one described note, by content or alias. Two described notes
    with one name are two, and so is a name that two of them share. What was heard elsewhere stays apart.
    """
    by_name: dict[str, list[Note]] = defaultdict(list)
    for row in rows:
        if row["id"] in notes:
            by_name[row["name"]].append(notes[row["id"]])
    pairs: dict[str, tuple[Note, Note]] = {}
    for name, some in sorted(by_name.items()):
        described = [note for note in some if not is_drawn(note)]
        drawn = [note for note in some if is_drawn(note) and normal_name(_content(note)) == name]
        if len(described) == 1 and _is_entity(described[0]):
            for note in drawn:
                if (note.scope, set(note.kept_from)) == (described[0].scope, set(described[0].kept_from)):
                    pairs.setdefault(note.id, (described[0], note))
    return list(pairs.values())


def is_drawn(note: Note) -> bool:
    """Whether a concept was drawn from talk, and from nothing else."""
    return bool(DRAWN.intersection(note.tags)) and note.key.startswith("sem_") and bool(note.sources)


def _is_entity(note: Note) -> bool:
    return isinstance(note.body, Semantic) and note.body.concept_type is ConceptType.ENTITY and note.body.category is None


def _content(note: Note) -> str:
    return note.body.content if isinstance(note.body, Semantic) else ""


def same_entries(pairs: Sequence[tuple[Note, Note]], links: Sequence[Link], ground: Ground) -> Iterator[Entry]:
    """The described note gets links, lines and names of the one drawn from talk, which is archived."""
    gone = {note.id: stays.id for stays, note in pairs}
    for stays, note in pairs:
        own = [one for one in links if note.id in (one.source, one.target)]
        moved = [_moved(one, gone, ground) for one in own]
        known = {normal_name(_content(stays)), *(normal_name(alias) for alias in aliases_of(stays))}
        more = tuple(form for form in (_content(note), *aliases_of(note)) if normal_name(form) not in known)
        told = (
            replace(stays, body=replace(stays.body, aliases=(*aliases_of(stays), *more)))
            if more and isinstance(stays.body, Semantic)
            else None
        )
        updates = [NoteUpdate(note=note.id, values={"active": False})]
        if told is not None:
            updates.append(content_update(told))
        yield Entry(
            number=0,
            sign=Sign.CHANGED,
            kind="merge",
            text=f"{_content(note)} ({note.key}) = {_content(stays)} ({stays.key})",
            why="one name, one person",
            sources=ground.places(note.sources),
            parts=Parts(
                told=(told,) if told is not None else (),
                links=tuple(one for one in moved if one is not None),
                links_removed=tuple(one.id for one in own),
                updates=tuple(updates),
                sources_added=tuple((stays.id, source) for source in note.sources if source not in stays.sources),
            ),
        )


def _moved(one: Link, gone: Mapping[str, str], ground: Ground) -> Link | None:
    """The link at the note that stays; ``None`` for one that would lead to itself."""
    source, target = gone.get(one.source, one.source), gone.get(one.target, one.target)
    if source == target:
        return None
    return replace(
        link(source, target, one.payload, one.created_at, one.intensity),
        last_fired_at=one.last_fired_at,
        fired_count=one.fired_count,
    )
