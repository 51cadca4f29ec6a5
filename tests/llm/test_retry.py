"""Tries, pauses and budgets, over a model of scripted answers."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.errors import CallTrouble, ModelBudgetError, ModelCallError, ModelDryRunError
from soulmem.llm import Budget, ModelSettings, open_model
from soulmem.llm.contract import Pieces, Prompt, Said, Side, estimated_tokens, prompt_tokens
from soulmem.llm.retry import LONGEST_PAUSE_SECONDS, DryRunModel, MeteredModel, RetryingModel, pause
from soulmem.llm.scripted import Answer, ScriptedModel

LAWS = settings(deadline=None, max_examples=60)

PROMPT = Prompt(system="be brief", messages=(Said(Side.USER, "hello there"),), purpose="test")


def failure(status: int = 429, after: float | None = None) -> ModelCallError:
    trouble = CallTrouble.BUSY if status == 429 else CallTrouble.KEY if status == 401 else CallTrouble.BROKEN
    return ModelCallError(f"status {status}", trouble=trouble, passing=status != 401, retry_after=after)


def retrying(answers: list[str | Exception], attempts: int = 4) -> tuple[RetryingModel, ScriptedModel, list[float]]:
    pauses: list[float] = []
    scripted = ScriptedModel(answers)
    return RetryingModel(scripted, attempts=attempts, random=Random(7), sleep=pauses.append), scripted, pauses


def streamed(pieces: Pieces) -> tuple[list[str], str]:
    seen: list[str] = []
    while True:
        try:
            seen.append(next(pieces))
        except StopIteration as end:
            return seen, end.value.text


@LAWS
@given(st.integers(0, 50), st.one_of(st.none(), st.floats(0, 1e9)), st.floats(0, 1))
def test_pauses_are_bounded_and_no_shorter_than_asked(attempt: int, after: float | None, share: float) -> None:
    seconds = pause(attempt, after, share)
    assert 0 <= seconds <= LONGEST_PAUSE_SECONDS
    assert seconds >= min(after or 0.0, LONGEST_PAUSE_SECONDS)
    if after is None:
        assert seconds >= min(2.0**attempt, LONGEST_PAUSE_SECONDS) / 2


@LAWS
@given(st.lists(st.sampled_from([429, 500, 401]), max_size=6), st.integers(1, 5))
def test_a_call_is_made_until_it_succeeds_or_cannot(statuses: list[int], attempts: int) -> None:
    model, scripted, pauses = retrying([*map(failure, statuses), "yes"], attempts)
    lasting = next((place for place, status in enumerate(statuses) if status == 401), len(statuses))
    if lasting == len(statuses) < attempts:
        assert model.answer(PROMPT).text == "yes"
        made = lasting + 1
    else:
        with pytest.raises(ModelCallError) as caught:
            model.answer(PROMPT)
        made = min(lasting + 1, attempts)
        assert (f"after {made} attempts" in str(caught.value)) == (made > 1)
    assert len(scripted.prompts) == made
    assert len(pauses) == made - 1


def test_an_error_told_as_text_is_tried_again_and_never_given() -> None:
    model, scripted, pauses = retrying(["Error 429: Too Many Requests", "Error 503", "yes"])
    assert model.answer(PROMPT).text == "yes"
    assert len(pauses) == 2
    model, scripted, _ = retrying(["Error 429: Too Many Requests"] * 4)
    with pytest.raises(ModelCallError, match="after 4 attempts"):
        model.answer(PROMPT)
    assert not scripted.left


def test_a_stream_is_the_whole_answer_in_pieces() -> None:
    model, _, _ = retrying([failure(), "Error 429: slow down", "The tide comes in at six, and we leave before that, I think."])
    seen, whole = streamed(model.stream(PROMPT))
    assert "".join(seen) == whole == "The tide comes in at six, and we leave before that, I think."
    assert len(seen) > 1


@LAWS
@given(st.text())
def test_any_text_is_streamed_as_it_is_or_is_an_error(text: str) -> None:
    model, _, _ = retrying([text], 1)
    try:
        seen, whole = streamed(model.stream(PROMPT))
    except ModelCallError:
        return
    assert "".join(seen) == whole == text


def test_a_stream_that_breaks_after_its_beginning_is_not_begun_again() -> None:
    class Breaking(ScriptedModel):
        def stream(self, prompt: Prompt) -> Pieces:
            self.prompts.append(prompt)
            yield "It was a long way from the harbour to the lighthouse, "
            raise failure(500)

    breaking = Breaking([])
    model = RetryingModel(breaking, attempts=3, random=Random(0), sleep=lambda _: None)
    pieces = model.stream(PROMPT)
    assert next(pieces).startswith("It was")
    with pytest.raises(ModelCallError):
        next(pieces)
    assert len(breaking.prompts) == 1


@LAWS
@given(st.lists(st.text(max_size=40), max_size=8), st.integers(1, 6), st.integers(1, 60))
def test_a_budget_is_kept(answers: list[str], calls: int, tokens: int) -> None:
    budget = Budget(most_calls=calls, most_tokens=tokens)
    scripted = ScriptedModel(answers)
    model = MeteredModel(scripted, budget)
    used = 0
    for text in answers:
        fits = len(scripted.prompts) < calls and used + prompt_tokens(PROMPT) < tokens
        if not fits:
            with pytest.raises(ModelBudgetError):
                model.answer(PROMPT)
            break
        model.answer(PROMPT)
        used += prompt_tokens(PROMPT) + estimated_tokens(text)
    assert budget.tokens == used
    assert budget.calls == len(scripted.prompts) <= calls
    assert all(prompt.max_tokens is not None and prompt.max_tokens <= tokens for prompt in scripted.prompts)


def test_attempts_count_as_calls_and_the_failure_is_what_is_told() -> None:
    budget = Budget(most_calls=2, most_tokens=1000)
    scripted = ScriptedModel([failure(), failure(), "never"])
    model = RetryingModel(MeteredModel(scripted, budget), attempts=5, random=Random(0), sleep=lambda _: None)
    with pytest.raises(ModelCallError, match="status 429"):
        model.answer(PROMPT)
    assert (budget.calls, scripted.left) == (2, 1)
    with pytest.raises(ModelBudgetError, match="budget_calls"):
        model.answer(PROMPT)


def test_a_stream_left_early_is_counted() -> None:
    budget = Budget(most_calls=9, most_tokens=1000)
    pieces = MeteredModel(ScriptedModel(["a long answer that nobody reads to its end"]), budget).stream(PROMPT)
    next(pieces)
    pieces.close()
    assert budget.calls == 1 and budget.output_tokens == estimated_tokens("a long answe")


def test_cost_is_told_as_far_as_it_is_known() -> None:
    budget = Budget(most_calls=9, most_tokens=1000)
    MeteredModel(ScriptedModel(["yes"]), budget).answer(PROMPT)
    assert str(budget) == f"1 call, {prompt_tokens(PROMPT)} + 1 tokens, cost not known"


def test_a_dry_run_shows_and_asks_nobody() -> None:
    shown: list[Prompt] = []
    model = open_model(ModelSettings(name="openai/none"), show=shown.append, environment={})
    assert isinstance(model, DryRunModel)
    for asked in (model.answer, lambda prompt: next(model.stream(prompt))):
        with pytest.raises(ModelDryRunError):
            asked(PROMPT)
    assert shown == [PROMPT] * 2


def test_answers_are_given_by_purpose_and_in_order() -> None:
    model = ScriptedModel(
        [Answer(text="s", purpose="summary"), Answer(text="t1", purpose="test"), Answer(text="all", repeat=True)]
    )
    assert [model.answer(PROMPT).text for _ in range(3)] == ["t1", "all", "all"]
    assert model.left == 2
