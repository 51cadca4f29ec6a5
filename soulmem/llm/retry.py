"""What stands between a command and a model: tries again what fails for a passing reason, and counts against a budget."""

from __future__ import annotations

import random as chance
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

from soulmem.errors import ModelBudgetError, ModelCallError, ModelDryRunError
from soulmem.llm.contract import Model, Pieces, Prompt, Reply, estimated_tokens, prompt_tokens
from soulmem.llm.told import check_no_error, may_become_error

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0


def pause(attempt: int, retry_after: float | None, share: float) -> float:
    """Seconds to wait after the 0-based ``attempt``, at most a minute; ``share`` (0..1) is the jitter.

    At least what the provider asks for; else between half and the whole of 1, 2, 4 … seconds.
    """
    if retry_after is not None:
        return min(retry_after + share * FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS)
    whole = min(FIRST_PAUSE_SECONDS * (1 << min(attempt, 10)), LONGEST_PAUSE_SECONDS)
    return whole * (1 + share) / 2


class RetryingModel:
    """``model``, asked up to ``attempts`` times where it fails for a passing reason, or tells an error as if it were an answer.

    ``random`` gives the jitter, ``sleep`` waits. A stream is begun again only as long as nothing of it was passed on.
    """

    def __init__(
        self, model: Model, *, attempts: int, random: chance.Random, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._model = model
        self._attempts = max(attempts, 1)
        self._random = random
        self._sleep = sleep

    @property
    def name(self) -> str:
        return self._model.name

    def answer(self, prompt: Prompt) -> Reply:
        failed: ModelCallError | None = None
        for attempt in range(self._attempts):
            try:
                reply = self._model.answer(prompt)
                check_no_error(reply.text)
            except ModelCallError as error:
                failed = self._again(error, attempt)
            except ModelBudgetError as error:
                raise (failed or error) from error
            else:
                return reply
        raise AssertionError("unreachable: the last attempt returns or raises")

    def stream(self, prompt: Prompt) -> Pieces:
        return self._streamed(prompt)

    def _streamed(self, prompt: Prompt) -> Generator[str, None, Reply]:
        failed: ModelCallError | None = None
        for attempt in range(self._attempts):
            passed_on: list[str] = []
            try:
                return (yield from tapped(_checked(self._model.stream(prompt)), passed_on.append))
            except ModelCallError as error:
                if passed_on:
                    raise
                failed = self._again(error, attempt)
            except ModelBudgetError as error:
                raise (failed or error) from error
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _again(self, error: ModelCallError, attempt: int) -> ModelCallError:
        """Wait before the next try; raises ``error`` where there is none."""
        if error.passing and attempt + 1 < self._attempts:
            self._sleep(pause(attempt, error.retry_after, self._random.random()))
            return error
        if attempt:
            error.what = f"{error.what} (after {attempt + 1} attempts)"
        raise error


def tapped(pieces: Pieces, tap: Callable[[str], object]) -> Generator[str, None, Reply]:
    """``pieces``, with ``tap`` told of each before it is passed on. Closing it closes ``pieces``."""
    try:
        while True:
            try:
                piece = next(pieces)
            except StopIteration as end:
                reply: Reply = end.value
                return reply
            tap(piece)
            yield piece
    finally:
        pieces.close()


def _checked(pieces: Pieces) -> Generator[str, None, Reply]:
    """``pieces``, held back as long as they may be an error told as text. Raises :class:`ModelCallError` where they are one."""
    held = ""
    try:
        while may_become_error(held):
            try:
                held += next(pieces)
            except StopIteration as end:
                check_no_error(held)
                if held:
                    yield held
                reply: Reply = end.value
                return reply
        yield held
        return (yield from pieces)
    finally:
        pieces.close()


@dataclass(slots=True, kw_only=True)
class Budget:
    """What one command may use of a model, and what it has used: calls (each attempt counts), tokens both ways, US dollars.

    ``cost`` is what is known; ``is_cost_known``: whether that is all. ``calls_before``, ``tokens_before``: what was used
    before it was renewed last.
    """

    most_calls: int
    most_tokens: int
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    is_cost_known: bool = True
    calls_before: int = 0
    tokens_before: int = 0

    def renew(self) -> None:
        """Allow as much again as at first: whoever talks with the model has asked for something new."""
        self.calls_before, self.tokens_before = self.calls, self.tokens

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def begin(self, prompt: Prompt) -> Prompt:
        """Count a call that is about to be made; the prompt, with its answer no longer than what is left allows.

        Raises :class:`ModelBudgetError` where the call, or the prompt alone, would be too much.
        """
        used_tokens = self.tokens - self.tokens_before
        left = self.most_tokens - used_tokens - prompt_tokens(prompt)
        if self.calls - self.calls_before >= self.most_calls:
            raise _used_up(f"all {self.most_calls} calls of a model", "budget_calls")
        if left < 1:
            used = f"{used_tokens} of {self.most_tokens} tokens, and the next prompt is too long"
            raise _used_up(used, "budget_tokens")
        self.calls += 1
        return prompt if prompt.max_tokens is not None and prompt.max_tokens <= left else replace(prompt, max_tokens=left)

    def end(self, reply: Reply) -> None:
        """Count what came back."""
        self.input_tokens += reply.input_tokens
        self.output_tokens += reply.output_tokens
        self.cost += reply.cost or 0.0
        self.is_cost_known = self.is_cost_known and reply.cost is not None

    def __str__(self) -> str:
        cost = f"${self.cost:.4f}{'' if self.is_cost_known else ' or more'}" if self.cost else "cost not known"
        calls = "1 call" if self.calls == 1 else f"{self.calls} calls"
        return f"{calls}, {self.input_tokens} + {self.output_tokens} tokens, {cost}"


def _used_up(what: str, setting: str) -> ModelBudgetError:
    return ModelBudgetError(
        f"the command has used up {what}", advice=f"Allow more: soulmem config set model.{setting} …, or give it less to do."
    )


class MeteredModel:
    """``model``, counted against ``budget``."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self._model = model
        self.budget = budget

    @property
    def name(self) -> str:
        return self._model.name

    def answer(self, prompt: Prompt) -> Reply:
        reply = self._model.answer(self.budget.begin(prompt))
        self.budget.end(reply)
        return reply

    def stream(self, prompt: Prompt) -> Pieces:
        return self._streamed(prompt)

    def _streamed(self, prompt: Prompt) -> Generator[str, None, Reply]:
        """A stream that is left early counts as what came of it."""
        asked = self.budget.begin(prompt)
        seen: list[str] = []
        reply: Reply | None = None
        try:
            reply = yield from tapped(self._model.stream(asked), seen.append)
            return reply
        finally:
            text = "".join(seen)
            tokens = (prompt_tokens(asked), estimated_tokens(text))
            if reply or text:
                self.budget.end(reply or Reply(text=text, input_tokens=tokens[0], output_tokens=tokens[1], model=self.name))


class DryRunModel:
    """Shows prompts instead of asking ``model``."""

    def __init__(self, name: str, show: Callable[[Prompt], None]) -> None:
        self._name = name
        self._show = show

    @property
    def name(self) -> str:
        return self._name

    def answer(self, prompt: Prompt) -> Reply:
        """Raises :class:`ModelDryRunError`, always."""
        self._show(prompt)
        raise ModelDryRunError(f"model {self._name} was not asked: this is a dry run")

    def stream(self, prompt: Prompt) -> Pieces:
        """Raises as :meth:`answer`."""
        yield self.answer(prompt).text
        return self.answer(prompt)
