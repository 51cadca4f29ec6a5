"""``soulmem demo``."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from soulmem_cli.as_json import print_json
from soulmem_cli.minds import named
from soulmem_cli.options import embedder_named, json_option, without_mind
from soulmem_cli.terminal import out, say


@click.command(short_help="See it work, without a mind of your own.")
@click.option("--keep", metavar="NAME_OR_PATH", help="Make the mind here and leave it, to play with.")
@click.option("--embedder", default="e5", show_default=True, metavar="NAME", callback=embedder_named, help="As for soulmem init.")
@click.option("--language", type=click.Choice(["en", "zh"]), help="Whose mind: Wren's or 小红's. [default: that of the locale]")
@json_option
@without_mind("Name the mind that is made with --keep.")
def command(keep: str | None, embedder: str, language: str | None, as_json: bool) -> None:
    """See it work: a shipped character, a chat, three questions, and why each memory came.

    \b
    Examples:
      soulmem demo
      soulmem demo --language zh
      soulmem demo --keep ./demo.mind
    """
    from soulmem import demo

    character = demo.CHARACTERS[language or demo.language_of(os.environ)]
    with _place(keep) as mind, demo.build(mind, character, say, embedder) as soul:
        answers = demo.answers(soul, character)
        if as_json:
            print_json({"mind": str(soul.store.path) if keep is not None else None, "answers": answers})
        else:
            out("\n\n".join("\n".join(demo.answer_lines(answer)) for answer in answers))
    if keep is not None:
        say(f'It is yours now: soulmem --mind {shlex.quote(keep)} ask "{character.next_question}" --explain')


@contextmanager
def _place(keep: str | None) -> Iterator[str | Path]:
    if keep is not None:
        yield named(keep)
        return
    with TemporaryDirectory(prefix="soulmem-demo-") as folder:
        yield Path(folder) / "demo.mind"
