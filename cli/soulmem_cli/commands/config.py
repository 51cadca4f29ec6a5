"""``soulmem config``: the language model, and the constants of a mind."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.models import print_prompt
from soulmem_cli.options import Chosen, common, json_option, without_mind
from soulmem_cli.terminal import out, print_pairs, say


@click.group("config", short_help="The language model, and a mind's constants.", no_args_is_help=True)
@common
def command() -> None:
    """Configure the language model for all minds; with --mind, set constants of one mind.

    A model is never needed: without one everything works by rules. Keys are kept nowhere: put them into the environment.
    Variables of the environment (SOULMEM_MODEL_NAME …) come before the file.

    \b
    Examples:
      soulmem config set model.name ollama_chat/qwen3:4b
      soulmem config set model.base_url http://127.0.0.1:8080/v1
      soulmem config test
      soulmem config --mind wren set half_life_episode_hours 72
      soulmem config --mind wren set forget.preset elephant
    """


def _is_of_mind(name: str = "") -> bool:
    """Whether one mind is meant: where it is named on the command line; or in the environment, of what only a mind has."""
    chosen = click.get_current_context().ensure_object(Chosen)
    return chosen.mind_is_said or (chosen.mind is not None and _belongs_to_mind(name))


def _belongs_to_mind(name: str) -> bool:
    from soulmem.forget.presets import NAME
    from soulmem.tune.weights import TUNABLE

    return name in TUNABLE or name == NAME


@command.command("show", short_help="Show everything and where it comes from.")
@json_option
@common
def show(as_json: bool) -> None:
    """Show all values, and where each comes from: default, file or environment; with --mind default, profile or mind.

    \b
    Examples:
      soulmem config show
      soulmem config --mind wren show --json
    """
    rows = _of_mind() if _is_of_mind() else _of_all()
    if as_json:
        print_json(rows)
    else:
        print_pairs((row["name"], _told(row)) for row in rows)


def _told(row: dict[str, Any]) -> str:
    value = "not set" if row["value"] is None else f"{row['value']}"
    return f"{value}  ({row['origin']})"


def _of_all() -> list[dict[str, Any]]:
    from soulmem.config import configured

    return [{"name": one.name, "value": one.value, "origin": one.origin} for one in configured()]


def _of_mind() -> list[dict[str, Any]]:
    from soulmem.forget.presets import HALF_LIVES, NAME
    from soulmem.tune.weights import TUNABLE

    with opened(read_only=True) as soul:
        own, profile, settings, preset = soul.own_values, soul.profile.weights, soul.settings, soul.preset
    origins = dict.fromkeys(profile, "profile") | dict.fromkeys(own, "mind")
    rows = [{"name": name, "value": getattr(settings, name), "origin": origins.get(name, "default")} for name in TUNABLE]
    chosen = next((origins[name] for name in HALF_LIVES if name in origins), "default")
    return [{"name": NAME, "value": preset, "origin": chosen}, *rows]


@command.command("get", short_help="Print one value.")
@click.argument("name")
@json_option
@common
def get(name: str, as_json: bool) -> None:
    """Print the value of NAME; nothing where it is not set.

    \b
    Examples:
      soulmem config get model.name
      soulmem config --mind wren get damping
    """
    _check_place(name)
    found = next(row for row in (_of_mind() if _is_of_mind(name) else _of_all()) if row["name"] == name)
    if as_json:
        print_json(found)
    elif found["value"] is not None:
        out(str(found["value"]))


@command.command("set", short_help="Set one value.")
@click.argument("name")
@click.argument("value")
@json_option
@common
def set_(name: str, value: str, as_json: bool) -> None:
    """Set NAME to VALUE: in the configuration of all minds, or with --mind in that mind.

    forget.preset is whose memory the mind has: human, elephant (everything eight times as long) or goldfish (an eighth). It sets
    all half-lives; what was forgotten before stays as it is.

    \b
    Examples:
      soulmem config set model.name openai/gpt-4o-mini
      soulmem config set model.timeout_seconds 300
      soulmem config --mind wren set max_results 6
      soulmem config --mind wren set forget.preset goldfish
    """
    kept = _set_in_mind(name, value) if _is_of_mind(name) else _set_for_all(name, value)
    if as_json:
        print_json({"name": name, "value": kept})
    else:
        say(f"{name} is {kept} now.")


def _set_for_all(name: str, text: str) -> Any:
    from soulmem.config import OPTIONS, config_path, read_file, set_value

    _check_place(name)
    path = config_path()
    model = read_file(path).get("model.name")
    kept = set_value(name, text, path, str(model) if model else None)
    _warn_of_variable(OPTIONS[name].variable)
    return kept


def _set_in_mind(name: str, text: str) -> Any:
    from soulmem.forget.presets import NAME
    from soulmem.tune.weights import parsed_value

    _check_place(name)
    if name == NAME:
        with opened() as soul:
            soul.use_preset(text.strip())
        return text.strip()
    _, value = parsed_value(f"{name}={text}")
    with opened() as soul:
        soul.set_values({name: value})
    return value


def _warn_of_variable(variable: str) -> None:
    import os

    if os.environ.get(variable):
        say(f"{variable} is set in the environment, and comes before it.")


@command.command("unset", short_help="Take one value away.")
@click.argument("name")
@json_option
@common
def unset(name: str, as_json: bool) -> None:
    """Take NAME away: the default is used again (of a mind: its profile, or the default).

    \b
    Examples:
      soulmem config unset model.base_url
      soulmem config --mind wren unset damping
    """
    was_set = _unset_in_mind(name) if _is_of_mind(name) else _unset_for_all(name)
    if as_json:
        print_json({"name": name, "was_set": was_set})
    else:
        say(f"{name} was taken away." if was_set else f"{name} was not set.")


def _unset_for_all(name: str) -> bool:
    from soulmem.config import config_path, unset_value

    return unset_value(name, config_path())


def _unset_in_mind(name: str) -> bool:
    from soulmem.forget.presets import DEFAULT, HALF_LIVES, NAME

    with opened() as soul:
        if name == NAME:
            was_set = bool(soul.own_values.keys() & set(HALF_LIVES))
            if was_set:
                soul.use_preset(DEFAULT)
            return was_set
        if name not in soul.own_values:
            _check_place(name)
            return False
        soul.set_values({name: None})
    return True


def _check_place(name: str) -> None:
    """Raises :class:`InputError` for a name that is not there, or belongs to the other place."""
    from soulmem.config import OPTIONS, option
    from soulmem.errors import InputError
    from soulmem.tune.weights import unknown_name

    of_mind = _belongs_to_mind(name)
    if _is_of_mind(name):
        if name in OPTIONS:
            raise InputError(f"{name} is the same for all minds", advice=f"Leave --mind out: soulmem config set {name} …")
        if not of_mind:
            raise unknown_name(name)
    elif of_mind:
        raise InputError(f"{name} belongs to a mind", advice=f"Name the mind: soulmem config --mind NAME set {name} …")
    else:
        option(name)


@command.command("path", short_help="Print where the configuration is.")
@json_option
@without_mind("The configuration is that of all minds.")
def path(as_json: bool) -> None:
    """Print the path of the configuration of all minds. SOULMEM_CONFIG names another one.

    \b
    Example:
      soulmem config path
    """
    from soulmem.config import config_path

    found = config_path()
    if as_json:
        print_json({"path": str(found), "exists": found.exists()})
    else:
        out(str(found))


@command.command("test", short_help="Call the language model once.")
@click.option("--language", type=click.Choice(["zh", "en"]), default="en", show_default=True, help="Of the question.")
@click.option("--dry-run", is_flag=True, help="Show the prompt instead of calling.")
@json_option
@without_mind("The configuration is that of all minds.")
def test(language: str, dry_run: bool, as_json: bool) -> None:
    """Call the language model once, and say how it did, or what is wrong.

    \b
    Examples:
      soulmem config test
      soulmem config test --language zh --json
    """
    import time
    from dataclasses import replace

    from soulmem.config import model_settings
    from soulmem.errors import ModelDryRunError
    from soulmem.llm import new_budget, open_model
    from soulmem.llm.trial import try_model

    settings = replace(model_settings(), attempts=1)
    budget = new_budget(settings)
    model = open_model(settings, budget=budget, show=print_prompt if dry_run else None)
    with _waiting(model.name, quiet=dry_run or as_json):
        try:
            trial = try_model(model, language, time.monotonic)
        except ModelDryRunError:
            return
    if as_json:
        print_json(trial)
    else:
        print_pairs([("model", trial.model), ("answer", trial.text.strip()), ("right", "yes" if trial.is_right else "no")])
        say(f"It took {trial.seconds:.1f} seconds; used: {budget}.")
    if not trial.is_right:
        say("The answer has the form asked for, and is not right: expect little of this model.")


@contextmanager
def _waiting(name: str, *, quiet: bool) -> Iterator[None]:
    if not quiet and sys.stderr.isatty():
        say(f"Asking {name} …")
    yield
