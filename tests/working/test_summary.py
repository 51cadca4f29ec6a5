"""Summaries: cumulative, bounded, the same every time, and nothing in them that was not said."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.model.messages import Message, Role
from soulmem.working.summary import Extractive, Summary, SummaryLine, salience, sentences, summary_of, summary_value

AT = datetime(2026, 5, 1, 12, tzinfo=UTC)
PIECES = (
    "I promise to call on Monday. ",
    "我明天一定给你打电话。",
    "Greta rowed to Halden in 1987! ",
    "我叫小红，住在成都。",
    "ok",
    "嗯嗯",
    "I love satay; it is my favourite. ",
    "Do you like ferries? ",
    "\n",
    "“He said: no.” ",
    "x" * 400,
    "word " * 80,
    "…",
    "   ",
)
texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join)


def message(index: int, text: str, speaker: str = "Bo", **more: object) -> Message:
    values = {"sent_at": AT + timedelta(minutes=index), "role": Role.USER} | more
    return Message(id=str(index), chat="c", index=index, file="live:c", line=index + 1, speaker=speaker, text=text, **values)  # type: ignore[arg-type]


talks = st.lists(st.tuples(texts, st.sampled_from(["Bo", "小红", "Mei Lin"])), max_size=25).map(
    lambda said: [message(index, text, speaker) for index, (text, speaker) in enumerate(said)]
)
budgets = st.integers(0, 1500)


def in_parts(talk: list[Message], size: int, budget: int) -> Summary:
    parts = [talk[start : start + size] for start in range(0, len(talk), size)]
    return reduce(lambda former, part: Extractive().summarise(former, part, budget), parts, Summary())


@given(talks, st.integers(1, 9), budgets)
def test_nothing_is_in_it_that_was_not_said(talk: list[Message], size: int, budget: int) -> None:
    by_index = {said.index: said for said in talk}
    for line in in_parts(talk, size, budget).lines:
        assert line.index is not None
        said = by_index[line.index]
        assert line.speaker == said.speaker and line.text in said.text and line.text and line.at == said.sent_at


@given(talks, st.integers(1, 9), budgets)
def test_it_is_bounded_deterministic_and_in_the_order_of_the_talk(talk: list[Message], size: int, budget: int) -> None:
    summary = in_parts(talk, size, budget)
    assert len(summary.text) <= budget
    assert in_parts(talk, size, budget) == summary
    numbers = [line.index for line in summary.lines]
    assert numbers == sorted(numbers)  # type: ignore[type-var]
    assert len({(line.speaker, line.text) for line in summary.lines}) == len(summary.lines)


@given(talks, st.integers(1, 9), budgets)
def test_it_is_written_and_read_as_it_is(talk: list[Message], size: int, budget: int) -> None:
    summary = in_parts(talk, size, budget)
    assert summary_of(json.loads(json.dumps(summary_value(summary)))) == summary


@given(talks)
def test_with_room_enough_the_former_summary_is_kept_whole(talk: list[Message]) -> None:
    former = Extractive().summarise(Summary(), talk[::2], 10**6)
    after = Extractive().summarise(former, talk[1::2], 10**6)
    assert set(former.lines) <= set(after.lines)


@given(texts)
def test_sentences_stand_in_the_text_in_order(text: str) -> None:
    place = 0
    for sentence in sentences(text):
        assert 0 < len(sentence) <= 160
        place = text.index(sentence, place) + len(sentence)


@pytest.mark.parametrize(
    ("telling", "chat"),
    [
        ("I promise I'll bring the lamp on Friday.", "Good morning!"),
        ("我答应你周五带灯来。", "早上好呀"),
        ("My sister Greta moved to Halden in 1987.", "That sounds nice, really."),
        ("我最喜欢吃辣的。", "嗯，是这样的。"),
        ("I am allergic to nuts.", "Are you allergic to nuts?"),
        ("我对花生过敏。", "你对花生过敏吗？"),
    ],
)
def test_what_tells_more_comes_first(telling: str, chat: str) -> None:
    assert salience(telling) > salience(chat)
    summary = Extractive().summarise(
        Summary(), [message(0, chat), message(1, telling), message(2, chat)], len(f"2026-05-01 Bo: {telling}\n")
    )
    assert [line.text for line in summary.lines] == [telling]


def test_later_chatter_does_not_drive_out_what_was_promised() -> None:
    promise = "I promise to bring the lamp to Halden on 3 May."
    summary = Extractive().summarise(Summary(), [message(0, promise)], 400)
    for start in range(1, 200, 20):
        talk = [message(start + n, f"Well the weather here is as it was, number {start + n} or so.") for n in range(20)]
        summary = Extractive().summarise(summary, talk, 400)
    assert promise in [line.text for line in summary.lines]


def test_hidden_lines_were_not_said_and_what_was_taken_back_can_be_taken_out() -> None:
    talk = [message(0, "I love satay."), message(1, "I hate satay.", hidden=True), message(2, "I love plums.")]
    summary = Extractive().summarise(Summary(), talk, 400)
    assert [line.index for line in summary.lines] == [0, 2]
    assert [line.index for line in summary.without(0).lines] == [2]


def test_what_a_model_wrote_is_kept_before_what_is_taken_from_the_talk() -> None:
    written = Summary((SummaryLine(text="They talked of boats."),))
    summary = Extractive().summarise(written, [message(0, "I promise to row to Halden on Monday.")], 90)
    assert summary.text == "They talked of boats.\n2026-05-01 Bo: I promise to row to Halden on Monday."


def test_what_is_no_summary_is_refused() -> None:
    assert summary_of(None) == Summary()
    for value in (3, ["x"], [[1, "Bo", "hi", "yesterday"]]):
        with pytest.raises((ValueError, TypeError)):
            summary_of(value)
