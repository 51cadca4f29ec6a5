"""What of exported messages is new: pure planning over what the mind already holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from soulmem.ingest.contract import Document, Problem
from soulmem.model.messages import Chat, Message
from soulmem.working.confiding import kept_also

Item = TypeVar("Item", Chat, Message)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePlan:
    """``chats`` to record, new ones and those that have grown, and ``messages`` to write. ``kept``: lines of the mind that the
    file keeps from more people, as they are then. ``new`` and ``existing`` count the chats and messages of the file;
    ``problems``: items left out."""

    chats: tuple[Chat, ...]
    messages: tuple[Message, ...]
    kept: tuple[Message, ...]
    new: int
    existing: int
    problems: tuple[Problem, ...]


def plan_archive(document: Document, chats: Mapping[str, Chat], known: Mapping[str, Message]) -> ArchivePlan:
    """Plan the chats and messages of ``document``. ``chats``: those of the mind, by id; ``known``: those of the messages that it
    has, by id."""
    problems: list[Problem] = []
    stated: dict[str, Chat] = {}
    for chat in document.chats:
        _once(chat, stated, f"chat {chat.file}", problems)
    messages: dict[str, Message] = {}
    for message in document.archived:
        if message.chat not in stated and message.chat not in chats:
            problems.append(Problem(None, f"message {message.file}:{message.line}: its chat is nowhere; skipped"))
        else:
            _once(message, messages, f"message {message.file}:{message.line}", problems)
    new_chats = [chat for chat in stated.values() if chat.id not in chats]
    grown = [chat for chat in stated.values() if chat.id in chats and chat.messages > chats[chat.id].messages]
    new = [message for message in messages.values() if message.id not in known]
    return ArchivePlan(
        chats=(*new_chats, *grown),
        messages=tuple(new),
        kept=tuple(
            one
            for message in messages.values()
            if (mine := known.get(message.id)) and (one := kept_also(mine, message.kept_from)) is not mine
        ),
        new=len(new_chats) + len(new),
        existing=len(stated) + len(messages) - len(new_chats) - len(new),
        problems=tuple(problems),
    )


def _once(item: Item, found: dict[str, Item], name: str, problems: list[Problem]) -> None:
    if item.id in found:
        problems.append(Problem(None, f"{name}: stands there twice; skipped"))
    else:
        found[item.id] = item
