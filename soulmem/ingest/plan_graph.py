"""What of a Graph JSON file is new: pure planning over what the mind already holds (SPEC §1, §2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from soulmem.ingest.contract import Document, KeyedLink, KeyedSuperseding, Problem
from soulmem.model.changes import NoteUpdate, PendingLink, Superseding
from soulmem.model.links import Link, LinkType, Payload, Sem, is_legal
from soulmem.model.links import type_of as payload_type
from soulmem.model.notes import SELF_KEY, Body, Note, NoteType, Semantic, derived_id


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphPlan:
    """``notes``, ``links`` and ``pending`` to write; ``connected``: ids of waiting links that ``links`` now holds.

    ``told``: notes of the mind that knew no more than a name and get the file's content (the character's own, or somebody's);
    ``closed``: by what updates notes of the mind are kept from whom the file keeps them.
    ``existing``: items that were there already, as the file has them. ``problems``: items left out, and notes of which the mind
    has other content.
    """

    notes: tuple[Note, ...]
    told: tuple[Note, ...] = ()
    closed: tuple[NoteUpdate, ...] = ()
    links: tuple[Link, ...]
    pending: tuple[PendingLink, ...]
    connected: tuple[str, ...]
    existing: int
    problems: tuple[Problem, ...]
    supersedes: tuple[Superseding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownGraph:
    """What the mind holds of the keys and ids a file names: notes by key, ids of links and of waiting links, waiting links that
    name one of the keys, ids of messages, and (new, old) ids of facts that supersede another."""

    notes: Mapping[str, Note]
    note_ids: Collection[str] = frozenset()
    link_ids: Collection[str] = frozenset()
    pending: tuple[PendingLink, ...] = ()
    message_ids: Collection[str] = frozenset()
    superseded: Collection[tuple[str, str]] = frozenset()


def plan_graph(document: Document, known: KnownGraph, *, file: str) -> GraphPlan:
    """Plan the notes and links of ``document``."""
    problems: list[Problem] = []
    notes = [note for note in document.notes if note.key not in known.notes]
    free = [note for note in notes if _is_free(note, known, problems)]
    new = [_with_known_sources(note, known) for note in free]
    problems += _lost_sources(free, new)
    told = tuple(
        _gained(document, known) if document.about_self or document.introduced else _told_of_itself(document.notes, known)
    )
    differing = tuple(_differing(document.notes, known, {note.id for note in told}))
    problems += differing
    ends = {note.key: (note.id, note.type) for note in (*known.notes.values(), *new)}
    there = {*known.link_ids, *(pending.id for pending in known.pending)}
    links: list[Link] = []
    pending: list[PendingLink] = []
    existing = len(document.notes) - len(notes) - len(differing) - len(told)
    for keyed in document.links:
        identity = keyed.id or link_id(keyed.source_key, keyed.target_key, keyed.payload)
        if identity in there:
            existing += 1
        elif keyed.source_key in ends and keyed.target_key in ends:
            links += _legal(_connected(keyed, identity, ends), keyed.line, ends, keyed.source_key, keyed.target_key, problems)
        else:
            pending.append(_waiting(keyed, identity, file))
        there.add(identity)  # a file may state it twice, with another probability
    arrived, connected = _arrivals(known.pending, ends, problems)
    facts = {note.key: note for note in (*known.notes.values(), *new)}
    supersedes = tuple(_supersedes(document, facts, known, problems))
    return GraphPlan(
        notes=tuple(new),
        told=told,
        closed=tuple(_closed(document.notes, known)),
        links=(*links, *arrived),
        pending=tuple(pending),
        connected=connected,
        existing=existing,
        problems=tuple(problems),
        supersedes=supersedes,
    )


def _supersedes(
    document: Document, notes: Mapping[str, Note], known: KnownGraph, problems: list[Problem]
) -> Iterable[Superseding]:
    """What of the file's facts holds instead of another, where the mind does not know it yet."""
    seen = set(known.superseded)
    for one in document.supersedes:
        new, old = notes.get(one.new_key), notes.get(one.old_key)
        if new is not None and old is not None and (new.id, old.id) in seen:
            continue
        wrong = _not_superseding(one, new, old)
        if wrong is not None or new is None or old is None:
            problems.append(Problem(one.line, f"{one.new_key} supersedes {one.old_key}: {wrong}; left out", skipped=False))
            continue
        seen.add((new.id, old.id))
        yield Superseding(new=new.id, old=old.id, at=one.at, reason=one.reason)


def _not_superseding(one: KeyedSuperseding, new: Note | None, old: Note | None) -> str | None:
    """What is wrong with it."""
    if new is None or old is None:
        return "not both are in the mind"
    if new.id == old.id or not isinstance(new.body, Semantic) or not isinstance(old.body, Semantic):
        return "only a Semantic note can supersede another one"
    if new.body.valid_until is not None and new.body.valid_until <= one.at:
        return "the new one holds no longer itself by then"
    if old.body.valid_from is not None and one.at < old.body.valid_from:
        return "the old one holds only since later"
    return None


def link_id(source_key: str, target_key: str, payload: Payload) -> str:
    """The id of a link that brings none of its own: the same link always gets the same."""
    verb = payload.verb if isinstance(payload, Sem) else ""
    return derived_id("link", source_key, payload_type(payload).value, verb, target_key)


def _closed(notes: Iterable[Note], known: KnownGraph) -> Iterable[NoteUpdate]:
    """The notes of the mind that the file keeps from more people."""
    for note in notes:
        mine = known.notes.get(note.key)
        if mine is not None and set(note.kept_from) - set(mine.kept_from):
            yield NoteUpdate(note=mine.id, values={"kept_from": list(dict.fromkeys((*mine.kept_from, *note.kept_from)))})


def _told_of_itself(notes: Iterable[Note], known: KnownGraph) -> Iterable[Note]:
    """The character's own note, if the mind knows no more than its name and the file says more."""
    mine = known.notes.get(SELF_KEY)
    if mine is None or not isinstance(mine.body, Semantic) or mine.body != Semantic(content=mine.body.content) or mine.tags:
        return
    for note in notes:
        if note.key == SELF_KEY and isinstance(note.body, Semantic) and note.body != mine.body:
            names = dict.fromkeys((*note.body.aliases, mine.body.content))
            aliases = tuple(name for name in names if name != note.body.content)
            yield replace(mine, body=replace(note.body, aliases=aliases), tags=note.tags, origins=(*mine.origins, *note.origins))


def _gained(document: Document, known: KnownGraph) -> Iterable[Note]:
    """The character's own note, and those of whom the file introduces, where it has more than the mind's."""
    for note in document.notes:
        mine = known.notes.get(note.key) if note.key == SELF_KEY or note.key in document.introduced else None
        if mine is not None and note.id == mine.id and (note.body, note.tags) != (mine.body, mine.tags):
            yield note


def _differing(notes: Iterable[Note], known: KnownGraph, told: Collection[str]) -> Iterable[Problem]:
    for note in notes:
        mine = known.notes.get(note.key)
        if mine is not None and mine.id not in told and _content(mine) != _content(note):
            yield Problem(None, f"{note.key}: is in the mind with other content; the mind's was kept")


def _content(note: Note) -> Body:
    """What a note says, whether it still holds or not."""
    return replace(note.body, valid_from=None, valid_until=None) if isinstance(note.body, Semantic) else note.body


def _is_free(note: Note, known: KnownGraph, problems: list[Problem]) -> bool:
    if note.id not in known.note_ids:
        return True
    problems.append(Problem(None, f"{note.key}: its uuid belongs to another note of the mind; skipped"))
    return False


def _with_known_sources(note: Note, known: KnownGraph) -> Note:
    there = tuple(source for source in note.sources if source in known.message_ids)
    return note if there == note.sources else replace(note, sources=there)


def _lost_sources(stated: Sequence[Note], kept: Sequence[Note]) -> Iterable[Problem]:
    """One word on all lines that the notes were drawn from and the mind does not have."""
    lost = {
        old.key: len(old.sources) - len(new.sources) for old, new in zip(stated, kept, strict=True) if old.sources != new.sources
    }
    if lost:
        first = next(iter(lost))
        whose = first if len(lost) == 1 else f"{len(lost)} notes ({first} and others)"
        what = f"{whose}: {sum(lost.values())} source messages are not in the mind; ingest the exported messages first"
        yield Problem(None, what, skipped=False)


Ends = Mapping[str, tuple[str, NoteType]]


def _connected(link: KeyedLink | PendingLink, identity: str, ends: Ends) -> Link:
    return Link(
        id=identity,
        source=ends[link.source_key][0],
        target=ends[link.target_key][0],
        payload=link.payload,
        created_at=link.created_at,
        intensity=link.intensity,
        last_fired_at=link.last_fired_at,
        fired_count=link.fired_count,
    )


def _legal(link: Link, line: int | None, ends: Ends, source: str, target: str, problems: list[Problem]) -> Iterable[Link]:
    source_type, target_type = ends[source][1], ends[target][1]
    if is_legal(link.type, source_type, target_type):
        return (link,)
    what = f"link {source} → {target}: {_KINDS[link.type]} may not go from {source_type} to {target_type}; skipped"
    problems.append(Problem(line, what))
    return ()


_KINDS = {LinkType.SEM: "a Sem link", LinkType.PROC: "a Proc link", LinkType.SITUATION: "a Situation link"}


def _waiting(keyed: KeyedLink, identity: str, file: str) -> PendingLink:
    return PendingLink(
        id=identity,
        source_key=keyed.source_key,
        target_key=keyed.target_key,
        payload=keyed.payload,
        created_at=keyed.created_at,
        intensity=keyed.intensity,
        last_fired_at=keyed.last_fired_at,
        fired_count=keyed.fired_count,
        place=f"{file}:{keyed.line}" if keyed.line else file,
    )


def _arrivals(pending: Iterable[PendingLink], ends: Ends, problems: list[Problem]) -> tuple[tuple[Link, ...], tuple[str, ...]]:
    """Waiting links both of whose ends are there now; an illegal one is dropped with a problem."""
    links: list[Link] = []
    connected: list[str] = []
    for waiting in pending:
        if waiting.source_key in ends and waiting.target_key in ends:
            connected.append(waiting.id)
            links += _legal(_connected(waiting, waiting.id, ends), None, ends, waiting.source_key, waiting.target_key, problems)
    return tuple(links), tuple(connected)
