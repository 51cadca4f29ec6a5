"""Which lines of a chat file are new: laws over files that grow, shrink, branch and are edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.ingest.contract import Document, SaidLine
from soulmem.ingest.plan_chat import SESSION_GAP, UNTIMED_SESSION, ChatPlan, KnownChat, plan_chat, session_numbers
from soulmem.model.messages import Message, Role, fingerprint

LAWS = settings(deadline=None, max_examples=60)
AT = datetime(2024, 6, 1, tzinfo=UTC)
START = datetime(2024, 1, 1, tzinfo=UTC)

#: What a line says, and at which minute (``None``: the file gives no time).
Said = tuple[str, int | None]


def said_lines(said: Iterable[Said | str]) -> tuple[SaidLine, ...]:
    pairs = [(one, None) if isinstance(one, str) else one for one in said]
    return tuple(
        SaidLine(
            index=index,
            line=index + 2,
            speaker="Ann" if index % 2 else "Bo",
            role=Role.USER,
            text=text,
            sent_at=None if minute is None else START + timedelta(minutes=minute),
        )
        for index, (text, minute) in enumerate(pairs)
    )


def by_text(said: Iterable[Said | str]) -> tuple[SaidLine, ...]:
    """Lines whose speaker does not depend on their place, so that a moved line stays the same line."""
    return tuple(
        SaidLine(index=line.index, line=line.line, speaker="Ann", role=Role.USER, text=line.text, sent_at=line.sent_at)
        for line in said_lines(said)
    )


def document(lines: Sequence[SaidLine]) -> Document:
    return Document(format="script", read=len(lines), messages=tuple(lines))


def mark(line: SaidLine | Message) -> str:
    return fingerprint(line.speaker, line.text, line.sent_at)


def hashed(lines: Sequence[SaidLine]) -> str:
    return " ".join(map(mark, lines))


@dataclass
class Mind:
    """What a mind keeps of chats, and what it tells a plan: lines by number, then by id, as the store gives them."""

    messages: dict[str, Message] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)

    def known(self, lines: Sequence[SaidLine], file: str) -> list[KnownChat]:
        marks = {mark(line) for line in lines}
        sharing = {message.chat for message in self.messages.values() if mark(message) in marks}
        sharing |= {chat for chat, name in self.files.items() if name == file}
        return [self._chat(chat) for chat in sorted(sharing)]

    def _chat(self, chat: str) -> KnownChat:
        own = sorted((one for one in self.messages.values() if one.chat == chat), key=lambda one: (one.index, one.id))
        return KnownChat(
            id=chat,
            file=self.files[chat],
            lines=tuple((one.id, mark(one)) for one in own),
            sessions=tuple(one.session for one in own),
            messages=self.lengths[chat],
            places=tuple(one.index for one in own),
            sha256=self.hashes.get(chat, ""),
        )

    def plan(self, lines: Sequence[SaidLine], file: str = "chat.jsonl") -> ChatPlan:
        return plan_chat(document(lines), file=file, sha256=hashed(lines), at=AT, known=self.known(lines, file))

    def read(self, lines: Sequence[SaidLine], file: str = "chat.jsonl") -> ChatPlan:
        """Plan and apply, as the store would: an id that is there already is refused."""
        plan = self.plan(lines, file)
        check_plan(plan, lines, self)
        assert len({message.id for message in plan.new}) == len(plan.new)
        assert not self.messages.keys() & {message.id for message in plan.new}
        self.messages |= {message.id: message for message in plan.new}
        self.files[plan.chat.id] = file
        if plan.new:
            self.hashes[plan.chat.id] = plan.chat.sha256
        self.lengths[plan.chat.id] = plan.chat.messages
        return plan


def check_plan(plan: ChatPlan, lines: Sequence[SaidLine], mind: Mind) -> None:
    """Every line of the file is either there already, word for word, or new, word for word; none twice, none for another."""
    new = {message.index: message for message in plan.new}
    assert new.keys() | plan.existing.keys() == {line.index for line in lines}
    assert not new.keys() & plan.existing.keys()
    assert len(set(plan.existing.values())) == len(plan.existing)
    for line in lines:
        message = new.get(line.index) or mind.messages[plan.existing[line.index]]
        assert mark(message) == mark(line)
    assert [message.index for message in plan.new] == sorted(new)
    assert {message.chat for message in plan.new} <= {plan.chat.id}


def texts(plan: ChatPlan) -> list[str]:
    return [message.text for message in plan.new]


TALK = ["hello", "what a storm", "the lamp went out", "yes", "I lit it again", "yes", "good night"]


# -- by hand -------------------------------------------------------------------------------------------------------------------


def test_a_first_file_is_new_as_it_stands() -> None:
    lines = said_lines([("hello", 0), ("hi", 1)])
    plan = Mind().read(lines)
    assert [(m.speaker, m.text, m.index, m.line, m.sent_at, m.file) for m in plan.new] == [
        ("Bo", "hello", 0, 2, START, "chat.jsonl"),
        ("Ann", "hi", 1, 3, START + timedelta(minutes=1), "chat.jsonl"),
    ]
    assert plan.existing == {}
    assert (plan.chat.file, plan.chat.messages, plan.chat.ingested_at) == ("chat.jsonl", 2, AT)


def test_what_a_line_says_of_itself_is_kept() -> None:
    line = SaidLine(index=4, line=9, speaker="Bo", role=Role.NARRATOR, text="rain", sent_at=START, hidden=True)
    plan = plan_chat(document([line]), file="c", sha256="ab", at=AT, known=(), scope="direct:Bo")
    (message,) = plan.new
    assert (message.role, message.hidden, message.scope, message.index, message.line) == (Role.NARRATOR, True, "direct:Bo", 4, 9)
    assert plan.chat.sha256 == "ab" and plan.chat.format == "script"


def test_the_same_file_twice_adds_nothing() -> None:
    mind, lines = Mind(), said_lines(TALK)
    first = mind.read(lines)
    second = mind.read(lines)
    assert second.new == () and len(second.existing) == len(TALK)
    assert second.chat.id == first.chat.id


def test_a_grown_file_adds_its_tail() -> None:
    mind = Mind()
    first = mind.read(said_lines(TALK[:4]))
    grown = mind.read(said_lines(TALK))
    assert texts(grown) == TALK[4:]
    assert grown.chat.id == first.chat.id and grown.chat.messages == len(TALK)


def test_a_shrunken_file_takes_nothing_away() -> None:
    mind = Mind()
    mind.read(said_lines(TALK))
    for fewer in (TALK[:3], TALK[:1], [TALK[0], TALK[1], *TALK[4:]][:2], []):
        plan = mind.read(said_lines(fewer))
        assert plan.new == ()
        assert not fewer or plan.chat.messages == len(TALK)


@pytest.mark.parametrize("place", range(len(TALK)))
def test_an_edited_line_adds_that_line(place: int) -> None:
    mind = Mind()
    first = mind.read(said_lines(TALK))
    edited = [*TALK[:place], "what I really said", *TALK[place + 1 :]]
    plan = mind.read(said_lines(edited))
    assert texts(plan) == ["what I really said"]
    assert plan.chat.id == first.chat.id
    assert mind.read(said_lines(edited)).new == ()
    assert mind.read(said_lines(TALK)).new == ()


@pytest.mark.parametrize("place", range(len(TALK) + 1))
def test_an_inserted_line_adds_that_line(place: int) -> None:
    mind = Mind()
    mind.read(by_text(TALK))
    longer = by_text([*TALK[:place], "by the way", *TALK[place:]])
    assert texts(mind.read(longer)) == ["by the way"]
    assert mind.read(longer).new == ()


def test_a_branch_adds_what_differs() -> None:
    mind = Mind()
    first = mind.read(said_lines(TALK), "main.jsonl")
    branch = said_lines([*TALK[:3], "no", "never mind"])
    plan = mind.read(branch, "branch.jsonl")
    assert texts(plan) == ["no", "never mind"]
    assert plan.chat.id != first.chat.id
    assert mind.read(branch, "branch.jsonl").new == ()
    assert mind.read(said_lines(TALK), "main.jsonl").new == ()
    assert texts(mind.read(said_lines([*TALK[:3], "no", "never mind", "bye"]), "branch.jsonl")) == ["bye"]


def test_a_copy_under_another_name_adds_nothing() -> None:
    mind = Mind()
    first = mind.read(said_lines(TALK), "a.jsonl")
    copy = mind.read(said_lines(TALK), "copy of a.jsonl")
    assert copy.new == () and copy.chat.id == first.chat.id


def test_repeated_lines_are_counted() -> None:
    mind = Mind()
    assert len(mind.read(by_text(["ha"] * 3)).new) == 3
    assert mind.read(by_text(["ha"] * 3)).new == ()
    assert mind.read(by_text(["ha"] * 2)).new == ()
    assert len(mind.read(by_text(["ha"] * 5)).new) == 2


def test_the_same_words_in_another_unicode_form_are_the_same_line() -> None:
    mind = Mind()
    mind.read(said_lines(["café"]))
    assert mind.read(said_lines(["cafe\u0301"])).new == ()


def test_unrelated_talk_keeps_its_own_small_words() -> None:
    """Two conversations without times share a "yes" here and there; they are not one conversation."""
    mind = Mind()
    first = mind.read(by_text(["hello", "yes", "tea?", "yes", "fine"]), "one.txt")
    other = by_text(["good morning", "did you sleep", "yes", "was it cold", "not at all", "yes", "come in", "thanks"])
    plan = mind.read(other, "other.txt")
    assert texts(plan) == [line.text for line in other]
    assert plan.chat.id != first.chat.id
    assert mind.read(other, "other.txt").new == ()


@pytest.mark.parametrize("before", [[], TALK[:5]])
def test_answers_that_were_swapped_are_new(before: list[str]) -> None:
    mind = Mind()
    mind.read(by_text([*before, "tea?", "yes", "cake?", "no"]))
    swapped = by_text([*before, "tea?", "no", "cake?", "yes"])
    assert {"yes", "no"} <= set(texts(mind.read(swapped)))
    assert mind.read(swapped).new == ()
    assert texts(mind.read(by_text([line.text for line in swapped] + ["bye"]))) == ["bye"]


def test_an_answer_that_was_said_later_before_is_new() -> None:
    mind = Mind()
    mind.read(by_text([*TALK, "tea?", "yes", "cake?", "no"]))
    assert texts(mind.read(by_text([*TALK, "tea?", "no"]))) == ["no"]


@pytest.mark.parametrize("greeting", [["hello"], []])
def test_another_chat_under_the_same_name_is_another_chat_with_all_its_lines(greeting: list[str]) -> None:
    mind = Mind()
    first = mind.read(by_text([*greeting, "did you sleep", "yes", "was it cold", "no", "fine"]), "-")
    said = ["tea?", "yes", "sugar?", "no", "milk?", "fine", "here"]
    other = mind.read(by_text([*greeting, *said]), "-")
    assert texts(other) == said and other.chat.id != first.chat.id
    assert mind.read(by_text([*greeting, *said]), "-").new == ()
    grown = mind.read(by_text([*greeting, *said, "thanks"]), "-")
    assert texts(grown) == ["thanks"] and grown.chat.id == other.chat.id


def test_ids_depend_on_what_is_read_and_nothing_else() -> None:
    one, other = Mind(), Mind()
    assert one.read(said_lines(TALK)).new == other.read(said_lines(TALK)).new
    assert one.read(said_lines([*TALK, "bye"])).new == other.read(said_lines([*TALK, "bye"])).new


# -- laws over random files ----------------------------------------------------------------------------------------------------


def edited(said: list[Said], rng: np.random.Generator) -> list[Said]:
    """The talk with a few lines changed, dropped, added or moved."""
    said = list(said)
    for _ in range(rng.integers(1, 4)):
        place = int(rng.integers(len(said) + 1))
        kind = rng.integers(5)
        word: Said = (str(rng.choice(["yes", "no", "storm", "lamp", "new"])), None)
        if kind == 0 or not said:
            said.insert(place, word)
        elif kind == 1:
            said.append(word)
        elif kind == 2:
            said[place % len(said)] = word
        elif kind == 3:
            del said[place % len(said)]
        else:
            said.insert(int(rng.integers(len(said))), said.pop(place % len(said)))
    return said


def made_up(rng: np.random.Generator) -> list[Said]:
    size = int(rng.integers(1, 12))
    timed = rng.random() < 0.5
    words = rng.choice(["yes", "no", "storm", "lamp", "tower", "sea"], size=size)
    minutes = np.cumsum(rng.choice([1, 5, 200], size=size))
    return [(str(word), int(minute) if timed else None) for word, minute in zip(words, minutes, strict=True)]


@LAWS
@given(st.integers(0, 2**32 - 1))
def test_after_any_edits_a_file_read_again_adds_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mind, files = Mind(), {}
    for _ in range(rng.integers(2, 7)):
        name = str(rng.choice(["a.jsonl", "b.jsonl", "c.jsonl"]))
        if files and rng.random() < 0.8:
            said = edited(files.get(name) or files[str(rng.choice(sorted(files)))], rng)
        else:
            said = made_up(rng)
        files[name] = said
        mind.read(by_text(said), name)
        assert mind.read(by_text(said), name).new == ()


@LAWS
@given(st.integers(0, 2**32 - 1))
def test_a_file_that_only_grows_adds_every_line_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    said = [word for _ in range(4) for word in made_up(rng)]
    mind, length = Mind(), 0
    while length < len(said):
        grown = min(len(said), length + int(rng.integers(1, 6)))
        assert texts(mind.read(by_text(said[:grown]))) == [text for text, _ in said[length:grown]]
        length = grown
    assert [one.text for one in sorted(mind.messages.values(), key=lambda one: one.index)] == [text for text, _ in said]


@LAWS
@given(st.integers(0, 2**32 - 1))
def test_an_edited_file_adds_at_least_what_it_has_more_of(seed: int) -> None:
    """Nothing that one file, edited however often, holds more often than the mind does is taken for known; and what says when it
    was said is never added twice."""
    rng = np.random.default_rng(seed)
    said = [("opening", None), *made_up(rng)]
    mind = Mind()
    mind.read(by_text(said))
    for _ in range(3):
        held = Counter(mark(message) for message in mind.messages.values())
        said = [said[0], *edited(said[1:], rng)]
        plan = mind.read(by_text(said))
        more = Counter(mark(line) for line in by_text(said)) - held
        added = Counter(map(mark, plan.new))
        assert not more - added
        assert all(message.sent_at is None for message in plan.new if added[mark(message)] > more[mark(message)])


# -- sessions ------------------------------------------------------------------------------------------------------------------


def test_a_long_silence_begins_a_session() -> None:
    gap = int(SESSION_GAP.total_seconds() // 60)
    lines = said_lines([("a", 0), ("b", gap), ("c", 2 * gap + 1), ("d", 2 * gap + 2)])
    assert session_numbers(lines) == [0, 0, 1, 1]


def test_a_jump_back_in_time_begins_a_session_too() -> None:
    assert session_numbers(said_lines([("a", 5000), ("b", 0), ("c", 1)])) == [0, 1, 1]


def test_without_times_a_session_is_so_many_lines() -> None:
    numbers = session_numbers(said_lines(["x"] * (2 * UNTIMED_SESSION + 1)))
    assert Counter(numbers) == {0: UNTIMED_SESSION, 1: UNTIMED_SESSION, 2: 1}


def test_a_line_without_a_time_does_not_end_a_silence() -> None:
    assert session_numbers(said_lines([("a", 0), ("b", None), ("c", 500)])) == [0, 0, 1]


@LAWS
@given(st.lists(st.one_of(st.none(), st.integers(0, 10_000)), max_size=60))
def test_sessions_never_fall_and_never_skip(minutes: list[int | None]) -> None:
    numbers = session_numbers(said_lines([("x", minute) for minute in minutes]))
    assert numbers[:1] in ([], [0])
    assert all(after - before in (0, 1) for before, after in pairwise(numbers))


def test_a_grown_file_goes_on_counting_sessions() -> None:
    mind = Mind()
    said: list[Said] = [("a", 0), ("b", 1), ("c", 1000), ("d", 1001)]
    assert [message.session for message in mind.read(said_lines(said)).new] == [0, 0, 1, 1]
    assert [message.session for message in mind.read(said_lines([*said, ("e", 1002), ("f", 5000)])).new] == [1, 2]


def test_a_file_that_lost_its_beginning_goes_on_counting_too() -> None:
    mind = Mind()
    said: list[Said] = [("a", 0), ("b", 1000), ("c", 2000), ("d", 2001)]
    mind.read(by_text(said))
    assert [message.session for message in mind.read(by_text([*said[2:], ("e", 2002), ("f", 5000)])).new] == [2, 3]


def test_a_file_that_lost_its_middle_counts_on_from_the_last_known_line() -> None:
    mind = Mind()
    mind.read(by_text([("a", 0), ("b", 1000), ("c", 2000)]))
    assert [message.session for message in mind.read(by_text([("a", 0), ("c", 2000), ("d", 2001)])).new] == [2]


def test_talk_that_was_taken_back_and_went_another_way_stays_in_its_session() -> None:
    mind = Mind()
    said: list[Said] = [("a", 0), ("b", 1), ("c", 1000), ("d", 2000)]
    mind.read(by_text(said))
    assert [message.session for message in mind.read(by_text([*said[:2], ("e", 2), ("f", 3000)])).new] == [0, 1]


def test_a_line_before_all_known_ones_has_the_session_of_the_first() -> None:
    mind = Mind()
    mind.read(by_text([("b", 5), ("c", 6)]))
    assert [message.session for message in mind.read(by_text([("a", 4), ("b", 5), ("c", 6)])).new] == [0]


@LAWS
@given(st.integers(0, 2**32 - 1))
def test_read_in_pieces_or_at_once_the_sessions_are_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    said = made_up(rng)
    whole, pieces = Mind(), Mind()
    whole.read(by_text(said))
    for length in sorted({*rng.integers(1, len(said) + 1, size=3).tolist(), len(said)}):
        pieces.read(by_text(said[:length]))
    at_once = {message.index: message.session for message in whole.messages.values()}
    assert {message.index: message.session for message in pieces.messages.values()} == at_once
    assert pieces.messages == whole.messages
