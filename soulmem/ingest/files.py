"""From what a user names to the files that are read: folders are walked, in a fixed order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath

from soulmem.errors import NotFoundError
from soulmem.ingest.encodings import HEAD_BYTES
from soulmem.ingest.reading_order import BRANCH, CARD, CHAT, LOREBOOK, MESSAGES

#: What the header of a branch says in a SillyTavern chat.
_BRANCH = re.compile(rb'"main_chat"\s*:\s*"[^"]')
# Images and the like, which can only be cards.
_CARDS = frozenset({".png", ".webp", ".charx", ".yaml", ".yml", ".jpg", ".jpeg"})
#: What a folder is searched for. A file named outright is read whatever its ending.
_ENDINGS = frozenset({".json", ".jsonl", ".txt", ".md", ".html", ".csv", ".tsv", ".zip", ".byaf"}) | _CARDS
#: What systems put into folders and zips beside the files.
_ASIDE = frozenset({"__MACOSX"})
# The folder of a user of SillyTavern has this file and one of these folders, and then keeps its own things in those.
_SETTINGS = "settings.json"
_TALKS = frozenset({"characters", "chats", "group chats"})
_KEPT = frozenset(
    {
        *("KoboldAI Settings", "NovelAI Settings", "OpenAI Settings", "QuickReplies", "TextGen Settings", "User Avatars"),
        *("_storage", "assets", "backgrounds", "backups", "context", "extensions", "instruct", "movingUI", "reasoning"),
        *("sysprompt", "themes", "thumbnails", "user", "vectors"),
    }
)


@dataclass(frozen=True, slots=True)
class Found:
    """``files`` to read, by their ``ranks`` (:func:`rank`); ``aside``: folders that are passed over."""

    files: tuple[Path, ...]
    aside: tuple[Path, ...] = ()
    ranks: tuple[int, ...] = ()


def found_files(paths: Iterable[str | Path]) -> Found:
    """The files among and below ``paths``, each once; exported messages before the graphs whose sources they are, cards and
    graphs before the lorebooks and the chats of their characters.

    Raises :class:`NotFoundError` for a path that does not exist, before anything is read.
    """
    files: dict[Path, None] = {}
    aside: set[Path] = set()
    for named in map(Path, paths):
        if not named.exists():
            raise NotFoundError(f"no such file or folder: {named}")
        if not named.is_dir():
            files[named] = None
            continue
        below = list(_below(named))
        folders = kept_folders(file.relative_to(named) for file in below)
        aside |= {named / folder for folder in folders}
        files |= dict.fromkeys(file for file in below if not is_within(file.relative_to(named), folders))
    ranks = {file: rank(file.name, partial(_start, file)) for file in files}
    ordered = sorted(files, key=ranks.__getitem__)
    return Found(tuple(ordered), tuple(sorted(aside)), tuple(ranks[file] for file in ordered))


def kept_folders(files: Iterable[PurePath]) -> frozenset[PurePath]:
    """Of a folder (or a zip) with these files, by their paths there: the folders in which SillyTavern keeps its own things."""
    given = list(files)
    folders = {parent for file in given for parent in file.parents}
    users = [file.parent for file in given if file.name == _SETTINGS and any(file.parent / name in folders for name in _TALKS)]
    return frozenset(user / name for user in users for name in _KEPT if user / name in folders)


def is_within(file: PurePath, folders: Iterable[PurePath]) -> bool:
    """Whether a file lies in or below one of ``folders``."""
    return any(folder in file.parents for folder in folders)


def kept_for(folder: PurePath) -> str:
    """What to say of one of the :func:`kept_folders`."""
    former = folder.name == "backups"
    return f"{'former versions of chats' if former else 'what SillyTavern keeps for itself'}; name the folder to read it"


def rank(name: str, start: Callable[[], bytes]) -> int:
    """A key that sorts exported messages first, then cards and graphs: lorebooks and chats are read by whom the mind knows
    already; and branches last, after the chats they were taken from. ``start``: the first bytes of the file, which tell whether
    JSON is one."""
    if name.endswith(".messages.jsonl"):
        return MESSAGES
    ending = PurePath(name).suffix.lower()
    if ending in _CARDS:
        return CARD
    if ending == ".jsonl":
        return BRANCH if _BRANCH.search(start().partition(b"\n")[0]) else CHAT
    return _rank_of_json(start())


def _rank_of_json(start: bytes) -> int:
    """Of a file that may be JSON: a card, a graph, or what tells of the user; a lorebook; what is none of these."""
    from soulmem.ingest import graph_json, personas
    from soulmem.ingest.cards import json_file
    from soulmem.ingest.lorebooks import reader

    if start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"[", b"\xff", b"\xfe"):
        return CHAT
    if max(json_file.sniff(start), graph_json.sniff(start), personas.sniff(start)) > 0.5:
        return CARD
    return LOREBOOK if reader.sniff(start) > 0.5 else CHAT


def _start(file: Path) -> bytes:
    """The first bytes of a regular file; none of what cannot be read, which is told when it is."""
    try:
        if not file.is_file():
            return b""
        with file.open("rb") as stream:
            return stream.read(HEAD_BYTES)
    except OSError:
        return b""


def is_read(file: PurePath) -> bool:
    """Whether a file in a folder, or in a zip, by its path there, may be one to read."""
    aside = any(part.startswith(".") or part in _ASIDE for part in file.parts)
    return not aside and file.suffix.lower() in _ENDINGS


def _below(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        if is_read(file.relative_to(folder)) and file.is_file():
            yield file
