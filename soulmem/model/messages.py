"""Messages: the raw lines of conversations, and the chats they belong to. Every memory drawn from talk leads back to them."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Role(StrEnum):
    """What a speaker is in the conversation: the person who talks with the character, the character, or neither."""

    USER = "user"
    CHARACTER = "character"
    NARRATOR = "narrator"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One line that was said. ``index`` is its 0-based number in its chat file, ``line`` the 1-based line of the file.

    ``hidden`` lines were hidden from the conversation (``is_system`` in SillyTavern): they are kept so that numbers agree with
    the file, but they were not said: nothing is drawn from them and no recall returns them. ``sent_at`` is UTC, or ``None``
    where the file gives no time; file order, not time, is the truth about order. ``scope`` and ``kept_from``: as for notes;
    ``present``: who heard it besides those who speak. ``session`` numbers the sittings of the chat from 0: a long silence
    begins a new one.
    """

    id: str
    chat: str
    index: int
    file: str
    line: int
    speaker: str
    role: Role
    text: str
    sent_at: datetime | None = None
    hidden: bool = False
    scope: str = "public"
    present: tuple[str, ...] = ()
    kept_from: tuple[str, ...] = ()
    session: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A conversation file that was read. ``id`` derives from its path as given; ``messages`` counts all its message lines."""

    id: str
    file: str
    format: str
    sha256: str
    messages: int
    ingested_at: datetime


def fingerprint(speaker: str, text: str, sent_at: datetime | None) -> str:
    """SHA-256 (hex) of who said what when: the same line in a longer or copied chat file has the same fingerprint.

    Text is NFC-normalised first, so that the same words in another Unicode form count as the same.
    """
    parts = (speaker, text, sent_at.isoformat() if sent_at else "")
    said = "\x1f".join(unicodedata.normalize("NFC", part) for part in parts)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def narrowest(scopes: Sequence[str]) -> str:
    """The scope of what is drawn from lines of these scopes: theirs if it is one, else the least public of them."""
    ranks = {"direct": 0, "group": 1}
    return min(scopes, key=lambda scope: (ranks.get(scope.partition(":")[0], 2), scope), default="public")


def widest(scopes: Sequence[str]) -> str:
    """The scope of what was heard in all of these: public, if any is; else the first."""
    return "public" if "public" in scopes or not scopes else scopes[0]
