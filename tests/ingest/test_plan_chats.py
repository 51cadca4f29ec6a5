"""A file of several conversations: each line once, whatever they share, and nothing new the second time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.ingest.contract import Conversation, Document, SaidLine
from soulmem.ingest.plan_chat import ChatPlan, KnownChat
from soulmem.ingest.plan_chats import chat_files, greetings, plan_chats, probes, spoken_by
from soulmem.model.messages import Message, Role, fingerprint

AT = datetime(2024, 6, 1, tzinfo=UTC)
Said = tuple[str, int | None]


def conversation(name: str, said: Sequence[Said], role: Role = Role.USER) -> Conversation:
    lines = tuple(
        SaidLine(
            index=index,
            line=1,
            speaker="Ann",
            role=role,
            text=text,
            sent_at=None if minute is None else AT + timedelta(minutes=minute),
        )
        for index, (text, minute) in enumerate(said)
    )
    return Conversation(name=name, read=len(lines), messages=lines)


def document(*conversations: Conversation) -> Document:
    return Document(format="chatgpt", read=sum(one.read for one in conversations), conversations=conversations)


def plan(
    given: Document, known: Sequence[KnownChat] = (), greeted: dict[tuple[str, str], str] | None = None
) -> tuple[ChatPlan, ...]:
    return plan_chats(given, file="c.json", sha256="c", at=AT, known=known, greeted=greeted)


def written(plans: Sequence[ChatPlan]) -> list[KnownChat]:
    """The chats as the mind has them when ``plans`` are written: lines by number."""
    messages = [message for one in plans for message in one.new]
    chats = {one.chat.id: one.chat for one in plans if one.new}
    found = []
    for chat in chats.values():
        own = sorted((one for one in messages if one.chat == chat.id), key=lambda one: (one.index, one.id))
        marks = tuple((one.id, mark(one)) for one in own)
        sessions = tuple(one.session for one in own)
        places = tuple(one.index for one in own)
        found.append(
            KnownChat(
                id=chat.id,
                file=chat.file,
                lines=marks,
                sessions=sessions,
                messages=chat.messages,
                places=places,
                sha256=chat.sha256,
            )
        )
    return found


def mark(line: SaidLine | Message) -> str:
    return fingerprint(line.speaker, line.text, line.sent_at)


def new_texts(plans: Sequence[ChatPlan]) -> list[list[str]]:
    return [[message.text for message in one.new] for one in plans]


def test_each_conversation_is_a_chat_named_after_it() -> None:
    given = document(conversation("a", [("x", 1), ("y", 2)]), conversation("b", [("z", 3)]))
    plans = plan(given)
    assert [one.chat.file for one in plans] == ["c.json#a", "c.json#b"] == list(chat_files(given, "c.json"))
    assert [[(one.index, one.file) for one in each.new] for each in plans] == [
        [(0, "c.json#a"), (1, "c.json#a")],
        [(0, "c.json#b")],
    ]
    assert len({message.id for one in plans for message in one.new}) == 3


def test_a_branch_in_the_same_file_adds_what_differs_and_a_copy_nothing() -> None:
    trunk: list[Said] = [(f"line {number}", number) for number in range(4)]
    plans = plan(document(conversation("a", trunk), conversation("b", [*trunk[:3], ("else", 9)]), conversation("c", trunk)))
    assert new_texts(plans) == [[text for text, _ in trunk], ["else"], []]
    assert [len(one.existing) for one in plans] == [0, 3, 4]


def test_words_that_are_said_everywhere_are_said_in_each() -> None:
    plans = plan(document(conversation("a", [("hello", 1), ("yes", None)]), conversation("b", [("well", 2), ("yes", None)])))
    assert new_texts(plans) == [["hello", "yes"], ["well", "yes"]]


def test_a_conversation_that_another_holds_somewhere_is_not_its_beginning() -> None:
    plans = plan(document(conversation("a", [("yes", None)]), conversation("b", [("well", None), ("yes", None), ("x", None)])))
    assert new_texts(plans) == [["yes"], ["well", "yes", "x"]]
    assert len({one.chat.id for one in plans}) == 2


def test_the_greeting_of_the_character_counts_once_in_a_file_and_in_a_mind() -> None:
    talks = [[("welcome", number * 500), (f"talk {number}", number * 500 + 1)] for number in range(3)]
    given = document(*(conversation(str(number), said, Role.CHARACTER) for number, said in enumerate(talks)))
    assert [line.text for line in greetings(given)] == ["welcome"] * 3
    plans = plan(given)
    assert new_texts(plans) == [["welcome", "talk 0"], ["talk 1"], ["talk 2"]]
    assert len({one.existing.get(0) or one.new[0].id for one in plans}) == 1
    later = plan(given, greeted={("Ann", "welcome"): "there"})
    assert new_texts(later) == [["talk 0"], ["talk 1"], ["talk 2"]]
    assert {one.existing[0] for one in later} == {"there"}
    assert new_texts(plan(document(*(conversation(str(n), said) for n, said in enumerate(talks)))))[1] == ["welcome", "talk 1"]


def test_a_nameless_character_takes_the_name_it_is_given_and_nobody_else() -> None:
    named = SaidLine(index=0, line=1, speaker="Bo", role=Role.CHARACTER, text="x")
    nameless = SaidLine(index=1, line=1, speaker="assistant", role=Role.CHARACTER, text="y", named=False)
    user = SaidLine(index=2, line=1, speaker="user", role=Role.USER, text="z", named=False)
    given = Document(format="openai", read=3, messages=(named, nameless, user))
    assert [line.speaker for line in spoken_by(given, "Mira").messages] == ["Bo", "Mira", "user"]
    assert spoken_by(given, None) == given


TALKS = st.lists(st.lists(st.sampled_from(["yes", "no", "storm", "lamp", "sea"]), min_size=1, max_size=6), min_size=1, max_size=5)


@given(TALKS, st.booleans(), st.sampled_from([Role.USER, Role.CHARACTER]))
@settings(deadline=None, max_examples=150)
def test_read_again_the_file_adds_nothing_and_each_line_is_somewhere(talks: list[list[str]], timed: bool, role: Role) -> None:
    said = [[(word, place * 10 if timed else None) for place, word in enumerate(words)] for words in talks]
    given = document(*(conversation(str(number), one, role) for number, one in enumerate(said)))
    plans = plan(given)
    ids = [message.id for one in plans for message in one.new]
    assert len(set(ids)) == len(ids)
    for one, (_, part) in zip(plans, given.parts, strict=True):
        assert {message.index for message in one.new} | one.existing.keys() == {line.index for line in part.messages}
        assert set(one.existing.values()) <= set(ids)
        assert not {message.index for message in one.new} & one.existing.keys()
    texts = Counter(message.text for one in plans for message in one.new)
    assert texts.keys() == {word for words in talks for word in words}
    greeted = {("Ann", message.text): message.id for one in reversed(plans) for message in one.new if message.index == 0}
    again = plan(given, written(plans), greeted if role is Role.CHARACTER else None)
    assert new_texts(again) == [[] for _ in plans]
    assert set(probes(given)) <= {mark(line) for _, part in given.parts for line in part.messages}
