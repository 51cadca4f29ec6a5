"""What became of the files that were read. Field names are a contract: ``ingest --json`` prints them as they are here."""

from __future__ import annotations

from dataclasses import dataclass

from soulmem.ingest.contract import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """One file. ``read`` = ``new`` + ``existing`` + ``skipped``: nodes and their links, or message lines, of the file.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """All files of one ingest, in the order they were read."""

    files: tuple[FileReport, ...]
