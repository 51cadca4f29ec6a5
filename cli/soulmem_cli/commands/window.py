"""``soulmem window``."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from soulmem.text.counts import counted
from soulmem_cli.as_json import print_json
from soulmem_cli.minds import opened
from soulmem_cli.options import at_option, common, json_option
from soulmem_cli.tables import print_table
from soulmem_cli.terminal import one_line, out, print_pairs
from soulmem_cli.working import chat_option, heard_in_option

if TYPE_CHECKING:
    from soulmem.working.observer import WindowView


@click.command(short_help="Show what was said last, and the summary of what came before.")
@chat_option
@heard_in_option
@at_option
@json_option
@common
def command(chat: str, heard_in: str | None, at: datetime | None, as_json: bool) -> None:
    """Show the window of a talk: its last messages, which of them are tagged (*), the summary, and whether the mind is idle.

    \b
    Examples:
      soulmem window
      soulmem window --chat group --json
    """
    with opened(read_only=True) as soul:
        view = soul.window(chat, at, heard_in=heard_in)
    if as_json:
        print_json(view)
    else:
        _print(view)


def _print(view: WindowView) -> None:
    last = view.last_at.replace(microsecond=0).isoformat() if view.last_at else "never"
    due = ", a summary is due" if view.summary_due else ""
    print_pairs([("talk", view.chat), ("state", f"{view.state}{due}"), ("said", counted(view.said, "message")), ("last", last)])
    if view.summary:
        out("\nSummary")
        for line in view.summary.splitlines():
            out(f"  {one_line(line)}")
    if view.messages:
        out("")
        print_table(
            ("line", "tagged", "speaker", "text"),
            [(said.line, "*" if said.id in view.tagged else "", said.speaker, one_line(said.text)) for said in view.messages],
        )
