"""What the commands about talk, and about who may hear of it, share."""

from __future__ import annotations

import click


def _scope(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse what is no scope."""
    if value is None:
        return None
    from soulmem.scopes.contexts import is_scope

    if not is_scope(value):
        raise click.BadParameter(f"{value[:60]!r} is none of public, direct:PERSON and group:ID", ctx, parameter)
    return value


#: ``--scope``: who hears what is taken in.
scope_option = click.option(
    "--scope",
    default="public",
    show_default=True,
    metavar="SCOPE",
    callback=_scope,
    help="Who hears this: public, direct:PERSON or group:ID. In other talks it does not come to mind.",
)
#: ``--scope`` of a talk in which the character answers.
talk_scope_option = click.option(
    "--scope",
    metavar="SCOPE",
    callback=_scope,
    help="Who hears this: public, direct:PERSON or group:ID. Only what may be heard there comes to mind. "
    "[default: you own the mind; all comes to mind, and what is said is public]",
)
#: ``--present``: who hears it without speaking.
present_option = click.option(
    "--present", multiple=True, metavar="NAME", help="Who hears it besides those who speak: whoever was there knows. Repeatable."
)
#: ``--as-heard-in``: where it is asked.
heard_in_option = click.option(
    "--as-heard-in",
    "heard_in",
    metavar="SCOPE",
    callback=_scope,
    help="Only what may be heard in this scope: public, direct:PERSON or group:ID. [default: all there is]",
)
#: ``--chat``: which talk.
chat_option = click.option(
    "--chat", default="default", show_default=True, metavar="NAME", help="Which talk: each has a window of its own."
)
