"""``soulmem chat``."""

from __future__ import annotations

import sys
from datetime import datetime

import click

from soulmem_cli.feed import STOPPED, Feed
from soulmem_cli.minds import opened
from soulmem_cli.models import no_model_option, talking_model
from soulmem_cli.options import at_option, common
from soulmem_cli.working import chat_option, present_option, talk_scope_option

#: What somebody is called who gives no name.
UNNAMED = "User"


@click.command(short_help="Talk with the character.")
@click.option("--as", "user", metavar="NAME", help="Your name. [default: whoever talked there last; User]")
@click.option("--character", metavar="NAME", help="The character's name. [default: the mind's own]")
@talk_scope_option
@present_option
@chat_option
@click.option("--top", default=10, show_default=True, type=click.IntRange(1, 1000), metavar="N", help="At most so many memories.")
@click.option("--incognito", is_flag=True, help="Keep nothing of what is said, until /incognito ends it.")
@no_model_option
@click.option("--show", "is_shown", is_flag=True, help="Show in every turn, dimmed, what came to mind.")
@at_option
@common
def command(
    user: str | None,
    character: str | None,
    scope: str | None,
    present: tuple[str, ...],
    chat: str,
    top: int,
    incognito: bool,
    no_model: bool,
    is_shown: bool,
    at: datetime | None,
) -> None:
    """Talk with the character, line by line: what you say is remembered, brings memories to mind, and the reply is made of them.

    The language model that is configured replies (soulmem config); without one you see what would be given to it, and /reply
    TEXT says the reply in its place. Lines that begin with / are commands: /help lists them. Ctrl-D ends the talk.

    \b
    Examples:
      soulmem chat
      soulmem chat --as Bo --scope direct:Bo --show
    """
    from soulmem.conversation import Conversation, known_names
    from soulmem_cli.talk import Talk

    with talking_model(no_model) as (model, renew), opened() as soul:
        soul.use_model(model)
        names = known_names(soul, scope)
        talk = Conversation(
            soul,
            user=user or names.user or UNNAMED,
            character=character or names.character or soul.store.path.stem,
            chat=chat,
            scope=scope,
            present=present,
            model=model,
            top=top,
            incognito=incognito,
            owner=user or UNNAMED,  # who is not named may be anybody
        )
        feed = Feed(sys.stdin.buffer)
        with feed.stoppable():
            sign = Talk(talk, feed, at=at, is_shown=is_shown, renew=renew).run()
    if sign in STOPPED:
        raise click.exceptions.Exit(STOPPED[sign])
