"""Language models: optional everywhere, reached by one contract, and never believed without a look.

:func:`open_model` gives the model that is configured, with its retries and its budget; :mod:`soulmem.llm.prompting` makes
prompts, :mod:`soulmem.llm.answers` asks them and checks what comes, :mod:`soulmem.llm.schemas` says what that becomes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from random import Random

from soulmem.errors import ModelUnsetError
from soulmem.llm.contract import Model, Prompt, Reply
from soulmem.llm.retry import Budget, DryRunModel, MeteredModel, RetryingModel
from soulmem.llm.settings import ModelSettings

__all__ = ["Budget", "Model", "ModelSettings", "Prompt", "Reply", "new_budget", "open_model"]


def new_budget(settings: ModelSettings) -> Budget:
    """The budget of one command."""
    return Budget(most_calls=settings.budget_calls, most_tokens=settings.budget_tokens)


def open_model(
    settings: ModelSettings,
    *,
    budget: Budget | None = None,
    random: Random | None = None,
    sleep: Callable[[float], None] = time.sleep,
    show: Callable[[Prompt], None] | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Model:
    """The model that ``settings`` name: a provider's, or ``scripted:FILE``. Nothing is called yet.

    ``budget``: what it may use, by default a new one of ``settings``. ``random``: of the jitter between tries, ``sleep`` waits.
    ``show``: a dry run; it is given every prompt, and no model is asked (:class:`ModelDryRunError`).

    Raises:
        ModelUnsetError: no model is named, or what is named cannot be one.
        InputError: the script of a scripted model cannot be read.
    """
    name = _checked_name(settings)
    if show is not None:
        return DryRunModel(name, show)
    kind = name.partition(":")[0]
    opened = _MODELS.get(kind, _open_provider)(settings, name, environment)
    metered = MeteredModel(opened, budget or new_budget(settings))
    return RetryingModel(metered, attempts=settings.attempts, random=random or Random(), sleep=sleep)


def _checked_name(settings: ModelSettings) -> str:
    name = settings.name
    if not name:
        advice = "Name one with: soulmem config set model.name PROVIDER/MODEL (or SOULMEM_MODEL_NAME in the environment)."
        raise ModelUnsetError("no language model is configured: model.name is not set", advice=advice)
    provider, slash, model = name.partition("/")
    if name.partition(":")[0] not in _MODELS and not (provider and slash and model):
        advice = f"Say PROVIDER/{name}, as in ollama_chat/qwen3:4b; for a server of your own openai/{name}, with model.base_url."
        raise ModelUnsetError(f"model.name {name!r} does not say which provider has it", advice=advice)
    return name


def _open_scripted(settings: ModelSettings, name: str, environment: Mapping[str, str]) -> Model:
    from soulmem.llm.scripted import ScriptedModel

    return ScriptedModel.from_file(name.partition(":")[2])


def _open_provider(settings: ModelSettings, name: str, environment: Mapping[str, str]) -> Model:
    from soulmem.llm.provider import ProviderModel
    from soulmem.llm.secrets import key_for

    return ProviderModel(settings, key_for(name, settings.base_url, environment))


_MODELS: dict[str, Callable[[ModelSettings, str, Mapping[str, str]], Model]] = {"scripted": _open_scripted}
