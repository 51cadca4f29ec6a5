"""What a user may say about the language model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """``name``: ``provider/model`` as litellm names it, or ``scripted:FILE``; ``None``: no model.

    ``base_url``: of a server of one's own. ``timeout_seconds``: for each try, > 0. ``attempts``: tries of a call that fails for a
    passing reason, ≥ 1. ``temperature``: 0..2. ``max_tokens``: the longest answer, ≥ 1. ``schema``: how structured answers are
    asked for: ``auto`` (by JSON schema, until the provider takes none), ``yes`` (always so) or ``no`` (by words in the prompt).
    ``budget_calls``, ``budget_tokens``: the most that one command may use, ≥ 1; tokens both ways.
    """

    name: str | None = None
    base_url: str | None = None
    timeout_seconds: float = 120.0
    attempts: int = 4
    temperature: float = 0.3
    max_tokens: int = 2048
    schema: str = "auto"
    budget_calls: int = 60
    budget_tokens: int = 200_000
