"""The window: the last messages of a talk, and which of them are tagged. Pure: a window and an event give another window."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class Happening(StrEnum):
    """What a message did to the window."""

    TAGGED = "tagged"
    LEFT = "left"
    SUMMARY_DUE = "summary_due"
    SUMMARISED = "summarised"
    REPLACED = "replaced"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to the message ``index`` of the talk."""

    what: Happening
    index: int


@dataclass(frozen=True, slots=True)
class Held:
    """A message in the window, by its number in the talk. ``tagged``: it triggers a summary when it slides out."""

    index: int
    tagged: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """The last messages of a talk, oldest first; at most ``capacity`` (≥ 1). ``said`` counts all that were said in the talk,
    those that have left included: every ``capacity``-th is tagged."""

    capacity: int
    held: tuple[Held, ...] = ()
    said: int = 0

    def __post_init__(self) -> None:
        if self.capacity < 1:
            raise ValueError("a window holds at least one message")


def said(window: Window, index: int, *, tag: bool = False) -> tuple[Window, tuple[Event, ...]]:
    """The window after the message ``index`` was said. ``tag``: it is tagged whatever its number.

    What no longer fits slides out, oldest first: an untagged message just leaves, a tagged one makes a summary due.
    """
    count = window.said + 1
    tagged = tag or count % window.capacity == 0
    held = (*window.held, Held(index, tagged))
    events = [Event(Happening.TAGGED, index)] if tagged else []
    for out in held[: max(len(held) - window.capacity, 0)]:
        events.append(Event(Happening.LEFT, out.index))
        if out.tagged:
            events.append(Event(Happening.SUMMARY_DUE, out.index))
    return replace(window, held=held[-window.capacity :], said=count), tuple(events)


def tag_last(window: Window) -> tuple[Window, tuple[Event, ...]]:
    """The window with its last message tagged: the talk has ended, or turned to something else. One that is empty, or whose last
    message is tagged already, is as it was."""
    if not window.held or window.held[-1].tagged:
        return window, ()
    last = replace(window.held[-1], tagged=True)
    return replace(window, held=(*window.held[:-1], last)), (Event(Happening.TAGGED, last.index),)


def replaced(window: Window, index: int) -> tuple[Window, tuple[Event, ...]]:
    """The window with the message ``index`` in the place, and with the tag, of its last one, which was said again otherwise.

    An empty window hears it as any other message.
    """
    if not window.held:
        return said(window, index)
    former = window.held[-1]
    return replace(window, held=(*window.held[:-1], replace(former, index=index))), (Event(Happening.REPLACED, former.index),)


def retracted(window: Window) -> tuple[Window, tuple[Event, ...]]:
    """The window without its last message, as if it had not been said. What slid out because of it does not come back."""
    if not window.held:
        return window, ()
    former = window.held[-1]
    event = Event(Happening.RETRACTED, former.index)
    return replace(window, held=window.held[:-1], said=max(window.said - 1, 0)), (event,)
