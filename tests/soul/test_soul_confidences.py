"""What is told in confidence, what is summed up and what is consolidated, in several talks; and what leaves no trace."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from soul_dump import dump
from soul_minds import AT, Minds, concept, graph, took

from soulmem.conversation import Conversation
from soulmem.model.messages import Message, Role
from soulmem.soul import Soul
from soulmem.working.observer import Line
from soulmem.working.summary import Summary, SummaryLine

HOUR = timedelta(hours=1)


def say(soul: Soul, *lines: tuple[str, str], scope: str = "public", chat: str = "default", **more: Any) -> list[Message]:
    said = [
        Line(
            text=text,
            speaker=speaker,
            at=AT + timedelta(minutes=place),
            scope=scope,
            role=Role.CHARACTER if speaker == "Wren" else Role.USER,
            **more,
        )
        for place, (speaker, text) in enumerate(lines)
    ]
    return [one.message for one in soul.observe_many(said, chat)]


def heard(soul: Soul, question: str, scope: str | None) -> str:
    found = soul.recall(question, messages=9, at=AT + HOUR, heard_in=scope, chat=None)
    return "\n".join([*(memory.text for memory in found.memories), *(line.text for line in found.messages)])


CASES = [
    ((("Bo", "I am moving to York. Don't tell Ann."),), "York", "ann"),
    ((("Bo", "I am moving to York."), ("Wren", "York! How lovely."), ("Bo", "Don't tell Ann.")), "York", "ann"),
    ((("小红", "我要搬到约克去，别告诉小明。"),), "约克", "小明"),
    ((("小红", "我要搬到约克去。"), ("Wren", "约克真好。"), ("小红", "别告诉小明")), "约克", "小明"),
]


@pytest.mark.parametrize("consolidated", [False, True])
@pytest.mark.parametrize(("lines", "secret", "name"), CASES)
def test_what_is_told_in_confidence_is_kept_from_whom_it_is_kept(
    mind: Soul, lines: Sequence[tuple[str, str]], secret: str, name: str, consolidated: bool
) -> None:
    say(mind, ("Eve", "The weather is fine."), chat="other")
    say(mind, *lines)
    if consolidated:
        mind.consolidate(at=AT + HOUR)
        assert any(row.kept_from == (name,) for row in mind.list(type="SpecificSituation"))
    assert secret in heard(mind, secret, None)
    assert secret in heard(mind, secret, "direct:Kai")
    for scope in (f"direct:{name.upper()}", "public"):
        assert secret not in heard(mind, secret, scope)


@pytest.mark.parametrize(
    ("asks", "name", "lifts"), [("Don't tell Ann.", "ann", "You can tell Ann now."), ("别告诉小明", "小明", "可以告诉小明了")]
)
def test_a_confidence_after_consolidation_closes_the_notes_and_a_word_of_the_same_speaker_opens_them(
    mind: Soul, asks: str, name: str, lifts: str
) -> None:
    say(mind, ("Bo", "I am moving to York in May."))
    mind.consolidate(at=AT + HOUR)
    assert "York" in heard(mind, "York", f"direct:{name}")
    say(mind, ("Bo", asks))
    assert "York" not in heard(mind, "York", f"direct:{name}")
    say(mind, ("Eve", lifts))
    assert "York" not in heard(mind, "York", f"direct:{name}")
    say(mind, ("Bo", lifts))
    assert "York" in heard(mind, "York", f"direct:{name}")
    assert not any(row.kept_from for row in mind.list())


def test_a_secret_from_everybody_stays_with_those_who_heard_it(mind: Soul) -> None:
    say(mind, ("Bo", "I broke the lamp. Keep it between us."), ("Ann", "ok"))
    say(mind, ("Bo", "You can tell Kai now."))
    assert [("lamp" in heard(mind, "lamp", scope)) for scope in ("direct:Bo", "direct:Ann", "direct:Eve", "public")] == [
        True,
        True,
        False,
        False,
    ]
    assert "lamp" in heard(mind, "lamp", "direct:Kai")


def test_a_confidence_is_taken_back_with_its_operation(mind: Soul) -> None:
    say(mind, ("Bo", "I am moving to York in May."))
    mind.consolidate(at=AT + HOUR)
    before = dump(mind.store)
    say(mind, ("Bo", "Don't tell Ann."))
    mind.undo()
    assert dump(mind.store) == before


def test_a_group_whose_member_must_not_know_is_not_told(mind: Soul) -> None:
    say(mind, ("Ann", "hello"), ("Bo", "hello"), scope="group:tea", chat="tea")
    say(mind, ("Bo", "I am moving to York. Don't tell Ann."))
    say(mind, ("Kai", "hello"), scope="group:work", chat="work")
    assert "York" not in heard(mind, "York", "group:tea")
    assert "York" in heard(mind, "York", "group:work")


MATTERS = [
    ((("Ann", "I move to Zanzibar."), ("Wren", "ok"), ("Ann", "Don't tell Bo about Zanzibar.")), "Zanzibar", "bo"),
    ((("Ann", "I move to Zanzibar."), ("Ann", "I had soup."), ("Ann", "Don't tell Bo about Zanzibar.")), "Zanzibar", "bo"),
    ((("Ann", "I move to Zanzibar."), ("Wren", "Zanzibar!"), ("Ann", "Don't tell Bo that I am moving there.")), "I move", "bo"),
    ((("小红", "我要搬到桑给巴尔去。"), ("Wren", "好"), ("小红", "别告诉小明桑给巴尔的事")), "桑给巴尔", "小明"),
    ((("Ann", "I move to Zanzibar."), ("Wren", "ok"), ("Ann", "Don't tell Bo about my secret.")), "Zanzibar", "bo"),
]


@pytest.mark.parametrize(("lines", "secret", "name"), MATTERS)
def test_what_a_request_is_about_is_kept_in_the_lines_before_it(
    mind: Soul, lines: Sequence[tuple[str, str]], secret: str, name: str
) -> None:
    say(mind, *lines)
    assert secret in heard(mind, secret, "direct:Kai")
    assert secret not in heard(mind, secret, f"direct:{name}")


def test_what_a_request_is_not_about_and_what_others_say_of_it_stays_open(mind: Soul) -> None:
    say(mind, ("Eve", "Zanzibar is hot."), ("Ann", "I had soup."), ("Ann", "Don't tell Bo about Zanzibar."))
    assert "Zanzibar is hot" in heard(mind, "Zanzibar", "direct:Bo")
    assert "soup" in heard(mind, "soup", "direct:Bo")


def test_a_release_opens_what_a_request_was_about(mind: Soul) -> None:
    say(mind, ("Ann", "I move to Zanzibar."), ("Wren", "ok"), ("Ann", "Don't tell Bo about Zanzibar."))
    say(mind, ("Ann", "You can tell Bo now."))
    assert "I move to Zanzibar" in heard(mind, "Zanzibar", "direct:Bo")


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        ("Don't tell @Bo", "Bo"),
        ("Don't tell 🐻Bo🐻", "🐻Bo🐻"),
        ("Don't tell T.J.", "T.J."),
        ("Don't tell J. Brown.", "J. Brown"),
        ("Don't tell Bo & Kai", "Kai"),
        ('*says quietly* "Don\'t tell Bo"', "Bo"),
        ('Ann said, "Don\'t tell Bo."', "Bo"),
        ("别告诉@小明", "小明"),
        ("别告诉小明/阿华", "阿华"),
        ("*小声说*“别告诉小明。”", "小明"),
    ],
)
def test_a_request_holds_whatever_signs_are_in_it(mind: Soul, request_: str, name: str) -> None:
    say(mind, ("Ann", f"I move to Zanzibar. {request_}"), ("Wren", "ok"), (name, "hi"))
    assert "Zanzibar" not in heard(mind, "Zanzibar", f"direct:{name}")


# -- summaries ----------------------------------------------------------------------------------------------------------------


class Written:
    """Stands for a model: what it writes names all it was given."""

    at_once = True

    def summarise(self, former: Summary, said: Sequence[Message], budget: int) -> Summary:
        return Summary((SummaryLine(text=" / ".join([former.text, *(line.text for line in said)])),))


@pytest.mark.parametrize("written", [False, True])
def test_the_summary_of_a_talk_is_made_apart_for_each_scope(mind: Soul, written: bool) -> None:
    if written:
        mind.observer.summariser = Written()
    for round_ in range(2):
        say(mind, ("Bo", f"I promise to bring {round_} plums to Halden on Monday."))
        say(mind, ("Bo", f"My sister Greta has {round_ + 7} scars, I love her."), scope="direct:Bo")
        say(mind, ("Bo", "我答应小红带桑给巴尔的茶。别告诉小明"), tag=True)
        say(mind, *[("Bo", "ok then")] * 25)
    whole = mind.window(at=AT).summary
    assert all(word in whole for word in ("plums", "scars", "桑给巴尔"))
    told = {scope: mind.window(at=AT, heard_in=scope).summary for scope in ("public", "group:tea", "direct:小明", "direct:Bo")}
    assert all("plums" in text for text in told.values())
    assert [("scars" in text) for text in told.values()] == [False, False, False, True]
    assert [("桑给巴尔" in text) for text in told.values()] == [False, True, False, True]


# -- what fires together ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scope", "is_wired"), [(None, True), ("public", True), ("direct:Bo", False), ("group:tea", False)])
def test_public_notes_recalled_together_in_private_are_not_linked_by_that(mind: Soul, scope: str | None, is_wired: bool) -> None:
    took(mind, graph(concept("sem_plum", "the plum tree"), concept("sem_scar", "the plum scar")), "g.json", at=AT)
    for number in range(4):
        found = mind.recall("plum tree and plum scar", at=AT + timedelta(minutes=number), heard_in=scope)
        assert {memory.key for memory in found.memories} >= {"sem_plum", "sem_scar"}
        mind.commit(found)
    mind.consolidate(at=AT + HOUR)
    assert bool(mind.store.links()) == is_wired


# -- consolidation ------------------------------------------------------------------------------------------------------------


def test_a_private_fact_changes_nothing_of_a_public_note(mind: Soul) -> None:
    took(mind, graph(concept("sem_ann", "Ann", aliases=["Annie"], description="the baker")), "g.json", at=AT)
    before = mind.note("sem_ann").body
    say(mind, ("Bo", "Ann is also called Zaza. Ann lives in Leeds."), ("Wren", "I see."), scope="direct:Bo")
    mind.consolidate(at=AT + HOUR)
    assert mind.note("sem_ann").body == before
    assert "Zaza" not in heard(mind, "Zaza Ann", "public")
    assert "Leeds" in heard(mind, "Where does Ann live?", "direct:Bo")
    assert "Leeds" not in heard(mind, "Where does Ann live?", "public")


def test_what_is_said_again_in_public_is_known_in_public(mind: Soul) -> None:
    say(mind, ("Bo", "My sister Greta lives in Leeds."), scope="direct:Bo")
    mind.consolidate(at=AT + HOUR)
    assert "Leeds" not in heard(mind, "Greta", "public")
    say(mind, ("Bo", "My sister Greta lives in Leeds."))
    mind.consolidate(at=AT + HOUR)
    assert "Leeds" in heard(mind, "Greta", "public")


def test_the_same_name_in_two_talks_makes_two_notes_whose_keys_tell_nothing(mind: Soul) -> None:
    private = [("Bo", "Greta and Halden are lovely."), ("Wren", "Greta likes Halden."), ("Bo", "Greta went to Halden.")]
    say(mind, *private, scope="direct:Bo")
    mind.consolidate(at=AT + HOUR)
    say(mind, *private, chat="other")
    mind.consolidate(at=AT + HOUR)
    public = {note.key for note in mind.list() if note.scope == "public" and note.type == "Semantic"}
    assert "sem_halden" in public
    say(mind, *private, scope="direct:Bo")
    mind.consolidate(at=AT + HOUR)  # once more, into the same notes
    assert mind.check() == ()


def test_links_between_public_notes_do_not_come_from_private_talk(mind: Soul) -> None:
    took(mind, graph(concept("sem_greta", "Greta"), concept("sem_halden", "Halden")), "g.json", at=AT)
    said = [("Bo", "Greta was in Halden."), ("Wren", "Greta in Halden!"), ("Bo", "Yes, Greta loves Halden."), ("Wren", "Halden.")]
    say(mind, *said, scope="direct:Bo")
    mind.consolidate(at=AT + HOUR)
    assert not mind.store.links_among([mind.note("sem_greta").id, mind.note("sem_halden").id])


# -- no trace -----------------------------------------------------------------------------------------------------------------


def _bytes(folder: Path) -> dict[str, str]:
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.mark.parametrize("scope", [None, "direct:Bo"])
def test_incognito_and_looking_write_nothing_at_all(minds: Minds, tmp_path: Path, scope: str | None) -> None:
    soul = minds()
    say(soul, ("Bo", "I am moving to York in May."), scope="direct:Bo")
    soul.idle(AT + HOUR, forced=True)
    talk = Conversation(soul, user="Bo", character="Wren", scope=scope, incognito=True)
    before, files = dump(soul.store), _bytes(tmp_path)
    journal = soul.store.query("store.last_operation")
    for line in ("Where do I move?", "Keep it between us: the lamp is broken.", "你好"):
        talk.hear(line)
        talk.say("To York in May.")
        talk.feedback(1)
        talk.prompt()
        soul.recall(line, messages=3, heard_in=scope)
    talk.undo()
    talk.end()
    assert soul.store.query("store.last_operation") == journal
    assert (dump(soul.store), _bytes(tmp_path)) == (before, files)


def test_what_was_used_in_a_private_talk_is_not_more_on_the_mind_elsewhere(minds: Minds) -> None:
    soul = minds()
    took(soul, graph(concept("sem_tea", "green tea"), concept("sem_cup", "green cup")), "g.json", at=AT)
    say(soul, ("Bo", "hello"), scope="direct:Bo")
    found = soul.recall("green tea", at=AT, heard_in="direct:Bo", chat=None)
    soul.commit(found, found.memories[:1])
    elsewhere = soul.recall("green tea", at=AT, heard_in="group:work", chat=None)
    assert not any("activation" in memory.channels for memory in elsewhere.memories)
    here = soul.recall("green tea", at=AT, heard_in="direct:bo", chat=None)
    assert any("activation" in memory.channels for memory in here.memories)


def test_what_the_owner_is_told_of_private_things_is_not_public_for_that(minds: Minds) -> None:
    soul = minds()
    say(soul, ("Bo", "I failed the exam on Friday."), ("Wren", "Oh Bo."), scope="direct:Bo")
    say(soul, ("Eve", "The weather is fine today."), chat="other")
    soul.consolidate(at=AT + HOUR)
    talk = Conversation(soul, user="Kim", character="Wren", chat="own")
    assert "exam" in talk.hear("Who failed the exam on Friday?").rendered
    talk.say("Bo failed the exam.")
    talk.end()
    soul.consolidate(at=AT + HOUR)
    assert "failed the exam." not in heard(soul, "failed exam Bo", "public")
    assert "Bo failed the exam." in heard(soul, "failed exam Bo", None)


def test_a_line_that_is_kept_from_who_listens_is_still_answered(minds: Minds) -> None:
    soul = minds()
    talk = Conversation(soul, user="Bo", character="Wren", scope="public")
    talk.hear("The lamp is broken, keep it between us.")
    assert talk.lines()[-1].text in repr(talk.prompt())
    talk.say("I will.")
    talk.hear("Thank you.")
    assert [line.text for line in talk.lines()] == ["Thank you."]
