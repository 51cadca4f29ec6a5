"""``soulmem reembed``."""

from __future__ import annotations

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.options import common, embedder_named, json_option
from soulmem_cli.terminal import out, progress_bar


@click.command(short_help="Make all vectors anew.")
@click.argument("embedder", required=False, callback=embedder_named)
@json_option
@common
def command(embedder: str | None, as_json: bool) -> None:
    """Make all vectors of the mind anew, with EMBEDDER or with the one it has.

    \b
    Examples:
      soulmem reembed bge
      soulmem reembed api:openai/text-embedding-3-small
    """
    with opened() as soul, progress_bar() as progress:
        tell = None if progress is None else (lambda done, total: progress("texts", done, total))
        operation = soul.reembed(embedder, progress=tell)
    if as_json:
        print_json(operation)
    else:
        out(operation.what)
