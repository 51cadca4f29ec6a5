"""``soulmem query``."""

from __future__ import annotations

from typing import Any

import click

from soulmem_cli.minds import opened
from soulmem_cli.options import common, csv_option, json_option, not_both, parameter_option
from soulmem_cli.rows import print_queries, print_rows


@click.command(short_help="Run a query that comes with soulmem, or list them.")
@click.argument("name", required=False)
@parameter_option
@json_option
@csv_option
@common
def command(name: str | None, parameters: dict[str, Any], as_json: bool, as_csv: bool) -> None:
    """Run one of the queries that come with soulmem; without NAME, list them.

    \b
    Examples:
      soulmem query
      soulmem query look.links_out -p id=3f0c… --json
    """
    not_both(as_json, as_csv)
    if name is None and parameters:
        raise click.UsageError("Parameters are for a query: which NAME?")
    from soulmem.soul import Soul

    shipped = Soul.shipped_queries()
    if name is None:
        return print_queries(shipped, as_json=as_json, as_csv=as_csv)
    if name not in {query.name for query in shipped}:
        raise click.UsageError(f"There is no query {name!r}. soulmem query lists them.")
    with opened(read_only=True) as soul:
        rows = soul.query(name, parameters)
    return print_rows(rows, as_json=as_json, as_csv=as_csv)
