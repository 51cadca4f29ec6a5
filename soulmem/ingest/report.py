"""What became of the files that were read. Field names are a contract: ``ingest --json`` prints them as they are here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from soulmem.ingest.contract import Document, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """One file. ``read`` = ``new`` + ``existing`` + ``skipped``: nodes and their links, or message lines, of the file.

    ``items``: what was read in the terms of the file: *messages*; *notes* and *links* of a graph, *entries* of a lorebook,
    *fields* of a card, *answers*, *personas*, *chats* → how many. Those that become notes do not count what was skipped.
    ``derived``: situations and concepts that were drawn from its talk. ``replaced`` and ``removed``: notes of an earlier version
    of a card or lorebook, which something new took the place of, and which went without. ``refused``: why nothing of the file
    was taken, or ``None``. What a folder holds beside what can be read, or of another character, is passed over: no format, and
    one problem that says what it is.
    """

    path: str
    format: str | None
    read: int = 0
    new: int = 0
    existing: int = 0
    skipped: int = 0
    derived: int = 0
    replaced: int = 0
    removed: int = 0
    problems: tuple[Problem, ...] = ()
    refused: str | None = None
    items: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """All files of one ingest, in the order they were read."""

    files: tuple[FileReport, ...]


def items_of(document: Document) -> dict[str, int]:
    """What was read of a file, in its own terms."""
    if document.items:
        return dict(document.items)
    if document.notes or document.links:
        return {"notes": len(document.notes), "links": len(document.links)}
    chats = {"chats": len(document.chats)} if document.chats else {}
    return {**chats, "messages": document.read - len(document.chats)}
