"""What soulmem asks of a language model, and what it gets. Frozen values; who implements them is found by :mod:`soulmem.llm`."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable


class Side(StrEnum):
    """Who says a message to a model."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a prompt."""

    side: Side
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A question to a model.

    ``schema``: the JSON schema the answer must have; ``None``: any text. ``purpose``: what it is for, in one word (the name of
    the prompt file). ``max_tokens``: the longest answer, ≥ 1; ``None``: what the settings say. ``language``: ``zh`` or ``en``
    where the answer must be in it, else ``None``.
    """

    system: str
    messages: tuple[Said, ...]
    purpose: str
    schema: Mapping[str, Any] | None = None
    max_tokens: int | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model answered, as it came: not checked.

    Tokens are as the provider counted them, else estimated. ``cost`` in US dollars; ``None``: not known. ``truncated``: it
    stopped because it had reached the longest answer allowed. ``model``: the name that answered.
    """

    text: str
    input_tokens: int
    output_tokens: int
    model: str
    cost: float | None = None
    truncated: bool = False


#: Pieces of text as they come; the whole reply is what the generator returns (``reply = yield from model.stream(prompt)``).
Pieces = Generator[str, None, Reply]


@runtime_checkable
class Model(Protocol):
    """A language model. Failures are :class:`soulmem.errors.ModelError`, and hold no key."""

    @property
    def name(self) -> str:
        """``provider/model``."""
        ...

    def answer(self, prompt: Prompt) -> Reply:
        """The answer, whole."""
        ...

    def stream(self, prompt: Prompt) -> Pieces:
        """The answer in pieces. The call is made when the first is asked for."""
        ...


def estimated_tokens(text: str) -> int:
    """About how many tokens ``text`` has: one for each character of Chinese and the like, one for four others."""
    wide = sum(character > "\u2e7f" for character in text)
    return wide + -(-(len(text) - wide) // 4)


def prompt_tokens(prompt: Prompt) -> int:
    """About how many tokens ``prompt`` has."""
    return estimated_tokens(prompt.system) + sum(estimated_tokens(said.text) for said in prompt.messages)
