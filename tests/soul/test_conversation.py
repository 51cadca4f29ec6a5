"""A talk with the character, turn by turn: what is observed, comes to mind, is remembered better, is taken back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from soul_dump import dump
from soul_minds import AT, TALK, TEA, Minds, chat, graph, opened, took

from soulmem.conversation import Conversation, known_names
from soulmem.errors import CallTrouble, InputError, ModelCallError, ModelError
from soulmem.llm.contract import Pieces, Prompt, Reply
from soulmem.llm.scripted import Answer, ScriptedModel
from soulmem.soul import Soul
from soulmem.working.observer import Line

NO_QUERIES = Answer(text='{"concepts": [], "situations": []}', purpose="queries", repeat=True)
LATER = AT + timedelta(minutes=1)


@pytest.fixture(scope="module")
def tea_file(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Path:
    """Lin, who knows of tea and pots, and a chat of Ann and Bo."""
    path = tmp_path_factory.mktemp("tea") / "tea.mind"
    path.write_bytes(empty_file.read_bytes())
    with opened(path) as soul:
        took(soul, graph(*TEA), "graph.json", at=AT)
        took(soul, chat(*TALK), "chat.jsonl", at=AT)
    return path


@pytest.fixture
def soul(minds: Minds, tea_file: Path) -> Soul:
    return minds(tea_file)


def replies(*answers: str | Exception) -> ScriptedModel:
    said = [Answer(text=one, purpose="reply") if isinstance(one, str) else Answer(error=one, purpose="reply") for one in answers]
    return ScriptedModel([NO_QUERIES, *said])


def talk(soul: Soul, model: Any = None, **how: Any) -> Conversation:
    return Conversation(soul, **({"user": "Bo", "character": "Lin", "model": model} | how))


def visible(soul: Soul) -> list[tuple[str, str]]:
    """What was said in the talk, hidden lines left out."""
    rows = soul.store.query("store.all_messages")
    return [(row["speaker"], row["text"]) for row in rows if row["file"] == "live:default" and not row["hidden"]]


def spoken(conversation: Conversation, at: datetime | None = None) -> str:
    return "".join(conversation.reply(at))


def recalled(soul: Soul) -> list[str]:
    """The keys of the notes that were used, once for each time."""
    return sorted(note.key for record in soul.records() for note in soul.store.notes([record.note]) for _ in record.times)


def strengths(soul: Soul) -> dict[str, tuple[Any, ...]]:
    return {row.key: (row.retention, row.retrieval_count) for row in soul.list(limit=1000)}


# -- a turn ---------------------------------------------------------------------------------------------------------------------


def test_a_turn_is_heard_recalled_replied_and_observed(soul: Soul) -> None:
    model = replies("The green tea is in the blue pot.")
    conversation = talk(soul, model)
    found = conversation.hear("Where is the green tea?")
    assert visible(soul) == [("Bo", "Where is the green tea?")]
    assert "sem_tea" in {memory.key for memory in found.memories}
    assert spoken(conversation) == "The green tea is in the blue pot."
    assert visible(soul)[1:] == [("Lin", "The green tea is in the blue pot.")]
    prompt = model.prompts[-1]
    assert prompt.purpose == "reply" and "green tea" in prompt.system and "Where is the green tea?" in prompt.messages[-1].text
    assert recalled(soul) == [], "the turn is not over yet"
    conversation.hear("Thanks.")
    used = recalled(soul)
    assert "sem_tea" in used and "sem_wall" not in used and len(used) == len(set(used))


def test_what_was_not_used_is_not_remembered_better(soul: Soul) -> None:
    before = strengths(soul)
    conversation = talk(soul, replies("I have no idea, dear.", "The green tea, yes."))
    conversation.hear("Where is the green tea?")
    spoken(conversation)
    conversation.end()
    assert strengths(soul) == before and recalled(soul) == []
    conversation.hear("The green tea?")
    spoken(conversation)
    conversation.end()
    conversation.end()
    changed = {key for key, value in strengths(soul).items() if value != before[key]}
    assert changed == set(recalled(soul)) and "sem_tea" in changed, "once, however often it ends"


def test_window_and_summary_are_given_and_supporting_lines_repeat_neither(soul: Soul) -> None:
    conversation = talk(soul)
    said = [
        Line(text=f"I promise to bring {number} lamps to Halden on Monday.", speaker="Bo", at=AT + timedelta(minutes=number))
        for number in range(45)
    ]
    soul.observe_many(said)
    found = conversation.hear("Who took the lighthouse key to Halden?", AT + timedelta(hours=1))
    window = soul.window(at=AT + timedelta(hours=1))
    assert found.window == window.messages and len(found.window) == soul.settings.window_capacity
    assert window.summary and found.summary == window.summary
    inside = {(line.file, line.index) for line in found.window}
    assert found.messages and not inside & {(line.file, line.index) for line in found.messages}
    assert any("Greta took it" in line.text for line in found.messages), "a line of an earlier talk supports"
    prompt = conversation.prompt()
    assert window.summary.splitlines()[0] in prompt.system
    assert all(line.text in prompt.messages[-1].text for line in window.messages)
    assert "Greta took it" in prompt.system and "Who took the lighthouse key" not in prompt.system


def test_a_reply_made_anew_replaces(soul: Soul) -> None:
    conversation = talk(soul, replies("Ask the north wall.", "The green tea is hot."))
    conversation.hear("Green tea on the crooked shelf, the north wall?")
    spoken(conversation)
    assert conversation.present.used
    spoken(conversation)
    assert visible(soul) == [("Bo", "Green tea on the crooked shelf, the north wall?"), ("Lin", "The green tea is hot.")]
    assert "Ask the north wall." not in conversation.prompt().messages[-1].text
    conversation.say("A crooked shelf!")
    conversation.settle()
    assert recalled(soul) == [memory.key for memory in conversation.present.used] == ["sem_shelf"], "of the last one only"
    assert [line.text for line in soul.window().messages][1:] == ["A crooked shelf!"]


def test_a_reply_made_anew_after_the_turn_was_over_is_the_only_one_remembered(soul: Soul) -> None:
    before = strengths(soul)
    conversation = talk(soul)
    conversation.hear("Green tea on the crooked shelf?")
    conversation.say("Green tea, hot.")
    conversation.hear("Well?")
    conversation.undo()
    assert strengths(soul) != before
    conversation.say("I do not know.")
    conversation.settle()
    assert strengths(soul) == before and recalled(soul) == []


def test_turns_are_taken_back_one_after_the_other(soul: Soul) -> None:
    conversation = talk(soul)
    states = []
    for text, reply in (
        ("Where is the green tea?", "The green tea is hot."),
        ("The blue pot?", "The blue pot."),
        ("Mei?", "Mei!"),
    ):
        conversation.settle()
        states.append((strengths(soul), visible(soul), soul.window().messages))
        conversation.hear(text)
        conversation.say(reply)
    for state, said in zip(reversed(states), ("Mei?", "The blue pot?", "Where is the green tea?"), strict=True):
        back = conversation.undo()
        assert back.lines[0].text == said and len(back.lines) == 2 and not back.is_reinforced
        assert (visible(soul), soul.window().messages) == state[1:]
    assert strengths(soul) == states[0][0] and recalled(soul) == []
    with pytest.raises(InputError, match="nothing was said"):
        conversation.undo()
    assert sum(row["hidden"] for row in soul.store.query("store.all_messages")) == 6, "kept, hidden"


@pytest.mark.parametrize("seed", range(2))
def test_whatever_is_done_only_what_stands_is_said(soul: Soul, seed: int) -> None:
    chance = random.Random(seed)
    conversation, standing, start = talk(soul), list[list[str]](), strengths(soul)
    for number in range(10):
        match chance.choice(("turn", "turn", "again", "undo", "silent")):
            case "turn" | "silent" as kind:
                conversation.hear(f"Green tea {number}?")
                standing.append([f"Green tea {number}?"])
                if kind == "turn":
                    conversation.say(f"Green tea, blue pot {number}.")
                    standing[-1].append(f"Green tea, blue pot {number}.")
            case "again" if standing:
                conversation.say(f"Crooked shelf {number}.")
                standing[-1][1:] = [f"Crooked shelf {number}."]
            case "undo" if standing:
                assert not conversation.undo().is_reinforced
                standing.pop()
    said = [text for turn in standing for text in turn]
    assert [text for _, text in visible(soul)] == said == [line.text for line in soul.window().messages]
    conversation.settle()
    used = [memory.key for turn in conversation.turns for memory in turn.used]
    assert recalled(soul) == sorted(used)
    while conversation.turn:
        conversation.undo()
    assert strengths(soul) == start


def test_what_something_else_changed_since_stays_and_is_told(soul: Soul) -> None:
    conversation = talk(soul)
    conversation.hear("The green tea?")
    conversation.say("The green tea is hot.")
    conversation.end()
    found = soul.recall("green tea")
    soul.commit(found)
    assert conversation.undo().is_reinforced and visible(soul) == []
    conversation.hear("The pot?")
    soul.observe("I was here.", speaker="Mei")
    with pytest.raises(InputError, match="not those of this turn"):
        conversation.undo()
    assert [text for _, text in visible(soul)] == ["The pot?", "I was here."]


# -- incognito, feedback --------------------------------------------------------------------------------------------------------


def test_incognito_leaves_not_one_row(soul: Soul) -> None:
    before, entries = dump(soul.store), soul.stats()["operations"]
    conversation = talk(soul, replies("The green tea is hot.", "The blue pot.", "Bye."), incognito=True)
    conversation.hear("Where is the green tea?")
    spoken(conversation)
    conversation.feedback(1)
    assert conversation.why("sem_tea").text
    assert [line.text for line in conversation.lines()] == ["Where is the green tea?", "The green tea is hot."]
    assert "Where is the green tea?" in conversation.prompt().messages[-1].text
    spoken(conversation)
    assert [line.text for line in conversation.lines()] == ["Where is the green tea?", "The blue pot."]
    conversation.hear("And now?")
    conversation.undo()
    conversation.hear("Forget that.")
    assert conversation.forget_last() is None
    assert len(conversation.lines()) == 2
    with pytest.raises(InputError):
        conversation.hear("  ")
    conversation.hear("Bye.")
    spoken(conversation)
    conversation.end()
    assert dump(soul.store) == before and soul.stats()["operations"] == entries and not conversation.is_kept


def test_incognito_may_begin_and_end_within_a_talk(soul: Soul) -> None:
    conversation = talk(soul)
    conversation.hear("Where is the green tea?")
    conversation.say("The green tea is hot.")
    conversation.incognito = True
    assert "sem_tea" in recalled(soul), "the turn was over"
    conversation.hear("Between us: the blue pot.")
    conversation.say("The blue pot.")
    conversation.incognito = False
    assert [line.text for line in conversation.lines()] == ["Where is the green tea?", "The green tea is hot."]
    assert "sem_pot" not in recalled(soul)
    assert conversation.undo().lines[0].text == "Where is the green tea?" and recalled(soul) == []


def test_feedback_is_for_what_the_reply_used_else_for_what_came_to_mind(soul: Soul) -> None:
    conversation = talk(soul)
    with pytest.raises(InputError, match="nothing was said"):
        conversation.feedback(1)
    conversation.hear("The green tea?")
    came = conversation.feedback(-1)
    assert {memory.key for memory in came} >= {"sem_tea", "sem_pot"} and "sem_self" not in {memory.key for memory in came}
    conversation.say("A crooked shelf.")
    assert [memory.key for memory in conversation.feedback(1)] == ["sem_shelf"]
    told = {soul.store.notes([record.note])[0].key: record.feedback for record in soul.records()}
    assert told["sem_tea"] == -1 and told["sem_shelf"] == 0
    conversation.settle()
    assert [memory.key for memory in conversation.feedback(1)] == ["sem_shelf"], "also when the turn is over"


# -- the model ------------------------------------------------------------------------------------------------------------------


class Breaking:
    """Says the beginning of a reply, and fails."""

    name = "breaking"

    def answer(self, prompt: Prompt) -> Reply:
        raise ModelCallError("gone", trouble=CallTrouble.UNREACHABLE)

    def stream(self, prompt: Prompt) -> Pieces:
        return self._streamed()

    def _streamed(self) -> Iterator[str]:  # type: ignore[return]
        yield "The green tea is hot. It stands "
        raise ModelCallError("gone", trouble=CallTrouble.BROKEN)


@pytest.mark.parametrize(
    "model",
    [
        replies(ModelCallError("no", trouble=CallTrouble.UNREACHABLE), "Here."),
        replies("", "Here."),
        replies("<think>hm</think>", "Here."),
        replies("I'm sorry, but I can't assist with that request.", "Here."),
        replies("Error 429: Too many requests", "Here."),
        replies("tea tea tea tea tea tea tea tea tea tea tea tea tea tea tea", "Here."),
        Breaking(),
    ],
    ids=["unreachable", "empty", "thinks only", "refusal", "error as text", "stuck", "breaks off"],
)
def test_a_model_that_fails_stores_nothing(soul: Soul, model: Any) -> None:
    conversation = talk(soul, model)
    conversation.hear("Where is the green tea?")
    before = dump(soul.store)
    with pytest.raises(ModelError):
        spoken(conversation)
    assert dump(soul.store) == before and visible(soul) == [("Bo", "Where is the green tea?")]
    assert conversation.present.reply is None and not conversation.present.used
    if isinstance(model, ScriptedModel):
        assert spoken(conversation) == "Here.", "asked again, it may reply"
        assert visible(soul)[1:] == [("Lin", "Here.")]
    assert len(conversation.undo().lines) == 2 - (not isinstance(model, ScriptedModel))


def test_a_reply_that_is_not_taken_to_its_end_was_not_said(soul: Soul) -> None:
    conversation = talk(soul, replies("The green tea is hot. " * 3 + "It stands in the blue pot."))
    conversation.hear("Tea?")
    pieces = conversation.reply()
    assert next(pieces)
    pieces.close()
    assert visible(soul) == [("Bo", "Tea?")]


def test_structured_questions_are_asked_where_the_mind_can_answer_them(soul: Soul) -> None:
    asks = '{{"concepts": [{{"name": "{}"}}], "situations": []}}'
    known = ScriptedModel([Answer(text=asks.format("the north wall"), purpose="queries")])
    found = talk(soul, known).hear("What do you see there?")
    assert "sem_wall" in {memory.key for memory in found.memories}
    unknown = ScriptedModel([Answer(text=asks.format("quantum chromodynamics"), purpose="queries")])
    free = talk(soul, unknown, incognito=True).hear("Where is the green tea?")
    plain = talk(soul, incognito=True).hear("Where is the green tea?")
    assert [memory.key for memory in free.memories] == [memory.key for memory in plain.memories], "else the line itself is asked"
    failing = ScriptedModel([Answer(error=ModelCallError("no", trouble=CallTrouble.KEY), purpose="queries")])
    free = talk(soul, failing, incognito=True).hear("Where is the green tea?")
    assert [memory.key for memory in free.memories] == [memory.key for memory in plain.memories]


def test_a_very_long_line_is_shortened_for_the_model(soul: Soul) -> None:
    model = replies("Well.")
    conversation = talk(soul, model)
    conversation.hear(f"begin {'tea ' * 50_000} end")
    spoken(conversation)
    shown = model.prompts[-1].messages[-1].text
    assert "begin tea" in shown and "…" in shown and " end" in shown and len(shown) < 6000
    assert len(visible(soul)[0][1]) > 200_000, "what is kept is whole"


def test_without_a_model_there_is_the_material(soul: Soul) -> None:
    conversation = talk(soul)
    found = conversation.hear("Where is the green tea?")
    assert "green tea" in found.rendered and "Where is the green tea?" in found.rendered
    with pytest.raises(InputError, match="no model"):
        spoken(conversation)
    assert "green tea" in conversation.prompt().system


# -- who talks ------------------------------------------------------------------------------------------------------------------


def test_who_talked_before_is_known(soul: Soul, minds: Minds) -> None:
    names = known_names(soul)
    assert (names.user, names.character) == ("Bo", "Lin")
    nobody = known_names(minds())
    assert (nobody.user, nobody.character) == (None, None)


@pytest.mark.parametrize(
    "how",
    [
        {"user": " "},
        {"character": ""},
        {"user": "LIN"},
        {"scope": "secret"},
        {"scope": "direct:"},
        {"chat": ""},
        {"chat": "a\nb"},
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_said(soul: Soul, how: dict[str, str]) -> None:
    entries = soul.stats()["operations"]
    with pytest.raises(InputError):
        talk(soul, **how)
    assert soul.stats()["operations"] == entries


def test_times_scopes_and_chats_are_those_of_the_talk(soul: Soul) -> None:
    conversation = talk(soul, scope="direct:Bo", chat="pub")
    conversation.hear("一二三，茶呢？", LATER)
    conversation.say("茶在壶里。", LATER + timedelta(minutes=1))
    lines = soul.window("pub").messages
    assert [(line.sent_at, line.scope, line.role) for line in lines] == [
        (LATER, "direct:Bo", "user"),
        (LATER + timedelta(minutes=1), "direct:Bo", "character"),
    ]
    assert soul.window().messages == ()


def test_a_line_that_says_nothing_changes_nothing(soul: Soul) -> None:
    conversation = talk(soul)
    conversation.hear("The green tea?")
    conversation.say("The green tea is hot.")
    before = dump(soul.store)
    for bad in ("", " \t ", "\x00"):
        with pytest.raises(InputError):
            conversation.hear(bad)
        with pytest.raises(InputError):
            conversation.say(bad)
    assert dump(soul.store) == before and not conversation.present.settled


def test_what_was_just_taken_back_can_be_forgotten(soul: Soul) -> None:
    conversation = talk(soul)
    for said, reply in (("I have a red bike.", "Lovely."), ("The key is under the mat.", "I see.")):
        conversation.hear(said, AT)
        conversation.say(reply, AT)
    conversation.undo(AT)
    report = conversation.forget_taken_back(AT)
    assert report.messages == 2
    with pytest.raises(InputError, match="just taken back"):
        conversation.forget_taken_back(AT)
    assert [text for _, text in visible(soul)] == ["I have a red bike.", "Lovely."]
    assert "mat" not in " ".join(row["text"] for row in soul.store.query("store.all_messages"))


def test_a_talk_that_goes_on_has_its_last_turn(soul: Soul) -> None:
    first = talk(soul)
    first.hear("My PIN is 4711.", AT)
    first.say("I will not tell.", AT)
    first.end(AT)
    again = talk(soul)
    assert [line.text for line in again.present.lines] == ["My PIN is 4711.", "I will not tell."]
    report = again.forget_last(LATER)
    assert report is not None and report.messages == 2 and visible(soul) == []
