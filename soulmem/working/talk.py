"""A talk that is going on: its window, and all else that must survive the process. Pure; kept in the mind as one small value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from soulmem.errors import InputError
from soulmem.model.messages import Chat
from soulmem.model.notes import derived_id
from soulmem.working.window import Event, Happening, Held, Window, replaced, retracted, said, tag_last

#: The format of chats that are observed as they happen, and what the names of their files begin with.
LIVE = "live"
PREFIX = "live:"
#: The talk that is meant where none is named.
DEFAULT = "default"
#: A longer name is a mistake; characters.
MOST_OF_NAME = 100

#: Silence after which a new session begins, as for chats that are read from files.
SESSION_GAP = timedelta(minutes=90)
#: Clocks differ by no more, time zones taken for others included.
AHEAD = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """``next_index``: the number of the next message. ``summarised``: the summary has all messages below this number;
    ``due``: it should have all below this one. ``last_at``: when something was last said, by the times of the lines. ``session``:
    the number of the present sitting. ``heard_at``: as ``last_at``, where the lines are dated further ahead than clocks may
    differ: then when the mind heard it."""

    window: Window
    next_index: int = 0
    summarised: int = 0
    due: int = 0
    session: int = 0
    last_at: datetime | None = None
    heard_at: datetime | None = None

    @property
    def active_at(self) -> datetime | None:
        """When there was last talk (see :func:`~soulmem.working.state.state_at`)."""
        return self.heard_at or self.last_at

    @property
    def is_summary_due(self) -> bool:
        return self.due > self.summarised


def chat_name(name: str) -> str:
    """``name``, if a talk may be called so. Raises :class:`InputError`."""
    if not name.strip() or len(name) > MOST_OF_NAME or not name.isprintable():
        raise InputError(f"a talk cannot be called {name[:40]!r}", advice="Give it a short name of printable characters.")
    return name.strip()


def chat_file(name: str) -> str:
    """What stands for the file of a talk."""
    return f"{PREFIX}{name}"


def chat_id(name: str) -> str:
    """The id of the chat of a talk."""
    return derived_id("chat", chat_file(name))


def talk_meta(name: str) -> str:
    """The recorded value that holds a talk."""
    return "working" if name == DEFAULT else f"working:{name}"


def summary_meta(name: str) -> str:
    """The recorded value that holds the summary of a talk; apart, since it changes seldom, and the talk with every message."""
    return "working.summary" if name == DEFAULT else f"working.summary:{name}"


def message_id(chat: str, index: int, token: str | None, said: str = "") -> str:
    """The id of a message: by the ``token`` of whoever observed it, so that a second try finds it, else by its number and what
    was ``said`` (its fingerprint): a line that takes the place of one that was taken back is another."""
    return derived_id("message", chat, index, said) if token is None else derived_id("message", chat, "token", token)


def live_chat(name: str, messages: int, at: datetime) -> Chat:
    """The chat of a talk in which so many messages were said."""
    return Chat(id=chat_id(name), file=chat_file(name), format=LIVE, sha256="", messages=messages, ingested_at=at)


def heard(talk: Talk, at: datetime, *, tag: bool = False) -> tuple[Talk, tuple[Event, ...]]:
    """The talk after its next message was said at ``at``."""
    window, events = said(talk.window, talk.next_index, tag=tag)
    return _followed(_passed(talk, at), window, events)


def heard_instead(talk: Talk, at: datetime) -> tuple[Talk, tuple[Event, ...]]:
    """The talk after its next message was said in place of its last one."""
    window, events = replaced(talk.window, talk.next_index)
    return _followed(_passed(talk, at), window, events)


def heard_hidden(talk: Talk) -> Talk:
    """The talk after a message that was not said (an instruction, a note): it has a number, and no other effect."""
    return replace(talk, next_index=talk.next_index + 1)


def ended(talk: Talk) -> tuple[Talk, tuple[Event, ...]]:
    """The talk after its end, or a turn to something else: its last message is tagged."""
    window, events = tag_last(talk.window)
    return replace(talk, window=window), events


def unsaid(talk: Talk) -> tuple[Talk, tuple[Event, ...]]:
    """The talk without its last message."""
    window, events = retracted(talk.window)
    return replace(talk, window=window), events


def _passed(talk: Talk, at: datetime) -> Talk:
    """The session in which a message of ``at`` is said. Clocks may be set back; what is said is said later."""
    pause = at - talk.last_at if talk.last_at else timedelta(0)
    last = max(at, talk.last_at) if talk.last_at else at
    return replace(talk, session=talk.session + (pause > SESSION_GAP), last_at=last)


def at_hand(talk: Talk, now: datetime) -> Talk:
    """The talk as it stands when the mind's own clock says ``now``: a line that is dated far ahead does not keep it busy until
    then."""
    is_ahead = talk.last_at is not None and talk.last_at > now + AHEAD
    return replace(talk, heard_at=now if is_ahead else None)


def _followed(talk: Talk, window: Window, events: tuple[Event, ...]) -> tuple[Talk, tuple[Event, ...]]:
    stop = talk.next_index + 1
    is_due = any(event.what is Happening.SUMMARY_DUE for event in events)
    return replace(talk, window=window, next_index=stop, due=stop if is_due else talk.due), events


def talk_value(talk: Talk) -> dict[str, Any]:
    """The talk as JSON; small, since it is written with every message."""
    return {
        "held": [held.index for held in talk.window.held],
        "tagged": [held.index for held in talk.window.held if held.tagged],
        "said": talk.window.said,
        "next": talk.next_index,
        "summarised": talk.summarised,
        "due": talk.due,
        "session": talk.session,
        "last_at": talk.last_at.isoformat() if talk.last_at else None,
        **({"heard_at": talk.heard_at.isoformat()} if talk.heard_at else {}),
    }


def talk_of(value: Any, capacity: int) -> Talk:
    """The talk of such JSON. Raises :class:`ValueError`, :class:`TypeError` or :class:`KeyError` for what is none."""
    tagged = set(value["tagged"])
    held = tuple(Held(int(index), index in tagged) for index in value["held"])
    return Talk(
        window=Window(capacity, held, int(value["said"])),
        next_index=int(value["next"]),
        summarised=int(value["summarised"]),
        due=int(value["due"]),
        session=int(value["session"]),
        last_at=datetime.fromisoformat(value["last_at"]) if value["last_at"] else None,
        heard_at=datetime.fromisoformat(value["heard_at"]) if value.get("heard_at") else None,
    )
