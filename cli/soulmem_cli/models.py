"""The language model of a command, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from soulmem_cli.terminal import out, say

if TYPE_CHECKING:
    from soulmem.llm import ModelSettings
    from soulmem.llm.contract import Model, Prompt

no_model_option = click.option("--no-model", is_flag=True, help="Ask no language model, even if one is configured.")


@contextmanager
def configured_model(no_model: bool = False) -> Iterator[Model | None]:
    """The model that is configured, if one is and it is wanted. What it used is told at the end."""
    with talking_model(no_model) as (model, _):
        yield model


@contextmanager
def talking_model(no_model: bool = False) -> Iterator[tuple[Model | None, Callable[[], None]]]:
    """As :func:`configured_model`, with what renews its budget: a talk has no end, so the budget is for each line of it."""
    from soulmem.config import model_settings

    with _opened(None if no_model else model_settings()) as found:
        yield found


@contextmanager
def named_model(name: str | None) -> Iterator[Model | None]:
    """The model of this name, with what else is configured of models; without a name none, even if one is configured."""
    from soulmem.config import model_settings

    with _opened(replace(model_settings(), name=name) if name else None) as (model, _):
        yield model


@contextmanager
def _opened(settings: ModelSettings | None) -> Iterator[tuple[Model | None, Callable[[], None]]]:
    from soulmem.llm import new_budget, open_model

    if settings is None or not settings.name:
        yield None, lambda: None
        return
    budget = new_budget(settings)
    try:
        yield open_model(settings, budget=budget), budget.renew
    finally:
        if budget.calls:
            say(f"{settings.name}: {budget}")


def dry_model() -> Model:
    """The model that is configured, asked nothing: every prompt is printed instead. Raises :class:`ModelUnsetError`."""
    from soulmem.config import model_settings
    from soulmem.llm import open_model

    return open_model(model_settings(), show=print_prompt)


def print_prompt(prompt: Prompt) -> None:
    """A prompt as a person reads it."""
    out(f"[{prompt.purpose}]\n{prompt.system}")
    for said in prompt.messages:
        out(f"\n[{said.side}]\n{said.text}")
