"""``soulmem demo``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from soulmem_cli.options import debug_option
from soulmem_cli.terminal import say, shown


@click.command(short_help="See it work, without a mind of your own.")
@click.option("--keep", metavar="PATH", help="Make the mind here and leave it, to play with.")
@click.option("--embedder", default="e5", show_default=True, metavar="NAME", help="As for soulmem init.")
@debug_option()
def command(keep: str | None, embedder: str) -> None:
    """See it work: a shipped character, a chat, three questions, and why each memory came.

    \b
    Examples:
      soulmem demo
      soulmem demo --keep ./demo.mind
    """
    from soulmem import demo

    with _place(keep) as mind, demo.build(mind, say, embedder) as soul:
        for answer in demo.answers(soul):
            click.echo(shown("\n".join(demo.answer_lines(answer))) + "\n")
    if keep is not None:
        say(f'It is yours now: soulmem --mind {keep} ask "你家的猫叫什么？" --explain')


@contextmanager
def _place(keep: str | None) -> Iterator[Path]:
    if keep is not None:
        yield Path(keep)
        return
    with TemporaryDirectory(prefix="soulmem-demo-") as folder:
        yield Path(folder) / "demo.mind"
