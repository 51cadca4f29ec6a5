"""Observing: what is said is in the mind, in the window, in recall and in the summary; once, and for good."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soul_minds import AT, TEA, Minds, chat, graph, opened, said, took
from soul_observing import talk, texts_of

from soulmem.errors import InputError, MindDamagedError, ReadOnlyError, StoreError
from soulmem.model.changes import Change
from soulmem.model.messages import Message
from soulmem.settings import Settings
from soulmem.soul import Soul
from soulmem.store import _kuzu
from soulmem.working.observer import Line
from soulmem.working.state import State, Task
from soulmem.working.summary import Summary, SummaryLine


def test_what_was_observed_is_found_at_once_and_whole(mind: Soul) -> None:
    observed = mind.observe("Greta rowed to Halden on Monday.", speaker="Bo", at=AT, scope="direct:Bo")
    message = observed.message
    assert (message.file, message.index, message.line, message.scope) == ("live:default", 0, 1, "direct:Bo")
    assert [found.text for found in mind.recall("Who rowed to Halden?", messages=3, at=AT).messages] == [message.text]
    assert mind.check() == ()
    report = mind.idle(AT + timedelta(minutes=3))
    assert (report.state, report.tasks, report.vectors) == (State.IDLE, (Task.VECTORS,), 1)
    assert mind.idle(AT + timedelta(minutes=3)).tasks == ()
    found = mind.recall("Who rowed to Halden?", messages=3, at=AT).messages[0]
    assert found.text == message.text
    assert mind.check() == ()


def test_nothing_is_done_while_there_is_talk(mind: Soul) -> None:
    mind.observe("I moved to Leeds.", speaker="Bo", at=AT)
    assert mind.idle(AT + timedelta(seconds=119)).tasks == ()
    assert mind.idle(AT + timedelta(seconds=119), forced=True).vectors == 1


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 60), st.integers(0, 59), st.integers(1, 4), st.booleans())
def test_a_mind_closed_in_the_middle_is_one_that_never_was(minds: Minds, number: int, cut: int, each: int, end: bool) -> None:
    lines, own = talk(number, seed=number), Settings(window_capacity=6)
    steady, stopping = minds(settings=own), minds(settings=own)
    for soul, part in ((steady, lines), (stopping, lines[:cut])):
        for start in range(0, len(part), each):
            soul.observe_many(part[start : start + each])
    path = stopping.store.path
    if end:
        steady.end_talk()
        stopping.end_talk()
    stopping.close()
    with opened(path, settings=own) as again:
        for line in lines[cut:]:
            again.observe_many([line])
        if not end:
            assert again.window(at=AT) == steady.window(at=AT)
        kept = [message.text for message in again.store.messages([row["id"] for row in again.store.query("store.all_messages")])]
        assert kept == texts_of(lines)
        assert again.check() == ()


def test_a_summary_is_made_when_a_tagged_message_slides_out(minds: Minds) -> None:
    soul = minds(settings=Settings(window_capacity=5))
    events = [(event.what.value, event.index) for one in soul.observe_many(talk(10, seed=3)) for event in one.events]
    assert ("summary_due", 4) in events and ("summarised", 9) in events
    view = soul.window(at=AT)
    assert view.summary and not view.summary_due and len(view.messages) == 5
    everything = {(line.speaker, line.text) for line in talk(10, seed=3)}
    for line in view.summary.splitlines():
        speaker, _, text = line[11:].partition(": ")
        assert any(speaker == name and text in whole for name, whole in everything)


def test_a_second_try_adds_nothing_and_another_line_of_the_same_token_is_refused(mind: Soul) -> None:
    first = mind.observe("I moved to Leeds.", speaker="Bo", at=AT, token="a")
    again = mind.observe("I moved to Leeds.", speaker="Bo", at=AT + timedelta(minutes=1), token="a")
    assert again.known and again.message == first.message
    twice = Line(text="So did I.", speaker="Ann", at=AT, token="b")
    one, other = mind.observe_many([twice, twice])
    assert other.known and one.message == other.message
    assert mind.window(at=AT).said == 2 and mind.stats()["messages"] == 2
    with pytest.raises(InputError, match="another line"):
        mind.observe("I moved to York.", speaker="Bo", at=AT, token="a")
    assert mind.stats()["messages"] == 2


def test_an_answer_said_again_replaces_the_former(mind: Soul) -> None:
    mind.observe("Where is Greta?", speaker="Bo", at=AT)
    former = mind.observe("Greta is in Halden.", speaker="Ann", role="character", at=AT)
    latter = mind.observe("Greta is in Leeds.", speaker="Ann", role="character", at=AT, replace=former.message.id)
    assert [event.what.value for event in latter.events] == ["replaced"]
    view = mind.window(at=AT)
    assert [said.text for said in view.messages] == ["Where is Greta?", "Greta is in Leeds."] and view.said == 2
    assert mind.check() == ()
    mind.idle(AT, forced=True)
    found = [line.text for line in mind.recall("Is Greta in Leeds, or in Halden?", messages=9, at=AT).messages]
    assert "Greta is in Halden." not in found and "Greta is in Leeds." in found
    assert mind.store.messages([former.message.id])[0].hidden
    with pytest.raises(InputError, match="not the last"):
        mind.observe("In York.", speaker="Ann", at=AT, replace=former.message.id)
    assert mind.check() == ()


def test_a_batch_may_replace_what_it_has_just_said(mind: Soul) -> None:
    lines = [Line(text=f"Take {n}.", speaker="Ann", at=AT, token=str(n), replaces=str(n - 1) if n else None) for n in range(3)]
    mind.observe_many(lines)
    assert [said.text for said in mind.window(at=AT).messages] == ["Take 2."]
    assert mind.stats()["messages"] == 3 and mind.check() == ()


def test_what_is_taken_back_was_not_said(minds: Minds) -> None:
    soul = minds(settings=Settings(window_capacity=3))
    for n in range(6):
        soul.observe(f"I promise {n} lamps to Greta.", speaker="Bo", at=AT + timedelta(minutes=n))
    assert "5 lamps" in soul.window(at=AT).summary
    back = soul.retract()
    assert back is not None and back.hidden and back.text == "I promise 5 lamps to Greta."
    view = soul.window(at=AT)
    assert "5 lamps" not in view.summary and "4 lamps" in view.summary
    assert [said.index for said in view.messages] == [3, 4] and view.said == 5
    assert "I promise 5 lamps to Greta." not in [line.text for line in soul.recall("5 lamps", messages=9, at=AT).messages]
    soul.retract()
    soul.retract()
    assert soul.retract() is None and soul.window(at=AT).messages == ()
    soul.observe("From the start.", speaker="Bo", at=AT)
    assert [said.index for said in soul.window(at=AT).messages] == [6] and soul.check() == ()


def test_the_end_of_a_talk_is_tagged_once(mind: Soul) -> None:
    assert mind.end_talk() == ()
    last = mind.observe("Good night.", speaker="Bo", at=AT)
    assert [event.what.value for event in mind.end_talk()] == ["tagged"]
    assert mind.end_talk() == () and mind.window(at=AT).tagged == (last.message.id,)


def test_talks_have_windows_of_their_own(mind: Soul) -> None:
    mind.observe("Only to you.", speaker="Bo", at=AT, chat="bo", scope="direct:Bo")
    mind.observe("To all.", speaker="Ann", at=AT)
    assert mind.talks() == ("bo", "default")
    assert [said.text for said in mind.window("bo", at=AT).messages] == ["Only to you."]
    assert [said.text for said in mind.recall("x", at=AT).window] == ["To all."]
    assert mind.recall("x", at=AT, chat=None).window == ()
    assert mind.recall("x", at=AT, chat="bo").window[0].text == "Only to you."


def test_hidden_lines_are_kept_and_not_said(mind: Soul) -> None:
    mind.observe("Be brief, Halden.", speaker="System", role="system", at=AT, hidden=True)
    mind.observe("Hello, Greta.", speaker="Bo", at=AT)
    view = mind.window(at=AT)
    assert [said.index for said in view.messages] == [1] and view.said == 1
    mind.idle(AT, forced=True)
    assert [line.text for line in mind.recall("Hello Greta, Halden", messages=5, at=AT).messages] == ["Hello, Greta."]
    assert mind.check() == ()


def test_a_long_silence_begins_a_new_session(mind: Soul) -> None:
    moments = (0, 89, 180, 181)
    found = [mind.observe("Hm.", speaker="Bo", at=AT + timedelta(minutes=m)).message.session for m in moments]
    assert found == [0, 0, 1, 1]
    assert mind.observe("The clock was set back.", speaker="Bo", at=AT).message.session == 1


class Model:
    """Writes summaries as a model would: later, and in its own words."""

    at_once = False

    def __init__(self) -> None:
        self.seen: list[list[int]] = []

    def summarise(self, former: Summary, said: list[Message], budget: int) -> Summary:
        self.seen.append([message.index for message in said])
        return Summary((*former.lines, SummaryLine(text=f"{len(said)} lines about lamps")))


def test_a_summary_that_takes_long_waits_for_quiet_and_survives(minds: Minds) -> None:
    own = Settings(window_capacity=4)
    soul = minds(settings=own)
    soul.observe_many(talk(9, seed=5))
    soul.observer.summariser = model = Model()
    path = soul.store.path
    soul.observe_many(talk(13, seed=5)[9:])
    assert soul.window(at=AT).summary_due
    soul.close()
    with opened(path, settings=own) as again:
        again.observer.summariser = model
        report = again.observer.idle(AT, forced=True)
        assert report.summaries == 1 and not again.window(at=AT).summary_due
        assert "lines about lamps" in again.window(at=AT).summary
        assert model.seen[0] == list(range(model.seen[0][0], 12)) and again.idle(AT, forced=True).summaries == 0


def test_an_exported_talk_goes_on_in_another_mind(minds: Minds) -> None:
    own = Settings(window_capacity=4)
    one, other = minds(settings=own), minds(settings=own)
    one.observe_many(talk(11, seed=2))
    took(other, one.export_messages().encode(), "x.messages.jsonl")
    assert [said.id for said in other.window(at=AT).messages] == [said.id for said in one.window(at=AT).messages]
    assert other.observe_many(talk(12, seed=2)[10:])[0].known
    assert other.window(at=AT).messages[-1].index == 11 and other.check() == ()


def test_a_file_of_a_talk_that_was_observed_adds_what_is_new_and_the_talk_goes_on(mind: Soul) -> None:
    for n in range(3):
        mind.observe(f"Line {n} of Halden.", speaker="Bo", at=datetime.fromisoformat(f"2026-03-01T10:0{n}:00+00:00"))
    report = took(mind, chat(*(said("Bo", f"Line {n} of Halden.", n) for n in range(5))), "saved.jsonl")
    assert (report.new, report.existing) == (2, 3)
    after = mind.observe("Line 5 of Halden.", speaker="Bo", at=AT)
    assert after.message.index == 3 and len(mind.window(at=AT).messages) == 4 and mind.check() == ()


def test_what_was_used_a_moment_ago_comes_more_easily_and_says_so(minds: Minds) -> None:
    soul = minds()
    took(soul, graph(*TEA))
    before = soul.recall("the blue pot", at=AT)
    soul.commit(before)
    assert shown_scores(soul.recall("the blue pot", at=AT, chat=None)) == shown_scores(soul.recall("the blue pot", at=AT))
    assert all("activation" not in memory.channels for memory in soul.recall("the blue pot", at=AT).memories)
    pot = soul.note("sem_pot").id
    plain = shown_scores(soul.recall("crooked shelf and the pot", at=AT))
    soul.observe("Let us have tea.", speaker="Bo", at=AT)
    lively = soul.recall("crooked shelf and the pot", at=AT)
    assert {memory.id: memory.channels for memory in lively.memories}[pot]["activation"] == 0.5
    assert plain[pot] < shown_scores(lively)[pot] <= 1.0
    later = soul.recall("crooked shelf and the pot", at=AT + timedelta(minutes=10))
    assert {memory.id: memory.channels for memory in later.memories}[pot]["activation"] == pytest.approx(0.184, abs=1e-3)
    assert "activation" in soul.why("sem_pot", "crooked shelf and the pot", at=AT).text
    assert soul.recall("zzz qqq", at=AT).memories == before.memories[:0] or all(
        memory.stage.value == "core" for memory in soul.recall("zzz qqq", at=AT).memories
    )


def shown_scores(found: object) -> dict[str, float]:
    return {memory.id: memory.score for memory in found.memories}  # type: ignore[attr-defined]


def test_records_count_recalls_and_feedback_apart(minds: Minds) -> None:
    soul = minds()
    took(soul, graph(*TEA))
    for hours in (0, 1, 2):
        soul.commit(soul.recall("the blue pot", at=AT + timedelta(hours=hours)))
    pot = soul.note("sem_pot").id
    soul.feedback([pot], 1, AT)
    soul.feedback([pot, pot], -1, AT)
    soul.feedback([pot], -1, AT)
    record = {one.note: one for one in soul.records()}[pot]
    assert (len(record.times), record.frequency, record.feedback) == (3, 1.5, -1)
    assert pot in {one.note for one in soul.hot_notes(3)} and soul.preload() == len(soul.hot_notes())
    assert len(soul.query("tune.recalls", {"limit": 9}).rows) == 3
    assert all(row[3] != "feedback" for row in soul.query("tune.recalled").rows)
    assert soul.feedback([], 1) is None
    with pytest.raises(InputError):
        soul.feedback([pot], 2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": " \n "},
        {"text": "<think>only this</think>"},
        {"speaker": ""},
        {"scope": "direct:"},
        {"scope": "secret"},
        {"at": AT.replace(tzinfo=None)},
        {"token": ""},
        {"chat": " "},
        {"chat": "a\nb"},
        {"replace": "no such"},
    ],
)
def test_what_cannot_be_observed_is_refused_and_leaves_nothing(mind: Soul, wrong: dict[str, object]) -> None:
    given_ = {"text": "Hi.", "speaker": "Bo", "at": AT} | wrong
    with pytest.raises(InputError):
        mind.observe(**given_)  # type: ignore[arg-type]
    assert mind.stats()["messages"] == 0


def test_hostile_text_is_kept_as_text(mind: Soul) -> None:
    hostile = ["\x00nul", "'; MATCH (n) DETACH DELETE n; //", "half \ud800 pair", "长" * 3000, "😀👩‍👩‍👧", "a " * 5000]
    for text in hostile:
        mind.observe(text, speaker="B\x00o", at=AT)
    kept = [said.text for said in mind.window(at=AT).messages]
    assert kept == [" nul".strip(), hostile[1], "half � pair", hostile[3], hostile[4], hostile[5].strip()]
    mind.idle(AT, forced=True)
    assert mind.check() == ()


def test_a_damaged_record_is_told(mind: Soul) -> None:
    mind.observe("Hi.", speaker="Bo", at=AT)
    mind.store.apply(Change(command="x", what="x", at=AT, meta={"working": {"held": 3}}))
    with pytest.raises(MindDamagedError, match="default"):
        mind.window(at=AT)
    assert mind.observe("Hi.", speaker="Bo", at=AT, chat="other").message.index == 0


def test_reading_alone_does_not_observe(mind: Soul) -> None:
    mind.observe("Hi.", speaker="Bo", at=AT)
    path = mind.store.path
    mind.close()
    with opened(path, read_only=True) as soul:
        assert soul.window(at=AT).said == 1
        with pytest.raises(ReadOnlyError):
            soul.observe("Ho.", speaker="Bo", at=AT)


def test_two_that_observe_one_mind_take_turns(mind: Soul) -> None:
    with opened(mind.store.path) as other:
        for n in range(6):
            (mind, other)[n % 2].observe(f"Line {n}.", speaker="Bo", at=AT)
        assert [said.index for said in other.window(at=AT).messages] == list(range(6))
        assert mind.window(at=AT) == other.window(at=AT)


def test_on_a_full_disk_no_checkpoint_is_begun_and_nothing_is_lost(minds: Minds, monkeypatch: pytest.MonkeyPatch) -> None:
    soul = minds()
    monkeypatch.setattr(_kuzu, "ROOM_FOR_CHECKPOINT", 2**62)
    for number in range(3):
        soul.observe(f"line {number}", speaker="Bo", at=AT)
    with pytest.raises(StoreError, match="too full"):
        soul.retract(at=AT)
    path = soul.store.path
    soul.close()
    assert path.with_name(f"{path.name}.wal").exists(), "the log has not been written into the file"
    monkeypatch.undo()
    with opened(path) as again:
        assert [line.text for line in again.window().messages] == ["line 0", "line 1", "line 2"] and again.check() == ()


def test_a_line_dated_far_ahead_does_not_keep_the_mind_busy_until_then(minds: Minds) -> None:
    now = [AT]
    soul = minds(clock=lambda: now[0])
    soul.observe("In the year 2150 the ferry flies.", speaker="Bo", at=AT.replace(year=2150))
    soul.observe("It does.", speaker="Ann", at=AT)
    assert soul.window().state is State.WORKING, "there is talk now"
    now[0] = AT + timedelta(hours=1)
    assert soul.window().state is State.IDLE and soul.idle().consolidation is not None
    with opened(soul.store.path, clock=lambda: now[0]) as again:
        assert again.window().state is State.IDLE
        (first, _) = again.window().messages
        assert first.sent_at == AT.replace(year=2150), "it keeps its own time"
