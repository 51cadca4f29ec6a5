"""What lifts a confidence and what does not, whom a name means, what is kept in the past, and what is handed on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from soul_minds import AT, PATIENT, Minds

from soulmem.conversation import Conversation, known_names
from soulmem.model.messages import Message, Role
from soulmem.scopes.contexts import Heard, context_of
from soulmem.soul import Soul
from soulmem.working.confiding import confided, lifted

SAID = Message(id="", chat="c", index=0, file="live:c", line=1, speaker="Eve", role=Role.USER, text="", sent_at=AT)
HOUR = timedelta(hours=1)


def talked(*lines: tuple[str, str]) -> list[Message]:
    """The lines as they are kept after the last of them."""
    from dataclasses import replace

    said: list[Message] = []
    for index, (speaker, text) in enumerate(lines):
        role = Role.CHARACTER if speaker == "Wren" else Role.USER
        new = replace(SAID, id=str(index), index=index, speaker=speaker, text=text, role=role, sent_at=AT + index * HOUR / 60)
        found = confided(new, said)
        changed = {one.id: one for one in found.before}
        said = [changed.get(one.id, one) for one in said]
        if found.asks.told:
            changed = {one.id: one for one in lifted(new, found.asks, said)}
            said = [changed.get(one.id, one) for one in said]
        said.append(found.said)
    return said


def kept(*lines: tuple[str, str]) -> list[int]:
    """Which of the lines are kept from anybody in the end."""
    return [line.index for line in talked(*lines) if line.kept_from]


TWO = (
    ("Eve", "I am planning a party for him. Don't tell Bob."),
    ("Wren", "A party, lovely."),
    ("Eve", "I broke the lamp."),
    ("Wren", "Oh no."),
    ("Eve", "Don't tell Bob."),
    ("Wren", "I will not."),
)


@pytest.mark.parametrize(
    ("lifts", "left"),
    [
        ("You can tell Bob about the party now.", [2, 3, 4, 5]),
        ("Bob already knows about the lamp.", [0, 1]),
        ("You can tell Bob now.", [0, 1]),
        ("It's no longer a secret.", [0, 1]),
        ("You can tell anybody about the party.", [2, 3, 4, 5]),
        ("You can tell Bob about the weather.", [0, 1, 2, 3, 4, 5]),
        ("You can tell her now.", [0, 1, 2, 3, 4, 5]),
        ("You can tell Ann now.", [0, 1, 2, 3, 4, 5]),
        ("You can tell Bob is tired these days.", [0, 1, 2, 3, 4, 5]),
        ("I don't think you can tell Bob.", [0, 1, 2, 3, 4, 5]),
        ("I wish you could tell Bob.", [0, 1, 2, 3, 4, 5]),
        ("Only when I am dead you can tell Bob.", [0, 1, 2, 3, 4, 5]),
        ("When I am dead, you can tell Bob.", [0, 1, 2, 3, 4, 5]),
        ("Can you tell Bob now?", [0, 1, 2, 3, 4, 5]),
        ("Maybe Bob knows now.", [0, 1, 2, 3, 4, 5]),
        ("It's not a secret that I love tea.", [0, 1, 2, 3, 4, 5]),
        ("Bob already knows how to drive.", [0, 1, 2, 3, 4, 5]),
    ],
)
def test_a_release_lifts_the_confidence_it_is_about_and_no_other(lifts: str, left: Sequence[int]) -> None:
    assert kept(*TWO, ("Eve", lifts)) == left
    assert kept(*TWO, ("Ann", lifts))[:6] == [0, 1, 2, 3, 4, 5], "only who told it may lift it"


@pytest.mark.parametrize(
    ("lifts", "left"),
    [
        ("可以告诉小明聚会的事了", [1]),
        ("小明已经知道聚会的事了", [1]),
        ("可以告诉小明了", [0]),
        ("小明已经知道了怎么开车。", [0, 1]),
        ("我要是能告诉小明就好了，可是不行。", [0, 1]),
        ("等我好了你才能告诉小明。", [0, 1]),
        ("听说小明已经知道了", [0, 1]),
        ("可以告诉小明了吗？", [0, 1]),
    ],
)
def test_a_release_in_chinese(lifts: str, left: Sequence[int]) -> None:
    assert kept(("Eve", "我在准备聚会，别告诉小明"), ("Eve", "我打碎了台灯，别告诉小明"), ("Eve", lifts)) == left


def test_a_bare_request_means_what_its_speaker_said_whoever_spoke_since() -> None:
    assert kept(("Eve", "I am moving."), ("Ann", "Nice weather."), ("Eve", "Don't tell Bob.")) == [0, 2]
    assert kept(("Eve", "I am moving."), ("Wren", "Oh!"), ("Ann", "Yes."), ("Eve", "Don't tell Bob.")) == [0, 1, 3]
    assert kept(("Ann", "I am moving."), ("Eve", "Don't tell Bob.")) == [0, 1]


@pytest.mark.parametrize(
    ("name", "scope", "speakers", "is_heard"),
    [
        ("bob", "direct:Bob Smith", (), False),
        ("bob", "direct:Bob Smith", ("bob",), True),
        ("bob smith", "direct:Bob", (), False),
        ("bob", "direct:Bobby", (), True),
        ("mr brown", "direct:Brown", (), False),
        ("mr brown", "direct:Mr. Brown", (), False),
        ("mr brown", "direct:Tom Brown", (), False),
        ("妈妈", "direct:妈", (), False),
        ("妈妈", "direct:爸妈", (), False),
        ("爸爸", "direct:妈妈", (), True),
        ("妈妈", "direct:媽媽", (), False),
        ("小明", "direct:王小明", (), False),
        ("mom", "direct:Mother", (), False),
    ],
)
def test_whom_a_name_may_mean(name: str, scope: str, speakers: Sequence[str], is_heard: bool) -> None:
    assert context_of(scope, speakers=speakers).hears(Heard("public", frozenset((name,)))) is is_heard


# -- the past, and what is handed on ---------------------------------------------------------------------------------------------


def observe(soul: Soul, text: str, speaker: str = "Eve", **more: Any) -> None:
    soul.observe(text, speaker=speaker, at=AT, **more)


def heard(soul: Soul, question: str, scope: str) -> str:
    found = soul.recall(question, messages=9, heard_in=scope, chat=None)
    return "\n".join([*(memory.text for memory in found.memories), *(line.text for line in found.messages)])


def test_what_is_kept_now_is_kept_in_the_past(minds: Minds) -> None:
    soul = minds()
    observe(soul, "Greta is moving to York.")
    soul.consolidate(at=AT + HOUR)
    before = soul.log(1)[0].number
    observe(soul, "Don't tell Bob.")
    soul.close()
    with Soul.open(soul.store.path, settings=PATIENT, as_of=before) as then:
        assert "York" in heard(then, "York", "direct:Kai")
        assert "York" not in heard(then, "York", "direct:Bob")
        assert "York" not in then.export_graph(heard_in="direct:Bob") + then.export_messages(heard_in="direct:Bob")


def test_what_was_taken_back_is_not_handed_on_nor_counted(minds: Minds) -> None:
    soul = minds()
    observe(soul, "I love green tea.")
    observe(soul, "I hate the king.")
    soul.retract("default")
    soul.observe("The lamp is broken.", speaker="Eve", at=AT + HOUR, scope="direct:Eve")
    told = soul.export_messages(heard_in="direct:Kai")
    assert "green tea" in told and "king" not in told and "lamp" not in told
    chat = json.loads(told.splitlines()[1])["chat"]
    assert chat["messages"] == 1 and chat["ingested_at"].startswith(AT.isoformat()[:19])
    assert "king" in soul.export_messages()


# -- the owner ------------------------------------------------------------------------------------------------------------------


def test_who_talked_elsewhere_is_not_the_owner(minds: Minds) -> None:
    soul = minds()
    observe(soul, "hello", "Kim")
    assert known_names(soul).user == "Kim"
    soul.observe("I failed the exam.", speaker="Bob", at=AT + HOUR, scope="direct:Bob")
    assert [known_names(soul, scope).user for scope in (None, "direct:Bob", "direct:Ann", "group:tea")] == [
        None,
        "Bob",
        "Ann",
        None,
    ]


@pytest.mark.parametrize(("user", "scope", "heard_in"), [("Bob", None, "direct:User"), ("Kai", "group:work", "group:work")])
def test_a_reply_is_kept_from_whom_what_it_drew_on_is_kept(minds: Minds, user: str, scope: str | None, heard_in: str) -> None:
    soul = minds()
    observe(soul, "I broke the lamp. Don't tell Bob.", chat="other")
    talk = Conversation(soul, user=user, character="Wren", chat="own", scope=scope, owner="User")
    talk.hear("Who broke the lamp?")
    talk.say("Eve broke the lamp.")
    said = talk.present.reply
    assert said is not None and (said.scope, said.kept_from) == (heard_in, ("bob",))
    assert "Eve broke" not in heard(soul, "Eve lamp", "direct:Bob")
