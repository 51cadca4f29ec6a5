"""A very long file, read in as if it had grown: its beginning, then a longer one, and at last all of it.

What is not committed is held in memory, some 30 KB a message: a group's history of a million lines would need more than anybody
has. Each part is a transaction of its own, so who stops keeps the parts that are in, and goes on by reading the file again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from soulmem.ingest.contract import Conversation, Document
from soulmem.ingest.report import FileReport

#: So many messages of one file are read in at once.
MOST_MESSAGES = 100_000


def beginnings(document: Document, most: int) -> Iterator[Document]:
    """Documents that hold the first ``most`` messages of one, twice as many, and so on, as long as that is less than all. None of
    one that holds anything else: notes tell of messages that may stand anywhere."""
    if document.notes or document.links or document.archived or document.about_self:
        return
    total = len(document.messages) + sum(len(one.messages) for one in document.conversations)
    for number in range(most, total, most):
        yield replace(document, messages=document.messages[:number], conversations=_first(document.conversations, number))


def _first(conversations: Sequence[Conversation], number: int) -> tuple[Conversation, ...]:
    """The conversations that hold the first ``number`` messages; of the last of them perhaps a part."""
    found: list[Conversation] = []
    left = number
    for one in conversations:
        if left <= 0:
            break
        found.append(one if len(one.messages) <= left else replace(one, messages=one.messages[:left]))
        left -= len(one.messages)
    return tuple(found)


def together(parts: Sequence[FileReport]) -> FileReport:
    """The report on a file of which the last of ``parts`` is that on all of it, read after the others."""
    *before, last = parts
    new = sum(part.new for part in before)
    return replace(
        last,
        new=last.new + new,
        existing=last.existing - new,
        derived=sum(part.derived for part in parts),
        problems=tuple(dict.fromkeys(problem for part in (last, *before) for problem in part.problems)),
    )
