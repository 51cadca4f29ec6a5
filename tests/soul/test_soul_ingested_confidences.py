"""What is told in confidence in a chat that is read: kept as if it had been said live, and never told to whom it is kept from."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from soul_dump import dump
from soul_minds import AT, concept, graph, opened, said, took, written

from soulmem.ingest.contract import SaidLine
from soulmem.ingest.heard import REACH, Members, confidences
from soulmem.ingest.plan_chat import ChatPlan
from soulmem.model.messages import Chat, Message, Role
from soulmem.settings import Settings
from soulmem.soul import Soul
from soulmem.working.observer import Line, Present, said_step
from soulmem.working.summary import Extractive
from soulmem.working.talk import Talk
from soulmem.working.window import Window

HOUR = timedelta(hours=1)
#: What is private, and the lines that tell it.
SECRETS = ("zebra", "Zanzibar", "斑马", "桑给巴尔")
OPEN = ("The lake is lovely.", "I saw a film with Kai.", "湖边的茶馆很好。", "ok")
TOLD = ("I keep a zebra.", "We fly to Zanzibar.", "我养了一只斑马。", "我们要去桑给巴尔。")
ASKED = ("Don't tell Ann.", "Keep it between us.", "别告诉Ann", "这是秘密")


def heard(soul: Soul, question: str, scope: str | None) -> str:
    found = soul.recall(question, messages=9, at=AT + HOUR, heard_in=scope)
    return "\n".join([*(memory.text for memory in found.memories), *(line.text for line in found.messages)])


def kept(soul: Soul) -> list[tuple[str, tuple[str, ...]]]:
    rows = soul.store.query("store.all_messages")
    lines = soul.store.messages([row["id"] for row in rows])
    return [(line.text, line.kept_from) for line in sorted(lines, key=lambda line: (line.file, line.index))]


def talk(*lines: tuple[str, str, int | None]) -> bytes:
    """A chat with Wren of people who are all no characters. Each line: who, what, and in which minute."""
    told = [{"user_name": "Bo", "character_name": "Wren"}]
    told += [said(name, text, minute, is_user=name != "Wren") for name, text, minute in lines]
    return b"".join(written(line) + b"\n" for line in told)


def script(*lines: tuple[str, str]) -> bytes:
    return "".join(f"{speaker}: {text}\n" for speaker, text in lines).encode()


def line_of(place: int, speaker: str, text: str, *, role: Role = Role.USER, at: datetime = AT) -> Message:
    return Message(
        id=str(place), chat="c", index=place, file="c.txt", line=place + 1, speaker=speaker, role=role, text=text, sent_at=at
    )


# -- laws ---------------------------------------------------------------------------------------------------------------------

SPOKEN = st.lists(
    st.tuples(st.sampled_from(["Bo", "Ann", "Wren"]), st.sampled_from([*OPEN, *TOLD, *ASKED, f"{TOLD[0]} {ASKED[0]}"])),
    min_size=1,
    max_size=REACH - 1,
).map(lambda lines: [("Wren", "Good morning."), *lines])


def _role(speaker: str) -> Role:
    return Role.CHARACTER if speaker == "Wren" else Role.USER


@given(SPOKEN)
def test_reading_a_chat_keeps_what_hearing_it_would_keep(lines: list[tuple[str, str]]) -> None:
    live: dict[int, Message] = {}
    present = Present(Talk(window=Window(REACH)))
    for place, (speaker, text) in enumerate(lines):
        line = Line(text=text, speaker=speaker, role=_role(speaker), at=AT + timedelta(minutes=place))
        step = said_step("default", present, line, Extractive(), Settings())
        live |= {one.index: one for one in (*step.kept, step.message)}
        present = step.present
    new = tuple(line_of(place, speaker, text, at=AT + timedelta(minutes=place)) for place, (speaker, text) in enumerate(lines))
    whole = Chat(id="c", file="c.txt", format="script", sha256="", messages=len(new), ingested_at=AT)
    plan = ChatPlan(chat=whole, new=new, existing={})
    found: dict[int, Message] = {}
    for one in confidences(plan, {}, {"wren"}):
        found |= {line.index: line for line in (*one.before, one.said)}
    assert {place: line.kept_from for place, line in found.items()} == {place: line.kept_from for place, line in live.items()}


def test_what_others_answer_is_no_answer_of_a_character_that_has_a_name_and_says_nothing() -> None:
    said_there = (
        ("Bo", "I am moving to York. Keep it to yourself."),
        ("Joe", "I sold my green canoe."),
        ("Bo", "Fine weather."),
    )
    new = tuple(line_of(place, speaker, text) for place, (speaker, text) in enumerate(said_there))
    whole = Chat(id="c", file="c.txt", format="script", sha256="", messages=len(new), ingested_at=AT)
    plan = ChatPlan(chat=whole, new=new, existing={})

    def kept_lines(own: set[str]) -> list[int]:
        return [one.said.index for one in confidences(plan, {}, own) if one.said.kept_from]

    assert kept_lines({"wren"}) == [0]
    assert kept_lines(set()) == [0, 1]  # whose the character's lines are, nobody knows: it may be Joe's answer


@st.composite
def confided_chats(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Talk among which something is told in confidence: with the request, or just before it; and answered by the character."""
    lines = draw(st.lists(st.tuples(st.sampled_from(["Bo", "Joe", "Kai"]), st.sampled_from(OPEN)), max_size=5))
    for told in draw(st.lists(st.sampled_from(TOLD), min_size=1, max_size=3, unique=True)):
        asks = draw(st.sampled_from(ASKED))
        answer = ("Wren", draw(st.sampled_from([told, "I will not."])))
        one = draw(st.sampled_from([[("Bo", f"{told} {asks}"), answer], [("Bo", told), answer, ("Bo", asks), answer]]))
        lines += [*one, ("Bo", draw(st.sampled_from(OPEN)))]
    return lines


@settings(max_examples=6, deadline=None, phases=(Phase.explicit, Phase.generate), suppress_health_check=list(HealthCheck))
@given(lines=confided_chats(), dated=st.booleans(), cut=st.integers(0, 12))
def test_nobody_it_is_kept_from_hears_what_was_confided_in_a_file(
    tmp_path_factory: pytest.TempPathFactory, empty_file: Path, lines: list[tuple[str, str]], dated: bool, cut: int
) -> None:
    path = tmp_path_factory.mktemp("confided") / "confided.mind"
    shutil.copy(empty_file, path)
    with opened(path) as soul:
        _nobody_hears(soul, lines, dated=dated, cut=cut)


def _nobody_hears(soul: Soul, lines: list[tuple[str, str]], *, dated: bool, cut: int) -> None:
    whole = [(name, text, place if dated else None) for place, (name, text) in enumerate(lines)]
    if 0 < cut < len(whole):
        took(soul, talk(*whole[:cut]), "tea.jsonl", at=AT)
    took(soul, talk(*whole), "tea.jsonl", at=AT)
    soul.consolidate(at=AT + HOUR, from_start=True)
    assert all(text in heard(soul, text, None) for _, text in lines if text in TOLD)
    for question in ("Who keeps a zebra? Zanzibar", "谁养了斑马？桑给巴尔"):
        for scope in ("public", "direct:Ann"):
            leaked = [secret for secret in SECRETS if secret in heard(soul, question, scope)]
            assert not leaked
    assert not any(secret in soul.export_graph(heard_in="public") for secret in SECRETS)


# -- examples -----------------------------------------------------------------------------------------------------------------

CASES = [
    ((("Bo", "I am moving to York. Don't tell Ann."),), "York", "ann"),
    ((("Bo", "I am moving to York."), ("Wren", "York! How lovely."), ("Bo", "Don't tell Ann.")), "York", "ann"),
    ((("小红", "我要搬到约克去，别告诉小明。"),), "约克", "小明"),
    ((("小红", "我要搬到约克去。"), ("Wren", "约克真好。"), ("小红", "别告诉小明")), "约克", "小明"),
    ((*[("Bo", "ok")] * 19, ("Bo", "I am moving to York."), ("Bo", "Don't tell Ann.")), "York", "ann"),
]


@pytest.mark.parametrize(("lines", "secret", "name"), CASES)
def test_what_is_told_in_confidence_in_a_file_is_kept(
    mind: Soul, lines: Sequence[tuple[str, str]], secret: str, name: str
) -> None:
    took(mind, script(("Eve", "The weather is fine."), *lines), "a.txt", at=AT)
    mind.consolidate(at=AT + HOUR, from_start=True)
    assert any(row.kept_from == (name,) for row in mind.list(type="SpecificSituation"))
    assert secret in heard(mind, secret, None)
    assert secret in heard(mind, secret, "direct:Kai")
    for scope in (f"direct:{name.upper()}", "public"):
        assert secret not in heard(mind, secret, scope)


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        ("Don't tell <@Bo>", "Bo"),
        ("Don't tell _bo_99_", "_bo_99_"),
        ("Don't tell Jose\u0301", "José"),
        ("Don't tell T.J.", "T.J."),
        ("Don't tell Bo (or Kai)", "Kai"),
        ("*I whispered to Wren:* “Don't tell Bo.”", "Bo"),
        ('Ann said, "Don\'t tell Bo."', "Bo"),
        ("别告诉～小明", "小明"),
        ("我悄悄说：“别告诉小明。”", "小明"),
    ],
)
def test_a_request_in_a_file_holds_whatever_signs_are_in_it(mind: Soul, request_: str, name: str) -> None:
    took(mind, script(("Ann", f"I move to Zanzibar. {request_}"), ("Wren", "ok"), (name, "hi")), "a.txt", at=AT)
    assert "Zanzibar" not in heard(mind, "Zanzibar", f"direct:{name}")


def test_what_a_request_in_a_file_is_about_is_kept_before_it(mind: Soul) -> None:
    lines = (("Ann", "I move to Zanzibar."), ("Wren", "ok"), ("Ann", "Don't tell Bo about Zanzibar."), ("Bo", "hi"))
    took(mind, script(*lines), "a.txt", at=AT)
    assert "Zanzibar" not in heard(mind, "Zanzibar", "direct:Bo")
    assert "Zanzibar" in heard(mind, "Zanzibar", "direct:Kai")


@pytest.mark.parametrize("dated", [False, True])
def test_a_confidence_is_lifted_later_in_the_file_and_only_what_came_before(mind: Soul, dated: bool) -> None:
    lines = (
        ("Bo", "I am moving to York. Don't tell Ann."),
        ("Ann", "You can tell Ann now."),
        ("Bo", "You can tell Ann now."),
        ("Bo", "I won a prize. Don't tell Ann."),
    )
    took(mind, talk(*((*line, place if dated else None) for place, line in enumerate(lines))), "a.jsonl", at=AT)
    assert [names for _, names in kept(mind)] == [(), (), (), ("ann",)]
    assert "York" in heard(mind, "York", "direct:Ann")
    assert "prize" not in heard(mind, "prize", "direct:Ann")


def test_an_old_file_lifts_no_later_secret_and_one_without_times_none_of_another_talk(mind: Soul) -> None:
    mind.observe_many([Line(text="I am moving to York. Don't tell Ann.", speaker="Bo", at=AT)])
    took(mind, talk(("Bo", "You can tell Ann now.", 5)), "old.jsonl", at=AT)
    took(mind, script(("Bo", "You can tell Ann now."), ("Eve", "ok")), "undated.txt", at=AT)
    assert "York" not in heard(mind, "York", "direct:Ann")


def test_a_file_that_has_grown_keeps_what_was_open_and_undo_opens_it_again(mind: Soul) -> None:
    lines = [("Bo", "I am moving to York.", 1), ("Wren", "York! How lovely.", 2)]
    took(mind, talk(*lines), "a.jsonl", at=AT)
    before = dump(mind.store)
    assert "York" in heard(mind, "York", "direct:Eve")
    took(mind, talk(*lines, ("Bo", "Don't tell Eve.", 3)), "a.jsonl", at=AT)
    assert "York" not in heard(mind, "York", "direct:Eve")
    assert kept(mind)[0] == ("I am moving to York.", ("eve",))
    mind.undo()
    assert dump(mind.store) == before


def test_a_branch_closes_the_lines_it_shares_with_another_file(mind: Soul) -> None:
    lines = [("Bo", "I am moving to York.", 1), ("Wren", "York! How lovely.", 2)]
    took(mind, talk(*lines, ("Bo", "Good night.", 3)), "main.jsonl", at=AT)
    took(mind, talk(*lines, ("Bo", "Keep it between us.", 4)), "branch.jsonl", at=AT)
    assert "York" not in heard(mind, "York", "public")


def test_what_is_said_openly_stays_open_and_no_link_between_open_notes_comes_from_a_secret(mind: Soul) -> None:
    took(mind, graph(concept("sem_halden", "Halden"), concept("sem_leeds", "Leeds"), concept("sem_bo", "Bo")), "g.json", at=AT)
    lines = [("Bo", "Halden is fine."), ("Wren", "Yes."), ("Bo", "Leeds is too.")]
    secret = ("Bo", "Halden and Leeds will be joined by Kai. Keep it between us.")
    took(mind, script(*lines, secret, secret, secret, ("Bo", "Good night.")), "a.txt", at=AT)
    notes = {note.id: note for note in mind.store.notes([row.id for row in mind.list()])}
    ends = {
        frozenset((notes[link.source].key, notes[link.target].key))
        for link in mind.store.links()
        if not notes[link.source].kept_from and not notes[link.target].kept_from
    }
    assert {"sem_halden", "sem_leeds", "sem_bo"} <= {note.key for note in notes.values() if not note.kept_from}
    assert frozenset(("sem_halden", "sem_leeds")) not in ends
    assert all(note.kept_from for note in notes.values() if "kai" in note.key)


def test_among_several_characters_each_answers_a_confidence_once() -> None:
    speakers = ["Bo", "Wren", "Kai", "Wren", "Kai"]
    lines = [
        line_of(place, speaker, "Keep it between us: I won." if speaker == "Bo" else "Well.", role=role)
        for place, speaker in enumerate(speakers)
        for role in (Role.USER if speaker == "Bo" else Role.CHARACTER,)
    ]
    whole = Chat(id="c", file="c", format="", sha256="", messages=5, ingested_at=AT)
    found = confidences(ChatPlan(chat=whole, new=tuple(lines), existing={}), {}, ())
    assert [bool(one.said.kept_from) for one in found] == [True, True, True, False, False]


# -- scopes -------------------------------------------------------------------------------------------------------------------


def test_a_file_is_read_into_a_scope(mind: Soul) -> None:
    lines = script(("Bo", "My zebra is ill."), ("Wren", "Poor zebra."))
    took(mind, lines, "bo.txt", at=AT, scope="direct:Bo")
    assert "zebra" in heard(mind, "zebra", "direct:bo")
    assert not any("zebra" in heard(mind, "zebra", scope) for scope in ("public", "direct:Ann", "group:tea"))
    again = mind.ingest_bytes(lines, name="bo.txt", at=AT, scope="direct:Bo")
    assert (again.new, again.problems) == (0, ())


def test_who_speaks_in_a_group_before_and_after_heard_it_and_who_is_named(mind: Soul) -> None:
    lines = [("Bo", 0), ("Ann", 1), ("Eve", 100), ("Bo", 200), ("Ann", 300)]
    told = [(name, f"{name} saw zebra number {place}.", minute) for place, (name, minute) in enumerate(lines)]
    took(mind, talk(*told), "tea.jsonl", at=AT, scope="group:tea", present=("Kai",))
    numbers: dict[str, list[int]] = {}
    for name in ("Bo", "Ann", "Eve", "Kai", "Joe"):
        text = heard(mind, "zebra", f"direct:{name}")
        numbers[name] = [place for place in range(5) if f"number {place}" in text]
    assert numbers == {"Bo": [0, 1, 2, 3], "Ann": [0, 1, 2, 3, 4], "Eve": [2], "Kai": [0, 1, 2, 3, 4], "Joe": []}


def test_lines_that_are_there_already_stay_public_and_that_is_told(mind: Soul) -> None:
    lines = script(("Bo", "My zebra is ill."), ("Wren", "Poor zebra."))
    took(mind, lines, "bo.txt", at=AT)
    report = mind.ingest_bytes(lines, name="bo.txt", at=AT, scope="direct:Bo")
    assert [problem.skipped for problem in report.problems] == [False]
    assert "2 lines" in report.problems[0].what


@given(st.lists(st.tuples(st.sampled_from(["Bo", "Ann", "Wren", "Kai"]), st.booleans()), max_size=12))
def test_members_are_there_from_their_first_to_their_last_line(lines: list[tuple[str, bool]]) -> None:
    read = [
        SaidLine(index=place, line=place + 1, speaker=speaker, role=Role.USER, text="x", hidden=hidden)
        for place, (speaker, hidden) in enumerate(lines)
    ]
    members = Members(read, {"wren"})
    spoken: Any = {name: [place for place, line in enumerate(lines) if line == (name, False)] for name in ("Bo", "Ann", "Kai")}
    is_group = sum(bool(places) for places in spoken.values()) > 1
    for place in range(len(lines)):
        there = {name for name, places in spoken.items() if is_group and places and places[0] <= place <= places[-1]}
        assert set(members.at(place)) == there


def test_the_title_of_a_conversation_is_told_where_all_of_it_may_be_heard(tmp_path):
    """Programs make titles of what was said first."""
    texts = ("I move to Zanzibar, keep it between us.", "Of course.", "I eat fish on Fridays.")
    nodes = {
        str(number): {
            "id": str(number),
            "parent": str(number - 1) if number else None,
            "children": [str(number + 1)] if number < len(texts) - 1 else [],
            "message": {
                "id": str(number),
                "author": {"role": "assistant" if number % 2 else "user"},
                "content": {"content_type": "text", "parts": [text]},
                "create_time": number + 1,
            },
        }
        for number, text in enumerate(texts)
    }
    file = json.dumps([{"title": "Move to Zanzibar", "create_time": 1, "current_node": "2", "mapping": nodes}])
    with Soul.create(tmp_path / "t.mind", embedder="hashing", clock=lambda: AT, name="Wren") as soul:
        soul.ingest_bytes(file.encode(), name="conversations.json")
        assert "Zanzibar" in soul.export_messages()
        found = soul.recall("Who eats fish?", heard_in="direct:bo")
        told = (soul.export_messages(heard_in="direct:bo"), soul.export_graph(heard_in="direct:bo"), repr(found))
        assert "Fridays" in told[0] and "Fridays" in told[2]
        assert not [text for text in told if "Zanzibar" in text]


def test_what_has_faded_is_told_in_a_context_too(tmp_path):
    said = b"Ann: I live in Leeds.\nWren: Nice.\nKai: I sold the boat in Halden, don't tell Bo.\nWren: ok\nBo: hi\n"
    with Soul.create(tmp_path / "f.mind", embedder="hashing", clock=lambda: AT, name="Wren") as soul:
        soul.ingest_bytes(said, name="t.txt")
        soul.consolidate(at=AT, from_start=True)
        for days in (0, 150, 400):
            for scope in ("direct:kai", "direct:bo", "public"):
                found = soul.recall("Where does Ann live, and who sold the boat?", at=AT + timedelta(days=days), heard_in=scope)
                assert found.memories
                assert scope == "direct:kai" or "boat" not in repr([*found.memories, *found.messages])
