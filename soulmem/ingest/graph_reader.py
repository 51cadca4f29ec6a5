"""A Graph JSON text → a document: nodes first, then the links, which are judged by the nodes they join."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from soulmem.ingest.contract import Document, KeyedLink, KeyedSuperseding, Problem
from soulmem.ingest.graph_plain import plain_link
from soulmem.ingest.graph_plain_nodes import plain_note
from soulmem.ingest.graph_scan import LINKS, MisfitError, RawNode, raw_nodes
from soulmem.ingest.json_places import Cursor, preview
from soulmem.model.links import LinkType, Sem, type_of
from soulmem.model.notes import Note

if TYPE_CHECKING:
    from soulmem.ingest.graph_links import LinkForm


def read_graph(cursor: Cursor, problems: Callable[[], Iterable[Problem]], at: datetime, name: str) -> Document:
    """The document of the text at ``cursor``; ``problems`` are those of decoding, known when it is read, ``name`` that of the
    format.

    :raises FormatError: not an array, broken before the end of the first node, or nested too deeply.
    """
    found: list[Problem] = []
    raw = raw_nodes(cursor, found)
    found[:0] = problems()
    held = _notes(raw, at, found)
    links = LinkReader({note.key: note for _, note in held}, at)
    for node, _ in held:
        links.read_links(node)
    found += links.problems
    supersedes = tuple(_supersedes(held, found))
    found.sort(key=lambda problem: problem.line or 0)
    return Document(
        format=name,
        read=len(held) + len(links.links) + sum(problem.skipped for problem in found),
        notes=tuple(note for _, note in held),
        places={note.key: node.line for node, note in held if not _is_exported(node)},
        links=tuple(links.links),
        supersedes=supersedes,
        problems=tuple(found),
    )


def _notes(raw: list[RawNode], at: datetime, problems: list[Problem]) -> list[tuple[RawNode, Note]]:
    """The nodes that became notes, each with its note."""
    held: list[tuple[RawNode, Note]] = []
    lines: dict[str, int] = {}
    for node in raw:
        try:
            note, mends = _note(node, at)
            _check_new(note, lines)
        except MisfitError as misfit:
            problems.append(Problem(node.line, f"{node.label}: {misfit}; {_lost(node)}"))
            continue
        lines[note.key] = lines[note.id] = node.line
        held.append((node, note))
        problems += [Problem(node.line, f"{node.label}: {mend}", skipped=False) for mend in mends]
    return held


def _note(node: RawNode, at: datetime) -> tuple[Note, list[str]]:
    plain = plain_note(node, at)
    if plain is not None:
        return plain, []
    from soulmem.ingest.graph_nodes import read_node  # pydantic is loaded only where something is not plain

    return read_node(node, at)


def _supersedes(held: list[tuple[RawNode, Note]], problems: list[Problem]) -> Iterator[KeyedSuperseding]:
    for node, note in held:
        envelope = node.value.get("soulmem")
        stated = envelope.get("supersedes") if isinstance(envelope, dict) else None
        if stated is None:
            continue
        from soulmem.ingest.graph_nodes import read_supersedes  # as above

        mends: list[str] = []
        for old, at, reason in read_supersedes(stated, mends):
            yield KeyedSuperseding(new_key=note.key, old_key=old, at=at, reason=reason, line=node.line)
        problems += [Problem(node.line, f"{node.label}: {mend}", skipped=False) for mend in mends]


def _check_new(note: Note, lines: dict[str, int]) -> None:
    if note.key in lines:
        raise MisfitError(f"duplicate id: the node at line {lines[note.key]} has it too")
    if note.id in lines:
        raise MisfitError(f"duplicate soulmem.uuid: the node at line {lines[note.id]} has it too")


def _is_exported(node: RawNode) -> bool:
    """Whether a mind wrote it, so that it says itself where it was read, if anywhere."""
    envelope = node.value.get("soulmem")
    return isinstance(envelope, dict) and "uuid" in envelope


def _lost(node: RawNode) -> str:
    links = len(node.link_lines)
    return f"the node and its {links} links were skipped" if links else "the node was skipped"


class LinkReader:
    """Reads the links of one file. ``notes``: all its notes by key, to judge a link by the types of its ends."""

    def __init__(self, notes: Mapping[str, Note], at: datetime) -> None:
        self.links: list[KeyedLink] = []
        self.problems: list[Problem] = []
        self._types = {key: note.type for key, note in notes.items()}
        self._at = at
        self._seen: set[tuple[str, str, LinkType, str]] = set()
        self._ids: set[str] = set()

    @cached_property
    def _form(self) -> LinkForm:
        from soulmem.ingest.graph_links import LinkForm  # as above

        return LinkForm(self._types, self._at)

    def read_links(self, raw: RawNode) -> None:
        """Adds the links that stand under ``raw``, a node that became a note."""
        stated = raw.value.get(LINKS)
        if stated is None:
            return
        if not isinstance(stated, list):
            what = f"{raw.label}: {LINKS} is {preview(stated)}, but a list is expected; its links were skipped"
            self.problems.append(Problem(raw.line, what))
            return
        for place, (value, line) in enumerate(zip(stated, raw.link_lines, strict=True)):
            self._read_link(raw, place, value, line)

    def _read_link(self, raw: RawNode, place: int, value: Any, line: int) -> None:
        mends: list[str] = []
        path = f"{LINKS}[{place}]"
        try:
            link = plain_link(value, raw.value["id"], self._types, self._at, line)
            link = link or self._form.read(raw.value["id"], path, value, line, mends)
            self._check_new(link, path)
        except MisfitError as misfit:
            self.problems.append(Problem(line, f"{raw.label}, {misfit}; the link was skipped"))
            return
        self.links.append(link)
        if mends:
            self.problems += [Problem(line, f"{raw.label}, {mend}", skipped=False) for mend in mends]

    def _check_new(self, link: KeyedLink, path: str) -> None:
        verb = link.payload.verb if isinstance(link.payload, Sem) else ""
        same = (link.source_key, link.target_key, type_of(link.payload), verb)
        if same in self._seen:
            raise MisfitError(f"{path}: duplicate of an earlier {same[2]} link to {preview(link.target_key)}")
        if link.id is not None and link.id in self._ids:
            raise MisfitError(f"{path}: duplicate soulmem.uuid {link.id}")
        self._seen.add(same)
        if link.id is not None:
            self._ids.add(link.id)
