"""``soulmem export``."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from soulmem.errors import InputError
from soulmem.text.counts import counted
from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.options import as_of_option, common, json_option
from soulmem_cli.outputs import check_outputs, force_option
from soulmem_cli.terminal import one_line, out, say
from soulmem_cli.working import heard_in_option

if TYPE_CHECKING:
    from soulmem.export.forms import Form


@click.command(short_help="Write the mind out: Graph JSON, card, biography, tables.")
@click.argument("file", metavar="FILE")
@click.option(
    "--form",
    type=click.Choice(["graph", "lines", "card", "biography", "tables"]),
    help="What is written. [default: by the ending: .jsonl lines, .png, .charx card, .md biography, .parquet tables; else graph]",
)
@click.option(
    "--messages", is_flag=True, help="Also write the messages, which notes were drawn from, beside FILE, as .messages.jsonl."
)
@click.option("--picture", metavar="FILE.png", help="The picture that a card travels in. [default: its own, else a plain one]")
@heard_in_option
@force_option
@as_of_option
@json_option
@common
def command(
    file: str,
    form: str | None,
    messages: bool,
    picture: str | None,
    heard_in: str | None,
    force: bool,
    as_of: int | datetime | None,
    as_json: bool,
) -> None:
    """Write the mind out; "-" is standard output, for Graph JSON.

    Graph JSON with its messages, without --as-heard-in, makes this mind again when both are read into an empty one. A card has
    who the character is, and what it knows and does as its lorebook, also of those who talk with it: leave that out with
    --as-heard-in. Exchanges of chats have no place in it. The picture and other images of the card that the mind was made from go
    along. Tables are a folder of Parquet files.

    \b
    Examples:
      soulmem export wren.json --messages
      soulmem export wren.png --picture portrait.png
      soulmem export wren.charx
      soulmem export wren.md
      soulmem export wren.parquet
      soulmem export for_bo.json --as-heard-in direct:Bo
    """
    if file == "-":
        return _to_stdout(heard_in, as_of, more_asked=messages or as_json or form not in (None, "graph") or picture is not None)
    from soulmem.export.forms import Form

    target = Path(file)
    chosen = None if form is None else Form(form)
    _check_target(target, chosen, messages, force)
    with opened(read_only=True, as_of=as_of) as soul:
        done = soul.export(target, messages=messages, form=chosen, heard_in=heard_in, picture=_picture(picture))
    for line in done["told"]:
        say(one_line(line))
    if as_json:
        print_json(done)
    else:
        out(f"{one_line(', '.join(done['files']))}: {', '.join(_counts(done, messages=messages))}")
    return None


def _counts(done: dict[str, Any], *, messages: bool) -> list[str]:
    """How much was written: of a card, which has not all that is in the mind, what its lorebook holds."""
    own = [counted(done[f"{one}s"], one) for one in ("note", "link")]
    if (entries := done["entries"]) is not None:
        own = [f"a card with {entries} {'entry' if entries == 1 else 'entries'} in its lorebook"]
    return [*own, *([counted(done["messages"], "message")] if messages else [])]


def _check_target(target: Path, form: Form | None, messages: bool, force: bool) -> None:
    from soulmem.export.forms import TABLES, Form, form_of

    beside = target.with_suffix(".messages.jsonl") if messages else None
    if (form or form_of(target)) is not Form.TABLES:
        return check_outputs(target, beside, force=force)
    if target.is_dir():
        return check_outputs(*(target / f"{name}.parquet" for name in TABLES), beside, force=force)
    return check_outputs(target, beside, force=False)


def _picture(path: str | None) -> bytes | None:
    try:
        return None if path is None else Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def _to_stdout(heard_in: str | None, as_of: int | datetime | None, *, more_asked: bool) -> None:
    if more_asked:
        raise click.UsageError("Standard output takes the graph and nothing else: --messages and --json need a FILE.")
    with opened(read_only=True, as_of=as_of) as soul:
        click.echo(soul.export_graph(heard_in=heard_in), nl=False)
