"""A model that fails in every way, at every step: the mind is as before, or as the rules make it, and it is told."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from talk import AT

from soulmem.consolidate.by_model import ModelSplitter
from soulmem.consolidate.state import META, state_of
from soulmem.conversation import Conversation
from soulmem.errors import CallTrouble, ModelBudgetError, ModelCallError, ModelError
from soulmem.llm import Budget
from soulmem.llm.retry import MeteredModel, RetryingModel
from soulmem.llm.scripted import Answer, ScriptedModel
from soulmem.model.messages import Role
from soulmem.settings import Settings
from soulmem.soul import Soul
from soulmem.working.observer import Line
from soulmem.working.talk import chat_id

SETTINGS = Settings(window_capacity=4)
LATER = AT + timedelta(hours=1)
LINES = [
    ("Bo", "I live in Bergen."),
    ("Ann", "I love old maps."),
    ("Bo", "My sister is called Mia."),
    ("Ann", "The ferry is late again today."),
    ("Bo", "I can't stand liquorice."),
    ("Ann", "I promise to write to you on Friday."),
]

# -- the ways -------------------------------------------------------------------------------------------------------------------


def call(trouble: CallTrouble, *, passing: bool, retry_after: float | None = None) -> Answer:
    error = ModelCallError(f"model x: {trouble}", trouble=trouble, passing=passing, retry_after=retry_after)
    return Answer(error=error, repeat=True)


def said(text: str, *, truncated: bool = False) -> Answer:
    return Answer(text=text, truncated=truncated, repeat=True)


NOWHERE = {
    "facts": [{"content": "Bo", "description": "Bo has moved to Atlantis", "messages": [99], "supersedes": "k77"}],
    "links": [{"source": "n9", "target": "o9", "verb": "knows"}],
    "summary": "unknown",
    "concepts": [{"name": "unknown"}],
}
#: The calls that fail, and the answers that are none.
CALLS = {
    "unreachable": call(CallTrouble.UNREACHABLE, passing=True),
    "timeout": call(CallTrouble.TIMEOUT, passing=True),
    "429 with Retry-After": call(CallTrouble.BUSY, passing=True, retry_after=7.0),
    "500": call(CallTrouble.BROKEN, passing=True),
    "401": call(CallTrouble.KEY, passing=False),
    "an error told as text": said("Error 503: upstream connect error"),
}
ANSWERS = {
    "empty": said("   "),
    "prose": said("Here is what I found interesting about the talk of these two."),
    "cut off": said('{"facts": [{"content": "Bo", "descr', truncated=True),
    "thinks only": said("<think>Bo lives in Bergen, so I should note that.</think>"),
    "refusal": said("I'm sorry, but I can't help with that."),
    "another language": said(
        json.dumps(
            {
                "facts": [{"content": "Bo", "description": "博住在卑尔根，在挪威的西海岸，靠近大海。", "messages": [1]}],
                "summary": "博住在卑尔根，安爱旧地图，渡轮今天又晚了，他们说了很多话。",
            },
            ensure_ascii=False,
        )
    ),
    "ids that are none": said(json.dumps(NOWHERE)),
}
SPENT = "budget used up"
WAYS = (*CALLS, *ANSWERS, SPENT)
assert len(WAYS) >= 12
#: How many calls are well spent before the step is reached.
BEFORE = {"summary": 0, "split": 0, "link": 1, "queries": 0, "reply": 1}
GOOD = {
    "summary": {"summary": "Bo lives in Bergen."},
    "split": {"facts": [{"content": "Bo", "description": "Bo lives in Bergen", "category": "identity", "messages": [1]}]},
    "link": {"links": []},
    "queries": {"concepts": [{"name": "Bergen"}]},
}


@dataclass(slots=True)
class Failing:
    """A model that fails at one step in one way, and does all others well. ``pauses``: seconds it was waited for."""

    model: RetryingModel
    scripted: ScriptedModel
    pauses: list[float]

    def asked(self, step: str) -> int:
        return sum(prompt.purpose == step for prompt in self.scripted.prompts)


def failing(way: str, step: str) -> Failing:
    fails = (CALLS | ANSWERS).get(way)
    answers = [replace(fails, purpose=step)] if fails else []
    answers += [Answer(text=json.dumps(good), purpose=purpose, repeat=True) for purpose, good in GOOD.items()]
    scripted, pauses = ScriptedModel([*answers, said("Yes, gladly.")]), []
    budget = Budget(most_calls=BEFORE[step] if way == SPENT else 100, most_tokens=10**6)
    model = RetryingModel(MeteredModel(scripted, budget), attempts=2, random=Random(0), sleep=pauses.append)
    return Failing(model, scripted, pauses)


# -- the minds ------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def heard(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mind that has heard the lines, and made nothing of them."""
    path = tmp_path_factory.mktemp("heard") / "heard.mind"
    shutil.copy(empty_file, path)
    with Soul.open(path, settings=SETTINGS, clock=lambda: AT) as soul:
        soul.observe_many([line(*one, minute) for minute, one in enumerate(LINES)])
    return path


def line(speaker: str, text: str, minute: int) -> Line:
    role = Role.CHARACTER if speaker == "Ann" else Role.USER
    return Line(text=text, speaker=speaker, at=AT + timedelta(minutes=minute), role=role)


Opened = Callable[[], Soul]


@pytest.fixture
def opened(heard: Path, tmp_path: Path) -> Iterator[Opened]:
    with ExitStack() as ending:

        def made() -> Soul:
            path = tmp_path / f"{len(list(tmp_path.iterdir()))}.mind"
            shutil.copy(heard, path)
            return ending.enter_context(Soul.open(path, settings=SETTINGS, clock=lambda: AT))

        yield made


@pytest.fixture(scope="module")
def expected(heard: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The graph before, as the rules make it, and as they link what a model has drawn."""
    graphs: dict[str, str] = {}
    for name in ("before", "rules", "link"):
        path = tmp_path_factory.mktemp(name) / "a.mind"
        shutil.copy(heard, path)
        with Soul.open(path, settings=SETTINGS, clock=lambda: AT) as soul:
            if name == "rules":
                soul.consolidate(at=LATER)
            elif name == "link":
                soul.consolidate(at=LATER, splitter=ModelSplitter(failing("", "summary").model, "Ann", LATER))
            graphs[name] = soul.export_graph()
    assert len(set(graphs.values())) == 3
    return graphs


def kept(soul: Soul) -> str:
    """All texts of a mind."""
    told = [soul.export_graph(), soul.export_messages(), soul.window(at=LATER).summary]
    told += [json.dumps(soul.store.meta(name)) for name in (META,)]
    told += [operation.what for operation in soul.log(100)]
    return "\n".join(told)


def check_whole(soul: Soul, fails: Failing) -> None:
    """Nothing is wrong with the mind, and nothing of what the model was told is in it."""
    assert soul.check() == ()
    text = kept(soul)
    for prompt in fails.scripted.prompts:
        assert prompt.system[:60] not in text
    assert "Atlantis" not in text and "博" not in text and "think>" not in text


# -- consolidation --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["split", "link"])
@pytest.mark.parametrize("way", [*CALLS, SPENT])
def test_a_call_that_fails_changes_nothing_and_is_counted(way, step, opened, expected):
    soul, fails = opened(), failing(way, step)
    soul.use_model(fails.model)
    with pytest.raises(ModelBudgetError if way == SPENT else ModelCallError) as raised:
        soul.consolidate(at=LATER)
    state = state_of(soul.store.meta(META))
    assert (state.failures, state.cursor(chat_id("default")), state.failed["why"]) == (1, -1, raised.value.what)
    assert soul.export_graph() == expected["before"]
    assert raised.value.what in soul.log(1)[0].what
    check_whole(soul, fails)


@pytest.mark.parametrize("step", ["split", "link"])
@pytest.mark.parametrize("way", ["timeout", SPENT])
def test_the_third_time_the_rules_do_it(way, step, opened, expected):
    soul, fails = opened(), failing(way, step)
    soul.use_model(fails.model)
    for times in (1, 2):
        with pytest.raises(ModelBudgetError if way == SPENT and times == 1 else ModelError) as raised:
            soul.consolidate(at=LATER)
        state = state_of(soul.store.meta(META))
        assert (state.failures, state.cursor(chat_id("default"))) == (times, -1)
        assert state.failed["why"] in raised.value.what
        assert soul.export_graph() == expected["before"]
    asked = len(fails.scripted.prompts)
    report = soul.consolidate(at=LATER)
    assert len(fails.scripted.prompts) == asked, "the third time nobody is asked"
    assert "without it" in report.problems[0] and report.messages == len(LINES) and report.skipped == 0
    state = state_of(soul.store.meta(META))
    assert (state.failures, state.cursor(chat_id("default"))) == (0, len(LINES) - 1)
    assert soul.export_graph() == expected["rules"]
    check_whole(soul, fails)


@pytest.mark.parametrize("step", ["split", "link"])
@pytest.mark.parametrize("way", ANSWERS)
def test_an_answer_that_is_none_is_told_and_the_rules_do_it(way, step, opened, expected):
    soul, fails = opened(), failing(way, step)
    soul.use_model(fails.model)
    report = soul.consolidate(at=LATER)
    assert any("without the model" in problem for problem in report.problems), report.problems
    assert report.messages == len(LINES) and state_of(soul.store.meta(META)).failures == 0
    assert soul.export_graph() == expected["rules" if step == "split" else "link"]
    assert fails.asked(step) == (1 if way == "ids that are none" else 3)
    check_whole(soul, fails)


def test_retry_after_is_waited_for(opened):
    fails, soul = failing("429 with Retry-After", "split"), opened()
    soul.use_model(fails.model)
    with pytest.raises(ModelCallError):
        soul.consolidate(at=LATER)
    assert fails.asked("split") == 2 and len(fails.pauses) == 1 and fails.pauses[0] >= 7


def test_what_is_said_meanwhile_waits_and_what_failed_is_tried_again_as_it_was(opened, expected):
    soul, fails = opened(), failing("unreachable", "split")
    soul.use_model(fails.model)
    for times in (1, 2):
        report = soul.idle(LATER)
        assert "unreachable" in report.trouble and state_of(soul.store.meta(META)).failures == times
        soul.observe("I will bake a cake for you.", speaker="Bo", at=LATER - timedelta(minutes=10 - times))
    report = soul.idle(LATER)
    assert report.consolidation is not None and report.trouble == ""
    assert (report.consolidation.messages, report.consolidation.left) == (len(LINES), 2)
    assert any("without it" in problem for problem in report.problems)
    soul.use_model(None)
    assert soul.consolidate(at=LATER).messages == 2
    assert soul.check() == ()


def test_a_dry_run_that_fails_counts_for_nothing(opened):
    soul, fails = opened(), failing("500", "split")
    soul.use_model(fails.model)
    with pytest.raises(ModelCallError):
        soul.consolidate(at=LATER, dry_run=True)
    assert soul.store.meta(META) is None


# -- summaries and talk ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_a_summary_that_fails_is_extracted_and_it_is_told(way, opened):
    soul, fails = opened(), failing(way, "summary")
    soul.use_model(fails.model)
    soul.observe_many([line("Bo", f"The weather is fine at {minute}.", minute) for minute in (7, 8, 9, 10)])
    assert soul.window(at=LATER).summary_due
    report = soul.observer.idle(LATER, forced=True)
    assert report.summaries == 1 and not soul.window(at=LATER).summary_due
    assert "Bo: I live in Bergen." in soul.window(at=LATER).summary
    check_whole(soul, fails)


@pytest.mark.parametrize("way", ["unreachable", "refusal", SPENT])
def test_idle_work_tells_what_the_rules_did_instead(way, opened):
    soul, fails = opened(), failing(way, "summary")
    soul.use_model(fails.model)
    soul.observe_many([line("Bo", "The weather is fine.", minute) for minute in (7, 8, 9, 10)])
    report = soul.idle(LATER, forced=True)
    assert "the summary was made without the model" in report.problems[0]
    assert bool(report.trouble) is (way == SPENT), "without a budget there is no consolidation either"


@pytest.fixture(scope="module")
def remembers(heard: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soul]:
    """A mind that remembers the lines; nothing that is said incognito is kept in it."""
    path = tmp_path_factory.mktemp("remembers") / "a.mind"
    shutil.copy(heard, path)
    with Soul.open(path, settings=SETTINGS, clock=lambda: AT) as soul:
        soul.consolidate(at=LATER)
        yield soul


def talk_of(soul: Soul, fails: Failing | None, *, incognito: bool = True) -> Conversation:
    return Conversation(soul, user="Bo", character="Ann", model=fails.model if fails else None, incognito=incognito)


ASKED = "Where do I live?"


@pytest.mark.parametrize("way", WAYS)
def test_questions_that_fail_cost_nothing_and_it_is_told(way, remembers):
    fails, before = failing(way, "queries"), kept(remembers)
    talk = talk_of(remembers, fails)
    assert talk.hear(ASKED, at=LATER).rendered == talk_of(remembers, None).hear(ASKED, at=LATER).rendered
    assert talk.trouble
    assert fails.asked("queries") >= (way != SPENT) and kept(remembers) == before


#: What a character may well say, whatever it looks like.
SPEECH = ("prose", "cut off", "another language", "ids that are none")


@pytest.mark.parametrize("way", WAYS)
def test_a_reply_that_fails_was_not_said(way, remembers):
    before, talk = kept(remembers), talk_of(remembers, failing(way, "reply"))
    talk.hear(ASKED, at=LATER)
    if way in SPEECH:
        assert list(talk.reply(at=LATER)) and talk.present.reply is not None
    else:
        with pytest.raises(ModelError) as raised:
            list(talk.reply(at=LATER))
        assert raised.value.what and talk.present.reply is None and talk.lines()[-1].text == ASKED
    assert kept(remembers) == before


def test_after_a_reply_that_failed_the_talk_goes_on(opened):
    soul, fails = opened(), failing("500", "reply")
    talk = talk_of(soul, fails, incognito=False)
    talk.hear(ASKED, at=LATER)
    with pytest.raises(ModelCallError):
        list(talk.reply(at=LATER))
    assert soul.window(at=LATER).messages[-1].text == ASKED
    talk.model = failing("", "reply").model
    assert "".join(talk.reply(at=LATER)) == "Yes, gladly."
    assert [message.text for message in soul.window(at=LATER).messages[-2:]] == [ASKED, "Yes, gladly."]
    check_whole(soul, fails)
