"""In which order files are read: what says whose others are comes before them, and what talk is about before the talk (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Generic, TypeVar

from soulmem.ingest.mapped import Data

#: Exported messages; cards, graphs and what tells of the user; lorebooks; chats; branches of chats, whose first lines are said to
#: come from the chat they were taken from.
MESSAGES, CARD, LOREBOOK, CHAT, BRANCH = range(5)

FileT = TypeVar("FileT")


@dataclass(frozen=True, slots=True)
class Unread(Generic[FileT]):
    """A ``file`` that is going to be read. ``place``: where it lies; ``rank``: one of :data:`MESSAGES` to :data:`BRANCH`;
    ``data``: its bytes; ``named``: whether it is read whosever it is, and not only if it may be this character's."""

    file: FileT
    place: PurePath
    rank: int
    data: Callable[[], Data]
    named: bool = False


#: Whether it is certain whose a file is, by what was read so far; whether any of these files is another character's.
Belongs = Callable[[Unread[FileT]], bool]
MeetsOthers = Callable[[Sequence[Unread[FileT]]], bool]


def in_order(files: Sequence[Unread[FileT]], belongs: Belongs[FileT], meets_others: MeetsOthers[FileT]) -> Iterator[FileT]:
    """The files, lorebooks before chats. Where there are chats of others, one that does not certainly belong to the character
    comes behind them, as a chat may be linked with it. Each file is to be read before the next is asked for."""
    talks = [one for one in files if one.rank >= CHAT and not one.named]
    late: list[FileT] = []
    met: bool | None = None
    for one in sorted(files, key=_rank):
        if one.rank == LOREBOOK and not one.named and not belongs(one):
            met = meets_others(talks) if met is None else met
            if met:
                late.append(one.file)
                continue
        yield one.file
    yield from late


def by_rank(files: Sequence[Unread[FileT]]) -> Iterator[FileT]:
    """The files, lorebooks before chats, whosever they are."""
    yield from (one.file for one in sorted(files, key=_rank))


def _rank(one: Unread[FileT]) -> int:
    return one.rank
