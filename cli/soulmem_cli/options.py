"""Options that several commands share, and the types of their values."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from typing import Any, TypeVar, cast

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

#: The greatest number of rows that can be asked for.
MOST = 1_000_000_000

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


@dataclass(slots=True)
class Chosen:
    """What was chosen for the whole run, whether before or after the command."""

    mind: str | None = None
    debug: bool = False
    #: Whether the mind stands on the command line, not in the environment.
    mind_is_said: bool = False


def _choose(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value == "":
        raise click.BadParameter("it is empty", ctx, parameter)
    if value:
        chosen = ctx.find_root().ensure_object(Chosen)
        setattr(chosen, str(parameter.name), value)
        if parameter.name == "mind":
            chosen.mind_is_said = ctx.get_parameter_source("mind") is ParameterSource.COMMANDLINE


def embedder_named(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse an embedder that there is not. Whether one that there is works is found out when it is opened."""
    if value is None:
        return None
    from soulmem.embed import embedder_names

    if value.partition(":")[0] not in {name.partition(":")[0].partition("[")[0] for name in embedder_names()}:
        what = f"there is no embedder {value!r}; choose one of: {', '.join(embedder_names())}"
        raise click.BadParameter(what, ctx, parameter)
    return value


def format_named(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse a format that there is not."""
    if value is None:
        return None
    from soulmem.ingest.formats import FORMATS

    names = [known.name for known in FORMATS]
    if value not in names:
        raise click.BadParameter(f"there is no format {value!r}; choose one of: {', '.join(names)}", ctx, parameter)
    return value


def encoding_named(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse an encoding that there is not."""
    if value is None:
        return None
    from soulmem.errors import FormatError
    from soulmem.ingest.charsets import codec_named

    try:
        return codec_named(value)
    except FormatError as error:
        raise click.BadParameter(str(error), ctx, parameter) from error


def _complete_mind(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from soulmem.store import list_minds

    names = [name for name in list_minds() if name.startswith(incomplete)]
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="file")]


def mind_option(**settings: Any) -> Callable[[Decorated], Decorated]:
    """``--mind``. Only the group reads the environment: what is given on the command line comes before it."""
    return click.option(
        "--mind",
        metavar="NAME_OR_PATH",
        expose_value=False,
        callback=_choose,
        shell_complete=_complete_mind,
        help="The mind: a bare name is one of the data folder; what has a slash or ends in .mind is a path.",
        **settings,
    )


def debug_option() -> Callable[[Decorated], Decorated]:
    """``--debug``."""
    return click.option(
        "--debug", is_flag=True, expose_value=False, callback=_choose, help="Show where in the program an error came from."
    )


def common(function: Decorated) -> Decorated:
    """The options of every command that works on a mind."""
    return mind_option()(debug_option()(function))


def without_mind(instead: str) -> Callable[[Decorated], Decorated]:
    """The options of a command that works on no mind there is: ``--mind`` is refused, with what to do ``instead``."""

    def decorate(function: Decorated) -> Decorated:
        @wraps(function)
        def checked(*given: Any, **options: Any) -> Any:
            if said_mind() is not None:
                raise click.UsageError(f"There is no mind to choose with --mind here. {instead}")
            return function(*given, **options)

        return cast("Decorated", mind_option(hidden=True)(debug_option()(checked)))

    return decorate


def said_mind() -> str | None:
    """The mind that ``--mind`` names, if it stands on the command line."""
    chosen = click.get_current_context().find_root().ensure_object(Chosen)
    return chosen.mind if chosen.mind_is_said else None


def one_mind(named: str | None) -> str | None:
    """The mind to make: the one that is ``named`` by an argument or option of the command, else that of ``--mind``."""
    said = said_mind()
    if named is not None and said is not None and said != named:
        raise click.UsageError(f"Two minds are named, {named} and {said}: which is to be made?")
    return said if named is None else named


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")


def moment(ctx: click.Context, parameter: click.Parameter, value: str | None) -> datetime | None:
    if value is None:
        return None
    try:
        found = datetime.fromisoformat(value.strip())
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        what = f"{value!r} is not a time like 2024-05-31 or 2024-05-31T18:30:00+08:00"
        raise click.BadParameter(what, ctx, parameter) from error


at_option = click.option(
    "--at",
    callback=moment,
    metavar="TIME",
    help="The time it is taken to be, RFC 3339 or a date, UTC without a zone. [default: now]",
)


def _as_of(ctx: click.Context, parameter: click.Parameter, value: str | None) -> int | datetime | None:
    """The number of an operation, or a time."""
    if value is not None and value.strip().isdecimal():
        return int(value)
    return moment(ctx, parameter, value)


as_of_option = click.option(
    "--as-of",
    callback=_as_of,
    metavar="N|TIME",
    help="The mind as it was after operation N of the log, or at a time. What was forgotten for good since is not in it.",
)


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _value(text: str) -> Any:
    """The value JSON gives, or the text itself where it is no JSON."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return text


def _parameters(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for pair in given:
        name, equals, text = pair.partition("=")
        if not equals or not name.isidentifier():
            raise click.BadParameter(f"{pair!r} is not NAME=VALUE", ctx, parameter)
        if name in values:
            raise click.BadParameter(f"{name} is given twice", ctx, parameter)
        values[name] = _value(text)
    return values


parameter_option = click.option(
    "-p",
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_parameters,
    help="A parameter. What is JSON is read as such (a number, true, a list), all else as text; quote a number to make it text: "
    "-p 'name=\"12\"'. Repeatable.",
)


def not_both(as_json: bool, as_csv: bool) -> None:
    """Refuse ``--json`` together with ``--csv``."""
    if as_json and as_csv:
        raise click.UsageError("--json and --csv: choose one.")
