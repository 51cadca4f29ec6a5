"""``soulmem export``."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.options import as_of_option, common, json_option
from soulmem_cli.outputs import check_outputs, force_option
from soulmem_cli.terminal import counted, one_line, out
from soulmem_cli.working import heard_in_option


@click.command(short_help="Write the mind as Graph JSON.")
@click.argument("file", metavar="FILE")
@click.option("--messages", is_flag=True, help="Also write the messages, beside FILE, as .messages.jsonl.")
@heard_in_option
@force_option
@as_of_option
@json_option
@common
def command(file: str, messages: bool, heard_in: str | None, force: bool, as_of: int | datetime | None, as_json: bool) -> None:
    """Write all notes and links as Graph JSON; "-" is standard output.

    With the messages, and without --as-heard-in, reading both files into an empty mind gives this mind again.

    \b
    Examples:
      soulmem export wren.json --messages
      soulmem export - | jq length
      soulmem export for_bo.json --as-heard-in direct:Bo
    """
    if file == "-":
        return _to_stdout(heard_in, as_of, more_asked=messages or as_json)
    target = Path(file)
    check_outputs(target, target.with_suffix(".messages.jsonl") if messages else None, force=force)
    with opened(read_only=True, as_of=as_of) as soul:
        done = soul.export(target, messages=messages, heard_in=heard_in)
    if as_json:
        print_json(done)
    else:
        what = ("note", "link", "message") if messages else ("note", "link")
        out(f"{one_line(', '.join(done['files']))}: {', '.join(counted(done[f'{one}s'], one) for one in what)}")
    return None


def _to_stdout(heard_in: str | None, as_of: int | datetime | None, *, more_asked: bool) -> None:
    if more_asked:
        raise click.UsageError("Standard output takes the graph and nothing else: --messages and --json need a FILE.")
    with opened(read_only=True, as_of=as_of) as soul:
        click.echo(soul.export_graph(heard_in=heard_in), nl=False)
