"""``soulmem cypher``."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from soulmem_cli.limits import memory_limited, stopped_by_ctrl_c
from soulmem_cli.minds import opened
from soulmem_cli.options import MOST, as_of_option, common, csv_option, json_option, not_both, parameter_option
from soulmem_cli.questions import read_text
from soulmem_cli.rows import print_queries, print_rows
from soulmem_cli.shell import run_shell

if TYPE_CHECKING:
    from soulmem.soul import Soul


@click.command()
@click.argument("query", required=False)
@parameter_option
@click.option("--write", is_flag=True, help="Allow statements that change the mind; without it the mind is opened for reading.")
@click.option("--limit", default=100, show_default=True, type=click.IntRange(1, MOST), metavar="N", help="At most so many rows.")
@click.option(
    "--timeout",
    default=60.0,
    show_default=True,
    type=click.FloatRange(0, 1_000_000, min_open=True),
    metavar="SECONDS",
    help="Stop a statement that takes longer.",
)
@as_of_option
@json_option
@csv_option
@common
def command(
    query: str | None,
    parameters: dict[str, Any],
    write: bool,
    limit: int,
    timeout: float,
    as_of: int | datetime | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Run Cypher on the mind; without QUERY, a shell.

    Values travel as parameters ($name), never inside the text. Files and the network are out of reach. In the shell a
    statement ends with ";", and .help says what else there is.
    What is written past soulmem is not indexed: soulmem doctor tells, soulmem reembed mends.
    Write (x IN list) = true instead of a bare x IN list: the engine may answer the bare one wrongly.

    \b
    Examples:
      soulmem cypher "MATCH (n:Semantic) RETURN n.key, n.content"
      soulmem cypher 'MATCH (t:Term {text: $w})-[:OCCURS]->(m:Message) RETURN m.text' -p w=辣 --json
      soulmem cypher
    """
    not_both(as_json, as_csv)
    if write and as_of is not None:
        raise click.UsageError("The past cannot be written: --write does not go with --as-of.")
    with opened(read_only=not write, as_of=as_of) as soul:

        def run(statement: str) -> None:
            with stopped_by_ctrl_c(), memory_limited():
                rows = soul.cypher(statement, parameters, limit=limit, write=write, timeout_seconds=timeout)
            print_rows(rows, as_json=as_json, as_csv=as_csv)

        if query is not None:
            run(query)
        elif sys.stdin.isatty():
            run_shell(run, _words(soul, run), greeting=str(soul.store.path))
        else:
            _run_piped(run)


def _run_piped(run: Any) -> None:
    from soulmem.store.cypher import statements

    for statement in statements(read_text("-")):
        run(statement)


def _words(soul: Soul, run: Any) -> dict[str, Any]:
    """What the shell knows beside Cypher."""
    return {
        ".tables": lambda: run("CALL show_tables() RETURN name, type"),
        ".queries": lambda: print_queries(soul.shipped_queries(), as_json=False, as_csv=False),
    }
