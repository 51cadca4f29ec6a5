"""What the commands about talk share."""

from __future__ import annotations

import click

#: ``--chat``: which talk.
chat_option = click.option(
    "--chat", default="default", show_default=True, metavar="NAME", help="Which talk: each has a window of its own."
)
