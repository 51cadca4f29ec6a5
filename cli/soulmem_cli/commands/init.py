"""``soulmem init``."""

from __future__ import annotations

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import named
from soulmem_cli.options import Chosen, common, embedder_named, json_option, one_mind
from soulmem_cli.terminal import out, say


@click.command()
@click.argument("place", metavar="[NAME_OR_PATH]", required=False)
@click.option(
    "--embedder",
    default="e5",
    show_default=True,
    metavar="e5|bge[:MODEL]|api:MODEL|hashing",
    callback=embedder_named,
    help="What turns texts into vectors. It stays with the mind; soulmem reembed changes it.",
)
@click.option("--name", metavar="CHARACTER", help="The character's name, so that it knows itself (the note sem_self).")
@json_option
@common
def command(place: str | None, embedder: str, name: str | None, as_json: bool) -> None:
    """Make a new mind.

    A name makes it in the data folder; what has a slash or ends in .mind is a path, and makes it there. Without either it is
    called "mind".

    \b
    Examples:
      soulmem init wren --name Wren
      soulmem init ./小红.mind --name 小红 --embedder bge
    """
    from soulmem.soul import Soul

    chosen = click.get_current_context().ensure_object(Chosen)
    given = one_mind(place)
    mind = named((chosen.mind or "mind") if given is None else given)
    with Soul.create(mind, embedder=embedder, name=name) as soul:
        made = {"path": str(soul.store.path), "embedder": soul.record.name, "name": name}
    if as_json:
        print_json(made)
    else:
        out(f"A new mind: {made['path']}")
    _compile_walk()


def _compile_walk() -> None:
    """Once on a machine this takes a few seconds, and then a word is said; later it is only loaded."""
    from soulmem.graph import load_kernel

    load_kernel(lambda: say("The walk is being compiled: a few seconds, once on a machine …"))
