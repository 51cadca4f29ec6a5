"""The window against what it is said to be: for any talk, and from any moment of it on."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.working.window import Event, Happening, Held, Window, replaced, retracted, said, tag_last

#: What happens to a talk: a message (tagged by force or not), the end of talk, the last message said otherwise, or taken back.
happenings = st.lists(st.sampled_from(["say", "say", "say", "tag", "end", "replace", "retract"]), max_size=80)
capacities = st.integers(1, 7)


@dataclass
class Said:
    """A message as the definition sees it: how many had been said with it, and whether it was tagged by force."""

    index: int
    count: int
    forced: bool


def follow(capacity: int, what: list[str], window: Window | None = None, first: int = 0) -> tuple[Window, list[Event]]:
    window = window or Window(capacity)
    events: list[Event] = []
    for index, happening in enumerate(what, start=first):
        match happening:
            case "say" | "tag":
                window, more = said(window, index, tag=happening == "tag")
            case "end":
                window, more = tag_last(window)
            case "replace":
                window, more = replaced(window, index)
            case _:
                window, more = retracted(window)
        events += more
    return window, events


def defined(capacity: int, what: list[str]) -> tuple[list[Said], list[Said]]:
    """By the definition: all that counts as said, in order, and what of it has left the window."""
    inside: list[Said] = []
    left: list[Said] = []
    count = 0
    for index, happening in enumerate(what):
        if happening == "replace" and inside:
            inside[-1] = Said(index, inside[-1].count, inside[-1].forced)
        elif happening == "retract":
            if inside:
                inside.pop()
                count -= 1
        elif happening == "end":
            if inside:
                inside[-1].forced = True
        else:
            count += 1
            inside.append(Said(index, count, happening == "tag"))
            if len(inside) > capacity:
                left.append(inside.pop(0))
    return inside, left


def is_tagged(message: Said, capacity: int) -> bool:
    return message.forced or message.count % capacity == 0


@given(capacities, happenings)
def test_any_talk_gives_the_window_of_its_definition(capacity: int, what: list[str]) -> None:
    window, events = follow(capacity, what)
    inside, left = defined(capacity, what)
    assert window.held == tuple(Held(message.index, is_tagged(message, capacity)) for message in inside)
    assert [event.index for event in events if event.what is Happening.LEFT] == [message.index for message in left]
    due = [event.index for event in events if event.what is Happening.SUMMARY_DUE]
    assert due == [message.index for message in left if is_tagged(message, capacity)]
    assert len(window.held) <= capacity


@given(capacities, happenings, st.integers(0, 80))
def test_a_window_goes_on_as_if_it_had_never_been_put_away(capacity: int, what: list[str], cut: int) -> None:
    before, first = follow(capacity, what[:cut])
    again = Window(capacity, tuple(Held(held.index, held.tagged) for held in before.held), before.said)
    after, second = follow(capacity, what[cut:], again, len(what[:cut]))
    assert (after, first + second) == follow(capacity, what)


@given(capacities, st.integers(0, 60))
def test_every_capacityth_message_is_tagged(capacity: int, number: int) -> None:
    _, events = follow(capacity, ["say"] * number)
    tagged = [event.index + 1 for event in events if event.what is Happening.TAGGED]
    assert tagged == list(range(capacity, number + 1, capacity))


def test_a_smaller_window_lets_go_of_what_no_longer_fits() -> None:
    window, _ = follow(5, ["say", "tag", "say", "say", "say"])
    smaller, events = said(Window(2, window.held, window.said), 5)
    assert [held.index for held in smaller.held] == [4, 5]
    assert [(event.what.value, event.index) for event in events if event.what is not Happening.TAGGED] == [
        ("left", 0),
        ("left", 1),
        ("summary_due", 1),
        ("left", 2),
        ("left", 3),
    ]


def test_a_window_that_holds_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Window(0)
