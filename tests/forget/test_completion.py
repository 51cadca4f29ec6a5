"""What a model may do to what is forgotten: fill the gaps, and nothing else, however it answers."""

from __future__ import annotations

import json
import re
from itertools import groupby
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from soulmem.errors import CallTrouble, ModelCallError
from soulmem.forget.completion import Completion, Hazy, complete
from soulmem.forget.masks import Clarity, Masked, masked
from soulmem.forget.units import units_of
from soulmem.llm import Budget
from soulmem.llm.retry import MeteredModel, RetryingModel
from soulmem.llm.scripted import Answer, ScriptedModel
from soulmem.model.notes import Revision
from soulmem.settings import Settings

CONSTANTS = Settings()
TEXT = "Last summer the cat slept under the old lighthouse while the rain fell on the harbour."
ZH = "去年夏天猫在旧灯塔下面睡着了，雨一直落在港口上。"


def hazy(text: str = TEXT, missing: float = 0.6, name: str = "narrative") -> Hazy:
    mask = masked(text, missing, CONSTANTS, units_of(text, {}, CONSTANTS))
    assert mask.blanks
    return Hazy(note="id", key="sit_cat", missing=missing, texts={name: mask})


def mask_of(one: Hazy) -> Masked:
    return next(iter(one.texts.values()))


def words(number: int) -> list[str]:
    """Different words, so that they do not pass for a model that got stuck."""
    known = ["the", "a boat", "slowly", "in June", "grey", "with Ann", "often", "on deck", "again", "quietly", "two", "home"]
    return [f"{word}" for word, _ in zip(known, range(number), strict=False)]


def answer(*lines: list[str] | None, **more: Any) -> str:
    return json.dumps({"lines": [{"line": number, "blanks": blanks} for number, blanks in enumerate(lines, 1)], **more})


def completed(text: str, one: Hazy, *, taken: bool = False) -> Completion:
    model = ScriptedModel([Answer(text=text, repeat=True)])
    return complete(model, "Wren", "", [one], lambda name, note: taken)


def test_gaps_are_filled_and_nothing_else_is_touched() -> None:
    one = hazy()
    guesses = words(len(mask_of(one).blanks))
    done = completed(answer(guesses), one)
    assert done.problems == ()
    revision = done.revisions["id"]
    assert revision.missing == 0.6
    assert revision.narrative == mask_of(one).filled(guesses)
    clear = [segment.original for segment in mask_of(one).segments if segment.clarity is Clarity.CLEAR]
    rest = revision.narrative
    for piece in clear:
        assert piece in rest
        rest = rest.partition(piece)[2]


@pytest.mark.parametrize(("text", "spoken"), [(TEXT, "en"), (ZH, "zh")])
def test_the_model_sees_gaps_and_gists_and_not_what_is_gone(text: str, spoken: str) -> None:
    one = hazy(text)
    model = ScriptedModel([answer(["x"] * len(mask_of(one).blanks))])
    complete(model, "Wren", "I keep engines.", [one], lambda name, note: False)
    (prompt,) = model.prompts
    assert prompt.language == spoken
    asked = prompt.messages[0].text
    assert "I keep engines." in asked
    assert "⟦1" in asked
    assert text not in asked
    gone = [segment for segment in mask_of(one).blanks if len(segment.original) > 3]
    assert all(segment.original not in asked for segment in gone)
    assert all(segment.gist in asked for segment in gone)


FAILURES = {
    "unreachable": Answer(error=ModelCallError("x", trouble=CallTrouble.UNREACHABLE, passing=True), repeat=True),
    "timeout": Answer(error=ModelCallError("x", trouble=CallTrouble.TIMEOUT, passing=True), repeat=True),
    "429": Answer(error=ModelCallError("x", trouble=CallTrouble.BUSY, passing=True, retry_after=7.0), repeat=True),
    "401": Answer(error=ModelCallError("x", trouble=CallTrouble.KEY, passing=False), repeat=True),
    "an error told as text": Answer(text="Error 503: upstream connect error", repeat=True),
    "empty": Answer(text="  ", repeat=True),
    "prose": Answer(text="It was a cat, I suppose, and it slept somewhere.", repeat=True),
    "cut off": Answer(text='{"lines": [{"line": 1, "blanks": ["the', truncated=True, repeat=True),
    "thinks only": Answer(text="<think>The cat slept under the lighthouse.</think>", repeat=True),
    "refusal": Answer(text="I'm sorry, but I can't help with that.", repeat=True),
    "nothing": Answer(text=answer([]), repeat=True),
    "one too few": Answer(text=answer(["guess"]), repeat=True),
    "empty words": Answer(text=answer(["unknown"] * len(mask_of(hazy()).blanks)), repeat=True),
    "too much": Answer(text=answer([TEXT * 2] * len(mask_of(hazy()).blanks)), repeat=True),
    "the gaps again": Answer(text=answer(["⟦1⟧"] * len(mask_of(hazy()).blanks)), repeat=True),
    "another line": Answer(text=json.dumps({"lines": [{"line": 7, "blanks": ["guess"]}]}), repeat=True),
    "numbers": Answer(text=json.dumps({"lines": [{"line": "x", "blanks": 3}]}), repeat=True),
    "another language": Answer(text=answer(["在旧灯塔下面睡着了觉"] * len(mask_of(hazy()).blanks)), repeat=True),
}


@pytest.mark.parametrize("way", FAILURES)
def test_a_model_that_fails_guesses_nothing_and_that_is_told(way: str) -> None:
    scripted = ScriptedModel([FAILURES[way]])
    model = RetryingModel(scripted, attempts=2, random=Random(0), sleep=lambda seconds: None)
    done = complete(model, "Wren", "", [hazy()], lambda name, note: False)
    assert done.revisions == {}
    assert len(done.problems) == 1


def test_without_budget_nothing_is_guessed_and_that_is_told() -> None:
    model = MeteredModel(ScriptedModel([]), Budget(most_calls=0, most_tokens=10))
    done = complete(model, "Wren", "", [hazy()], lambda name, note: False)
    assert done.revisions == {}
    assert "all 0 calls" in done.problems[0]


def test_a_line_that_fails_does_not_take_the_others() -> None:
    good, bad = hazy(), Hazy(note="other", key="sit_other", missing=0.6, texts=hazy(ZH).texts)
    guesses = words(len(mask_of(good).blanks))
    model = ScriptedModel([Answer(text=answer(guesses, []), repeat=True)])
    done = complete(model, "Wren", "", [good, bad], lambda name, note: False)
    assert list(done.revisions) == ["id"]
    assert [problem.partition(":")[0] for problem in done.problems] == ["sit_other"]


def test_a_concept_is_not_called_as_another_one_is() -> None:
    one = hazy("the old lighthouse", 0.7, "content")
    guesses = ["harbour"] * len(mask_of(one).blanks)
    assert completed(answer(guesses), one, taken=True).revisions == {}
    assert completed(answer(guesses), one, taken=False).revisions["id"].content is not None


def test_what_is_wholly_gone_or_wholly_there_is_not_asked_about() -> None:
    model = ScriptedModel([])
    gone = Hazy(note="id", key="k", missing=1.0, texts={"narrative": masked(TEXT, 1.0, CONSTANTS)})
    there = Hazy(note="id", key="k", missing=0.0, texts={"narrative": masked(TEXT, 0.0, CONSTANTS)})
    assert complete(model, "Wren", "", [gone, there], lambda name, note: False) == Completion()
    assert model.prompts == []


def test_answers_by_number_or_as_objects_are_understood() -> None:
    one = hazy()
    number = len(mask_of(one).blanks)
    guesses = words(number)
    by_number = {str(place): guess for place, guess in enumerate(guesses, 1)}
    as_object = json.dumps({"lines": [{"line": "[1]", "blanks": by_number}]})
    as_list = json.dumps({"lines": [{"line": 1, "blanks": [{"blank": 1, "text": guess} for guess in guesses]}]})
    expected = {"id": Revision(missing=0.6, narrative=mask_of(one).filled(guesses))}
    assert completed(as_object, one).revisions == expected
    assert completed(as_list, one).revisions == expected


@given(st.lists(st.text(max_size=12), min_size=len(mask_of(hazy()).blanks), max_size=len(mask_of(hazy()).blanks)))
@hypothesis_settings(max_examples=60, deadline=None)
def test_whatever_is_answered_the_clear_parts_stay_or_nothing_changes(guesses: list[str]) -> None:
    one = hazy()
    done = completed(answer(guesses), one)
    assert bool(done.revisions) != bool(done.problems)
    for revision in done.revisions.values():
        assert revision.narrative is not None
        pattern = ".+".join(
            re.escape("".join(segment.original for segment in group))
            for is_clear, group in groupby(mask_of(one).segments, lambda segment: segment.clarity is Clarity.CLEAR)
            if is_clear
        )
        assert re.search(pattern, revision.narrative)
        assert "\n" not in revision.narrative
