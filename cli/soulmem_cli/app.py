"""The group of commands. Each is a module of :mod:`soulmem_cli.commands`, imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import IO, Any

import click

from soulmem._version import __version__
from soulmem.errors import SoulmemError
from soulmem_cli.interrupts import ToldInterrupt
from soulmem_cli.main import INTERRUPTED
from soulmem_cli.options import Chosen, debug_option, mind_option
from soulmem_cli.terminal import shown

#: In the order of ``soulmem --help``: from the first thing one does with a mind to the last.
COMMANDS = (
    "init",
    "new",
    "minds",
    "ingest",
    "chat",
    "observe",
    "window",
    "consolidate",
    "ask",
    "show",
    "list",
    "stats",
    "query",
    "cypher",
    "edit",
    "forget",
    "pin",
    "unpin",
    "log",
    "undo",
    "redo",
    "diff",
    "export",
    "backup",
    "restore",
    "reembed",
    "doctor",
    "tune",
    "config",
    "demo",
    "completion",
)


class Failure(click.ClickException):
    """An error of the library, as the command line tells it: one line, what to do below it, exit code 1."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"soulmem: error: {shown(self.message)}", file=file, err=file is None)


@contextmanager
def _told_safely() -> Iterator[None]:
    """What was not understood is quoted by click as it was given: make that safe for a terminal. Ctrl-C is exit code 130, also at
    a question, where click tells it from the end of input by its cause alone."""
    try:
        yield
    except (KeyboardInterrupt, click.Abort) as stop:
        if isinstance(stop, click.Abort) and not isinstance(stop.__context__, KeyboardInterrupt):
            raise
        told = str(stop) if isinstance(stop, ToldInterrupt) else ""
        click.echo(f"\n{shown(told)}" if told else None, err=True)
        raise click.exceptions.Exit(INTERRUPTED) from stop
    except click.UsageError as error:
        error.message = shown(error.message)  # type: ignore[misc]
        raise


class Commands(click.Group):
    """Loads commands when they are asked for, and turns errors into exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"soulmem_cli.commands.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Click suggests the nearest command only among those that are loaded, and only its later versions do."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0].lower(), COMMANDS, n=1)
            if not near or args[0].startswith("-"):
                raise
            raise click.UsageError(f"{error.format_message()} Did you mean {near[0]!r}?", ctx) from error

    def make_context(self, *given: Any, **settings: Any) -> click.Context:
        with _told_safely():
            return super().make_context(*given, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _told_safely():
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:
            if ctx.ensure_object(Chosen).debug:
                raise
            raise Failure(_told(error)) from error


def _told(error: Exception) -> str:
    if isinstance(error, SoulmemError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
    return (
        f"this is a fault of soulmem itself: {type(error).__name__}: {error}\n"
        "  Run it again as soulmem --debug …, and report what it says."
    )


@click.group("soulmem", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="soulmem", message="%(prog)s %(version)s")
@mind_option(envvar="SOULMEM_MIND", show_envvar=True)
@debug_option()
def app() -> None:
    """The memory of a role-play character or digital companion, in one file on your own computer.

    \b
    Begin with
      soulmem demo
    or with a mind of your own
      soulmem init wren --name Wren
      soulmem ingest chat.jsonl
      soulmem ask "What did she promise?"

    Every command that works on a mind takes --mind, before or after its name: a bare name is a mind of the data folder; what has
    a slash or ends in .mind is a path. Without it, the only mind there is is used.

    \b
    Exit codes: 0 done; 1 something was wrong with what was given, or with the mind;
    2 the command line was not understood; 130 interrupted; 143 ended by SIGTERM.
    """
