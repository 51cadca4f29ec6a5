"""What of all conversations of a file is new: pure planning over what the mind holds, and over what the file said before.

A conversation of a file that holds several is known by the name of the file and its own, ``conversations.json#Trip to Rome``. Two
of one file that share lines (a branch, a copy) are compared like two files. A greeting that begins many chats counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from soulmem.ingest.contract import Document, SaidLine
from soulmem.ingest.plan_chat import ChatPlan, KnownChat, plan_chat
from soulmem.model.messages import Message, Role, fingerprint

#: So many lines of a conversation, spread over it, are looked up to find the chats it shares lines with.
_PROBES = 60


def chat_files(document: Document, file: str) -> tuple[str, ...]:
    """What the conversations of ``document``, read from ``file``, are called as files."""
    return tuple(_chat_file(file, name) for name, _ in document.parts)


def probes(document: Document) -> list[str]:
    """Fingerprints by which the chats of the mind are found that share lines with ``document``."""
    return list(dict.fromkeys(mark for _, part in document.parts for mark in _probed(part.messages)))


def greetings(document: Document) -> tuple[SaidLine, ...]:
    """The greetings that conversations of ``document`` begin with: first lines that the character says."""
    return tuple(line for _, part in document.parts if (line := _greeting(part)) is not None)


def spoken_by(document: Document, character: str | None) -> Document:
    """``document`` with the lines of a character whom it does not name said by the one whose mind it goes into (``character``, if
    that one has a name)."""
    if character is None or not any(_is_nameless(line) for _, part in document.parts for line in part.messages):
        return document

    def named(lines: Sequence[SaidLine]) -> tuple[SaidLine, ...]:
        return tuple(replace(line, speaker=character, named=True) if _is_nameless(line) else line for line in lines)

    conversations = tuple(replace(one, messages=named(one.messages)) for one in document.conversations)
    return replace(document, messages=named(document.messages), conversations=conversations)


def _is_nameless(line: SaidLine) -> bool:
    return not line.named and line.role is Role.CHARACTER


def plan_chats(
    document: Document,
    *,
    file: str,
    sha256: str,
    at: datetime,
    known: Iterable[KnownChat],
    greeted: Mapping[tuple[str, str], str] | None = None,
    scope: str = "public",
) -> tuple[ChatPlan, ...]:
    """A plan for every conversation of ``document``. ``known``: chats of the mind that share lines with it, or a name of
    :func:`chat_files`; ``scope``: who may hear of what is new; ``greeted``: (speaker, text) → message id of first lines of the
    mind."""
    shelf = _Shelf(known, chat_files(document, file))
    openings = dict(greeted or {})
    plans: list[ChatPlan] = []
    parts = document.parts
    for number, (name, part) in enumerate(parts, start=1):
        called = _chat_file(file, name)
        greeting = _greeting(part)
        opening = openings.get((greeting.speaker, greeting.text)) if greeting else None
        beside = shelf.beside(part.messages, called)
        plan = plan_chat(part, file=called, sha256=sha256, at=at, known=beside, greeting=opening, scope=scope)
        if number < len(parts):
            shelf.put(plan)
        plans.append(plan)
        if greeting and opening is None and plan.new and plan.new[0].index == 0:
            openings[greeting.speaker, greeting.text] = plan.new[0].id
    return tuple(plans)


def _chat_file(file: str, name: str) -> str:
    return f"{file}#{name}" if name else file


def _probed(lines: Sequence[SaidLine]) -> list[str]:
    """The fingerprints of some lines, spread over all."""
    return [fingerprint(line.speaker, line.text, line.sent_at) for line in lines[:: max(1, len(lines) // _PROBES)]]


def _greeting(part: Document) -> SaidLine | None:
    first = part.messages[0]
    return first if first.index == 0 and first.role is Role.CHARACTER and not first.hidden else None


class _Shelf:
    """Chats, those of the mind and those that are planned, by the lines they hold."""

    def __init__(self, chats: Iterable[KnownChat], files: Iterable[str]) -> None:
        self._files = frozenset(files)
        self._chats: dict[str, KnownChat] = {}
        self._with: dict[str, set[str]] = {}
        self._called: dict[str, set[str]] = {}
        for chat in chats:
            self._put(chat)

    def beside(self, lines: Sequence[SaidLine], file: str) -> list[KnownChat]:
        """The chats that share lines with these, or have the name."""
        sharing = set(self._called.get(file, ()))
        for mark in _probed(lines):
            sharing |= self._with.get(mark, set())
        found = [self._chats[chat] for chat in sorted(sharing)]
        return [replace(chat, sibling=chat.file in self._files and chat.file != file) for chat in found]

    def put(self, plan: ChatPlan) -> None:
        """``plan`` is going to be written. A chat of the mind goes by the name it has there, which tells whose it is."""
        before = self._chats.get(plan.chat.id)
        new = tuple(_with_marks(plan.new))
        self._put(
            KnownChat(
                id=plan.chat.id,
                file=before.file if before else plan.chat.file,
                lines=(*(before.lines if before else ()), *new),
                sessions=(*(before.sessions if before else ()), *(message.session for message in plan.new)),
                messages=plan.chat.messages,
                places=(*(before.places if before else ()), *(message.index for message in plan.new)),
                sha256=before.sha256 if before and not plan.new else plan.chat.sha256,
            )
        )

    def _put(self, chat: KnownChat) -> None:
        self._chats[chat.id] = chat
        self._called.setdefault(chat.file, set()).add(chat.id)
        for _, mark in chat.lines:
            self._with.setdefault(mark, set()).add(chat.id)


def _with_marks(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    for message in messages:
        yield message.id, fingerprint(message.speaker, message.text, message.sent_at)
