"""A Graph JSON text → a document: nodes first, then the links, which are judged by the nodes they join."""

from __future__ import annotations

from datetime import datetime

from soulmem.ingest.contract import Document, Problem
from soulmem.ingest.graph_links import LinkReader
from soulmem.ingest.graph_models import MisfitError
from soulmem.ingest.graph_nodes import read_node
from soulmem.ingest.graph_scan import RawNode, raw_nodes
from soulmem.model.notes import Note


def read_graph(text: str, problems: tuple[Problem, ...], at: datetime, name: str) -> Document:
    """The document of ``text``; ``problems`` are those of decoding, ``name`` that of the format.

    :raises FormatError: not an array, broken before the end of the first node, or nested too deeply.
    """
    found = list(problems)
    raw = raw_nodes(text, found)
    held = _notes(raw, at, found)
    links = LinkReader({note.key: note for _, note in held}, at)
    for node, _ in held:
        links.read_links(node)
    found += links.problems
    found.sort(key=lambda problem: problem.line or 0)
    return Document(
        format=name,
        read=len(held) + len(links.links) + sum(problem.skipped for problem in found),
        notes=tuple(note for _, note in held),
        links=tuple(links.links),
        problems=tuple(found),
    )


def _notes(raw: list[RawNode], at: datetime, problems: list[Problem]) -> list[tuple[RawNode, Note]]:
    """The nodes that became notes, each with its note."""
    held: list[tuple[RawNode, Note]] = []
    lines: dict[str, int] = {}
    for node in raw:
        try:
            note, mends = read_node(node, at)
            _check_new(note, lines)
        except MisfitError as misfit:
            problems.append(Problem(node.line, f"{node.label}: {misfit}; {_lost(node)}"))
            continue
        lines[note.key] = lines[note.id] = node.line
        held.append((node, note))
        problems += [Problem(node.line, f"{node.label}: {mend}", skipped=False) for mend in mends]
    return held


def _check_new(note: Note, lines: dict[str, int]) -> None:
    if note.key in lines:
        raise MisfitError(f"duplicate id: the node at line {lines[note.key]} has it too")
    if note.id in lines:
        raise MisfitError(f"duplicate soulmem.uuid: the node at line {lines[note.id]} has it too")


def _lost(node: RawNode) -> str:
    links = len(node.link_lines)
    return f"the node and its {links} links were skipped" if links else "the node was skipped"
