"""``soulmem stats``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.options import as_of_option, common, json_option
from soulmem_cli.tables import cell
from soulmem_cli.terminal import print_pairs


@click.command(short_help="Count what is in the mind.")
@as_of_option
@json_option
@common
def command(as_of: int | datetime | None, as_json: bool) -> None:
    """Count what is in the mind: notes, links, messages; and say where it is and how big.

    \b
    Example:
      soulmem stats --json
    """
    with opened(read_only=True, as_of=as_of) as soul:
        counts = soul.stats()
    if as_json:
        print_json(counts)
    else:
        print_pairs(_lines(counts))


def _lines(counts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in counts.items():
        title = name.replace("_", " ")
        if isinstance(value, Mapping):
            yield title, f"{sum(value.values()):,}"
            yield from ((f"  {kind}", f"{count:,}") for kind, count in value.items())
        else:
            yield title, f"{value:,}" if isinstance(value, int) else cell(value)
