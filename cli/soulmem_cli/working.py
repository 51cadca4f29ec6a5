"""What the commands about talk share."""

from __future__ import annotations

import click

#: ``--scope``: who hears it.
scope_option = click.option(
    "--scope",
    default="public",
    show_default=True,
    metavar="SCOPE",
    help="Where this is heard: public, direct:PERSON or group:ID. It is recorded; recall does not keep it apart yet.",
)
#: ``--chat``: which talk.
chat_option = click.option(
    "--chat", default="default", show_default=True, metavar="NAME", help="Which talk: each has a window of its own."
)
