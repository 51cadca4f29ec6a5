"""``soulmem init``."""

from __future__ import annotations

import click

from soulmem_cli.options import Chosen, common


@click.command()
@click.argument("place", metavar="[NAME_OR_PATH]", required=False)
@click.option(
    "--embedder",
    default="e5",
    show_default=True,
    metavar="e5|bge[:MODEL]|api:MODEL|hashing",
    help="What turns texts into vectors. It stays with the mind; soulmem reembed changes it.",
)
@click.option("--name", metavar="CHARACTER", help="The character's name, so that it knows itself (the note sem_self).")
@common
def command(place: str | None, embedder: str, name: str | None) -> None:
    """Make a new mind.

    A name makes it in the data folder, a path (with a slash) where it says. Without either it is called "mind".

    \b
    Examples:
      soulmem init wren --name Wren
      soulmem init ./小红.mind --name 小红 --embedder bge
    """
    from soulmem.graph import load_kernel
    from soulmem.soul import Soul

    mind = place or click.get_current_context().ensure_object(Chosen).mind or "mind"
    with Soul.create(mind, embedder=embedder, name=name) as soul:
        click.echo(f"A new mind: {soul.store.path}")
    click.echo("Compiling the walk (once on a machine, a few seconds) …", err=True)
    load_kernel()
