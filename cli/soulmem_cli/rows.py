"""Rows of queries: as a table, as JSON objects, or as CSV."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from soulmem.text.counts import counted
from soulmem_cli.as_json import print_json
from soulmem_cli.tables import print_csv, print_table
from soulmem_cli.terminal import say

if TYPE_CHECKING:
    from soulmem.store.contract import Rows


def print_rows(rows: Rows, *, as_json: bool, as_csv: bool) -> None:
    """The rows to standard output; a word on standard error when the limit cut them."""
    if as_json:
        print_json([dict(zip(rows.columns, row, strict=True)) for row in rows.rows])
    elif as_csv:
        print_csv(rows.columns, rows.rows)
    else:
        print_table(rows.columns, rows.rows)
    if rows.more:
        say(f"Only the first {counted(len(rows.rows), 'row')} shown: there are more. Raise --limit, or say LIMIT in the query.")


def print_queries(queries: Iterable[Any], *, as_json: bool, as_csv: bool) -> None:
    """The shipped queries: name, parameters, what each does."""
    columns = ("name", "parameters", "description")
    told = [(query.name, _parameters(query), query.description) for query in queries]
    if as_json:
        print_json([dict(zip(columns, row, strict=True)) for row in told])
        return
    cells = [(name, " ".join(f"{given}={kind}" for given, kind in parameters.items()), text) for name, parameters, text in told]
    if as_csv:
        print_csv(columns, cells)
    else:
        print_table(columns, cells)


def _parameters(query: Any) -> dict[str, str]:
    return {name: f"{given.type}?" if given.nullable else given.type for name, given in query.parameters.items()}
